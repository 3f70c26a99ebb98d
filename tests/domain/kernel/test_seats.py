"""An open table: opening, sitting down, standing up, and what is refused there."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import pytest

from fairdeal.domain.kernel.chance import ALGORITHM, digest
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import (
    HOUSE_RULES,
    GameAbandoned,
    GameOpened,
    PlayerLeft,
    PlayerSeated,
    Spectators,
)
from fairdeal.domain.kernel.lobby import Outcome, Phase, SeatedPlayer
from fairdeal.domain.kernel.refusals import HouseRefusal, IllegalMove, UnknownPlayer, refusal
from fairdeal.domain.kernel.rules import AnyRules, NoOptions
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.testing import changed
from positions.house import GAME_ID, HOST, SEED, opened, seated, started

AGREED = (HOUSE_RULES, None, True, Spectators.OPEN)
SEAL = digest(b"entropy")


@dataclass(frozen=True, slots=True)
class Charm:
    """Something to bring along."""

    name: str


class Taste(StrEnum):
    UGLY = "ugly"


def must_be_pretty(options: NoOptions, charm: Charm | None) -> None:
    if charm is not None and charm.name == "toad":
        raise refusal(Taste.UGLY, "No toads.")


PLAIN: AnyRules = KINGS_CORNERS
CHARMED = changed(PLAIN, brings=Charm, check_brought=must_be_pretty)


def test_opening_says_who_opened_what_and_commits_to_the_seed() -> None:
    game = opened()
    assert game.pending == [GameOpened(HOST, NoOptions(), digest(SEED), SEED.hex(), ALGORITHM, *AGREED)]
    assert game.phase is Phase.LOBBY
    assert game.seed == SEED
    assert game.options == NoOptions()
    assert game.version == 1
    assert game.players == ()
    assert not game.over


def test_the_rules_may_refuse_options() -> None:
    def never(options: NoOptions) -> None:
        raise refusal(Taste.UGLY, "Not like this.")

    with pytest.raises(IllegalMove) as refused:
        opened(changed(KINGS_CORNERS, check_options=never))
    assert refused.value.reason is Taste.UGLY


@pytest.mark.parametrize("name", ["", " ", " Ann", "Ann ", "Ann\n", "A\x00nn", "x" * 201, "A\tnn"])
def test_names_are_short_printable_and_trimmed(name: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        Game.open(GAME_ID, KINGS_CORNERS, name, NoOptions(), SEED)
    assert refused.value.reason is HouseRefusal.BAD_NAME
    with pytest.raises(IllegalMove) as refused:
        opened().join(name)
    assert refused.value.reason is HouseRefusal.BAD_NAME


@pytest.mark.parametrize("name", ["A", "Ann van der Berg", "Ångström", "李", "x" * 200])
def test_any_other_name_will_do(name: str) -> None:
    assert seated(name).players == (name,)


def test_seats_are_taken_in_the_order_of_joining() -> None:
    game = seated("Ann", "Bob", "Cem")
    assert game.players == ("Ann", "Bob", "Cem")
    assert [game.seat_of(player) for player in ("Ann", "Bob", "Cem", HOST, None)] == [0, 1, 2, None, None]
    assert game.pending[1:] == [PlayerSeated(name, None, None) for name in ("Ann", "Bob", "Cem")]


def test_who_opens_may_sit_down_too() -> None:
    assert seated(HOST, "Bob").seat_of(HOST) == 0


def test_nobody_sits_down_twice() -> None:
    with pytest.raises(IllegalMove) as refused:
        seated("Ann", "Bob").join("Ann")
    assert refused.value.reason is HouseRefusal.DUPLICATE_PLAYER


def test_a_full_table_is_full() -> None:
    with pytest.raises(IllegalMove) as refused:
        seated(*"ABCDEF").join("G")
    assert refused.value.reason is HouseRefusal.TABLE_FULL


def test_nothing_is_brought_to_a_game_that_takes_nothing() -> None:
    with pytest.raises(IllegalMove) as refused:
        opened().join("Ann", brought=Charm("owl"))
    assert refused.value.reason is HouseRefusal.NOTHING_TO_BRING


def test_what_is_brought_is_kept_and_shown_to_its_owner_only() -> None:
    game = opened(CHARMED)
    game.join("Ann", brought=Charm("owl"), seal=SEAL)
    game.join("Bob")
    said = PlayerSeated("Ann", Charm("owl"), SEAL)
    assert game.pending[1] == said
    assert game.lobby.seated_players[0] == SeatedPlayer("Ann", Charm("owl"), SEAL)
    assert game.redact(said, "Ann") == said
    for viewer in ("Bob", HOST, None):
        assert game.redact(said, viewer) == PlayerSeated("Ann", None, SEAL)


def test_the_rules_may_refuse_what_is_brought() -> None:
    with pytest.raises(IllegalMove) as refused:
        opened(CHARMED).join("Ann", brought=Charm("toad"))
    assert refused.value.reason is Taste.UGLY


@pytest.mark.parametrize("seal", ["", "abc", SEAL.upper(), SEAL[:-1], SEAL + "0", "g" * 64])
def test_a_seal_is_a_digest(seal: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        opened().join("Ann", seal=seal)
    assert refused.value.reason is HouseRefusal.BAD_SEAL


def test_a_party_sits_down_at_once_with_what_it_brings() -> None:
    game = opened(CHARMED)
    game.seat_all(["Ann", "Bob"], {"Bob": Charm("owl")})
    assert game.lobby.seated_players == (SeatedPlayer("Ann"), SeatedPlayer("Bob", Charm("owl")))


def test_a_party_counts_with_those_who_sit_there_already() -> None:
    game = seated("Ann")
    game.seat_all(["Bob"])
    assert game.players == ("Ann", "Bob")
    with pytest.raises(IllegalMove) as refused:
        game.seat_all([*"CDEFG"])
    assert refused.value.reason is HouseRefusal.PLAYER_COUNT


def test_who_leaves_an_open_table_makes_the_others_move_up() -> None:
    game = seated("Ann", "Bob", "Cem")
    game.leave("Ann", "tea")
    assert game.pending[-1] == PlayerLeft("Ann")
    assert [game.seat_of(player) for player in ("Ann", "Bob", "Cem")] == [None, 0, 1]
    assert not game.over
    game.join("Ann")
    assert game.players == ("Bob", "Cem", "Ann")


def test_only_who_sits_there_can_leave() -> None:
    with pytest.raises(UnknownPlayer):
        seated("Ann").leave("Bob", "tea")


@pytest.mark.parametrize("player", [HOST, "Ann"])
def test_an_open_table_is_broken_off_without_a_loser(player: str) -> None:
    game = seated("Ann", "Bob")
    game.abandon(player, "nobody comes")
    assert game.pending[-1] == GameAbandoned(None, "nobody comes")
    assert game.phase is Phase.ABANDONED
    assert game.outcome == Outcome((), (), "nobody comes")


def test_a_stranger_cannot_break_a_game_off() -> None:
    with pytest.raises(IllegalMove) as refused:
        seated("Ann").abandon("Zoe", "spite")
    assert refused.value.reason is HouseRefusal.NOT_ALLOWED


def test_the_seats_of_a_started_game_are_closed() -> None:
    commands: list[Callable[[Game], None]] = [
        lambda game: game.join("Cem"),
        lambda game: game.seat_all(["Cem"]),
        lambda game: game.start(HOST),
    ]
    for command in commands:
        with pytest.raises(IllegalMove) as refused:
            command(started())
        assert refused.value.reason is HouseRefusal.ALREADY_STARTED


def test_before_the_deal_nobody_has_to_act_and_there_is_nothing_to_see() -> None:
    game = seated("Ann", "Bob")
    assert game.active() == ()
    assert game.legal("Ann") == ()
    assert game.view("Ann") is None
    with pytest.raises(IllegalMove) as refused:
        game.move("Ann", None)
    assert refused.value.reason is HouseRefusal.NOT_STARTED
