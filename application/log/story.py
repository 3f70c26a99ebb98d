"""Events in English, one line each."""

from typing import Any

from fairdeal.domain.kernel.lifecycle import tell_lifecycle
from fairdeal.domain.kernel.rules import AnyRules


def tell(rules: AnyRules, players: tuple[str, ...], event: Any) -> str:
    """One English line for any event of a game that these players play."""
    return tell_lifecycle(event, players) or rules.voice.tell(event, players)
