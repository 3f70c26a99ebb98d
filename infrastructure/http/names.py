"""What players are called on the page: display names in place of ids, wherever people read."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from fairdeal.application.bots import bot_name, with_names
from fairdeal.application.log.seen_event import SeenEvent
from fairdeal.domain.kernel.lobby import BOT

NamesOf = Callable[[Iterable[str]], Mapping[str, str]]
"""The port: display names by id, for those who have one."""

OURS = re.compile(r"(?<!\w)(?:p_[0-9a-f]{20}|bot:\w+:\d+)(?!\w)")
"""Ids that only accounts and bots have, wherever they stand in a text."""


@lru_cache(10_000)
def accounts_in(players: tuple[str, ...]) -> tuple[str, ...]:
    """Those of a table whose names are looked up when a line mentions them."""
    return tuple(player for player in players if OURS.fullmatch(player) and not player.startswith(BOT))


class Names:
    """Display names of accounts and bots; ids stay what the ledger knows."""

    def __init__(self, names_of: NamesOf, *, are_foreign: bool = False) -> None:
        self._names_of = names_of
        self.are_foreign = are_foreign
        """Whether ids are a host's own, so that nobody knows them in a text."""

    def by_id(self, players: Iterable[str]) -> dict[str, str]:
        asked = list(dict.fromkeys(players))
        people = [player for player in asked if not player.startswith(BOT)]
        known: Mapping[str, str] = self._names_of(people) if people else {}
        return {player: bot_name(player) or known.get(player, player) for player in asked}

    def of(self, players: Sequence[str]) -> tuple[str, ...]:
        """The names of a table, seat by seat."""
        names = self.by_id(players)
        return tuple(names[player] for player in players)

    def in_lines(self, lines: Sequence[str], players: Iterable[str] = ()) -> tuple[str, ...]:
        """Lines of stories with names in them: of these players, and of every account and bot that they mention."""
        asked = [*players, *OURS.findall("\n".join(lines))]
        if not asked:
            return tuple(lines)
        names = self.by_id(asked)
        return tuple(with_names(line, names) for line in lines)

    def has_ids(self, text: str) -> bool:
        """Whether it names accounts or bots by their ids."""
        return OURS.search(text) is not None

    def in_events(self, events: Sequence[SeenEvent], players: Iterable[str] = ()) -> tuple[SeenEvent, ...]:
        lines = self.in_lines([event.line for event in events], players)
        return tuple(
            event if line == event.line else replace(event, line=line)
            for event, line in zip(events, lines, strict=True)
        )
