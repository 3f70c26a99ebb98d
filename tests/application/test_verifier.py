"""The independent verifier against houses that own everything: logs whose links fit, and what it must say of them."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest

from audit_kit import Payload, batch_ends, golden, said, short_log, written
from fairdeal import Fairdeal
from fairdeal.application.catalogue import GAMES
from fairdeal.application.records import link_of, salt_of
from fairdeal.domain.kernel.chance import NO_SHARE, Chance, digest, share
from fairdeal.domain.kernel.french_deck import DECK
from fairdeal.domain.red7.cards import DECK as COLOURED
from fairdeal.domain.reviiyot.cards import pack_of
from fairdeal.domain.tcg.decks import DEFAULT_DECK, expanded
from fairdeal.domain.tcg.pool import STARTER
from fairdeal.testing.recorded import relinked
from verifier import VERIFIER

Rows = list[tuple[str, Payload]]
Change = Callable[[dict[str, Any]], object]

SEALED, UNSEALED, ROUNDS, CARDS = "kings_corners-classic-2", "kings_corners-abandoned", "red7-match-2", "tcg-full-2"
KATA = expanded(DEFAULT_DECK, STARTER)


class House:
    """Somebody who owns the database and writes into a recorded game what he likes; then all links fit again."""

    def __init__(self, name: str) -> None:
        records = golden(name)
        self.game_id: UUID = records[0].game_id
        self.rows: Rows = [(record.name, said(record)) for record in records]

    def events(self, name: str) -> list[dict[str, Any]]:
        return [payload["event"] for stored, payload in self.rows if stored.partition(".")[2] == f"{name}.v1"]

    @property
    def seed(self) -> bytes:
        return bytes.fromhex(self.events("game_opened")[0]["seed"])

    @property
    def players(self) -> list[str]:
        gone = [event["player"] for event in self.events("player_left")]
        return [event["player"] for event in self.events("player_seated") if event["player"] not in gone]

    @property
    def chance(self) -> Chance:
        shares = [NO_SHARE] * len(self.players)
        for event in self.events("entropy_revealed"):
            shares[event["seat"]] = share(bytes.fromhex(event["entropy"]))
        return Chance(self.seed, self.game_id.bytes, shares)

    def reseed(self, seed: bytes) -> None:
        self.events("game_opened")[0].update(seed=seed.hex(), commitment=digest(seed))

    def file(self, write: Callable[[Payload], bytes] = written) -> str:
        """The log as an export of a game that is over; Fairdeal itself could not follow some of them."""
        opened = self.rows[0][1]
        header = {
            "fairdeal": 1,
            "game": str(self.game_id),
            "kind": self.rows[0][0].partition(".")[0],
            "rules": opened["rules"],
            "options": opened["event"]["options"],
            "players": self.players,
            "viewer": None,
        }
        records = relinked(self.seed, self.game_id, [(name, write(payload)) for name, payload in self.rows])
        lines = [
            {
                "version": record.version,
                "name": record.name,
                "payload": record.payload.decode(),
                "salt": salt_of(self.seed, record.version).hex(),
                "link": record.link.hex(),
            }
            for record in records
        ]
        footer = {"records": len(records), "link": records[-1].link.hex(), "seed": self.seed.hex(), "digest": ""}
        return digested([header, *lines, footer])


def digested(lines: list[dict[str, Any]]) -> str:
    """The file with a digest that fits, as everybody can make it."""
    text = "".join(written(line).decode() + "\n" for line in lines[:-1])
    return text + written({**lines[-1], "digest": hashlib.sha256(text.encode()).hexdigest()}).decode() + "\n"


def fair(text: str) -> str:
    return str(VERIFIER.verify(text)[1])


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


def test_rounds_that_nobody_played_are_no_way_to_choose_a_number() -> None:
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
    assert fair(fairdeal.export(branch)) == f"branch; {len(rounds) - copied} shuffles recomputed, a branch"
    later = rounds[copied]
    assert later["shuffle"] == copied
    later.update(shuffle=7, deck=list(house.chance.shuffle(7, sorted(later["deck"], key=list(COLOURED).index))))
    with pytest.raises(VERIFIER.Bad, match="the deck is not"):
        VERIFIER.verify(house.file())


def played_out(fairdeal: Fairdeal, game: UUID) -> UUID:
    rng = Random(2)
    while active := (look := fairdeal.look(game)).active:
        player = look.players[active[0]]
        fairdeal.move(game, player, rng.choice(fairdeal.look(game, player).legal))
    return game


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


def test_a_position_is_no_shuffle() -> None:
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
    "a number with a point": lambda deck: deck[0].update(number=20.0),
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
    with pytest.raises(VERIFIER.Bad, match=r"the seed or the viewer|another last line"):
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
    with pytest.raises(VERIFIER.Bad, match="it is not what was sealed"):
        VERIFIER.verify(house.file())


# -- files that must not make it stumble -----------------------------------------------------------------------------


@pytest.mark.parametrize("number", [2**40, 2**32, -1, 1.0, 0.0, False, "0", None, [], {}])
@pytest.mark.parametrize(
    ("name", "event"), [(SEALED, "cards_dealt"), (ROUNDS, "cards_dealt"), (CARDS, "deck_shuffled")]
)
def test_a_number_that_is_none_is_no_traceback(tmp_path: Path, name: str, event: str, number: object) -> None:
    house = House(name)
    house.events(event)[0]["shuffle"] = number
    assert status(tmp_path, house.file()) == 1
    for seat in (number, 99):
        house.events(event)[0].update(seat=seat, shuffle=seat)
        assert status(tmp_path, house.file()) in (1, 2)


@pytest.mark.parametrize("name", [SEALED, CARDS])
def test_a_lot_before_anybody_sits_is_no_traceback(tmp_path: Path, name: str) -> None:
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


def test_an_opening_that_is_none_is_no_way_around_the_shuffle(tmp_path: Path) -> None:
    house = House(UNSEALED)
    house.events("game_started")[0]["opening"] = "Shuffle"
    assert status(tmp_path, house.file()) == 2


def status(tmp_path: Path, text: str) -> int:
    path = tmp_path / "odd.jsonl"
    path.write_text(text, encoding="utf-8", newline="\n")
    return int(VERIFIER.main(str(path)))


# -- what it says ----------------------------------------------------------------------------------------------------


def test_where_nothing_was_dealt_nobody_sealed_a_deal(fairdeal: Fairdeal) -> None:
    game = fairdeal.handle({"command": "open_game", "player": "ann", "kind": "kings_corners"}).game_id
    for player in ("ann", "bob"):
        seal = digest(player.encode() * 16)
        fairdeal.handle({"command": "join_game", "player": player, "game_id": game, "seal": seal})
    fairdeal.handle({"command": "start_game", "player": "ann", "game_id": game})
    fairdeal.handle({"command": "leave_game", "player": "bob", "game_id": game})
    assert fair(fairdeal.export(game)) == "nothing was dealt"


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
    assert fair(fairdeal.export(game)) == "position; 1 shuffles recomputed, a position"
    branch = fairdeal.branch(game, version, "zoe").game_id
    assert fair(fairdeal.export(played_out(fairdeal, branch))).startswith("branch; ")


# -- what one viewer may see -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", GAMES)
def test_running_games_verify_for_every_viewer(fairdeal: Fairdeal, kind: str) -> None:
    records = short_log(kind)
    fairdeal.ledger.append(records)
    game = records[0].game_id
    for viewer in (*fairdeal.look(game).players, None):
        assert fair(fairdeal.export(game, viewer)) == "not yet: the game goes on"
    assert fair(fairdeal.export(game, operator=True)).startswith("shuffle; ")


@pytest.fixture
def seen(fairdeal: Fairdeal) -> list[dict[str, Any]]:
    """A running game with sealed entropy as bob may see it."""
    game = fairdeal.handle({"command": "open_game", "player": "ann", "kind": "kings_corners"}).game_id
    for player in ("zoe", "ann", "bob"):
        seal = digest(player.encode() * 16)
        fairdeal.handle({"command": "join_game", "player": player, "game_id": game, "seal": seal})
    fairdeal.handle({"command": "leave_game", "player": "zoe", "game_id": game})
    fairdeal.handle({"command": "start_game", "player": "ann", "game_id": game})
    for player in ("ann", "bob"):
        entropy = (player.encode() * 16).hex()
        fairdeal.handle({"command": "reveal_entropy", "player": player, "game_id": game, "entropy": entropy})
    fairdeal.move(game, "ann", {"move": "end_turn"})
    return [json.loads(line) for line in fairdeal.export(game, "bob").splitlines()]


def test_what_bob_sees_is_good(seen: list[dict[str, Any]]) -> None:
    assert fair(digested(seen)).startswith("not yet")
    assert "seal" in seen[1]
    assert "size" in seen[1]


CLOSED: dict[str, Change] = {
    "no time": lambda line: line.pop("at"),
    "nobody": lambda line: line.pop("by"),
    "no rules": lambda line: line.pop("rules"),
    "no size": lambda line: line.pop("size"),
    "a command": lambda line: line.update(command={}),
    "no event": lambda line: line.pop("event"),
    "an event that is nothing": lambda line: line.update(event=None),
    "an event that is a word": lambda line: line.update(event="deck"),
    "an event that is a list": lambda line: line.update(event=["deck"]),
    "an event that is false": lambda line: line.update(event=False),
    "a seal in capitals": lambda line: line.update(seal=line["seal"].upper()),
    "a seal with blanks": lambda line: line.update(seal=line["seal"].replace("a", "a ", 1) + " "),
}


@pytest.mark.parametrize("change", CLOSED.values(), ids=CLOSED)
@pytest.mark.parametrize("place", ["first", "last"])
def test_a_closed_record_shows_what_it_should(
    seen: list[dict[str, Any]], tmp_path: Path, place: str, change: Change
) -> None:
    closed = [line for line in seen if "seal" in line and "size" in line]
    change(closed[0 if place == "first" else -1])
    assert status(tmp_path, digested(seen)) in (1, 2)


def test_a_closed_record_within_a_batch_has_no_beginning(seen: list[dict[str, Any]]) -> None:
    line = next(line for line in seen if "seal" in line and "size" not in line)
    at = seen.index(line)
    seen[at] = {key: {"by": "ann", **line}[key] for key in ("version", "name", "seal", "by", "event", "link")}
    with pytest.raises(VERIFIER.Bad, match="batches are not whole"):
        VERIFIER.verify(digested(seen))


@pytest.mark.parametrize("cut", [1, 20])
def test_a_salt_has_16_bytes_so_that_a_payload_cannot_move_into_it(seen: list[dict[str, Any]], cut: int) -> None:
    line = next(line for line in seen if "payload" in line)
    line["salt"] += line["payload"][:cut].encode().hex()
    line["payload"] = line["payload"][cut:]
    with pytest.raises(VERIFIER.Bad, match="its salt or seal is none"):
        VERIFIER.verify(digested(seen))


def test_a_salt_is_written_in_small_letters(seen: list[dict[str, Any]]) -> None:
    line = next(line for line in seen if "payload" in line)
    line["salt"] = line["salt"].upper()
    with pytest.raises(VERIFIER.Bad, match="its salt or seal is none"):
        VERIFIER.verify(digested(seen))


HEADERS: dict[str, Change] = {
    "other players": lambda line: line.update(players=["mallory", "bob"]),
    "players in another order": lambda line: line["players"].reverse(),
    "somebody who left": lambda line: line["players"].insert(0, "zoe"),
    "other options": lambda line: line.update(options={"x": 1}),
    "other rules": lambda line: line.update(rules=99),
    "rules that are true": lambda line: line.update(rules=True),
}


@pytest.mark.parametrize("change", HEADERS.values(), ids=HEADERS)
def test_the_first_line_fits_what_can_be_seen(seen: list[dict[str, Any]], change: Change) -> None:
    change(seen[0])
    with pytest.raises(VERIFIER.Bad, match="record 0: the first line does not fit the records"):
        VERIFIER.verify(digested(seen))


def test_entropy_that_was_not_sealed_shows_while_the_game_runs(seen: list[dict[str, Any]]) -> None:
    line = next(line for line in seen if "seal" in line and "entropy_revealed" in line["name"])
    line["event"]["entropy"] = "00" * 16
    with pytest.raises(VERIFIER.Bad, match="it is not what was sealed"):
        VERIFIER.verify(digested(seen))


# -- receipts --------------------------------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path: Path) -> tuple[str, str, str]:
    """A file with one game, its id, and the link of its fifth record."""
    path = tmp_path / "game.jsonl"
    path.write_text(House(UNSEALED).file(), encoding="utf-8", newline="\n")
    record = golden(UNSEALED)[4]
    return str(path), str(record.game_id), record.link.hex()


GOOD: dict[str, Callable[[str, str], list[str]]] = {
    "two words": lambda game, link: ["--receipt", f"{game}:5:{link}"],
    "one word": lambda game, link: [f"--receipt={game}:5:{link}"],
    "no game": lambda game, link: ["--receipt", f"5:{link}"],
    "a game in capitals": lambda game, link: ["--receipt", f"{game.upper()}:5:{link}"],
    "a game in plain hex": lambda game, link: ["--receipt", f"{game.replace('-', '')}:5:{link}"],
    "a game in braces": lambda game, link: ["--receipt", f"{{{game}}}:5:{link}"],
    "a link in capitals": lambda game, link: ["--receipt", f"{game}:5:{link.upper()}"],
    "blanks around": lambda game, link: ["--receipt", f" {game}:5:{link} "],
}


@pytest.mark.parametrize("arguments", GOOD.values(), ids=GOOD)
def test_a_receipt_is_never_passed_over_however_it_is_written(
    kept: tuple[str, str, str], capsys: pytest.CaptureFixture[str], arguments: Callable[[str, str], list[str]]
) -> None:
    path, game, link = kept
    assert VERIFIER.main(path, *arguments(game, link)) == 0
    assert ", 1 receipts" in capsys.readouterr().out
    assert VERIFIER.main(path, *arguments(game, "ab" * 32)) == 1
    assert "record 5: a receipt" in capsys.readouterr().out


MALFORMED: dict[str, Callable[[str, str], list[str]]] = {
    "nothing behind the word": lambda game, link: ["--receipt"],
    "nothing behind the sign": lambda game, link: ["--receipt="],
    "nothing behind the second": lambda game, link: ["--receipt", f"{game}:5:{link}", "--receipt"],
    "nothing between": lambda game, link: ["--receipt", "--receipt", f"{game}:5:{link}"],
    "nothing but a word": lambda game, link: ["--receipt", "yes"],
    "another option": lambda game, link: ["--receipts", f"{game}:5:{link}"],
    "a blank in the game": lambda game, link: ["--receipt", f"{game} :5:{link}"],
    "another game": lambda game, link: ["--receipt", f"{UUID(int=7)}:5:{link}"],
    "half a game": lambda game, link: ["--receipt", f"{game[:8]}:5:{link}"],
    "an empty game": lambda game, link: ["--receipt", f":5:{link}"],
    "no version": lambda game, link: ["--receipt", f"{game}:{link}"],
    "a version that is none": lambda game, link: ["--receipt", f"{game}:five:{link}"],
    "half a link": lambda game, link: ["--receipt", f"{game}:5:{link[:32]}"],
    "something more": lambda game, link: ["--receipt", f"{game}:5:{link}:"],
}


@pytest.mark.parametrize("arguments", MALFORMED.values(), ids=MALFORMED)
def test_a_receipt_that_is_none_or_of_no_game_in_the_file_is_said(
    kept: tuple[str, str, str], capsys: pytest.CaptureFixture[str], arguments: Callable[[str, str], list[str]]
) -> None:
    path, game, link = kept
    assert VERIFIER.main(path, *arguments(game, link)) == 2
    said = capsys.readouterr()
    assert "is no receipt GAME:VERSION:LINK of a game in the file" in said.err
    assert "untouched" not in said.out


def test_a_receipt_for_no_record_shows(kept: tuple[str, str, str]) -> None:
    path, game, link = kept
    for version in (0, 6, 999, 10**30):
        assert VERIFIER.main(path, f"--receipt={game}:{version}:{link}") == 1


def test_where_there_are_many_games_a_receipt_names_its_own(fairdeal: Fairdeal, tmp_path: Path) -> None:
    receipt, _ = [fairdeal.start_game(kind, ["ann", "bob"]).receipt for kind in ("pardon", "red7")]
    path = tmp_path / "both.jsonl"
    path.write_text("".join(fairdeal.export_all()), encoding="utf-8", newline="\n")
    assert VERIFIER.main(str(path), "--receipt", str(receipt)) == 0
    assert VERIFIER.main(str(path), "--receipt", f"{receipt.version}:{receipt.link}") == 2
    path.write_text("\0".join(fairdeal.export(game) for game in fairdeal.ledger.game_ids(None, 2)), encoding="utf-8")
    assert VERIFIER.main(str(path)) != 0


def test_a_house_cannot_hide_from_receipts_behind_capitals(kept: tuple[str, str, str]) -> None:
    path, game, _ = kept
    lines = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    lines[0]["game"] = game.upper()
    Path(path).write_text(digested(lines), encoding="utf-8", newline="\n")
    assert VERIFIER.main(path) == 1
    assert VERIFIER.main(path, "--receipt", f"{game}:5:{'ab' * 32}") != 0


# -- what a file says is quoted and cut ------------------------------------------------------------------------------

EVIL = "\x1b[31mann\n  fair: all is well" + "!" * 5000


def test_names_are_quoted_and_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = House(SEALED)
    for event in house.events("player_seated"):
        event["player"] = EVIL + event["player"]
    assert status(tmp_path, house.file()) == 0
    is_tame(capsys)


def test_kinds_are_quoted_and_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = House(SEALED)
    kind = EVIL.replace(".", "")
    house.rows = [(f"{kind}.{name.partition('.')[2]}", payload) for name, payload in house.rows]
    status(tmp_path, house.file())
    is_tame(capsys)


@pytest.mark.parametrize(("line", "key"), [(0, "fairdeal"), (3, "version"), (0, "game"), (3, "name"), (0, "viewer")])
@pytest.mark.parametrize("value", [EVIL, [EVIL], {EVIL: EVIL}, "\ud800"])
def test_other_values_are_quoted_and_cut(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: int, key: str, value: object
) -> None:
    lines = [json.loads(line) for line in House(UNSEALED).file().splitlines()]
    lines[line][key] = value
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    assert status(tmp_path, text) in (1, 2)
    is_tame(capsys)


def is_tame(capsys: pytest.CaptureFixture[str]) -> None:
    said = capsys.readouterr()
    text = (said.out + said.err).replace(VERIFIER.__doc__ or "", "")
    assert "\x1b" not in text
    assert "\n  fair: all" not in text
    assert max(map(len, text.splitlines())) < 700


# -- one way to write ------------------------------------------------------------------------------------------------

ENDS: dict[str, tuple[int, Change]] = {
    "a game in capitals": (0, lambda line: line.update(game=line["game"].upper())),
    "a game without dashes": (0, lambda line: line.update(game=line["game"].replace("-", ""))),
    "a game with its dashes elsewhere": (0, lambda line: line.update(game="-" + line["game"].replace("-", "", 1))),
    "a game that is longer": (0, lambda line: line.update(game=line["game"] + "00")),
    "a seed in capitals": (-1, lambda line: line.update(seed=line["seed"].upper())),
    "a seed with blanks": (-1, lambda line: line.update(seed=line["seed"] + " ")),
    "a number with a point": (-1, lambda line: line.update(records=float(line["records"]))),
}


@pytest.mark.parametrize(("number", "change"), ENDS.values(), ids=ENDS)
def test_there_is_one_way_to_write_the_first_and_the_last_line(number: int, change: Change) -> None:
    lines = [json.loads(line) for line in House(UNSEALED).file().splitlines()]
    change(lines[number])
    with pytest.raises(VERIFIER.Bad):
        VERIFIER.verify(digested(lines))


@pytest.mark.parametrize("key", ["rules", "size"])
@pytest.mark.parametrize("value", [True, 0, -1, 1.0])
def test_rules_and_sizes_are_numbers_from_1(key: str, value: object) -> None:
    house = House(UNSEALED)
    house.rows[0][1][key] = value
    with pytest.raises(VERIFIER.Bad):
        VERIFIER.verify(house.file())


PAYLOADS: dict[str, Callable[[str], str]] = {
    "blanks": lambda text: text.replace(":", ": "),
    "a blank behind": lambda text: text + " ",
    "a line end": lambda text: text + "\n",
    "a key that stands twice": lambda text: text.replace('{"event":', '{"event":{},"event":', 1),
    "a field that stands twice": lambda text: text.replace('{"event":{', '{"event":{"opening":"","opening":"",', 1),
    "an escape": lambda text: text.replace("event", "\\u0065vent", 1),
    "a key more": lambda text: text[:-1] + ',"note":1}',
    "keys in another order": lambda text: written(dict(reversed(json.loads(text).items()))).decode(),
}


@pytest.mark.parametrize("change", PAYLOADS.values(), ids=PAYLOADS)
@pytest.mark.parametrize("event", ["game_opened", "player_seated", "game_started", "cards_dealt"])
def test_there_is_one_way_to_write_a_payload(event: str, change: Callable[[str], str]) -> None:
    house = House(UNSEALED)
    chosen = next(payload for name, payload in house.rows if event in name)
    text = written(chosen).decode()
    if change(text) == text:  # a record that has only its event has no other order
        return

    def otherwise(payload: Payload) -> bytes:
        return change(text).encode() if payload is chosen else written(payload)

    with pytest.raises(VERIFIER.Bad, match="written otherwise"):
        VERIFIER.verify(house.file(otherwise))


def test_strange_words_of_players_are_written_in_that_way(fairdeal: Fairdeal) -> None:
    word = 'a\x7f\x1b\u2028\n\t\b\f/\\"\x01é😀'
    opened = fairdeal.handle({"command": "open_game", "player": "zoë😀", "kind": "red7", "command_id": word})
    assert fair(fairdeal.export(opened.game_id, operator=True)).startswith("nothing was dealt")
    assert fair(fairdeal.export(opened.game_id)).startswith("not yet")


def test_a_log_has_one_opening_and_it_comes_first(tmp_path: Path) -> None:
    house = House(UNSEALED)
    name, opened = house.rows[0]
    house.rows.insert(1, (name, {**opened}))
    assert status(tmp_path, house.file()) == 1


RUNNING: dict[str, tuple[int, Change]] = {
    "a viewer who does not play": (0, lambda line: line.update(viewer={"player": "eve"})),
    "a viewer who left": (0, lambda line: line.update(viewer={"player": "zoe"})),
    "a viewer who is more": (0, lambda line: line.update(viewer={"player": "bob", "note": 1})),
    "a seed that is empty": (-1, lambda line: line.update(seed="")),
    "a commitment in capitals": (1, lambda line: line["event"].update(commitment="AB" * 32)),
    "a commitment that is short": (1, lambda line: line["event"].update(commitment="ab" * 31)),
    "a commitment that is long": (1, lambda line: line["event"].update(commitment="ab" * 33)),
    "a commitment that is none": (1, lambda line: line["event"].update(commitment="x" * 64)),
    "a commitment with a blank": (1, lambda line: line["event"].update(commitment="ab" * 31 + "a b")),
    "a seed": (1, lambda line: line["event"].update(seed="ab" * 32)),
    "an empty seed": (1, lambda line: line["event"].update(seed="")),
    "to be by nobody": (1, lambda line: line.update(by="")),
    "to be by a blank": (1, lambda line: line.update(by=" ")),
    "to be by a number": (1, lambda line: line.update(by=1)),
    "rules that are true": (1, lambda line: line.update(rules=True)),
    "rules that are none": (1, lambda line: line.update(rules=0)),
}


@pytest.mark.parametrize(("number", "change"), RUNNING.values(), ids=RUNNING)
def test_a_redacted_log_cannot_show(seen: list[dict[str, Any]], tmp_path: Path, number: int, change: Change) -> None:
    change(seen[number])
    seen[0]["rules"] = seen[1]["rules"]
    assert status(tmp_path, digested(seen)) in (1, 2)


def test_no_closed_record_shows_a_seed(seen: list[dict[str, Any]]) -> None:
    closed = [line for line in seen if "seal" in line]
    closed[-1]["event"]["seed"] = "ab" * 32
    with pytest.raises(VERIFIER.Bad, match=f"record {closed[-1]['version']}: it is neither open nor"):
        VERIFIER.verify(digested(seen))


@pytest.mark.parametrize("viewer", ["ann", "bob", None])
def test_players_and_spectators_are_viewers(seen: list[dict[str, Any]], viewer: str | None) -> None:
    seen[0]["viewer"] = {"player": viewer}
    assert fair(digested(seen)).startswith("not yet")


def renamed(lines: list[dict[str, Any]], number: int, name: str) -> str:
    """The log with another name for one record, and links that fit again; what is closed keeps its seal."""
    lines[number]["name"] = name
    link, game = bytes(32), UUID(lines[0]["game"])
    for line in lines[1:-1]:
        salt = bytes.fromhex(line["salt"]) if "salt" in line else b""
        seal = hashlib.sha256(salt + line["payload"].encode()).digest() if salt else bytes.fromhex(line["seal"])
        link = link_of(link, game, line["version"], line["name"], seal)
        line["link"] = lines[-1]["link"] = link.hex()
    return digested(lines)


def test_the_kit_renames_nothing_else(seen: list[dict[str, Any]]) -> None:
    before = digested(seen)
    assert renamed(seen, 1, seen[1]["name"]) == before


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (1, "game_begun.v1"), (1, "player_left.v2"), (2, "game_opened.v1"), (-2, "game_opened.v1"),
        (-2, ""), (-2, ".v1"), (-2, "turn_ended."), (-2, "."), (-2, "turn_ended"), (-2, "turn.ended.v1"),
    ],
)  # fmt: skip
def test_a_name_has_its_parts_and_the_opening_its_place(
    seen: list[dict[str, Any]], tmp_path: Path, number: int, name: str
) -> None:
    assert status(tmp_path, renamed(seen, number, f"kings_corners.{name}")) in (1, 2)
