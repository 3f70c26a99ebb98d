"""The codec: stored names, older shapes, and errors that name the record."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from msgspec import UNSET
from msgspec.structs import replace as replaced

from fairdeal.application.catalogue import KINDS
from fairdeal.application.errors import DamagedRecord, UnknownEvent, UnknownKind
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.record import MOST_REMEMBERED, Batch, LaterPayload, Payload, Record
from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kernel.lifecycle import (
    GameOpened,
    PlayerLeft,
    PlayerSeated,
    Spectators,
    TableClock,
    as_stored,
)
from fairdeal.domain.kernel.rules import AnyRules, NoOptions
from fairdeal.domain.kernel.upcast import Upcast
from fairdeal.domain.kings_corners.cards import Pile
from fairdeal.domain.kings_corners.events import CardPlayed
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.testing import changed, recorded
from fairdeal.testing.recorded import recorded_game

CODEC = Codec({"kings_corners": KINGS_CORNERS})
BATCH = Batch("2026-01-01T00:00:00.000000Z", "ann", "c1", {"move": "end_turn"}, 1, 2)


def stored(name: str, payload: str) -> Record:
    return Record(UUID(int=7), 3, name, payload.encode(), bytes(32))


def test_the_first_record_of_a_batch_says_where_it_came_from_and_the_others_hold_only_the_event() -> None:
    played = CardPlayed(0, Card.JD, Pile.N)
    (name, first), (_, second) = CODEC.write(KINGS_CORNERS, [played, played], BATCH)
    assert name == "kings_corners.card_played.v1"
    assert first == (
        b'{"event":{"seat":0,"card":"JD","pile":"N"},"at":"2026-01-01T00:00:00.000000Z","by":"ann","id":"c1",'
        b'"command":{"move":"end_turn"},"rules":1,"size":2}'
    )
    assert second == b'{"event":{"seat":0,"card":"JD","pile":"N"}}'
    assert CODEC.read(stored(name, first.decode())).batch == BATCH
    assert CODEC.read(stored(name, second.decode())).batch is None


def test_a_reason_that_speaks_of_sizes_is_not_a_batch() -> None:
    text = '{"event":{"seat":null,"reason":"\\"size\\":3"}}'
    assert CODEC.read(stored("kings_corners.game_abandoned.v1", text)).batch is None


@pytest.mark.parametrize("kind", KINDS)
def test_where_batches_begin_is_found_without_reading_where_they_came_from(kind: str) -> None:
    for record in recorded_game(KINDS[kind], most=60):
        assert recorded.CODEC.begins_batch(record) is (recorded.CODEC.batch(record) is not None)


@pytest.mark.parametrize(
    "payload",
    [
        '{"event":{"size":3}}',
        '{"event":{"reason":"\\"size\\":3"}}',
        '{"event":{},"size":null}',
        '{"event":{}',
        '"size":',
        '{"size":"3"}',
    ],
)
def test_what_only_speaks_of_sizes_begins_no_batch(payload: str) -> None:
    assert not CODEC.begins_batch(stored("kings_corners.game_abandoned.v1", payload))


def test_shared_events_hold_the_types_of_the_game() -> None:
    opened = GameOpened("ann", NoOptions(), "c" * 64, None, 1, 2, TableClock(60), True, Spectators.UNLISTED)
    events: list[Any] = [opened, PlayerSeated("ann", None, None)]
    for event, (name, payload) in zip(events, CODEC.write(KINGS_CORNERS, events, BATCH), strict=True):
        assert CODEC.read(stored(name, payload.decode())).event == event


def payloads(events: list[Any], batch: Batch) -> list[Payload | LaterPayload]:
    head = Payload(as_stored(events[0]), batch.at, batch.by, batch.id, batch.command, batch.rules, batch.size)
    return [head, *map(LaterPayload, events[1:])]


@pytest.mark.parametrize("kind", KINDS)
def test_records_are_compared_with_exactly_what_would_be_written(kind: str) -> None:
    records = recorded_game(KINDS[kind], most=60)
    events = recorded.CODEC.events(records)
    starts = [number for number, record in enumerate(records) if recorded.CODEC.batch(record)]
    said: list[Payload | LaterPayload] = []
    for start, end in zip(starts, [*starts[1:], len(records)], strict=True):
        batch = recorded.CODEC.batch(records[start])
        assert batch is not None
        said += payloads(events[start:end], batch)
        written = recorded.CODEC.write(KINDS[kind], events[start:end], batch)
        assert written == [(record.name, record.payload) for record in records[start:end]]
    compared = recorded.CODEC.is_written
    assert compared(KINDS[kind], said, records)
    assert not compared(KINDS[kind], said, records[:-1])
    assert not compared(KINDS[kind], said[:-1], records)
    for at, record in enumerate(records):
        others = (
            replaced(record, name=f"{record.name}1"),
            replaced(record, payload=record.payload + b" "),
            replaced(record, payload=record.payload.replace(b'{"event"', b'{\n"event"')),
            replaced(record, payload=b""),
        )
        for other in others:
            assert not compared(KINDS[kind], said, [*records[:at], other, *records[at + 1 :]])


def test_a_line_break_between_two_records_does_not_make_two_of_one() -> None:
    """Nor one of two: they are compared in one piece, line by line."""
    passed = [LaterPayload(PlayerLeft("ann")), LaterPayload(PlayerLeft("bob"))]
    ann, bob = b'{"event":{"player":"ann"}}', b'{"event":{"player":"bob"}}'
    name = "kings_corners.player_left.v1"
    good = [Record(UUID(int=7), 1, name, ann, b""), Record(UUID(int=7), 2, name, bob, b"")]
    assert CODEC.is_written(KINGS_CORNERS, passed, good)
    for one, other in (
        (ann + b"\n" + bob, b""),
        (b"", ann + b"\n" + bob),
        (ann + b"\n", bob),
        (ann[:-1], b"}\n" + bob),
    ):
        pair = [replaced(good[0], payload=one), replaced(good[1], payload=other)]
        assert not CODEC.is_written(KINGS_CORNERS, passed, pair)


@pytest.mark.parametrize("name", ["kings_corners.card_flown.v1", "kings_corners.card_played.v2"])
def test_an_unknown_or_newer_name_is_an_error_that_names_game_and_version(name: str) -> None:
    with pytest.raises(UnknownEvent, match=f"Record 3 of game {UUID(int=7)}"):
        CODEC.read(stored(name, '{"event":{}}'))


@pytest.mark.parametrize(
    "payload",
    [
        "", "{", "[]", '{"event":{}}', '{"event":{"seat":"0","card":"JD","pile":"N"}}',
        '{"event":{"seat":0,"card":"XX","pile":"N"}}', '{"event":{"seat":0,"card":"JD","pile":"N"},"size":"two"}',
    ],
)  # fmt: skip
def test_a_damaged_payload_is_an_error_that_names_game_and_version(payload: str) -> None:
    with pytest.raises(DamagedRecord) as damaged:
        CODEC.read(stored("kings_corners.card_played.v1", payload))
    assert (damaged.value.game_id, damaged.value.version) == (UUID(int=7), 3)


def test_an_unregistered_kind_is_named() -> None:
    with pytest.raises(UnknownKind, match="poker"):
        CODEC.rules_of(stored("poker.card_played.v1", "{}"))


@dataclass(frozen=True, slots=True)
class CardPlayedLater:
    """What CardPlayed might become: the pile is now called a place, and a remark has come in."""

    seat: int
    card: Card
    place: Pile
    remark: str


def newer_rules() -> AnyRules:
    """The same game some releases later: the event has changed twice, old logs are still there."""

    def rename(old: dict[str, Any]) -> dict[str, Any]:
        return {"seat": old["seat"], "card": old["card"], "place": old["pile"]}

    def remark(old: dict[str, Any]) -> dict[str, Any]:
        return {**old, "remark": "none"}

    events = {name: cls for name, cls in KINGS_CORNERS.stored.events.items() if cls is not CardPlayed}
    return changed(
        KINGS_CORNERS,
        events={**events, "card_played.v3": CardPlayedLater},
        upcasts={
            "card_played.v1": Upcast("card_played.v2", rename),
            "card_played.v2": Upcast("card_played.v3", remark),
        },
    )


def test_an_older_event_is_brought_up_to_its_newest_shape_step_by_step() -> None:
    codec = Codec({"kings_corners": newer_rules()})
    (old,) = CODEC.write(KINGS_CORNERS, [CardPlayed(1, Card.KS, Pile.NE)], replaced(BATCH, size=1))
    decoded = codec.read(stored(old[0], old[1].decode()))
    assert decoded.event == CardPlayedLater(1, Card.KS, Pile.NE, "none")
    assert decoded.batch is not None


@pytest.mark.parametrize("event", ['{"seat":0,"card":"XX","pile":"N"}', '{"seat":0}', "[]", "null"])
def test_an_upcast_that_gives_nonsense_is_a_damaged_record(event: str) -> None:
    codec = Codec({"kings_corners": newer_rules()})
    with pytest.raises(DamagedRecord):
        codec.read(stored("kings_corners.card_played.v1", f'{{"event":{event}}}'))


def test_changing_an_events_shape_without_an_upcast_makes_old_logs_unreadable() -> None:
    events = {**KINGS_CORNERS.stored.events, "card_played.v1": CardPlayedLater}
    codec = Codec({"kings_corners": changed(KINGS_CORNERS, events=events)})
    (old,) = CODEC.write(KINGS_CORNERS, [CardPlayed(1, Card.KS, Pile.NE)], replaced(BATCH, size=1))
    with pytest.raises(DamagedRecord):
        codec.read(stored(old[0], old[1].decode()))


def test_an_opening_by_the_first_house_rules_is_read_and_written_as_it_was_then() -> None:
    told: dict[str, Any] = {"opener": "ann", "options": {}, "commitment": "c" * 64, "seed": None, "chance": 1}
    record = stored("kings_corners.game_opened.v1", json.dumps({"event": told}, separators=(",", ":")))
    event = CODEC.read(record).event
    assert event == GameOpened("ann", NoOptions(), "c" * 64, None, 1, 1, None, True, Spectators.OPEN)
    assert CODEC.is_understood(record)
    assert CODEC.write(KINGS_CORNERS, [event], BATCH)[0][0] == "kings_corners.game_opened.v1"
    planted = stored("kings_corners.game_opened.v1", json.dumps({"event": {**told, "house": 2}}, separators=(",", ":")))
    with pytest.raises(DamagedRecord):
        CODEC.is_understood(planted)


MOVED = '{"event":{"seat":1,"card":"KS","pile":"NE"},"at":"%s","by":"ann","id":"c","command":%s,"rules":1,"size":%s}'


@pytest.mark.parametrize(("command", "is_move"), [('{"move":{"move":"play"}}', True), ('{"do":"leave"}', False)])
def test_what_read_models_are_told_of_a_command_is_what_its_batch_says(command: str, is_move: bool) -> None:
    record = stored("kings_corners.card_played.v1", MOVED % ("2026-01-01T00:00:00.000000Z", command, 2))
    payload, decoded = CODEC.public(record), CODEC.read(record)
    assert decoded.batch is not None
    assert payload.event == decoded.event
    assert (payload.at, payload.by, payload.size) == (decoded.batch.at, decoded.batch.by, decoded.batch.size)
    assert payload.command is not None
    assert (payload.command.move is not UNSET) is is_move is ("move" in decoded.batch.command)


def test_payloads_that_are_remembered_say_the_same_and_are_not_kept_for_ever() -> None:
    codec = Codec({"kings_corners": KINGS_CORNERS})
    remembered = codec._public["kings_corners.turn_passed.v1"]  # pyright: ignore[reportPrivateUsage]
    for _ in range(2):
        for seat in range(MOST_REMEMBERED + 5):
            record = stored("kings_corners.turn_passed.v1", f'{{"event":{{"to":{seat}}}}}')
            assert codec.public(record).event == codec.read(record).event
            assert 0 < len(remembered) <= MOST_REMEMBERED
    first = stored("kings_corners.card_played.v1", MOVED % ("2026-01-01T00:00:00.000000Z", '{"do":"leave"}', 2))
    codec.public(first)
    assert not codec._public[first.name]  # no other batch begins in the same way  # pyright: ignore[reportPrivateUsage]


def test_the_same_bytes_under_another_name_say_something_else() -> None:
    codec = Codec({"kings_corners": KINGS_CORNERS})
    payload = '{"event":{"player":"ann","brought":null,"seal":null}}'
    seated = codec.public(stored("kings_corners.player_seated.v1", payload)).event
    left = codec.public(stored("kings_corners.player_left.v1", payload)).event
    assert (type(seated), type(left)) == (PlayerSeated, PlayerLeft)
