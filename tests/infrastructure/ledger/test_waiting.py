"""Somebody else holds the database: readers do not notice, and a command waits as long as was said, not longer."""

import asyncio
import sqlite3
import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from time import monotonic
from uuid import UUID

import pytest

from fairdeal import AsyncFairdeal, Fairdeal
from fairdeal.application.errors import LedgerUnavailable
from fairdeal.infrastructure.ledger.postgres.server import EVENTS_TABLE
from kits.waiting import until

PATIENCE = 1.5
MOVE = {"move": "end_turn"}


@contextmanager
def held(address: str) -> Generator[None]:
    """Nobody can write meanwhile, everybody can read."""
    if address.startswith("sqlite:"):
        with closing(sqlite3.connect(address.removeprefix("sqlite:///"), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")
        return
    import psycopg

    with psycopg.connect(address) as other:
        other.execute(f"LOCK TABLE {EVENTS_TABLE} IN SHARE MODE".encode())
        yield
        other.rollback()


def a_game(fairdeal: Fairdeal) -> UUID:
    return fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id


def test_all_that_read_answer_while_three_moves_wait(address: str) -> None:
    with Fairdeal(address, patience=30) as fairdeal, Fairdeal(address) as elsewhere, ThreadPoolExecutor(3) as pool:
        game = a_game(fairdeal)
        player = fairdeal.look(game).players[fairdeal.look(game).active[0]]
        with held(address):
            moves = [pool.submit(fairdeal.move, game, player, MOVE, command_id=name) for name in ("a", "b", "c")]
            until_waiting(fairdeal, game)
            version = fairdeal.look(game, "ann").version
            assert fairdeal.story(game, "ann")
            assert fairdeal.events(game, "bob").version == version
            assert fairdeal.replay(game).head == version
            assert not any(move.done() for move in moves)
        done = [move for move in moves if move.exception(60) is None]
        # It is somebody else's turn after the first of them.
        assert len(done) == 1
        assert fairdeal.look(game) == elsewhere.look(game)
        assert fairdeal.audit(game).good


def test_who_reads_while_a_move_waits_sees_what_others_store(tmp_path_factory: pytest.TempPathFactory) -> None:
    address = f"sqlite:///{tmp_path_factory.mktemp('ledger') / 'games.db'}"
    with Fairdeal(address) as fairdeal, Fairdeal(address) as elsewhere:
        game = a_game(fairdeal)
        player = fairdeal.look(game).players[fairdeal.look(game).active[0]]
        cached = fairdeal._parts.handlers._cache.place(game)  # pyright: ignore[reportPrivateUsage] — as one who waits does
        here = threading.Lock()
        with here:
            assert cached.semaphore.try_acquire(here)
            answer = elsewhere.move(game, player, MOVE)
            assert fairdeal.look(game).receipt == answer.receipt
            assert fairdeal.look(game) == elsewhere.look(game)


def test_the_waits_of_three_moves_do_not_add_up(address: str) -> None:
    with Fairdeal(address, patience=PATIENCE) as fairdeal, ThreadPoolExecutor(4) as pool:
        game, another = a_game(fairdeal), a_game(fairdeal)
        player = fairdeal.look(game).players[fairdeal.look(game).active[0]]
        with held(address):
            began = monotonic()
            moves = [pool.submit(fairdeal.move, game, player, MOVE) for _ in range(3)]
            moves.append(pool.submit(fairdeal.move, another, "ann", MOVE))
            errors = [move.exception(60) for move in moves]
            waited = monotonic() - began
        # They used to fail after one, two, three and four times their patience.
        assert [type(error) for error in errors] == [LedgerUnavailable] * 4
        assert waited < 2 * PATIENCE
        fairdeal.move(game, player, MOVE)


def test_one_command_may_have_less_patience_than_the_others(address: str) -> None:
    with Fairdeal(address) as fairdeal:
        game = a_game(fairdeal)
        player = fairdeal.look(game).players[fairdeal.look(game).active[0]]
        move = {"command": "make_move", "game_id": game, "player": player, "move": MOVE}
        with held(address), pytest.raises(LedgerUnavailable):
            fairdeal.handle(move, patience=0.05)
        fairdeal.handle(move, patience=5)


def test_those_who_await_a_look_do_not_wait_for_commands_that_use_up_all_their_threads(address: str) -> None:
    async def scene() -> None:
        with Fairdeal(address, patience=PATIENCE) as fairdeal:
            game = a_game(fairdeal)
            async with AsyncFairdeal(fairdeal, threads=1) as games:
                with held(address):
                    began = monotonic()
                    moves = [asyncio.ensure_future(games.move(game, "ann", MOVE)) for _ in range(3)]
                    await asyncio.sleep(0.1)
                    assert (await games.look(game)).game_id == game
                    assert not any(move.done() for move in moves)
                    errors = await asyncio.gather(*moves, return_exceptions=True)
                    assert monotonic() - began < 2 * PATIENCE
                # Those that waited for a thread have waited enough.
                assert LedgerUnavailable in {type(error) for error in errors}

    asyncio.run(scene())


def until_waiting(fairdeal: Fairdeal, game: UUID) -> None:
    """Until somebody has the turn in a game."""
    semaphore = fairdeal._parts.handlers._cache.place(game).semaphore  # pyright: ignore[reportPrivateUsage] — nothing else shows it
    until(lambda: semaphore._taken, every=0)  # pyright: ignore[reportPrivateUsage]
