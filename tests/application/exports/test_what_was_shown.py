"""What the house showed in a redacted export is compared with what it opened after the end."""

import hashlib
import json
import re
from pathlib import Path
from uuid import UUID

import pytest
from typer.testing import CliRunner

from fairdeal import AbandonGame, Fairdeal, Receipt, UnknownPlayer
from fairdeal.auditing import Grade, verify_file
from fairdeal.infrastructure.cli.app import app


@pytest.fixture
def game(fairdeal: Fairdeal) -> UUID:
    game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
    fairdeal.move(game, "ann", {"move": "end_turn"})
    return game


@pytest.fixture
def kept(fairdeal: Fairdeal, game: UUID, tmp_path: Path) -> Path:
    path = tmp_path / "kept.jsonl"
    path.write_text(fairdeal.exports.export(game, "ann"), encoding="utf-8")
    return path


@pytest.fixture
def opened(fairdeal: Fairdeal, game: UUID, kept: Path, tmp_path: Path) -> Path:
    fairdeal.handle(AbandonGame(player="bob", game_id=game))
    path = tmp_path / "opened.jsonl"
    path.write_text(fairdeal.exports.export(game), encoding="utf-8")
    return path


CARD = re.compile(r'"((?:10|[2-9TJQKA])[SHDC])"')


def lied(path: Path) -> int:
    """The house shows ann another card, in a file whose links and digest fit; the version of the record that lies."""
    *lines, footer = path.read_text(encoding="utf-8").splitlines()
    shown = [json.dumps(json.loads(line).get("event")) for line in lines]
    at = next(at for at, event in enumerate(shown) if CARD.search(event))
    mine = CARD.findall(shown[at])
    other = next(card for card in ("KD", "KC", "KH", "KS", "QD", "QC", "QH", "QS") if card not in mine)
    event = json.loads(shown[at].replace(mine[0], other, 1))
    lines[at] = json.dumps({**json.loads(lines[at]), "event": event}, separators=(",", ":"))
    text = "".join(f"{line}\n" for line in lines)
    end = {**json.loads(footer), "digest": hashlib.sha256(text.encode()).hexdigest()}
    path.write_text(f"{text}{json.dumps(end, separators=(',', ':'))}\n", encoding="utf-8")
    return at


def test_what_was_shown_honestly_is_what_was_opened(fairdeal: Fairdeal, game: UUID, kept: Path, opened: Path) -> None:
    (report,) = verify_file(kept, opened=opened)
    assert report.good
    assert report.untouched.why.endswith("they showed what was opened")
    found = fairdeal.divergence(kept, opened)
    assert found is not None
    assert (found.version, found.one) == (8, None), "it only ended earlier"


def test_a_house_that_showed_another_card_is_found_after_the_end(
    fairdeal: Fairdeal, game: UUID, kept: Path, opened: Path
) -> None:
    record = lied(kept)
    assert next(iter(verify_file(kept))).good, "the file alone does not show it"
    (report,) = verify_file(kept, opened=opened)
    assert (report.untouched.grade, report.untouched.record) == (Grade.NO, record)
    for other in (opened, game):
        for pair in ((kept, other), (other, kept)):
            found = fairdeal.divergence(*pair)
            assert found is not None
            assert found.version == record


@pytest.mark.parametrize("command", ["verify", "audit"])
def test_the_command_line_finds_it_too(command: str, kept: Path, opened: Path) -> None:
    assert CliRunner().invoke(app, [command, str(kept), str(opened)]).exit_code == 0
    record = lied(kept)
    result = CliRunner().invoke(app, [command, str(kept), str(opened)])
    assert result.exit_code == 1
    assert f"no at record {record}" in result.output
    result = CliRunner().invoke(app, ["diff", str(kept), str(opened)])
    assert result.exit_code == 1
    assert f"part at record {record}" in result.output


def test_a_log_that_was_opened_with_other_links_is_found(fairdeal: Fairdeal, kept: Path, opened: Path) -> None:
    lines = opened.read_text(encoding="utf-8").splitlines()
    lines[3] = json.dumps({**json.loads(lines[3]), "link": "00" * 32}, separators=(",", ":"))
    opened.write_text("\n".join(lines) + "\n", encoding="utf-8")
    (report,) = verify_file(kept, opened=opened)
    assert (report.untouched.grade, report.untouched.record) == (Grade.NO, 3)


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_receipt_of_a_game_that_is_not_there_or_not_asked_for_is_an_error(
    fairdeal: Fairdeal, tmp_path: Path, opened: Path, game: UUID, more: tuple[str, ...]
) -> None:
    other = fairdeal.start_game("pardon", ["ann", "bob"]).receipt
    ledger = f"sqlite:///{tmp_path / 'games.db'}"
    for words in (["verify", str(opened)], ["audit", str(opened)], ["audit", str(game), "--ledger", ledger]):
        assert CliRunner().invoke(app, [*words, *more]).exit_code == 0
        result = CliRunner().invoke(app, [*words, "--receipt", str(other), *more])
        assert result.exit_code == 2
        assert "receipt_not_checked" in result.stderr
        assert str(other.game_id) in result.stderr


def test_a_receipt_of_a_game_in_one_of_several_files_is_checked(fairdeal: Fairdeal, opened: Path, game: UUID) -> None:
    records = fairdeal.records(game)
    receipt = Receipt(game, len(records), records[-1].link.hex())
    second = opened.with_name("second.jsonl")
    finished = fairdeal.start_game("pardon", ["ann", "bob"]).game_id
    second.write_text(fairdeal.exports.export(finished, "ann"), encoding="utf-8")
    result = CliRunner().invoke(app, ["verify", str(second), str(opened), "--receipt", str(receipt)])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    "lie",
    [
        ("players", ["amy", "bob"]),
        ("options", {"jokers": 3}),
        ("kind", "red7"),
        ("rules", 99),
        ("game", str(UUID(int=7))),
    ],
)
def test_a_changed_first_line_is_a_difference(
    fairdeal: Fairdeal, game: UUID, opened: Path, tmp_path: Path, lie: tuple[str, object]
) -> None:
    field, value = lie
    header, rest = opened.read_text(encoding="utf-8").split("\n", 1)
    changed = tmp_path / "changed.jsonl"
    changed.write_text(
        json.dumps({**json.loads(header), field: value}, separators=(",", ":")) + "\n" + rest, encoding="utf-8"
    )
    for one, other in ((opened, changed), (game, changed)):
        part = fairdeal.divergence(one, other)
        assert part is not None
        assert part.version == 0
        assert part.other is not None
        assert part.other.event[field] == value
    result = CliRunner().invoke(app, ["diff", str(opened), str(changed)])
    assert result.exit_code == 1
    assert "All records are the same, the first lines are not" in result.stdout
    assert fairdeal.divergence(opened, game) is None


def test_a_stranger_compares_nothing(fairdeal: Fairdeal, game: UUID, kept: Path, opened: Path) -> None:
    for one, other in ((game, game), (game, opened), (opened, opened)):
        with pytest.raises(UnknownPlayer):
            fairdeal.divergence(one, other, "stranger")
    assert fairdeal.divergence(game, opened, "ann") is None
