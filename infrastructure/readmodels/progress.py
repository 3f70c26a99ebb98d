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
    first: list[int] = []

    def draw(progress: Progress) -> None:
        first.append(progress.position)
        done = round(progress.share * WIDTH)
        speed = (progress.position - first[0]) / max(monotonic() - begun, 0.001)
        out.write(f"\r[{'#' * done}{'.' * (WIDTH - done)}] {progress.position}/{progress.head} events, {speed:,.0f}/s ")
        if progress.position >= progress.head:
            out.write("\n")
        out.flush()

    return draw
