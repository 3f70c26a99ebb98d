"""The rule set of a game: every knob with its limits, and the presets."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.refusals import refusal
from fairdeal.domain.tcg.cards import Variation, is_whole
from fairdeal.domain.tcg.pool import STARTER, Pool, faults_in_pool
from fairdeal.domain.tcg.refusals import FaultCode, Refusal


@dataclass(frozen=True, slots=True)
class TcgOptions:
    """One game's rules; the defaults are the basic game (RULES 1)."""

    start_health: int = 30
    max_health: int = 30
    hand_start: int = 3
    second_bonus: int = 0
    hand_limit: int = 5
    max_slots: int = 10
    bleed: int = 1
    deck_size: int = 20
    max_copies: int | None = None
    board_limit: int | None = None
    flex_healing: bool = False
    variations: tuple[Variation, ...] = ()
    first: Seat | None = None
    """Who starts; None leaves it to chance."""
    pool: Pool | None = None
    """The cards that decks are built from; None is the starter pool."""

    @property
    def cards(self) -> Pool:
        return STARTER if self.pool is None else self.pool


PRESETS: Mapping[str, TcgOptions] = {
    "kata": TcgOptions(),
    "origin": TcgOptions(
        second_bonus=1, board_limit=3, max_copies=4, flex_healing=True, variations=(Variation.MINIONS,)
    ),
    "full": TcgOptions(second_bonus=1, board_limit=3, max_copies=4, variations=tuple(Variation)),
}


@lru_cache(maxsize=64)
def cards_allowed(options: TcgOptions) -> Pool:
    """The cards of the pool that the variations let decks hold, in pool order."""
    return tuple(card for card in options.cards if card.needs is None or card.needs in options.variations)


RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "start_health": (1, 1000),
    "max_health": (1, 1000),
    "hand_start": (0, 20),
    "second_bonus": (0, 20),
    "hand_limit": (1, 20),
    "max_slots": (1, 20),
    "bleed": (1, 100),
    "deck_size": (1, 60),
}


def check_options(options: TcgOptions) -> None:
    """Refuses knobs out of range, then bad cards (RULES 1)."""
    faults = _faults(options)
    if faults:
        raise refusal(Refusal.INVALID_RULES, f"These rules cannot be played: {'; '.join(faults)}.")
    # Nothing is wrong with the starter pool, as a test says: it is not looked through for each game.
    in_pool = () if options.pool is None else faults_in_pool(options.pool)
    if in_pool:
        only_cards = all(fault.code is FaultCode.INVALID_CARD for fault in in_pool)
        reason = Refusal.INVALID_CARD if only_cards else Refusal.INVALID_RULES
        raise refusal(reason, f"Bad cards in the pool: {'; '.join(fault.message for fault in in_pool)}.")


def _faults(options: TcgOptions) -> list[str]:
    faults = [
        f"{knob} is a whole number from {low} to {high}, not {getattr(options, knob)!r}"
        for knob, (low, high) in RANGES.items()
        if not is_whole(getattr(options, knob), low, high)
    ]
    return faults or _faults_between_knobs(options)


def _faults_between_knobs(options: TcgOptions) -> list[str]:
    dealt = options.hand_start + options.second_bonus
    known = list(Variation)
    faults = {
        "start_health is at most max_health": options.start_health <= options.max_health,
        "hand_start and second_bonus together are at most hand_limit": dealt <= options.hand_limit,
        "hand_start and second_bonus together are at most deck_size": dealt <= options.deck_size,
        "max_copies is absent or at least 1": _is_limit(options.max_copies),
        "board_limit is absent or at least 1": _is_limit(options.board_limit),
        "flex_healing is on or off": type(options.flex_healing) is bool,
        f"variations are some of {', '.join(known)}": all(name in known for name in options.variations),
        "a variation is named once": len(set(options.variations)) == len(options.variations),
        "the first player is seat 0, seat 1 or left to chance": options.first is None or is_whole(options.first, 0, 1),
    }
    return [fault for fault, holds in faults.items() if not holds]


def _is_limit(value: object) -> bool:
    return value is None or (type(value) is int and value >= 1)
