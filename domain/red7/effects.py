"""Thinking a turn through: what a 1, 3, 5 or 7 may do, and whether the turn can still be won (RULES 6)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.red7.cards import Card, CardSet, cards_in
from fairdeal.domain.red7.fast_ranks import Ranks, best_of, ranks
from fairdeal.domain.red7.options import Red7Options
from fairdeal.domain.red7.state import Red7

Rivals = tuple[tuple[Seat, CardSet], ...]
"""The other players who are still in the round, with their palettes."""


class Choice(NamedTuple):
    """What a player chooses with a card: for a 1 whose card to take and which, for a 7 what to discard."""

    target: Seat | None = None
    take: str | None = None
    discard: str | None = None


NO_CHOICE = Choice()


class Outlook(NamedTuple):
    """The table as it is, or as it would be, for the player in turn."""

    palette: CardSet
    rivals: Rivals
    bars: Ranks
    """For each rule what has to be beaten: the best of the rivals."""
    hue: int

    def wins(self, hue: int) -> bool:
        return ranks(self.palette)[hue] > self.bars[hue]

    def winning_rules(self, hand: Iterable[Card]) -> list[Card]:
        """The cards of the hand that would win the turn as the new rule."""
        own, bars = ranks(self.palette), self.bars
        return [card for card in hand if own[card.hue] > bars[card.hue]]


def outlook(palette: CardSet, rivals: Rivals, hue: int) -> Outlook:
    return Outlook(palette, rivals, best_of([other for _, other in rivals]), hue)


def outlook_of(state: Red7, seat: Seat) -> Outlook:
    rivals = tuple((other, state.palette_sets[other]) for other in state.playing if other != seat)
    return outlook(state.palette_sets[seat], rivals, state.hue)


def outcomes(now: Outlook, card: Card, options: Red7Options) -> list[tuple[Choice, Outlook]]:
    """What comes of playing a card, for every choice that its effect allows; nothing if it may not be played."""
    then = Outlook(now.palette | card.bit, now.rivals, now.bars, now.hue)
    if options.actions:
        if card.number == 1 and (taken := _takings(then)):
            return taken
        if card.number == 7:
            discarded = _discards(then, card)
            if discarded or options.seven_needs_discard:
                return discarded
    return [(NO_CHOICE, then)]


def _takings(then: Outlook) -> list[tuple[Choice, Outlook]]:
    """RULES 6.1: from a palette at least as big as one's own, the 1 included."""
    size = then.palette.bit_count()
    return [
        (Choice(target=seat, take=card), outlook(then.palette, _without(then.rivals, seat, card), then.hue))
        for seat, palette in then.rivals
        if palette.bit_count() >= size
        for card in cards_in(palette)
    ]


def _without(rivals: Rivals, seat: Seat, card: Card) -> Rivals:
    return tuple([(at, palette ^ card.bit if at == seat else palette) for at, palette in rivals])


def _discards(then: Outlook, seven: Card) -> list[tuple[Choice, Outlook]]:
    """RULES 6.4: another card, which wins by its own colour with the palette that remains."""
    left = [
        (card, Outlook(then.palette ^ card.bit, then.rivals, then.bars, card.hue))
        for card in cards_in(then.palette)
        if card is not seven
    ]
    return [(Choice(discard=card), after) for card, after in left if after.wins(card.hue)]


@dataclass(slots=True)
class Search:
    """The search for a way to win the turn; the deck is never looked into, only whether it is empty (RULES 6.6)."""

    deck_size: int
    options: Red7Options
    tried: set[CardSet]

    def can_win(self, then: Outlook, card: Card, hand: tuple[Card, ...]) -> bool:
        """Whether the turn can still be won when this card has been played and these are left."""
        if card.number == 3 and self.deck_size:
            return True
        if card.number == 5 and hand:
            return self.can_win_with_one_more(then, hand)
        return then.wins(then.hue) or bool(then.winning_rules(hand))

    def can_win_with_one_more(self, then: Outlook, hand: tuple[Card, ...]) -> bool:
        if then.palette in self.tried:
            # The same 5s in another order led to the same palette and the same hand.
            return False
        self.tried.add(then.palette)
        return any(
            self.can_win(further, card, without(hand, card))
            for card in hand
            for _, further in outcomes(then, card, self.options)
        )


def can_win(state: Red7, then: Outlook, card: Card, hand: tuple[Card, ...]) -> bool:
    return Search(len(state.deck), state.options, set()).can_win(then, card, hand)


def without(hand: Iterable[Card], card: Card) -> tuple[Card, ...]:
    return tuple([other for other in hand if other is not card])
