"""The one register of games: a new game is one line here."""

import re
from collections.abc import Mapping
from typing import Any

from fairdeal.application.errors import BadRegister
from fairdeal.domain.kernel.rules import AnyRules, Rules
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.pardon.game import PARDON
from fairdeal.domain.red7.game import RED7
from fairdeal.domain.reviiyot.game import REVIIYOT
from fairdeal.domain.tcg.game import TCG

KINDS: Mapping[str, AnyRules] = {
    rules.kind: rules
    for rules in (
        KINGS_CORNERS,
        PARDON,
        RED7,
        REVIIYOT,
        TCG,
    )
}

KIND = re.compile(r"[a-z][a-z0-9_]{0,63}")
"""A kind is the beginning of stored names, up to the first dot."""


def must_be_a_register(kinds: Mapping[str, AnyRules]) -> None:
    """Refuses what would store games that nobody could read again."""
    given: Any = kinds  # a caller from Python may have given anything
    if not isinstance(given, Mapping) or not all(isinstance(one, Rules) for one in kinds.values()):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise BadRegister("Expected kinds of games by their names, such as fairdeal.games.KINDS.")
    for name, rules in kinds.items():
        if name != rules.kind:
            raise BadRegister(f"{rules.title} is registered as {name!r}, but its kind is {rules.kind!r}.")
        if not KIND.fullmatch(rules.kind):
            wanted = "lower-case letters, digits and underscores, at most 64, beginning with a letter"
            raise BadRegister(f"{rules.kind!r} cannot be the kind of a game: expected {wanted}.")
