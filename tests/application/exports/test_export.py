"""Exports and imports: byte for byte there and back, checked before stored, in little memory."""

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from fairdeal import AbandonGame, Fairdeal, UnknownGame
from fairdeal.application.audit.verdicts import Grade
from fairdeal.application.catalogue import KINDS
from fairdeal.application.errors import GameDiffers, ImportRefused, NotAnExport
from fairdeal.application.exports.format import read_logs
from fairdeal.application.exports.verify import verify
from fairdeal.application.log.record import Receipt
from fairdeal.testing.recorded import CODEC, recorded_game, recorded_games
from golden.make import FOLDER
from kits.audit import first, golden, said
from kits.exports import taken_in, verified
from kits.verifier import VERIFIER

LOGS = sorted(FOLDER.glob("*.jsonl"))


@pytest.mark.parametrize("path", LOGS, ids=[path.stem for path in LOGS])
def test_an_export_is_taken_in_and_exported_again_byte_for_byte(fairdeal: Fairdeal, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    (imported,) = taken_in(fairdeal, text)
    assert imported.is_new
    assert fairdeal.exports.export(imported.game_id) == text
    report = fairdeal.audit(imported.game_id)
    # A branch is not called good where its origin is not at hand, but nobody has touched it.
    assert report.good or ("branch" in path.stem and report.untouched.grade is Grade.YES)


def test_taking_the_same_game_in_twice_does_it_once(fairdeal: Fairdeal) -> None:
    text = LOGS[0].read_text(encoding="utf-8")
    taken_in(fairdeal, text)
    head = fairdeal.ledger.head()
    assert [imported.is_new for imported in taken_in(fairdeal, text)] == [False]
    assert fairdeal.ledger.head() == head


@pytest.fixture
def running(fairdeal: Fairdeal) -> UUID:
    game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
    fairdeal.move(game, "ann", {"move": "end_turn"})
    return game


def test_a_running_game_goes_along_in_an_operators_export(fairdeal: Fairdeal, running: UUID) -> None:
    text = fairdeal.exports.export(running, operator=True)
    assert json.loads(text.split("\n")[0])["viewer"] == "operator"
    with Fairdeal("memory:") as other:
        taken_in(other, text)
        assert other.exports.export(running, operator=True) == text
        assert other.look(running, "bob") == fairdeal.look(running, "bob")
        other.move(running, "bob", {"move": "end_turn"})
    untouched, _ = VERIFIER.verify(text)
    assert untouched.startswith("untouched")


def test_a_finished_game_has_no_secrets_and_one_export_for_all(fairdeal: Fairdeal, running: UUID) -> None:
    fairdeal.handle(AbandonGame(player="ann", game_id=running))
    assert (
        fairdeal.exports.export(running, operator=True)
        == fairdeal.exports.export(running)
        == fairdeal.exports.export(running, "bob")
    )


def test_a_redacted_export_is_not_taken_in(fairdeal: Fairdeal, running: UUID) -> None:
    with Fairdeal("memory:") as other, pytest.raises(ImportRefused, match="shows only what one viewer may see"):
        taken_in(other, fairdeal.exports.export(running, "ann"))


def test_a_game_that_went_on_since_is_not_overwritten(fairdeal: Fairdeal, running: UUID) -> None:
    text = fairdeal.exports.export(running, operator=True)
    fairdeal.move(running, "bob", {"move": "end_turn"})
    with pytest.raises(GameDiffers):
        taken_in(fairdeal, text)


def test_an_unknown_game_cannot_be_exported(fairdeal: Fairdeal) -> None:
    with pytest.raises(UnknownGame):
        fairdeal.exports.export(UUID(int=1))


# -- what is wrong with a file ---------------------------------------------------------------------------------------

TEXT = (FOLDER / "kings_corners-classic-2.jsonl").read_text(encoding="utf-8")
LINES = TEXT.splitlines(keepends=True)
SEED_END = f'"seed":"{json.loads(LINES[-1])["seed"]}","digest"'


def edited(number: int, change: Callable[[dict[str, Any]], object]) -> str:
    line = json.loads(LINES[number])
    change(line)
    text = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
    return "".join([*LINES[:number], text, *LINES[number + 1 :]])


FAULTS: list[tuple[str, str, int]] = [
    ("a changed payload", edited(7, lambda line: line.update(payload=line["payload"].replace("ann", "amy"))), 7),
    ("a changed salt", edited(7, lambda line: line.update(salt="00" * 16)), 7),
    ("a bad salt", edited(7, lambda line: line.update(salt="x")), 7),
    ("a changed link", edited(7, lambda line: line.update(link="00" * 32)), 7),
    ("a bad link", edited(7, lambda line: line.update(link="zz")), 7),
    ("a changed name", edited(7, lambda line: line.update(name="pardon.turn_passed.v1")), 7),
    ("another version", edited(7, lambda line: line.update(version=8)), 7),
    ("an unknown field", edited(7, lambda line: line.update(note=1)), 7),
    ("a record that is not a record", "".join([*LINES[:7], "nonsense\n", *LINES[8:]]), 7),
    ("a closed record in a whole log", edited(7, lambda line: line.pop("payload")), 7),
    ("a dropped record", "".join([*LINES[:7], *LINES[8:]]), 7),
    ("a doubled record", "".join([*LINES[:8], *LINES[7:]]), 8),
    ("swapped records", "".join([*LINES[:7], LINES[8], LINES[7], *LINES[9:]]), 7),
    ("no last line", "".join(LINES[:-1]), len(LINES) - 2),
    ("a bad last line", "".join([*LINES[:-1], '{"records":true}\n']), len(LINES) - 2),
    ("another count", TEXT.replace(f'"records":{len(LINES) - 2}', '"records":3'), len(LINES) - 2),
    ("another seed", TEXT.replace(SEED_END, f'"seed":"{"00" * 32}","digest"'), len(LINES) - 2),
    ("a bad seed", TEXT.replace(SEED_END, '"seed":"z","digest"'), len(LINES) - 2),
    ("another digest", TEXT.replace(json.loads(LINES[-1])["digest"], "00" * 32), 0),
    ("other players", edited(0, lambda line: line.update(players=["ann", "eve"])), 0),
    ("another viewer", edited(0, lambda line: line.update(viewer="operator")), 0),
    ("another kind", edited(0, lambda line: line.update(kind="pardon")), 0),
    ("another game", edited(0, lambda line: line.update(game=str(UUID(int=5)))), 1),
    ("no records", LINES[0] + LINES[-1], 0),
]  # fmt: skip


@pytest.mark.parametrize(("text", "record"), [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS])
def test_every_fault_of_a_file_is_found_and_keeps_it_out(fairdeal: Fairdeal, text: str, record: int) -> None:
    assert text != TEXT
    report = verified(text)
    assert (report.untouched.grade, report.untouched.record) == (Grade.NO, record), report
    with pytest.raises(ImportRefused):
        taken_in(fairdeal, text)
    assert fairdeal.ledger.head() == 0


@pytest.mark.parametrize(
    "text", ["nonsense", '{"fairdeal":1}\n', LINES[0].replace('"fairdeal":1', '"fairdeal":2'), LINES[1]]
)
def test_what_is_not_an_export_is_an_error(fairdeal: Fairdeal, text: str) -> None:
    with pytest.raises(NotAnExport):
        taken_in(fairdeal, text)


def test_an_empty_file_holds_no_games(fairdeal: Fairdeal) -> None:
    assert taken_in(fairdeal, "") == []


def test_an_unregistered_kind_is_not_taken_in() -> None:
    with (
        Fairdeal("memory:", kinds={"pardon": KINDS["pardon"]}) as fairdeal,
        pytest.raises(ImportRefused, match="kings"),
    ):
        taken_in(fairdeal, TEXT)


def test_one_bad_game_keeps_the_whole_file_out(fairdeal: Fairdeal) -> None:
    good = LOGS[-1].read_text(encoding="utf-8")
    with pytest.raises(ImportRefused):
        taken_in(fairdeal, good + FAULTS[0][1])
    assert fairdeal.ledger.head() == 0


def test_a_broken_game_does_not_hide_the_next_one() -> None:
    text = "".join(LINES[:5]) + TEXT
    first_log, second = read_logs(text.encode().splitlines(keepends=True))
    assert verify(first_log, CODEC).untouched.record == 4
    assert verify(second, CODEC).good


# -- redacted exports ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", ["ann", "bob", None])
def test_a_viewer_verifies_a_running_game_up_to_its_head(fairdeal: Fairdeal, running: UUID, viewer: str | None) -> None:
    receipt = fairdeal.look(running).receipt
    report = verified(fairdeal.exports.export(running, viewer), (receipt,))
    assert (report.untouched.grade, report.fair.grade, report.legal.grade) == (
        Grade.YES, Grade.NOT_YET, Grade.NOT_CHECKED,
    )  # fmt: skip
    assert "1 receipts" in report.untouched.why


def test_changes_of_a_redacted_export_are_found(fairdeal: Fairdeal, running: UUID) -> None:
    lines = fairdeal.exports.export(running, "ann").splitlines(keepends=True)
    for number in range(1, len(lines) - 1):
        line = json.loads(lines[number])
        for key in ("seal", "payload", "salt", "link"):
            if key not in line:
                continue
            other = {**line, key: line[key].replace("a", "b") if "a" in line[key] else "00" * 32}
            text = json.dumps(other, ensure_ascii=False, separators=(",", ":")) + "\n"
            changed = "".join([*lines[:number], text, *lines[number + 1 :]])
            assert verified(changed).untouched.record == number, (number, key)
    assert verified("".join([*lines[:3], *lines[4:]])).untouched.record == 3
    size = "".join(lines).replace('"size":5', '"size":4')
    assert verified(size).untouched.grade is Grade.NO


def test_a_redacted_export_that_was_cut_short_shows_against_a_receipt(fairdeal: Fairdeal, running: UUID) -> None:
    short = fairdeal.exports.export(running, "ann")
    receipt = fairdeal.move(running, "bob", {"move": "end_turn"}).receipt
    report = verified(short, (receipt,))
    assert (report.untouched.grade, report.untouched.record) == (Grade.NO, receipt.version)
    other = Receipt(running, 2, "00" * 32)
    assert verified(short, (other,)).untouched.why == "a receipt shows another link"


# -- whole ledgers ---------------------------------------------------------------------------------------------------


def test_a_whole_ledger_is_one_file(fairdeal: Fairdeal, running: UUID) -> None:
    for records in recorded_games(1000):
        fairdeal.ledger.append(records)
    text = "".join(fairdeal.exports.export_all(operator=True))
    with Fairdeal("memory:") as other:
        assert len(taken_in(other, text)) == len(fairdeal.ledger.game_ids(None, 1000))
        assert "".join(other.exports.export_all(operator=True)) == text


def test_memory_does_not_grow_with_the_number_of_games(fairdeal: Fairdeal, tmp_path: Path) -> None:
    def peak(events: int) -> int:
        path = tmp_path / f"{events}.jsonl"
        for number in range(events // 200):
            fairdeal.ledger.append(recorded_game(KINDS["kings_corners"], number + 1000 * events, most=200))
        tracemalloc.start()
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(fairdeal.exports.export_all())
        assert all(report.good for report in fairdeal.audit_all())
        with Fairdeal(f"sqlite:///{tmp_path / f'{events}.db'}", cached_games=1) as other:
            assert all(imported.is_new for imported in other.exports.import_games(path))
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    small, large = peak(800), peak(6000)
    assert large < 2 * small


def test_the_kit_reads_what_it_wrote() -> None:
    records = golden("kings_corners-classic-2")
    assert said(records[0])["event"]["opener"] == "ann"
    assert first(records, "cards_dealt") > 1
