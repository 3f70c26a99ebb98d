"""Some games are read before the first of them is audited: nobody sees that in the reports, nor in the memory."""

from collections.abc import Iterator, Sequence
from uuid import UUID

import pytest

from fairdeal import Fairdeal
from fairdeal.application.audit import ledger as ledgers
from fairdeal.application.audit.fingerprint import fingerprint_of
from fairdeal.application.audit.ledger import all_games, audit_games, read_ahead
from fairdeal.application.catalogue import KINDS
from fairdeal.application.errors import LedgerUnavailable, TamperedLedger
from fairdeal.application.log.record import Record
from fairdeal.application.ports import Ledger
from fairdeal.testing.recorded import CODEC, recorded_game

GAMES, RECORDS = 20, 12


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with Fairdeal("memory:") as fairdeal:
        for number in range(GAMES):
            fairdeal.ledger.append(recorded_game(KINDS["red7"], number, most=RECORDS))
        yield fairdeal.ledger


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch, ledger: Ledger) -> list[UUID]:
    """The games that were read, in their order."""
    found: list[UUID] = []
    records = ledger.records

    def noted(game_id: UUID, *, after: int = 0, up_to: int | None = None) -> Sequence[Record]:
        found.append(game_id)
        return records(game_id, after=after, up_to=up_to)

    monkeypatch.setattr(ledger, "records", noted)
    return found


@pytest.mark.parametrize(("games", "records"), [(1, 10_000), (3, 10_000), (1000, 1), (1000, 30), (1000, 10_000)])
def test_all_games_are_read_once_in_their_order(
    ledger: Ledger, lines: list[UUID], monkeypatch: pytest.MonkeyPatch, games: int, records: int
) -> None:
    monkeypatch.setattr(ledgers, "GAMES_AHEAD", games)
    monkeypatch.setattr(ledgers, "RECORDS_AHEAD", records)
    ids = list(all_games(ledger))
    read = list(read_ahead(ledger, ids))
    assert [game_id for game_id, _, _ in read] == lines == ids
    for game_id, found, fingerprint in read:
        assert {record.game_id for record in found} == {game_id}
        assert fingerprint == fingerprint_of(found)


def test_only_a_few_games_are_in_memory(ledger: Ledger, lines: list[UUID], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledgers, "GAMES_AHEAD", 3)
    for number, _ in enumerate(read_ahead(ledger, all_games(ledger))):
        assert len(lines) == min(GAMES, (number // 3 + 1) * 3)
    lines.clear()
    monkeypatch.setattr(ledgers, "RECORDS_AHEAD", RECORDS)
    for number, _ in enumerate(read_ahead(ledger, all_games(ledger))):
        assert len(lines) == number + 1


@pytest.mark.parametrize("games", [1, 3, 7, 16])
@pytest.mark.parametrize("good", range(6))
def test_what_was_found_before_an_error_is_told_before_it(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, games: int, good: int
) -> None:
    monkeypatch.setattr(ledgers, "GAMES_AHEAD", games)
    ids = list(all_games(ledger))[:good]

    def listed() -> Iterator[UUID]:
        yield from ids
        raise TamperedLedger("what stands there is not a game id")

    told: list[UUID] = []
    with pytest.raises(TamperedLedger, match="not a game id"):
        for report, _ in audit_games(ledger, CODEC, listed(), {}):
            assert report.good
            told.append(report.game_id)
    assert told == ids


def test_a_database_that_fails_is_told_after_the_games_that_were_read(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = list(all_games(ledger))
    records = ledger.records

    def failing(game_id: UUID, *, after: int = 0, up_to: int | None = None) -> Sequence[Record]:
        if game_id == ids[5]:
            raise LedgerUnavailable("gone")
        return records(game_id, after=after, up_to=up_to)

    monkeypatch.setattr(ledger, "records", failing)
    told: list[UUID] = []
    with pytest.raises(LedgerUnavailable):
        for report, _ in audit_games(ledger, CODEC, ids, {}):
            told.append(report.game_id)
    assert told == ids[:5]
