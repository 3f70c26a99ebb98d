"""`fairdeal reviiyot CONFIG`: bytes on the streams and exit statuses."""

from io import BytesIO
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fairdeal import Fairdeal
from fairdeal.infrastructure.cli.app import app
from fairdeal.infrastructure.cli.commands.reviiyot import run

SPECS = Path(__file__).parents[2] / "specs" / "reviiyot"


def printed(path: Path | str) -> tuple[int, bytes, bytes]:
    out, err = BytesIO(), BytesIO()
    return run(path, out, err), out.getvalue(), err.getvalue()


def test_a_finished_game_is_status_0_and_says_nothing_on_the_error_stream() -> None:
    expected = (SPECS / "cases" / "001.out").read_bytes()
    assert printed(SPECS / "cases" / "001.cfg") == (0, expected, b"")
    assert printed(str(SPECS / "cases" / "001.cfg")) == (0, expected, b"")


def test_an_endless_game_is_status_3_with_one_line() -> None:
    path = SPECS / "endless" / "E01.cfg"
    line = f"{path}: the game never ends: after turn 4 no card moves any more\n"
    assert printed(path) == (3, path.with_suffix(".out").read_bytes(), line.encode())


def test_a_bad_file_is_status_2_with_one_line() -> None:
    path = SPECS / "invalid" / "I03.cfg"
    assert printed(path) == (2, b"", f"{path}: line 3: '3S' stands in the deck twice\n".encode())


@pytest.mark.parametrize("name", ["no such file.cfg", ""])
def test_what_cannot_be_read_is_status_2_with_one_line(tmp_path: Path, name: str) -> None:
    status, out, err = printed(tmp_path / name)
    assert (status, out, err.count(b"\n"), err.endswith(b"\n")) == (2, b"", 1, True)


def test_the_complaint_stays_on_one_line_whatever_the_file_is_called(tmp_path: Path) -> None:
    _, _, err = printed(tmp_path / "two\nlines\udcff")
    assert err.count(b"\n") == 1


def test_names_are_printed_in_utf_8_with_plain_line_ends(tmp_path: Path) -> None:
    config = tmp_path / "game.cfg"
    text = (SPECS / "cases" / "001.cfg").read_text(encoding="utf-8").replace("Tami", "תמי").replace("\n", "\r\n")
    config.write_bytes(text.encode())
    expected = (SPECS / "cases" / "001.out").read_text(encoding="utf-8").replace("Tami", "תמי")
    assert printed(config) == (0, expected.encode(), b"")


def test_a_file_without_an_end_is_read_up_to_a_limit() -> None:
    status, out, err = printed("/dev/zero")
    assert (status, out) == (2, b"")
    assert b"larger than 8 MiB" in err


def test_the_hands_of_a_running_game_are_nobodys_business(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with Fairdeal(address) as fairdeal:
        game = fairdeal.start_game("reviiyot", ["ann", "bob"]).game_id
    monkeypatch.setenv("FAIRDEAL_LEDGER", address)
    for verbal in ([], ["--verbal"]):
        result = CliRunner().invoke(app, ["reviiyot", "--game", str(game), *verbal])
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("still_running:")
