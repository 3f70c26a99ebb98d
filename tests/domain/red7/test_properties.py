"""What holds in every game of Red7, whatever is agreed and however it is played."""

from collections.abc import Iterator
from itertools import product
from random import Random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.places import cards_in
from fairdeal.domain.kernel.refusals import IllegalMove
from fairdeal.domain.red7.cards import COLOURS, DECK, Card, set_of
from fairdeal.domain.red7.events import CardsDealt
from fairdeal.domain.red7.game import RED7
from fairdeal.domain.red7.moves import ChangeRule, EndTurn, GiveUp, Move, PlayAndChange, PlayCard
from fairdeal.domain.red7.options import PRESETS, DrawRule, Red7Options
from fairdeal.domain.red7.standings import standing, standings
from fairdeal.domain.red7.state import Red7
from fairdeal.testing.play import Playthrough, chance_of, play

OPTIONS = st.builds(
    Red7Options,
    hand_size=st.integers(1, 8),
    actions=st.booleans(),
    draw_rule=st.sampled_from(DrawRule),
    rounds=st.booleans(),
    targets=st.just((20, 18, 16)),
    seven_needs_discard=st.booleans(),
)
SEATS = st.integers(2, 4)
SEEDS = st.integers(0, 10_000)


def leader(state: Red7) -> Seat | None:
    return standing(state.rule, state.palette_sets).leader


def potential(state: Red7) -> int:
    return 2 * sum(len(hand) for hand in state.hands) + len(state.deck)


def played(seats: int, options: Red7Options, seed: int) -> Playthrough:
    return play(RED7, seats=seats, options=options, seed=seed)


def after(game: Playthrough) -> Iterator[tuple[Red7, Red7, Move]]:
    """Each state with the one after it and the move between them."""
    states = [*(step.before for step in game.steps[1:]), game.state]
    for step, state in zip(game.steps, states, strict=True):
        yield step.before, state, step.move


@settings(max_examples=60, deadline=None)
@given(SEATS, OPTIONS, SEEDS)
def test_every_card_is_in_exactly_one_place(seats: int, options: Red7Options, seed: int) -> None:
    game = played(seats, options, seed)
    for state in [*(step.before for step in game.steps), game.state]:
        assert sorted(cards_in(RED7.eyes.places(state))) == sorted(DECK)
        assert state.palette_sets == [set_of(palette) for palette in state.palettes]


@settings(max_examples=60, deadline=None)
@given(SEATS, st.sampled_from(["basic", "match", "kata_match"]), SEEDS)
def test_who_has_moved_by_the_basic_rules_is_winning(seats: int, preset: str, seed: int) -> None:
    for before, state, move in after(played(seats, PRESETS[preset], seed)):
        assert leader(before) != before.turn, "nobody starts their turn winning"
        if not isinstance(move, GiveUp):
            assert leader(state) == before.turn


@settings(max_examples=60, deadline=None)
@given(SEATS, OPTIONS, SEEDS)
def test_twice_the_hands_and_the_deck_shrink_with_every_card(seats: int, options: Red7Options, seed: int) -> None:
    for before, state, move in after(played(seats, options, seed)):
        if isinstance(move, PlayCard | ChangeRule | PlayAndChange):
            assert potential(state) < potential(before)


@settings(max_examples=40, deadline=None)
@given(SEATS, SEEDS, st.sampled_from(["match", "kata_match"]))
def test_without_actions_every_round_scores_and_so_they_come_to_an_end(seats: int, seed: int, preset: str) -> None:
    game = played(seats, PRESETS[preset], seed)
    deals = [event for event in game.events if isinstance(event, CardsDealt)]
    assert len(deals) <= 49 - seats * (PRESETS[preset].hand_size + 1) + 1
    assert [event.shuffle for event in deals] == list(range(len(deals)))
    for event in deals:
        in_play = [card for card in DECK if card in event.deck]
        assert event.deck == game.chance.shuffle(event.shuffle, in_play)


@settings(max_examples=40, deadline=None)
@given(SEATS, OPTIONS, SEEDS)
def test_no_view_shows_another_hand_or_the_deck(seats: int, options: Red7Options, seed: int) -> None:
    game = played(seats, options, seed)
    for step in game.steps:
        for viewer in (None, *range(seats)):
            shown = repr(RED7.eyes.view(step.before, viewer))
            for card in RED7.eyes.hidden(step.before, viewer):
                assert repr(card) not in shown


# -- legal moves, tried out one by one -------------------------------------------------------------


def every_move(state: Red7, seat: Seat) -> Iterator[Move]:
    """All there is to try with the cards that are near."""
    hand = state.hands[seat]
    taking = [(at, card, None) for at in range(len(state.hands)) for palette in state.palettes for card in palette]
    discarding = [(None, None, card) for card in (*state.palettes[seat], *hand)]
    choices = [(None, None, None), *taking, *discarding]
    for card, choice in product(hand, choices):
        yield PlayCard(card, *choice)
        for rule in hand:
            yield PlayAndChange(card, rule, *choice)
    yield from map(ChangeRule, hand)
    yield EndTurn()
    yield GiveUp()


def accepted(state: Red7, seat: Seat, move: Move) -> bool:
    try:
        RED7.play.decide(Draft(state.copy(), RED7.play.evolve), seat, move, chance_of(0, len(state.hands)))
    except IllegalMove:
        return False
    return True


@settings(max_examples=25, deadline=None)
@given(SEATS, OPTIONS, SEEDS, st.floats(0, 1))
def test_the_legal_moves_are_exactly_those_that_are_accepted(
    seats: int, options: Red7Options, seed: int, moment: float
) -> None:
    steps = played(seats, options, seed).steps
    step = steps[int(moment * (len(steps) - 1))]
    tried = {move for move in every_move(step.before, step.seat) if accepted(step.before, step.seat, move)}
    assert set(RED7.play.legal(step.before, step.seat)) == tried


# -- the look-ahead, against a plain search over sets of cards -------------------------------------


class Search:
    """Plays a turn with actions out in every way, with nothing but the words of the rules."""

    def __init__(self, seat: Seat, deck_size: int, strict: bool) -> None:
        self.seat = seat
        self.deck_size = deck_size
        self.strict = strict

    def wins(self, palettes: list[set[Card]], rule: str) -> bool:
        found = standings([set_of(tuple(palette)) for palette in palettes])
        return next(one.leader for one in found if one.colour == rule) == self.seat

    def hopeful(self, palettes: list[set[Card]], hand: set[Card], rule: str, card: Card) -> set[tuple[object, ...]]:
        """The choices with which this card may be played."""
        left = hand - {card}
        mine = palettes[self.seat] | {card}
        laid = [mine if at == self.seat else palette for at, palette in enumerate(palettes)]
        found: set[tuple[object, ...]] = set()
        targets = [at for at, palette in enumerate(laid) if at != self.seat and len(palette) >= len(mine)]
        if card.number == 1 and targets:
            for target in targets:
                for taken in laid[target]:
                    after = [palette - {taken} for palette in laid]
                    if self.finish(after, left, rule):
                        found.add((target, taken, None))
            return found
        if card.number == 7:
            for other in mine - {card}:
                after = [palette - {other} for palette in laid]
                if self.wins(after, other.colour):
                    found.add((None, None, other))
            if found or self.strict:
                return found
        if card.number == 3 and self.deck_size:
            possible = True
        elif card.number == 5 and left:
            possible = any(self.hopeful(laid, left, rule, further) for further in left)
        else:
            possible = self.finish(laid, left, rule)
        return {(None, None, None)} if possible else set()

    def finish(self, palettes: list[set[Card]], hand: set[Card], rule: str) -> bool:
        return self.wins(palettes, rule) or any(self.wins(palettes, card.colour) for card in hand)


@settings(max_examples=80, deadline=None)
@given(SEATS, SEEDS, st.booleans(), st.booleans())
def test_a_play_is_legal_exactly_if_some_way_to_win_follows(
    seats: int, seed: int, strict: bool, empty_deck: bool
) -> None:
    rng = Random(seed)
    options = Red7Options(actions=True, seven_needs_discard=strict)
    state = Red7(seats, options)
    dealt = rng.sample(DECK, 49)
    for seat in range(seats):
        state.palettes[seat] = [dealt.pop() for _ in range(rng.randint(1, 4))]
        state.palette_sets[seat] = set_of(state.palettes[seat])
        state.hands[seat] = [dealt.pop() for _ in range(rng.randint(1, 5))]
    state.canvas = (dealt.pop(),)
    state.deck = () if empty_deck else tuple(dealt)
    assume(len(state.deck) < 40)
    search = Search(0, len(state.deck), strict)
    palettes = [set(palette) for palette in state.palettes]
    plays = [move for move in RED7.play.legal(state, 0) if isinstance(move, PlayCard)]
    for card in state.hands[0]:
        found = {(move.target, move.take, move.discard) for move in plays if move.card == card}
        assert found == search.hopeful(palettes, set(state.hands[0]), state.rule, card)


def test_colours_and_their_places_agree() -> None:
    assert [card.hue for card in DECK] == [COLOURS.index(card.colour) for card in DECK]
