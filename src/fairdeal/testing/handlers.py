"""Given a table on a ledger, when a command is handled, then …: sentences for testing what embeds Fairdeal."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, Self, TypeVar, overload
from uuid import UUID

from fairdeal.application.commands.handlers import Answer
from fairdeal.application.commands.messages import Command, JoinGame, MakeMove, OpenGame, parse_command
from fairdeal.application.history.look import Look
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.lobby import Outcome
from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.domain.kernel.rules import AnyRules, Rules
from fairdeal.service import Fairdeal

MoveT = TypeVar("MoveT")
OptionsT = TypeVar("OptionsT")
ViewT = TypeVar("ViewT")
Viewer = Seat | str | None
"""Whose eyes: a seat, a player's id, or None for a spectator."""


@overload
def given_game(
    fairdeal: Fairdeal, kind: str, players: Sequence[str], options: Any = None, **more: Any
) -> "GivenGame[Any, Any]": ...
@overload
def given_game(
    fairdeal: Fairdeal,
    kind: Rules[Any, MoveT, OptionsT, Any, ViewT],
    players: Sequence[str],
    options: OptionsT | str | None = None,
    **more: Any,
) -> "GivenGame[MoveT, ViewT]": ...
def given_game(
    fairdeal: Fairdeal, kind: str | AnyRules, players: Sequence[str], options: Any = None, **more: Any
) -> "GivenGame[Any, Any]":
    """A started game; `more` may hold a given `deck` or a `position` (`fairdeal.testing.positions`).

    Named by its rules (`RED7`), the game has its own types for moves and views.
    """
    return GivenGame(fairdeal, fairdeal.start_game(_name(kind), players, options, **more).game_id)


@overload
def given_lobby(
    fairdeal: Fairdeal, kind: str, players: Sequence[str] = (), *, opener: str | None = None, **terms: Any
) -> "GivenGame[Any, Any]": ...
@overload
def given_lobby(
    fairdeal: Fairdeal,
    kind: Rules[Any, MoveT, OptionsT, Any, ViewT],
    players: Sequence[str] = (),
    *,
    opener: str | None = None,
    **terms: Any,
) -> "GivenGame[MoveT, ViewT]": ...
def given_lobby(
    fairdeal: Fairdeal, kind: str | AnyRules, players: Sequence[str] = (), *, opener: str | None = None, **terms: Any
) -> "GivenGame[Any, Any]":
    """An open table where these have taken their own seats. The first of them has opened it, unless `opener` did.

    `terms` are what is said on opening: `options`, `clock`, `rated`, `spectators`.
    """
    host = opener if opener is not None else next(iter(players), "the host")
    game = fairdeal.handle(OpenGame(player=host, kind=_name(kind), **terms)).game_id
    for player in players:
        fairdeal.handle(JoinGame(game_id=game, player=player))
    return GivenGame(fairdeal, game)


def _name(kind: str | AnyRules) -> str:
    return kind if isinstance(kind, str) else kind.kind


class GivenGame(Generic[MoveT, ViewT]):
    """A game that stands in the ledger, and what holds for it now."""

    def __init__(self, fairdeal: Fairdeal, game_id: UUID) -> None:
        self.fairdeal = fairdeal
        self.game_id = game_id

    def when(self, player: str, move: MoveT | dict[str, Any], **more: Any) -> "Handled[MoveT, ViewT]":
        """Somebody makes a move."""
        return self.when_command(MakeMove(game_id=self.game_id, player=player, move=move, **more))

    def when_command(self, command: Command | dict[str, Any]) -> "Handled[MoveT, ViewT]":
        """Somebody sends a command, as a message or as it comes from outside; a dict may leave out the game."""
        if isinstance(command, dict):
            command = parse_command({"game_id": self.game_id, **command})
        return Handled(self, command)

    def look(self, viewer: Viewer = None) -> Look[ViewT, MoveT]:
        """The game as a seat, a player or a spectator sees it."""
        return self.fairdeal.look(self.game_id, self.player(viewer))

    def player(self, viewer: Viewer) -> str | None:
        """Who sits on a seat."""
        return self.fairdeal.look(self.game_id).players[viewer] if isinstance(viewer, int) else viewer

    def then_view(self, viewer: Viewer, holds: Callable[[ViewT], bool]) -> Self:
        """Something holds for what a seat, a player or a spectator sees now."""
        view = self.look(viewer).view
        assert holds(view), f"does not hold for {view}"
        return self

    def then_outcome(
        self, winners: Sequence[Seat], *, scores: Sequence[int] | None = None, reason: str | None = None
    ) -> Self:
        """The game is over, and these seats have won."""
        outcome = self.look().outcome
        assert outcome is not None, f"the game is not over: it is {self.look().phase.value}"
        wanted = Outcome(
            tuple(winners),
            outcome.scores if scores is None else tuple(scores),
            outcome.reason if reason is None else reason,
        )
        assert outcome == wanted, f"expected {wanted}, got {outcome}"
        return self

    def then_not_over(self) -> Self:
        outcome = self.look().outcome
        assert outcome is None, f"the game is over: {outcome}"
        return self


class Handled(Generic[MoveT, ViewT]):
    """A command that was handled: answered or refused."""

    def __init__(self, given: GivenGame[MoveT, ViewT], command: Command) -> None:
        self.given = given
        self.version_before = given.fairdeal.look(given.game_id).version
        self.refused: FairdealError | None = None
        self._answer: Answer | None = None
        try:
            self._answer = given.fairdeal.handle(command)
        except FairdealError as error:
            self.refused = error

    @property
    def answer(self) -> Answer:
        assert self._answer is not None, f"refused: {self.refused!r}"
        return self._answer

    def then(self, *events: Any) -> Self:
        """The acting player was shown exactly these events."""
        assert self.answer.events == events, f"expected {events}, got {self.answer.events}"
        return self

    def then_shown_to(self, viewer: Viewer, *events: Any) -> Self:
        """A seat, a player or a spectator (None) was shown exactly these events of this command."""
        answer, given = self.answer, self.given
        new = given.fairdeal.events(given.game_id, given.player(viewer), after=self.version_before).events
        shown = tuple(seen.event for seen in new if seen.version <= answer.version)
        assert shown == events, f"expected {events}, but {viewer!r} was shown {shown}"
        return self

    def then_view(self, viewer: Viewer, holds: Callable[[ViewT], bool]) -> Self:
        """Something holds for what a seat, a player or a spectator sees afterwards."""
        assert self.answer
        self.given.then_view(viewer, holds)
        return self

    def then_outcome(
        self, winners: Sequence[Seat], *, scores: Sequence[int] | None = None, reason: str | None = None
    ) -> Self:
        """The game is over by that, and these seats have won."""
        assert self.answer
        self.given.then_outcome(winners, scores=scores, reason=reason)
        return self

    def then_not_over(self) -> Self:
        assert self.answer
        self.given.then_not_over()
        return self

    def then_refused(self, code: str) -> Self:
        """Refused with this code, and nothing was stored."""
        assert self.refused is not None, f"expected {code}, but it was accepted: {self._answer}"
        assert self.refused.code == code, f"expected {code}, got {self.refused.code}: {self.refused}"
        assert self.given.fairdeal.look(self.given.game_id).version == self.version_before
        return self

    def when(self, player: str, move: MoveT | dict[str, Any], **more: Any) -> "Handled[MoveT, ViewT]":
        """The next move, after an accepted command."""
        assert self.answer
        return self.given.when(player, move, **more)

    def when_command(self, command: Command | dict[str, Any]) -> "Handled[MoveT, ViewT]":
        """The next command, after an accepted one."""
        assert self.answer
        return self.given.when_command(command)
