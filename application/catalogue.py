"""The one register of games: a new game is one line here."""

from collections.abc import Mapping

from fairdeal.domain.kernel.rules import AnyRules
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
