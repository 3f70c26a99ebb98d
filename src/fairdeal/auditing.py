"""What auditors import: files verified without a ledger, and what audits, replays and proofs are made of."""

from fairdeal.application.audit.verdicts import Grade, Report, Verdict
from fairdeal.application.checkpoints.proofs import (
    Checkpoint,
    ConsistencyProof,
    InclusionProof,
    NoProof,
    from_json,
    must_match_kept,
    to_json,
)
from fairdeal.application.exports.divergence import Divergence
from fairdeal.application.exports.format import RecordLine
from fairdeal.application.history.diff import Difference
from fairdeal.application.history.replay import Frame, Replay
from fairdeal.application.log.record import Receipt, Record
from fairdeal.domain.kernel.places import Place
from fairdeal.infrastructure.export_files import verify_file

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
    "from_json",
    "must_match_kept",
    "to_json",
    "verify_file",
]  # fmt: skip
