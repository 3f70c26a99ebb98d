"""The page on embedding tells the truth: its Python runs on SQLite and on PostgreSQL."""

import contextlib
import io
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import fairdeal

PAGE = (Path(__file__).parents[2] / "docs" / "embedding.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.S)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.xdist_group("postgres"))])
def somewhere(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to run in; the database is the page's own, or a PostgreSQL."""
    monkeypatch.chdir(tmp_path)
    if request.param == "postgres":
        monkeypatch.setenv("GAMES_DATABASE", request.getfixturevalue("postgres"))
    return tmp_path


def test_the_blocks_run_one_after_the_other(somewhere: Path) -> None:
    names: dict[str, object] = {}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for block in BLOCKS:
            if not block.startswith("# service.py"):
                exec(compile(block, "docs/embedding.md", "exec"), names)
    assert printed.getvalue().startswith("unknown_pile – There is no pile")


def test_the_service_with_several_workers_plays_a_game_to_its_end(
    somewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (service,) = [block for block in BLOCKS if block.startswith("# service.py")]
    (somewhere / "service.py").write_text(service, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", ":".join(sys.path))
    done = subprocess.run([sys.executable, "service.py"], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"\d+ moves, .* wins? \(.*\)\.\n", done.stdout), done.stdout


def test_every_public_name_can_be_imported_and_no_other() -> None:
    for name in set(fairdeal.__all__) - {"__version__"}:
        assert getattr(fairdeal, name).__name__ == name
    assert dir(fairdeal) == sorted(fairdeal.__all__)
    assert fairdeal.__version__ == version("fairdeal")
    with pytest.raises(AttributeError, match="no attribute 'UUID'"):
        _ = fairdeal.UUID  # some module behind it has that, but it is not ours
