"""What the read side refuses or cannot do yet: each its own class with a stable code."""

from collections.abc import Sequence

from fairdeal.domain.kernel.refusals import FairdealError


class ReadModelError(FairdealError):
    """The read models cannot be opened, read or written; the ledger is not touched by that."""

    code = "read_model_error"


class NotCaughtUp(ReadModelError):
    """The read models did not reach the wanted position in time; asking again later is safe."""

    code = "not_caught_up"

    def __init__(self, reached: int, wanted: int) -> None:
        super().__init__(f"The read models are at position {reached} and did not reach {wanted} in time: ask again.")
        self.reached = reached
        self.wanted = wanted


class ReadModelsRolledBack(ReadModelError):
    """The ledger no longer holds what these read models were made from; they are made anew, so ask again."""

    code = "ledger_rolled_back"

    def __init__(self, projections: Sequence[str], position: int) -> None:
        whose = ", ".join(projections)
        super().__init__(
            f"The ledger no longer holds the record at position {position}, to which {whose} had come: it was set back "
            "to an earlier state, or it is another one. What was made from it has been removed and is made anew from "
            "what is there: ask again."
        )
        self.projections = tuple(projections)
        self.position = position


class NewerReadModel(ReadModelError):
    """A newer program keeps these tables; this one must not write or read them any more."""

    code = "newer_read_model"
