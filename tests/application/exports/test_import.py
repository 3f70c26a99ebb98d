"""Imports: everything is checked before anything is stored, whatever a file holds."""

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import pytest

from fairdeal import AbandonGame, Fairdeal
from fairdeal.application.audit.verdicts import Grade
from fairdeal.application.catalogue import KINDS
from fairdeal.application.errors import ImportRefused
from fairdeal.application.exports.writer import Exporter
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.record import Record
from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kings_corners.events import CardDrawn
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.testing import changed
from fairdeal.testing.recorded import CODEC, recorded_game, relinked
from golden.make import FOLDER
from kits.audit import batch_ends, first, forged, golden, said, written
from kits.exports import taken_in

TEXT = (FOLDER / "kings_corners-classic-2.jsonl").read_text(encoding="utf-8")


@pytest.fixture
def running(fairdeal: Fairdeal) -> UUID:
    return fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id


def test_two_logs_of_one_game_that_differ_keep_the_whole_file_out(fairdeal: Fairdeal, running: UUID) -> None:
    short = fairdeal.exports.export(running, operator=True)
    fairdeal.move(running, "ann", {"move": "end_turn"})
    later = fairdeal.exports.export(running, operator=True)
    with Fairdeal("memory:") as other:
        with pytest.raises(ImportRefused, match="twice in the file"):
            taken_in(other, TEXT + short + later)
        assert other.ledger.head() == 0
        assert [imported.is_new for imported in taken_in(other, later + later)] == [True, False]


def test_a_file_that_changes_between_checking_and_storing_is_not_stored(fairdeal: Fairdeal) -> None:
    texts = iter([TEXT, TEXT.replace("ann", "amy")])
    importer = fairdeal.exports.importer

    def source() -> list[bytes]:
        return next(texts).encode().splitlines(keepends=True)

    list(importer.check(source))
    with pytest.raises(ImportRefused, match="not what was checked"):
        list(importer.store(source))
    assert fairdeal.ledger.head() == 0


def test_nothing_is_stored_that_was_not_checked(fairdeal: Fairdeal) -> None:
    with pytest.raises(ImportRefused, match="not what was checked"):
        list(fairdeal.exports.importer.store(lambda: TEXT.encode().splitlines(keepends=True)))
    assert fairdeal.ledger.head() == 0


@dataclass(frozen=True, slots=True)
class CardBurnt:
    """What CardDrawn might be called one day."""

    seat: int
    card: Card


def of_other_rules(records: list[Record], *, without: int | None = None) -> str:
    """The log as other rules might have left it: nothing in it can be decided again here."""
    rows: list[tuple[str, bytes]] = []
    for record in records:
        payload = said(record)
        if "rules" in payload:
            payload["rules"] = 99
        rows.append((record.name, written(payload)))
    if without is not None:
        rows[without] = "kings_corners.card_burnt.v1", rows[without][1]
    with Fairdeal("memory:") as other:
        newer = relinked(CODEC.seed_of(records[0]), records[0].game_id, rows)
        rules = KINGS_CORNERS
        evolve = {**rules.play.evolve, CardBurnt: rules.play.evolve[CardDrawn]}
        later = changed(rules, events={**rules.stored.events, "card_burnt.v1": CardBurnt}, evolve=evolve)
        codec = Codec({"kings_corners": later})
        other.ledger.append(newer)
        return "".join(Exporter(other.ledger, codec).export(newer[0].game_id, operator=True))


def test_a_log_of_older_rules_is_taken_in_if_it_can_be_read() -> None:
    records = golden("kings_corners-classic-2")
    with Fairdeal("memory:", kinds={"kings_corners": replace(KINGS_CORNERS, version=100)}) as fairdeal:
        with pytest.raises(ImportRefused, match="card_burnt"):
            taken_in(fairdeal, of_other_rules(records, without=first(records, "card_drawn") - 1))
        assert fairdeal.ledger.head() == 0
        (imported,) = taken_in(fairdeal, of_other_rules(records))
        assert fairdeal.audit(imported.game_id).legal.grade is Grade.NOT_CHECKED
        assert fairdeal.look(imported.game_id).version == len(records)


def test_a_log_of_rules_that_nobody_knows_yet_is_not_taken_in(fairdeal: Fairdeal) -> None:
    with pytest.raises(ImportRefused, match="decided by rules 99, and this program knows 1"):
        taken_in(fairdeal, of_other_rules(golden("kings_corners-classic-2")))
    assert fairdeal.ledger.head() == 0


def forged_branch(fairdeal: Fairdeal) -> tuple[str, str]:
    """A finished game, and a branch of it in which somebody has changed what was dealt, with links that fit."""
    origin = recorded_game(KINDS["kings_corners"])
    fairdeal.ledger.append(origin)
    branch = fairdeal.branch(origin[0].game_id, batch_ends(origin)[0], "zoe").game_id
    fairdeal.handle(AbandonGame(player="zoe", game_id=branch))
    records = fairdeal.ledger.records(branch)

    def stack(payload: dict[str, Any]) -> None:
        deck = payload["event"]["deck"]
        deck[0], deck[1] = deck[1], deck[0]

    with Fairdeal("memory:") as other:
        other.ledger.append(forged(records, first(records, "cards_dealt"), stack))
        return fairdeal.exports.export(origin[0].game_id), other.exports.export(branch)


def test_a_branch_is_compared_with_its_origin_in_the_same_file(fairdeal: Fairdeal) -> None:
    origin, branch = forged_branch(fairdeal)
    with Fairdeal("memory:") as other:
        for text in (origin + branch, branch + origin):
            with pytest.raises(ImportRefused, match=r"is not (fair|legal)"):
                taken_in(other, text)
        assert other.ledger.head() == 0
        assert taken_in(other, branch), "alone, its beginning cannot be compared with anything"
