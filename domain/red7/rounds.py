"""The deal of a round, its end and the end of the game (RULES 3, 5 and 8)."""

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.red7.cards import DECK, Card, cards_in
from fairdeal.domain.red7.contest import QUALIFYING
from fairdeal.domain.red7.events import CardsDealt, RoundWon
from fairdeal.domain.red7.state import Red7

LAST_ONE_STANDING = "last_one_standing"
TARGET_REACHED = "target_reached"
TOO_FEW_CARDS = "too_few_cards"


def deal_round(draft: Draft[Red7], chance: Chance) -> None:
    """All cards that nobody has scored, in a new order; every round has a shuffle of its own."""
    deal_out(draft, chance.shuffle(draft.state.round, unscored(draft.state)))


def deal_out(draft: Draft[Red7], deck: tuple[Card, ...]) -> None:
    """Everybody gets a hand and the first card of a palette (RULES 3)."""
    state = draft.state
    seats = len(state.hands)
    hand_size = state.options.hand_size
    first = start_seat(deck[hand_size : seats * (hand_size + 1) : hand_size + 1])
    draft.say(CardsDealt(state.round, state.round + 1, seats, hand_size, deck, first))


def start_seat(palette_cards: tuple[Card, ...]) -> Seat:
    """The seat after the one who leads by the red rule."""
    leader = max(range(len(palette_cards)), key=lambda seat: palette_cards[seat].bit)
    return (leader + 1) % len(palette_cards)


def unscored(state: Red7) -> tuple[Card, ...]:
    if not any(state.scores):
        return DECK
    scored = {card for pile in state.scores for card in pile}
    return tuple(card for card in DECK if card not in scored)


def cards_needed(state: Red7) -> int:
    return len(state.hands) * (state.options.hand_size + 1)


def end_round(draft: Draft[Red7], winner: Seat, chance: Chance) -> None:
    state = draft.state
    if not state.options.rounds:
        draft.say(GameFinished((winner,), (), LAST_ONE_STANDING))
        return
    scored = cards_in(QUALIFYING[state.rule](state.palette_sets[winner]))
    draft.say(RoundWon(winner, state.rule, scored, sum(card.number for card in scored)))
    if state.points[winner] >= state.options.targets[len(state.hands) - 2]:
        _finish(draft, TARGET_REACHED)
    elif len(unscored(state)) < cards_needed(state):
        _finish(draft, TOO_FEW_CARDS)
    else:
        deal_round(draft, chance)


def _finish(draft: Draft[Red7], reason: str) -> None:
    points = draft.state.points
    winners = tuple(seat for seat, total in enumerate(points) if total == max(points))
    draft.say(GameFinished(winners, points, reason))
