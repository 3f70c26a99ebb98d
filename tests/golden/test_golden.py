"""Stored games still replay after the code has changed: every golden log, to the same end."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from fairdeal.application.audit.game import audit
from fairdeal.application.audit.verdicts import Grade
from fairdeal.application.catalogue import KINDS
from fairdeal.application.exports.format import read_export
from fairdeal.application.log.codec import Codec
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.testing import changed
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


def must_be_good(log: Path, kinds: Mapping[str, AnyRules] = KINDS) -> None:
    """What the audit says of a log by the rules of its time, and what it may say when the game has newer ones."""
    records, codec = read_export(log.read_text(encoding="utf-8")), Codec(kinds)
    report = audit(records, codec)
    assert report.untouched.grade is Grade.YES, report.untouched
    decided_by = {batch.rules for batch in map(codec.batch, records) if batch is not None}
    rules = kinds[report.kind].version
    if decided_by != {rules}:
        # It cannot be decided again here; it must never be called illegal or unfair for that.
        assert (report.fair.grade, report.legal.grade) == (Grade.NOT_CHECKED, Grade.NOT_CHECKED), report
        assert report.fair.why == report.legal.why == f"rules {min(decided_by)}, here {rules}"
        return
    ending = log.stem.partition("-")[2]
    assert report.fair.grade is GRADES.get(ending, Grade.SEALED), report.fair
    if GRADES.get(ending) is Grade.BRANCHED:  # an export holds one game, so its origin is not at hand
        assert report.legal.grade is Grade.NOT_CHECKED, report.legal
        assert "not at hand" in report.legal.why
    else:
        assert report.legal.grade is Grade.YES, report.legal


@pytest.mark.parametrize("log", LOGS, ids=[log.stem for log in LOGS])
def test_a_golden_log_passes_the_audit_and_the_independent_verifier(log: Path) -> None:
    must_be_good(log)
    VERIFIER.verify(log.read_text(encoding="utf-8"))


@pytest.mark.parametrize("log", LOGS, ids=[log.stem for log in LOGS])
def test_a_golden_log_is_not_checked_when_its_game_gets_newer_rules(log: Path) -> None:
    must_be_good(log, {kind: changed(rules, version=rules.version + 1) for kind, rules in KINDS.items()})


def test_a_given_deck_that_was_compared_with_what_others_brought_stays_legal_by_the_house_rules_of_its_time() -> None:
    must_be_good(FOLDER / "tcg-others_deck.jsonl")


def test_a_branch_by_the_second_house_rules_is_not_called_illegal() -> None:
    must_be_good(FOLDER / "red7-branch_2.jsonl")


def test_every_game_has_golden_logs_in_every_preset_and_of_every_ending() -> None:
    missing = {name for name, *_ in wanted()} - {log.name for log in LOGS}
    assert not missing, "run `python -m golden.make` in tests/ and commit what it makes"
