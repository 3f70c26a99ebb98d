"""What can be agreed before a game of Red7, and the sets of options that have names."""

from dataclasses import dataclass, replace
from enum import StrEnum

from fairdeal.domain.kernel.refusals import refusal
from fairdeal.domain.red7.refusals import Refusal

LARGEST_HAND = 11
"""Four players with twelve cards each are 48 of the 49."""
ALL_POINTS = 196


class DrawRule(StrEnum):
    """When placing a rule draws a card (RULES 7)."""

    NONE = "none"
    PLAYED_BOTH = "played_both"
    EXCEEDS_PALETTE = "exceeds_palette"


@dataclass(frozen=True, slots=True)
class Red7Options:
    """Every switch can be combined with every other."""

    hand_size: int = 7
    actions: bool = False
    """Whether 1, 3, 5 and 7 have effects when they are played to a palette (RULES 6)."""
    draw_rule: DrawRule = DrawRule.NONE
    rounds: bool = False
    """Whether rounds are played and scored until somebody reaches the target (RULES 8)."""
    targets: tuple[int, int, int] = (40, 35, 30)
    """The points that end the game, for two, three and four players."""
    seven_needs_discard: bool = False
    """Whether a 7 that can discard nothing may not be played at all (RULES 6.4)."""


_BASIC = Red7Options()
_MATCH = Red7Options(rounds=True, draw_rule=DrawRule.EXCEEDS_PALETTE)
_KATA_MATCH = Red7Options(rounds=True, draw_rule=DrawRule.PLAYED_BOTH, hand_size=6, targets=(40, 30, 25))

PRESETS: dict[str, Red7Options] = {
    "basic": _BASIC,
    "actions": replace(_BASIC, actions=True),
    "match": _MATCH,
    "kata_match": _KATA_MATCH,
    "match_actions": replace(_MATCH, actions=True),
    "kata_match_actions": replace(_KATA_MATCH, actions=True),
}


def check_options(options: Red7Options) -> None:
    if not 1 <= options.hand_size <= LARGEST_HAND:
        raise refusal(Refusal.BAD_OPTIONS, f"A hand has 1 to {LARGEST_HAND} cards, not {options.hand_size}.")
    if len(options.targets) != 3 or not 1 <= min(options.targets) <= max(options.targets) <= ALL_POINTS:
        raise refusal(Refusal.BAD_OPTIONS, f"The targets are three numbers of points from 1 to {ALL_POINTS}.")
