"""What can be agreed before a game of Pardon: when it is drawn for want of progress."""

from dataclasses import dataclass

from fairdeal.domain.kernel.refusals import refusal
from fairdeal.domain.pardon.refusals import Refusal


@dataclass(frozen=True, slots=True)
class PardonOptions:
    """After how many actions in a row without progress the game is drawn (RULES 7); None: never."""

    no_progress_limit: int | None = 200


PRESETS: dict[str, PardonOptions] = {"classic": PardonOptions()}


def check_options(options: PardonOptions) -> None:
    limit = options.no_progress_limit
    if limit is not None and limit < 1:
        raise refusal(Refusal.BAD_LIMIT, f"The limit without progress is at least 1, not {limit}.")
