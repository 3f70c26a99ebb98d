"""Commands in tests that start processes of their own: nothing of them may be left."""

import os
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

SOURCE = str(Path(__file__).parents[2] / "src")
PATIENCE_SECONDS = 60


@contextmanager
def group(*arguments: str) -> Generator[subprocess.Popen[str]]:
    """`fairdeal` with all processes that it starts, in a group of their own, as a shell would have it."""
    command = [sys.executable, "-m", "fairdeal", *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([SOURCE, str(Path.cwd())])}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_until_nobody_is_left(group_id: int) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            os.killpg(group_id, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    raise AssertionError("a process does not come to an end")
