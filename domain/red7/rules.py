"""The moves of a turn in Red7: what each must satisfy and what then happens (RULES 4 to 7)."""

from typing import assert_never

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.red7.cards import BY_NAME, Card
from fairdeal.domain.red7.events import (
    CHANGED,
    ELIMINATED,
    PASSED,
    PLAYED,
    CardDiscarded,
    CardDrawn,
    CardTaken,
)
from fairdeal.domain.red7.guards import (
    must_be_free_to_play,
    must_be_turn,
    must_be_two_cards,
    must_choose,
    must_choose_nothing,
    must_have_a_way_to_win,
    must_have_played,
    must_hold,
    must_not_be_a_five,
    must_not_owe_a_card,
    must_win,
    must_win_then,
)
from fairdeal.domain.red7.moves import ChangeRule, EndTurn, GiveUp, Move, PlayAndChange, PlayCard
from fairdeal.domain.red7.options import DrawRule
from fairdeal.domain.red7.rounds import end_round
from fairdeal.domain.red7.state import Red7

# Looked up once: members of an enum are slow to come by.
_PLAYED_BOTH = DrawRule.PLAYED_BOTH
_EXCEEDS_PALETTE = DrawRule.EXCEEDS_PALETTE


def decide(draft: Draft[Red7], seat: Seat, move: Move, chance: Chance) -> None:
    must_be_turn(draft.state, seat, move)
    match move:
        case PlayAndChange():
            play_and_change(draft, seat, move)
        case PlayCard():
            play(draft, seat, move)
        case ChangeRule():
            change_rule(draft, seat, move)
        case GiveUp():
            give_up(draft, seat, chance)
        case EndTurn():
            end_turn(draft, seat)
        case _:
            assert_never(move)


def play(draft: Draft[Red7], seat: Seat, move: PlayCard) -> None:
    state = draft.state
    must_be_free_to_play(state)
    card = must_hold(state, seat, move.card)
    if state.options.actions:
        then = must_choose(state, seat, card, move)
        must_have_a_way_to_win(state, seat, card, then)
        execute(draft, seat, card, move)
    else:
        must_choose_nothing(move)
        must_win(state, seat, state.palette_sets[seat] | card.bit, state.hue)
        draft.say(PLAYED[seat][card])
        draft.say(PASSED[state.next_seat])


def change_rule(draft: Draft[Red7], seat: Seat, move: ChangeRule) -> None:
    state = draft.state
    must_not_owe_a_card(state)
    card = must_hold(state, seat, move.card)
    must_win(state, seat, state.palette_sets[seat], card.hue)
    place_rule(draft, seat, card)


def play_and_change(draft: Draft[Red7], seat: Seat, move: PlayAndChange) -> None:
    state = draft.state
    must_be_free_to_play(state)
    must_be_two_cards(state, seat, move)
    card = must_hold(state, seat, move.card)
    rule_card = must_hold(state, seat, move.rule_card)
    if state.options.actions:
        then = must_choose(state, seat, card, move)
        must_not_be_a_five(card)
        must_win_then(then, rule_card.hue)
        execute(draft, seat, card, move)
    else:
        must_choose_nothing(move)
        must_win(state, seat, state.palette_sets[seat] | card.bit, rule_card.hue)
        draft.say(PLAYED[seat][card])
    place_rule(draft, seat, rule_card)


def end_turn(draft: Draft[Red7], seat: Seat) -> None:
    state = draft.state
    must_not_owe_a_card(state)
    must_have_played(state)
    must_win(state, seat, state.palette_sets[seat], state.hue)
    draft.say(PASSED[state.next_seat])


def give_up(draft: Draft[Red7], seat: Seat, chance: Chance) -> None:
    draft.say(ELIMINATED[seat])
    state = draft.state
    if len(state.playing) == 1:
        end_round(draft, state.playing[0], chance)
    else:
        draft.say(PASSED[state.next_seat])


def execute(draft: Draft[Red7], seat: Seat, card: Card, move: PlayCard | PlayAndChange) -> None:
    """The card goes to the palette, and its number has its effect (RULES 6)."""
    draft.say(PLAYED[seat][card])
    if move.target is not None and move.take is not None:
        draft.say(CardTaken(seat, move.target, BY_NAME[move.take]))
    elif move.discard is not None:
        discarded = BY_NAME[move.discard]
        draft.say(CardDiscarded(seat, discarded))
        draw_if_exceeding(draft, seat, discarded)
    elif card.number == 3:
        draw(draft, seat)


def place_rule(draft: Draft[Red7], seat: Seat, card: Card) -> None:
    """The last step of a turn; it may draw a card for the next one (RULES 7)."""
    draft.say(CHANGED[seat][card])
    state = draft.state
    if state.options.draw_rule is _PLAYED_BOTH and state.last_played is not None:
        draw(draft, seat)
    draw_if_exceeding(draft, seat, card)
    draft.say(PASSED[state.next_seat])


def draw_if_exceeding(draft: Draft[Red7], seat: Seat, card: Card) -> None:
    state = draft.state
    if state.options.draw_rule is _EXCEEDS_PALETTE and card.number > len(state.palettes[seat]):
        draw(draft, seat)


def draw(draft: Draft[Red7], seat: Seat) -> None:
    state = draft.state
    if state.deck:
        card = state.deck[0]
        draft.say(CardDrawn(seat, card, seen=bool(card.bit & state.known)))
