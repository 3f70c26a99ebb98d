"""What there is to choose in the kata: `python -m benchmarks.kata_race [--games N]`.

In the preset `kata` nobody heals and nobody has minions, so each side races alone to thirty damage. Here somebody who
knows the order of their own deck, and finds the quickest of all ways through it, races against the careful bot's way.
What the two win apart is the most that any bot can gain.
"""

import argparse
from collections.abc import Sequence
from functools import cache
from random import Random

from fairdeal.domain.tcg.decks import DEFAULT_DECK
from fairdeal.domain.tcg.options import PRESETS

RULES = PRESETS["kata"]
Hand = tuple[int, ...]
DECK = [int(entry.id.removeprefix("d")) for entry in DEFAULT_DECK.cards for _ in range(entry.count)]
"""A card costs what it hits for."""


def drawn(hand: Hand, deck: Sequence[int], turn: int) -> Hand:
    at = RULES.hand_start + turn - 1
    return tuple(sorted((*hand, deck[at]))) if at < len(deck) and len(hand) < RULES.hand_limit else hand


@cache
def ways(hand: Hand, mana: int) -> frozenset[Hand]:
    """Every set of cards that the mana pays for, as what is left in the hand."""
    found = {hand}
    for card in set(hand):
        if card <= mana:
            at = hand.index(card)
            found |= ways(hand[:at] + hand[at + 1 :], mana - card)
    return frozenset(found)


def carefully(hand: Hand, mana: int, health: int) -> Hand:
    """As the careful bot does: kill if it can, else the dearest card first."""
    kill = max(ways(hand, mana), key=lambda left: sum(hand) - sum(left))
    if sum(hand) - sum(kill) >= health:
        return kill
    while payable := [card for card in hand if card <= mana]:
        card = max(payable)
        at = hand.index(card)
        hand, mana = hand[:at] + hand[at + 1 :], mana - card
    return hand


def turns_of_careful(deck: Sequence[int]) -> int:
    hand, health, turn = tuple(sorted(deck[: RULES.hand_start])), RULES.start_health, 0
    while health > 0:
        turn += 1
        before = drawn(hand, deck, turn)
        hand = carefully(before, min(turn, RULES.max_slots), health)
        health -= sum(before) - sum(hand)
    return turn


def turns_at_best(deck: Sequence[int]) -> int:
    """Every way at once: for each hand that can be left, the most damage with which it can."""
    most, turn = {tuple(sorted(deck[: RULES.hand_start])): 0}, 0
    while max(most.values()) < RULES.start_health:
        turn += 1
        then = dict[Hand, int]()
        for hand, damage in most.items():
            before = drawn(hand, deck, turn)
            for left in ways(before, min(turn, RULES.max_slots)):
                then[left] = max(then.get(left, 0), damage + sum(before) - sum(left))
        most = then
    return turn


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    games = parser.parse_args().games
    rng, won = Random(0), {"the careful bot": 0.0, "the quickest way": 0.0}
    turns = dict.fromkeys(won, 0)
    for _ in range(games):
        own, other = rng.sample(DECK, len(DECK)), rng.sample(DECK, len(DECK))
        rival = turns_of_careful(other)
        for who, needed in (("the careful bot", turns_of_careful(own)), ("the quickest way", turns_at_best(own))):
            turns[who] += needed
            # Whoever begins wins with as many turns; half of the games each begins.
            won[who] += ((needed <= rival) + (needed < rival)) / 2
    for who, count in won.items():
        print(f"{who:17} wins {count / games:6.2%} against the careful bot, in {turns[who] / games:.2f} turns")


if __name__ == "__main__":
    main()
