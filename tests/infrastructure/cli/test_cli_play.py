"""Games played at a terminal, and without one: every kind to its end, left and resumed, watched and replayed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from fairdeal import Fairdeal
from fairdeal.application.catalogue import KINDS
from fairdeal.domain.kernel.lobby import Phase
from fairdeal.infrastructure.cli import sealing
from fairdeal.infrastructure.cli.keys import Keys
from fairdeal.infrastructure.cli.moves import choices, guessed, matching
from fairdeal.infrastructure.cli.screens import KeyScreen
from fairdeal.testing import play
from kits.cli import GAME, ID, RUNNING, prepared, refused, run
from kits.terminal import DOWN, END, HOME, LEFT, LEFT_WINDOW, RIGHT, SOURCE, UP, Terminal

LEDGER = "sqlite:///games.db"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return prepared(tmp_path, monkeypatch)


def only_game_of(player: str) -> str:
    with Fairdeal(LEDGER, read_only=True) as fairdeal:
        return str(fairdeal.read.games(player=player).items[0].id)


# -- with keys -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_every_game_is_played_to_its_end_with_keys(kind: str) -> None:
    with Terminal("play", kind, "--as", "zoe") as terminal:
        seen = 0
        while terminal.wait_for("See it again", "Type words or a number", after=seen) != "See it again":
            seen = len(terminal.shown)
            terminal.type(f"{DOWN}\r")
        assert terminal.status() == 0
    assert " won" in terminal.shown
    run("audit", only_game_of("zoe")[:8])


def test_moves_narrow_while_typing_and_a_wrong_one_is_refused_with_the_reason() -> None:
    with Terminal("play", "kings_corners", "--as", "zoe", "--against", "random") as terminal:
        terminal.wait_for("> ")
        terminal.type("end")
        terminal.wait_for("> end")
        terminal.type("\x1b")
        terminal.type("move ne ne\r")  # "move n n" may be the beginning of several moves, by chance
        terminal.wait_for("> move ne ne")
        terminal.wait_for("itself", "onto", "cannot", "not your", "no cards", "does not")
        terminal.type("hint\r")
        terminal.wait_for("Hint: ")
        terminal.type("nonsense\r")
        terminal.wait_for("Type a number, the words of a move")
        terminal.resize(20)
        terminal.type("quit\r")
        assert terminal.status() == 0
    assert f"fairdeal resume {only_game_of('zoe')[:8]}" in terminal.shown


def test_whoever_was_stopped_and_goes_on_types_key_by_key_again() -> None:
    with Terminal("play", "kings_corners", "--as", "zoe") as terminal:
        terminal.wait_for("Type words or a number")
        before = len(terminal.shown)
        terminal.read_whole_lines()
        terminal.wait_for("Type words or a number", after=before)
        terminal.type(DOWN)
        terminal.wait_for("▸", after=before)


def test_what_fits_several_moves_stays_where_it_was_typed_for_more() -> None:
    with Terminal("play", "pardon", "--as", "zoe") as terminal:
        terminal.wait_for("Type words or a number")
        terminal.type("choose\r")
        terminal.wait_for("35 moves begin like this")
        terminal.wait_for("> choose", after=terminal.shown.rfind("35 moves begin like this"))
        seen = len(terminal.shown)
        terminal.type("nonsense\r")
        terminal.wait_for("is not a whole move", "Type a number, the words of a move", after=seen)
        assert "> choosenonsense" in terminal.shown[seen:]
        terminal.type("quit\r")
        assert terminal.status() == 0


def test_arrows_choose_and_an_interrupt_leaves_a_game_that_can_go_on() -> None:
    with Terminal("play", "red7", "--as", "zoe") as terminal:
        terminal.wait_for("> ")
        terminal.type(DOWN + DOWN + UP)
        terminal.wait_for("▸   1")
        terminal.interrupt()
        assert terminal.status() == 130
    assert "Go on with: fairdeal resume" in terminal.shown


def test_who_is_interrupted_while_the_screen_is_drawn_is_told_how_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    screen = KeyScreen(Keys(0))
    with pytest.raises(KeyboardInterrupt), screen.window():
        # The interrupt comes while rich prints: it goes on collecting what is printed from then on.
        screen._console._enter_buffer()  # pyright: ignore[reportPrivateUsage]
        screen.tell("Go on with: fairdeal resume")
        raise KeyboardInterrupt
    assert "Go on with: fairdeal resume" in capsys.readouterr().out


def test_a_game_goes_on_after_its_program_was_killed() -> None:
    with Terminal("play", "pardon", "--as", "zoe") as terminal:
        terminal.wait_for("> ")
        seen = len(terminal.shown)
        terminal.type(f"{DOWN}\r")
        terminal.wait_for("zoe puts", after=seen)
        terminal.kill()
    with Terminal("resume") as terminal:
        terminal.wait_for("zoe puts")
        terminal.type("quit\r")
        assert terminal.status() == 0


def test_two_people_at_one_keyboard_do_not_see_each_others_cards() -> None:
    with Terminal("play", "red7", "--hotseat", "--as", "zoe,yan") as terminal:
        cover = terminal.wait_for("It is zoe's turn", "It is yan's turn")
        first, second = ("zoe", "yan") if "zoe" in cover else ("yan", "zoe")
        assert "palette" not in terminal.shown
        terminal.type("\r")
        terminal.wait_for("> ")
        seen = len(terminal.shown)
        terminal.type(f"{DOWN}\r")
        answer = terminal.wait_for(f"It is {second}'s turn", " won", f"{first} ", after=seen)
        assert answer
        terminal.interrupt()
        terminal.status()


@pytest.mark.parametrize("leave", ["quit\r", "\x04"])
def test_whoever_comes_next_finds_nobodys_cards_on_the_screen(leave: str) -> None:
    with Terminal("play", "red7", "--hotseat", "--as", "zoe,yan") as terminal:
        terminal.wait_for("Press Enter")
        terminal.type("\r")
        terminal.wait_for("Type words or a number")
        terminal.type(leave)
        assert terminal.status() == 0
    left = terminal.raw.rpartition(LEFT_WINDOW)[2]
    assert "Go on with: fairdeal resume" in left
    assert "palette" not in left


def test_the_last_table_stays_on_the_screen() -> None:
    with Terminal("watch", ID) as terminal:
        assert terminal.status() == 0
    assert " won" in terminal.raw.rpartition(LEFT_WINDOW)[2]
    assert "deck" in terminal.raw.rpartition(LEFT_WINDOW)[2]


def test_the_rules_are_read_page_by_page_without_leaving_the_game() -> None:
    with Terminal("play", "pardon", "--as", "zoe") as terminal:
        terminal.wait_for("> ")
        terminal.type("rules\r")
        terminal.wait_for("any key: more")
        seen = len(terminal.shown)
        terminal.type(" ")
        terminal.wait_for("any key", after=seen)
        seen = len(terminal.shown)
        terminal.type("q")
        terminal.wait_for("Type words or a number", after=seen)
        terminal.resize(12)
        terminal.type("quit\r")
        assert terminal.status() == 0
    assert "# Pardon" in run("play", "pardon", "--as", "yan", "--plain", typed="rules\n").stdout


def test_a_deck_of_ones_own_is_brought_to_the_table() -> None:
    cards = ("meteor", "archive", "elixir", "study", "peek")
    run("decks", "build", "mine", *(f"{card}x4" for card in cards), "--save")
    for seal in ("--seal", "--no-seal"):
        told = run("play", "tcg", "--preset", "full", "--as", "zoe", "--deck", "decks/mine.json", seal, typed="").stdout
        (dealt,) = re.findall(r"zoe is dealt (.*)\.", told)
        assert set(dealt.split()) <= set(cards)
    assert "Nobody brings a deck to Red7" in refused("play", "red7", "--deck", "decks/mine.json")
    assert "nothing" in refused("play", "tcg", "--deck", "decks/nothing.json")


def test_a_replay_steps_with_arrow_keys() -> None:
    with Terminal("replay", ID) as terminal:
        terminal.wait_for(f"0 of {len(GAME)}")
        terminal.type(RIGHT + RIGHT)
        terminal.wait_for(f"2 of {len(GAME)}")
        terminal.type(END + LEFT)
        terminal.wait_for(f"{len(GAME) - 1} of {len(GAME)}")
        terminal.type("17\r")
        terminal.wait_for(f"17 of {len(GAME)}")
        seen = len(terminal.shown)
        terminal.type(HOME)
        terminal.wait_for(f"0 of {len(GAME)}", after=seen)
        terminal.type("q")
        assert terminal.status() == 0


# -- without a terminal ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_every_game_is_played_to_its_end_through_a_pipe(kind: str) -> None:
    told = run("play", kind, "--as", "zoe", typed="1\n" * 3000).stdout
    assert " won" in told
    assert "\x1b" not in told


def test_an_input_that_ends_leaves_the_game_which_then_is_resumed_and_watched() -> None:
    assert "Go on with: fairdeal resume" in run("play", "red7", "--as", "zoe", "--plain", typed="hint\n").stdout
    game = only_game_of("zoe")
    assert " won" in run("resume", game[:8], "--plain", typed="1\n" * 500).stdout
    told = run("watch", game[:8]).stdout
    assert "zoe sits down with sealed entropy." in told
    assert " won" in told
    assert "there is nothing to go on with" in refused("resume", game[:8])


def test_whoever_plays_shuffles_too_with_entropy_that_was_sealed(tmp_path: Path) -> None:
    run("play", "red7", "--as", "zoe", typed="1\n" * 500)
    assert "sealed by zoe" in run("audit", only_game_of("zoe")).stdout
    assert not list((tmp_path / "home" / "fairdeal" / "sealed").iterdir())
    run("play", "red7", "--as", "yan", "--no-seal", typed="1\n" * 500)
    assert "operator" in run("audit", only_game_of("yan")).stdout


def test_a_program_killed_before_the_seal_was_opened_leaves_a_game_that_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as killed:
        killed.setattr(sealing, "open_seals", leave)
        run("play", "red7", "--as", "zoe", typed="", status=1)
    assert " won" in run("resume", "--plain", typed="1\n" * 500).stdout
    assert "sealed by zoe" in run("audit", only_game_of("zoe")).stdout
    with monkeypatch.context() as killed:
        killed.setattr(sealing, "open_seals", leave)
        run("play", "red7", "--as", "yan", typed="", status=1)
    (kept,) = (tmp_path / "home" / "fairdeal" / "sealed").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    kept.unlink()
    assert "yan sealed entropy elsewhere" in refused("resume")


def leave(*_: object) -> None:
    raise SystemExit(1)


def test_there_is_a_ledger_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAIRDEAL_LEDGER")
    run("play", "red7", "--plain", typed="")
    assert (tmp_path / "home" / "fairdeal" / "games.db").is_file()
    assert "Go on with" in run("resume", "--plain", typed="").stdout


def test_what_is_advised_after_a_game_at_home_can_be_typed_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAIRDEAL_LEDGER")
    assert "Which ledger?" in refused("games")
    told = run("play", "red7", "--plain", typed="1\n" * 500).stdout
    replay, audit = re.findall(r"fairdeal (replay|audit) ([0-9a-f]{8})", told)
    assert "wins" in run(*replay).stdout
    assert "legal      yes" in run(*audit).stdout
    for command in ("games", "players", "timeline"):
        assert run(command).stdout


def test_without_any_terminal_or_input_nothing_hangs() -> None:
    command = [sys.executable, "-m", "fairdeal", "play", "red7", "--as", "zoe"]
    environment = {"PYTHONPATH": SOURCE, "FAIRDEAL_LEDGER": LEDGER, "PATH": ""}
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("play", "chess"), "There is no game 'chess'"),
        (("play", "red7", "--against", "genius"), "has no bot 'genius'"),
        (("play", "red7", "--preset", "nonsense"), "has no preset"),
        (("play", "red7", "--options", "{"), "is not JSON"),
        (("play", "tcg", "--against", "random,random"), "Trading Card Game is for 2 players, not 3."),
        (("play", "red7", "--as", "bot:me"), "are for bots"),
        (("play", "red7", "--as", "a,b"), "need --hotseat"),
        (("play", "red7", "--hotseat", "--as", "a"), "two people or more"),
        (("play", "red7", "--hotseat", "--as", "ann,ann"), "a name of their own"),
        (("play", "red7", "--hotseat", "--as", "ann,b\u202eob"), "printable characters"),
        (("resume", ID), "there is nothing to go on with"),
        (("watch", "ffffffff"), "There is no game ffffffff"),
    ],
)
def test_what_cannot_be_played_is_a_sentence(arguments: tuple[str, ...], told: str) -> None:
    before = run("games").stdout
    assert told in refused(*arguments)
    assert run("games").stdout == before, "no table is left behind"


# -- words -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_the_words_of_a_legal_move_mean_that_move_and_no_other(kind: str) -> None:
    rules = KINDS[kind]
    names = ("ann", "bob", "cleo")[: max(2, min(3, rules.seats[-1]))]
    for preset in rules.setup.presets.values():
        game = play(rules, seats=len(names), options=preset, seed=3)
        for step in game.steps[:60]:
            found = choices(rules, rules.play.legal(step.before, step.seat), names)
            for choice in found:
                assert matching(found, choice.words) == [choice]
                assert matching(found, str(choice.number)) == [choice]


def test_words_that_are_not_legal_still_name_a_move_for_the_rules_to_refuse() -> None:
    rules = KINDS["kings_corners"]
    assert guessed(rules, "play kh n", ("ann",), "") == {"move": "play", "card": "KH", "pile": "N"}
    assert guessed(rules, "end turn", ("ann",), "") == {"move": "end_turn"}
    assert guessed(rules, "dance", ("ann",), "") is None
    assert guessed(KINDS["reviiyot"], "ask bo 5", ("ann", "bob"), "") == {"move": "ask", "seat": 1, "value": "5"}


def test_the_sample_holds_a_running_game() -> None:
    with Fairdeal(LEDGER, read_only=True) as fairdeal:
        assert fairdeal.look(RUNNING[0].game_id).phase is Phase.RUNNING
