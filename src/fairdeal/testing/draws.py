"""Chance that writes down what was asked of it, and whether the events say the same."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from fairdeal.domain.kernel.chance import NO_SHARE, Chance
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.testing.snapshot import leaves

T = TypeVar("T")

NUMBERS = ("shuffle", "pick")
"""The fields in which an event says the number of its draw; one that was not drawn says None."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One question to chance, and its answer."""

    number: int
    of: tuple[Any, ...] | int
    """The cards that were shuffled, in their order, or how many numbers there were to pick from."""
    gave: Any


class NotedChance(Chance):
    """Chance that writes down what was asked of it."""

    __slots__ = ("draws",)

    def __init__(self, seats: int, seed: int = 0) -> None:
        super().__init__(seed.to_bytes(32), bytes(16), [NO_SHARE] * seats)
        self.draws: list[Draw] = []

    def shuffle(self, number: int, cards: Sequence[T]) -> tuple[T, ...]:
        gave = super().shuffle(number, cards)
        self.draws.append(Draw(number, tuple(cards), gave))
        return gave

    def pick(self, number: int, count: int) -> int:
        gave = super().pick(number, count)
        self.draws.append(Draw(number, count, gave))
        return gave


class Witness:
    """Compares the draws of one game, command by command, with what its events say of them."""

    def __init__(self, rules: AnyRules) -> None:
        self._by_chance = rules.play.by_chance
        self._used: set[int] = set()

    def must_agree(self, what: Any, draws: Sequence[Draw], events: Iterable[Any]) -> None:
        """An audit compares with chance what the declared events say, and nothing else."""
        drawn = {draw.number: draw for draw in draws}
        assert len(drawn) == len(draws), f"{what} used a number twice: {[draw.number for draw in draws]}"
        again = self._used & drawn.keys()
        assert not again, f"{what} used numbers that were used before: {sorted(again)}"
        self._used |= drawn.keys()
        for event in events:
            if type(event) in self._by_chance:
                number = number_of(event)
                if number is not None:
                    draw = drawn.pop(number, None)
                    assert draw is not None, f"{event} tells of draw {number}, but {what} did not ask for it"
                    assert says(event, draw), f"{event} does not say what draw {number} gave"
        assert not drawn, f"{what} asked chance, but no event of `by_chance` records draws {sorted(drawn)}"


def number_of(event: Any) -> int | None:
    """The number of the draw that an event tells of."""
    named = [field.name for field in fields(event) if field.name in NUMBERS]
    assert len(named) == 1, f"{type(event).__name__} says in neither of {NUMBERS}, or in both, which draw it tells of"
    return getattr(event, named[0])  # type: ignore[no-any-return]  # whatever the game put there: it is compared


def says(event: Any, draw: Draw) -> bool:
    """Whether a field of the event holds what was drawn: the cards in their order, or the number that was picked."""
    told = [getattr(event, field.name) for field in fields(event) if field.name not in NUMBERS]
    if isinstance(draw.of, int):
        return any(type(one) is int and one == draw.gave for one in told)
    cards = set(draw.of)
    return any(tuple(leaf for leaf in leaves(one) if leaf in cards) == draw.gave for one in told)


class CanonicalOrder:
    """Whether all shuffles start from one order of the cards, so that anybody can repeat them."""

    def __init__(self) -> None:
        self._orders: list[dict[Any, int]] = []

    def must_hold(self, draws: Iterable[Draw]) -> None:
        for draw in draws:
            if isinstance(draw.of, tuple):
                for places in self._orders:
                    known = [places[card] for card in draw.of if card in places]
                    assert known == sorted(known), f"draw {draw.number} began from another order of the cards"
                order = {card: place for place, card in enumerate(draw.of)}
                if order not in self._orders:
                    self._orders.append(order)
