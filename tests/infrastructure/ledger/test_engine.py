"""Nothing goes into a ledger or comes out of it but through the library's event store, with our mapper."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fairdeal import Fairdeal
from fairdeal.infrastructure.ledger.eventsourcing_ledger import EventSourcedLedger, RecordMapper

MOVE = {"move": "end_turn"}


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.xdist_group("postgres"))])
def fairdeal(request: pytest.FixtureRequest, tmp_path: Any) -> Iterator[Fairdeal]:
    match request.param:
        case "memory":
            address = "memory:"
        case "sqlite":
            address = f"sqlite:///{tmp_path / 'games.db'}"
        case _:
            address = str(request.getfixturevalue("postgres"))
    with Fairdeal(address, read_models="memory:") as fairdeal:
        yield fairdeal


def test_the_library_maps_every_record_that_is_stored_and_every_record_that_is_read(
    fairdeal: Fairdeal, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: Counter[str] = Counter()
    ledger = fairdeal.ledger
    assert isinstance(ledger, EventSourcedLedger)
    for owner, name in (
        (ledger.engine.events, "put"),
        (ledger.engine.events, "get"),
        (ledger.engine.mapper, "to_stored_event"),
        (ledger.engine.mapper, "to_domain_event"),
        (ledger.engine.recorder, "select_notifications"),
    ):
        monkeypatch.setattr(owner, name, counted(calls, name, getattr(owner, name)))
    game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
    version = fairdeal.move(game, "ann", MOVE).version
    assert calls["put"] == 2
    assert calls["to_stored_event"] == version
    read = calls["to_domain_event"]
    assert len(ledger.records(game)) == version
    assert calls["to_domain_event"] == read + version
    gets = calls["get"]
    assert fairdeal.audit(game).good
    assert calls["get"] > gets
    read = calls["to_domain_event"]
    assert len(ledger.since(0, 100)) == version
    assert (calls["select_notifications"], calls["to_domain_event"]) == (1, read + version)


def counted(calls: Counter[str], name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def count(*given: Any, **named: Any) -> Any:
        calls[name] += 1
        return call(*given, **named)

    return count


class Unmapped(Exception):
    """The mapper was asked."""


def refuse(*_: object) -> object:
    raise Unmapped


def test_nothing_is_played_without_the_mapper(fairdeal: Fairdeal, monkeypatch: pytest.MonkeyPatch) -> None:
    game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
    monkeypatch.setattr(RecordMapper, "to_stored_event", refuse)
    with pytest.raises(Unmapped):
        fairdeal.move(game, "ann", MOVE)


def test_nothing_is_read_without_the_mapper(fairdeal: Fairdeal, monkeypatch: pytest.MonkeyPatch) -> None:
    game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
    monkeypatch.setattr(RecordMapper, "to_domain_event", refuse)
    questions: list[Callable[[], object]] = [
        lambda: fairdeal.replay(game),
        lambda: fairdeal.audit(game),
        lambda: fairdeal.exports.export(game),
        fairdeal.checkpoints.make,
        fairdeal.read.games,
    ]
    for question in questions:
        with pytest.raises(Unmapped):
            question()
