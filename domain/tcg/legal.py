"""Who may act, and the moves that would be accepted from them: all of these and no others."""

from collections.abc import Sequence

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.tcg.cards import Mode
from fairdeal.domain.tcg.guards import has_room
from fairdeal.domain.tcg.moves import END_TURN, FACE, Move, PlayCard, attacks, spells_at_minions
from fairdeal.domain.tcg.state import Tcg


def active(state: Tcg) -> tuple[Seat, ...]:
    return () if state.winner is not None else (state.active,)


def legal(state: Tcg, seat: Seat) -> list[Move]:
    """One entry for each distinct card, mode and target, the face named as such (RULES 8)."""
    if state.winner is not None or seat != state.active:
        return []
    side = state.sides[seat]
    mana = side.mana
    pages = state.book.pages
    enemies = len(state.sides[1 - seat].board)
    moves: list[Move] = []
    for name in dict.fromkeys([card.id for card in side.hand]):
        page = pages[name]
        if page.cost <= mana:
            moves += page.plays
            if page.summon is not None and has_room(state, side):
                moves.append(page.summon)
            if enemies and page.is_damage:
                moves += spells_at_minions(name, enemies)
    for at, minion in enumerate(side.board):
        if minion.attack and not minion.asleep and not minion.attacked:
            moves += attacks(at, enemies)
    moves.append(END_TURN)
    return moves


def canonical_move(state: Tcg, move: Move) -> Move:
    """A damage spell without a target is one at the face, and `legal` lists it so."""
    if isinstance(move, PlayCard) and move.at is None and move.mode == Mode.SPELL:
        page = state.book.pages.get(move.card)
        if page is not None and page.is_damage:
            return PlayCard(move.card, move.mode, FACE)
    return move


def house_move(view: object, moves: Sequence[Move]) -> Move:
    """The turn ends."""
    return END_TURN
