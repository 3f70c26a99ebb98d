"""What auditors import: files verified without a ledger, and what audits, replays and proofs are made of."""

from fairdeal.application.differences import Difference, Parting
from fairdeal.application.evidence import (
    Checkpoint,
    ConsistencyProof,
    InclusionProof,
    NoProof,
    from_json,
    must_be_about,
    to_json,
)
from fairdeal.application.logfile import Line
from fairdeal.application.records import Receipt, Record
from fairdeal.application.replay import Frame, Replay
from fairdeal.application.verdicts import Grade, Report, Verdict
from fairdeal.domain.kernel.places import Place
from fairdeal.infrastructure.files import verify_file

__all__ = [
    "Checkpoint", "ConsistencyProof", "Difference", "Frame", "Grade", "InclusionProof", "Line", "NoProof", "Parting",
    "Place", "Receipt", "Record", "Replay", "Report", "Verdict", "from_json", "must_be_about", "to_json", "verify_file",
]  # fmt: skip
