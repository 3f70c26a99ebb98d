"""Games as a caller may see them: tables that are closed to them do not exist."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock
from uuid import UUID

from fairdeal.application.commands.handlers import Answer
from fairdeal.application.commands.policy import OPERATOR
from fairdeal.application.errors import StillRunning, UnknownGame
from fairdeal.application.history.look import AnyLook
from fairdeal.application.history.replay import Frame, Replay
from fairdeal.application.log.seen_event import SeenEvent
from fairdeal.domain.kernel.game import Game
from fairdeal.infrastructure.http.accounts import CLOSED, OPEN, UNLISTED, Accounts
from fairdeal.infrastructure.http.identity import Identity
from fairdeal.infrastructure.http.names import Names, accounts_in
from fairdeal.infrastructure.http.problems import HttpProblem
from fairdeal.infrastructure.http.written_looks import SeenTable, WrittenLooks
from fairdeal.service import Fairdeal

PRIVATE = "private"
"""Of branches: nobody but whoever made them sees them."""
SPECTATOR = "spectator"
OPEN_CARDS = "open"
NOT_OVER = ("lobby", "sealed", "running")
UUID_TEXT = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
KEPT_REPLAYS = 16
KEPT_IDS = 10_000
"""So many are not read again: the same games are asked for again and again."""


@dataclass(frozen=True, slots=True)
class ViewedAs:
    """Whose eyes a question is answered with."""

    player: str | None
    open_cards: bool = False


def is_over(look: AnyLook) -> bool:
    return look.phase not in NOT_OVER


@lru_cache(KEPT_IDS)
def game_id(text: str) -> UUID:
    """The id of a game as it is written in addresses."""
    if not UUID_TEXT.fullmatch(text):
        raise UnknownGame(text)
    return UUID(text)


class VisibleGames:
    """Safe to share between threads."""

    def __init__(self, fairdeal: Fairdeal, accounts: Accounts, names: Names) -> None:
        self._fairdeal = fairdeal
        self._accounts = accounts
        self._names = names
        self._replays: dict[tuple[UUID, str | None, bool], tuple[int, Lock, Replay]] = {}
        self._lock = Lock()
        self._looks = WrittenLooks()

    def mode(self, game: UUID) -> str:
        return self._accounts.spectators(game)

    def is_open(self, game: UUID) -> bool:
        """Whether whoever has its address may watch it."""
        return self.mode(game) in (OPEN, UNLISTED)

    def is_at_hand(self, game_id: UUID) -> bool:
        """Whether a move can be made there, and told with names, without asking a database about anything else."""
        game = self._fairdeal.queries.loaded(game_id)
        if game is None or self._names.are_foreign or not self._accounts.is_open_at_hand(game_id):
            return False
        return self._accounts.are_named_at_hand(accounts_in(game.players))

    def seen_by(self, game_id: UUID, who: Identity | None) -> AnyLook:
        """The look of whoever asks; UnknownGame if the table is hidden from them."""
        return self._seen_by(game_id, who).look()

    def _seen_by(self, game_id: UUID, who: Identity | None) -> SeenTable:
        game, link = self._fairdeal.queries.fresh(game_id, None)
        mode = self.mode(game_id)
        if mode not in (OPEN, UNLISTED) and not (who is not None and self._is_inside(game, mode, who)):
            raise UnknownGame(game_id)
        sits = who is not None and game.seat_of(who.player) is not None
        return SeenTable(game, link, who.player if who is not None and sits else None)

    def _is_inside(self, game: Game, mode: str, who: Identity) -> bool:
        if OPERATOR in who.scopes or who.player == game.lobby.opened.opener:
            return True
        return mode == CLOSED and who.player in game.players

    def viewer(self, look: AnyLook, who: Identity | None, asked: str | None) -> ViewedAs:
        """Whose eyes were asked for, if the caller may look with them."""
        own = None if who is None or who.player not in look.players else who.player
        if asked is None:
            return ViewedAs(own)
        if asked == SPECTATOR:
            return ViewedAs(None)
        if asked == OPEN_CARDS and asked not in look.players:
            if not is_over(look):
                raise StillRunning("Open cards can be seen when the game is over.")
            return ViewedAs(None, open_cards=True)
        if asked == own or is_over(look) or self._moves_every_seat(look, who):
            return ViewedAs(asked)
        raise HttpProblem("not_allowed", "Nobody sees with another player's eyes before the end.")

    def _moves_every_seat(self, look: AnyLook, who: Identity | None) -> bool:
        return who is not None and who.player == look.opener and self.mode(look.game_id) == PRIVATE

    def table(self, game_id: UUID, who: Identity | None, asked: str | None = None) -> SeenTable:
        """What is to be seen with these eyes."""
        seen = self._seen_by(game_id, who)
        if asked is not None:
            viewer = self.viewer(seen.look(), who, asked)
            if viewer.player != seen.player:
                return SeenTable(*self._fairdeal.queries.fresh(game_id, viewer.player), viewer.player)
        return seen

    def written(self, table: SeenTable) -> bytes:
        """A look to hand out, as JSON with names."""
        game = table.game
        return self._looks.written(table, names=self._names.of(game.players), spectators=self.mode(game.id))

    def dressed(self, look: AnyLook) -> AnyLook:
        """A look to hand out, with names."""
        return replace(look, names=self._names.of(look.players), spectators=self.mode(look.game_id))

    def answered(self, answer: Answer, who: Identity) -> Answer:
        """An answer to hand out, with names; only a host's own ids need the table to be found in a line."""
        players = self.seen_by(answer.game_id, who).players if self._names.are_foreign else ()
        return answer.with_seen(self._names.in_events(answer.seen, players))

    def events(self, look: AnyLook, viewer: ViewedAs, after: int) -> tuple[SeenEvent, ...]:
        """What happened after a version, as the viewer may see it, up to the version of this look."""
        found = self._fairdeal.events(look.game_id, viewer.player, after=after).events
        return self.named([event for event in found if event.version <= look.version], look)

    def named(self, events: Sequence[SeenEvent], look: AnyLook) -> tuple[SeenEvent, ...]:
        return self._names.in_events(events, look.players)

    def frames(self, look: AnyLook, viewer: ViewedAs, versions: Sequence[int]) -> list[Frame]:
        """Frames of a replay; the last few replays are kept, for whoever steps through one."""
        lock, replay = self._replay(look, viewer)
        with lock:
            frames = [replay.go_to(version) for version in versions]
        lines = self._names.in_lines([frame.line for frame in frames], look.players)
        return [
            replace(frame, line=line, event=None if frame.event is None else replace(frame.event, line=line))
            for frame, line in zip(frames, lines, strict=True)
        ]

    def _replay(self, look: AnyLook, viewer: ViewedAs) -> tuple[Lock, Replay]:
        key = (look.game_id, viewer.player, viewer.open_cards)
        with self._lock:
            kept = self._replays.pop(key, None)
            if kept is not None and kept[0] >= look.version:
                self._replays[key] = kept
                return kept[1:]
        made = self._fairdeal.replay(look.game_id, viewer.player, open_cards=viewer.open_cards)
        lock = Lock()
        with self._lock:
            while len(self._replays) >= KEPT_REPLAYS:
                del self._replays[next(iter(self._replays))]
            self._replays[key] = (made.head, lock, made)
        return lock, made
