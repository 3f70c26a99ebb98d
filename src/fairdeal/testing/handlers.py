"""Given a game on a ledger, when a command is handled, then …: sentences for testing what embeds Fairdeal."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from fairdeal.application.commands.handlers import Answer
from fairdeal.application.commands.messages import Command, MakeMove
from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.service import Fairdeal


def given_game(fairdeal: Fairdeal, kind: str, players: Sequence[str], options: Any = None, **more: Any) -> "GivenGame":
    """A started game; `more` may hold a given `deck` or a `position`."""
    return GivenGame(fairdeal, fairdeal.start_game(kind, players, options, **more).game_id)


class GivenGame:
    """A game that stands in the ledger."""

    def __init__(self, fairdeal: Fairdeal, game_id: UUID) -> None:
        self.fairdeal = fairdeal
        self.game_id = game_id

    def when(self, player: str, move: Any, **more: Any) -> "Handled":
        """Somebody makes a move."""
        return self.when_command(MakeMove(game_id=self.game_id, player=player, move=move, **more))

    def when_command(self, command: Command) -> "Handled":
        return Handled(self, command)


class Handled:
    """A command that was handled: answered or refused."""

    def __init__(self, given: GivenGame, command: Command) -> None:
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

    def then(self, *events: Any) -> "Handled":
        """The acting player was shown exactly these events."""
        assert self.answer.events == events, f"expected {events}, got {self.answer.events}"
        return self

    def then_refused(self, code: str) -> "Handled":
        """Refused with this code, and nothing was stored."""
        assert self.refused is not None, f"expected {code}, but it was accepted: {self._answer}"
        assert self.refused.code == code, f"expected {code}, got {self.refused.code}: {self.refused}"
        assert self.given.fairdeal.look(self.given.game_id).version == self.version_before
        return self

    def when(self, player: str, move: Any, **more: Any) -> "Handled":
        """The next move, after an accepted one."""
        assert self.answer
        return self.given.when(player, move, **more)
