"""Who may act, and the moves that would be accepted from them: all of these and no others."""

from collections.abc import Sequence

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.red7.cards import Card, CardSet
from fairdeal.domain.red7.effects import NO_CHOICE, Choice, Outlook, can_win, outcomes, outlook_of, without
from fairdeal.domain.red7.fast_ranks import NO_CARD, Ranks, ranks, winning_cards
from fairdeal.domain.red7.moves import BOTH, CHANGES, END_TURN, GIVE_UP, PLAYS, Move, PlayAndChange, PlayCard
from fairdeal.domain.red7.state import Red7


def active(state: Red7) -> tuple[Seat, ...]:
    return () if state.over else (state.turn,)


def legal(state: Red7, seat: Seat) -> list[Move]:
    if state.over or seat != state.turn:
        return []
    moves = turn_with_actions(state, seat) if state.options.actions else basic_turn(state, seat)
    moves.append(GIVE_UP)
    return moves


def basic_turn(state: Red7, seat: Seat) -> list[Move]:
    rivals = [ranks(state.palette_sets[other]) for other in state.playing if other != seat]
    return winning_moves(state.hands[seat], state.palette_sets[seat], rivals, state.hue)


def winning_moves(hand: list[Card], palette: CardSet, rivals: list[Ranks], hue: int) -> list[Move]:
    """With one card to the palette, one as the rule, or both: whatever beats the ranks of all rivals."""
    own = ranks(palette)
    moves: list[Move] = []
    helpful = winning_cards(palette, own, rivals, hue)
    for card in hand:
        if card.bit & helpful:
            moves.append(PLAYS[card])
    by_hue: list[CardSet | None] = [None] * 7
    for rule in hand:
        hue = rule.hue
        found = by_hue[hue]
        if found is None:
            found = by_hue[hue] = winning_cards(palette, own, rivals, hue)
        if found & NO_CARD:
            moves.append(CHANGES[rule])
        if found:
            both = BOTH[rule]
            for card in hand:
                if card.bit & found and card is not rule:
                    moves.append(both[card])
    return moves


def turn_with_actions(state: Red7, seat: Seat) -> list[Move]:
    now = outlook_of(state, seat)
    hand = state.hands[seat]
    moves: list[Move] = []
    if not state.must_play_again:
        moves += [CHANGES[card] for card in now.winning_rules(hand)]
        if state.last_played is not None:
            return [*moves, END_TURN] if now.wins(now.hue) else moves
    for card in hand:
        rest = without(hand, card)
        for choice, then in outcomes(now, card, state.options):
            moves += plays_with_effect(state, card, choice, then, rest)
    return moves


def plays_with_effect(state: Red7, card: Card, choice: Choice, then: Outlook, rest: tuple[Card, ...]) -> list[Move]:
    """The card alone, if the turn can still be won after it, and with every rule card that wins it at once."""
    play = PLAYS[card] if choice is NO_CHOICE else PlayCard(card, *choice)
    if card.number == 5:
        # RULES 6.3: the 5 wants another card first, so no rule can follow at once.
        return [play] if can_win(state, then, card, rest) else []
    rules = then.winning_rules(rest)
    if choice is NO_CHOICE:
        moves: list[Move] = [BOTH[rule][card] for rule in rules]
    else:
        moves = [PlayAndChange(card, rule, *choice) for rule in rules]
    if rules or then.wins(then.hue) or (card.number == 3 and state.deck):
        moves.append(play)
    return moves


def house_move(view: object, moves: Sequence[Move]) -> Move:
    """The turn ends if it may end, and is given up otherwise."""
    return END_TURN if END_TURN in moves else GIVE_UP
