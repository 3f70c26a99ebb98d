"""Every command as people and programs run it: help, JSON, wrong arguments, and what each is for."""

import itertools
import json
import re
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fairdeal import Fairdeal
from fairdeal.application.catalogue import KINDS
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.record import DecodedRecord, Record
from fairdeal.infrastructure.cli import kinds as cli_kinds
from fairdeal.infrastructure.cli import read_models
from fairdeal.infrastructure.cli.app import COMMANDS, app, command
from fairdeal.testing.recorded import CODEC, recorded_game, relinked
from kits.cli import GAME, ID, RUNNING, RUNNING_ID, objects, prepared, refused, run
from kits.readmodels import play
from kits.terminal import SOURCE, Terminal


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return prepared(tmp_path, monkeypatch)


# -- the outside of it -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    told = run(name, "--help").stdout
    assert told.startswith("Usage: ")
    groups = getattr(command(name), "commands", {})
    assert "Exit status: 0" in " ".join(told.split()) or groups or name == "serve"
    for part in groups:
        assert "Exit status: 0" in " ".join(run(name, part, "--help").stdout.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_refuses_what_it_does_not_know(name: str) -> None:
    result = CliRunner().invoke(app, [name, "--nonsense"])
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def loaded_by(*arguments: str) -> set[str]:
    script = f"""
import sys
sys.argv = ["fairdeal", *{arguments!r}]
from fairdeal.__main__ import main
try:
    main()
except SystemExit:
    pass
sys.stderr.write(" ".join(sys.modules))
"""
    environment = {"PYTHONPATH": SOURCE, "FAIRDEAL_LEDGER": "sqlite:///games.db"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_the_help_loads_no_command_and_no_large_library() -> None:
    loaded = loaded_by("--help")
    assert not any(name.startswith("fairdeal.infrastructure.cli.commands") for name in loaded)
    assert not loaded & {"rich", "pydantic", "sqlalchemy", "msgspec", "eventsourcing", "fairdeal.service"}


def test_a_small_ledger_is_listed_without_sqlalchemy() -> None:
    assert "sqlalchemy" not in loaded_by("games")


def test_without_the_extra_it_says_which_one() -> None:
    script = "import sys; sys.modules['typer'] = None\nfrom fairdeal.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script], env={"PYTHONPATH": SOURCE}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "This needs the extra `cli` of Fairdeal: pip install 'fairdeal[cli]'.\n"


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("sqlite:///", "names no file"),
        ("sqlite:/x.db", "did you mean sqlite:////x.db?"),
        ("sqlite://x.db", "did you mean sqlite:///x.db?"),
        ("sqlite:x.db", "did you mean sqlite:///x.db?"),
    ],
)
def test_an_address_that_is_almost_right_gets_a_sentence_that_helps(address: str, told: str) -> None:
    assert told in refused("games", "--ledger", address)


# -- short ids -------------------------------------------------------------------------------------------------------


def test_any_beginning_of_an_id_that_no_other_game_shares_is_understood() -> None:
    short = ID[:6]
    assert run("replay", short).stdout == run("replay", ID).stdout
    assert ID in run("audit", short.upper()).stdout
    assert run("export", short).stdout == run("export", ID).stdout
    assert "There is no game" in refused("replay", "0123456789")
    assert "is neither a file nor the id of a game" in refused("replay", "xyz")


def test_a_beginning_that_two_games_share_is_refused_with_both() -> None:
    with Fairdeal("sqlite:///games.db") as fairdeal:
        for number in range(1, 20):
            fairdeal.ledger.append(recorded_game(KINDS["red7"], number, most=1))
        ids = sorted(str(game) for game in fairdeal.ledger.game_ids(None, 100))
    first = next(one[0] for one, other in itertools.pairwise(ids) if one[0] == other[0])
    assert "type more of it" in refused("replay", first)


# -- games -----------------------------------------------------------------------------------------------------------


def test_games_are_listed_with_dates_and_winners_and_chosen_by_filters() -> None:
    told = run("games").stdout
    assert "2026-01-01 00:00" in told
    assert "won by" in told
    assert [game["game"] for game in objects(run("games", "--json", "--kind", "pardon"))] == [RUNNING_ID]
    assert [game["game"] for game in objects(run("games", "--json", "--phase", "finished"))] == [ID]
    assert len(objects(run("games", "--json", "--player", "ann"))) == 2
    assert objects(run("games", "--json", "--player", "nobody")) == []
    assert objects(run("games", "--json", "--since", "2026-02-01")) == []
    assert len(objects(run("games", "--json", "--until", "2026-02-01", "--limit", "1"))) == 1
    (running,) = objects(run("games", "--json", "--phase", "running"))
    assert running["game"] in {one["game"] for one in objects(run("games", "--json", "--turn-of", running["turn"][0]))}
    assert "is not a moment" in refused("games", "--since", "tomorrow")
    assert refused("games", "--kind", "chess").startswith("invalid_query")


def test_read_models_say_the_same_as_the_records(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = [objects(run("games", "--json", *more)) for more in ((), ("--kind", "pardon"), ("--player", "bob"))]
    monkeypatch.setattr(read_models, "SMALL", 10)
    asked = [objects(run("games", "--json", *more)) for more in ((), ("--kind", "pardon"), ("--player", "bob"))]
    assert [sorted(map(str, found)) for found in asked] == [sorted(map(str, found)) for found in alone]
    assert Path("games.read.db").exists()


def test_a_terminal_gets_a_table_with_short_ids() -> None:
    with Terminal("games") as terminal:
        assert terminal.status() == 0
    assert ID[:8] in terminal.shown
    assert ID not in terminal.shown
    assert "★" in terminal.shown


# -- players, ratings, timeline, projections, rules ------------------------------------------------------------------


def test_players_ratings_and_timeline_are_told_and_leave_nothing_behind(place: Path) -> None:
    before = {file.name for file in place.iterdir()}
    assert "ann" in run("players").stdout
    assert {one["player"] for one in objects(run("players", "--json"))} == {"ann", "bob", "cleo"}
    assert "kings_corners" in run("players", "ann").stdout
    assert objects(run("players", "ann", "--json"))[0]["player"] == "ann"
    assert "nobody has not finished a game" in run("players", "nobody").stdout
    assert "1 game at the same table" in run("players", "ann", "--against", "bob").stdout
    assert objects(run("players", "ann", "--against", "bob", "--json"))[0]["total"]["played"] == 1
    assert "Give two players" in refused("players", "--against", "bob")
    assert (
        "Nobody is rated in kings_corners yet" in run("ratings", "kings_corners").stdout
    )  # nobody took their own seat
    with Fairdeal("sqlite:///games.db") as fairdeal:
        play(fairdeal, ["ann", "bob", "cleo"])
    assert run("ratings", "kings_corners").stdout.count("\n") == 4
    assert [one["rank"] for one in objects(run("ratings", "kings_corners", "--json"))] == [1, 2, 3]
    assert "Nobody is rated in tcg yet" in run("ratings", "tcg").stdout
    assert "There is no game 'chess'" in refused("ratings", "chess")
    assert run("timeline", "--limit", "3").stdout.count("\n") == 3
    assert "ann opens the table." in run("timeline", "--game", ID[:6], "--oldest-first", "--limit", "1").stdout
    assert all(one["kind"] == "pardon" for one in objects(run("timeline", "--kind", "pardon", "--json")))
    assert {file.name for file in place.iterdir()} == before


def test_projections_are_rebuilt_and_their_state_is_told() -> None:
    size = len(GAME) + len(RUNNING)
    assert run("projections", "rebuild").stdout == f"Rebuilt from {size} records.\n"
    assert objects(run("projections", "status", "--json")) == [{"position": size, "head": size}]
    assert "are fresh" in run("projections", "status").stdout
    assert "no dead letters" in run("projections", "dead-letters", "--retry").stdout
    assert refused("projections", "rebuild", "--only", "nonsense").startswith("invalid_query")


def test_a_runner_ends_when_it_is_interrupted() -> None:
    with Terminal("projections", "run") as terminal:
        terminal.wait_for("Ctrl-C ends it")
        terminal.interrupt()
        assert terminal.status() == 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_rules_of_every_game_are_shown(kind: str) -> None:
    assert run("rules", kind).stdout.startswith("# ")
    assert objects(run("rules", kind, "--json"))[0]["kind"] == kind
    assert kind in run("rules").stdout
    assert kind in {one["kind"] for one in objects(run("rules", "--json"))}


# -- decks -----------------------------------------------------------------------------------------------------------


def test_decks_are_built_saved_listed_and_checked() -> None:
    cards = [f"d{cost}x4" for cost in range(1, 6)]
    assert "20 cards, can be played. --save" in run("decks", "build", "Mine", *cards).stdout
    assert not Path("decks").exists()
    run("decks", "build", "Mine", *cards, "--save")
    assert refused("decks", "build", "Mine", *cards, "--save").startswith("invalid_deck")
    run("decks", "build", "Mine", *cards, "--save", "--replace")
    assert "9 copies of 'd1'" in refused("decks", "build", "Bad", "d1x9")
    Path("decks/Broken.json").write_text("{", encoding="utf-8")
    assert [(one["deck"], one["playable"]) for one in objects(run("decks", "list", "--json"))] == [
        ("Broken", False), ("Mine", True),
    ]  # fmt: skip
    assert "Mine" in run("decks", "list").stdout
    assert "can be played" in run("decks", "check", "Mine").stdout
    assert "Broken" in run("decks", "check", "Mine", "Broken", status=1).stdout
    assert objects(run("decks", "check", "Broken", "--json", status=1))[0]["playable"] is False
    assert "There is no preset" in refused("decks", "list", "--preset", "nonsense")


def test_pools_are_written_checked_and_used() -> None:
    assert "24 cards, good" in run("decks", "pool", "own.json", "--save").stdout
    assert "exists already" in refused("decks", "pool", "own.json", "--save")
    assert objects(run("decks", "pool", "own.json", "--json")) == [{"pool": "own.json", "cards": 24}]
    assert run("decks", "cards", "--pool", "own.json").stdout == run("decks", "cards").stdout
    assert refused("decks", "pool", "none.json").startswith("invalid_pool")


# -- doctor, backup, restore -----------------------------------------------------------------------------------------


def test_the_doctor_finds_nothing_wrong_and_changes_nothing(place: Path) -> None:
    before = {file.name for file in place.iterdir()}
    assert "Nothing is wrong." in run("doctor").stdout
    assert {one["grade"] for one in objects(run("doctor", "--json"))} <= {"good", "note"}
    assert {file.name for file in place.iterdir()} == before


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("sqlite:///none.db", "fairdeal play red7 --ledger sqlite:///none.db"),
        ("sqlite:///poem.db", "restore a backup"),
        ("sqlite:///my games.db", "fairdeal play red7 --ledger 'sqlite:///my games.db'"),
        ("sqlite:///none/x.db", "mkdir -p"),
        ("sqlite:/x", "did you mean"),
        ("mysql://x", "expected sqlite:///FILE"),
    ],
)
def test_the_doctor_says_what_is_wrong_and_how_to_mend_it(address: str, told: str) -> None:
    Path("poem.db").write_text("Roses are red\n" * 99, encoding="utf-8")
    said = run("doctor", address, status=1).stdout
    assert told in said
    assert "Something is wrong." in said


def test_a_ledger_is_copied_while_others_write_and_the_copy_is_whole() -> None:
    done = threading.Event()

    def write() -> None:
        with Fairdeal("sqlite:///games.db") as fairdeal:
            while not done.is_set():
                fairdeal.start_game("red7", ["ann", "bob"])

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(3):
            assert "all good" in run("backup", f"copy{number}.db").stdout
    finally:
        done.set()
        writer.join()
    assert "exists already" in refused("backup", "copy0.db")
    run("audit", "--ledger", "sqlite:///copy2.db")
    assert not [file for file in Path().iterdir() if file.name.startswith(".copy")]


def test_a_copy_is_compared_with_a_checkpoint_and_a_damaged_ledger_is_told() -> None:
    run("checkpoint", "keygen", "house")
    run("checkpoint", "make", "--key", "house.key", "-o", "kept.json")
    told = run("backup", "sqlite:///games.db", "good.db", "--checkpoint", "kept.json", "--key", "house.pub").stdout
    assert "the ledger still holds its" in told
    change_a_byte("games.db")
    assert "1 bad" in run("backup", "bad.db", "--checkpoint", "kept.json", status=1).stdout
    assert Path("bad.db").exists()
    assert run("restore", "bad.db", "sqlite:///new.db", status=1).stderr.count("was not restored") == 1
    assert not Path("new.db").exists()


def change_a_byte(path: str) -> None:
    with sqlite3.connect(path) as database:
        database.execute(
            "UPDATE stored_events SET state = CAST(replace(CAST(state AS TEXT), 'ann', 'amn') AS BLOB) "
            "WHERE originator_version = 2 AND originator_id = ?",
            (GAME[0].game_id.hex,),
        )
    database.close()


def test_a_backup_is_put_back_but_neither_under_workers_nor_older_by_accident() -> None:
    run("backup", "copy.db")
    run("projections", "rebuild")
    with Fairdeal("sqlite:///games.db") as fairdeal:
        fairdeal.start_game("red7", ["ann", "bob"])
        assert "is in use" in refused("restore", "copy.db", "--set-back")
        head = fairdeal.ledger.head()
    assert f"holds {head - len(GAME) - len(RUNNING)} records that copy.db lacks" in refused("restore", "copy.db")
    assert "are gone" in run("restore", "copy.db", "--set-back").stdout
    assert not Path("games.read.db").exists()
    assert len(objects(run("games", "--json"))) == 2
    run("restore", "copy.db", "sqlite:///elsewhere.db")
    run("audit", "--ledger", "sqlite:///elsewhere.db")
    assert "Where to?" in refused("restore", "copy.db", "postgresql://x/y")
    assert "Only SQLite ledgers" in refused("backup", "postgresql://x/y", "copy2.db")


# -- simulate and tournament -----------------------------------------------------------------------------------------


def test_the_same_seeds_give_the_same_figures_for_any_number_of_processes() -> None:
    alone, together = (
        objects(run("simulate", "red7", "--bots", "random,careful,random", "--games", 40, "--jobs", jobs, "--json"))[0]
        for jobs in (1, 2)
    )
    for figures in (alone, together):
        assert figures.pop("decisions_per_second") > 0
    assert alone == together
    assert sum(one["won"] for one in alone["bots"]) == pytest.approx(40 - alone["nobody_won"])
    other = objects(run("simulate", "red7", "--bots", "random,careful,random", "--games", 40, "--seed", 1, "--json"))[0]
    assert (other["bots"], other["decisions"]) != (alone["bots"], alone["decisions"])


@pytest.mark.parametrize("kind", KINDS)
def test_bots_of_every_game_are_simulated_and_shown(kind: str) -> None:
    preset = list(KINDS[kind].setup.presets)[-1]
    told = run("simulate", kind, "--bots", "random,random", "--games", 6, "--preset", preset, "--csv", "g.csv").stdout
    assert "6 games, seed 0" in told
    assert "●" in told
    assert "decisions per second" in told
    assert Path("g.csv").read_text(encoding="utf-8").count("\n") == 7


def test_a_picture_is_drawn() -> None:
    run("simulate", "red7", "--bots", "random,random", "--games", 5, "--plot", "figures.png")
    assert Path("figures.png").read_bytes().startswith(b"\x89PNG")
    assert "figures.nonsense" in refused(
        "simulate", "red7", "--bots", "random,random", "--games", 5, "--plot", "figures.nonsense"
    )


@pytest.mark.parametrize(("kind", "preset"), [(kind, preset) for kind in KINDS for preset in KINDS[kind].setup.presets])
def test_simulated_games_are_stored_once_as_they_were_played(kind: str, preset: str) -> None:
    asked = ("simulate", kind, "--bots", "random,random", "--preset", preset, "--json")
    played = objects(run(*asked, "--games", 3))[0]
    stored = objects(run(*asked, "--games", 3, "--save", "--ledger", "sqlite:///simulated.db"))[0]
    assert stored.pop("stored") == 3
    for figures in (played, stored):
        del figures["decisions_per_second"]
    assert stored == played
    again = objects(run(*asked, "--games", 4, "--jobs", 1, "--save", "--ledger", "sqlite:///simulated.db"))[0]
    assert again["stored"] == 1
    assert "all good" in run("audit", "--ledger", "sqlite:///simulated.db").stdout
    games = objects(run("games", "--ledger", "sqlite:///simulated.db", "--json"))
    won = [sum(f":{bot}" in name for game in games for name in game["winners"]) for bot in (1, 2)]
    alone = sum(len(game["winners"]) == 1 for game in games)
    assert sum(bot["won"] for bot in again["bots"]) == alone + again["shared"] == sum(won) - again["shared"]


def test_a_stored_game_is_followed_once_and_not_again_for_every_move(monkeypatch: pytest.MonkeyPatch) -> None:
    read = 0
    decode = Codec.read

    def counting(codec: Codec, record: Record) -> DecodedRecord:
        nonlocal read
        read += 1
        return decode(codec, record)

    monkeypatch.setattr(Codec, "read", counting)
    run("simulate", "pardon", "--bots", "careful,careful", "--games", 1, "--save", "--ledger", "sqlite:///simulated.db")
    with Fairdeal("sqlite:///simulated.db", read_only=True) as fairdeal:
        assert read <= fairdeal.ledger.head()


def test_storing_needs_a_ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAIRDEAL_LEDGER")
    assert "into which ledger" in refused("simulate", "red7", "--bots", "random,random", "--save")


def test_every_bot_plays_every_other() -> None:
    found = objects(run("tournament", "kings_corners", "--bots", "random,greedy,careful", "--games", 6, "--json"))
    assert sum(one["rate"] for one in found) == pytest.approx(1.5)
    assert all(len(one["against"]) == 2 for one in found)
    assert "greedy" in run("tournament", "kings_corners", "--bots", "random,greedy", "--games", 2).stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("simulate", "chess", "--bots", "a,b"), "There is no game"),
        (("simulate", "red7", "--bots", "random,genius"), "has no bot 'genius'"),
        (("simulate", "red7", "--bots", "random"), "is for 2 to 4 players"),
        (("tournament", "red7", "--bots", "random"), "at least two bots"),
        (("tournament", "red7", "--bots", "random,genius"), "has no bot 'genius'"),
    ],
)
def test_what_cannot_be_simulated_is_a_sentence(arguments: tuple[str, ...], told: str) -> None:
    assert told in refused(*arguments)


# -- mended ----------------------------------------------------------------------------------------------------------


def test_a_game_whose_rules_are_not_at_hand_has_a_status_of_its_own() -> None:
    rows = [(record.name.replace("kings_corners", "chess"), record.payload) for record in GAME]
    with Fairdeal("sqlite:///other.db") as other:
        other.ledger.append(relinked(CODEC.seed_of(GAME[0]), GAME[0].game_id, rows))
    ledger = ("--ledger", "sqlite:///other.db")
    for arguments in (("audit", ID), ("audit",)):
        assert objects(run(*arguments, *ledger, "--json", status=4))[0]["good"] is False
    assert run("audit", *ledger, status=4).stdout.startswith("1 game, ")


def test_skipping_damaged_games_of_one_game_is_refused() -> None:
    assert "--skip-damaged goes with --all" in refused("export", ID, "--skip-damaged")


def test_a_branch_says_why_it_stands_at_another_version() -> None:
    told = run("branch", ID, 20).stdout
    version = int(told.split("stands at version ")[1].split(",")[0].split(";")[0])
    assert ("not 20: it begins with records of its own" in told) == (version != 20)


# -- games from outside ----------------------------------------------------------------------------------------------

OUTSIDE = """
from dataclasses import replace
from fairdeal.domain.red7.game import RED7
SEVEN = replace(RED7, kind="seven", title="Seven")
BOTH = {"seven": SEVEN}
NONE = 7
"""


@pytest.fixture
def _outside(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("my_games.py").write_text(OUTSIDE, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(place), *sys.path])
    monkeypatch.setattr(cli_kinds, "_named", [])


@pytest.mark.usefixtures("_outside")
def test_games_from_outside_are_named_anywhere_on_the_line() -> None:
    try:
        assert "seven" in run("--kinds", "my_games:SEVEN", "rules").stdout
        assert " won" in run("play", "seven", "--kinds=my_games:BOTH", "--plain", typed="1\n" * 500).stdout
        assert "all good" in run("audit", "--kinds", "my_games:SEVEN").stdout
        assert "simulate" not in refused("rules", "--kinds", "my_games:NONE")
        assert "write it as MODULE:NAME" in refused("rules", "--kinds", "no_such_module:X")
    finally:
        cli_kinds.name_kinds(())
    assert run("audit", status=4)


@pytest.mark.usefixtures("_outside")
def test_games_of_installed_packages_are_known_by_their_entry_points(place: Path) -> None:
    info = place / "my_games-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-games\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[fairdeal.kinds]\nseven = my_games:SEVEN\n", encoding="utf-8")
    cli_kinds.name_kinds(())
    try:
        assert "seven" in {one["kind"] for one in objects(run("rules", "--json"))}
    finally:
        (info / "entry_points.txt").unlink()
        cli_kinds.name_kinds(())


# -- the demo --------------------------------------------------------------------------------------------------------


def test_the_demo_tells_a_story_that_ends_with_what_to_try_next() -> None:
    told = run("demo", "--folder", "shown here").stdout
    for rules in KINDS.values():
        assert told.count(rules.title) == 2
    assert "no at record 12" in told
    assert "fairdeal play red7" in told
    assert "fairdeal serve --ledger 'sqlite:///shown here/games.db'" in told
    assert re.search(r"http://127\.0\.0\.1:8000/games/[0-9a-f-]{36}/replay", told)
    assert json.loads(run("audit", "--ledger", "sqlite:///shown here/games.db", "--json").stdout.splitlines()[0])[
        "good"
    ]
