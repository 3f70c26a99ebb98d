"""What makes the command line pleasant: help that fits, sentences that help, names and letters as people use them."""

import socket
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from fairdeal import Fairdeal
from fairdeal.application.catalogue import KINDS
from fairdeal.infrastructure.cli.app import COMMANDS
from fairdeal.infrastructure.cli.commands import simulate
from fairdeal.infrastructure.cli.drawing import coloured
from fairdeal.infrastructure.cli.kinds import name_kinds, page_for_players, page_of
from fairdeal.infrastructure.cli.output import UNREAD
from fairdeal.testing.positions import reviiyot
from kits.cli import ID, prepared, refused, run
from kits.terminal import DOWN, Terminal


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return prepared(tmp_path, monkeypatch)


def test_the_help_lists_every_command_once_and_in_one_line() -> None:
    lines = run("--help").stdout.splitlines()
    for name, told in COMMANDS.items():
        assert [line.split() for line in lines].count([name, *told.split()]) == 1, name


@pytest.mark.parametrize(("typed", "meant"), [("playy", "play"), ("game", "games"), ("tournement", "tournament")])
def test_a_command_with_a_slip_of_the_finger_is_guessed(typed: str, meant: str) -> None:
    assert f"did you mean {meant}?" in refused(typed)
    assert "fairdeal --help lists them" in refused("xyzzy")


@pytest.mark.parametrize("command", ["play", "simulate", "tournament", "ratings"])
def test_who_names_no_game_hears_where_they_are_listed(command: str) -> None:
    assert "fairdeal rules lists them" in refused(command)


def test_who_leaves_out_a_version_or_a_file_hears_where_there_are_some() -> None:
    assert "fairdeal replay tells" in refused("branch", ID)
    assert "fairdeal export writes" in refused("verify")


@pytest.mark.parametrize("command", ["watch", "replay"])
def test_who_names_no_stored_game_hears_where_they_are_listed(command: str) -> None:
    assert "fairdeal games lists them" in refused(command)


def test_where_there_is_nothing_yet_is_said_why(place: Path) -> None:
    assert "Nobody has finished a game of tcg yet." in run("players", "--kind", "tcg").stdout
    assert "fairdeal decks build NAME --save" in run("decks", "list", "--folder", place).stdout
    assert "1 card instead of 20" in refused("decks", "build", "mine", "d3")


def test_what_cannot_be_kept_is_said_before_the_first_game_is_simulated(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody_waits(*_: object) -> NoReturn:
        raise AssertionError

    monkeypatch.setattr(simulate, "all_played", nobody_waits)
    asked = ("simulate", "red7", "--bots", "random,random")
    assert "call it figures.png or .svg" in refused(*asked, "--plot", "figures.nonsense")
    assert "call it figures.png or .svg" in refused(*asked, "--plot", "figures")
    assert "its folder is missing" in refused(*asked, "--plot", "no/figures.png")
    assert "its folder is missing" in refused(*asked, "--csv", "no/games.csv")
    assert "it is a folder" in refused(*asked, "--csv", place)
    assert "did you mean sqlite:///games.db?" in refused(*asked, "--save", "--ledger", "games.db")


@pytest.mark.parametrize("name", ["games.db", "new.sqlite"])
def test_the_name_of_a_file_is_taken_for_what_it_is(name: str) -> None:
    assert f"did you mean sqlite:///{name}?" in refused("games", "--ledger", name)
    assert f"did you mean sqlite:///{name}?" in refused("serve", "--ledger", name)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("", "The address of the ledger is empty: write sqlite:///games.db"),
        ("/srv/games", "did you mean sqlite:////srv/games?"),
        ("sqlite:///:memory:", "sqlite:///:memory: keeps nothing: write sqlite:///games.db"),
    ],
)
def test_an_address_that_names_no_ledger_says_what_to_write(address: str, told: str) -> None:
    assert told in refused("games", "--ledger", address)
    assert told in refused("play", "red7", "--ledger", address)
    if address:
        told_by_the_doctor = run("doctor", address, status=1).stdout
        assert told in told_by_the_doctor
        assert "a game makes it" not in told_by_the_doctor


def test_what_a_server_says_in_several_lines_is_told_in_one() -> None:
    told = refused("games", "--ledger", "postgresql://localhost:1/games?host=/no/such/folder")
    assert "No such file or directory Is the server running locally" in told


def test_a_ledger_is_named_in_the_same_way_everywhere(place: Path) -> None:
    run("doctor", "--ledger", "sqlite:///games.db")
    run("backup", "--ledger", "sqlite:///games.db", "copy.db")
    run("restore", "copy.db", "--ledger", "sqlite:///again.db")
    assert (place / "again.db").is_file()
    assert "{file}..." in run("backup", "--help").stdout


def test_the_doctor_says_once_what_is_wrong_with_an_address() -> None:
    told = run("doctor", "sqlite:/x", status=1).stdout
    assert told.count("did you mean sqlite:////x?") == 1
    assert "a game makes it" not in told


def test_a_port_that_is_taken_is_not_called_the_output() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        told = refused("serve", "--port", taken.getsockname()[1])
    assert "cannot be listened at: Address already in use" in told
    assert "--port" in told


def test_who_asks_for_games_that_are_not_there_is_told_so() -> None:
    with Terminal("games", "--kind", "tcg") as terminal:
        assert terminal.status() == 0
    assert "There is no such game here." in terminal.shown


def test_a_game_of_an_unknown_kind_says_how_it_becomes_known(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "far_games.py").write_text(FAR, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(place), *sys.path])
    far = ("--ledger", "sqlite:///far.db")
    try:
        run("play", "far", *far, "--kinds", "far_games:FAR", "--plain", typed="quit\n")
        game = run("games", *far).stdout[:8]
    finally:
        name_kinds(())
    for asked in (("replay", game), ("players",), ("watch", game), ("resume", game)):
        assert "--kinds MODULE:NAME" in refused(*asked, *far)


FAR = """
from dataclasses import replace
from fairdeal.domain.red7.game import RED7
FAR = replace(RED7, kind="far")
"""


def test_a_deck_is_named_once_in_what_is_wrong_with_it() -> None:
    assert run("decks", "check", "nope", status=1).stdout.count("nope") == 1


def test_the_demo_ends_as_every_command_if_nobody_reads_on_and_never_uses_a_seal_twice(place: Path) -> None:
    for _ in range(2):
        run("demo", "--folder", place)
    assert "used before" not in run("players", "Ada", "--ledger", "sqlite:///games.db").stdout
    demo = [sys.executable, "-m", "fairdeal", "demo", "--folder", str(place)]
    with subprocess.Popen(demo, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait() == UNREAD


def test_the_doctor_looks_at_the_ledger_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAIRDEAL_LEDGER")
    assert "none was named" in run("doctor").stdout
    run("play", "red7", "--as", "zoe", "--plain", typed="")
    told = run("doctor").stdout
    assert "none was named" not in told
    assert "SQLite finds them whole" in told
    assert "fairdeal/games.db" in told.partition("ledger: ")[2].partition("\n")[0]
    assert "copy.db holds the" in run("backup", "copy.db").stdout


def test_a_letter_is_a_card_before_it_is_short_for_a_word() -> None:
    laid = reviiyot("3C QC / 3D QD", deck="AS")
    with Fairdeal("sqlite:///games.db") as fairdeal:
        game = fairdeal.start_game("reviiyot", ["zoe", "yan"], position=laid).game_id
    assert "zoe asks yan for the value Q." in run("resume", game, "--plain", typed="\nq\n").stdout
    with Fairdeal("sqlite:///games.db") as fairdeal:
        other = fairdeal.start_game("reviiyot", ["zoe", "yan"], position=reviiyot("3C 4C / 3D 4D", deck="AS")).game_id
    told = run("resume", other, "--plain", typed="\n?\nq\n").stdout
    assert "Hint: ask yan" in told
    assert f"fairdeal resume {str(other)[:8]}" in told


def test_bots_are_called_by_names_that_people_can_read() -> None:
    told = run("play", "reviiyot", "--as", "zoe", "--against", "careful,random", "--plain", typed="").stdout
    assert "Careful bot 1 sits down." in told
    assert "ask Random bot 2 " in told
    assert "bot:" not in told


def test_what_fits_no_move_is_said_while_it_is_typed() -> None:
    with Terminal("play", "kings_corners", "--as", "zoe") as terminal:
        terminal.wait_for("Type words or a number")
        terminal.type("zz")
        terminal.wait_for("No move fits this")
        terminal.type("\x1bquit\r")
        assert terminal.status() == 0
    assert "No move fits this" not in terminal.shown.rpartition("> zz")[2]


def test_the_table_is_seen_in_a_small_window() -> None:
    with Terminal("play", "kings_corners", "--as", "zoe", rows=14) as terminal:
        terminal.wait_for("Type words or a number")
        terminal.type("quit\r")
        terminal.status()
    # What fits into the window above the line in which one types; older lines have been scrolled away.
    seen = terminal.shown.partition("Type words")[0].splitlines()[-13:]
    assert [line for line in seen if "Kings Corners" in line]
    assert [line for line in seen if "zoe: " in line]


@pytest.mark.parametrize("kind", KINDS)
def test_players_read_rules_without_the_names_of_tests(kind: str) -> None:
    page = page_for_players(KINDS[kind])
    assert "test_" not in page.partition("Rulings")[2]
    assert page.count("\n## ") == page_of(KINDS[kind]).count("\n## ")


def test_the_rules_are_read_page_by_page_and_back() -> None:
    with Terminal("rules", "red7", rows=20) as terminal:
        terminal.wait_for("(1 of ")
        terminal.type(" ")
        terminal.wait_for("(2 of ")
        seen = len(terminal.shown)
        terminal.type("b")
        terminal.wait_for("(1 of ", after=seen)
        terminal.type("q")
        assert terminal.status() == 0


def test_a_replay_shows_where_it_is_and_what_came_before() -> None:
    with Terminal("replay", ID) as terminal:
        terminal.wait_for("0 of ")
        terminal.type(DOWN)
        terminal.wait_for("10 of ")
        terminal.wait_for("●─")
        terminal.resize(20)
        terminal.type("q")
        assert terminal.status() == 0


def test_words_of_a_game_stand_out() -> None:
    assert any("dark_orange" in str(span.style) for span in coloured("red7", "* orange  nobody").spans)
    assert any("red" in str(span.style) for span in coloured("tcg", "Ann: health 30  mana 1/1").spans)
