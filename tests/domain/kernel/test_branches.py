"""A what-if: a game that goes on from another one at one of its versions."""

from typing import Any
from uuid import UUID

import pytest

from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import DealtFrom, GameBranched, GameOpened, GameStarted, PlayerSeated
from fairdeal.domain.kernel.lobby import Phase
from fairdeal.domain.kernel.refusals import HouseRefusal, IllegalMove
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import END_TURN
from fairdeal.domain.reviiyot.game import REVIIYOT
from fairdeal.domain.reviiyot.options import PlaysBy, Strategy
from fairdeal.testing.snapshot import snapshot
from positions.house import opened, seated, started

OWN_SEED = b"\x07" * 32
LINK = "ab" * 32


def branched(origin: Game, told: list[Any]) -> Game:
    return Game.branch(UUID(int=8), "Zoe", OWN_SEED, origin, link=LINK, told=told)


def test_a_branch_says_who_sits_there_where_it_comes_from_and_what_had_happened() -> None:
    origin = started("Ann", "Bob")
    origin.move("Ann", END_TURN)
    branch = branched(origin, origin.pending)
    kinds: list[Any] = [type(event) for event in branch.pending]
    assert kinds[:5] == [GameOpened, PlayerSeated, PlayerSeated, GameStarted, GameBranched]
    assert branch.pending[3:5] == [GameStarted(DealtFrom.BRANCH), GameBranched(str(origin.id), origin.version, LINK)]
    assert branch.pending[5:] == origin.pending[4:]
    assert (branch.phase, branch.lobby.opening, branch.players) == (Phase.RUNNING, DealtFrom.BRANCH, ("Ann", "Bob"))
    assert snapshot(branch.state) == snapshot(origin.state)


def test_a_branch_has_a_seed_of_its_own_and_replays_without_its_origin() -> None:
    origin = started()
    branch = branched(origin, origin.pending)
    assert branch.seed == OWN_SEED
    again = Game.replayed(branch.id, KINGS_CORNERS, branch.pending)
    assert snapshot(again.state) == snapshot(branch.state)
    again.move("Ann", END_TURN)
    assert again.active() == (1,)


def test_what_players_brought_goes_along_and_seals_do_not() -> None:
    origin = Game.open(UUID(int=7), REVIIYOT, "Ann", next(iter(REVIIYOT.setup.presets.values())), bytes(32))
    for player in ("Ann", "Bob"):
        origin.join(player, brought=PlaysBy(Strategy.HIGHEST))
    origin.start("Ann")
    branch = branched(origin, origin.pending)
    assert branch.lobby.seated_players == origin.lobby.seated_players


@pytest.mark.parametrize("origin", [opened(), seated("Ann", "Bob")])
def test_nothing_can_go_on_from_an_open_table(origin: Game) -> None:
    with pytest.raises(IllegalMove) as refused:
        branched(origin, origin.pending)
    assert refused.value.reason is HouseRefusal.NOT_STARTED


def test_a_branch_is_not_a_secret() -> None:
    event = GameBranched("x", 5, LINK)
    assert started().redact(event, None) == event
