"""The program goes on, old logs stay: those of older shapes and rules are taken in, replayed and given out again."""

from pathlib import Path

import pytest

from fairdeal import Fairdeal
from fairdeal.application.audit.verdicts import Grade
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.domain.kernel.upcast import Upcast
from fairdeal.domain.kings_corners.events import CardPlayed
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.testing import changed
from golden.make import FOLDER
from kits.audit import batch_ends

OLD = FOLDER / "kings_corners-classic-2.jsonl"


def later(version: int) -> AnyRules:
    """The rules some releases on: a played card is stored under a newer name."""
    events = {name: cls for name, cls in KINGS_CORNERS.stored.events.items() if cls is not CardPlayed}
    return changed(
        KINGS_CORNERS,
        version=version,
        events={**events, "card_played.v2": CardPlayed},
        upcasts={"card_played.v1": Upcast("card_played.v2", dict)},
    )


@pytest.mark.parametrize(("version", "legal"), [(1, Grade.YES), (2, Grade.NOT_CHECKED)])
def test_an_old_log_goes_through_a_newer_program_byte_for_byte(tmp_path: Path, version: int, legal: Grade) -> None:
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}", kinds={"kings_corners": later(version)}) as fairdeal:
        (imported,) = fairdeal.exports.import_games(OLD)
        game = imported.game_id
        assert fairdeal.exports.export(game).encode() == OLD.read_bytes()
        report = fairdeal.audit(game)
        assert (report.untouched.grade, report.legal.grade) == (Grade.YES, legal)
        assert len(fairdeal.replay(game, open_cards=True).story()) == imported.records
        branch = fairdeal.branch(game, batch_ends(fairdeal.ledger.records(game))[9], "zoe").game_id
        names = [record.name for record in fairdeal.ledger.records(branch)]
        assert "kings_corners.card_played.v2" in names
        assert "kings_corners.card_played.v1" not in names
        assert fairdeal.audit(branch).good
