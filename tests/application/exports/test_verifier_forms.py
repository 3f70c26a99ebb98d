"""The independent verifier and the form of what is stored: times, hex, numbers, commands, and what the schemas say."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from fairdeal import Fairdeal
from fairdeal.application.catalogue import KINDS
from golden.make import FOLDER
from kits.audit import short_log
from kits.forging_house import CARDS, ROUNDS, SEALED, UNSEALED, House, digested, fair
from kits.verifier import VERIFIER

DOCS = Path(__file__).parents[3] / "docs" / "schema"
SCHEMAS = VERIFIER.read_schemas(DOCS)
BRANCH, ASKED = "kings_corners-branch", "reviiyot-classic-2"
Row = dict[str, Any]
Forgery = Callable[[House], object]


def event(house: House, name: str) -> Row:
    """The first event with this name."""
    return house.events(name)[0]


def command(house: House, name: str) -> Row:
    """The first stored command or move with this name."""
    commands = (payload["command"] for _, payload in house.rows if "command" in payload)
    return next(command for command in commands if name in (command.get("do"), command.get("move")))


# -- times -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "time",
    [
        "", "now", "2026-01-01", "2026-01-01T00:00:59Z", "2026-01-01T00:00:59.000Z", "2026-01-01 00:00:59.000000Z",
        "2026-01-01T00:00:59.000000", "2026-01-01T00:00:59.000000z", "2026-01-01T00:00:59.000000+00:00",
        "2026-01-01T00:00:59.000000+00:00Z", "2026-02-30T00:00:59.000000Z", "2026-01-01T24:00:01.000000Z",
        "2026-01-01T00:00:59,000000Z", "20260101T000059.000000Z", "２026-01-01T00:00:59.000000Z",
        "2026-01-01T00:00:59.000000Z ", "2026-01-01T00:00:59.000000Z\n", 1767225659, None, True, [],
    ],
)  # fmt: skip
def test_a_time_is_written_in_one_way(time: object) -> None:
    house = House(UNSEALED)
    house.rows[0][1]["at"] = time
    with pytest.raises(VERIFIER.Bad, match="record 1: its time is not written like"):
        VERIFIER.verify(house.file())


# -- hex, numbers, ids -----------------------------------------------------------------------------------------------


OTHERWISE: dict[str, tuple[str, Forgery]] = {
    "a seal in capitals": (SEALED, lambda house: raised(event(house, "player_seated"), "seal")),
    "a seal that is short": (SEALED, lambda house: cut(event(house, "player_seated"), "seal")),
    "a seal that is empty": (UNSEALED, lambda house: event(house, "player_seated").update(seal="")),
    "entropy in capitals": (SEALED, lambda house: raised(event(house, "entropy_revealed"), "entropy")),
    "entropy that is half a byte short": (SEALED, lambda house: cut(event(house, "entropy_revealed"), "entropy", 1)),
    "a command's seal in capitals": (SEALED, lambda house: raised(command(house, "join_game"), "seal")),
    "a command's entropy in capitals": (SEALED, lambda house: raised(command(house, "reveal_entropy"), "entropy")),
    "a link of the origin in capitals": (BRANCH, lambda house: raised(event(house, "game_branched"), "link")),
    "an origin in capitals": (BRANCH, lambda house: raised(event(house, "game_branched"), "origin")),
    "an origin that is short": (BRANCH, lambda house: cut(event(house, "game_branched"), "origin")),
    "no version of the origin": (BRANCH, lambda house: event(house, "game_branched").update(version=0)),
    "a version of the origin that is true": (BRANCH, lambda house: event(house, "game_branched").update(version=True)),
    "a command that is a list": (UNSEALED, lambda house: house.rows[0][1].update(command=["do"])),
    "a command that is empty": (UNSEALED, lambda house: house.rows[0][1].update(command={})),
    "a command without its name": (UNSEALED, lambda house: command(house, "open_game").pop("do")),
    "a command whose name is a number": (UNSEALED, lambda house: command(house, "open_game").update(do=1)),
    "a command whose name comes later": (UNSEALED, lambda house: backwards(command(house, "open_game"))),
    "a command without an id": (UNSEALED, lambda house: house.rows[0][1].update(id="")),
    "a command whose id is a number": (UNSEALED, lambda house: house.rows[0][1].update(id=7)),
    "a fraction in an event": (CARDS, lambda house: event(house, "deck_shuffled").update(seat=0.0)),
    "a fraction in a command": (ASKED, lambda house: command(house, "ask").update(seat=1.0)),
    "a number that is not a number": (UNSEALED, lambda house: event(house, "game_abandoned").update(seat=float("nan"))),
    "options that are a number": (UNSEALED, lambda house: event(house, "game_opened").update(options=1)),
    "a seat counted from the end": (SEALED, lambda house: event(house, "entropy_revealed").update(seat=-2)),
}


def backwards(row: Row) -> None:
    items = list(row.items())
    row.clear()
    row.update(reversed(items))


def raised(row: Row, key: str) -> None:
    """The same hex in capitals; where it holds no letter, it gets one."""
    row[key] = row[key].upper() if row[key].upper() != row[key] else "A" + row[key][1:]


def cut(row: Row, key: str, digits: int = 2) -> None:
    row[key] = row[key][:-digits]


@pytest.mark.parametrize(("name", "forge"), OTHERWISE.values(), ids=OTHERWISE)
def test_what_the_format_defines_is_written_in_one_way(name: str, forge: Forgery) -> None:
    house = House(name)
    forge(house)
    with pytest.raises(VERIFIER.Bad, match=r"record [1-9]"):
        VERIFIER.verify(house.file())


@pytest.mark.parametrize(
    "name", ["turn_passed.v", "turn_passed.1", "turn_passed.v1a", "turn_passed.v-1", "turn.passed.v1"]
)
def test_a_name_ends_with_the_number_of_its_shape(name: str) -> None:
    house = House(UNSEALED)
    house.rows[-2] = (f"kings_corners.{name}", house.rows[-2][1])
    with pytest.raises(VERIFIER.Bad, match=r"its name is not <kind>\.<event>\.v<n>"):
        VERIFIER.verify(house.file())


# -- branches and given decks ----------------------------------------------------------------------------------------


def test_a_branch_names_its_origin_behind_its_start_and_nothing_else_does() -> None:
    house = House(BRANCH)
    at = next(at for at, (name, _) in enumerate(house.rows) if "game_branched" in name)
    origin = house.rows.pop(at)
    house.rows[0][1]["size"] -= 1
    with pytest.raises(VERIFIER.Bad, match=f"record {at}: a branch starts and names its origin, or neither"):
        VERIFIER.verify(house.file())
    house = House(UNSEALED)
    house.rows[-1][1]["size"] = 2
    house.rows.append(origin)
    with pytest.raises(VERIFIER.Bad, match="a branch starts and names its origin, or neither"):
        VERIFIER.verify(house.file())


def test_a_branch_starts_with_one_batch() -> None:
    house = House(BRANCH)
    at = next(at for at, (name, _) in enumerate(house.rows) if "game_branched" in name)
    first = house.rows[0][1]
    house.rows[at][1].update({**first, "event": house.rows[at][1]["event"], "size": first["size"] - at})
    first["size"] = at
    with pytest.raises(VERIFIER.Bad, match=f"record {at + 1}: a branch starts with one batch"):
        VERIFIER.verify(house.file())


def test_with_given_decks_who_begins_is_still_drawn_by_lot() -> None:
    house = House("tcg-given_deck")
    assert fair(house.file()).startswith("given_deck; ")
    (chosen,) = house.events("starting_player_chosen")
    chosen["seat"] = 1 - chosen["seat"]
    with pytest.raises(VERIFIER.Bad, match="the lot is not what the seed and the seals give"):
        VERIFIER.verify(house.file())


# -- what the schemas say --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("log", sorted(FOLDER.glob("*.jsonl")), ids=lambda log: log.stem)
def test_every_record_of_the_golden_logs_has_the_form_of_its_schema(log: Path) -> None:
    text = log.read_text(encoding="utf-8")
    records = text.count("\n") - 2
    untouched, _ = VERIFIER.verify(text, schemas=SCHEMAS)
    assert untouched == f"untouched: {records} records, {records} of them as the schemas say, 0 receipts"


@pytest.mark.parametrize("kind", KINDS)
def test_what_each_viewer_sees_of_a_running_game_has_the_form_of_its_schema(fairdeal: Fairdeal, kind: str) -> None:
    records = short_log(kind)
    fairdeal.ledger.append(records)
    game = records[0].game_id
    for viewer in (*fairdeal.look(game).players, None):
        untouched, _ = VERIFIER.verify(fairdeal.exports.export(game, viewer), schemas=SCHEMAS)
        assert f" {len(records)} of them as the schemas say" in untouched


FORMS: dict[str, tuple[str, Forgery]] = {
    "an event in another order": (SEALED, lambda house: backwards(event(house, "game_opened"))),
    "an event with a further key": (SEALED, lambda house: event(house, "cards_dealt").update(x=1)),
    "an event with a key less": (SEALED, lambda house: event(house, "game_opened").pop("opener")),
    "true for 1": (SEALED, lambda house: event(house, "card_played").update(seat=True)),
    "text for 1": (SEALED, lambda house: event(house, "card_played").update(seat="1")),
    "nothing for 1": (SEALED, lambda house: event(house, "card_played").update(seat=None)),
    "an unknown card": (SEALED, lambda house: event(house, "card_played").update(card="XX")),
    "text for a list": (SEALED, lambda house: event(house, "game_finished").update(winners="0")),
    "true in a list": (SEALED, lambda house: event(house, "game_finished").update(winners=[True])),
    "a tuple that is longer": (ROUNDS, lambda house: event(house, "game_opened")["options"]["targets"].append(30)),
    "options in another order": (ROUNDS, lambda house: backwards(event(house, "game_opened")["options"])),
    "a further option": (CARDS, lambda house: event(house, "game_opened")["options"].update(note=1)),
    "a command in another order": (SEALED, lambda house: moved_back(command(house, "open_game"), "kind")),
    "a command with a further key": (SEALED, lambda house: command(house, "start_game").update(x=1)),
    "a command with a key less": (SEALED, lambda house: command(house, "open_game").pop("kind")),
    "a command of another kind": (SEALED, lambda house: command(house, "open_game").update(kind="red7")),
    "an unknown command": (SEALED, lambda house: command(house, "start_game").update(do="stop_game")),
    "a move in another order": (SEALED, lambda house: moved_back(command(house, "play"), "card")),
    "a move with a further key": (SEALED, lambda house: command(house, "end_turn").update(x=1)),
    "an unknown move": (SEALED, lambda house: command(house, "end_turn").update(move="cheat")),
    "a move with true for 1": (ASKED, lambda house: command(house, "ask").update(seat=True)),
    "an origin in capitals": (BRANCH, lambda house: raised(command(house, "branch_game"), "origin")),
    "an origin with a line end": (BRANCH, lambda house: lengthened(command(house, "branch_game"), "origin")),
    "a version below 1": (BRANCH, lambda house: command(house, "branch_game").update(version=0)),
}


def moved_back(row: Row, key: str) -> None:
    row[key] = row.pop(key)


def lengthened(row: Row, key: str) -> None:
    row[key] += "\n"


@pytest.mark.parametrize(("name", "forge"), FORMS.values(), ids=FORMS)
def test_the_schemas_leave_one_way_to_write_events_and_commands(name: str, forge: Forgery) -> None:
    house = House(name)
    forge(house)
    VERIFIER.check_records(VERIFIER.read_log(house.file()))
    with pytest.raises(
        VERIFIER.Bad, match=r"record [1-9]\d*: its (event|command) is written otherwise than the schema"
    ):
        VERIFIER.verify(house.file(), schemas=SCHEMAS)


def test_a_redacted_event_hides_fields_but_has_them_all_in_their_order(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
    lines = [json.loads(line) for line in fairdeal.exports.export(game, "ann").splitlines()]
    closed = next(line for line in lines if "seal" in line and "cards_dealt" in line["name"])
    seen = closed["event"]
    for forged in (
        dict(reversed(seen.items())),
        {**seen, "x": 1},
        {key: seen[key] for key in seen if key != "shuffle"},
        {**seen, "deck": 1},
    ):
        closed["event"] = forged
        assert fair(digested(lines)) == "not yet: the game goes on"
        with pytest.raises(VERIFIER.Bad, match=f"record {closed['version']}: its event is written otherwise"):
            VERIFIER.verify(digested(lines), schemas=SCHEMAS)


def test_a_name_that_the_schemas_do_not_hold_is_counted_out() -> None:
    house = House(UNSEALED)
    house.rows[-1] = ("kings_corners.game_abandoned.v1", house.rows[-1][1])
    house.rows[-2] = ("kings_corners.turn_passed.v9", house.rows[-2][1])
    count = len(house.rows)
    untouched, _ = VERIFIER.verify(house.file(), schemas=SCHEMAS)
    assert f"{count} records, {count - 1} of them as the schemas say" in untouched


# -- the program -----------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "game.jsonl"
    path.write_text(House(SEALED).file(), encoding="utf-8", newline="\n")
    return str(path)


def test_it_says_what_it_does_not_check(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert VERIFIER.main(file) == 0
    said = capsys.readouterr().out
    _, _, unchecked = said.partition("not checked here:\n")
    assert "rules of play" in unchecked
    assert "given deck" in unchecked
    assert "--schemas" in unchecked
    assert VERIFIER.main(file, "--schemas", str(DOCS)) == 0
    said = capsys.readouterr().out
    assert " of them as the schemas say" in said
    assert "--schemas" not in said


def test_without_schemas_to_read_nothing_is_verified(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (empty := tmp_path / "empty").mkdir()
    (odd := tmp_path / "odd").mkdir()
    unknown: Row = {"not": {}}
    shape: Row = {**SCHEMAS["kings_corners"], "$defs": {**SCHEMAS["kings_corners"]["$defs"], "GameStarted": unknown}}
    (odd / "kings_corners.json").write_text(json.dumps(shape), encoding="utf-8")
    for folder in (empty, odd, tmp_path / "nowhere", Path(file)):
        assert VERIFIER.main(file, "--schemas", str(folder)) == 2
        said = capsys.readouterr()
        assert "untouched" not in said.out
        assert "cannot be verified" in said.err


def test_a_receipt_for_a_game_that_is_not_in_the_file_is_an_error_in_every_mode(
    file: str, fairdeal: Fairdeal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stranger = f"{UUID(int=7)}:5:{'ab' * 32}"
    for kind in ("pardon", "red7"):
        fairdeal.start_game(kind, ["ann", "bob"])
    (both := tmp_path / "both.jsonl").write_text("".join(fairdeal.exports.export_all()), encoding="utf-8", newline="\n")
    for path in (file, str(both)):
        for more in ([], ["--schemas", str(DOCS)]):
            for receipt in (["--receipt", stranger], [f"--receipt={stranger}"], [stranger]):
                assert VERIFIER.main(path, *more, *receipt) == 2
                said = capsys.readouterr()
                assert not said.out
                assert "is not a receipt GAME:VERSION:LINK of a game in the file" in said.err


def test_it_runs_alone_as_a_copied_file_and_from_the_package_without_any_other_package(
    file: str, tmp_path: Path
) -> None:
    copied = shutil.copy(VERIFIER.__file__, tmp_path / "copied.py")
    source = Path(__file__).parents[3] / "src"
    for command, environment in (
        ([sys.executable, "-I", "-S", str(copied)], {}),
        ([sys.executable, "-S", "-m", "fairdeal.verify"], {"PYTHONPATH": str(source)}),
    ):
        for arguments, status, said in (
            ([file], 0, "fair: shuffle; 1 shuffles recomputed, sealed by 'ann'"),
            ([file, "--receipt", f"5:{'ab' * 32}"], 1, "record 5: a receipt is for a record that is missing"),
            ([file, "--schemas", str(DOCS)], 0, "of them as the schemas say"),
            (["--help"], 0, "GAME may be left out"),
            ([], 2, "FILE"),
        ):
            done = subprocess.run(
                [*command, *arguments],
                check=False,
                capture_output=True,
                text=True,
                cwd=tmp_path,
                env={**os.environ, **environment},
            )
            assert done.returncode == status, done.stderr
            assert said in " ".join((done.stdout + done.stderr).split())
