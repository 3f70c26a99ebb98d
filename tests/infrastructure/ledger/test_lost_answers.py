"""Answers get lost: whoever sends the same command again, to whomever, gets the same answer."""

import os
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from unittest import mock

import pytest

from fairdeal import (
    Answer,
    Fairdeal,
    IllegalMove,
    JoinGame,
    MakeMove,
    OpenGame,
    QuickStart,
    StartGame,
)
from fairdeal.application.commands.handlers import game_id_for
from fairdeal.application.commands.messages import Command
from fairdeal.application.errors import VersionConflict
from fairdeal.application.log.links import Head
from fairdeal.application.log.record import Record
from fairdeal.application.ports import Ledger
from fairdeal.application.time_limit import TimeLimit
from fairdeal.infrastructure.ledger.addresses import open_ledger


class PowerCut(BaseException):
    """The end of a process."""


class Unlucky:
    """A ledger that stores, and then something happens before anybody hears of it."""

    def __init__(self, ledger: Ledger, error: BaseException) -> None:
        self.ledger = ledger
        self.error = error

    def append(self, records: Sequence[Record], *, continues: Head, limit: TimeLimit | None = None) -> None:
        self.ledger.append(records, continues=continues, limit=limit)
        raise self.error

    def __getattr__(self, name: str) -> object:
        return getattr(self.ledger, name)


def handle_unluckily(address: str, command: Command, error: BaseException) -> Answer:
    unlucky = Unlucky(open_ledger(address), error)
    with (
        mock.patch("fairdeal.infrastructure.bootstrap.open_ledger", return_value=unlucky),
        Fairdeal(address) as fairdeal,
    ):
        return fairdeal.handle(command)


def one_of_each() -> list[Command]:
    """Each makes sense when those before it have been carried out."""
    start = QuickStart(player="ann", kind="kings_corners", players=("ann", "bob"))
    table = OpenGame(player="cid", kind="kings_corners")
    return [
        start,
        MakeMove(game_id=game_id_for(start), player="ann", move={"move": "end_turn"}, expected_version=5),
        table,
        JoinGame(game_id=game_id_for(table), player="cid"),
        JoinGame(game_id=game_id_for(table), player="dan"),
        StartGame(game_id=game_id_for(table), player="cid"),
    ]


def test_who_was_cut_off_after_the_commit_gets_the_answer_by_asking_again(address: str) -> None:
    for command in one_of_each():
        with pytest.raises(PowerCut):
            handle_unluckily(address, command, PowerCut())
        with Fairdeal(address) as fairdeal:
            head = fairdeal.ledger.head()
            answer = fairdeal.handle(command)
            assert fairdeal.handle(command) == answer
            assert fairdeal.ledger.head() == head
        with Fairdeal(address) as another:
            assert another.handle(command) == answer


def test_a_commit_that_was_repeated_after_a_lost_connection_is_recognised(address: str) -> None:
    for command in one_of_each():
        answer = handle_unluckily(address, command, VersionConflict("this version exists, for it is our own"))
        with Fairdeal(address) as fairdeal:
            head = fairdeal.ledger.head()
            assert fairdeal.handle(command) == answer
            assert fairdeal.ledger.head() == head


def test_an_old_expected_version_does_not_matter_to_somebody_who_loads_the_game_anew(address: str) -> None:
    with Fairdeal(address) as fairdeal, Fairdeal(address) as behind:
        game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
        version = behind.look(game).version
        command = MakeMove(game_id=game, player="ann", move={"move": "end_turn"}, expected_version=version)
        answer = fairdeal.handle(command)
        fairdeal.move(game, "bob", {"move": "end_turn"})
        assert behind.handle(command) == answer
        with Fairdeal(address) as late:
            assert late.handle(command) == answer


def test_another_players_command_id_is_free_and_tells_nothing_to_somebody_who_loads_the_game_anew(address: str) -> None:
    with Fairdeal(address) as fairdeal:
        game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
        anns = fairdeal.move(game, "ann", {"move": "end_turn"}, command_id="anns")
    with Fairdeal(address) as fairdeal, pytest.raises(IllegalMove) as refused:
        fairdeal.move(game, "eve", {"move": "end_turn"}, command_id="anns")
    assert refused.value.code == "unknown_player"
    with Fairdeal(address) as fairdeal:
        assert fairdeal.move(game, "bob", {"move": "end_turn"}, command_id="anns").version > anns.version
        assert fairdeal.move(game, "ann", {"move": "end_turn"}, command_id="anns") == anns


HOST = {
    "PERSISTENCE_MODULE": "eventsourcing.postgres",
    "INFRASTRUCTURE_FACTORY": "eventsourcing.nowhere",
    "COMPRESSOR_TOPIC": "zlib",
    "CIPHER_TOPIC": "eventsourcing.cipher:AESCipher",
    "CIPHER_KEY": "c29tZXRoaW5nIHNlY3JldA==",
    "TRANSCODER_TOPIC": "nowhere:Transcoder",
    "MAPPER_TOPIC": "nowhere:Mapper",
    "APPLICATION_RECORDER_TOPIC": "nowhere:Recorder",
    "IS_SNAPSHOTTING_ENABLED": "y",
    "CREATE_TABLE": "n",
    "ORIGINATOR_ID_TYPE": "text",
    "AGGREGATE_CACHE_MAXSIZE": "x",
    "SQLITE_DBNAME": "/nowhere/host.db",
    "SQLITE_LOCK_TIMEOUT": "soon",
    "POSTGRES_DBNAME": "host",
    "POSTGRES_HOST": "nowhere.invalid",
    "POSTGRES_PORT": "none",
    "POSTGRES_USER": "host",
    "POSTGRES_PASSWORD": "secret",
    "POSTGRES_SCHEMA": "host",
    "POSTGRES_POOL_SIZE": "many",
    "POSTGRES_ENABLE_DB_FUNCTIONS": "y",
}


def log_of_a_game(address: str) -> list[tuple[str, bytes]]:
    with (
        Fairdeal(address, clock=lambda: datetime(2030, 1, 1, tzinfo=UTC)) as fairdeal,
        mock.patch("secrets.token_bytes", return_value=bytes(32)),
    ):
        start = QuickStart(player="ann", kind="kings_corners", players=("ann", "bob"), command_id="start")
        game = fairdeal.handle(start).game_id
        fairdeal.move(game, "ann", {"move": "end_turn"}, command_id="move")
        return [(record.name, record.link + record.payload) for record in fairdeal.ledger.records(game)]


def test_a_host_whose_environment_is_full_of_the_librarys_variables_changes_nothing(
    address: str, tmp_path: Path
) -> None:
    expected = log_of_a_game("memory:")
    ours = {f"FAIRDEAL_{name}": value for name, value in HOST.items()}
    with mock.patch.dict(os.environ, {**HOST, **ours}):
        assert log_of_a_game(address) == expected
        with closing(open_ledger(address)) as ledger:
            assert ledger.head() == len(expected)
    assert sorted(file.name for file in tmp_path.iterdir()) in (["games.db"], [])
