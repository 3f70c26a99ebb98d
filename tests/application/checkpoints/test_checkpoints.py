"""Checkpoints: an owner of the database who rewrites history, with links that fit, is found."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from fairdeal import Fairdeal, Receipt
from fairdeal.application.catalogue import KINDS
from fairdeal.application.checkpoints.ledger_walk import sound_leaves
from fairdeal.application.checkpoints.proofs import Checkpoint, NoProof, NotAProof, from_json, must_match_kept, to_plain
from fairdeal.application.checkpoints.tree import (
    make_checkpoint,
    must_still_hold,
    prove_consistency,
    prove_inclusion,
)
from fairdeal.application.errors import LedgerError
from fairdeal.infrastructure.checkpoints.signing import BadKey, is_signed, new_keys, sign
from fairdeal.testing.recorded import CODEC, recorded_game
from kits.audit import forged

AT = "2026-01-01T00:00:00Z"


def checkpoint_of(fairdeal: Fairdeal) -> Checkpoint:
    return make_checkpoint(fairdeal.ledger, fairdeal.codec, AT)


@pytest.fixture
def filled(fairdeal: Fairdeal) -> Fairdeal:
    for number in range(3):
        fairdeal.ledger.append(recorded_game(KINDS["kings_corners"], number, most=40))
    return fairdeal


def rewrite(fairdeal: Fairdeal, path: Path) -> None:
    """The owner changes a name in the first game and makes all links of that game fit again."""
    (_, record), *_ = fairdeal.ledger.since(0, 1)
    log = forged(fairdeal.ledger.records(record.game_id), 2, lambda payload: payload["event"].update(player="amy"))
    with sqlite3.connect(path) as database:
        for changed in log:
            database.execute(
                "UPDATE stored_events SET state=? WHERE originator_id=? AND originator_version=?",
                (changed.link + changed.payload, changed.game_id.hex, changed.version),
            )
    database.close()


def test_an_empty_ledger_has_a_checkpoint(fairdeal: Fairdeal) -> None:
    assert (checkpoint_of(fairdeal).size, checkpoint_of(fairdeal).position) == (0, 0)
    must_still_hold(fairdeal.ledger, CODEC, checkpoint_of(fairdeal))


def test_there_is_one_leaf_for_each_batch(filled: Fairdeal) -> None:
    found = list(sound_leaves(filled.ledger, CODEC, filled.ledger.head()))
    batches = sum(CODEC.batch(record) is not None for _, record in filled.ledger.since(0, 1000))
    assert len(found) == batches == checkpoint_of(filled).size
    assert found[-1].position == filled.ledger.head()


def test_a_checkpoint_still_holds_when_the_ledger_has_grown(filled: Fairdeal) -> None:
    old = checkpoint_of(filled)
    filled.start_game("pardon", ["ann", "bob"])
    must_still_hold(filled.ledger, CODEC, old)
    new = checkpoint_of(filled)
    assert prove_consistency(filled.ledger, CODEC, old, new).holds()
    assert prove_consistency(filled.ledger, CODEC, replace(old, size=0), new).holds()


def test_every_receipt_can_be_proved_to_be_in_it(filled: Fairdeal) -> None:
    receipt = filled.start_game("pardon", ["ann", "bob"]).receipt
    proof = prove_inclusion(filled.ledger, CODEC, checkpoint_of(filled), receipt)
    assert proof.holds()
    assert not replace(proof, version=proof.version + 1).holds()
    assert not replace(proof, link="00" * 32).holds()


def test_an_owner_who_rewrites_history_is_found(filled: Fairdeal, tmp_path: Path) -> None:
    old = checkpoint_of(filled)
    receipt = filled.look(filled.ledger.game_ids(None, 1)[0]).receipt
    (_, record), *_ = filled.ledger.since(0, 1)
    kept = Receipt(record.game_id, 6, filled.ledger.records(record.game_id)[5].link.hex())
    assert prove_inclusion(filled.ledger, CODEC, old, kept).holds()
    rewrite(filled, tmp_path / "games.db")
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as fresh:
        assert fresh.audit(record.game_id).untouched.grade == "yes", "the links fit"
        with pytest.raises(NoProof, match="its history was changed"):
            must_still_hold(fresh.ledger, CODEC, old)
        fresh.start_game("pardon", ["ann", "bob"])
        with pytest.raises(NoProof, match="its history was changed"):
            prove_consistency(fresh.ledger, CODEC, old, checkpoint_of(fresh))
        with pytest.raises(NoProof):
            prove_inclusion(fresh.ledger, CODEC, old, kept)
        with pytest.raises(NoProof):
            prove_inclusion(fresh.ledger, CODEC, old, receipt)


def test_an_owner_who_cuts_the_end_off_is_found(filled: Fairdeal, tmp_path: Path) -> None:
    old = checkpoint_of(filled)
    with sqlite3.connect(tmp_path / "games.db") as database:
        database.execute("DELETE FROM stored_events WHERE rowid > ?", (filled.ledger.head() - 1,))
    database.close()
    with pytest.raises(NoProof, match="its end was cut off"):
        must_still_hold(filled.ledger, CODEC, old)
    with pytest.raises((NoProof, LedgerError)):
        prove_consistency(filled.ledger, CODEC, old, replace(old, size=old.size))


def test_signatures() -> None:
    secret, public = new_keys()
    signed = sign(Checkpoint(3, "ab" * 32, 9, AT), secret)
    assert is_signed(signed, public)
    assert not is_signed(signed, new_keys()[1])
    assert not is_signed(replace(signed, size=4), public)
    assert not is_signed(replace(signed, signature=""), public)
    assert not is_signed(replace(signed, signature="xyz"), public)
    for bad in ("", "zz", "00"):
        with pytest.raises(BadKey):
            is_signed(signed, bad)


def test_files_are_recognised_by_their_content(filled: Fairdeal) -> None:
    import json

    checkpoint = checkpoint_of(filled)
    receipt = filled.start_game("pardon", ["ann", "bob"]).receipt
    new = checkpoint_of(filled)
    for evidence in (
        checkpoint,
        prove_inclusion(filled.ledger, CODEC, new, receipt),
        prove_consistency(filled.ledger, CODEC, checkpoint, new),
    ):
        assert from_json(json.dumps(to_plain(evidence)).encode()) == evidence


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b"{}", b'{"fairdeal":"poem"}', b'{"fairdeal":"checkpoint"}', b"\xff", b'{"fairdeal":' + b"[" * 9999],
)
def test_other_files_are_refused(text: bytes) -> None:
    with pytest.raises(NotAProof):
        from_json(text)


# -- proofs that somebody made to suit -------------------------------------------------------------------------------


def test_a_proof_that_holds_no_numbers_does_not_hold(filled: Fairdeal) -> None:
    receipt = filled.start_game("pardon", ["ann", "bob"]).receipt
    new = checkpoint_of(filled)
    proof = prove_inclusion(filled.ledger, CODEC, new, receipt)
    for changed in (
        replace(proof, position=-1), replace(proof, position=2**64), replace(proof, index=-1),
        replace(proof, version=2**64), replace(proof, version=-1), replace(proof, game="x"), replace(proof, link="x"),
        replace(proof, path=("x",)), replace(proof, path=()), replace(proof, checkpoint=replace(new, root="x")),
        replace(proof, checkpoint=replace(new, size=0)), replace(proof, checkpoint=replace(new, size=-5)),
    ):  # fmt: skip
        assert not changed.holds()
    assert not replace(prove_consistency(filled.ledger, CODEC, new, new), path=("x",)).holds()


def test_an_owner_who_signs_a_second_monday_is_found_by_who_kept_the_first(filled: Fairdeal, tmp_path: Path) -> None:
    monday = checkpoint_of(filled)
    rewrite(filled, tmp_path / "games.db")
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as fresh:
        second_monday = checkpoint_of(fresh)
        fresh.start_game("pardon", ["ann", "bob"])
        tuesday = checkpoint_of(fresh)
        proof = prove_consistency(fresh.ledger, CODEC, second_monday, tuesday)
    assert proof.holds(), "it is consistent in itself"
    with pytest.raises(NoProof, match="two histories"):
        must_match_kept(proof, [monday, tuesday], ())
    with pytest.raises(NoProof, match="not among the given ones"):
        must_match_kept(proof, [tuesday], ())
    with pytest.raises(NoProof, match="two histories"):
        must_match_kept(monday, [monday, second_monday], ())
    must_match_kept(proof, [second_monday, tuesday], ())
    must_match_kept(proof, (), ())


def test_a_proof_of_another_record_is_not_one_of_mine(filled: Fairdeal) -> None:
    mine, other = (filled.start_game("pardon", ["ann", "bob"]).receipt for _ in range(2))
    new = checkpoint_of(filled)
    proof = prove_inclusion(filled.ledger, CODEC, new, other)
    with pytest.raises(NoProof, match="no receipt was given"):
        must_match_kept(proof, [new], [mine])
    must_match_kept(proof, [new], [mine, other])
