"""How a game of Red7 begins: with the first deal, or from a position laid out by hand (RULES 3)."""

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.refusals import HouseRefusal, refusal
from fairdeal.domain.red7.cards import Card
from fairdeal.domain.red7.events import PositionLaid
from fairdeal.domain.red7.rounds import cards_needed, deal_out, deal_round
from fairdeal.domain.red7.state import Red7


def deal(draft: Draft[Red7], chance: Chance, given: tuple[Card, ...] | None) -> None:
    """The first round. A given deck may be short: cards that it leaves out are out of this round."""
    if given is None:
        deal_round(draft, chance)
        return
    needed = cards_needed(draft.state)
    if len(set(given)) != len(given) or len(given) < needed:
        raise refusal(HouseRefusal.BAD_DECK, f"A given deck holds at least {needed} cards here, none of them twice.")
    deal_out(draft, given)


def check_position(seats: int, position: PositionLaid) -> None:
    """Strange positions are welcome, for puzzles; a table that cannot go on is not."""
    playing = set(range(seats)) - set(position.out)
    if not len(position.hands) == len(position.palettes) == len(position.scores) == seats:
        raise refusal(HouseRefusal.BAD_POSITION, "A position has a hand, a palette and a score pile for each seat.")
    if len(playing) < 2 or position.turn not in playing:
        raise refusal(HouseRefusal.BAD_POSITION, "In a position two seats still play, one of them on turn.")
    if any(card is None for cards in (*position.hands, position.deck) for card in cards):
        raise refusal(HouseRefusal.BAD_POSITION, "A position shows all its cards.")
