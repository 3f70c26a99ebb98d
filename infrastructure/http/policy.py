"""Who may do what: the port, and the strict rules that hold unless a host brings their own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from fairdeal.application.history.look import AnyLook
from fairdeal.infrastructure.http.identity import OPERATOR, Identity
from fairdeal.infrastructure.http.problems import HttpProblem

LEAVING = ("left", "abandoned", "no_time", "connection", "mistake")
"""Reasons that people may give: free text would be hashed for ever."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Somebody wants something to happen."""

    who: Identity
    command: str
    fields: Mapping[str, Any]
    table: AnyLook | None
    """The table as a spectator sees it; None where there is not one yet."""


Policy = Callable[[Wish], None]
"""The port: raises `not_allowed` or lets it pass."""


def strict(wish: Wish) -> None:
    """What outsiders may do."""
    arranged = any(wish.fields.get(field) is not None for field in ("deck", "position"))
    if arranged and OPERATOR not in wish.who.scopes:
        raise _not_allowed("Only an operator lays out decks and positions.")
    table = wish.table
    if table is None:
        return
    in_lobby = table.phase == "lobby"
    if in_lobby and wish.command in ("start_game", "abandon_game", "add_bot") and wish.who.player != table.opener:
        raise _not_allowed("Only who opened the table may do that.")
    if not in_lobby and wish.command == "abandon_game" and wish.who.player not in table.players:
        raise _not_allowed("Only who sits at the table may do that.")


def trusting(_: Wish) -> None:
    """For hosts that check everything themselves."""


def _not_allowed(message: str) -> HttpProblem:
    return HttpProblem("not_allowed", message)
