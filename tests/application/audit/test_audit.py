"""The verdicts of an audit: what each says of honest games, and that each change is found at its record."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace as other_record

from fairdeal import AbandonGame, Fairdeal, OpenGame, Receipt, UnknownGame
from fairdeal.application.audit.game import audit
from fairdeal.application.audit.verdicts import Grade, Report
from fairdeal.application.catalogue import KINDS
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.record import Record
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.testing import changed
from fairdeal.testing.recorded import CODEC, recorded_game
from kits.audit import batch_ends, golden, short_log
from kits.compiled import IS_COMPILED

LOGS = {kind: short_log(kind) for kind in KINDS}


def grades(report: Report) -> tuple[Grade, Grade, Grade]:
    return report.untouched.grade, report.fair.grade, report.legal.grade


def found_at(report: Report) -> int | None:
    assert report.untouched.grade is Grade.NO, report
    return report.untouched.record


# -- honest games --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_an_honest_running_game_is_untouched_not_yet_fair_and_legal(kind: str) -> None:
    assert grades(audit(LOGS[kind], CODEC)) == (Grade.YES, Grade.NOT_YET, Grade.YES)


@pytest.mark.parametrize("kind", KINDS)
def test_an_honest_finished_game_without_seals_rests_on_the_operators_word(kind: str) -> None:
    assert grades(audit(recorded_game(KINDS[kind]), CODEC)) == (Grade.YES, Grade.OPERATORS_WORD, Grade.YES)


def test_who_sealed_entropy_is_named() -> None:
    fair = audit(golden("kings_corners-classic-6"), CODEC).fair
    assert (fair.grade, fair.why) == (Grade.SEALED, "sealed by ann, cleo, eve")


def test_a_game_that_was_broken_off_before_the_deal_has_nothing_to_be_fair_about(fairdeal: Fairdeal) -> None:
    game = fairdeal.handle(OpenGame(player="ann", kind="pardon")).game_id
    fairdeal.handle(AbandonGame(player="ann", game_id=game))
    assert grades(fairdeal.audit(game)) == (Grade.YES, Grade.NOT_CHECKED, Grade.YES)


def test_a_given_deck_is_called_that(fairdeal: Fairdeal) -> None:
    from fairdeal.domain.kernel.french_deck import DECK

    game = fairdeal.start_game("kings_corners", ["ann", "bob"], deck=DECK).game_id
    assert fairdeal.audit(game).fair.grade is Grade.NOT_YET
    fairdeal.handle(AbandonGame(player="ann", game_id=game))
    assert fairdeal.audit(game).fair.grade is Grade.GIVEN_DECK


def test_an_unknown_game_is_an_error(fairdeal: Fairdeal) -> None:
    with pytest.raises(UnknownGame):
        fairdeal.audit(uuid4())


# -- what this program does not know is never called wrong -----------------------------------------------------------


def newer(kind: str) -> Codec:
    rules: AnyRules = KINDS[kind]
    return Codec({kind: replace(rules, version=rules.version + 1)})


@pytest.mark.parametrize("kind", KINDS)
def test_other_rules_are_not_checked_and_never_no(kind: str) -> None:
    report = audit(LOGS[kind], newer(kind))
    here = KINDS[kind].version
    assert grades(report) == (Grade.YES, Grade.NOT_CHECKED, Grade.NOT_CHECKED)
    assert str(report.legal) == f"not checked (rules {here}, here {here + 1})"


def test_events_of_other_rules_that_nobody_knows_here_are_not_checked() -> None:
    rules: AnyRules = KINDS["kings_corners"]
    events = {name: event for name, event in rules.stored.events.items() if not name.startswith("card_played")}
    codec = Codec({"kings_corners": changed(rules, version=2, events=events)})
    assert grades(audit(LOGS["kings_corners"], codec)) == (Grade.YES, Grade.NOT_CHECKED, Grade.NOT_CHECKED)


def test_a_kind_that_is_not_registered_can_still_be_untouched() -> None:
    report = audit(LOGS["pardon"], Codec({}))
    assert grades(report) == (Grade.YES, Grade.NOT_CHECKED, Grade.NOT_CHECKED)
    assert "pardon" in report.legal.why


# -- every change is found at its record -----------------------------------------------------------------------------


def with_other(records: list[Record], at: int, record: Record) -> list[Record]:
    return [*records[:at], record, *records[at + 1 :]]


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@pytest.mark.parametrize("kind", KINDS)
def test_every_byte_of_every_record_counts_and_its_change_is_found_there(kind: str) -> None:
    records = LOGS[kind]
    # All of them where the rules are compiled, which `make test` does, too; tracing the coverage takes its time.
    step = 1 if IS_COMPILED else 31
    for at, record in enumerate(records):
        name = record.name.encode()
        places = range(at % step, len(record.payload), step)
        for other in (
            *(other_record(record, payload=flipped(record.payload, place)) for place in places),
            *(other_record(record, link=flipped(record.link, place)) for place in range(len(record.link))),
            *(other_record(record, name=flipped(name, place).decode()) for place in range(len(name))),
            other_record(record, version=record.version + 1),
        ):
            assert found_at(audit(with_other(records, at, other), CODEC)) == at + 1, other


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_of_another_game_is_found(kind: str) -> None:
    records = LOGS[kind]
    for at, record in enumerate(records):
        stray = other_record(record, game_id=uuid4())
        # In the first place it would be a game of its own.
        log = [stray] if at == 0 else with_other(records, at, stray)
        assert found_at(audit(log, CODEC)) == at + 1


@pytest.mark.parametrize("kind", KINDS)
def test_dropped_doubled_and_swapped_records_are_found_at_their_place(kind: str) -> None:
    records = LOGS[kind]
    for at in range(len(records) - 1):
        assert found_at(audit(records[:at] + records[at + 1 :], CODEC)) == at + 1
        assert found_at(audit(records[: at + 1] + records[at:], CODEC)) == at + 2
        swapped = [*records[:at], records[at + 1], records[at], *records[at + 2 :]]
        assert found_at(audit(swapped, CODEC)) == at + 1


@pytest.mark.parametrize("kind", KINDS)
def test_half_a_batch_at_the_end_is_found(kind: str) -> None:
    records, ends = LOGS[kind], batch_ends(LOGS[kind])
    for length in range(1, len(records)):
        report = audit(records[:length], CODEC)
        assert report.untouched.bad == (length not in ends)
        if length not in ends:
            assert report.untouched.record == length


# -- what links alone cannot show, receipts do -----------------------------------------------------------------------


def receipt(records: list[Record], version: int) -> Receipt:
    return Receipt(records[0].game_id, version, records[version - 1].link.hex())


def test_a_log_that_was_cut_short_shows_against_a_receipt() -> None:
    records = LOGS["pardon"]
    end = batch_ends(records)[-2]
    assert audit(records[:end], CODEC, [receipt(records, end)]).good
    assert found_at(audit(records[:end], CODEC, [receipt(records, len(records))])) == len(records)


def test_a_log_that_was_rewritten_as_a_whole_shows_against_a_receipt() -> None:
    records = LOGS["pardon"]
    other = [other_record(record, game_id=records[0].game_id) for record in recorded_game(KINDS["pardon"], 2)]
    from fairdeal.testing.recorded import relinked

    forged = relinked(CODEC.seed_of(other[0]), records[0].game_id, [(r.name, r.payload) for r in other])
    assert audit(forged, CODEC).untouched.grade is Grade.YES
    assert found_at(audit(forged, CODEC, [receipt(records, 20)])) == 20


def test_receipts_of_other_games_do_not_matter() -> None:
    assert audit(LOGS["pardon"], CODEC, [receipt(LOGS["kings_corners"], 9)]).untouched.why.endswith(" 0 receipts")


# -- the whole ledger ------------------------------------------------------------------------------------------------


@pytest.fixture
def filled(fairdeal: Fairdeal) -> Fairdeal:
    for number in range(2):
        for kind in KINDS:
            fairdeal.ledger.append(recorded_game(KINDS[kind], number, most=30))
    return fairdeal


def test_a_whole_ledger_is_audited_game_by_game(filled: Fairdeal) -> None:
    reports = list(filled.audit_all())
    assert all(report.good for report in reports)
    assert sum(report.records for report in reports) == filled.ledger.head()
    assert [report.game_id for report in reports] == sorted(report.game_id for report in reports)


@pytest.mark.parametrize("damage", [
    "DELETE FROM stored_events WHERE originator_id=:game AND originator_version=1",
    "UPDATE stored_events SET topic='pardon.card_flown.v1' WHERE originator_id=:game AND originator_version=1",
    "UPDATE stored_events SET state=X'00' WHERE originator_id=:game AND originator_version=1",
    "UPDATE stored_events SET originator_version=1000 WHERE originator_id=:game AND originator_version=1",
    "UPDATE stored_events SET originator_version='one' WHERE originator_id=:game AND originator_version=1",
    "UPDATE stored_events SET state='text' WHERE originator_id=:game AND originator_version=1",
    "UPDATE stored_events SET topic=7 WHERE originator_id=:game AND originator_version=1",
])  # fmt: skip
def test_games_whose_first_record_is_gone_or_strange_are_seen(filled: Fairdeal, tmp_path: Path, damage: str) -> None:
    victim = LOGS["pardon"][0].game_id
    with sqlite3.connect(tmp_path / "games.db") as database:
        database.execute(damage, {"game": victim.hex})
    database.close()
    bad = [report for report in filled.audit_all() if not report.good]
    assert [(report.game_id, report.untouched.record) for report in bad] == [(victim, 1)]


def test_a_game_that_is_listed_but_cannot_be_found_is_seen(filled: Fairdeal, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when an index of the database is damaged."""
    lost = uuid4()
    listed = filled.ledger.game_ids

    def game_ids(after: UUID | None, limit: int) -> Sequence[UUID]:
        found = listed(after, limit)
        return sorted([*found, lost]) if after is None else found

    monkeypatch.setattr(filled.ledger, "game_ids", game_ids)
    (bad,) = [report for report in filled.audit_all() if not report.good]
    assert (bad.game_id, bad.untouched.record, bad.untouched.why) == (
        lost, 1, "the ledger lists this game, but none of its records is found",
    )  # fmt: skip


def test_a_game_that_only_a_receipt_remembers_is_seen(filled: Fairdeal) -> None:
    lost = Receipt(uuid4(), 3, "00" * 32)
    (bad,) = [report for report in filled.audit_all([lost]) if not report.good]
    assert (bad.game_id, bad.untouched.record, bad.untouched.why) == (
        lost.game_id, 3, "a receipt exists for this game, but the game is missing",
    )  # fmt: skip
