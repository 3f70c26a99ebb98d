"""An event as one viewer may see it: what answers, frames and streams are made of."""

from dataclasses import dataclass
from typing import Any, cast

from fairdeal.application.log.story import tell
from fairdeal.domain.kernel.lifecycle import LIFECYCLE_EVENTS
from fairdeal.domain.kernel.rules import AnyRules

_LIFECYCLE_NAMES = {cls: name for name, cls in LIFECYCLE_EVENTS.items()}


@dataclass(frozen=True, slots=True)
class SeenEvent:
    """What happened, as far as the viewer may see it."""

    version: int
    name: str
    """The stored name of the event's shape, `red7.card_played.v1`."""
    event: Any
    """What the viewer may not see is None in it."""
    line: str
    """The event in English."""
    at: str
    """When it was stored, in UTC: `2026-01-31T23:59:59.000000Z`."""
    by: str
    """Who sent the command that made it happen."""


def seen_event(rules: AnyRules, players: tuple[str, ...], *, version: int, event: Any, at: str, by: str) -> SeenEvent:
    """An event that has been redacted for its viewer already, with its name and its line."""
    return SeenEvent(version, stored_name(rules, event), event, tell(rules, players, event), at, by)


def stored_name(rules: AnyRules, event: Any) -> str:
    """The name by which the newest shape of this event is stored."""
    kind = cast("type[object]", type(event))
    short = rules.stored.event_names.get(kind)
    return f"{rules.kind}.{_LIFECYCLE_NAMES[kind] if short is None else short}"
