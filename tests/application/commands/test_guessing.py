"""Somebody who guesses what the others have brought to the table learns nothing from what is refused."""

from collections.abc import Iterator
from itertools import islice
from uuid import UUID

import pytest

from fairdeal import Fairdeal, JoinGame, OpenGame, QuickStart, StartGame
from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.domain.tcg.decks import DEFAULT_DECK, expanded
from fairdeal.domain.tcg.pool import STARTER

KATA = list(expanded(DEFAULT_DECK, STARTER))
HEALER = ["d1", "d2", "mend", "study", "wall"] * 4
BRAWLER = ["d1", "d3", "d4", "study", "wall"] * 4
WHY = "Somebody else has brought something to this table: only a shuffle or a position can start it."
Deck = list[str]


def brought(ids: Deck) -> dict[str, object]:
    return {"name": "Mine", "cards": [{"id": one, "count": ids.count(one)} for one in dict.fromkeys(ids)]}


def table(fairdeal: Fairdeal, ann: Deck | None, bob: Deck | None) -> UUID:
    game = fairdeal.handle(OpenGame(player="ann", kind="tcg", options="full")).game_id
    for player, deck in (("ann", ann), ("bob", bob)):
        fairdeal.handle(JoinGame(game_id=game, player=player, brings=None if deck is None else brought(deck)))
    return game


def refusal(fairdeal: Fairdeal, game: UUID, decks: list[Deck], starter: str = "ann") -> str | None:
    """What the starter is told; None if the game starts."""
    try:
        fairdeal.handle(StartGame(game_id=game, player=starter, deck=decks))
    except FairdealError as error:
        return f"{error.code}: {error.message}"
    return None


def guesses() -> Iterator[Deck]:
    """Decks of five cards, four times each, the right ones among them; and some that are not even decks."""
    pool = [card.id for card in STARTER]
    yield from ([], ["dragon"] * 20, KATA, HEALER[1:], HEALER, BRAWLER)
    for at in range(len(pool)):
        yield [pool[(at + step) % len(pool)] for step in range(5)] * 4


@pytest.fixture
def fairdeal() -> Iterator[Fairdeal]:
    with Fairdeal("memory:") as fairdeal:
        yield fairdeal


@pytest.mark.parametrize("own", [None, KATA])
def test_no_guess_is_answered_otherwise_than_another(fairdeal: Fairdeal, own: Deck | None) -> None:
    healer, brawler = table(fairdeal, own, HEALER), table(fairdeal, own, BRAWLER)
    asked = [[KATA, guess] for guess in islice(guesses(), 30)]
    told = {refusal(fairdeal, game, decks) for game in (healer, brawler) for decks in asked}
    assert told == {f"brought_by_others: {WHY}"}


def test_whoever_opened_the_table_and_does_not_sit_there_learns_nothing_either(fairdeal: Fairdeal) -> None:
    game = fairdeal.handle(OpenGame(player="host", kind="tcg", options="full")).game_id
    for player, deck in (("ann", HEALER), ("bob", KATA)):
        fairdeal.handle(JoinGame(game_id=game, player=player, brings=brought(deck)))
    answers = [refusal(fairdeal, game, decks, "host") for decks in ([HEALER, KATA], [KATA, KATA], [HEALER], [])]
    assert len(set(answers)) == 1
    assert answers[0] is not None


def test_an_order_of_ones_own_deck_is_still_taken_where_nobody_else_brought_anything(fairdeal: Fairdeal) -> None:
    game = table(fairdeal, HEALER, None)
    told = refusal(fairdeal, game, [BRAWLER, KATA])
    assert told is not None
    assert told.startswith("invalid_deck")
    assert refusal(fairdeal, game, [HEALER[::-1], KATA]) is None


def test_who_brings_everything_in_one_call_may_give_the_order_of_everything(fairdeal: Fairdeal) -> None:
    brings = {"ann": brought(HEALER), "bob": brought(BRAWLER)}
    both = QuickStart(
        player="ann", kind="tcg", options="full", players=("ann", "bob"), brings=brings, deck=[HEALER, BRAWLER]
    )
    game = fairdeal.handle(both).game_id
    assert fairdeal.look(game).phase == "running"
    assert fairdeal.audit(game).legal.grade == "yes"


def test_the_seats_stay_open_and_a_shuffle_can_start_the_game(fairdeal: Fairdeal) -> None:
    game = table(fairdeal, None, HEALER)
    assert refusal(fairdeal, game, [KATA, HEALER]) is not None
    fairdeal.handle(StartGame(game_id=game, player="ann"))
    assert fairdeal.look(game).phase == "running"
