"""Games of an embedder, which the processes of an audit must be able to import."""

import os
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from fairdeal.application.catalogue import KINDS
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.testing import changed

PARDON: AnyRules = KINDS["pardon"]


def decide_at_home(draft: Any, seat: int, move: Any, chance: Any) -> None:
    PARDON.play.decide(draft, seat, move, chance)


def made_bot() -> Callable[[Any, Sequence[Any], Random], Any]:
    """A bot that cannot be sent to another process; in an audit nobody needs it."""

    def bot(view: Any, legal: Sequence[Any], rng: Random) -> Any:
        return legal[0]

    return bot


HOUSE: AnyRules = changed(PARDON, kind="house", decide=decide_at_home, bots={"random": made_bot()})


def die(draft: Any, chance: Any, deck: Any) -> None:
    os._exit(3)


DEADLY: AnyRules = changed(PARDON, deal=die)
