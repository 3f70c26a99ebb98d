"""The command line with open cards and redacted exports: what people read, and what programs read."""

import json
from pathlib import Path

import pytest

from golden.make import FOLDER
from kits.audit import golden
from kits.cli import GAME, ID, RUNNING, RUNNING_ID, objects, prepared, refused, run

PYTHONIC = ("None", "True", "False", "=", "'", "{")
LOGS = ["kings_corners-classic-2", "pardon-classic-5", "red7-match_actions-4", "reviiyot-classic-6", "tcg-full-2"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return prepared(tmp_path, monkeypatch)


def test_the_public_table_is_drawn_and_then_every_place_has_a_line(place: Path) -> None:
    shown = run("replay", ID, "--version", 6, "--open").stdout
    assert shown.count(" sees it:") == 1
    assert "As a spectator sees it:" in shown
    (frame,) = objects(run("replay", ID, "--version", 6, "--open", "--json"))
    assert list(frame["tables"]) == ["a spectator"]
    assert [(one["name"], one["player"]) for one in frame["places"][:4]] == [
        ("hand", "ann"), ("hand", "bob"), ("hand", "cleo"), ("foundation N", None),
    ]  # fmt: skip
    assert sum(len(one["cards"]) for one in frame["places"]) == 52
    for one in frame["places"]:
        name = f"{one['name']} of {one['player']}" if one["player"] else one["name"]
        assert f"\n{name}: {' '.join(one['cards']) or 'nothing'}\n" in shown


def test_without_a_table_there_are_no_places(place: Path) -> None:
    (frame,) = objects(run("replay", ID, "--version", 0, "--open", "--json"))
    assert (frame["tables"], frame["places"]) == ({}, [])
    assert "With open cards" not in run("replay", ID, "--version", 2, "--open").stdout


def test_eyes_and_open_cards_are_not_both_to_be_had(place: Path) -> None:
    for command in (("replay", ID), ("diff", ID, "--from", 6, "--to", 9)):
        assert refused(*command, "--as", "ann", "--open") == "cannot_do: Give --as or --open, not both."


def test_what_moved_is_told_once(place: Path) -> None:
    lines = run("diff", ID, "--from", 6, "--to", len(GAME), "--open", status=1).stdout.splitlines()
    paths = [line.partition(":")[0] for line in lines]
    assert len(set(paths)) == len(paths)
    assert {"hand_sizes", "hand of ann", "deck"} <= set(paths)


def test_a_table_that_appears_is_drawn(place: Path) -> None:
    lines = run("diff", ID, "--from", 0, "--to", 6, status=1).stdout.splitlines()
    assert lines[0] == "The table is laid:"
    assert lines[1:] == run("replay", ID, "--version", 6).stdout.splitlines()[3 : 3 + len(lines[1:])]
    assert run("diff", ID, "--from", 6, "--to", 0, status=1).stdout == "The table is not laid yet.\n"
    shown = run("diff", ID, "--from", 0, "--to", 6, "--open", status=1).stdout
    assert "\nhand of ann: nothing → " in shown


@pytest.mark.parametrize("log", LOGS)
def test_no_difference_speaks_python(log: str) -> None:
    head = len(golden(log))
    for version in range(0, head, 1 + head // 12):
        shown = run("diff", FOLDER / f"{log}.jsonl", "--from", version, "--to", head, "--open", status=1).stdout
        assert not any(word in shown for word in PYTHONIC), shown


# -- redacted exports ------------------------------------------------------------------------------------------------


@pytest.fixture
def anns(place: Path) -> str:
    run("export", RUNNING_ID, "--as", "ann", "-o", "ann.jsonl")
    return "ann.jsonl"


def test_a_players_own_export_is_compared_with_the_running_game(anns: str) -> None:
    run("export", RUNNING_ID, "--as", "bob", "-o", "bob.jsonl")
    for other in (RUNNING_ID, "bob.jsonl", anns):
        assert run("diff", anns, other).stdout == "No difference.\n"


def test_both_sides_are_shown_as_their_files_show_them(anns: str) -> None:
    lines = Path(anns).read_text(encoding="utf-8").splitlines()
    closed = next(at for at, line in enumerate(lines) if "cards_dealt" in line)
    changed = {**json.loads(lines[closed]), "link": "00" * 32}
    lines[closed] = json.dumps(changed, separators=(",", ":"))
    Path("changed.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (found,) = objects(run("diff", "changed.jsonl", RUNNING_ID, "--json", status=1))
    assert found["parting"]["version"] == closed
    assert found["parting"]["one"] == changed
    assert found["parting"]["other"]["link"] == RUNNING[closed - 1].link.hex()
    assert set(found["parting"]["other"]["event"]["deck"]) == {None}
    shown = run("diff", "changed.jsonl", anns, status=1).stdout
    assert f"- pardon.cards_dealt.v1 {json.dumps(changed['event'])} {'00' * 32}\n" in shown


def test_it_cannot_be_replayed(anns: str) -> None:
    for command in (("replay", anns), ("diff", anns, "--from", 1, "--to", 2)):
        assert refused(*command).startswith("redacted_log: ")
    assert refused("import", anns).startswith("import_refused: ")
