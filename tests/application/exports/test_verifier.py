"""The independent verifier against houses that own everything: draws, cards and seals are nobody's choice."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairdeal import Fairdeal
from fairdeal.domain.kernel.chance import digest
from fairdeal.domain.kernel.french_deck import DECK
from fairdeal.domain.red7.cards import DECK as COLOURED
from fairdeal.domain.reviiyot.cards import pack_of
from fairdeal.domain.tcg.pool import STARTER
from kits.audit import Payload, batch_ends, golden, said
from kits.forging_house import CARDS, KATA, ROUNDS, SEALED, UNSEALED, House, fair, played_out, status
from kits.verifier import VERIFIER


def test_a_house_that_changes_nothing_passes() -> None:
    for name in (SEALED, UNSEALED, ROUNDS, CARDS):
        assert fair(House(name).file()).startswith("shuffle; "), name


# -- the number of a draw is not the house's choice ------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 12345])
@pytest.mark.parametrize("name", [SEALED, UNSEALED, "pardon-classic-2", "reviiyot-classic-2", "red7-basic-2"])
def test_the_deck_of_another_number_is_found(name: str, number: int) -> None:
    house = House(name)
    (dealt,) = house.events("cards_dealt")
    cards = {"red7": COLOURED, "reviiyot": pack_of(10).cards}.get(name.partition("-")[0], DECK)
    dealt.update(shuffle=number, deck=[str(card) for card in house.chance.shuffle(number, cards)])
    with pytest.raises(VERIFIER.Bad, match="the deck is not what the seed and the seals give"):
        VERIFIER.verify(house.file())


@pytest.mark.parametrize("number", [0, 2, 12345])
def test_a_later_round_has_the_number_of_its_round(number: int) -> None:
    house = House(ROUNDS)
    second = house.events("cards_dealt")[1]
    scored = house.events("round_won")[0]["cards"]
    cards = [str(card) for card in COLOURED if str(card) not in scored]
    assert second["deck"] == list(house.chance.shuffle(1, cards))
    second.update(shuffle=number, deck=list(house.chance.shuffle(number, cards)))
    with pytest.raises(VERIFIER.Bad, match="the deck is not"):
        VERIFIER.verify(house.file())


@pytest.mark.parametrize(("name", "deals"), [(SEALED, 1), ("red7-basic-2", 1), (ROUNDS, 2)])
def test_nothing_is_dealt_twice_until_it_suits(name: str, deals: int) -> None:
    house = House(name)
    at = [at for at, (stored, _) in enumerate(house.rows) if "cards_dealt" in stored][deals - 1]
    first = next(start for start in range(at, -1, -1) if "size" in house.rows[start][1])
    house.rows[first][1]["size"] += 1
    again = house.rows[at][1]["event"]
    cards = sorted(again["deck"], key=[*map(str, DECK), *map(str, COLOURED)].index)
    deck = list(house.chance.shuffle(deals, cards))
    house.rows.insert(at + 1, (house.rows[at][0], {"event": {**again, "shuffle": deals, "deck": deck}}))
    with pytest.raises(VERIFIER.Bad, match="it comes too early"):
        VERIFIER.verify(house.file())


def test_rounds_that_nobody_played_do_not_let_one_choose_a_number() -> None:
    house = House("red7-basic-2")
    at = next(at for at, (name, _) in enumerate(house.rows) if "cards_dealt" in name)
    first = next(start for start in range(at, -1, -1) if "size" in house.rows[start][1])
    house.rows[first][1]["size"] += 1
    won: Payload = {"seat": 0, "rule": "R", "cards": [], "points": 0}
    house.rows[at][1]["event"].update(shuffle=1, deck=[str(card) for card in house.chance.shuffle(1, COLOURED)])
    house.rows.insert(at, ("red7.round_won.v1", {"event": won}))
    with pytest.raises(VERIFIER.Bad, match="the deck is not"):
        VERIFIER.verify(house.file())


@pytest.mark.parametrize("number", [1, 2, 12345])
def test_a_deck_of_trading_cards_has_the_number_of_its_seat(number: int) -> None:
    house = House(CARDS)
    dealt = house.events("deck_shuffled")[0]
    deck = house.chance.shuffle(number, KATA)
    dealt.update(shuffle=number, deck=[{"number": at, "id": name} for at, name in enumerate(deck)])
    with pytest.raises(VERIFIER.Bad, match="the deck is not"):
        VERIFIER.verify(house.file())


def test_a_lot_has_its_fixed_number_and_cannot_be_left_out() -> None:
    for pick in (0, 12345, None):
        house = House(CARDS)
        (chosen,) = house.events("starting_player_chosen")
        chosen["pick"] = pick
        if pick is not None:
            chosen["seat"] = house.chance.pick(pick, 2)
        with pytest.raises(VERIFIER.Bad, match="the lot is not what"):
            VERIFIER.verify(house.file())


@pytest.mark.parametrize("copied", [1, 2])
def test_a_branch_goes_on_with_the_numbers_and_its_later_rounds_are_recomputed(fairdeal: Fairdeal, copied: int) -> None:
    records = golden(ROUNDS)
    fairdeal.ledger.append(records)
    deals = [record.version for record in records if "cards_dealt" in record.name]
    version = next(end for end in batch_ends(records) if end > deals[copied - 1])
    branch = played_out(fairdeal, fairdeal.branch(records[0].game_id, version, "zoe").game_id)
    house = House(ROUNDS)
    house.game_id = branch
    house.rows = [(record.name, said(record)) for record in fairdeal.ledger.records(branch)]
    rounds = house.events("cards_dealt")
    assert fair(fairdeal.exports.export(branch)) == f"branch; {len(rounds) - copied} shuffles recomputed, a branch"
    later = rounds[copied]
    assert later["shuffle"] == copied
    later.update(shuffle=7, deck=list(house.chance.shuffle(7, sorted(later["deck"], key=list(COLOURED).index))))
    with pytest.raises(VERIFIER.Bad, match="the deck is not"):
        VERIFIER.verify(house.file())


# -- seals and seats -------------------------------------------------------------------------------------------------


def test_nothing_is_drawn_before_every_seal_is_open() -> None:
    house = House(UNSEALED)
    for event in house.events("player_seated"):
        event["seal"] = digest(event["player"].encode() * 16)
    with pytest.raises(VERIFIER.Bad, match="it comes too early"):
        VERIFIER.verify(house.file())


def test_who_sits_down_after_the_start_changes_no_draw() -> None:
    """Seats that come later would be tries: with each of them the deck is another one."""
    house = House(SEALED)
    start = next(at for at, (name, _) in enumerate(house.rows) if "game_started" in name)
    name, late = next((name, payload) for name, payload in house.rows if "player_seated" in name)
    at = house.rows[start][1]["at"]
    late = {**late, "at": at, "event": {"player": "eve", "brought": None, "seal": None}}
    house.rows.insert(start + 1, (name, late))
    (dealt,) = house.events("cards_dealt")
    dealt["deck"] = list(house.chance.shuffle(0, [str(card) for card in DECK]))
    with pytest.raises(VERIFIER.Bad, match="the deck is not"):
        VERIFIER.verify(house.file())


# -- the cards are not the house's choice either ---------------------------------------------------------------------

FEW: dict[str, tuple[str, Callable[[House], list[str]]]] = {
    "no kings": (SEALED, lambda house: [str(card) for card in DECK if "K" not in str(card)]),
    "no cards": (SEALED, lambda house: []),
    "strange cards": (SEALED, lambda house: ["XX"] * 52),
    "a card twice": (SEALED, lambda house: [*map(str, DECK), "KS"]),
    "a smaller Reviiyot deck": ("reviiyot-classic-2", lambda house: list(pack_of(8).cards)),
    "a larger Reviiyot deck": ("reviiyot-short-2", lambda house: list(pack_of(9).cards)),
    "Red7 without its sevens": ("red7-basic-2", lambda house: [c for c in map(str, COLOURED) if "7" not in c]),
}


@pytest.mark.parametrize(("name", "cards"), FEW.values(), ids=FEW)
def test_other_cards_are_found_although_they_were_shuffled_truly(
    name: str, cards: Callable[[House], list[str]]
) -> None:
    house = House(name)
    (dealt,) = house.events("cards_dealt")
    dealt["deck"] = list(house.chance.shuffle(0, cards(house)))
    with pytest.raises(VERIFIER.Bad, match="the deck is not"):
        VERIFIER.verify(house.file())


def test_cards_that_were_scored_are_out_in_later_rounds() -> None:
    house = House(ROUNDS)
    second = house.events("cards_dealt")[1]
    second["deck"] = list(house.chance.shuffle(1, [str(card) for card in COLOURED]))
    with pytest.raises(VERIFIER.Bad, match="the deck is not"):
        VERIFIER.verify(house.file())


@pytest.mark.parametrize(
    "ids",
    [[*KATA[:-1], "meteor"], KATA[:-1], [*KATA[:-1], "dragon"], KATA[::-1]],
    ids=["another card", "too few", "an unknown card", "another order before the shuffle"],
)
def test_a_seat_plays_the_trading_cards_that_it_brought(ids: list[str]) -> None:
    house = House(CARDS)
    for seat, event in enumerate(house.events("deck_shuffled")):
        deck = house.chance.shuffle(seat, ids)
        event["deck"] = [{"number": at, "id": name} for at, name in enumerate(deck, 20 * seat)]
    # A house that chose the order of the pool after the seals were open could choose the deck by it.
    (defined,) = house.events("cards_defined")
    printed: dict[str, Payload] = {card["id"]: card for card in defined["cards"]}
    order = [*dict.fromkeys(name for name in ids if name in printed), *(name for name in printed if name not in ids)]
    defined["cards"] = [printed[name] for name in order]
    with pytest.raises(VERIFIER.Bad, match="the deck is not"):
        VERIFIER.verify(house.file())


def test_the_verifier_knows_the_starter_pool_and_the_default_deck() -> None:
    assert [card.id for card in STARTER] == VERIFIER.POOL
    assert tuple(VERIFIER.KATA) == KATA


def test_a_position_is_not_a_shuffle() -> None:
    house = House(SEALED)
    at = next(at for at, (name, _) in enumerate(house.rows) if "cards_dealt" in name)
    laid: Payload = {"hands": [["KS"], ["2C"]], "piles": [[]] * 8, "deck": ["3D"], "turn": 0}
    house.rows[at] = ("kings_corners.position_laid.v1", {**house.rows[at][1], "event": laid})
    with pytest.raises(VERIFIER.Bad, match="the deck is not"):
        VERIFIER.verify(house.file())


def test_of_a_kind_that_it_does_not_know_it_says_so() -> None:
    house = House(SEALED)
    house.rows = [(f"poker.{name.partition('.')[2]}", payload) for name, payload in house.rows]
    assert fair(house.file()) == "not checked: the shuffles of 'poker' are not known here"


# -- numbers of trading cards ----------------------------------------------------------------------------------------

NUMBERS: dict[str, Callable[[list[dict[str, Any]]], object]] = {
    "two exchanged": lambda deck: (deck[0].update(number=21), deck[1].update(number=20)),
    "counted from 0": lambda deck: [card.update(number=at) for at, card in enumerate(deck)],
    "one twice": lambda deck: deck[1].update(number=20),
    "a number that is a word": lambda deck: deck[0].update(number="20"),
}


@pytest.mark.parametrize("change", NUMBERS.values(), ids=NUMBERS)
def test_trading_cards_are_numbered_by_their_places(change: Callable[[list[dict[str, Any]]], object]) -> None:
    house = House(CARDS)
    change(house.events("deck_shuffled")[1]["deck"])
    with pytest.raises(VERIFIER.Bad, match="the deck is not"):
        VERIFIER.verify(house.file())


# -- lengths ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [0, 1, 31, 33, 200])
def test_a_seed_has_32_bytes(length: int) -> None:
    house = House(UNSEALED)
    house.reseed(b"s" * length)
    (dealt,) = house.events("cards_dealt")
    dealt["deck"] = list(house.chance.shuffle(0, [str(card) for card in DECK]))
    with pytest.raises(VERIFIER.Bad, match="record 0: the seed is not lower-case hex of the right length"):
        VERIFIER.verify(house.file())


@pytest.mark.parametrize("length", [0, 1, 15, 16, 64, 65, 5000])
def test_entropy_has_16_to_64_bytes(length: int) -> None:
    house, entropy = House(SEALED), b"e" * length
    house.events("player_seated")[0]["seal"] = digest(entropy)
    house.events("entropy_revealed")[0]["entropy"] = entropy.hex()
    (dealt,) = house.events("cards_dealt")
    dealt["deck"] = list(house.chance.shuffle(0, [str(card) for card in DECK]))
    if length in (16, 64):
        assert fair(house.file()).endswith("sealed by 'ann'")
        return
    with pytest.raises(VERIFIER.Bad, match="the entropy is not lower-case hex of the right length"):
        VERIFIER.verify(house.file())


# -- files that must not make it stumble -----------------------------------------------------------------------------


@pytest.mark.parametrize("number", [2**40, 2**32, -1, 1.0, 0.0, False, "0", None, [], {}])
@pytest.mark.parametrize(
    ("name", "event"), [(SEALED, "cards_dealt"), (ROUNDS, "cards_dealt"), (CARDS, "deck_shuffled")]
)
def test_a_bad_number_is_not_a_traceback(tmp_path: Path, name: str, event: str, number: object) -> None:
    house = House(name)
    house.events(event)[0]["shuffle"] = number
    assert status(tmp_path, house.file()) == 1
    for seat in (number, 99):
        house.events(event)[0].update(seat=seat, shuffle=seat)
        assert status(tmp_path, house.file()) in (1, 2)


@pytest.mark.parametrize("name", [SEALED, CARDS])
def test_a_lot_before_anybody_sits_is_not_a_traceback(tmp_path: Path, name: str) -> None:
    house = House(name)
    house.events("game_opened")[0].update(pick=0, seat=0)
    assert status(tmp_path, house.file()) == 1


@pytest.mark.parametrize("count", [10**12, -1, "many", None])
def test_a_deck_that_is_endless_is_not_built(tmp_path: Path, count: object) -> None:
    house = House(CARDS)
    house.events("player_seated")[0]["brought"] = {"name": "Endless", "cards": [{"id": "d0", "count": count}]}
    assert status(tmp_path, house.file()) in (1, 2)
    house = House("reviiyot-short-2")
    house.events("game_opened")[0]["options"] = {"n": count}
    assert status(tmp_path, house.file()) in (1, 2)


def test_a_bad_opening_does_not_lead_around_the_shuffle(tmp_path: Path) -> None:
    house = House(UNSEALED)
    house.events("game_started")[0]["opening"] = "Shuffle"
    assert status(tmp_path, house.file()) == 2


# -- what it says ----------------------------------------------------------------------------------------------------


def test_where_nothing_was_dealt_nobody_sealed_a_deal(fairdeal: Fairdeal) -> None:
    game = fairdeal.handle({"command": "open_game", "player": "ann", "kind": "kings_corners"}).game_id
    for player in ("ann", "bob"):
        seal = digest(player.encode() * 16)
        fairdeal.handle({"command": "join_game", "player": player, "game_id": game, "seal": seal})
    fairdeal.handle({"command": "start_game", "player": "ann", "game_id": game})
    fairdeal.handle({"command": "leave_game", "player": "bob", "game_id": game})
    assert fair(fairdeal.exports.export(game)) == "nothing was dealt"


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        (UNSEALED, "shuffle; 1 shuffles recomputed, sealed by nobody: on the operator's word"),
        ("pardon-classic-5", "shuffle; 1 shuffles recomputed, sealed by 'ann', 'cleo', 'eve'"),
        ("kings_corners-given_deck", "given_deck; 0 shuffles recomputed, a given deck"),
        ("tcg-given_deck", "given_deck; 0 shuffles recomputed, a given deck"),
        ("tcg-branch", "branch; 0 shuffles recomputed, a branch"),
    ],
)
def test_it_says_how_the_deck_came_about(name: str, verdict: str) -> None:
    assert fair(House(name).file()) == verdict


def test_after_a_position_the_later_rounds_are_drawn(fairdeal: Fairdeal) -> None:
    position = {
        "hands": [["R7"], ["V1"]], "palettes": [["B4"], ["B3"]], "canvas": [], "deck": ["I1", "I2"],
        "out": [], "scores": [["O1", "O2"], ["Y3"]], "turn": 1,
    }  # fmt: skip
    game = fairdeal.start_game("red7", ["ann", "bob"], "match", position=position).game_id
    fairdeal.move(game, "bob", {"move": "give_up"})
    version = fairdeal.look(game).version
    fairdeal.handle({"command": "abandon_game", "player": "ann", "game_id": game})
    assert fair(fairdeal.exports.export(game)) == "position; 1 shuffles recomputed, a position"
    branch = fairdeal.branch(game, version, "zoe").game_id
    assert fair(fairdeal.exports.export(played_out(fairdeal, branch))).startswith("branch; ")
