"""The contract test fails when a game breaks its contract: small faults planted in games are all found."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.french_deck import DECK, Card
from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.kernel.refusals import HouseRefusal, IllegalMove, refusal
from fairdeal.domain.kernel.rules import AnyRules, NoOptions
from fairdeal.domain.kings_corners.cards import Pile
from fairdeal.domain.kings_corners.events import CardDrawn, CardsDealt, TurnPassed
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import END_TURN, EndTurn, Move, PlayCard
from fairdeal.domain.kings_corners.state import KingsCorners
from fairdeal.domain.pardon.game import PARDON
from fairdeal.domain.red7.events import CardsDealt as Red7Dealt
from fairdeal.domain.red7.game import RED7
from fairdeal.domain.reviiyot.game import REVIIYOT
from fairdeal.domain.reviiyot.state import Reviiyot
from fairdeal.domain.tcg.events import StartingPlayerChosen
from fairdeal.domain.tcg.game import TCG
from fairdeal.testing import GameContract, changed
from kits.compiled import plain_python_only

SOUND: AnyRules = replace(KINGS_CORNERS, seats=range(2, 4))


class Brief(GameContract):
    """Few games are enough to find these faults."""

    games = 2
    states = 15


Clause = Callable[[GameContract, AnyRules], None]

CLAUSES: dict[str, Clause] = {name: clause for name, clause in vars(GameContract).items() if name.startswith("test_")}


def broken(clause: Clause, rules: AnyRules) -> None:
    with pytest.raises(AssertionError):
        clause(Brief(), rules)


def followed(event: type, follow: Callable[[Any, Any], None]) -> AnyRules:
    """The same game, but one kind of event is followed otherwise."""
    return changed(SOUND, evolve={**SOUND.play.evolve, event: follow})


@pytest.mark.parametrize("name", CLAUSES)
def test_a_sound_game_keeps_every_clause(name: str) -> None:
    CLAUSES[name](Brief(), SOUND)


# -- chance ------------------------------------------------------------------------------------------------------

drawn = GameContract.test_whatever_chance_gives_is_recorded_by_an_event_that_says_so
spoken_of = GameContract.test_every_line_is_about_a_seat_or_about_the_table


def test_a_draw_that_no_declared_event_records_is_found() -> None:
    broken(drawn, changed(SOUND, by_chance=frozenset()))


def test_a_declared_event_without_a_draw_is_found() -> None:
    broken(drawn, changed(SOUND, by_chance=SOUND.play.by_chance | {CardDrawn}))


def test_a_declared_event_that_the_game_does_not_have_is_found() -> None:
    broken(drawn, changed(SOUND, by_chance=SOUND.play.by_chance | {GameFinished}))


def test_a_secret_draw_during_a_move_is_found() -> None:
    def decide(draft: Draft[KingsCorners], seat: Seat, move: Move, chance: Chance) -> None:
        chance.pick(9, 2)
        SOUND.play.decide(draft, seat, move, chance)

    broken(drawn, changed(SOUND, decide=decide))


def dealt_by(shuffle: Callable[[Chance], tuple[int | None, tuple[Card, ...]]]) -> AnyRules:
    """The same game, but what is said of the deal, its number and its cards, comes about in another way."""

    def deal(draft: Draft[KingsCorners], chance: Chance, given: Any) -> None:
        number, deck = shuffle(chance)
        draft.say(CardsDealt(number, len(draft.state.hands), deck))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    return changed(SOUND, deal=deal)


def not_at_all(chance: Chance) -> tuple[int, tuple[Card, ...]]:
    return 0, DECK


def in_silence(chance: Chance) -> tuple[None, tuple[Card, ...]]:
    return None, DECK


def in_vain(chance: Chance) -> tuple[int, tuple[Card, ...]]:
    chance.shuffle(0, DECK)
    return 0, DECK


def by_another_number(chance: Chance) -> tuple[int, tuple[Card, ...]]:
    return 0, chance.shuffle(1, DECK)


def by_no_number(chance: Chance) -> tuple[None, tuple[Card, ...]]:
    return None, chance.shuffle(0, DECK)


def until_it_suits(chance: Chance) -> tuple[int, tuple[Card, ...]]:
    return max((number, chance.shuffle(number, DECK)) for number in range(3))


def twice_by_one_number(chance: Chance) -> tuple[int, tuple[Card, ...]]:
    chance.shuffle(0, DECK)
    return 0, chance.shuffle(0, DECK)


def by_halves(chance: Chance) -> tuple[int, tuple[Card, ...]]:
    deck = chance.shuffle(0, DECK)
    return 0, (*deck[:26], *sorted(deck[26:]))


def but_for_one_card(chance: Chance) -> tuple[int, tuple[Card, ...]]:
    first, *others, last = chance.shuffle(0, DECK)
    return 0, (last, *others, first)


def again_from_its_result(chance: Chance) -> tuple[int, tuple[Card, ...]]:
    return 0, chance.shuffle(0, chance.shuffle(1, DECK))


SHUFFLES = [
    not_at_all,
    in_silence,
    in_vain,
    by_another_number,
    by_no_number,
    until_it_suits,
    twice_by_one_number,
    by_halves,
    but_for_one_card,
    again_from_its_result,
]


@pytest.mark.parametrize("shuffle", SHUFFLES, ids=[shuffle.__name__ for shuffle in SHUFFLES])
def test_a_deck_that_is_not_shuffled_as_the_deal_says_is_found(
    shuffle: Callable[[Chance], tuple[int | None, tuple[Card, ...]]],
) -> None:
    broken(drawn, dealt_by(shuffle))


MATCHES: AnyRules = changed(RED7, seats=range(2, 3), presets={"match": RED7.setup.presets["match"]})
"""Rounds: cards that everybody has seen are shuffled again."""


class Crooked(Chance):
    """Chance as somebody would have it."""

    def __init__(self, real: Chance, number: Callable[[int], int], cards: Callable[[Any], Any]) -> None:
        self._real, self._number, self._cards = real, number, cards

    def shuffle(self, number: int, cards: Any) -> Any:
        return self._real.shuffle(self._number(number), self._cards(cards))


def always_first(number: int) -> int:
    return 0


def the_next(number: int) -> int:
    return number + 1


def as_it_is(thing: Any) -> Any:
    return thing


def the_other_way_round(cards: Any) -> Any:
    return cards[::-1]


@pytest.mark.parametrize(
    ("number", "cards"), [(always_first, as_it_is), (the_next, as_it_is), (as_it_is, the_other_way_round)]
)
def test_a_later_shuffle_with_another_number_or_from_another_order_is_found(number: Any, cards: Any) -> None:
    def decide(draft: Draft[Any], seat: Seat, move: Any, chance: Chance) -> None:
        MATCHES.play.decide(draft, seat, move, Crooked(chance, number, cards))

    drawn(Brief(), MATCHES)
    broken(drawn, changed(MATCHES, decide=decide))


def test_a_number_that_is_used_again_in_a_later_move_is_found() -> None:
    def evolve(state: Any, event: Any) -> None:
        RED7.play.evolve[Red7Dealt](state, event)
        state.round = 1

    broken(drawn, changed(MATCHES, evolve={**RED7.play.evolve, Red7Dealt: evolve}))


@pytest.mark.parametrize("said", [StartingPlayerChosen(0, 2), StartingPlayerChosen(0, None)])
def test_a_lot_that_always_falls_on_the_same_seat_is_found(said: StartingPlayerChosen) -> None:
    def deal(draft: Draft[Any], chance: Chance, given: Any) -> None:
        shadow = Draft(draft.state.copy(), TCG.play.evolve)
        TCG.play.deal(shadow, chance, given)
        for event in shadow.events:
            draft.say(said if isinstance(event, StartingPlayerChosen) else event)

    drawn(Brief(), TCG)
    broken(drawn, changed(TCG, deal=deal))


@dataclass(frozen=True, slots=True)
class Numberless:
    """A deal that does not say which draw it came by."""

    seats: int
    deck: tuple[Card, ...]


def test_a_declared_event_without_the_number_of_its_draw_is_found() -> None:
    def deal(draft: Draft[KingsCorners], chance: Chance, given: Any) -> None:
        draft.say(Numberless(len(draft.state.hands), chance.shuffle(0, DECK)))

    events = {**SOUND.stored.events, "numberless.v1": Numberless}
    evolve = {**SOUND.play.evolve, Numberless: SOUND.play.evolve[CardsDealt]}
    broken(drawn, changed(SOUND, deal=deal, events=events, evolve=evolve, by_chance=frozenset({Numberless})))


def test_a_house_move_that_is_not_legal_is_found() -> None:
    def never_legal(view: Any, legal: Any) -> Any:
        return PlayCard("KS", "N")

    broken(GameContract.test_the_house_can_move_for_every_seat_that_has_to_act, changed(SOUND, house_move=never_legal))


def test_a_line_about_nobody_at_the_table_is_found() -> None:
    def nobody(event: Any) -> int:
        return 7

    broken(spoken_of, changed(SOUND, about=nobody))


# -- secrets -----------------------------------------------------------------------------------------------------

unseen = GameContract.test_worlds_that_a_viewer_cannot_tell_apart_look_the_same
unheard = GameContract.test_redacted_events_tell_nothing_that_stays_hidden


def next_card(state: KingsCorners) -> str:
    return state.deck[state.gone] if state.deck_size else ""


def test_a_view_that_shows_another_hand_is_found() -> None:
    def view(state: KingsCorners, seat: Seat | None) -> Any:
        return SOUND.eyes.view(state, seat), state.hands[1]

    broken(unseen, changed(SOUND, view=view))


def test_a_view_that_shows_the_next_card_to_one_seat_only_is_found() -> None:
    def view(state: KingsCorners, seat: Seat | None) -> Any:
        return SOUND.eyes.view(state, seat), next_card(state) if seat == 1 else None

    broken(unseen, changed(SOUND, view=view))


def test_a_view_that_shows_a_hand_to_spectators_only_is_found() -> None:
    def view(state: KingsCorners, seat: Seat | None) -> Any:
        return SOUND.eyes.view(state, 0 if seat is None else seat)

    broken(unseen, changed(SOUND, view=view))


def test_a_view_that_betrays_only_a_colour_is_found() -> None:
    def view(state: KingsCorners, seat: Seat | None) -> Any:
        return SOUND.eyes.view(state, seat), next_card(state)[-1:] in {"D", "H"}

    broken(unseen, changed(SOUND, view=view))


def test_legal_moves_in_an_order_that_depends_on_a_secret_are_found() -> None:
    def legal(state: KingsCorners, seat: Seat) -> list[Move]:
        moves: list[Move] = list(SOUND.play.legal(state, seat))
        return moves[::-1] if next_card(state)[-1:] in {"D", "H"} else moves

    broken(unseen, changed(SOUND, legal=legal))


def test_a_refusal_that_names_a_secret_is_found() -> None:
    def decide(draft: Draft[KingsCorners], seat: Seat, move: Move, chance: Chance) -> None:
        try:
            SOUND.play.decide(draft, seat, move, chance)
        except IllegalMove as error:
            raise refusal(error.reason, f"{error.message} Next comes {next_card(draft.state)}.") from error

    broken(unseen, changed(SOUND, decide=decide))


def test_events_that_are_not_redacted_are_found() -> None:
    def redact(event: Any, seat: Seat | None) -> Any:
        return event

    broken(unheard, changed(SOUND, redact=redact))


@pytest.mark.parametrize("leaky", [CardsDealt, CardDrawn])
def test_one_kind_of_event_that_is_not_redacted_is_found(leaky: type) -> None:
    def redact(event: Any, seat: Seat | None) -> Any:
        return event if type(event) is leaky else SOUND.eyes.redact(event, seat)

    broken(unheard, changed(SOUND, redact=redact))


def test_events_that_are_not_redacted_for_spectators_are_found() -> None:
    def redact(event: Any, seat: Seat | None) -> Any:
        return event if seat is None else SOUND.eyes.redact(event, seat)

    broken(unheard, changed(SOUND, redact=redact))


def test_redaction_that_turns_an_event_into_another_is_found() -> None:
    def redact(event: Any, seat: Seat | None) -> Any:
        return TurnPassed(0) if isinstance(event, CardDrawn) else SOUND.eyes.redact(event, seat)

    broken(unheard, changed(SOUND, redact=redact))


@pytest.mark.parametrize("eyes", [None, 0, 1])
def test_a_reshuffled_pile_that_is_shown_is_found(eyes: Seat | None) -> None:
    """Whoever has seen a card once must not be told where it lies after the next shuffle."""

    def redact(event: Any, seat: Seat | None) -> Any:
        later = isinstance(event, Red7Dealt) and event.shuffle > 0
        return event if later and seat == eyes else MATCHES.eyes.redact(event, seat)

    unheard(Brief(), MATCHES)
    broken(unheard, changed(MATCHES, redact=redact))


def test_a_reshuffled_pile_whose_lowest_card_is_shown_is_found() -> None:
    def redact(event: Any, seat: Seat | None) -> Any:
        shown = MATCHES.eyes.redact(event, seat)
        if isinstance(event, Red7Dealt) and event.shuffle > 0:
            return replace(shown, deck=(*shown.deck[:-1], event.deck[-1]))
        return shown

    broken(unheard, changed(MATCHES, redact=redact))


known = GameContract.test_whatever_is_not_hidden_was_shown


def nothing(state: Any, seat: Seat | None) -> list[Any]:
    return []


def all_but_the_deck(state: KingsCorners, seat: Seat | None) -> list[Card]:
    return [card for at, hand in enumerate(state.hands) if at != seat for card in hand]


def all_but_the_hands(state: KingsCorners, seat: Seat | None) -> list[Card]:
    return list(state.deck[state.gone :])


def all_but_the_next_card(state: KingsCorners, seat: Seat | None) -> list[Card]:
    return [card for card in SOUND.eyes.hidden(state, seat) if card != next_card(state)]


def nothing_for_spectators(state: KingsCorners, seat: Seat | None) -> list[Card]:
    return [] if seat is None else list(SOUND.eyes.hidden(state, seat))


def as_the_next_seat(state: KingsCorners, seat: Seat | None) -> list[Card]:
    return list(SOUND.eyes.hidden(state, None if seat is None else (seat + 1) % len(state.hands)))


def cards_of_another_game(state: KingsCorners, seat: Seat | None) -> list[Any]:
    return [*SOUND.eyes.hidden(state, seat), "the joker"]


HIDDEN = [
    nothing,
    all_but_the_deck,
    all_but_the_hands,
    all_but_the_next_card,
    nothing_for_spectators,
    as_the_next_seat,
    cards_of_another_game,
]


@pytest.mark.parametrize("hidden", HIDDEN, ids=[hidden.__name__ for hidden in HIDDEN])
def test_what_is_wrongly_called_hidden_or_not_is_found(hidden: Callable[[Any, Seat | None], list[Any]]) -> None:
    broken(known, changed(SOUND, hidden=hidden))


@pytest.mark.parametrize("rules", [MATCHES, PARDON, REVIIYOT, TCG], ids=lambda rules: rules.kind)
def test_a_game_that_says_nothing_is_hidden_is_found(rules: AnyRules) -> None:
    broken(known, changed(rules, hidden=nothing, seats=rules.seats[:1]))


def test_a_card_that_is_forgotten_when_it_is_shuffled_again_is_found() -> None:
    """It was shown once, so somebody could take it for known."""

    def hidden(state: Any, seat: Seat | None) -> list[Any]:
        secret = list(MATCHES.eyes.hidden(state, seat))
        return secret if state.round == 1 else [card for card in secret if card not in state.deck]

    known(Brief(), MATCHES)
    broken(known, changed(MATCHES, hidden=hidden))


def test_a_view_that_shows_what_no_event_has_shown_is_found_even_if_it_is_called_open() -> None:
    def view(state: KingsCorners, seat: Seat | None) -> Any:
        return SOUND.eyes.view(state, seat), next_card(state)

    broken(known, changed(SOUND, view=view, hidden=all_but_the_next_card))


untold = GameContract.test_no_command_tells_what_others_brought


class ByTheSecondHouse(Brief):
    """The house rules by which a given deck was compared with what others brought."""

    house = 2


def test_a_start_that_tells_whether_a_guess_was_right_is_found() -> None:
    with pytest.raises(AssertionError, match=r"StartGame.* tells player 0 what others brought"):
        untold(ByTheSecondHouse(), TCG)
    untold(ByTheSecondHouse(), REVIIYOT)  # its deal compares nothing


def strategies_of(state: Reviiyot) -> str:
    return ", ".join(str(strategy) for strategy in state.strategies)


def test_a_view_that_shows_what_others_brought_is_found() -> None:
    def view(state: Reviiyot, seat: Seat | None) -> Any:
        return REVIIYOT.eyes.view(state, seat), strategies_of(state)

    broken(untold, changed(REVIIYOT, view=view))


def test_a_refused_move_that_tells_what_others_brought_is_found() -> None:
    def decide(draft: Draft[Reviiyot], seat: Seat, move: Any, chance: Chance) -> None:
        try:
            REVIIYOT.play.decide(draft, seat, move, chance)
        except IllegalMove as error:
            raise refusal(error.reason, f"{error.message} They play by {strategies_of(draft.state)}.") from error

    broken(untold, changed(REVIIYOT, decide=decide))


def test_a_refused_start_that_tells_what_others_brought_is_found() -> None:
    def deal(draft: Draft[Reviiyot], chance: Chance, given: Any) -> None:
        if "1" in draft.state.strategies:
            raise refusal(HouseRefusal.BAD_DECK, "Somebody plays by the first strategy.")
        REVIIYOT.play.deal(draft, chance, given)

    with pytest.raises((AssertionError, IllegalMove)):
        untold(Brief(), changed(REVIIYOT, deal=deal))


def test_legal_moves_that_depend_on_what_others_brought_are_found() -> None:
    def legal(state: Reviiyot, seat: Seat) -> Any:
        moves = list(REVIIYOT.play.legal(state, seat))
        return moves[::-1] if "2" in state.strategies else moves

    broken(untold, changed(REVIIYOT, legal=legal))


def test_a_house_move_for_somebody_else_that_shows_what_they_brought_is_found() -> None:
    def house_move(view: Any, legal: Any) -> Any:
        return legal[int(view.strategy or 0) % len(legal)]

    broken(untold, changed(REVIIYOT, house_move=house_move))


def nothing_to_bring(options: Any) -> list[Any]:
    return []


def twice_the_same(options: Any) -> list[Any]:
    return [REVIIYOT.setup.brought_such_as(options)[0]] * 2


@pytest.mark.parametrize("things", [nothing_to_bring, twice_the_same])
def test_a_game_that_gives_the_tests_no_two_things_to_bring_is_found(things: Callable[[Any], list[Any]]) -> None:
    broken(untold, changed(REVIIYOT, brought_such_as=things))


# -- moves -------------------------------------------------------------------------------------------------------

exact = GameContract.test_every_legal_move_is_accepted_and_nothing_else


def test_a_legal_move_that_is_not_listed_is_found() -> None:
    def legal(state: KingsCorners, seat: Seat) -> list[Move]:
        moves: list[Move] = list(SOUND.play.legal(state, seat))
        return moves[1:] if len(moves) > 1 else moves

    broken(exact, changed(SOUND, legal=legal))


def test_a_listed_move_that_is_refused_is_found() -> None:
    def legal(state: KingsCorners, seat: Seat) -> list[Move]:
        moves: list[Move] = list(SOUND.play.legal(state, seat))
        return [*moves, PlayCard(next_card(state), Pile.N)] if moves else []

    with pytest.raises((AssertionError, IllegalMove)):  # unless random play already stumbles over it
        exact(Brief(), changed(SOUND, legal=legal))


def test_a_move_listed_twice_is_found() -> None:
    def legal(state: KingsCorners, seat: Seat) -> list[Move]:
        return [*SOUND.play.legal(state, seat)] * 2

    broken(exact, changed(SOUND, legal=legal))


def test_a_seat_that_has_moves_but_is_not_active_is_found() -> None:
    def legal(state: KingsCorners, seat: Seat) -> list[Move]:
        return [] if state.over else list(SOUND.play.legal(state, seat)) or [END_TURN]

    broken(exact, changed(SOUND, legal=legal))


def test_an_event_said_before_the_guards_is_found() -> None:
    def decide(draft: Draft[KingsCorners], seat: Seat, move: Move, chance: Chance) -> None:
        if isinstance(move, PlayCard):
            draft.state.acted = True
        SOUND.play.decide(draft, seat, move, chance)

    broken(GameContract.test_a_refused_move_leaves_no_trace, changed(SOUND, decide=decide))


# -- state -------------------------------------------------------------------------------------------------------


class SharedHands(KingsCorners):
    """Its copy is not one."""

    __slots__ = ()

    def copy(self) -> "SharedHands":
        twin = SharedHands(len(self.hands))
        for name in KingsCorners.__slots__:
            setattr(twin, name, getattr(self, name))
        return twin


@plain_python_only
def test_a_copy_that_shares_what_changes_is_found() -> None:
    def one_for_all(seats: int, options: NoOptions, brought: tuple[None, ...]) -> KingsCorners:
        return SharedHands(seats)

    broken(GameContract.test_a_copy_shares_nothing_that_changes, changed(SOUND, initial_state=one_for_all))


def test_a_lost_card_is_found() -> None:
    def lose(state: KingsCorners, event: CardDrawn) -> None:
        state.gone += 1

    broken(GameContract.test_cards_are_conserved, followed(CardDrawn, lose))


def test_a_card_that_is_there_twice_is_found() -> None:
    def double(state: KingsCorners, event: GameFinished) -> None:
        SOUND.play.evolve[GameFinished](state, event)
        state.hands[0].append(Card.AC)

    broken(GameContract.test_cards_are_conserved, followed(GameFinished, double))


def test_state_that_is_changed_without_an_event_is_found() -> None:
    def decide(draft: Draft[KingsCorners], seat: Seat, move: Move, chance: Chance) -> None:
        SOUND.play.decide(draft, seat, move, chance)
        draft.state.hands[seat].sort()

    broken(GameContract.test_replay_equals_live, changed(SOUND, decide=decide))


def test_chance_from_elsewhere_is_found() -> None:
    elsewhere = Random(1)

    def deal(draft: Draft[KingsCorners], chance: Chance, given: Any) -> None:
        deck = list(DECK)
        elsewhere.shuffle(deck)
        draft.say(CardsDealt(0, len(draft.state.hands), tuple(deck)))

    broken(GameContract.test_same_seed_and_commands_same_events, changed(SOUND, deal=deal))


def test_a_game_that_ends_without_saying_so_is_found() -> None:
    def decide(draft: Draft[KingsCorners], seat: Seat, move: Move, chance: Chance) -> None:
        SOUND.play.decide(draft, seat, move, chance)
        if draft.state.over:
            draft.say(TurnPassed(0))

    broken(GameContract.test_random_play_ends, changed(SOUND, decide=decide))


# -- names and words ---------------------------------------------------------------------------------------------

named = GameContract.test_every_event_and_move_has_a_stored_name


def test_an_unregistered_event_is_found() -> None:
    events = {name: event for name, event in SOUND.stored.events.items() if event is not CardDrawn}
    broken(named, changed(SOUND, events=events))


def test_an_unregistered_move_is_found() -> None:
    broken(
        named, changed(SOUND, moves={name: move for name, move in SOUND.stored.moves.items() if move is not EndTurn})
    )


@pytest.mark.parametrize("name", ["CardDrawn", "card_drawn", "card_drawn.v0", "card-drawn.v1"])
def test_a_stored_name_without_a_version_is_found(name: str) -> None:
    broken(named, changed(SOUND, events={**SOUND.stored.events, name: CardDrawn}))


def test_a_badly_named_move_is_found() -> None:
    broken(named, changed(SOUND, moves={**SOUND.stored.moves, "End Turn": EndTurn}))


@pytest.mark.parametrize("line", ["", "two\nlines", "None draws a card."])
def test_a_story_that_is_not_one_line_for_people_is_found(line: str) -> None:
    def tell(event: Any, names: tuple[str, ...]) -> str:
        return line if isinstance(event, CardDrawn) else SOUND.voice.tell(event, names)

    broken(GameContract.test_every_event_is_told_in_one_line_to_everybody, changed(SOUND, tell=tell))


def test_a_drawing_without_the_players_is_found() -> None:
    def draw(view: Any, names: tuple[str, ...]) -> str:
        return "a table"

    broken(GameContract.test_the_table_can_be_drawn_for_everybody, changed(SOUND, render=draw))


@dataclass(slots=True)
class LooselyPassed:
    """An event that could be changed later, so it has no hash."""

    to: Seat


def test_an_event_that_can_be_changed_is_found() -> None:
    def decide(draft: Draft[KingsCorners], seat: Seat, move: Move, chance: Chance) -> None:
        SOUND.play.decide(draft, seat, move, chance)
        if isinstance(draft.events[-1], TurnPassed):
            draft.events[-1] = LooselyPassed(draft.events[-1].to)

    rules = changed(SOUND, decide=decide, evolve={**SOUND.play.evolve, LooselyPassed: SOUND.play.evolve[TurnPassed]})
    with pytest.raises(TypeError, match="unhashable"):
        GameContract.test_events_and_moves_are_frozen_and_hashable(Brief(), rules)


def test_a_bot_that_makes_illegal_moves_is_found() -> None:
    def cheat(view: Any, moves: Any, rng: Random) -> Move:
        return PlayCard("KS", "NE")

    with pytest.raises(IllegalMove):
        GameContract.test_bots_play_whole_games_by_their_views(Brief(), replace(SOUND, bots={"cheat": cheat}))


# -- JSON --------------------------------------------------------------------------------------------------------

shown = GameContract.test_all_that_is_shown_can_be_written_as_json_and_keeps_to_its_schema


def test_a_view_of_which_nobody_knows_what_it_is_is_found() -> None:
    def view(state: KingsCorners, seat: Seat | None) -> Any:
        return SOUND.eyes.view(state, seat)

    broken(shown, changed(SOUND, view=view))


@dataclass(frozen=True, slots=True)
class Lying:
    """A view that is not what it says."""

    deck_size: int


def test_a_view_that_does_not_keep_to_its_schema_is_found() -> None:
    def view(state: KingsCorners, seat: Seat | None) -> Lying:
        return Lying("many")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    broken(shown, changed(SOUND, view=view))


@dataclass(frozen=True, slots=True)
class Unwritable:
    """A view that holds what JSON cannot say."""

    by_card: dict[int, Any]


def test_a_view_that_cannot_be_written_is_found() -> None:
    def view(state: KingsCorners, seat: Seat | None) -> Unwritable:
        return Unwritable({1: object()})

    with pytest.raises(TypeError):
        shown(Brief(), changed(SOUND, view=view))


@plain_python_only
def test_a_legal_move_that_reads_back_as_another_is_found() -> None:
    def legal(state: KingsCorners, seat: Seat) -> list[Move]:
        moves = SOUND.play.legal(state, seat)
        return [PlayCard(7, move.pile) if isinstance(move, PlayCard) else move for move in moves]  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    with pytest.raises((AssertionError, IllegalMove)):
        GameContract.test_a_legal_move_written_as_json_and_read_back_is_the_same_move(
            Brief(), changed(SOUND, legal=legal)
        )
