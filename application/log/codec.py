"""Events to stored payloads and back: JSON by stored names, never by class paths."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from fairdeal.application.errors import DamagedRecord, UnknownEvent, UnknownKind
from fairdeal.application.log.canonical import is_same_but_for_new_keys
from fairdeal.application.log.record import (
    Batch,
    BatchSize,
    DecodedRecord,
    LaterPayload,
    Payload,
    PublicPayload,
    RawBatch,
    Record,
    RememberedPayloads,
    is_moment,
    moment_of,
)
from fairdeal.domain.kernel.chance import SEED_SIZE
from fairdeal.domain.kernel.lifecycle import (
    LIFECYCLE_EVENTS,
    LIFECYCLE_UPCASTS,
    OLDER_EVENTS,
    FirstGameOpened,
    GameOpened,
    PlayerSeated,
    as_stored,
)
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.domain.kernel.upcast import Upcast

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding bytes that nobody wrote so may raise."""


class Codec:
    """Events of all registered kinds to bytes and back, by stored names."""

    def __init__(self, games: Mapping[str, AnyRules]) -> None:
        self._games = games
        self._encoder = msgspec.json.Encoder()
        self._whole = msgspec.json.Decoder(Payload)
        self._batches = msgspec.json.Decoder(Batch)
        self._sizes = msgspec.json.Decoder(BatchSize)
        self._names: dict[str, dict[type, str]] = {}
        self._readers: dict[str, msgspec.json.Decoder[Any]] = {}
        self._payloads: dict[str, msgspec.json.Decoder[Any]] = {}
        self._public: dict[str, RememberedPayloads] = {}
        self._any_public = msgspec.json.Decoder(PublicPayload)
        self._classes: dict[str, Any] = {}
        self._upcasts: dict[str, Upcast] = {}
        for rules in games.values():
            self._register(rules)

    def _register(self, rules: AnyRules) -> None:
        names: dict[type, str] = {}
        for short, cls in {**LIFECYCLE_EVENTS, **rules.stored.events}.items():
            name = f"{rules.kind}.{short}"
            names[cls] = name
            self._classes[name] = _filled_in(cls, rules)
            self._readers[name] = msgspec.json.Decoder(_event_only(name, self._classes[name]))
            self._payloads[name] = msgspec.json.Decoder(_whole(name, self._classes[name], Payload))
            self._public[name] = RememberedPayloads(
                msgspec.json.Decoder(_whole(name, self._classes[name], PublicPayload))
            )
        for short, cls in OLDER_EVENTS.items():
            names[cls] = f"{rules.kind}.{short}"  # tables that are kept by older house rules still store these
        self._names[rules.kind] = names
        for short, upcast in {**LIFECYCLE_UPCASTS, **rules.stored.upcasts}.items():
            self._upcasts[f"{rules.kind}.{short}"] = Upcast(f"{rules.kind}.{upcast.name}", upcast.change)

    @property
    def known_names(self) -> frozenset[str]:
        """The stored names of all events that can be read, those of older shapes as well."""
        return frozenset(self._readers) | frozenset(self._upcasts)

    def write(self, rules: AnyRules, events: Sequence[Any], batch: Batch | RawBatch) -> list[tuple[str, bytes]]:
        """The stored name and payload of each event of one command."""
        names = self._names[rules.kind]
        encode = self._encoder.encode
        head = as_stored(events[0])
        command: Any = batch.command
        first = Payload(head, batch.at, batch.by, batch.id, command, batch.rules, batch.size)
        written = [(names[type(head)], encode(first))]
        for event in events[1:]:
            written.append((names[type(event)], b'{"event":%b}' % encode(event)))
        return written

    def is_written(
        self, rules: AnyRules, payloads: Sequence[Payload | LaterPayload], records: Sequence[Record]
    ) -> bool:
        """Whether the records are, byte for byte, what `write` would make of this. It is written in one piece: there is
        no line break in JSON as we write it, so that each line is a payload."""
        names = self._names[rules.kind]
        return [names[type(payload.event)] for payload in payloads] == [record.name for record in records] and (
            self._encoder.encode_lines(payloads) == b"\n".join([*[record.payload for record in records], b""])
        )

    def read(self, record: Record) -> DecodedRecord:
        """The event of a record, brought up to its newest shape."""
        try:
            whole = self._payloads[record.name].decode(record.payload)
            event = whole.event
            if whole.size is None:  # it begins no batch, as most
                return DecodedRecord(event, None)
        except (KeyError, *UNREADABLE):
            event = self._read_slowly(record)
            whole = self._decode(self._whole, record)
        return DecodedRecord(event, _batch_of(whole, record))

    def is_understood(self, record: Record) -> bool:
        """Whether the event says nothing that this program does not know; what it does not say has a default."""
        fields, name = self._decode(self._whole, record).event, record.name
        event = self.read(record).event
        while name in self._upcasts and name not in self._classes:
            name, fields = self._upcasts[name].name, self._upcasts[name].change(fields)
        return is_same_but_for_new_keys(fields, msgspec.to_builtins(event))

    def batch(self, record: Record) -> Batch | None:
        """Only where a record came from, if it is the first one of a batch; its event is not looked at."""
        # Only the first record of a batch says how many there are; an event may speak of sizes, too.
        if b'"size":' not in record.payload:
            return None
        try:
            batch = self._batches.decode(record.payload)
        except UNREADABLE:
            return _batch_of(self._decode(self._whole, record), record)
        return batch if batch.size > 0 and batch.rules > 0 and is_moment(batch.at) else _batch_of(batch, record)

    def begins_batch(self, record: Record) -> bool:
        """Whether a record begins a batch, if it is as it should be otherwise: that is for others to find out."""
        try:
            return b'"size":' in record.payload and self._sizes.decode(record.payload).size is not None
        except UNREADABLE:
            return False

    def events(self, records: Sequence[Record]) -> list[Any]:
        """Only the events, as fast as can be."""
        readers = self._readers
        try:
            return [readers[record.name].decode(record.payload).event for record in records]
        except (KeyError, *UNREADABLE):
            return [self._read_slowly(record) for record in records]

    def public(self, record: Record) -> PublicPayload:
        """The event of a record, and what everybody may know of the command that it begins."""
        try:
            return self._public[record.name][record.payload]
        except (KeyError, *UNREADABLE):
            event, whole = self._read_slowly(record), self._decode(self._any_public, record)
            return PublicPayload(event, whole.at, whole.by, whole.id, whole.command, whole.rules, whole.size)

    def seed_of(self, record: Record) -> bytes:
        """The seed in the first record of a game, found without believing anything else that it says."""
        event = self._decode(self._whole, record).event
        try:
            seed = bytes.fromhex(event["seed"])
        except (KeyError, TypeError, ValueError):
            raise DamagedRecord(record.game_id, record.version, "the game does not begin with its opening") from None
        if len(seed) != SEED_SIZE:
            raise DamagedRecord(record.game_id, record.version, f"a seed has {SEED_SIZE} bytes")
        return seed

    def rules_of(self, record: Record) -> AnyRules:
        """The rules of the kind of game that the record's name begins with."""
        kind = record.name.partition(".")[0]
        if kind not in self._games:
            raise UnknownKind(f"Game {record.game_id} is a {kind!r}, which is not registered here.")
        return self._games[kind]

    def name_of(self, rules: AnyRules, event: Any) -> str:
        return self._names[rules.kind][type(as_stored(event))]

    def _read_slowly(self, record: Record) -> Any:
        """Older shapes step by step up to the newest, and an error that names the record."""
        if record.name in self._readers:
            return self._decode(self._readers[record.name], record).event
        if record.name not in self._upcasts:
            raise UnknownEvent(record.game_id, record.version, record.name)
        name = record.name
        fields = self._decode(self._whole, record).event
        try:
            while name in self._upcasts:
                upcast = self._upcasts[name]
                name, fields = upcast.name, upcast.change(fields)
            return msgspec.convert(fields, self._classes[name])
        except Exception as error:  # what an upcast makes of a damaged event is anybody's guess
            raise _unreadable(record, error) from None

    def _decode(self, decoder: msgspec.json.Decoder[Any], record: Record) -> Any:
        try:
            return decoder.decode(record.payload)
        except UNREADABLE as error:
            raise _unreadable(record, error) from None


def _unreadable(record: Record, error: Exception) -> DamagedRecord:
    """Where it cannot be read, but not what stands there: that may be a card that nobody should see."""
    where = str(error).partition(" - at ")[2]
    return DamagedRecord(record.game_id, record.version, f"it cannot be read{where and f' at {where}'}")


def _batch_of(stored: Any, record: Record) -> Batch | None:
    if stored.size is None:
        return None
    came_at(stored, record)
    return Batch(stored.at, stored.by, stored.id, stored.command, stored.rules, stored.size)


def came_at(stored: Any, record: Record) -> datetime:
    """When the command came whose batch begins with this record, which must say all about that."""
    if None in (stored.at, stored.by, stored.id, stored.command, stored.rules) or min(stored.size, stored.rules) < 1:
        raise DamagedRecord(record.game_id, record.version, "it does not say where it came from")
    when = moment_of(stored.at)
    if when is None:
        raise DamagedRecord(record.game_id, record.version, f"{stored.at!r} is not a time")
    return when


def _event_only(name: str, cls: Any) -> Any:
    """Replaying needs the event alone; the decoder passes over the rest without building it."""
    return msgspec.defstruct(name.replace(".", "_"), [("event", cls)], gc=False)


def _whole(name: str, cls: Any, base: type[msgspec.Struct]) -> Any:
    """A payload with the event already in its own class."""
    return msgspec.defstruct(f"{name.replace('.', '_')}_{base.__name__.lower()}", [("event", cls)], bases=(base,))


def stored_classes(rules: AnyRules) -> dict[str, Any]:
    """Every stored name of a kind of game, with the class of its event."""
    named = {**LIFECYCLE_EVENTS, **OLDER_EVENTS, **rules.stored.events}
    return {f"{rules.kind}.{short}": _filled_in(cls, rules) for short, cls in named.items()}


def _filled_in(cls: Any, rules: AnyRules) -> Any:
    """Shared events that hold something of the game's own, with that type filled in."""
    if cls is GameOpened:
        return GameOpened[rules.setup.options]  # type: ignore[name-defined]
    if cls is FirstGameOpened:
        return FirstGameOpened[rules.setup.options]  # type: ignore[name-defined]
    if cls is PlayerSeated:
        return PlayerSeated[rules.setup.brings or type(None)]  # type: ignore[misc]
    return cls
