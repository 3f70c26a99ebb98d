"""The contract test fails when a game breaks its contract: small faults planted in Kings Corners are all found."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.french_deck import DECK, Card
from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.kernel.refusals import IllegalMove, refusal
from fairdeal.domain.kernel.rules import AnyRules, NoOptions
from fairdeal.domain.kings_corners.cards import Pile
from fairdeal.domain.kings_corners.events import CardDrawn, CardsDealt, TurnPassed
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import END_TURN, EndTurn, Move, PlayCard
from fairdeal.domain.kings_corners.state import KingsCorners
from fairdeal.testing import GameContract

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
    return replace(SOUND, evolve={**SOUND.evolve, event: follow})


@pytest.mark.parametrize("name", CLAUSES)
def test_a_sound_game_keeps_every_clause(name: str) -> None:
    CLAUSES[name](Brief(), SOUND)


# -- chance ------------------------------------------------------------------------------------------------------

drawn = GameContract.test_whatever_chance_gives_is_recorded_by_an_event_that_says_so
spoken_of = GameContract.test_every_line_is_about_a_seat_or_about_the_table


def test_a_draw_that_no_declared_event_records_is_found() -> None:
    broken(drawn, replace(SOUND, by_chance=frozenset()))


def test_a_declared_event_without_a_draw_is_found() -> None:
    broken(drawn, replace(SOUND, by_chance=SOUND.by_chance | {CardDrawn}))


def test_a_declared_event_that_the_game_does_not_have_is_found() -> None:
    broken(drawn, replace(SOUND, by_chance=SOUND.by_chance | {GameFinished}))


def test_a_secret_draw_during_a_move_is_found() -> None:
    def decide(draft: Draft[KingsCorners], seat: Seat, move: Move, chance: Chance) -> None:
        chance.pick(9, 2)
        SOUND.decide(draft, seat, move, chance)

    broken(drawn, replace(SOUND, decide=decide))


def test_a_house_move_that_is_not_legal_is_found() -> None:
    broken(
        GameContract.test_the_house_can_move_for_every_seat_that_has_to_act,
        replace(SOUND, house_move=lambda view, legal: PlayCard("KS", "N")),
    )


def test_a_line_about_nobody_at_the_table_is_found() -> None:
    def nobody(event: Any) -> int:
        return 7

    broken(spoken_of, replace(SOUND, about=nobody))


# -- secrets -----------------------------------------------------------------------------------------------------

unseen = GameContract.test_worlds_that_a_viewer_cannot_tell_apart_look_the_same
unheard = GameContract.test_redacted_events_tell_nothing_that_stays_hidden


def next_card(state: KingsCorners) -> str:
    return state.deck[state.gone] if state.deck_size else ""


def test_a_view_that_shows_another_hand_is_found() -> None:
    def view(state: KingsCorners, seat: Seat | None) -> Any:
        return SOUND.view(state, seat), state.hands[1]

    broken(unseen, replace(SOUND, view=view))


def test_a_view_that_shows_the_next_card_to_one_seat_only_is_found() -> None:
    def view(state: KingsCorners, seat: Seat | None) -> Any:
        return SOUND.view(state, seat), next_card(state) if seat == 1 else None

    broken(unseen, replace(SOUND, view=view))


def test_a_view_that_shows_a_hand_to_spectators_only_is_found() -> None:
    def view(state: KingsCorners, seat: Seat | None) -> Any:
        return SOUND.view(state, 0 if seat is None else seat)

    broken(unseen, replace(SOUND, view=view))


def test_a_view_that_betrays_only_a_colour_is_found() -> None:
    def view(state: KingsCorners, seat: Seat | None) -> Any:
        return SOUND.view(state, seat), next_card(state)[-1:] in {"D", "H"}

    broken(unseen, replace(SOUND, view=view))


def test_legal_moves_in_an_order_that_depends_on_a_secret_are_found() -> None:
    def legal(state: KingsCorners, seat: Seat) -> list[Move]:
        moves: list[Move] = list(SOUND.legal(state, seat))
        return moves[::-1] if next_card(state)[-1:] in {"D", "H"} else moves

    broken(unseen, replace(SOUND, legal=legal))


def test_a_refusal_that_names_a_secret_is_found() -> None:
    def decide(draft: Draft[KingsCorners], seat: Seat, move: Move, chance: Chance) -> None:
        try:
            SOUND.decide(draft, seat, move, chance)
        except IllegalMove as error:
            raise refusal(error.reason, f"{error.message} Next comes {next_card(draft.state)}.") from error

    broken(unseen, replace(SOUND, decide=decide))


def test_events_that_are_not_redacted_are_found() -> None:
    def redact(event: Any, seat: Seat | None) -> Any:
        return event

    broken(unheard, replace(SOUND, redact=redact))


@pytest.mark.parametrize("leaky", [CardsDealt, CardDrawn])
def test_one_kind_of_event_that_is_not_redacted_is_found(leaky: type) -> None:
    def redact(event: Any, seat: Seat | None) -> Any:
        return event if type(event) is leaky else SOUND.redact(event, seat)

    broken(unheard, replace(SOUND, redact=redact))


def test_events_that_are_not_redacted_for_spectators_are_found() -> None:
    def redact(event: Any, seat: Seat | None) -> Any:
        return event if seat is None else SOUND.redact(event, seat)

    broken(unheard, replace(SOUND, redact=redact))


def test_redaction_that_turns_an_event_into_another_is_found() -> None:
    def redact(event: Any, seat: Seat | None) -> Any:
        return TurnPassed(0) if isinstance(event, CardDrawn) else SOUND.redact(event, seat)

    broken(unheard, replace(SOUND, redact=redact))


# -- moves -------------------------------------------------------------------------------------------------------

exact = GameContract.test_every_legal_move_is_accepted_and_nothing_else


def test_a_legal_move_that_is_not_listed_is_found() -> None:
    def legal(state: KingsCorners, seat: Seat) -> list[Move]:
        moves: list[Move] = list(SOUND.legal(state, seat))
        return moves[1:] if len(moves) > 1 else moves

    broken(exact, replace(SOUND, legal=legal))


def test_a_listed_move_that_is_refused_is_found() -> None:
    def legal(state: KingsCorners, seat: Seat) -> list[Move]:
        moves: list[Move] = list(SOUND.legal(state, seat))
        return [*moves, PlayCard(next_card(state), Pile.N)] if moves else []

    with pytest.raises((AssertionError, IllegalMove)):  # unless random play already stumbles over it
        exact(Brief(), replace(SOUND, legal=legal))


def test_a_move_listed_twice_is_found() -> None:
    def legal(state: KingsCorners, seat: Seat) -> list[Move]:
        return [*SOUND.legal(state, seat)] * 2

    broken(exact, replace(SOUND, legal=legal))


def test_a_seat_that_has_moves_but_is_not_active_is_found() -> None:
    def legal(state: KingsCorners, seat: Seat) -> list[Move]:
        return [] if state.over else list(SOUND.legal(state, seat)) or [END_TURN]

    broken(exact, replace(SOUND, legal=legal))


def test_an_event_said_before_the_guards_is_found() -> None:
    def decide(draft: Draft[KingsCorners], seat: Seat, move: Move, chance: Chance) -> None:
        if isinstance(move, PlayCard):
            draft.state.acted = True
        SOUND.decide(draft, seat, move, chance)

    broken(GameContract.test_a_refused_move_leaves_no_trace, replace(SOUND, decide=decide))


# -- state -------------------------------------------------------------------------------------------------------


class SharedHands(KingsCorners):
    """Its copy is not one."""

    __slots__ = ()

    def copy(self) -> "SharedHands":
        twin = SharedHands(len(self.hands))
        for name in KingsCorners.__slots__:
            setattr(twin, name, getattr(self, name))
        return twin


def test_a_copy_that_shares_what_changes_is_found() -> None:
    def blank(seats: int, options: NoOptions, brought: tuple[None, ...]) -> KingsCorners:
        return SharedHands(seats)

    broken(GameContract.test_a_copy_shares_nothing_that_changes, replace(SOUND, initial_state=blank))


def test_a_lost_card_is_found() -> None:
    def lose(state: KingsCorners, event: CardDrawn) -> None:
        state.gone += 1

    broken(GameContract.test_cards_are_conserved, followed(CardDrawn, lose))


def test_a_card_that_is_there_twice_is_found() -> None:
    def double(state: KingsCorners, event: GameFinished) -> None:
        SOUND.evolve[GameFinished](state, event)
        state.hands[0].append(Card.AC)

    broken(GameContract.test_cards_are_conserved, followed(GameFinished, double))


def test_state_that_is_changed_without_an_event_is_found() -> None:
    def decide(draft: Draft[KingsCorners], seat: Seat, move: Move, chance: Chance) -> None:
        SOUND.decide(draft, seat, move, chance)
        draft.state.hands[seat].sort()

    broken(GameContract.test_replay_equals_live, replace(SOUND, decide=decide))


def test_chance_from_elsewhere_is_found() -> None:
    elsewhere = Random(1)

    def deal(draft: Draft[KingsCorners], chance: Chance, given: Any) -> None:
        deck = list(DECK)
        elsewhere.shuffle(deck)
        draft.say(CardsDealt(0, len(draft.state.hands), tuple(deck)))

    broken(GameContract.test_same_seed_and_commands_same_events, replace(SOUND, deal=deal))


def test_a_game_that_ends_without_saying_so_is_found() -> None:
    def decide(draft: Draft[KingsCorners], seat: Seat, move: Move, chance: Chance) -> None:
        SOUND.decide(draft, seat, move, chance)
        if draft.state.over:
            draft.say(TurnPassed(0))

    broken(GameContract.test_random_play_ends, replace(SOUND, decide=decide))


# -- names and words ---------------------------------------------------------------------------------------------

named = GameContract.test_every_event_and_move_has_a_stored_name


def test_an_unregistered_event_is_found() -> None:
    events = {name: event for name, event in SOUND.events.items() if event is not CardDrawn}
    broken(named, replace(SOUND, events=events))


def test_an_unregistered_move_is_found() -> None:
    broken(named, replace(SOUND, moves={name: move for name, move in SOUND.moves.items() if move is not EndTurn}))


@pytest.mark.parametrize("name", ["CardDrawn", "card_drawn", "card_drawn.v0", "card-drawn.v1"])
def test_a_stored_name_without_a_version_is_found(name: str) -> None:
    broken(named, replace(SOUND, events={**SOUND.events, name: CardDrawn}))


def test_a_badly_named_move_is_found() -> None:
    broken(named, replace(SOUND, moves={**SOUND.moves, "End Turn": EndTurn}))


@pytest.mark.parametrize("line", ["", "two\nlines", "None draws a card."])
def test_a_story_that_is_not_one_line_for_people_is_found(line: str) -> None:
    def tell(event: Any, names: tuple[str, ...]) -> str:
        return line if isinstance(event, CardDrawn) else SOUND.tell(event, names)

    broken(GameContract.test_every_event_is_told_in_one_line_to_everybody, replace(SOUND, tell=tell))


def test_a_drawing_without_the_players_is_found() -> None:
    def draw(view: Any, names: tuple[str, ...]) -> str:
        return "a table"

    broken(GameContract.test_the_table_can_be_drawn_for_everybody, replace(SOUND, render=draw))


@dataclass(slots=True)
class LooselyPassed:
    """An event that could be changed later, so it has no hash."""

    to: Seat


def test_an_event_that_can_be_changed_is_found() -> None:
    def decide(draft: Draft[KingsCorners], seat: Seat, move: Move, chance: Chance) -> None:
        SOUND.decide(draft, seat, move, chance)
        if isinstance(draft.events[-1], TurnPassed):
            draft.events[-1] = LooselyPassed(draft.events[-1].to)

    rules = replace(SOUND, decide=decide, evolve={**SOUND.evolve, LooselyPassed: SOUND.evolve[TurnPassed]})
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
        return SOUND.view(state, seat)

    broken(shown, replace(SOUND, view=view))


@dataclass(frozen=True, slots=True)
class Lying:
    """A view that is not what it says."""

    deck_size: int


def test_a_view_that_does_not_keep_to_its_schema_is_found() -> None:
    def view(state: KingsCorners, seat: Seat | None) -> Lying:
        return Lying("many")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    broken(shown, replace(SOUND, view=view))


@dataclass(frozen=True, slots=True)
class Unwritable:
    """A view that holds what JSON cannot say."""

    by_card: dict[int, Any]


def test_a_view_that_cannot_be_written_is_found() -> None:
    def view(state: KingsCorners, seat: Seat | None) -> Unwritable:
        return Unwritable({1: object()})

    with pytest.raises(TypeError):
        shown(Brief(), replace(SOUND, view=view))


def test_a_legal_move_that_reads_back_as_another_is_found() -> None:
    def legal(state: KingsCorners, seat: Seat) -> list[Move]:
        return [PlayCard(7, move.pile) if isinstance(move, PlayCard) else move for move in SOUND.legal(state, seat)]  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    with pytest.raises((AssertionError, IllegalMove)):
        GameContract.test_a_legal_move_written_as_json_and_read_back_is_the_same_move(
            Brief(), replace(SOUND, legal=legal)
        )
