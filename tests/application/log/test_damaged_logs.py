"""Logs that nobody could have stored: replay, export, branch and audit say so in a sentence, never by falling over."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random

import pytest
from msgspec.structs import replace as replaced

from fairdeal import FairdealError
from fairdeal.application.audit.game import audit
from fairdeal.application.catalogue import KINDS
from fairdeal.application.errors import DamagedRecord
from fairdeal.application.exports.writer import Exporter
from fairdeal.application.history.replay import Replay
from fairdeal.application.log.origin import origin_at
from fairdeal.application.log.record import Record
from fairdeal.infrastructure.ledger.memory import memory_ledger
from fairdeal.testing.recorded import CODEC, recorded_game, relinked
from kits.audit import short_log
from kits.ledger import plant

NONSENSE = (b"", b"[]", b"null", b'{"event":null}', b"\xff", b'{"event":' + b"[" * 9999 + b"]" * 9999 + b"}")


def mutants(records: list[Record]) -> Iterator[list[Record]]:
    """What a forger, a fool or a bad disk makes of a log, with links that fit: only what it says can give it away."""
    rng = Random(7)
    seed, game_id = CODEC.seed_of(records[0]), records[0].game_id
    rows = [(record.name, record.payload) for record in records]
    for _ in range(5):
        one, other = rng.randrange(len(rows)), rng.randrange(len(rows))
        damaged = bytearray(rows[one][1])
        damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        swapped = [*rows]
        swapped[one], swapped[other] = swapped[other], swapped[one]
        for forged in (
            rows[:one] + rows[one + 1 :],
            rows[: one + 1] + rows[one:],
            swapped,
            [*rows[:one], (rows[other][0], rows[one][1]), *rows[one + 1 :]],
            [*rows[:one], (rows[one][0], bytes(damaged)), *rows[one + 1 :]],
            *([*rows[:one], (rows[one][0], nonsense), *rows[one + 1 :]] for nonsense in NONSENSE),
        ):
            if forged != rows:
                yield relinked(seed, game_id, forged)


def works_or_says_why(deed: Callable[[], object]) -> None:
    try:
        deed()
    except FairdealError as error:
        assert error.message


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_log_is_a_sentence_for_whoever_reads_it(kind: str) -> None:
    for records in (recorded_game(KINDS[kind]), short_log(kind)):
        for mutant in mutants(records):
            works_or_says_why(partial(step_through, mutant))
            works_or_says_why(partial(origin_at, mutant, CODEC, len(mutant) // 2))
            works_or_says_why(partial(exported, mutant))
            assert audit(mutant, CODEC).records == len(mutant)


def step_through(records: Sequence[Record]) -> None:
    replay = Replay(records, CODEC, "ann")
    replay.story()
    replay.times()
    for _ in records:
        replay.forward()
    replay.back()
    replay.difference(0, replay.head // 2)


def exported(records: Sequence[Record]) -> None:
    ledger = memory_ledger()
    plant(ledger, records)
    for viewer in (None, "ann"):
        "".join(Exporter(ledger, CODEC).export(records[0].game_id, viewer))


def test_a_log_without_its_beginning_cannot_be_replayed() -> None:
    with pytest.raises(DamagedRecord, match="version 2 stands in its place"):
        Replay(short_log("pardon")[1:], CODEC)


def test_a_touched_log_is_not_replayed_as_if_nothing_were() -> None:
    records = short_log("kings_corners")
    changed = replaced(records[6], payload=records[6].payload.replace(b'"by":"ann"', b'"by":"amy"'))
    assert changed != records[6]
    with pytest.raises(DamagedRecord, match=r"Record 7 .* run an audit"):
        Replay([*records[:6], changed, *records[7:]], CODEC)
