"""Exported files in hostile hands: what verifies is, byte for byte, what Fairdeal writes."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from fairdeal import Fairdeal
from fairdeal.application.audit.verdicts import Grade, Report
from fairdeal.application.catalogue import KINDS
from fairdeal.application.errors import NotAnExport
from fairdeal.application.exports.format import read_logs
from fairdeal.application.exports.verify import verify
from fairdeal.testing.recorded import CODEC
from golden.make import FOLDER
from kits.audit import short_log
from kits.verifier import VERIFIER

Change = Callable[[dict[str, Any]], object]
LINES = (FOLDER / "kings_corners-classic-2.jsonl").read_bytes().splitlines(keepends=True)
LAST = len(LINES) - 2
DEEP = b"[" * 9999 + b"]" * 9999


def verified(text: bytes) -> Report:
    (log,) = read_logs(text.splitlines(keepends=True))
    return verify(log, CODEC)


def digested(lines: list[bytes]) -> bytes:
    """The file with a digest that fits, as everybody can make it."""
    footer = json.loads(lines[-1])
    footer["digest"] = hashlib.sha256(b"".join(lines[:-1])).hexdigest()
    return b"".join([*lines[:-1], written(footer)])


def written(line: dict[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def with_line(number: int, line: bytes, lines: list[bytes] = LINES) -> bytes:
    return digested([*lines[:number], line, *lines[number + 1 :]])


def edited(number: int, change: Change, lines: list[bytes] = LINES) -> bytes:
    line = json.loads(lines[number])
    change(line)
    return with_line(number, written(line), lines)


def upper(key: str) -> Change:
    return lambda line: line.update({key: line[key].upper()})


ODD: dict[str, tuple[bytes, int]] = {
    "line ends of another system": (digested([line.replace(b"\n", b"\r\n") for line in LINES]), 0),
    "no last line end": (b"".join(LINES)[:-1], LAST),
    "spaces in the first line": (with_line(0, LINES[0].replace(b'":', b'": ')), 0),
    "a game id in capitals": (edited(0, upper("game")), 0),
    "a game id without dashes": (edited(0, lambda line: line.update(game=line["game"].replace("-", ""))), 0),
    "other rules in the first line": (edited(0, lambda line: line.update(rules=2)), 0),
    "spaces in a record": (with_line(7, LINES[7].replace(b'","', b'", "')), 7),
    "an escape in a record": (with_line(7, LINES[7].replace(b"kings", b"\\u006bings")), 7),
    "a key that stands twice": (
        with_line(7, LINES[7].replace(b'"payload":', b'"payload":"{\\"event\\":{}}","payload":')),
        7,
    ),
    "keys in another order": (with_line(7, written(dict(reversed(json.loads(LINES[7]).items())))), 7),
    "an open record that also shows something": (
        edited(7, lambda line: line.update(seal="00" * 32, event={"seat": 0, "card": "KS"})),
        7,
    ),
    "a payload without its salt": (edited(7, lambda line: line.pop("salt")), 7),
    "a link in capitals": (edited(7, upper("link")), 7),
    "a link with spaces": (edited(7, lambda line: line.update(link=line["link"].replace("a", "a ", 1))), 7),
    "a record that is too deep": (with_line(7, b'{"version":7,"event":' + DEEP + b"}\n"), 7),
    "a payload that is too deep": (edited(7, lambda line: line.update(payload=DEEP.decode())), 7),
    "a first payload that is too deep": (edited(1, lambda line: line.update(payload=DEEP.decode())), 1),
    "a seed in capitals": (edited(LAST + 1, upper("seed")), LAST),
    "spaces in the last line": (b"".join([*LINES[:-1], LINES[-1].replace(b",", b", ")]), LAST),
}


@pytest.mark.parametrize(("text", "record"), ODD.values(), ids=ODD)
def test_what_fairdeal_would_not_write_is_not_untouched(text: bytes, record: int) -> None:
    assert text != b"".join(LINES)
    report = verified(text)
    assert (report.untouched.grade, report.untouched.record) == (Grade.NO, record), report


@pytest.mark.parametrize("kind", KINDS)
def test_every_byte_of_a_file_counts_and_its_change_is_found_at_its_record(fairdeal: Fairdeal, kind: str) -> None:
    fairdeal.ledger.append(short_log(kind, most=20))
    game = next(iter(fairdeal.ledger.game_ids(None, 1)))
    text = fairdeal.exports.export(game, operator=True).encode()
    line, last = 0, text.count(b"\n") - 2
    for place, byte in enumerate(text):
        try:
            report = verified(text[:place] + bytes([byte ^ 1]) + text[place + 1 :])
        except NotAnExport:
            assert line == 0, place
        else:
            assert report.untouched.grade is Grade.NO, place
            # Another game's id in the first line shows at the first record; a bad last line stands where one
            # more record would, and its digest is about the file as a whole.
            places = (0, 1) if line == 0 else (line,) if line <= last else (0, last, last + 1)
            assert report.untouched.record in places, place
        line += byte == ord("\n")


def test_the_digest_of_the_kit_is_that_of_the_file() -> None:
    assert digested(LINES) == b"".join(LINES)
    assert verified(digested(LINES)).good


def test_a_first_line_that_is_too_deep_begins_no_log() -> None:
    with pytest.raises(NotAnExport, match="Line 1"):
        verified(with_line(0, LINES[0].replace(b'"options":{}', b'"options":' + DEEP)))


@pytest.mark.parametrize("viewer", [7, "ann", {}, {"player": 1}, {"player": "ann", "note": 1}])
def test_a_bad_viewer_begins_no_log(viewer: object) -> None:
    with pytest.raises(NotAnExport, match="Line 1"):
        verified(edited(0, lambda line: line.update(viewer=viewer)))


# -- what one viewer may see -----------------------------------------------------------------------------------------


@pytest.fixture
def seen(fairdeal: Fairdeal) -> list[bytes]:
    """A running game as ann may see it."""
    game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
    fairdeal.move(game, "ann", {"move": "end_turn"})
    fairdeal.move(game, "bob", {"move": "end_turn"})
    return fairdeal.exports.export(game, "ann").encode().splitlines(keepends=True)


def moved_back(line: dict[str, Any]) -> None:
    line["at"] = "2001-01-01T00:00:00.000000Z"


CLAIMS: dict[str, tuple[int, Change, int]] = {
    "that others play": (0, lambda line: line.update(players=["ann", "eve"]), 0),
    "other options": (0, lambda line: line.update(options={"n": 1}), 0),
    "other rules": (0, lambda line: line.update(rules=7), 0),
    "to come from an empty name": (-2, lambda line: line.update(by=""), -1),
    "to come from rules that never were": (-2, lambda line: line.update(rules=0), -1),
    "to be for somebody who does not sit there": (0, lambda line: line.update(viewer={"player": "zoe"}), 0),
    "to commit to nothing": (1, lambda line: line["event"].update(commitment="zz"), 1),
    "to show a seed": (1, lambda line: line["event"].update(seed="00" * 32), 1),
    "options that are none": (1, lambda line: line["event"].update(options=None), 1),
    "to come from nobody": (-2, lambda line: line.pop("by"), -1),
    "to come from no rules": (-2, lambda line: line.pop("rules"), -1),
    "a bad event": (-2, lambda line: line.update(event="x"), -1),
    "an event that is false": (-2, lambda line: line.update(event=False), -1),
    "that nothing is hidden": (0, lambda line: line.update(viewer=None), 0),
    "to be the operator's": (0, lambda line: line.update(viewer="operator"), 0),
    "to be of another kind": (0, lambda line: line.update(kind="pardon"), 1),
    "to show the seed": (-1, lambda line: line.update(seed="00" * 32), 0),
    "that time goes back": (-2, moved_back, -1),
    "a bad time": (-2, lambda line: line.update(at="noon"), -1),
}


@pytest.mark.parametrize(("number", "change", "record"), CLAIMS.values(), ids=CLAIMS)
def test_a_redacted_log_cannot_claim(seen: list[bytes], number: int, change: Change, record: int) -> None:
    at = number % len(seen)
    closed = [n for n, line in enumerate(seen) if b'"seal"' in line and b'"at"' in line]
    at = closed[-1] if number == -2 else at
    report = verified(edited(at, change, seen))
    assert report.untouched.grade is Grade.NO
    assert report.untouched.record == (at if record == -1 else record), report


def test_bytes_of_an_open_record_cannot_hide_in_its_salt(seen: list[bytes]) -> None:
    number = next(n for n, line in enumerate(seen) if b'"salt"' in line and b"size" not in line)

    def move(line: dict[str, Any]) -> None:
        line["salt"] += line["payload"].encode().hex()
        line["payload"] = ""

    report = verified(edited(number, move, seen))
    assert (report.untouched.grade, report.untouched.record) == (Grade.NO, number)


def test_the_first_bad_record_is_named_whatever_else_cannot_be_read_behind_it() -> None:
    touched = LINES[5].replace(b"ann", b"amy")
    assert touched != LINES[5]
    for rest in ([*LINES[6:30], LINES[30][:-1] + b" \n", *LINES[31:]], LINES[6:-1]):
        assert verified(b"".join([*LINES[:5], touched, *rest])).untouched.record == 5


def test_options_that_are_too_deep_to_compare_do_not_fit(fairdeal: Fairdeal, seen: list[bytes]) -> None:
    game = UUID(json.loads(seen[0])["game"])
    lines = fairdeal.exports.export(game, operator=True).encode().splitlines(keepends=True)
    for depth in (900, 978, 981, 984, 990):
        deep = lines[0].replace(b'"options":{}', b'"options":' + b"[" * depth + b"]" * depth)
        try:
            report = verified(with_line(0, deep, lines))
        except NotAnExport:
            continue
        assert (report.untouched.grade, report.untouched.record) == (Grade.NO, 0)


def test_a_redacted_log_of_a_game_that_is_over_is_found(fairdeal: Fairdeal, seen: list[bytes]) -> None:
    game = UUID(json.loads(seen[0])["game"])
    fairdeal.handle({"command": "abandon_game", "player": "ann", "game_id": game})
    header, *opened, last = fairdeal.exports.export(game).encode().splitlines(keepends=True)
    passed_off = [
        written({**json.loads(header), "viewer": {"player": "ann"}}),
        *seen[1:-1], *opened[len(seen) - 2 :],
        written({**json.loads(last), "seed": None}),
    ]  # fmt: skip
    report = verified(digested(passed_off))
    assert (report.untouched.grade, report.untouched.record) == (Grade.NO, 1)
    assert "although the game is over" in report.untouched.why
    with pytest.raises(VERIFIER.Bad, match="record 1: it is neither open nor"):
        VERIFIER.verify(digested(passed_off).decode())


# -- the independent verifier ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [text for text, _ in ODD.values()], ids=ODD)
def test_the_independent_verifier_does_not_let_it_pass_either(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_bytes(text)
    assert VERIFIER.main(str(path)) in (1, 2)


LIES: dict[str, Change] = {
    "a kind that nobody knows": lambda line: line.update(kind="poker"),
    "other players": lambda line: line.update(players=["ann", "eve"]),
    "other options": lambda line: line.update(options={"jokers": 2}),
    "one viewer": lambda line: line.update(viewer={"player": "ann"}),
    "a field of one's own": lambda line: line.update(first=99),
}


@pytest.mark.parametrize("change", LIES.values(), ids=LIES)
def test_the_first_line_must_fit_the_records_for_the_independent_verifier_too(change: Change) -> None:
    with pytest.raises(VERIFIER.Bad):
        VERIFIER.verify(edited(0, change).decode())


def test_the_independent_verifier_reads_many_games_and_takes_each_receipt_to_its_own(
    fairdeal: Fairdeal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = [fairdeal.start_game(kind, ["ann", "bob"]).receipt for kind in ("pardon", "red7")]
    path = tmp_path / "both.jsonl"
    path.write_text("".join(fairdeal.exports.export_all()), encoding="utf-8", newline="\n")
    assert VERIFIER.main(str(path), "--receipt", str(games[0]), "--receipt", str(games[1])) == 0
    assert capsys.readouterr().out.count("1 receipts") == 2
    assert VERIFIER.main(str(path), str(replace(games[1], link="00" * 32))) == 1
    path.write_text("".join(list(fairdeal.exports.export_all())[:-1]), encoding="utf-8", newline="\n")
    assert VERIFIER.main(str(path)) != 0
