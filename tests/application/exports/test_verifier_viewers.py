"""The independent verifier and what one viewer may see: a redacted log shows what it should, and nothing else."""

import hashlib
import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from fairdeal import Fairdeal
from fairdeal.application.catalogue import KINDS
from fairdeal.application.log.links import link_of
from fairdeal.domain.kernel.chance import digest
from kits.audit import short_log
from kits.forging_house import Change, digested, fair, status
from kits.verifier import VERIFIER

# -- what one viewer may see -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_running_games_verify_for_every_viewer(fairdeal: Fairdeal, kind: str) -> None:
    records = short_log(kind)
    fairdeal.ledger.append(records)
    game = records[0].game_id
    for viewer in (*fairdeal.look(game).players, None):
        assert fair(fairdeal.exports.export(game, viewer)) == "not yet: the game goes on"
    assert fair(fairdeal.exports.export(game, operator=True)).startswith("shuffle; ")


@pytest.fixture
def seen(fairdeal: Fairdeal) -> list[dict[str, Any]]:
    """A running game with sealed entropy as bob may see it."""
    game = fairdeal.handle({"command": "open_game", "player": "ann", "kind": "kings_corners"}).game_id
    for player in ("zoe", "ann", "bob"):
        seal = digest(player.encode() * 16)
        fairdeal.handle({"command": "join_game", "player": player, "game_id": game, "seal": seal})
    fairdeal.handle({"command": "leave_game", "player": "zoe", "game_id": game})
    fairdeal.handle({"command": "start_game", "player": "ann", "game_id": game})
    for player in ("ann", "bob"):
        entropy = (player.encode() * 16).hex()
        fairdeal.handle({"command": "reveal_entropy", "player": player, "game_id": game, "entropy": entropy})
    fairdeal.move(game, "ann", {"move": "end_turn"})
    return [json.loads(line) for line in fairdeal.exports.export(game, "bob").splitlines()]


def test_what_bob_sees_is_good(seen: list[dict[str, Any]]) -> None:
    assert fair(digested(seen)).startswith("not yet")
    assert "seal" in seen[1]
    assert "size" in seen[1]


CLOSED: dict[str, Change] = {
    "no time": lambda line: line.pop("at"),
    "nobody": lambda line: line.pop("by"),
    "no rules": lambda line: line.pop("rules"),
    "no size": lambda line: line.pop("size"),
    "a command": lambda line: line.update(command={}),
    "no event": lambda line: line.pop("event"),
    "an event that is nothing": lambda line: line.update(event=None),
    "an event that is a word": lambda line: line.update(event="deck"),
    "an event that is a list": lambda line: line.update(event=["deck"]),
    "an event that is false": lambda line: line.update(event=False),
    "a seal in capitals": lambda line: line.update(seal=line["seal"].upper()),
    "a seal with spaces": lambda line: line.update(seal=line["seal"].replace("a", "a ", 1) + " "),
}


@pytest.mark.parametrize("change", CLOSED.values(), ids=CLOSED)
@pytest.mark.parametrize("place", ["first", "last"])
def test_a_closed_record_shows_what_it_should(
    seen: list[dict[str, Any]], tmp_path: Path, place: str, change: Change
) -> None:
    closed = [line for line in seen if "seal" in line and "size" in line]
    change(closed[0 if place == "first" else -1])
    assert status(tmp_path, digested(seen)) in (1, 2)


def test_a_closed_record_within_a_batch_has_no_beginning(seen: list[dict[str, Any]]) -> None:
    line = next(line for line in seen if "seal" in line and "size" not in line)
    at = seen.index(line)
    seen[at] = {key: {"by": "ann", **line}[key] for key in ("version", "name", "seal", "by", "event", "link")}
    with pytest.raises(VERIFIER.Bad, match="a batch is not whole"):
        VERIFIER.verify(digested(seen))


@pytest.mark.parametrize("cut", [1, 20])
def test_a_salt_has_16_bytes_so_that_a_payload_cannot_move_into_it(seen: list[dict[str, Any]], cut: int) -> None:
    line = next(line for line in seen if "payload" in line)
    line["salt"] += line["payload"][:cut].encode().hex()
    line["payload"] = line["payload"][cut:]
    with pytest.raises(VERIFIER.Bad, match="the salt is not lower-case hex of the right length"):
        VERIFIER.verify(digested(seen))


def test_a_salt_is_written_in_small_letters(seen: list[dict[str, Any]]) -> None:
    line = next(line for line in seen if "payload" in line)
    line["salt"] = line["salt"].upper()
    with pytest.raises(VERIFIER.Bad, match="the salt is not lower-case hex of the right length"):
        VERIFIER.verify(digested(seen))


HEADERS: dict[str, Change] = {
    "other players": lambda line: line.update(players=["mallory", "bob"]),
    "players in another order": lambda line: line["players"].reverse(),
    "somebody who left": lambda line: line["players"].insert(0, "zoe"),
    "other options": lambda line: line.update(options={"x": 1}),
    "other rules": lambda line: line.update(rules=99),
    "rules that are true": lambda line: line.update(rules=True),
}


@pytest.mark.parametrize("change", HEADERS.values(), ids=HEADERS)
def test_the_first_line_fits_what_can_be_seen(seen: list[dict[str, Any]], change: Change) -> None:
    change(seen[0])
    with pytest.raises(VERIFIER.Bad, match="record 0: the first line does not fit the records"):
        VERIFIER.verify(digested(seen))


def test_entropy_that_was_not_sealed_shows_while_the_game_runs(seen: list[dict[str, Any]]) -> None:
    line = next(line for line in seen if "seal" in line and "entropy_revealed" in line["name"])
    line["event"]["entropy"] = "00" * 16
    with pytest.raises(VERIFIER.Bad, match="it is not what was sealed"):
        VERIFIER.verify(digested(seen))


RUNNING: dict[str, tuple[int, Change]] = {
    "a viewer who does not play": (0, lambda line: line.update(viewer={"player": "eve"})),
    "a viewer who left": (0, lambda line: line.update(viewer={"player": "zoe"})),
    "a viewer who is more": (0, lambda line: line.update(viewer={"player": "bob", "note": 1})),
    "a seed that is empty": (-1, lambda line: line.update(seed="")),
    "a commitment in capitals": (1, lambda line: line["event"].update(commitment="AB" * 32)),
    "a commitment that is short": (1, lambda line: line["event"].update(commitment="ab" * 31)),
    "a commitment that is long": (1, lambda line: line["event"].update(commitment="ab" * 33)),
    "a bad commitment": (1, lambda line: line["event"].update(commitment="x" * 64)),
    "a commitment with a space": (1, lambda line: line["event"].update(commitment="ab" * 31 + "a b")),
    "a seed": (1, lambda line: line["event"].update(seed="ab" * 32)),
    "an empty seed": (1, lambda line: line["event"].update(seed="")),
    "to be by nobody": (1, lambda line: line.update(by="")),
    "to be by a space": (1, lambda line: line.update(by=" ")),
    "to be by a number": (1, lambda line: line.update(by=1)),
    "rules that are true": (1, lambda line: line.update(rules=True)),
    "rules that are none": (1, lambda line: line.update(rules=0)),
}


@pytest.mark.parametrize(("number", "change"), RUNNING.values(), ids=RUNNING)
def test_a_redacted_log_cannot_show(seen: list[dict[str, Any]], tmp_path: Path, number: int, change: Change) -> None:
    change(seen[number])
    seen[0]["rules"] = seen[1]["rules"]
    assert status(tmp_path, digested(seen)) in (1, 2)


def test_no_closed_record_shows_a_seed(seen: list[dict[str, Any]]) -> None:
    closed = [line for line in seen if "seal" in line]
    closed[-1]["event"]["seed"] = "ab" * 32
    with pytest.raises(VERIFIER.Bad, match=f"record {closed[-1]['version']}: a redacted record shows a seed"):
        VERIFIER.verify(digested(seen))


@pytest.mark.parametrize("viewer", ["ann", "bob", None])
def test_players_and_spectators_are_viewers(seen: list[dict[str, Any]], viewer: str | None) -> None:
    seen[0]["viewer"] = {"player": viewer}
    assert fair(digested(seen)).startswith("not yet")


def renamed(lines: list[dict[str, Any]], number: int, name: str) -> str:
    """The log with another name for one record, and links that fit again; what is closed keeps its seal."""
    lines[number]["name"] = name
    link, game = bytes(32), UUID(lines[0]["game"])
    for line in lines[1:-1]:
        salt = bytes.fromhex(line["salt"]) if "salt" in line else b""
        seal = hashlib.sha256(salt + line["payload"].encode()).digest() if salt else bytes.fromhex(line["seal"])
        link = link_of(link, game, line["version"], line["name"], seal)
        line["link"] = lines[-1]["link"] = link.hex()
    return digested(lines)


def test_the_kit_renames_nothing_else(seen: list[dict[str, Any]]) -> None:
    before = digested(seen)
    assert renamed(seen, 1, seen[1]["name"]) == before


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (1, "game_begun.v1"), (1, "player_left.v2"), (2, "game_opened.v1"), (-2, "game_opened.v1"),
        (-2, ""), (-2, ".v1"), (-2, "turn_ended."), (-2, "."), (-2, "turn_ended"), (-2, "turn.ended.v1"),
    ],
)  # fmt: skip
def test_a_name_has_its_parts_and_the_opening_its_place(
    seen: list[dict[str, Any]], tmp_path: Path, number: int, name: str
) -> None:
    assert status(tmp_path, renamed(seen, number, f"kings_corners.{name}")) in (1, 2)
