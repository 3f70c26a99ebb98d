"""Stored games still replay after the code has changed: every golden log, to the same end."""

import json
from pathlib import Path

import pytest

from fairdeal.application.audit.game import audit
from fairdeal.application.audit.verdicts import Grade
from fairdeal.application.catalogue import KINDS
from fairdeal.application.exports.format import read_export
from fairdeal.application.log.codec import Codec
from golden.make import DIGESTS, FOLDER, end_digest, wanted
from kits.verifier import VERIFIER

LOGS = sorted(FOLDER.glob("*.jsonl"))
CODEC = Codec(KINDS)
GRADES = {
    "abandoned": Grade.OPERATORS_WORD,
    "given_deck": Grade.GIVEN_DECK,
    "branch": Grade.BRANCHED,
    "branch_2": Grade.BRANCHED,
    "late": Grade.OPERATORS_WORD,
    "withheld": Grade.NOT_CHECKED,
    "voided": Grade.OPERATORS_WORD,
    "others_deck": Grade.GIVEN_DECK,
}


@pytest.mark.parametrize("log", LOGS, ids=[log.stem for log in LOGS])
def test_a_golden_log_replays_to_the_same_end(log: Path) -> None:
    digests = json.loads(DIGESTS.read_text(encoding="utf-8"))
    assert end_digest(read_export(log.read_text(encoding="utf-8")), CODEC) == digests[log.name]


@pytest.mark.parametrize("log", LOGS, ids=[log.stem for log in LOGS])
def test_a_golden_log_passes_the_audit_and_the_independent_verifier(log: Path) -> None:
    text = log.read_text(encoding="utf-8")
    report = audit(read_export(text), CODEC)
    assert report.untouched.grade is Grade.YES, report.untouched
    assert report.fair.grade is GRADES.get(log.stem.partition("-")[2], Grade.SEALED), report.fair
    # A log of older rules cannot be decided again here; it must never be called illegal for that.
    assert report.legal.grade in (Grade.YES, Grade.NOT_CHECKED), report.legal
    VERIFIER.verify(text)


def test_a_given_deck_that_was_compared_with_what_others_brought_stays_legal_by_the_house_rules_of_its_time() -> None:
    report = audit(read_export((FOLDER / "tcg-others_deck.jsonl").read_text(encoding="utf-8")), CODEC)
    assert report.legal.grade is Grade.YES, report.legal


def test_a_branch_by_the_second_house_rules_is_not_called_illegal() -> None:
    report = audit(read_export((FOLDER / "red7-branch_2.jsonl").read_text(encoding="utf-8")), CODEC)
    assert report.legal.grade is Grade.NOT_CHECKED, report.legal
    assert "not at hand" in report.legal.why


def test_every_game_has_golden_logs_in_every_preset_and_of_every_ending() -> None:
    missing = {name for name, *_ in wanted()} - {log.name for log in LOGS}
    assert not missing, "run `python -m golden.make` in tests/ and commit what it makes"
