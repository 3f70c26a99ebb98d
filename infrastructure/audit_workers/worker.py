"""What travels between the processes of an audit, and what a process does with it."""

import pickle
import signal
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Any, Self
from uuid import UUID

from fairdeal.application.audit.ledger import audit_games
from fairdeal.application.catalogue import KINDS
from fairdeal.application.errors import LedgerError
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.record import Receipt
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.ledger.addresses import open_ledger

ID_SIZE = 16


class WorkerLost(LedgerError):
    """A process that was auditing could not be started, failed or died; the audit is not complete."""

    code = "worker_lost"


class NotSendable(LedgerError):
    """A registered game cannot be taken along by another process."""

    code = "not_sendable"


@dataclass(frozen=True, slots=True)
class WorkerTask:
    """What a process must know."""

    address: str
    games: bytes
    kept: dict[UUID, list[Receipt]]


@dataclass(frozen=True, slots=True)
class Failure:
    """An error on its way home; pickled as it is, its class would be called with the wrong arguments."""

    kind: type[LedgerError]
    args: tuple[Any, ...]
    fields: dict[str, Any]

    @classmethod
    def of(cls, error: LedgerError) -> Self:
        return cls(type(error), error.args, vars(error))

    def error(self) -> LedgerError:
        error = self.kind.__new__(self.kind, *self.args)
        vars(error).update(self.fields)
        return error


def packed(games: Mapping[str, AnyRules]) -> bytes:
    """The register of games for another process: ours by name, others as they are, but for the bots."""
    # Bots play no part in an audit, and are often made by a function that cannot be sent.
    known = {kind: None if KINDS.get(kind) is rules else replace(rules, bots={}) for kind, rules in games.items()}
    try:
        return pickle.dumps(known)
    except Exception as error:  # pickle has no error of its own for all that it cannot do
        raise _not_sendable(error) from error


def unpacked(games: bytes) -> dict[str, AnyRules]:
    try:
        known = pickle.loads(games)  # noqa: S301 — it comes from the process that started this one
    except Exception as error:
        raise _not_sendable(error) from error
    return {kind: KINDS[kind] if rules is None else rules for kind, rules in known.items()}


def _not_sendable(error: Exception) -> NotSendable:
    return NotSendable(
        f"A registered game cannot be sent to another process ({error}): build its rules from functions and classes "
        "that can be imported, or audit with jobs=1."
    )


def work(pipe: Connection, task: WorkerTask) -> None:
    """What a process does: it audits runs of games until nobody wants it any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(ConnectionError):  # nobody listens any more
        try:
            codec = Codec(unpacked(task.games))
            with closing(open_ledger(task.address, read_only=True)) as ledger:
                for run in _runs(pipe):
                    pipe.send(list(audit_games(ledger, codec, run, task.kept)))
        except LedgerError as error:
            pipe.send(Failure.of(error))
        except Exception as error:
            why = f"A process that was auditing failed ({error!r}): audit with jobs=1 to see where."
            pipe.send(Failure.of(WorkerLost(why)))


def _runs(pipe: Connection) -> Iterator[list[UUID]]:
    with suppress(EOFError, OSError):  # whoever started this process wants no more, or is gone
        while True:
            ids = pipe.recv_bytes()
            yield [UUID(bytes=ids[at : at + ID_SIZE]) for at in range(0, len(ids), ID_SIZE)]
