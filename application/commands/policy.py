"""Who may do what: the port, the trust that code which embeds us gets, and the strict rules for outsiders."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from fairdeal.application.commands.messages import (
    AbandonGame,
    AddBot,
    Command,
    QuickStart,
    StartGame,
    VoidGame,
)
from fairdeal.application.errors import UnknownGame
from fairdeal.domain.kernel.game import HOUSE, Game
from fairdeal.domain.kernel.lifecycle import Spectators
from fairdeal.domain.kernel.lobby import BOT, Phase
from fairdeal.domain.kernel.refusals import HouseRefusal, IllegalMove, refusal

OPERATOR = "operator"
"""The scope of those who run the service: they lay out decks and positions, see closed tables and make games void."""
STAFF = "staff"
"""The scope of the parts of the service itself that move for bots and watch the clocks."""
AS_OPERATOR = frozenset({OPERATOR})


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who asks: which player they are, and what they may do beyond playing."""

    player: str
    scopes: frozenset[str] = frozenset()


class TableFacts(NamedTuple):
    """What a policy may know of a table: nothing that is hidden from anybody who sees it."""

    game_id: UUID
    kind: str
    phase: Phase
    is_over: bool
    opener: str
    players: tuple[str, ...]
    rated: bool
    """As was said when the table was opened."""
    spectators: Spectators
    is_branch: bool


def facts_of(game: Game) -> TableFacts:
    lobby = game.lobby
    return TableFacts(
        game_id=game.id,
        kind=game.rules.kind,
        phase=lobby.phase,
        is_over=lobby.over,
        opener=lobby.opened.opener,
        players=lobby.players,
        rated=lobby.opened.rated,
        spectators=lobby.opened.spectators,
        is_branch=lobby.branched is not None,
    )


class Policy(Protocol):
    """The port. Each method says nothing, or raises: `not_allowed_error`, or UnknownGame for what is hidden."""

    def may_act_as(self, who: Caller, player: str, table: TableFacts | None) -> None:
        """Whether the caller acts for this player; asked first, also when a command is repeated."""
        ...

    def may_send(self, who: Caller, command: Command, table: TableFacts | None) -> None:
        """Whether the caller may want this. The table is the one that it is sent to, of a branch its origin; None where
        there is not one yet."""
        ...

    def may_see(self, who: Caller | None, viewer: str | None, table: TableFacts) -> None:
        """Whether the caller, or somebody unknown, looks with the eyes of this player, or of a spectator (None)."""
        ...


class Trusting:
    """Code that embeds us knows who asks and has checked everything; only games do not become void by accident."""

    def may_act_as(self, who: Caller, player: str, table: TableFacts | None) -> None:
        """Everybody does."""

    def may_send(self, who: Caller, command: Command, table: TableFacts | None) -> None:  # noqa: ARG002 - the port
        _must_have_authority(who, command)

    def may_see(self, who: Caller | None, viewer: str | None, table: TableFacts) -> None:
        """Everybody does."""


class Strict:
    """What outsiders may do, who speak for themselves alone. A host overrides the rule that does not fit."""

    def may_act_as(self, who: Caller, player: str, table: TableFacts | None) -> None:
        """The acting player is the caller; only in a branch of their own they move every seat."""
        if STAFF in who.scopes:
            return
        if who.player.startswith((BOT, HOUSE)):
            raise not_allowed_error("Such ids belong to bots and to the house.")
        if player == who.player:
            return
        if table is not None:
            must_not_be_hidden(who, table)
        if table is None or not _moves_every_seat(who, player, table):
            raise not_allowed_error("Nobody acts for somebody else.")

    def may_send(self, who: Caller, command: Command, table: TableFacts | None) -> None:
        if table is not None:
            must_not_be_hidden(who, table)
        _must_have_authority(who, command)
        match command:
            case QuickStart(players=players, deck=deck, position=position):
                _must_seat_nobody_else(who, players)
                _must_not_arrange(who, (deck, position), rated=players == (who.player,) and command.rated is not False)
            case StartGame(deck=deck, position=position) if table is not None:
                _must_be_the_opener_in_the_lobby(who, table)
                _must_not_arrange(who, (deck, position), rated=table.rated)
            case AddBot() if table is not None:
                _must_be_the_opener_in_the_lobby(who, table)
            case AbandonGame() if table is not None:
                _must_be_the_opener_in_the_lobby(who, table)
                if table.phase is not Phase.LOBBY and command.player not in table.players:
                    raise not_allowed_error("Only those who sit at the table may do that.")
            case _:
                pass  # the rules of the table decide the rest

    def may_see(self, who: Caller | None, viewer: str | None, table: TableFacts) -> None:
        """Nobody sees with another player's eyes before the end."""
        must_not_be_hidden(who, table)
        if viewer is None or table.is_over:
            return
        if who is None or (viewer != who.player and not _moves_every_seat(who, viewer, table)):
            raise not_allowed_error("Nobody sees with another player's eyes before the end.")


TRUSTING: Policy = Trusting()
STRICT: Policy = Strict()


def must_not_be_hidden(who: Caller | None, table: TableFacts) -> None:
    """What is hidden does not exist: a branch is there for whoever made it, a closed table for those who sit there."""
    if not table.is_branch and table.spectators is not Spectators.CLOSED:
        return
    if who is not None and {OPERATOR, STAFF} & who.scopes:
        return
    insiders = (table.opener,) if table.is_branch else (table.opener, *table.players)
    if who is None or who.player not in insiders:
        raise UnknownGame(table.game_id)


def caller_for(player: str, operators: Collection[str]) -> Caller:
    """Who asks, where nobody says so: the acting player themselves."""
    return Caller(player, AS_OPERATOR) if player in operators else Caller(player)


def not_allowed_error(message: str) -> IllegalMove:
    return refusal(HouseRefusal.NOT_ALLOWED, message)


def _must_have_authority(who: Caller, command: Command) -> None:
    if isinstance(command, VoidGame) and not {OPERATOR, STAFF} & who.scopes:
        raise not_allowed_error("Only the operator makes a game void.")


def _moves_every_seat(who: Caller, player: str, table: TableFacts) -> bool:
    return table.is_branch and who.player == table.opener and player in table.players


def _must_seat_nobody_else(who: Caller, players: tuple[str, ...]) -> None:
    if any(player != who.player and not player.startswith(BOT) for player in players):
        raise not_allowed_error("Nobody seats anybody else.")


def _must_not_arrange(who: Caller, given: tuple[Any, Any], *, rated: bool) -> None:
    if given == (None, None):
        return
    if OPERATOR not in who.scopes:
        raise not_allowed_error("Only an operator lays out decks and positions.")
    if rated:
        raise not_allowed_error("A rated game is dealt from a shuffle: open the table unrated.")


def _must_be_the_opener_in_the_lobby(who: Caller, table: TableFacts) -> None:
    if table.phase is Phase.LOBBY and who.player != table.opener:
        raise not_allowed_error("Only the player who opened the table may do that.")
