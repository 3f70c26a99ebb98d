"""The library of auditors: logs by id or file, where two of them part, files without a ledger, checkpoints."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest

from fairdeal import Fairdeal, Receipt, UnknownGame, UnknownPlayer
from fairdeal.application.catalogue import KINDS
from fairdeal.application.checkpoints.proofs import Evidence
from fairdeal.application.errors import NotAnExport
from fairdeal.auditing import Checkpoint, Divergence, Grade, NoProof, check_proof, verify_file
from fairdeal.signing import new_keys, sign
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
    found = house.divergence(ID, OTHER[0].game_id)
    assert isinstance(found, Divergence)
    assert found.version == 1
    assert found.one is not None
    assert found.other is not None
    assert (found.one.link, found.other.link) == (GAME[0].link.hex(), OTHER[0].link.hex())


def test_of_a_running_game_only_who_asks_for_everything_sees_everything(house: Fairdeal, tmp_path: Path) -> None:
    running = recorded_game(KINDS["pardon"], 2, most=12)
    house.ledger.append(running)
    kept = tmp_path / "kept.jsonl"
    kept.write_text(house.exports.export(running[0].game_id, operator=True), encoding="utf-8")
    seed = house.codec.seed_of(running[0]).hex()
    for viewer in (None, "ann"):
        assert seed not in repr(house.divergence(running[0].game_id, ID, viewer))
        assert seed not in repr(house.divergence(kept, ID, viewer))
    assert seed in repr(house.divergence(running[0].game_id, ID, everything=True))


def test_a_receipt_whose_game_is_not_in_the_file_is_a_finding(file: Path) -> None:
    other = Receipt(OTHER[0].game_id, 1, OTHER[0].link.hex())
    one, missing = verify_file(file, [RECEIPT, other])
    assert one.good
    assert (missing.game_id, missing.untouched.grade) == (other.game_id, Grade.NO)


def test_a_proof_is_checked_completely_by_one_function(house: Fairdeal) -> None:
    (secret, public), (_, stranger) = new_keys(), new_keys()
    monday = sign(house.checkpoints.make(), secret)
    proof = house.checkpoints.prove_inclusion(monday, RECEIPT)
    check_proof(proof, public, kept=[monday], receipts=[RECEIPT])
    house.start_game("pardon", ["ann", "bob"])
    tuesday = sign(house.checkpoints.make(), secret)
    check_proof(house.checkpoints.prove_consistency(monday, tuesday), public, kept=[monday, tuesday])
    bad: list[tuple[Evidence, str, list[Checkpoint], list[Receipt]]] = [
        (proof, stranger, [monday], [RECEIPT]),
        (replace(proof, path=proof.path[1:]), public, [monday], [RECEIPT]),
        (proof, public, [tuesday], [RECEIPT]),
        (proof, public, [monday], [Receipt(ID, 1, "00" * 32)]),
        (replace(monday, size=1), public, [], []),
    ]
    for evidence, key, kept, receipts in bad:
        with pytest.raises(NoProof):
            check_proof(evidence, key, kept=kept, receipts=receipts)


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


def test_who_does_not_sit_there_has_no_eyes_of_their_own(house: Fairdeal) -> None:
    for look_at in (house.replay, house.exports.export):
        with pytest.raises(UnknownPlayer):
            look_at(ID, "zed")
