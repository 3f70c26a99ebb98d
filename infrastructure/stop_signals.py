"""Runners as processes of their own end when somebody tells the process to stop."""

import signal
from types import FrameType
from typing import Protocol


class Stoppable(Protocol):
    def stop(self) -> None: ...


def stop_when_told(runner: Stoppable) -> None:
    """From now on SIGTERM and SIGINT stop the runner; what is under way is done first."""

    def stop(number: int, frame: FrameType | None) -> None:
        runner.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
