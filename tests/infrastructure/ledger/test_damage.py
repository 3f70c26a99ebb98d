"""Records that were changed, dropped or written by somebody else are noticed when a game is loaded."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from uuid import UUID, uuid4

import msgspec
import pytest

from fairdeal import Fairdeal, LedgerError, MakeMove
from fairdeal.application.catalogue import KINDS
from fairdeal.application.commands.game_cache import CachedGame
from fairdeal.application.errors import DamagedRecord, LedgerRolledBack, UnknownEvent
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.links import link_batch
from fairdeal.application.log.record import Record
from fairdeal.application.ports import Ledger
from fairdeal.infrastructure.ledger.memory import memory_ledger
from kits.ledger import plant
from kits.players import Player, some_game

CODEC = Codec(KINDS)
EVERY_GAME = pytest.mark.parametrize("kind", sorted(KINDS))


def keep_quiet(what: str, thing: object) -> None: ...


def short_log(kind: str, moves: int = 4) -> Sequence[Record]:
    """The first records of a game."""
    with Fairdeal("memory:") as fairdeal:
        game = fairdeal.handle(some_game(Random(1), kind)).game_id
        Player(fairdeal, keep_quiet, Random(2), [game]).play(moves)
        return fairdeal.ledger.records(game)


def load(records: Sequence[Record], game_id: UUID | None = None) -> None:
    """Loads a game from a ledger that holds nothing but these records."""
    ledger: Ledger = memory_ledger()
    plant(ledger, records)
    warm = CachedGame(game_id or records[0].game_id, ledger, CODEC)
    assert warm.catch_up()


def damage_found(records: Sequence[Record], game_id: UUID | None = None) -> int:
    """The version of the record that is called damaged."""
    with pytest.raises(DamagedRecord) as found:
        load(records, game_id)
    return found.value.version


def with_one(records: Sequence[Record], at: int, **changes: object) -> list[Record]:
    return [*records[:at], msgspec.structs.replace(records[at], **changes), *records[at + 1 :]]


def flips(data: bytes) -> list[bytes]:
    """The data with each of its bytes changed in turn."""
    return [data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :] for at in range(len(data))]


@EVERY_GAME
def test_changing_any_byte_of_any_record_is_noticed_at_that_record(kind: str) -> None:
    records = short_log(kind)
    load(records)
    for at, record in enumerate(records):
        changed = [with_one(records, at, payload=payload) for payload in flips(record.payload)[:: 1 if at else 3]]
        changed += [with_one(records, at, link=link) for link in flips(record.link)]
        changed += [with_one(records, at, name=name.decode("latin-1")) for name in flips(record.name.encode())]
        assert {damage_found(log) for log in changed} == {record.version}


@EVERY_GAME
def test_dropped_doubled_moved_and_swapped_records_are_noticed(kind: str) -> None:
    records = short_log(kind)
    other = uuid4()
    for at in range(len(records) - 1):
        assert damage_found([*records[:at], *records[at + 1 :]]) == at + 1
        payload, name = records[at + 1].payload, records[at + 1].name
        assert damage_found(with_one(with_one(records, at, payload=payload), at, name=name)) == at + 1
    # The last one too, if it calls itself something else.
    last = len(records) - 1
    assert damage_found(with_one(records, last, version=last + 2)) == last + 1
    assert damage_found(with_one(records, last, game_id=other), other) == 1


@EVERY_GAME
def test_half_a_batch_is_noticed_and_a_whole_one_fewer_is_not(kind: str) -> None:
    records = short_log(kind, 12)
    ends = {0}
    for record in records:
        batch = CODEC.read(record).batch
        if batch is not None:
            ends.add(record.version + batch.size - 1)
    assert len(records) in ends
    for end in range(1, len(records)):
        if end in ends:
            load(records[:end])  # only a receipt or a checkpoint shows that something followed
        else:
            assert damage_found(records[:end]) == end


def test_a_batch_that_begins_inside_another_one_is_noticed() -> None:
    records = short_log("kings_corners")
    seed = CODEC.seed_of(records[0])
    batch = CODEC.read(records[0]).batch
    assert batch is not None
    written = [(record.name, record.payload) for record in records[: batch.size - 1]]
    inside = next((record.name, record.payload) for record in records[batch.size :])
    forged = link_batch(seed, bytes(32), records[0].game_id, 0, [*written, inside])
    assert damage_found(forged) == batch.size


def test_an_event_that_the_game_cannot_follow_is_called_damaged_although_its_link_fits() -> None:
    records = short_log("kings_corners", 0)
    seed = CODEC.seed_of(records[0])
    twice = [(record.name, record.payload) for record in records]
    batch = CODEC.read(records[0]).batch
    assert batch is not None
    event = b'{"event":{"seat":7,"card":"KS","pile":"N"},"at":"2030-01-01T00:00:00.000000Z","by":"a","id":"x",'
    nonsense = ("kings_corners.card_played.v1", event + b'"command":{},"rules":1,"size":1}')
    forged = link_batch(seed, bytes(32), records[0].game_id, 0, [*twice, nonsense])
    assert damage_found(forged) == len(records) + 1


@pytest.mark.parametrize("name", ["kings_corners.card_eaten.v1", "kings_corners.card_played.v9", "snap.card_played.v1"])
def test_an_event_that_a_newer_program_wrote_is_named_and_other_games_go_on(fairdeal: Fairdeal, name: str) -> None:
    game, other = (fairdeal.start_game("kings_corners", ["a", "b"]).game_id for _ in range(2))
    records = fairdeal.ledger.records(game)
    payload = b'{"event":{},"at":"2030-01-01T00:00:00.000000Z","by":"a","id":"x","command":{},"rules":9,"size":1}'
    seed = CODEC.seed_of(records[0])
    unknown = link_batch(seed, records[-1].link, game, len(records), [(name, payload)])
    fairdeal.ledger.append(unknown, continues=(len(records), records[-1].link))
    for attempt in attempts_at(fairdeal, game):
        with pytest.raises(UnknownEvent, match=name) as found:
            attempt()
        assert (found.value.game_id, found.value.version) == (game, len(records) + 1)
    fairdeal.move(other, "a", {"move": "end_turn"})


def attempts_at(fairdeal: Fairdeal, game: UUID) -> list[Callable[[], object]]:
    return [
        lambda: fairdeal.look(game, "a"),
        lambda: fairdeal.story(game),
        lambda: fairdeal.move(game, "b", {"move": "end_turn"}),
    ]


CHANGES = {
    "payload": "UPDATE stored_events SET state = CAST(substr(state, 1, 32) || X'7B7D' AS BLOB)",
    "link": "UPDATE stored_events SET state = CAST(X'00' || substr(state, 2) AS BLOB)",
    "no bytes": "UPDATE stored_events SET state = X''",
    "text for bytes": "UPDATE stored_events SET state = 'nothing but text, and long enough for a link and more'",
    "a number for bytes": "UPDATE stored_events SET state = 12",
    "name": "UPDATE stored_events SET topic = 'kings_corners.card_drawn.v1'",
    "a name that is not a text": "UPDATE stored_events SET topic = CAST(X'FF00FE' AS TEXT)",
    "a number for a name": "UPDATE stored_events SET topic = 7",
    "a version that is not a number": "UPDATE stored_events SET originator_version = 'seven'",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_record_changed_in_the_file_stops_its_game_and_no_other(tmp_path: Path, change: str) -> None:
    path = tmp_path / "games.db"
    with Fairdeal(f"sqlite:///{path}") as fairdeal:
        game, other = (fairdeal.start_game("kings_corners", ["a", "b"]).game_id for _ in range(2))
        version = fairdeal.move(game, "a", {"move": "end_turn"}).version
    with closing(sqlite3.connect(path)) as connection, connection:
        where = " WHERE originator_id = ? AND originator_version = ?"
        connection.execute(CHANGES[change] + where, (game.hex, version))
    with Fairdeal(f"sqlite:///{path}") as fairdeal:
        head = fairdeal.ledger.head()
        for attempt in attempts_at(fairdeal, game):
            with pytest.raises(DamagedRecord) as found:
                attempt()
            assert found.value.code == "damaged_record"
            assert found.value.game_id == game
            assert found.value.version in (version, version - 1)
        assert fairdeal.ledger.head() == head
        fairdeal.move(other, "a", {"move": "end_turn"})
        assert not fairdeal.audit(game).good
        assert fairdeal.audit(other).good


def test_a_record_that_belongs_to_no_game_is_reported_to_those_who_read_everything(tmp_path: Path) -> None:
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as fairdeal:
        fairdeal.start_game("kings_corners", ["a", "b"])
        with closing(sqlite3.connect(tmp_path / "games.db")) as connection, connection:
            connection.execute("UPDATE stored_events SET originator_id = 'nobody' WHERE rowid = 3")
        with pytest.raises(LedgerError, match="is not a game id"):
            fairdeal.ledger.since(0, 10)
        assert len(fairdeal.ledger.since(3, 10)) == 2


def test_damage_under_a_cached_game_is_noticed_when_it_looks_again(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with Fairdeal(address) as warm, Fairdeal(address) as other:
        game = warm.start_game("kings_corners", ["a", "b"]).game_id
        version = other.move(game, "a", {"move": "end_turn"}).version
        with closing(sqlite3.connect(tmp_path / "games.db")) as connection, connection:
            connection.execute("DELETE FROM stored_events WHERE originator_version = ?", (version,))
        before = warm.ledger.head()
        with pytest.raises(DamagedRecord, match="the rest of its batch is missing"):
            warm.look(game)
        with pytest.raises(LedgerError):
            warm.handle(MakeMove(game_id=game, player="b", move={"move": "end_turn"}))
        assert warm.ledger.head() == before


def test_a_head_that_is_not_a_number_any_more_is_not_the_head_that_was_cached(tmp_path: Path) -> None:
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as warm:
        game = warm.start_game("kings_corners", ["a", "b"]).game_id
        version = warm.move(game, "a", {"move": "end_turn"}).version
        with closing(sqlite3.connect(tmp_path / "games.db")) as connection, connection:
            connection.execute(
                "UPDATE stored_events SET originator_version = 'x' WHERE originator_version = ?", (version,)
            )
        with pytest.raises(LedgerRolledBack):
            warm.look(game)
        with pytest.raises(DamagedRecord):
            warm.look(game)
