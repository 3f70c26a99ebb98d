"""What a service can see of itself: one record per command, a hook for metrics, health, connections; never a secret."""

import hashlib
import logging
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any
from uuid import UUID

import psycopg
import pytest

from fairdeal import Fairdeal, IllegalMove, JoinGame, OpenGame, QuickStart, RevealEntropy, StartGame
from fairdeal.application.catalogue import KINDS
from fairdeal.application.commands.observing import CommandObserved
from fairdeal.bots import BotRunner
from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.infrastructure.ledger.postgres.recorder import MOST_READERS
from fairdeal.infrastructure.readmodels.database import POSTGRES_CONNECTIONS

END = {"move": "end_turn"}


@pytest.fixture
def observed() -> list[CommandObserved]:
    return []


@pytest.fixture
def fairdeal(tmp_path: Path, observed: list[CommandObserved]) -> Iterator[Fairdeal]:
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}", observe=observed.append) as opened:
        yield opened


def test_the_hook_hears_of_every_command_how_it_went(fairdeal: Fairdeal, observed: list[CommandObserved]) -> None:
    game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
    fairdeal.move(game, "ann", END)
    for bad in ({"command": "make_move", "game_id": game, "player": "ann", "move": END}, {"command": "dance"}):
        with pytest.raises(FairdealError):
            fairdeal.handle(bad)
    with pytest.raises(FairdealError):
        fairdeal.move(UUID(int=7), "ann", END)
    told = [(one.command, one.kind, one.code, one.by) for one in observed]
    assert told == [
        ("quick_start", "kings_corners", "done", "player"),
        ("make_move", "kings_corners", "done", "player"),
        ("make_move", "kings_corners", "not_your_turn", "player"),
        ("unknown", None, "invalid_command", "player"),
        ("make_move", None, "unknown_game", "player"),
    ]
    assert [(one.before, one.version) for one in observed[:2]] == [(0, 5), (5, 7)]
    assert observed[2].version is None
    assert all(one.milliseconds >= 0 for one in observed)


def test_a_hook_that_fails_changes_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: CommandObserved) -> None:
        raise RuntimeError

    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}", observe=fail) as fairdeal:
        assert fairdeal.start_game("red7", ["ann", "bob"]).version > 1
    assert "a hook for metrics failed" in caplog.text


def test_the_log_has_one_record_for_each_command(fairdeal: Fairdeal, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="fairdeal"):
        game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
        with pytest.raises(IllegalMove):
            fairdeal.move(game, "bob", END)
    records = [record for record in caplog.records if record.name == "fairdeal.commands"]
    assert len(records) == 2
    assert re.fullmatch(r"kings_corners quick_start done 0 -> 5 [0-9.]+ ms", records[0].getMessage())
    told: Any = vars(records[1])["fairdeal"]
    assert (told["kind"], told["command"], told["code"]) == ("kings_corners", "make_move", "not_your_turn")
    assert told["game"] == str(game)


def everything(records: list[logging.LogRecord]) -> str:
    """All that any handler could write of these records."""
    return "\n".join(f"{record.getMessage()} {vars(record)} {record.exc_text}" for record in records)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_whole_games_leave_no_card_seed_entropy_or_name_in_the_logs(
    fairdeal: Fairdeal, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    entropies = {"ann-the-brave": b"ann's own entropy!", "bob-the-builder": b"bob's own entropy!"}
    with caplog.at_level(logging.DEBUG):
        game = fairdeal.handle(OpenGame(player="ann-the-brave", kind=kind)).game_id
        for player, entropy in entropies.items():
            seal = hashlib.sha256(entropy).hexdigest()
            fairdeal.handle(JoinGame(game_id=game, player=player, seal=seal))
        fairdeal.handle(StartGame(game_id=game, player="ann-the-brave"))
        for player, entropy in entropies.items():
            fairdeal.handle(RevealEntropy(game_id=game, player=player, entropy=entropy.hex()))
        bots = fairdeal.handle(QuickStart(player="zoe", kind=kind, players=("bot:careful:1", "bot:random:2"))).game_id
        runner = BotRunner(fairdeal).start()
        try:
            while (look := fairdeal.look(game)).outcome is None:
                player = look.players[look.active[0]]
                own = fairdeal.look(game, player)
                with pytest.raises(FairdealError):
                    fairdeal.move(game, "zoe", own.legal[0])
                fairdeal.move(game, player, own.legal[-1])
            while fairdeal.look(bots).outcome is None:
                Event().wait(0.02)
        finally:
            runner.stop()
    logged = everything(caplog.records)
    assert f"{kind} make_move done" in logged
    for secret in _secrets(fairdeal, game) | _secrets(fairdeal, bots) | set(entropies):
        assert secret not in logged
    for card in _cards(fairdeal, game) | _cards(fairdeal, bots):
        assert not re.search(rf"(?<![\w.-]){re.escape(card)}(?![\w.-])", logged), card


def _secrets(fairdeal: Fairdeal, game: UUID) -> set[str]:
    seed = fairdeal.look(game).seed
    assert seed is not None
    entropies = [getattr(seen.event, "entropy", None) for seen in fairdeal.events(game).events]
    return {seed} | {entropy for entropy in entropies if entropy}


def _cards(fairdeal: Fairdeal, game: UUID) -> set[str]:
    """Every card of the game by its id; numbers alone say nothing, for they stand in every log."""
    places = fairdeal.replay(game, open_cards=True).go_to(fairdeal.look(game).version).places
    cards = {str(card) for place in places or () for card in place.cards}
    assert len(cards) > 5
    return {card for card in cards if not card.isdecimal()}


def test_health_says_what_works(fairdeal: Fairdeal) -> None:
    health = fairdeal.health()
    assert health.ok
    assert [check.name for check in health.checks] == ["ledger"]
    fairdeal.read.games()
    assert [(check.name, check.code) for check in fairdeal.health().checks] == [("ledger", "ok"), ("read_models", "ok")]


def test_health_says_what_does_not_work(tmp_path: Path) -> None:
    fairdeal = Fairdeal(f"sqlite:///{tmp_path / 'games.db'}")
    fairdeal.close()
    health = fairdeal.health()
    assert not health.ok
    assert health.checks[0].code == "ledger_unavailable"
    with pytest.raises(FairdealError):
        health.must_be_ok()


# -- PostgreSQL ------------------------------------------------------------------------------------------------------


def test_connections_have_a_name_and_their_number_is_bounded(postgres: str) -> None:
    """As the documents promise: for each process 10 that read, 1 that writes, 1 that listens, 10 of the read models."""
    name = f"many-{UUID(int=id(postgres) % 2**64).hex[-12:]}"
    address = f"{postgres}&application_name={name}"
    most, stop = [0], Event()

    def count() -> None:
        with psycopg.connect(postgres, autocommit=True) as connection:
            while not stop.is_set():
                asked = connection.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = %s", (name,))
                row = asked.fetchone()
                assert row is not None
                most[0] = max(most[0], row[0])

    with Fairdeal(address) as fairdeal, ThreadPoolExecutor(41) as pool:
        counting = pool.submit(count)
        games = [fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id for _ in range(8)]
        followers = [fairdeal.follow(game) for game in games]
        for follower in followers:
            next(follower)

        def work(number: int) -> None:
            game = games[number % len(games)]
            for _ in range(3):
                look = fairdeal.look(game)
                player = look.players[look.active[0]]
                with suppress(FairdealError):  # somebody else may be faster
                    fairdeal.move(game, player, END)
                fairdeal.read.games(limit=5)

        list(pool.map(work, range(40)))
        stop.set()
        counting.result()
        for follower in followers:
            follower.close()  # type: ignore[attr-defined] # an iterator to callers, a generator in fact
    assert 3 <= most[0] <= MOST_READERS + 1 + 1 + POSTGRES_CONNECTIONS


def test_connections_are_called_fairdeal_unless_the_address_says_otherwise(postgres: str) -> None:
    with Fairdeal(postgres) as fairdeal, psycopg.connect(postgres, autocommit=True) as connection:
        fairdeal.start_game("red7", ["ann", "bob"])
        fairdeal.read.games()
        asked = connection.execute("SELECT DISTINCT application_name FROM pg_stat_activity")
        names = {row[0] for row in asked.fetchall()}
    assert {"fairdeal", "fairdeal read models"} <= names
