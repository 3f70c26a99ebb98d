"""What a move must satisfy, in the order of RULES 9; every guard refuses or lets pass and changes nothing."""

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.refusals import refusal
from fairdeal.domain.red7.cards import BY_NAME, COLOURS, Card, CardSet
from fairdeal.domain.red7.effects import NO_CHOICE, Choice, Outlook, can_win, outcomes, outlook_of, without
from fairdeal.domain.red7.fast_ranks import ranks
from fairdeal.domain.red7.moves import GiveUp, Move, PlayAndChange, PlayCard
from fairdeal.domain.red7.refusals import Refusal
from fairdeal.domain.red7.state import Red7


def must_be_turn(state: Red7, seat: Seat, move: Move) -> None:
    if state.over:
        raise refusal(Refusal.GAME_OVER, "The game is over.")
    if seat != state.turn:
        raise refusal(Refusal.NOT_YOUR_TURN, "It is not your turn.")
    if not state.hands[seat] and state.last_played is None and type(move) is not GiveUp:
        raise refusal(Refusal.MUST_GIVE_UP, "You have no cards left: you can only give up.")


def must_be_free_to_play(state: Red7) -> None:
    if state.last_played is not None and not state.must_play_again:
        raise refusal(Refusal.ALREADY_PLAYED, "You have played to your palette: end your turn or change the rule.")


def must_not_owe_a_card(state: Red7) -> None:
    if state.must_play_again:
        raise refusal(Refusal.MUST_PLAY_AGAIN, "Your 5 makes you play another card first.")


def must_have_played(state: Red7) -> None:
    if state.last_played is None:
        raise refusal(Refusal.NOTHING_PLAYED, "You cannot pass: play, change the rule or give up.")


def must_not_be_a_five(card: Card) -> None:
    """With actions on, the 5 of a play-and-change still asks for a card: the one that was to be the rule."""
    if card.number == 5:
        raise refusal(Refusal.MUST_PLAY_AGAIN, f"{card} makes you play another card before you change the rule.")


def must_be_two_cards(state: Red7, seat: Seat, move: PlayAndChange) -> None:
    if move.card == move.rule_card:
        raise refusal(Refusal.SAME_CARD_TWICE, "One card cannot be both your palette card and the rule.")
    if len(state.hands[seat]) < 2:
        raise refusal(Refusal.NOT_ENOUGH_CARDS, "Doing both takes two cards.")


def must_hold(state: Red7, seat: Seat, name: str) -> Card:
    card = BY_NAME.get(name)
    if card is None or card not in state.hands[seat]:
        raise refusal(Refusal.CARD_NOT_IN_HAND, f"{name} is not in your hand.")
    return card


def must_choose_nothing(move: PlayCard | PlayAndChange) -> None:
    if move.target is not None or move.take is not None or move.discard is not None:
        raise refusal(Refusal.ILLEGAL_EFFECT_TARGET, f"{move.card} has no effect here that takes this choice.")


def must_choose(state: Red7, seat: Seat, card: Card, move: PlayCard | PlayAndChange) -> Outlook | None:
    """What comes of the card with the choice given; None if the card may not be played at all (RULES 6.4)."""
    chosen = Choice(move.target, move.take, move.discard)
    possible = outcomes(outlook_of(state, seat), card, state.options)
    for choice, then in possible:
        if choice == chosen:
            return then
    if not possible and chosen == NO_CHOICE:
        return None
    if possible and possible[0][0] is not NO_CHOICE and _is_incomplete(card, chosen):
        raise refusal(Refusal.EFFECT_CHOICE_REQUIRED, f"{card} has an effect: {_WANTED[card.number]}.")
    raise refusal(Refusal.ILLEGAL_EFFECT_TARGET, f"{card} cannot do that here.")


_WANTED = {
    1: "say whose palette loses which card",
    7: "say which other card of your palette becomes the rule",
}


def _is_incomplete(card: Card, chosen: Choice) -> bool:
    """Whether something is missing, and nothing is there that the card cannot use."""
    if card.number == 1:
        return chosen.discard is None and (chosen.target is None or chosen.take is None)
    return chosen == NO_CHOICE


def must_win(state: Red7, seat: Seat, palette: CardSet, hue: int) -> None:
    """By this rule, with this palette, against all others as they lie."""
    rank = ranks(palette)[hue]
    for other in state.playing:
        if other != seat and ranks(state.palette_sets[other])[hue] >= rank:
            raise _not_winning(hue)


def must_win_then(then: Outlook | None, hue: int) -> None:
    if then is None or not then.wins(hue):
        raise _not_winning(hue)


def _not_winning(hue: int) -> Exception:
    return refusal(Refusal.NOT_WINNING, f"You would not be winning by the {COLOURS[hue]} rule.")


def must_have_a_way_to_win(state: Red7, seat: Seat, card: Card, then: Outlook | None) -> None:
    if then is None or not can_win(state, then, card, without(state.hands[seat], card)):
        raise refusal(Refusal.NO_POSSIBLE_WIN, f"After {card} you could not be winning at the end of this turn.")
