"""Positions of every game in one line, written as players write cards; `start_game(…, position=…)` plays from them.

Seats are separated by a slash, cards by spaces. A rated game cannot start from a position, and outsiders lay none out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

from fairdeal.domain.kernel import french_deck
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kings_corners.cards import PILES
from fairdeal.domain.kings_corners.events import PositionLaid as KingsCornersPosition
from fairdeal.domain.pardon.events import FaceDown
from fairdeal.domain.pardon.events import PositionLaid as PardonPosition
from fairdeal.domain.red7 import cards as red7_cards
from fairdeal.domain.red7.events import PositionLaid as Red7Position
from fairdeal.domain.reviiyot.events import PositionLaid as ReviiyotPosition
from fairdeal.domain.tcg.cards import Card as TcgCard
from fairdeal.domain.tcg.cards import CardDefinition
from fairdeal.domain.tcg.events import MinionLaid, SideLaid
from fairdeal.domain.tcg.events import PositionLaid as TcgPosition
from fairdeal.domain.tcg.pool import STARTER

__all__ = ["TcgMinion", "TcgSide", "kings_corners", "pardon", "red7", "reviiyot", "tcg"]


def kings_corners(hands: str, *, deck: str = "10D", turn: Seat = 0, **piles: str) -> KingsCornersPosition:
    """`kings_corners("JD 2S / 3C", N="QS")`: hands by seat, piles by name, bottom card first."""
    unknown = set(piles) - set(PILES)
    assert not unknown, f"no such piles: {unknown}"
    return KingsCornersPosition(
        hands=tuple(french_deck.cards(hand) for hand in hands.split("/")),
        piles=tuple(french_deck.cards(piles.get(pile, "")) for pile in PILES),
        deck=french_deck.cards(deck),
        turn=turn,
    )


def pardon(
    hands: str, *, table: str = "", face_up: str = "", face_down: str = "", deck: str = "", turn: Seat = 0
) -> PardonPosition:
    """`pardon("JC / QD", face_down="JS - KC / QH QS 2C")`: slots that were turned already are written `-`."""
    seats = len(hands.split("/"))
    return PardonPosition(
        hands=_by_seat(hands, seats),
        face_up=_by_seat(face_up, seats),
        face_down=tuple(_slots(text) for text in _parts(face_down, seats)),
        table=french_deck.cards(table),
        deck=french_deck.cards(deck),
        turn=turn,
    )


def red7(
    hands: str,
    palettes: str,
    *,
    canvas: str = "",
    deck: str = "",
    out: tuple[Seat, ...] = (),
    scores: str | None = None,
    turn: Seat = 0,
) -> Red7Position:
    """`red7("B6 R2 / G1", "Y5 / O3")`: hands and palettes by seat; canvas and deck as they lie."""
    held = _red7_seats(hands)
    scored = ((),) * len(held) if scores is None else _red7_seats(scores)
    return Red7Position(
        held, _red7_seats(palettes), red7_cards.cards(canvas), red7_cards.cards(deck), out, scored, turn
    )


def reviiyot(hands: str, *, deck: str = "", turns: int = 0, n: int = 10) -> ReviiyotPosition:
    """`reviiyot("2C 3C / 2D KS", deck="AS")`: hands by seat, and how many turns were played."""
    return ReviiyotPosition(n, tuple(tuple(hand.split()) for hand in hands.split("/")), tuple(deck.split()), turns)


@dataclass(frozen=True, slots=True)
class TcgMinion:
    """A minion on the board; what is not said is as printed on the card."""

    card: str
    attack: int | None = None
    health: int | None = None
    asleep: bool = False
    attacked: bool = False


@dataclass(frozen=True, slots=True)
class TcgSide:
    """One player of the trading card game; the deck from its top, the board from the left."""

    health: int = 30
    slots: int = 0
    mana: int = 0
    hand: str = ""
    board: Sequence[TcgMinion] = field(default=())
    deck: str = "d0 d0 d0 d0 d0"
    discard: str = ""


def tcg(
    first: TcgSide, second: TcgSide, *, turn: int = 9, active: Seat = 0, pool: Sequence[CardDefinition] = STARTER
) -> TcgPosition:
    """`tcg(TcgSide(mana=3, hand="d3 d4"), TcgSide(health=2))`: both sides by seat, with the cards of a pool."""
    numbers = count()
    sides = tuple(_tcg_side(side, numbers, pool) for side in (first, second))
    return TcgPosition(tuple(pool), turn, active, sides)


def _tcg_side(side: TcgSide, numbers: Iterator[int], pool: Sequence[CardDefinition]) -> SideLaid:
    return SideLaid(
        health=side.health,
        slots=side.slots,
        mana=side.mana,
        hand=_tcg_cards(side.hand, numbers),
        board=tuple(_tcg_minion(minion, numbers, pool) for minion in side.board),
        deck=_tcg_cards(side.deck, numbers),
        discard=_tcg_cards(side.discard, numbers),
    )


def _tcg_cards(text: str, numbers: Iterator[int]) -> tuple[TcgCard, ...]:
    return tuple(TcgCard(next(numbers), name) for name in text.split())


def _tcg_minion(minion: TcgMinion, numbers: Iterator[int], pool: Sequence[CardDefinition]) -> MinionLaid:
    printed = {definition.id: definition for definition in pool}[minion.card].stats
    assert printed is not None, f"{minion.card} is not a minion"
    return MinionLaid(
        card=TcgCard(next(numbers), minion.card),
        attack=printed.attack if minion.attack is None else minion.attack,
        health=printed.health if minion.health is None else minion.health,
        asleep=minion.asleep,
        attacked=minion.attacked,
    )


def _red7_seats(text: str) -> tuple[tuple[red7_cards.Card, ...], ...]:
    return tuple(red7_cards.cards(part) for part in text.split("/"))


def _by_seat(text: str, seats: int) -> tuple[tuple[french_deck.Card, ...], ...]:
    return tuple(french_deck.cards(part) for part in _parts(text, seats))


def _parts(text: str, seats: int) -> list[str]:
    found = text.split("/") if text else [""] * seats
    assert len(found) == seats, f"expected {seats} seats, got {text!r}"
    return found


def _slots(text: str) -> tuple[FaceDown, ...]:
    return tuple(FaceDown(slot, french_deck.Card(name)) for slot, name in enumerate(text.split(), 1) if name != "-")
