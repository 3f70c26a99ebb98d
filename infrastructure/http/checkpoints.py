"""The last signed checkpoint, kept for a while; the first one reads the whole ledger, each later one what is new."""

from functools import partial
from threading import Lock
from time import monotonic

from fairdeal.application.checkpoints.proofs import Checkpoint, NoProof, to_json
from fairdeal.application.checkpoints.tree import Sign
from fairdeal.infrastructure.checkpoints.edge_file import EdgeFile
from fairdeal.infrastructure.http.problems import HttpProblem
from fairdeal.service import Fairdeal

KEPT_SECONDS = 60.0


class SignedCheckpoints:
    """Safe to share between threads."""

    def __init__(self, fairdeal: Fairdeal, key: str | None) -> None:
        self._fairdeal = fairdeal
        self._key = key
        self._lock = Lock()
        self._made = b""
        self._until = 0.0
        self._edge = EdgeFile()

    def latest(self) -> bytes:
        if self._key is None:
            raise HttpProblem("no_checkpoint", "This server does not sign checkpoints.")
        from fairdeal.infrastructure.checkpoints.signing import sign

        with self._lock:
            if monotonic() >= self._until:
                self._made = to_json(self._grown(partial(sign, secret=self._key))).encode()
                self._until = monotonic() + KEPT_SECONDS
            return self._made

    def _grown(self, sign: Sign) -> Checkpoint:
        try:
            return self._fairdeal.checkpoints.grow(self._edge, sign)
        except NoProof:
            # A ledger that was set back: what is there now is signed from its beginning, the next time somebody asks.
            self._edge = EdgeFile()
            raise
