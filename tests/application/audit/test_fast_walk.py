"""The fast walk by position is held to the plain one: what the one finds the other finds, at the same record."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest

from campaigns import rewritten_pasts
from fairdeal import Fairdeal
from fairdeal.application.audit import fast_walk
from fairdeal.application.audit.fingerprint import NONE, Fingerprint, fingerprint_of
from fairdeal.application.audit.ledger import all_games, audit_games
from fairdeal.application.audit.two_walks import compared
from fairdeal.application.audit.verdicts import Report
from fairdeal.application.catalogue import KINDS
from fairdeal.application.checkpoints.ledger_walk import Head, LedgerWalk
from fairdeal.application.errors import TamperedLedger
from fairdeal.application.log.record import Record
from fairdeal.testing.recorded import recorded_game

Rewrite = Callable[[rewritten_pasts.Database, int, Random], None]
REWRITES: Sequence[Rewrite] = (
    rewritten_pasts.move,
    rewritten_pasts.swap,
    rewritten_pasts.shift,
    rewritten_pasts.drop,
    rewritten_pasts.drop_a_game,
    rewritten_pasts.drop_the_end,
    rewritten_pasts.hide,
    rewritten_pasts.rename,
    rewritten_pasts.change,
)
GAMES = 4


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of games that were played at the same time, batch by batch."""
    path = tmp_path_factory.mktemp("whole") / "whole.db"
    with Fairdeal(f"sqlite:///{path}") as fairdeal:
        logs = [recorded_game(KINDS[("pardon", "red7")[number % 2]], number, most=20) for number in range(GAMES)]
        waiting = [list(batches(fairdeal, log)) for log in logs]
        while any(waiting):
            for batch in [rest.pop(0) for rest in waiting if rest]:
                before = next(log for log in logs if log[0].game_id == batch[0].game_id)[: batch[0].version - 1]
                head = (before[-1].version, before[-1].link) if before else (0, bytes(32))
                fairdeal.ledger.append(batch, continues=head)
    return path


def batches(fairdeal: Fairdeal, log: Sequence[Record]) -> Iterator[list[Record]]:
    batch: list[Record] = []
    for record in log:
        if batch and fairdeal.codec.batch(record) is not None:
            yield batch
            batch = []
        batch.append(record)
    yield batch


def plainly(fairdeal: Fairdeal) -> list[Report]:
    """What the plain walk makes of each game that is found by its id, and of those that grew in between: nothing."""
    ledger, codec = fairdeal.ledger, fairdeal.codec
    walk = LedgerWalk(ledger, codec, ledger.head()).run()
    audited = audit_games(ledger, codec, all_games(ledger), {})
    return [compared(report, walk.games.get(report.game_id) or Head()) for report, _ in audited]


def as_usual(fairdeal: Fairdeal) -> tuple[dict[object, Report], bool]:
    found: dict[object, Report] = {}
    try:
        for report in fairdeal.audit_all():
            found[report.game_id] = report
    except TamperedLedger:
        return found, True
    return found, False


@pytest.mark.parametrize("chunk", [3, 1000])
@pytest.mark.parametrize("rewrite", REWRITES, ids=lambda one: one.__name__)
def test_both_walks_find_the_same(
    whole: Path, tmp_path: Path, rewrite: Rewrite, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast_walk, "CHUNK", chunk)
    monkeypatch.setattr(rewritten_pasts, "GAMES", GAMES)
    database = rewritten_pasts.OnSQLite(tmp_path, whole)
    for seed in range(6):
        database.begin_anew()
        with Fairdeal(database.address) as fairdeal:
            head = fairdeal.ledger.head()
        rewrite(database, head, Random(seed))
        with Fairdeal(database.address) as fairdeal:
            found, tampered = as_usual(fairdeal)
            for plain in plainly(fairdeal):
                fast = found[plain.game_id]
                assert fast.untouched.bad == plain.untouched.bad, f"seed {seed}"
                if fast.missing_position is None:  # only the fast walk tells of positions without a record
                    assert fast.untouched == plain.untouched, f"seed {seed}"
            # What is longer by game than by position, though nobody played, is found in the end.
            ahead = [one for one in plainly(fairdeal) if not one.bad and one.records > positions(fairdeal, one)]
            assert tampered == bool(ahead)


def positions(fairdeal: Fairdeal, report: Report) -> int:
    return sum(record.game_id == report.game_id for _, record in fairdeal.ledger.since(0, 10_000))


def test_games_that_were_played_at_the_same_time_are_good(whole: Path) -> None:
    with Fairdeal(f"sqlite:///{whole}", read_only=True) as fairdeal:
        assert [report.good for report in fairdeal.audit_all()] == [True] * GAMES


def test_a_fingerprint_does_not_tell_how_many_records_came_at_once() -> None:
    log = recorded_game(KINDS["red7"])
    one_by_one = Fingerprint()
    for record in log:
        one_by_one.add((record,))
    assert one_by_one.digest() == fingerprint_of(log)
    assert one_by_one.is_of(len(log), fingerprint_of(log))


OTHERS = {"version": 9, "name": "red7.other.v1", "payload": b"{}", "link": bytes(32)}


@pytest.mark.parametrize("field", OTHERS)
def test_a_fingerprint_is_of_every_byte(field: str) -> None:
    log = list(recorded_game(KINDS["red7"]))
    known = fingerprint_of(log)
    for at, record in enumerate(log):
        if field == "version" and record.version == OTHERS[field]:
            continue
        changed = msgspec.structs.replace(record, **{field: OTHERS[field]})
        assert fingerprint_of([*log[:at], changed, *log[at + 1 :]]) != known
    assert fingerprint_of(log[:-1]) != known


def test_bytes_that_move_from_one_field_or_record_to_the_next_make_another_fingerprint() -> None:
    game = recorded_game(KINDS["red7"])[0].game_id
    found = {
        fingerprint_of([Record(game, 1, "ab", b"c", b"d"), Record(game, 2, "e", b"f", b"g")]),
        fingerprint_of([Record(game, 1, "a", b"bc", b"d"), Record(game, 2, "e", b"f", b"g")]),
        fingerprint_of([Record(game, 1, "ab", b"", b"cd"), Record(game, 2, "e", b"f", b"g")]),
        fingerprint_of([Record(game, 1, "ab", b"c", b""), Record(game, 2, "de", b"f", b"g")]),
    }
    assert len(found) == 4


@pytest.mark.parametrize("version", [2**70, object()])
def test_what_can_be_no_record_is_like_nothing(version: object) -> None:
    game = recorded_game(KINDS["red7"])[0].game_id
    strange = Record(game, version, "red7.x.v1", b"{}", bytes(32))  # type: ignore[arg-type]  # pyright: ignore
    met = Fingerprint()
    met.add((strange,))
    assert met.broken
    assert met.digest() == fingerprint_of((strange,)) == NONE
    assert not met.is_of(0, NONE)
    assert not met.is_of(1, NONE)
