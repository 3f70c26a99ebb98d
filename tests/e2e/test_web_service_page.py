"""The page on a web service tells the truth: its service runs as two workers, and its calls do what it says."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from fairdeal.infrastructure.ledger.postgres.recorder import MOST_READERS
from fairdeal.infrastructure.readmodels.database import POSTGRES_CONNECTIONS

PAGE = (Path(__file__).parents[2] / "docs" / "web-service.md").read_text(encoding="utf-8")
SERVICE, *BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.S)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def worker(folder: Path) -> Generator[str]:
    port = free_port()
    process = subprocess.Popen([sys.executable, "service.py", str(port)], cwd=folder)
    address = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                httpx2.get(f"{address}/ready").raise_for_status()
                break
            except httpx2.HTTPError:
                assert process.poll() is None, "the service has ended"
                assert time.monotonic() < deadline, "the service does not start"
                time.sleep(0.05)
        yield address
    finally:
        process.terminate()
        assert process.wait(30) in (0, -15)


@pytest.mark.parametrize("where", ["sqlite", pytest.param("postgres", marks=pytest.mark.xdist_group("postgres"))])
def test_two_workers_serve_a_game_to_its_end(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setenv("PYTHONPATH", ":".join(sys.path))
    if where == "postgres":
        monkeypatch.setenv("GAMES_DATABASE", request.getfixturevalue("postgres"))
    else:
        monkeypatch.delenv("GAMES_DATABASE", raising=False)
    (tmp_path / "service.py").write_text(SERVICE, encoding="utf-8")
    with worker(tmp_path) as one, worker(tmp_path) as other:
        names: dict[str, object] = {"BASE": one, "OTHER_BASE": other}
        for block in BLOCKS:
            exec(compile(block, "docs/web-service.md", "exec"), names)


def test_the_page_counts_the_connections_that_there_are() -> None:
    assert f"| `fairdeal` | {MOST_READERS + 1} |" in PAGE
    assert f"| `fairdeal read models` | {POSTGRES_CONNECTIONS} |" in PAGE
