"""What the read side refuses or cannot do yet: each its own class with a stable code."""

from collections.abc import Sequence

from fairdeal.application.errors import FieldFault
from fairdeal.domain.kernel.errors import FairdealError


class ReadModelError(FairdealError):
    """The read models cannot be opened, read or written; the ledger is not touched by that."""

    code = "read_model_error"


class InvalidQuery(FairdealError):
    """A question that cannot be understood; `faults` names each field and what was expected."""

    code = "invalid_query"

    def __init__(self, faults: Sequence[FieldFault]) -> None:
        super().__init__("; ".join(f"{fault.field}: {fault.message}" for fault in faults))
        self.faults = tuple(faults)


class NotCaughtUp(ReadModelError):
    """The read models did not reach the wanted position in time; asking again later is safe."""

    code = "not_caught_up"

    def __init__(self, reached: int, wanted: int) -> None:
        super().__init__(f"The read models are at position {reached} and did not reach {wanted} in time: ask again.")
        self.reached = reached
        self.wanted = wanted


class NewerReadModel(ReadModelError):
    """A newer program keeps these tables; this one must not write or read them any more."""

    code = "newer_read_model"
