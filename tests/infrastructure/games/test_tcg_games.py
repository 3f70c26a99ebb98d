"""A game of trading cards from deck files to the audit."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from fairdeal import Fairdeal
from fairdeal.application.audit.verdicts import Grade
from fairdeal.domain.tcg.decks import build_deck
from fairdeal.domain.tcg.options import PRESETS
from fairdeal.domain.tcg.refusals import InvalidDeck
from fairdeal.infrastructure.games.tcg_files import DeckFolder
from kits.verifier import VERIFIER

FULL = PRESETS["full"]
RULES = Path(__file__).resolve().parents[3] / "domain" / "tcg" / "RULES.md"


@pytest.fixture
def fairdeal() -> Iterator[Fairdeal]:
    with Fairdeal("memory:") as house:
        yield house


def test_the_example_in_the_rules_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (example,) = re.findall(r"```python\n(.*?)```", RULES.read_text(encoding="utf-8"), re.DOTALL)
    exec(example, {})
    assert (tmp_path / "decks" / "Walls.json").is_file()


def test_a_game_with_decks_from_disk_is_played_told_audited_and_verified(fairdeal: Fairdeal, tmp_path: Path) -> None:
    folder = DeckFolder(tmp_path)
    folder.save(build_deck("Healer", ["d1", "d3", "mend", "study", "wall"] * 4, FULL.cards), FULL)
    healer = folder.load("Healer", FULL)
    game = fairdeal.start_game("tcg", ["ann", "bob"], "full", brings={"ann": healer}).game_id
    rng = Random(3)
    while active := fairdeal.look(game).active:
        player = ("ann", "bob")[active[0]]
        fairdeal.move(game, player, rng.choice(fairdeal.look(game, player).legal))
    report = fairdeal.audit(game)
    assert report.untouched.grade is Grade.YES
    assert report.legal.grade is Grade.YES
    assert fairdeal.story(game)[-1].endswith(("(damage).", "(bleeding)."))
    assert VERIFIER.verify(fairdeal.exports.export(game))[1].startswith("shuffle; 2 shuffles recomputed")


def test_another_order_or_another_first_player_is_noticed_by_the_verifier(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("tcg", ["ann", "bob"]).game_id
    while active := fairdeal.look(game).active:
        fairdeal.move(game, ("ann", "bob")[active[0]], {"move": "end_turn"})
    log = VERIFIER.read_log(fairdeal.exports.export(game))
    records = VERIFIER.check_records(log)
    at = [record.name for record in records].index("deck_shuffled.v1")
    deck, chosen = records[at].event, records[at + 2].event
    table = VERIFIER.Table("tcg", records[0].event["options"])
    assert VERIFIER.check_draws(records, table, log.seed, log.game).startswith("shuffle; 2 shuffles recomputed")
    for place, forged, word in (
        (at, {**deck, "deck": deck["deck"][::-1]}, "the deck is not what"),
        (at + 2, {**chosen, "seat": 1 - chosen["seat"]}, "the lot is not what"),
    ):
        told = [*records[:place], replace(records[place], event=forged), *records[place + 1 :]]
        table = VERIFIER.Table("tcg", records[0].event["options"])
        with pytest.raises(VERIFIER.Bad, match=f"record {place + 1}: {word}"):
            VERIFIER.check_draws(told, table, log.seed, log.game)


def test_a_deck_from_outside_is_refused_with_every_fault(fairdeal: Fairdeal) -> None:
    deck = {"name": "Mine!", "cards": [{"id": "dragon", "count": 5}]}
    with pytest.raises(InvalidDeck) as refused:
        fairdeal.start_game("tcg", ["ann", "bob"], "full", brings={"bob": deck})
    assert set(refused.value.codes) == {"bad_name", "wrong_size", "too_many_copies", "unknown_card"}
