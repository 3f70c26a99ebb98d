"""Moves that a server makes in its event loop: only where that waits for no database but to store them."""

import asyncio
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from starlette.testclient import TestClient

from fairdeal import Fairdeal, service
from fairdeal.application.commands import handlers
from fairdeal.http import create_app
from fairdeal.infrastructure.readmodels.database import Database
from kits.http import Person, person, started_game, whose_turn


@pytest.fixture(autouse=True)
def any_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the disk is on which the tests run."""
    monkeypatch.setattr(handlers, "LONGEST_SECONDS", 60)
    monkeypatch.setattr(handlers, "QUICK_SECONDS", 60)
    monkeypatch.setattr(service, "MOMENT_SECONDS", 60)


@pytest.fixture
def asked_in_the_loop(fairdeal: Fairdeal) -> Iterator[list[str]]:
    """What a database was asked in an event loop, which must not wait."""
    found: list[str] = []

    def noted(name: str, call: Any) -> Any:
        def ask(*given: Any, **named: Any) -> Any:
            try:
                asyncio.get_running_loop()
                found.append(name)
            except RuntimeError:
                pass
            return call(*given, **named)

        return ask

    ledger = fairdeal.ledger
    with (
        mock.patch.object(Database, "reading", noted("reading", Database.reading)),
        mock.patch.object(ledger, "records", noted("records", ledger.records)),
        mock.patch.object(ledger, "append", noted("append", ledger.append)),
        mock.patch.object(ledger, "append_all", noted("append_all", ledger.append_all)),
    ):
        yield found


def test_moves_are_stored_in_the_loop_and_nothing_else_is_asked_there(
    fairdeal: Fairdeal, ann: Person, bob: Person, asked_in_the_loop: list[str]
) -> None:
    game = started_game(ann, bob, kind="kings_corners")
    for _ in range(10):
        mover = whose_turn(game, ann, bob)
        made = mover.post(f"/games/{game}/moves", {"move": "end_turn"})
        assert made.status_code == 200
        assert made.json()["receipt"] == mover.look(game)["receipt"]
        refused = mover.post(f"/games/{game}/moves", {"move": "end_turn"})
        assert refused.json()["code"] == "not_your_turn"
    again = [ann.command(game, "make_move", move={"move": "end_turn"}, player="bob") for _ in range(2)]
    assert {one.status_code for one in again} == {422}
    assert set(asked_in_the_loop) == {"append_all"}
    assert len(asked_in_the_loop) > 5
    assert fairdeal.audit(game).good


def test_the_same_key_is_answered_again(ann: Person, bob: Person, asked_in_the_loop: list[str]) -> None:
    game = started_game(ann, bob, kind="kings_corners")
    mover = whose_turn(game, ann, bob)
    first, second, third = (
        mover.post(f"/games/{game}/moves", {"move": "end_turn"}, Idempotency_Key="once") for _ in range(3)
    )
    assert first.status_code == 200
    assert first.json() == second.json() == third.json()
    assert set(asked_in_the_loop) <= {"append_all"}


def test_a_table_that_is_not_open_to_everybody_is_left_to_threads(
    ann: Person, bob: Person, asked_in_the_loop: list[str]
) -> None:
    game = started_game(ann, bob, kind="kings_corners", spectators="unlisted")
    for _ in range(4):
        assert whose_turn(game, ann, bob).post(f"/games/{game}/moves", {"move": "end_turn"}).status_code == 200
    assert not asked_in_the_loop


def test_an_app_that_shares_its_loop_stores_in_threads(fairdeal: Fairdeal, asked_in_the_loop: list[str]) -> None:
    with TestClient(create_app(fairdeal), client=("127.0.0.1", 1)) as shared:
        ann, bob = person(shared, "Ann"), person(shared, "Bob")
        game = started_game(ann, bob, kind="kings_corners")
        for _ in range(4):
            assert whose_turn(game, ann, bob).post(f"/games/{game}/moves", {"move": "end_turn"}).status_code == 200
    assert not asked_in_the_loop
