"""Questions to the read side, checked field by field before anything is asked."""

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from datetime import MINYEAR, UTC, datetime
from typing import Annotated, Any, Self, TypeVar, cast
from uuid import UUID

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from fairdeal.application.commands.validation import fault_of
from fairdeal.application.errors import FieldFault, InvalidQuery
from fairdeal.domain.kernel.lifecycle import LIFECYCLE_EVENTS
from fairdeal.domain.kernel.lobby import Phase
from fairdeal.domain.kernel.refusals import quoted
from fairdeal.domain.kernel.rules import AnyRules

MOST_ITEMS = 500
USUAL_ITEMS = 50


def _must_be_storable(text: str) -> str:
    if "\0" in text:
        raise ValueError("no text here has such a character in it")
    return text


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:  # before all time, or after it
        return (datetime.min if moment.year == MINYEAR else datetime.max).replace(tzinfo=UTC)


Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_must_be_storable)]
Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]


class Filter(BaseModel):
    """What all lists can be asked: how many items, and which page."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    limit: Annotated[int, Field(ge=1, le=MOST_ITEMS)] = USUAL_ITEMS
    cursor: str | None = None

    @classmethod
    def check(cls, games: Mapping[str, AnyRules], fields: Mapping[str, Any]) -> Self:
        """The filter, or InvalidQuery that names every wrong field."""
        given = {name: value for name, value in fields.items() if value is not None}
        faults: list[FieldFault] = []
        checked: Self | None = None
        try:
            checked = cls.model_validate(given)
        except ValidationError as error:
            faults += [fault_of(fault) for fault in error.errors()]
        faults += _unknown_kind(games, given) + _unknown_event(games, given)
        if checked is None or faults:
            raise InvalidQuery(faults)
        return checked

    @property
    def _asked(self) -> str:
        """A digest of the question itself: a cursor of another question leads nowhere."""
        text = self.model_dump_json(exclude={"limit", "cursor"})
        return hashlib.sha256(f"{type(self).__name__}{text}".encode()).hexdigest()[:16]

    def after(self, *key: int | float | str) -> str:
        """The cursor for what comes after this key."""
        return base64.urlsafe_b64encode(json.dumps([self._asked, *key]).encode()).decode().rstrip("=")

    def start(self, *types: type) -> list[Any] | None:
        """The key after which this page begins; None for the first page."""
        if self.cursor is None:
            return None
        try:
            padded = self.cursor + "=" * (-len(self.cursor) % 4)
            read: Any = json.loads(base64.b64decode(padded, altchars="-_", validate=True))
            asked, *key = cast("list[Any]", read)
        except (binascii.Error, UnicodeError, ValueError, TypeError):
            raise InvalidQuery([FieldFault("cursor", "this is not a cursor; take `next` of a page")]) from None
        if [type(part) for part in key] != list(types) or asked != self._asked:
            raise InvalidQuery([FieldFault("cursor", "this cursor belongs to another question")])
        return key


FilterT = TypeVar("FilterT", bound=Filter)


def _unknown_kind(games: Mapping[str, AnyRules], given: Mapping[str, Any]) -> list[FieldFault]:
    kind = given.get("kind")
    if not isinstance(kind, str) or kind in games:
        return []
    return [FieldFault("kind", f"there is no game {quoted(kind)}, expected one of {', '.join(sorted(games))}")]


def _unknown_event(games: Mapping[str, AnyRules], given: Mapping[str, Any]) -> list[FieldFault]:
    event = given.get("event")
    if not isinstance(event, str):
        return []
    known = {name.partition(".")[0] for name in LIFECYCLE_EVENTS}
    for kind, rules in games.items():
        if given.get("kind") in (None, kind):
            known |= {name.partition(".")[0] for name in (*rules.stored.events, *rules.stored.upcasts)}
    return [] if event in known else [FieldFault("event", f"there is no event {quoted(event)} in these games")]


class GamesFilter(Filter):
    """Which games: the newest first."""

    kind: Name | None = None
    phase: Phase | None = None
    player: Name | None = None
    turn_of: Name | None = None
    """Games in which this player has to act."""
    since: Moment | None = None
    """Opened at this time or later."""
    until: Moment | None = None
    """Opened before this time."""


class OpenGamesFilter(Filter):
    """Tables with a free seat; without those where somebody sits already."""

    kind: Name | None = None
    without: Name | None = None


class PlayedFilter(Filter):
    """One player's games, the newest first."""

    player: Name
    kind: Name | None = None
    phase: Phase | None = None


class RatingsFilter(Filter):
    kind: Name


class TimelineFilter(Filter):
    """Which events, the newest first unless asked otherwise."""

    game: UUID | None = None
    kind: Name | None = None
    event: Name | None = None
    """The event's name without kind and version, `card_played`."""
    player: Name | None = None
    """Whom the line is about."""
    by: Name | None = None
    """Who sent the command."""
    table_of: Name | None = None
    """Everything in games at which this player sits."""
    text: Name | None = None
    """Part of the line; small and capital letters are the same."""
    since: Moment | None = None
    until: Moment | None = None
    oldest_first: bool = False


class LettersFilter(Filter):
    projection: Name | None = None
    game: UUID | None = None


class PlayerAsked(Filter):
    name: Name


class TwoPlayersAsked(Filter):
    first: Name
    second: Name
    kind: Name | None = None


def must_be_an_id(field: str, value: object) -> UUID:
    """An id as it is, or as somebody wrote it."""
    try:
        return value if isinstance(value, UUID) else UUID(cast("str", value))
    except (AttributeError, TypeError, ValueError):
        raise InvalidQuery([FieldFault(field, f"expected the id of a game, not {quoted(value)}")]) from None
