"""Games of an embedder, which the processes of an audit must be able to import."""

import os
from dataclasses import replace
from typing import Any

from fairdeal.application.catalogue import GAMES
from fairdeal.domain.kernel.rules import AnyRules

PARDON: AnyRules = GAMES["pardon"]


def decide_at_home(draft: Any, seat: int, move: Any, chance: Any) -> None:
    PARDON.decide(draft, seat, move, chance)


HOUSE: AnyRules = replace(
    PARDON, kind="house", decide=decide_at_home, bots={"random": lambda view, legal, rng: legal[0]}
)


def die(draft: Any, chance: Any, deck: Any) -> None:
    os._exit(3)


DEADLY: AnyRules = replace(PARDON, deal=die)
