"""Redacted exports: they are compared with others as far as they show something, and never replayed."""

import json
from pathlib import Path
from uuid import UUID

import pytest

from fairdeal import AbandonGame, Fairdeal
from fairdeal.application.errors import NotAnExport, RedactedLog
from fairdeal.application.exports.format import read_logs


@pytest.fixture
def running(fairdeal: Fairdeal) -> UUID:
    game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
    fairdeal.move(game, "ann", {"move": "end_turn"})
    return game


def exported(fairdeal: Fairdeal, game: UUID, player: str | None, path: Path) -> Path:
    path.write_text(fairdeal.exports.export(game, player), encoding="utf-8")
    return path


@pytest.fixture
def anns(fairdeal: Fairdeal, running: UUID, tmp_path: Path) -> Path:
    return exported(fairdeal, running, "ann", tmp_path / "ann.jsonl")


def edited(path: Path, number: int, **change: object) -> Path:
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[number] = json.dumps({**json.loads(lines[number]), **change}, separators=(",", ":"), ensure_ascii=False)
    other = path.with_name("edited.jsonl")
    other.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return other


def test_it_is_the_same_as_the_game_and_as_what_others_were_given(
    fairdeal: Fairdeal, running: UUID, anns: Path, tmp_path: Path
) -> None:
    bobs = exported(fairdeal, running, "bob", tmp_path / "bob.jsonl")
    anybodys = exported(fairdeal, running, None, tmp_path / "anybody.jsonl")
    logs = (running, anns, bobs, anybodys)
    assert all(fairdeal.divergence(one, other) is None for one in logs for other in logs)


def test_it_is_still_the_same_when_the_game_is_over_but_has_ended_earlier(
    fairdeal: Fairdeal, running: UUID, anns: Path
) -> None:
    fairdeal.handle(AbandonGame(player="bob", game_id=running))
    found = fairdeal.divergence(anns, running)
    assert found is not None
    assert found.other is not None
    assert (found.version, found.one, found.other.name) == (8, None, fairdeal.records(running)[7].name)


def test_another_link_or_name_shows_also_in_a_closed_record(fairdeal: Fairdeal, running: UUID, anns: Path) -> None:
    dealt = 5
    assert "payload" not in json.loads(anns.read_text(encoding="utf-8").splitlines()[dealt])
    for change in ({"link": "00" * 32}, {"name": "kings_corners.turn_passed.v1"}):
        found = fairdeal.divergence(running, edited(anns, dealt, **change))
        assert found is not None
        assert found.version == dealt
        assert found.one is not None
        assert found.one.payload is None, "the game goes on: hands are not shown"
        assert found.other is not None
        assert found.other.event is not None


def test_another_payload_shows_where_both_have_it(fairdeal: Fairdeal, running: UUID, anns: Path) -> None:
    lines = anns.read_text(encoding="utf-8").splitlines()
    number = next(at for at, line in enumerate(lines) if "turn_passed" in line)
    found = fairdeal.divergence(edited(anns, number, payload="{}"), anns)
    assert found is not None
    assert found.version == number
    found = fairdeal.divergence(edited(anns, number, payload="{}"), running)
    assert found is not None
    assert found.other is not None


def test_it_is_not_replayed_and_says_whose_it_is(fairdeal: Fairdeal, running: UUID, anns: Path, tmp_path: Path) -> None:
    with pytest.raises(RedactedLog, match="only what ann may see: it can be verified and compared, not replayed") as no:
        fairdeal.replay(anns)
    assert (no.value.code, no.value.game_id) == ("redacted_log", running)
    with pytest.raises(RedactedLog, match="only what a spectator may see"):
        fairdeal.replay(exported(fairdeal, running, None, tmp_path / "anybody.jsonl"))
    with pytest.raises(RedactedLog, match="only what one viewer may see"):
        fairdeal.replay(edited(anns, 0, viewer=None))


def test_a_log_without_records_is_none(anns: Path) -> None:
    lines = anns.read_bytes().splitlines(keepends=True)
    (empty,) = read_logs([lines[0], lines[-1]])
    assert not empty.is_whole
    with pytest.raises(NotAnExport, match="holds no records"):
        empty.records()


def test_nobody_sees_whether_others_brought_something(fairdeal: Fairdeal) -> None:
    """The line of a player who brought nothing must not be open where that of another one would be closed."""
    shapes: list[list[list[str]]] = []
    for brings in ({}, {"ann": {"strategy": "1"}}):
        game = fairdeal.start_game("reviiyot", ["ann", "bob"], brings=brings).game_id
        lines = [json.loads(line) for line in fairdeal.exports.export(game, "bob").splitlines()]
        seated = [line for line in lines if line.get("name", "").endswith("player_seated.v1")]
        assert [line["event"] for line in seated[:1]] == [{"player": "ann", "brought": None, "seal": None}]
        shapes.append([list(line) for line in seated])
    assert shapes[0] == shapes[1]
