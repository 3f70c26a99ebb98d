"""The independent verifier and files: receipts, what is quoted of them, and the one way to write them."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest

from fairdeal import Fairdeal
from kits.audit import Payload, golden, written
from kits.forging_house import SEALED, UNSEALED, Change, House, digested, fair, status
from kits.verifier import VERIFIER

# -- receipts --------------------------------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path: Path) -> tuple[str, str, str]:
    """A file with one game, its id, and the link of its fifth record."""
    path = tmp_path / "game.jsonl"
    path.write_text(House(UNSEALED).file(), encoding="utf-8", newline="\n")
    record = golden(UNSEALED)[4]
    return str(path), str(record.game_id), record.link.hex()


GOOD: dict[str, Callable[[str, str], list[str]]] = {
    "two words": lambda game, link: ["--receipt", f"{game}:5:{link}"],
    "one word": lambda game, link: [f"--receipt={game}:5:{link}"],
    "no game": lambda game, link: ["--receipt", f"5:{link}"],
    "a game in capitals": lambda game, link: ["--receipt", f"{game.upper()}:5:{link}"],
    "a game in plain hex": lambda game, link: ["--receipt", f"{game.replace('-', '')}:5:{link}"],
    "a game in braces": lambda game, link: ["--receipt", f"{{{game}}}:5:{link}"],
    "a link in capitals": lambda game, link: ["--receipt", f"{game}:5:{link.upper()}"],
    "spaces around": lambda game, link: ["--receipt", f" {game}:5:{link} "],
}


@pytest.mark.parametrize("arguments", GOOD.values(), ids=GOOD)
def test_a_receipt_is_never_passed_over_however_it_is_written(
    kept: tuple[str, str, str], capsys: pytest.CaptureFixture[str], arguments: Callable[[str, str], list[str]]
) -> None:
    path, game, link = kept
    assert VERIFIER.main(path, *arguments(game, link)) == 0
    assert ", 1 receipts" in capsys.readouterr().out
    assert VERIFIER.main(path, *arguments(game, "ab" * 32)) == 1
    assert "record 5: a receipt" in capsys.readouterr().out


MALFORMED: dict[str, Callable[[str, str], list[str]]] = {
    "nothing after the word": lambda game, link: ["--receipt"],
    "nothing after the sign": lambda game, link: ["--receipt="],
    "nothing after the second": lambda game, link: ["--receipt", f"{game}:5:{link}", "--receipt"],
    "nothing between": lambda game, link: ["--receipt", "--receipt", f"{game}:5:{link}"],
    "nothing but a word": lambda game, link: ["--receipt", "yes"],
    "another option": lambda game, link: ["--receipts", f"{game}:5:{link}"],
    "a space in the game": lambda game, link: ["--receipt", f"{game} :5:{link}"],
    "another game": lambda game, link: ["--receipt", f"{UUID(int=7)}:5:{link}"],
    "half a game": lambda game, link: ["--receipt", f"{game[:8]}:5:{link}"],
    "an empty game": lambda game, link: ["--receipt", f":5:{link}"],
    "no version": lambda game, link: ["--receipt", f"{game}:{link}"],
    "a bad version": lambda game, link: ["--receipt", f"{game}:five:{link}"],
    "half a link": lambda game, link: ["--receipt", f"{game}:5:{link[:32]}"],
    "something more": lambda game, link: ["--receipt", f"{game}:5:{link}:"],
}


@pytest.mark.parametrize("arguments", MALFORMED.values(), ids=MALFORMED)
def test_a_bad_receipt_or_one_of_a_game_that_is_not_in_the_file_is_said(
    kept: tuple[str, str, str], capsys: pytest.CaptureFixture[str], arguments: Callable[[str, str], list[str]]
) -> None:
    path, game, link = kept
    assert VERIFIER.main(path, *arguments(game, link)) == 2
    said = capsys.readouterr()
    assert "is not a receipt GAME:VERSION:LINK of a game in the file" in said.err
    assert "untouched" not in said.out


def test_a_receipt_for_no_record_shows(kept: tuple[str, str, str]) -> None:
    path, game, link = kept
    for version in (0, 6, 999, 10**30):
        assert VERIFIER.main(path, f"--receipt={game}:{version}:{link}") == 1


def test_where_there_are_many_games_a_receipt_names_its_own(fairdeal: Fairdeal, tmp_path: Path) -> None:
    receipt, _ = [fairdeal.start_game(kind, ["ann", "bob"]).receipt for kind in ("pardon", "red7")]
    path = tmp_path / "both.jsonl"
    path.write_text("".join(fairdeal.exports.export_all()), encoding="utf-8", newline="\n")
    assert VERIFIER.main(str(path), "--receipt", str(receipt)) == 0
    assert VERIFIER.main(str(path), "--receipt", f"{receipt.version}:{receipt.link}") == 2
    path.write_text(
        "\0".join(fairdeal.exports.export(game) for game in fairdeal.ledger.game_ids(None, 2)), encoding="utf-8"
    )
    assert VERIFIER.main(str(path)) != 0


def test_a_house_cannot_hide_from_receipts_behind_capitals(kept: tuple[str, str, str]) -> None:
    path, game, _ = kept
    lines = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    lines[0]["game"] = game.upper()
    Path(path).write_text(digested(lines), encoding="utf-8", newline="\n")
    assert VERIFIER.main(path) == 1
    assert VERIFIER.main(path, "--receipt", f"{game}:5:{'ab' * 32}") != 0


# -- what a file says is quoted and cut ------------------------------------------------------------------------------

EVIL = "\x1b[31mann\n  fair: all is well" + "!" * 5000


def test_names_are_quoted_and_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = House(SEALED)
    for event in house.events("player_seated"):
        event["player"] = EVIL + event["player"]
    assert status(tmp_path, house.file()) == 0
    is_tame(capsys)


def test_kinds_are_quoted_and_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = House(SEALED)
    kind = EVIL.replace(".", "")
    house.rows = [(f"{kind}.{name.partition('.')[2]}", payload) for name, payload in house.rows]
    status(tmp_path, house.file())
    is_tame(capsys)


@pytest.mark.parametrize(("line", "key"), [(0, "fairdeal"), (3, "version"), (0, "game"), (3, "name"), (0, "viewer")])
@pytest.mark.parametrize("value", [EVIL, [EVIL], {EVIL: EVIL}, "\ud800"])
def test_other_values_are_quoted_and_cut(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: int, key: str, value: object
) -> None:
    lines = [json.loads(line) for line in House(UNSEALED).file().splitlines()]
    lines[line][key] = value
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    assert status(tmp_path, text) in (1, 2)
    is_tame(capsys)


def is_tame(capsys: pytest.CaptureFixture[str]) -> None:
    said = capsys.readouterr()
    text = (said.out + said.err).replace(VERIFIER.__doc__ or "", "")
    assert "\x1b" not in text
    assert "\n  fair: all" not in text
    assert max(map(len, text.splitlines())) < 700


# -- one way to write ------------------------------------------------------------------------------------------------

ENDS: dict[str, tuple[int, Change]] = {
    "a game in capitals": (0, lambda line: line.update(game=line["game"].upper())),
    "a game without dashes": (0, lambda line: line.update(game=line["game"].replace("-", ""))),
    "a game with its dashes elsewhere": (0, lambda line: line.update(game="-" + line["game"].replace("-", "", 1))),
    "a game that is longer": (0, lambda line: line.update(game=line["game"] + "00")),
    "a seed in capitals": (-1, lambda line: line.update(seed=line["seed"].upper())),
    "a seed with spaces": (-1, lambda line: line.update(seed=line["seed"] + " ")),
    "a number with a point": (-1, lambda line: line.update(records=float(line["records"]))),
}


@pytest.mark.parametrize(("number", "change"), ENDS.values(), ids=ENDS)
def test_there_is_one_way_to_write_the_first_and_the_last_line(number: int, change: Change) -> None:
    lines = [json.loads(line) for line in House(UNSEALED).file().splitlines()]
    change(lines[number])
    with pytest.raises(VERIFIER.Bad):
        VERIFIER.verify(digested(lines))


@pytest.mark.parametrize("key", ["rules", "size"])
@pytest.mark.parametrize("value", [True, 0, -1, 1.0])
def test_rules_and_sizes_are_numbers_from_1(key: str, value: object) -> None:
    house = House(UNSEALED)
    house.rows[0][1][key] = value
    with pytest.raises(VERIFIER.Bad):
        VERIFIER.verify(house.file())


PAYLOADS: dict[str, Callable[[str], str]] = {
    "a fraction": lambda text: re.sub(r":(\d+)([,}])", r":\1.0\2", text, count=1),
    "spaces": lambda text: text.replace(":", ": "),
    "a space at the end": lambda text: text + " ",
    "a line end": lambda text: text + "\n",
    "a key that stands twice": lambda text: text.replace('{"event":', '{"event":{},"event":', 1),
    "a field that stands twice": lambda text: text.replace('{"event":{', '{"event":{"opening":"","opening":"",', 1),
    "an escape": lambda text: text.replace("event", "\\u0065vent", 1),
}
KEYS: dict[str, Callable[[str], str]] = {
    "a key more": lambda text: text[:-1] + ',"note":1}',
    "keys in another order": lambda text: written(dict(reversed(json.loads(text).items()))).decode(),
}


@pytest.mark.parametrize("change", [*PAYLOADS.values(), *KEYS.values()], ids=[*PAYLOADS, *KEYS])
@pytest.mark.parametrize("event", ["game_opened", "player_seated", "game_started", "cards_dealt"])
def test_there_is_one_way_to_write_a_payload(event: str, change: Callable[[str], str]) -> None:
    house = House(UNSEALED)
    chosen = next(payload for name, payload in house.rows if event in name)
    text = written(chosen).decode()
    if change(text) == text:  # a record that has only its event has no other order, and some have no number
        return

    def otherwise(payload: Payload) -> bytes:
        return change(text).encode() if payload is chosen else written(payload)

    why = "its keys are not the right ones" if change in KEYS.values() else "written otherwise"
    with pytest.raises(VERIFIER.Bad, match=why):
        VERIFIER.verify(house.file(otherwise))


def test_strange_words_of_players_are_written_in_that_way(fairdeal: Fairdeal) -> None:
    word = 'a\x7f\x1b\u2028\n\t\b\f/\\"\x01é😀'
    opened = fairdeal.handle({"command": "open_game", "player": "zoë😀", "kind": "red7", "command_id": word})
    assert fair(fairdeal.exports.export(opened.game_id, operator=True)).startswith("nothing was dealt")
    assert fair(fairdeal.exports.export(opened.game_id)).startswith("not yet")


def test_a_log_has_one_opening_and_it_comes_first(tmp_path: Path) -> None:
    house = House(UNSEALED)
    name, opened = house.rows[0]
    house.rows.insert(1, (name, {**opened}))
    assert status(tmp_path, house.file()) == 1
