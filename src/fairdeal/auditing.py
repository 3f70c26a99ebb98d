"""What auditors import: files verified without a ledger, and what audits, replays and proofs are made of."""

from collections.abc import Collection

from fairdeal.application.audit.verdicts import Grade, Report, Verdict
from fairdeal.application.checkpoints.proofs import (
    Checkpoint,
    ConsistencyProof,
    Evidence,
    InclusionProof,
    NoProof,
    from_json,
    must_match_kept,
    to_json,
)
from fairdeal.application.errors import must_be
from fairdeal.application.exports.divergence import Divergence
from fairdeal.application.exports.format import RecordLine
from fairdeal.application.history.diff import Difference
from fairdeal.application.history.replay import Frame, Replay
from fairdeal.application.log.record import Receipt, Record
from fairdeal.domain.kernel.places import Place
from fairdeal.infrastructure.export_files import verify_file


def check_proof(
    evidence: Evidence, public: str, *, kept: Collection[Checkpoint] = (), receipts: Collection[Receipt] = ()
) -> None:
    """The complete check of a checkpoint or a proof, by its signer's public key; raises NoProof if it proves nothing.

    Give the checkpoints and the receipt that you kept: a proof speaks of those inside it, and only a comparison with
    yours shows a house that signed two histories. Needs the extra `checkpoints`.
    """
    from fairdeal.infrastructure.checkpoints.signing import must_prove

    must_be("evidence", evidence, Evidence, "a checkpoint or a proof")
    must_be("public", public, str, "a key")
    for checkpoint in kept:
        must_be("kept", checkpoint, Checkpoint, "a checkpoint")
    for receipt in receipts:
        must_be("receipts", receipt, Receipt, "a receipt")
    must_prove(evidence, public, kept=kept, receipts=receipts)


__all__ = [
    "Checkpoint",
    "ConsistencyProof",
    "Difference",
    "Divergence",
    "Frame",
    "Grade",
    "InclusionProof",
    "NoProof",
    "Place",
    "Receipt",
    "Record",
    "RecordLine",
    "Replay",
    "Report",
    "Verdict",
    "check_proof",
    "from_json",
    "must_match_kept",
    "to_json",
    "verify_file",
]  # fmt: skip
