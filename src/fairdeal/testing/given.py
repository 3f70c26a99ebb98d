"""Given a position or what happened, when somebody moves, then …: sentences for testing rules."""

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.refusals import IllegalMove
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.testing.play import chance_of
from fairdeal.testing.snapshot import snapshot


def given(rules: AnyRules, *events: Any, seats: int | None = None, options: Any = None) -> "Given":
    """A table to which these events (a deal, a position, moves made) have happened."""
    seats = rules.seats[0] if seats is None else seats
    options = next(iter(rules.setup.presets.values())) if options is None else options
    state = rules.play.initial_state(seats, options, (None,) * seats)
    for event in events:
        rules.play.evolve[type(event)](state, event)
    return Given(rules, state, chance_of(0, seats))


class Given:
    """The state before the move that is tested."""

    def __init__(self, rules: AnyRules, state: Any, chance: Chance) -> None:
        self.rules = rules
        self.state = state
        self.chance = chance

    def when(self, seat: Seat, move: Any) -> "When":
        return When(self, seat, move)


class When:
    """A move, decided; the `then_…` methods say what must have come of it."""

    def __init__(self, before: Given, seat: Seat, move: Any) -> None:
        self.before = before
        self.refused: IllegalMove | None = None
        draft = Draft(before.state.copy(), before.rules.play.evolve)
        try:
            before.rules.play.decide(draft, seat, move, before.chance)
        except IllegalMove as error:
            self.refused = error
        self.state = draft.state
        self.events = draft.events

    def then(self, *events: Any) -> "When":
        """Exactly these events happened."""
        self._must_be_accepted()
        assert self.events == list(events), f"expected {list(events)}, got {self.events}"
        return self

    def then_state(self, holds: Callable[[Any], bool]) -> "When":
        """Something holds for the state afterwards."""
        self._must_be_accepted()
        assert holds(self.state), f"does not hold for {snapshot(self.state)}"
        return self

    def then_refused(self, reason: StrEnum | str) -> "When":
        """The move was refused for this reason, and nothing changed."""
        assert self.refused is not None, f"expected the refusal {reason}, but {self.events} happened"
        assert self.refused.reason == reason, f"expected the refusal {reason}, got {self.refused.reason}"
        assert snapshot(self.state) == snapshot(self.before.state), "a refused move changed the state"
        return self

    def when(self, seat: Seat, move: Any) -> "When":
        """The next move, after an accepted one."""
        self._must_be_accepted()
        return Given(self.before.rules, self.state, self.before.chance).when(seat, move)

    def _must_be_accepted(self) -> None:
        assert self.refused is None, f"refused: {self.refused!r}"
