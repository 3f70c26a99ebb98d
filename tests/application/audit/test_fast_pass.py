"""The fast pass of an audit is held to the careful one: it lets nothing pass that the other would find."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from fairdeal.application.audit import fast_pass
from fairdeal.application.audit.checked_log import CheckedLog
from fairdeal.application.audit.fast_pass import FastPass, move_of
from fairdeal.application.audit.game import audit
from fairdeal.application.catalogue import KINDS
from fairdeal.application.log.record import Record
from fairdeal.testing.recorded import CODEC, recorded_game, relinked
from golden.make import FOLDER
from kits.audit import Payload, carefully, forged, golden, said, short_log

NAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def moves_of(records: Sequence[Record]) -> list[Record]:
    return [record for record in records if (batch := CODEC.batch(record)) and "move" in batch.command]


@pytest.mark.parametrize("name", NAMES)
def test_both_find_the_same_in_golden_logs(name: str) -> None:
    records = golden(name)
    assert audit(records, CODEC) == carefully(records)


@pytest.mark.parametrize("kind", KINDS)
def test_a_good_log_is_left_to_nobody_else(kind: str) -> None:
    log = CheckedLog(recorded_game(KINDS[kind]), CODEC)
    assert FastPass(log).is_whole


def with_one_more_key(payload: Payload) -> None:
    payload["command"]["more"] = 1


def in_another_order(payload: Payload) -> None:
    payload["command"] = dict(reversed(payload["command"].items()))


def with_another_id(payload: Payload) -> None:
    payload["id"] = "x" * 1000


def without_an_id(payload: Payload) -> None:
    payload["id"] = ""


def by_other_rules(payload: Payload) -> None:
    payload["rules"] += 1


def at_no_time(payload: Payload) -> None:
    payload["at"] = payload["at"][:5] + "99" + payload["at"][7:]


def long_ago(payload: Payload) -> None:
    payload["at"] = "1999" + payload["at"][4:]


def of_another_size(payload: Payload) -> None:
    payload["size"] += 1


def of_no_size(payload: Payload) -> None:
    payload["size"] = -1


def with_a_word_for_a_number(payload: Payload) -> None:
    payload["rules"] = str(payload["rules"])


def with_an_event_more(payload: Payload) -> None:
    payload["event"]["more"] = None


def with_a_list_for_a_command(payload: Payload) -> None:
    payload["command"] = [payload["command"]]


FORGERIES: Sequence[Callable[[Payload], None]] = (
    with_one_more_key,
    in_another_order,
    with_another_id,
    without_an_id,
    by_other_rules,
    at_no_time,
    long_ago,
    of_another_size,
    of_no_size,
    with_a_word_for_a_number,
    with_an_event_more,
    with_a_list_for_a_command,
)


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda one: one.__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_both_find_the_same_in_forged_moves(kind: str, forgery: Callable[[Payload], None]) -> None:
    records = short_log(kind)
    assert audit(records, CODEC).good  # its moves are known from now on
    moves = moves_of(records)
    for record in (moves[0], Random(1).choice(moves), moves[-1]):
        log = forged(records, record.version, forgery)
        report = audit(log, CODEC)
        assert report == carefully(log)
        assert report.bad or forgery is by_other_rules or log == records  # a move of one word has no other order


@pytest.mark.parametrize("kind", KINDS)
def test_both_find_the_same_in_a_command_that_is_spelled_in_another_way(kind: str) -> None:
    records = short_log(kind)
    for record in moves_of(records)[:5]:
        name = said(record)["command"]["move"]
        for other in (
            f'"move": "{name}"',
            f'"move":"\\u{ord(name[0]):04x}{name[1:]}"',
            f'"move":"{name}","move":"{name}"',
        ):
            rows = [(one.name, one.payload) for one in records]
            spelled = record.payload.replace(f'"move":"{name}"'.encode(), other.encode())
            assert spelled != record.payload
            rows[record.version - 1] = record.name, spelled
            log = relinked(CODEC.seed_of(records[0]), record.game_id, rows)
            report = audit(log, CODEC)
            assert report == carefully(log)
            assert report.untouched.record == record.version


def test_few_moves_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[bytes, Any] = {}

    def all_of_them(*_: object) -> dict[bytes, Any]:
        return known

    monkeypatch.setattr(fast_pass, "_known_moves", all_of_them)
    monkeypatch.setattr(fast_pass, "MOST_MOVES", 3)
    assert audit(recorded_game(KINDS["pardon"]), CODEC).good
    assert 0 < len(known) <= 3
    known.clear()
    monkeypatch.setattr(fast_pass, "LONGEST_MOVE", 5)
    assert audit(recorded_game(KINDS["pardon"]), CODEC).good
    assert not known


@dataclass
class Changeable:
    """A move that somebody may change."""

    number: int


def test_a_move_that_may_be_changed_is_not_remembered() -> None:
    rules = KINDS["pardon"]
    stored = replace(rules.stored, moves={**rules.stored.moves, "change": Changeable})
    assert move_of(replace(rules, stored=stored), b'{"move":"change","number":1}') is None
    assert move_of(rules, b'{"do":"leave_game","reason":""}') is None


@pytest.mark.parametrize("kind", KINDS)
def test_both_find_the_same_in_logs_that_are_cut_short(kind: str) -> None:
    records = short_log(kind)
    for length in range(1, 30):
        assert audit(records[:length], CODEC) == carefully(records[:length])
        assert audit(records[length:], CODEC) == carefully(records[length:])
