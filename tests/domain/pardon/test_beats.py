"""What may be played on what: the whole table of RULES 3, asked of every place that answers it."""

import pytest

from fairdeal.domain.kernel.french_deck import RANKS, Card, cards
from fairdeal.domain.pardon.cards import ALLOWED, BIT, beats, effective_top
from fairdeal.domain.pardon.game import PARDON
from fairdeal.domain.pardon.moves import PlayCards, TurnFaceDown
from fairdeal.domain.pardon.refusals import Refusal
from fairdeal.testing import given
from positions.pardon import position

PLAYED = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]

MATRIX = {
    "":   "y y y y y y y y y y y y y",
    "2":  "y y y y y y y y y y y y y",
    "4":  "y y - y y y y y y y y y y",
    "5":  "y y - - y y y y y y y y y",
    "6":  "y y - - - y y y y y y y y",
    "7":  "y y y y y - - - y - - - -",
    "8":  "y y - - - - - y y y y y y",
    "9":  "y y - - - - - - y y y y y",
    "J":  "y y - - - - - - y - y y y",
    "Q":  "y y - - - - - - y - - y y",
    "K":  "y y - - - - - - y - - - y",
    "A":  "y y - - - - - - y - - - -",
}  # fmt: skip
"""RULES 3: in each row what lies on the table, `y` where the column may be played on it."""

CELLS = [
    (top, rank, answer == "y") for top, row in MATRIX.items() for rank, answer in zip(PLAYED, row.split(), strict=True)
]


def number(rank: str) -> int | None:
    return RANKS.index(rank) + 1 if rank else None


def test_the_table_is_complete() -> None:
    assert len(CELLS) == 156
    assert sum(legal for _, _, legal in CELLS) == 98


@pytest.mark.parametrize(("top", "rank", "legal"), CELLS)
def test_every_cell_of_the_beat_table(top: str, rank: str, legal: bool) -> None:
    played = Card(f"{rank}C")
    assert beats(played.rank, number(top)) is legal
    assert bool(BIT[played] & ALLOWED[number(top)]) is legal


@pytest.mark.parametrize("threes", ["", "3D", "3D 3H"])
@pytest.mark.parametrize(("top", "rank", "legal"), CELLS)
def test_every_cell_by_playing_it_also_with_threes_on_top(top: str, rank: str, legal: bool, threes: str) -> None:
    table = f"{top}D {threes}" if top else threes
    move = PlayCards((f"{rank}C",))
    before = given(PARDON, position(f"{rank}C 4S / 9S", table=table, face_down="KS KD KH / QS QD QH"))
    played = before.when(0, move)
    assert (move in PARDON.play.legal(before.state, 0)) is legal
    if legal:
        played.then_state(lambda state: rank == "10" or state.table[-1] == Card(f"{rank}C"))
    else:
        played.then_refused(Refusal.MUST_BE_LOWER_THAN_7 if top == "7" else Refusal.NOT_HIGHER)


@pytest.mark.parametrize(("top", "rank", "legal"), CELLS)
def test_every_cell_by_turning_it_over(top: str, rank: str, legal: bool) -> None:
    before = given(PARDON, position(" / 9S", table=f"{top}D" if top else "", face_down=f"{rank}C KS KH / QS QD QH"))
    turned = before.when(0, TurnFaceDown(1))
    turned.then_state(lambda state: bool(state.hands[0]) is not legal)


@pytest.mark.parametrize(
    ("table", "rank"),
    [("", None), ("3C", None), ("3C 3D 3H 3S", None), ("KD", 13), ("KD 3C", 13), ("8S 3D 3C", 8), ("AD 2C", 2)],
)
def test_the_effective_top_is_the_topmost_card_that_is_not_a_three(table: str, rank: int | None) -> None:
    assert effective_top(cards(table)) == rank
