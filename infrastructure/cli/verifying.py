"""`fairdeal verify`: verdicts on files, without any ledger."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from fairdeal.application.evidence import (
    Checkpoint,
    Evidence,
    InclusionProof,
    NoProof,
    checkpoints_in,
    from_json,
    must_be_about,
    to_plain,
)
from fairdeal.application.logfile import is_export
from fairdeal.application.records import Receipt
from fairdeal.infrastructure.cli.checkpoints import KeyOption, is_signed_by
from fairdeal.infrastructure.cli.common import (
    FOUND,
    JsonOption,
    ReceiptOption,
    file_at,
    mention_unused,
    receipts_of,
    say,
    say_json,
    show,
)
from fairdeal.infrastructure.files import verify_file

BEGINNING = 100
"""Bytes that are enough to tell exports from proofs."""


def verify(
    files: Annotated[list[Path], typer.Argument(help="Exported games, checkpoints, proofs.")],
    receipt: ReceiptOption = None,
    key: KeyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Verifies files without any ledger: exported games, signed checkpoints, proofs of inclusion and consistency.

    Proofs must speak of the checkpoints and the receipts that are given with them.

    Exit status: 0 all of them hold, 1 one does not, 2 one could not be read.
    """
    receipts = receipts_of(receipt)
    evidence = {file: from_json(file_at(file).read_bytes()) for file in files if not _is_export(file)}
    kept = [found for found in evidence.values() if isinstance(found, Checkpoint)]
    good = True
    for file in files:
        if file in evidence:
            fault = _fault(evidence[file], key, kept, receipts)
            good = _shown(file, evidence[file], fault, as_json=as_json) and good
        else:
            good = _verify_export(file, receipts, as_json=as_json) and good
    if not good:
        raise typer.Exit(FOUND)


def _is_export(file: Path) -> bool:
    with file_at(file).open("rb") as beginning:
        return is_export(beginning.read(BEGINNING))


def _verify_export(file: Path, receipts: Sequence[Receipt], *, as_json: bool) -> bool:
    good = [(report.game_id, show(report, as_json=as_json)) for report in verify_file(file, receipts)]
    if not as_json:
        mention_unused(receipts, {game for game, _ in good})
    return all(holds for _, holds in good)


def _shown(file: Path, evidence: Evidence, fault: str | None, *, as_json: bool) -> bool:
    """Says whether a checkpoint is signed and a proof holds."""
    what = to_plain(evidence)["fairdeal"]
    if as_json:
        say_json({"file": str(file), "what": what, "good": fault is None, "why": fault})
    else:
        say(f"{file}  {what}\n  {_meaning(evidence) if fault is None else f'no: {fault}'}")
    return fault is None


def _fault(evidence: Evidence, key: str | None, kept: Sequence[Checkpoint], receipts: Sequence[Receipt]) -> str | None:
    for checkpoint in checkpoints_in(evidence):
        if not is_signed_by(checkpoint, key):
            return f"the checkpoint of {checkpoint.at} is not signed by this key"
    if not isinstance(evidence, Checkpoint) and not evidence.holds():
        return "the proof does not lead to the root of the checkpoint"
    try:
        must_be_about(evidence, kept, receipts)
    except NoProof as error:
        return error.message
    return None


def _meaning(evidence: Evidence) -> str:
    match evidence:
        case Checkpoint():
            return f"yes: signed {evidence.at} over {evidence.size} batches, up to position {evidence.position}"
        case InclusionProof():
            where = f"version {evidence.version} of game {evidence.game}"
            return f"yes: {where} is in the checkpoint of {evidence.checkpoint.at}"
        case _:
            return f"yes: the checkpoint of {evidence.new.at} continues the one of {evidence.old.at}"
