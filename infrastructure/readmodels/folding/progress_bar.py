"""A progress bar for a terminal, without any library."""

import sys
from collections.abc import Callable
from time import monotonic
from typing import TextIO

from fairdeal.application.projections.results import Progress

WIDTH = 30


def bar(stream: TextIO | None = None) -> Callable[[Progress], None]:
    """Draws each progress over the last one; hand it to `read.rebuild(progress=bar())`."""
    out = sys.stderr if stream is None else stream
    begun = monotonic()
    drawn: list[int] = []

    def draw(progress: Progress) -> None:
        if drawn and progress.position == drawn[-1]:
            return
        drawn.append(progress.position)
        done = round(progress.share * WIDTH)
        speed = (drawn[-1] - drawn[0]) / max(monotonic() - begun, 0.001)
        told = f", {speed:,.0f}/s" if len(drawn) > 1 else ""
        out.write(f"\r[{'#' * done}{'.' * (WIDTH - done)}] {progress.position}/{progress.head} events{told} ")
        out.write("\n" if done == WIDTH and progress.position >= progress.head else "")
        out.flush()

    return draw
