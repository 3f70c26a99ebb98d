"""How well the parts of a service work, for those who watch over it."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from fairdeal.domain.kernel.refusals import FairdealError


@dataclass(frozen=True, slots=True)
class Check:
    """One part, and how long it took to answer."""

    name: str
    code: str
    """`ok`, or the code of the error."""
    milliseconds: float
    error: FairdealError | None = None


@dataclass(frozen=True, slots=True)
class Health:
    """The service is ready if all of its parts are."""

    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        return all(check.error is None for check in self.checks)

    def must_be_ok(self) -> None:
        """Raises the first thing that is wrong."""
        for check in self.checks:
            if check.error is not None:
                raise check.error


def checked(name: str, ask: Callable[[], object]) -> Check:
    """Asks a part something that it can only answer when it works."""
    began, error = perf_counter(), None
    try:
        ask()
    except FairdealError as refused:
        error = refused
    return Check(name, "ok" if error is None else error.code, round((perf_counter() - began) * 1000, 3), error)
