"""The library of auditors: logs by id or file, where two of them part, files without a ledger, checkpoints."""

from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest

from fairdeal import Fairdeal, Receipt, UnknownGame, UnknownPlayer
from fairdeal.application.catalogue import KINDS
from fairdeal.application.errors import NotAnExport
from fairdeal.auditing import Divergence, Grade, NoProof, verify_file
from fairdeal.testing.recorded import recorded_game

GAME = recorded_game(KINDS["pardon"])
OTHER = recorded_game(KINDS["pardon"], 1)
ID = GAME[0].game_id
RECEIPT = Receipt(ID, len(GAME), GAME[-1].link.hex())


@pytest.fixture
def house(fairdeal: Fairdeal) -> Fairdeal:
    fairdeal.ledger.append(GAME)
    fairdeal.ledger.append(OTHER)
    return fairdeal


@pytest.fixture
def file(house: Fairdeal, tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_bytes(house.exports.export(ID).encode())
    return path


def test_a_log_is_the_same_by_its_id_and_from_its_file(house: Fairdeal, file: Path) -> None:
    assert list(house.records(file)) == list(house.records(ID)) == GAME
    assert house.divergence(ID, file) is None
    for version in (5, len(GAME)):
        assert house.replay(file, "ann").go_to(version) == house.replay(ID, "ann").go_to(version)


def test_two_logs_part_at_the_first_record_that_differs(house: Fairdeal) -> None:
    assert house.divergence(ID, OTHER[0].game_id) == Divergence(1, GAME[0], OTHER[0])


def test_what_is_not_there_is_an_error(house: Fairdeal, tmp_path: Path) -> None:
    with pytest.raises(UnknownGame):
        house.replay(uuid4())
    with pytest.raises(FileNotFoundError):
        house.replay(tmp_path / "none.jsonl")
    both = tmp_path / "both.jsonl"
    both.write_text("".join(house.exports.export_all()), encoding="utf-8")
    with pytest.raises(NotAnExport, match="more than one game"):
        house.divergence(ID, both)


def test_every_game_of_a_file_is_verified_without_a_ledger(house: Fairdeal, tmp_path: Path) -> None:
    both = tmp_path / "both.jsonl"
    both.write_text("".join(house.exports.export_all()), encoding="utf-8")
    reports = {report.game_id: report for report in verify_file(both, [RECEIPT])}
    assert reports.keys() == {ID, OTHER[0].game_id}
    assert all(report.good for report in reports.values())
    assert reports[ID].untouched.why.endswith(" 1 receipts")


def test_a_file_of_a_game_that_is_not_registered_is_untouched_and_no_more(file: Path) -> None:
    (report,) = verify_file(file, games={})
    assert (report.untouched.grade, report.legal.grade) == (Grade.YES, Grade.NOT_CHECKED)


def test_a_checkpoint_bears_the_time_of_the_house_and_holds_until_somebody_cuts_the_ledger(tmp_path: Path) -> None:
    noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    with Fairdeal(f"sqlite:///{tmp_path / 'long.db'}", clock=lambda: noon) as house:
        house.ledger.append(GAME)
        house.ledger.append(OTHER)
        checkpoint = house.checkpoints.make()
        house.checkpoints.must_still_hold(checkpoint)
        assert checkpoint.at == "2026-05-01T12:00:00Z"
    with Fairdeal(f"sqlite:///{tmp_path / 'short.db'}") as house:
        house.ledger.append(GAME)
        with pytest.raises(NoProof, match="cut off"):
            house.checkpoints.must_still_hold(checkpoint)


def test_a_game_is_known_by_its_id_also_as_text(house: Fairdeal, file: Path) -> None:
    assert house.audit(str(ID)) == house.audit(ID)
    assert house.look(str(ID)) == house.look(ID)
    assert house.replay(str(ID)).story() == house.replay(ID).story()
    assert house.exports.export(str(ID)) == house.exports.export(ID)
    assert [imported.is_new for imported in house.exports.import_games(str(file))] == [False]
    for nonsense in ("", "x", 7, None):
        with pytest.raises(UnknownGame):
            house.audit(nonsense)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_who_does_not_sit_there_has_no_eyes_of_his_own(house: Fairdeal) -> None:
    for look_at in (house.replay, house.exports.export):
        with pytest.raises(UnknownPlayer):
            look_at(ID, "zed")
