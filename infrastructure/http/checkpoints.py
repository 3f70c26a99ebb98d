"""The last signed checkpoint: making one reads the whole ledger, so it is kept for a while."""

from threading import Lock
from time import monotonic

from fairdeal.application.checkpoints.proofs import to_json
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

    def latest(self) -> bytes:
        if self._key is None:
            raise HttpProblem("no_checkpoint", "This server signs no checkpoints.")
        from fairdeal.infrastructure.signing import sign

        with self._lock:
            if monotonic() >= self._until:
                self._made = to_json(sign(self._fairdeal.checkpoints.make(), self._key)).encode()
                self._until = monotonic() + KEPT_SECONDS
            return self._made
