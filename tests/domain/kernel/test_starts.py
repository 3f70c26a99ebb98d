"""How a game starts: from a shuffle, with sealed entropy, from a given deck, from a position."""

from dataclasses import replace
from typing import Any

import pytest

from fairdeal.domain.kernel.chance import NO_SHARE, Chance, digest, share
from fairdeal.domain.kernel.french_deck import DECK
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import (
    FIRST_HOUSE,
    HOUSE_RULES,
    DealtFrom,
    EntropyRevealed,
    GameAbandoned,
    GameStarted,
    GameVoided,
    Terms,
)
from fairdeal.domain.kernel.lobby import Outcome, Phase
from fairdeal.domain.kernel.refusals import FairdealError, HouseRefusal, IllegalMove, UnknownPlayer
from fairdeal.domain.kernel.rules import AnyRules, NoOptions
from fairdeal.domain.kings_corners.events import CardsDealt
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import END_TURN
from fairdeal.domain.reviiyot.cards import pack_of
from fairdeal.domain.reviiyot.game import REVIIYOT
from fairdeal.domain.reviiyot.options import PlaysBy, ReviiyotOptions, Strategy
from fairdeal.domain.tcg.game import TCG
from fairdeal.testing import changed
from positions.house import GAME_ID, HOST, SEED, opened, seated
from positions.kings_corners import laid


def sealed(**entropies: bytes | None) -> Game:
    """A game that is started; who sits there, and the entropy each has sealed."""
    game = opened()
    for player, entropy in entropies.items():
        game.join(player, seal=None if entropy is None else digest(entropy))
    game.start(HOST)
    return game


def reason_of(refused: pytest.ExceptionInfo[IllegalMove]) -> Any:
    return refused.value.reason


@pytest.mark.parametrize("starter", [HOST, "Ann", "Bob"])
def test_who_opened_the_table_or_sits_at_it_can_start(starter: str) -> None:
    game = seated("Ann", "Bob")
    game.start(starter)
    assert game.phase is Phase.RUNNING


def test_a_stranger_cannot_start() -> None:
    with pytest.raises(IllegalMove) as refused:
        seated("Ann", "Bob").start("Zoe")
    assert reason_of(refused) is HouseRefusal.NOT_ALLOWED


def test_a_game_does_not_start_with_too_few() -> None:
    with pytest.raises(IllegalMove, match="Kings Corners is for 2 to 6 players, not 1") as refused:
        seated("Ann").start(HOST)
    assert reason_of(refused) is HouseRefusal.PLAYER_COUNT


def test_without_seals_the_start_deals_from_the_seed_alone() -> None:
    game = seated("Ann", "Bob")
    game.start(HOST)
    deck = Chance(SEED, GAME_ID.bytes, [NO_SHARE, NO_SHARE]).shuffle(0, DECK)
    assert game.pending[-2:] == [GameStarted(DealtFrom.SHUFFLE), CardsDealt(0, 2, deck)]
    assert game.lobby.opening is DealtFrom.SHUFFLE
    assert game.active() == (0,)


def test_a_given_deck_is_dealt_and_the_start_says_so() -> None:
    game = seated("Ann", "Bob")
    game.start(HOST, deck=DECK)
    assert game.pending[-2:] == [GameStarted(DealtFrom.GIVEN_DECK), CardsDealt(0, 2, DECK)]
    assert game.lobby.opening is DealtFrom.GIVEN_DECK


def test_a_bad_deck_is_refused() -> None:
    with pytest.raises(IllegalMove) as refused:
        seated("Ann", "Bob").start(HOST, deck=DECK[1:])
    assert reason_of(refused) is HouseRefusal.BAD_DECK


def test_a_position_is_laid_and_the_start_says_so() -> None:
    position = laid("JD / 3C", turn=1)
    game = seated("Ann", "Bob")
    game.start(HOST, position=position)
    assert game.pending[-2:] == [GameStarted(DealtFrom.POSITION), position]
    assert game.active() == (1,)


def test_a_position_that_does_not_fit_is_refused() -> None:
    with pytest.raises(IllegalMove) as refused:
        seated("Ann", "Bob").start(HOST, position=laid("JD"))
    assert reason_of(refused) is HouseRefusal.BAD_POSITION


def test_a_position_of_another_kind_of_game_is_refused() -> None:
    with pytest.raises(IllegalMove) as refused:
        seated("Ann", "Bob").start(HOST, position="anything")
    assert reason_of(refused) is HouseRefusal.NO_POSITIONS


def test_a_game_without_positions_refuses_them_all() -> None:
    rules = changed(KINGS_CORNERS, position=None)
    with pytest.raises(IllegalMove) as refused:
        seated("Ann", "Bob", rules=rules).start(HOST, position=laid("JD / 3C"))
    assert reason_of(refused) is HouseRefusal.NO_POSITIONS


# -- what others brought ------------------------------------------------------------------------------------------


def with_strategies(house: int, **brought: Strategy | None) -> Game:
    game = Game.open(GAME_ID, REVIIYOT, HOST, ReviiyotOptions(4), SEED, terms=Terms(house=house))
    for player, strategy in brought.items():
        game.join(player, brought=None if strategy is None else PlaysBy(strategy))
    return game


@pytest.mark.parametrize("starter", [HOST, "Ann"])
@pytest.mark.parametrize("deck", [pack_of(4).cards, pack_of(4).cards[1:], "anything"])
def test_a_given_deck_is_compared_with_nothing_where_others_brought_something(starter: str, deck: Any) -> None:
    game = with_strategies(HOUSE_RULES, Ann=Strategy.HIGHEST, Bob=Strategy.LOWEST)
    with pytest.raises(IllegalMove) as refused:
        game.start(starter, deck=deck)
    assert reason_of(refused) is HouseRefusal.BROUGHT_BY_OTHERS
    assert game.phase is Phase.LOBBY


def test_a_given_deck_is_taken_from_the_only_one_who_brought_something() -> None:
    game = with_strategies(HOUSE_RULES, Ann=Strategy.HIGHEST, Bob=None)
    game.start("Ann", deck=pack_of(4).cards)
    assert game.lobby.opening is DealtFrom.GIVEN_DECK


def test_a_given_deck_is_taken_from_whoever_brought_everything() -> None:
    game = with_strategies(HOUSE_RULES, Ann=None, Bob=Strategy.HIGHEST)
    game.start(HOST, deck=pack_of(4).cards, brought_all=True)
    assert game.lobby.opening is DealtFrom.GIVEN_DECK


@pytest.mark.parametrize("house", [1, 2])
def test_by_older_house_rules_a_given_deck_was_compared_with_everything(house: int) -> None:
    game = with_strategies(house, Ann=None, Bob=Strategy.HIGHEST)
    game.start("Ann", deck=pack_of(4).cards)
    assert game.lobby.opening is DealtFrom.GIVEN_DECK


# -- sealed entropy ----------------------------------------------------------------------------------------------


def test_a_sealed_game_deals_with_the_last_reveal() -> None:
    game = sealed(Ann=b"one", Bob=None, Cem=b"two")
    assert game.state is None
    assert game.view("Ann") is None
    assert game.pending[-1] == GameStarted(DealtFrom.SHUFFLE)
    assert game.active() == (0, 2)

    game.reveal("Cem", b"two")
    assert game.state is None
    assert game.pending[-1] == EntropyRevealed(2, b"two".hex())
    assert game.active() == (0,)

    game.reveal("Ann", b"one")
    deck = Chance(SEED, GAME_ID.bytes, [share(b"one"), NO_SHARE, share(b"two")]).shuffle(0, DECK)
    assert game.pending[-2:] == [EntropyRevealed(0, b"one".hex()), CardsDealt(0, 3, deck)]
    assert game.phase is Phase.RUNNING


def test_the_order_of_the_reveals_does_not_matter() -> None:
    one, other = sealed(Ann=b"one", Bob=b"two"), sealed(Ann=b"one", Bob=b"two")
    one.reveal("Ann", b"one")
    one.reveal("Bob", b"two")
    other.reveal("Bob", b"two")
    other.reveal("Ann", b"one")
    assert one.pending[-1] == other.pending[-1]


def test_other_entropy_gives_another_deck() -> None:
    one, other = sealed(Ann=b"one", Bob=None), sealed(Ann=b"another", Bob=None)
    one.reveal("Ann", b"one")
    other.reveal("Ann", b"another")
    assert one.pending[-1] != other.pending[-1]


def test_nobody_moves_before_all_seals_are_open() -> None:
    game = sealed(Ann=b"one", Bob=b"two")
    game.reveal("Ann", b"one")
    assert game.legal("Ann") == ()
    with pytest.raises(IllegalMove) as refused:
        game.move("Ann", END_TURN)
    assert reason_of(refused) is HouseRefusal.NOT_STARTED


def test_a_game_starts_from_a_deck_or_from_a_position_but_not_from_both() -> None:
    game = opened()
    game.seat_all(["Ann", "Bob"])
    with pytest.raises(IllegalMove) as refused:
        game.start(HOST, deck=DECK, position=laid("JD / 3C"))
    assert reason_of(refused) is HouseRefusal.TWO_OPENINGS


@pytest.mark.parametrize("start", [{"deck": DECK}, {"position": laid("JD / 3C")}])
def test_sealed_entropy_needs_a_shuffle(start: dict[str, Any]) -> None:
    game = opened()
    game.join("Ann", seal=digest(b"one"))
    game.join("Bob")
    with pytest.raises(IllegalMove) as refused:
        game.start(HOST, **start)
    assert reason_of(refused) is HouseRefusal.SEALED_NEEDS_SHUFFLE


@pytest.mark.parametrize(
    ("rules", "options", "players"),
    [
        (REVIIYOT, ReviiyotOptions(1), ("Ann", "Bob", "Cem")),
        (REVIIYOT, ReviiyotOptions(1_000_000), ("Ann", "Bob")),
        (TCG, replace(TCG.setup.presets["full"], deck_size=33), ("Ann", "Bob")),
    ],
)
def test_seats_are_not_closed_for_a_deal_that_cannot_be(
    rules: AnyRules, options: Any, players: tuple[str, ...]
) -> None:
    refusals: list[str] = []
    for sealed in (False, True):
        game = Game.open(GAME_ID, rules, HOST, options, SEED)
        for player in players:
            game.join(player, seal=digest(player.encode()) if sealed else None)
        before = game.version, list(game.pending)
        with pytest.raises(FairdealError) as refused:
            game.start(HOST)
        refusals.append(refused.value.message)
    assert (game.version, game.pending) == before
    assert (game.phase, game.state) == (Phase.LOBBY, None)
    assert refusals[0] == refusals[1]


def test_a_rehearsed_deal_leaves_no_trace() -> None:
    game = sealed(Ann=b"a", Bob=None)
    assert (game.phase, game.state) == (Phase.SEALED, None)
    assert game.pending[-1] == GameStarted(DealtFrom.SHUFFLE)


def test_entropy_is_not_revealed_before_the_start() -> None:
    game = opened()
    game.join("Ann", seal=digest(b"one"))
    with pytest.raises(IllegalMove) as refused:
        game.reveal("Ann", b"one")
    assert reason_of(refused) is HouseRefusal.NOT_STARTED


def test_who_sealed_nothing_has_nothing_to_reveal() -> None:
    with pytest.raises(IllegalMove) as refused:
        sealed(Ann=b"one", Bob=None).reveal("Bob", b"one")
    assert reason_of(refused) is HouseRefusal.NOTHING_SEALED


@pytest.mark.parametrize("entropy", [b"", b"other", b"one "])
def test_other_entropy_than_the_sealed_one_is_refused(entropy: bytes) -> None:
    game = sealed(Ann=b"one", Bob=None)
    with pytest.raises(IllegalMove) as refused:
        game.reveal("Ann", entropy)
    assert reason_of(refused) is HouseRefusal.WRONG_ENTROPY
    assert game.phase is Phase.SEALED


def test_a_seal_is_opened_once() -> None:
    game = sealed(Ann=b"one", Bob=b"two")
    game.reveal("Ann", b"one")
    with pytest.raises(IllegalMove) as refused:
        game.reveal("Ann", b"one")
    assert reason_of(refused) is HouseRefusal.ALREADY_REVEALED
    game.reveal("Bob", b"two")
    with pytest.raises(IllegalMove) as refused:
        game.reveal("Bob", b"two")
    assert reason_of(refused) is HouseRefusal.ALREADY_REVEALED


def test_a_stranger_reveals_nothing() -> None:
    with pytest.raises(UnknownPlayer):
        sealed(Ann=b"one", Bob=None).reveal("Zoe", b"one")


def test_whoever_leaves_before_the_deal_is_named_and_nobody_has_lost() -> None:
    game = sealed(Ann=b"one", Bob=b"two", Cem=None)
    game.reveal("Ann", b"one")
    game.leave("Bob", "a bad feeling")
    assert game.pending[-1] == GameVoided((1,), "Bob", "a bad feeling")
    assert game.outcome == Outcome((), (), "a bad feeling")
    assert (game.phase, game.lobby.rated) == (Phase.VOID, False)
    assert game.state is None, "what would have been dealt was never dealt"


def test_a_host_who_breaks_a_table_off_before_the_deal_is_named() -> None:
    game = sealed(Ann=b"one", Bob=None)
    game.abandon(HOST, "Ann does not answer")
    assert game.pending[-1] == GameVoided((), HOST, "Ann does not answer")
    assert (game.phase, game.active(), game.over) == (Phase.VOID, (), True)


def test_by_the_first_house_rules_whoever_withheld_entropy_and_left_had_lost() -> None:
    game = Game.open(GAME_ID, KINGS_CORNERS, HOST, NoOptions(), SEED, terms=FIRST_HOUSE)
    game.join("Ann", seal=digest(b"one"))
    game.join("Bob", seal=digest(b"one"))
    game.start(HOST)
    game.leave("Bob", "a bad feeling")
    assert game.pending[-1] == GameAbandoned(1, "a bad feeling")
    assert game.outcome == Outcome((0,), (), "a bad feeling")


def test_the_same_seal_is_not_taken_twice() -> None:
    game = opened()
    game.join("Ann", seal=digest(b"one"))
    with pytest.raises(IllegalMove) as refused:
        game.join("Bob", seal=digest(b"one"))
    assert reason_of(refused) is HouseRefusal.SEAL_USED
    game.join("Bob", seal=digest(b"two"))
