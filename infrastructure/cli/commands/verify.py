"""`fairdeal verify`: verdicts on files, without any ledger."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from fairdeal.application.checkpoints.proofs import (
    Checkpoint,
    Evidence,
    InclusionProof,
    NoProof,
    NotAProof,
    from_json,
    to_plain,
)
from fairdeal.application.errors import NotAnExport
from fairdeal.application.exports.format import is_export
from fairdeal.application.log.record import Receipt
from fairdeal.infrastructure.cli.commands.checkpoint import KeyOption, public_key
from fairdeal.infrastructure.cli.options import JsonOption, ReceiptOption, file_at, receipts_of, verified
from fairdeal.infrastructure.cli.output import (
    FAILED,
    FOUND,
    GOOD,
    CannotDo,
    print_error,
    say_json,
    say_line,
    show,
    unused,
    worst,
)

BEGINNING = 100
"""Bytes that are enough to tell exports from proofs."""


def verify(
    files: Annotated[list[Path], typer.Argument(help="Exported games, checkpoints, proofs.")],
    receipt: ReceiptOption = None,
    key: KeyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Verifies files without any ledger: exported games, signed checkpoints, proofs of inclusion and consistency.

    Proofs must speak of the checkpoints and the receipts that are given with them. A kept export of a running game must
    have shown what a whole export of that game, given with it, has opened.

    Exit status: 0 all of them hold, 1 one does not, 2 one could not be read, or a receipt is of a
    game that is not in them, 4 the rules of a game are not at hand.
    """
    receipts = receipts_of(receipt)
    evidence, unread = _evidence_in([file for file in files if not _is_export(file)], as_json=as_json)
    kept = [found for found in evidence.values() if isinstance(found, Checkpoint)]
    public = _key_for(evidence, key)
    statuses = {FAILED} if unread else {GOOD}
    exports = [file for file in files if file not in evidence and file not in unread]
    games = {UUID(found.game) for found in evidence.values() if isinstance(found, InclusionProof) and _is_id(found)}
    for file in files:
        if file in evidence:
            fault = _fault(evidence[file], public, kept, receipts)
            statuses.add(GOOD if _shown(file, evidence[file], fault, as_json=as_json) else FOUND)
        elif file not in unread:
            statuses.add(_verify_export(file, receipts, exports, games, as_json=as_json))
    statuses.add(unused(receipts, games, as_json=as_json))
    if worst(statuses):
        raise typer.Exit(worst(statuses))


def _is_id(proof: InclusionProof) -> bool:
    try:
        return bool(UUID(proof.game))
    except ValueError:
        return False


def _evidence_in(files: Sequence[Path], *, as_json: bool) -> tuple[dict[Path, Evidence], set[Path]]:
    """What these files hold, and those that hold nothing that can be read: the others are verified all the same."""
    found: dict[Path, Evidence] = {}
    for file in files:
        try:
            found[file] = from_json(file.read_bytes())
        except NotAProof as error:
            print_error(NotAProof(f"{file}: {error.message}"), as_json=as_json)
    return found, set(files) - found.keys()


def _is_export(file: Path) -> bool:
    with file_at(file).open("rb") as beginning:
        return is_export(beginning.read(BEGINNING))


def _verify_export(
    file: Path, receipts: Sequence[Receipt], exports: Sequence[Path], games: set[UUID], *, as_json: bool
) -> int:
    """Redacted logs are compared with whole ones of the same games, if these are among the files."""
    status = GOOD
    try:
        for report in verified(file, receipts, [other for other in exports if other != file]):
            games.add(report.game_id)
            status = worst((status, show(report, file=file, as_json=as_json)))
    except NotAnExport as error:
        print_error(NotAnExport(f"{file}: {error.message}"), as_json=as_json)
        status = FAILED
    return status


def _shown(file: Path, evidence: Evidence, fault: str | None, *, as_json: bool) -> bool:
    """Says whether a checkpoint is signed and a proof holds."""
    what = to_plain(evidence)["fairdeal"]
    if as_json:
        say_json({"file": str(file), "what": what, "good": fault is None, "why": fault or _meaning(evidence)})
    else:
        say_line(f"{file}  {what}")
        say_line(f"  yes: {_meaning(evidence)}" if fault is None else f"  no: {fault}")
    return fault is None


def _key_for(evidence: Collection[Path], key: str | None) -> str:
    """Evidence is worth nothing without the key of who signed it."""
    if evidence and key is None:
        raise CannotDo("Give the public key of the signer with --key.")
    return "" if key is None else public_key(key)


def _fault(evidence: Evidence, public: str, kept: Sequence[Checkpoint], receipts: Sequence[Receipt]) -> str | None:
    from fairdeal.infrastructure.checkpoints.signing import must_prove

    try:
        must_prove(evidence, public, kept=kept, receipts=receipts)
    except NoProof as error:
        return error.message
    return None


def _meaning(evidence: Evidence) -> str:
    match evidence:
        case Checkpoint():
            return f"signed {evidence.at} over {evidence.size} batches, up to position {evidence.position}"
        case InclusionProof():
            where = f"version {evidence.version} of game {evidence.game}"
            return f"{where} is in the checkpoint of {evidence.checkpoint.at}"
        case _:
            return f"the checkpoint of {evidence.new.at} continues the one of {evidence.old.at}"
