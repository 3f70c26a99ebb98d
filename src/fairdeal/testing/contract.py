"""The contract that every game keeps; give a `rules` fixture and inherit the tests.

class TestMyGame(GameContract):
    @pytest.fixture
    def rules(self) -> AnyRules:
        return MY_GAME
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from itertools import pairwise
from random import Random
from typing import Any
from uuid import UUID

import msgspec

from fairdeal.application.commands.messages import COMMANDS, GameCommand
from fairdeal.application.commands.validation import move_to_plain, parse_move, parse_options, plain
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.links import NO_LINK, link_batch
from fairdeal.application.log.record import Batch
from fairdeal.application.log.seen_event import seen_event
from fairdeal.application.wire.encoding import to_plain
from fairdeal.application.wire.schemas import kind_schema
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.lifecycle import HOUSE_RULES, GameFinished, Seat
from fairdeal.domain.kernel.places import cards_in
from fairdeal.domain.kernel.refusals import IllegalMove
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.testing.draws import CanonicalOrder, NotedChance, Witness
from fairdeal.testing.play import Playthrough, Step, every_table, play
from fairdeal.testing.schema_check import fits
from fairdeal.testing.shown import (
    follow,
    must_have_shown_all_else,
    must_tell_nothing_that_stays_hidden,
    shuffled_among_themselves,
)
from fairdeal.testing.snapshot import exchange, snapshot
from fairdeal.testing.table_twins import TRIED, Twins

SOME_TIME = "2026-01-01T00:00:00.000000Z"
LOOKS_AHEAD = "strong"
"""The name that bots have in every game of ours who look ahead: they take long."""
STORED_NAME = re.compile(r"[a-z][a-z0-9_]*\.v[1-9][0-9]*")
MOVE_NAME = re.compile(r"[a-z][a-z0-9_]*(\.v[1-9][0-9]*)?")
JUNK: dict[type, list[Any]] = {str: ["?", ""], int: [-1, 99], bool: [True, False]}


class GameContract:
    """What a game owes to its players, whatever its rules are."""

    games = 15
    """Random games, shared out among all numbers of seats and presets: at least one for each."""
    states = 25
    """Of each of them, how many states are looked at closely."""
    chances = 8
    """By how many different seeds each of them is dealt again."""
    house = HOUSE_RULES
    """By which house rules tables are kept."""

    def test_random_play_ends(self, rules: AnyRules) -> None:
        for game in self.played(rules):
            assert isinstance(game.events[-1], GameFinished)
            assert rules.play.active(game.state) == () or not list(rules.play.active(game.state))
            assert not any(rules.play.legal(game.state, seat) for seat in range(game.seats))

    def test_replay_equals_live(self, rules: AnyRules) -> None:
        for game in self.played(rules):
            state = game.initial_state()
            for event in game.dealt:
                rules.play.evolve[type(event)](state, event)
            for step in game.steps:
                assert snapshot(state) == snapshot(step.before)
                for event in step.events:
                    rules.play.evolve[type(event)](state, event)
            assert snapshot(state) == snapshot(game.state)

    def test_same_seed_and_commands_same_events(self, rules: AnyRules) -> None:
        for game, again in zip(self.played(rules), self.played(rules), strict=True):
            assert game.events == again.events

    def test_every_legal_move_is_accepted_and_nothing_else(self, rules: AnyRules) -> None:
        for game in self.played(rules):
            candidates = Candidates(game)
            for step in self.sampled(game):
                for seat in range(game.seats):
                    legal = list(rules.play.legal(step.before, seat))
                    assert bool(legal) == (seat in rules.play.active(step.before))
                    assert len(set(legal)) == len(legal), "a legal move is listed twice"
                    for move in legal:
                        assert refusal_of(game, step.before, seat, move) is None, f"{move} is listed but refused"
                    for move in candidates.some(60):
                        if rules.play.canonical_move(step.before, move) not in legal:
                            assert refusal_of(game, step.before, seat, move), f"{move} is accepted but not listed"

    def test_a_refused_move_leaves_no_trace(self, rules: AnyRules) -> None:
        for game in self.played(rules):
            candidates = Candidates(game)
            for step in self.sampled(game):
                state = step.before.copy()
                for move in candidates.some(20):
                    if rules.play.canonical_move(state, move) not in rules.play.legal(state, step.seat):
                        decide_in_place(game, state, step.seat, move)
                        assert snapshot(state) == snapshot(step.before)

    def test_a_copy_shares_nothing_that_changes(self, rules: AnyRules) -> None:
        for game in self.played(rules):
            for step in self.sampled(game):
                before = snapshot(step.before)
                decide_in_place(game, step.before.copy(), step.seat, step.move)
                assert snapshot(step.before) == before

    def test_cards_are_conserved(self, rules: AnyRules) -> None:
        for game in self.played(rules):
            all_cards = sorted(map(repr, cards_in(rules.eyes.places(game.state))))
            for step in game.steps:
                assert sorted(map(repr, cards_in(rules.eyes.places(step.before)))) == all_cards

    def test_every_place_has_a_name_of_its_own_and_keeps_it(self, rules: AnyRules) -> None:
        for game in self.played(rules):
            names = [(place.name, place.seat) for place in rules.eyes.places(game.state)]
            assert len(set(names)) == len(names)
            for step in self.sampled(game):
                assert [(place.name, place.seat) for place in rules.eyes.places(step.before)] == names

    def test_worlds_that_a_viewer_cannot_tell_apart_look_the_same(self, rules: AnyRules) -> None:
        for game in self.played(rules):
            candidates = Candidates(game)
            rng = Random(7)
            for step in self.sampled(game):
                for viewer in (None, *range(game.seats)):
                    self.compare_twins(game, step, viewer, rng, candidates)

    def compare_twins(
        self, game: Playthrough, step: Step, viewer: Seat | None, rng: Random, candidates: "Candidates"
    ) -> None:
        rules = game.rules
        twin = twin_state(game, step, viewer, rng)
        assert rules.eyes.view(twin, viewer) == rules.eyes.view(step.before, viewer)
        if viewer is not None:
            assert list(rules.play.legal(twin, viewer)) == list(rules.play.legal(step.before, viewer))
            for move in candidates.some(10):
                assert refusal_of(game, twin, viewer, move) == refusal_of(game, step.before, viewer, move)

    def test_redacted_events_tell_nothing_that_stays_hidden(self, rules: AnyRules) -> None:
        for game in self.played(rules):
            must_tell_nothing_that_stays_hidden(game, Random(11))

    def test_whatever_is_not_hidden_was_shown(self, rules: AnyRules) -> None:
        for game in self.played(rules):
            must_have_shown_all_else(game, Random(13), self.states)

    def test_no_command_tells_what_others_brought(self, rules: AnyRules) -> None:
        assert {one for one in COMMANDS.values() if issubclass(one, GameCommand)} == TRIED
        compared = 0
        for options in rules.setup.presets.values():
            things = list(rules.setup.brought_such_as(options))
            for one, other in pairwise(things):
                assert one != other, "two of the things that may be brought are the same"
                for own in (None, one):
                    Twins(rules, options, own, (one, other), self.house).must_be_alike()
                compared += 1
        assert compared or rules.setup.brings is None, "`brought_such_as` gives no two things that may be brought"

    def test_every_event_and_move_has_a_stored_name(self, rules: AnyRules) -> None:
        assert all(STORED_NAME.fullmatch(name) for name in rules.stored.events)
        assert all(MOVE_NAME.fullmatch(name) for name in rules.stored.moves)
        for game in self.played(rules):
            said: set[Any] = {type(event) for event in game.events}
            assert said <= {*rules.stored.events.values(), GameFinished}
            assert {type(step.move) for step in game.steps} <= set(rules.stored.moves.values())

    def test_events_survive_being_stored_and_read(self, rules: AnyRules) -> None:
        codec = Codec({rules.kind: rules})
        batch = Batch(SOME_TIME, "ann", "1", {}, rules.version, 1)
        for game in self.played(rules):
            records = link_batch(bytes(32), NO_LINK, UUID(int=0), 0, codec.write(rules, game.events, batch))
            assert codec.events(records) == game.events
            assert codec.read(records[0]).batch == batch
            shown = [rules.eyes.redact(event, None) for event in game.events]
            hidden = link_batch(bytes(32), NO_LINK, UUID(int=0), 0, codec.write(rules, shown, batch))
            assert codec.events(hidden) == shown

    def test_moves_survive_being_sent_and_stored(self, rules: AnyRules) -> None:
        for game in self.played(rules):
            for step in game.steps:
                sent = json.loads(json.dumps(move_to_plain(rules, step.move)))
                assert parse_move(rules, sent) == step.move
                fields = {name: value for name, value in sent.items() if name != "move"}
                assert msgspec.convert(fields, rules.stored.moves[sent["move"]]) == step.move

    def test_options_survive_being_sent_and_stored(self, rules: AnyRules) -> None:
        for name, options in rules.setup.presets.items():
            sent = json.loads(json.dumps(plain(options)))
            assert parse_options(rules, sent) == parse_options(rules, name) == options
            assert msgspec.convert(sent, rules.setup.options) == options

    def test_all_that_is_shown_can_be_written_as_json_and_keeps_to_its_schema(self, rules: AnyRules) -> None:
        root = kind_schema(rules)
        assert root["$defs"]["view"], "the function that makes the views must be annotated with what it returns"
        for game in self.played(rules):
            names = tuple(f"player {seat}" for seat in range(game.seats))
            for viewer in (None, *range(game.seats)):
                for version, event in enumerate(game.events, 1):
                    shown = rules.eyes.redact(event, viewer)
                    seen = seen_event(rules, names, version=version, event=shown, at=SOME_TIME, by="ann")
                    self.must_fit("event", seen, root)
                for step in self.sampled(game):
                    self.must_fit("view", rules.eyes.view(step.before, viewer), root)

    def test_a_legal_move_written_as_json_and_read_back_is_the_same_move(self, rules: AnyRules) -> None:
        root = kind_schema(rules)
        for game in self.played(rules):
            for step in self.sampled(game):
                for move in rules.play.legal(step.before, step.seat)[:100]:
                    sent = self.must_fit("move", move_to_plain(rules, move), root)
                    assert parse_move(rules, sent) == move

    def test_every_refusal_can_be_written_as_json(self, rules: AnyRules) -> None:
        for game in self.played(rules):
            candidates = Candidates(game)
            for step in self.sampled(game):
                for move in candidates.some(20):
                    try:
                        rules.play.decide(Draft(step.before.copy(), rules.play.evolve), step.seat, move, game.chance)
                    except IllegalMove as error:
                        written: dict[str, Any] = {"code": error.reason.value, "detail": error.message, "errors": []}
                        assert to_plain(error) == written

    def must_fit(self, name: str, value: Any, root: dict[str, Any]) -> Any:
        written = to_plain(value)
        assert fits(root["$defs"][name], written, root), f"{written} is not a {name} by its schema"
        return written

    def test_events_and_moves_are_frozen_and_hashable(self, rules: AnyRules) -> None:
        for game in self.played(rules):
            for thing in (*game.events, *(step.move for step in game.steps)):
                assert is_dataclass(thing)
                hash(thing)

    def test_the_house_can_move_for_every_seat_that_has_to_act(self, rules: AnyRules) -> None:
        for game in self.played(rules):
            for step in game.steps:
                for seat in rules.play.active(step.before):
                    legal = rules.play.legal(step.before, seat)
                    move = rules.play.house_move(rules.eyes.view(step.before, seat), legal)
                    assert move in legal, f"{move} is the house's move, but not a legal one"

    def test_whatever_chance_gives_is_recorded_by_an_event_that_says_so(self, rules: AnyRules) -> None:
        assert rules.play.by_chance <= set(rules.stored.events.values())
        orders: dict[Any, CanonicalOrder] = {}
        for game in self.played(rules):
            order, steps = orders.setdefault(game.options, CanonicalOrder()), game.steps
            # One seed could hide that chance is not listened to: a coin falls on the wanted side every other time.
            for seed in range(self.chances):
                steps = self.must_listen_to_chance(game, steps, NotedChance(game.seats, seed), order)

    def must_listen_to_chance(
        self, game: Playthrough, steps: Sequence[Step], chance: NotedChance, order: CanonicalOrder
    ) -> list[Step]:
        """Deals and moves again by another chance; those of the steps that asked it."""
        play, witness, asked = game.rules.play, Witness(game.rules), list[Step]()
        draft = Draft(game.initial_state(), play.evolve)
        play.deal(draft, chance, None)
        assert chance.draws, "a deal that nobody gave asks chance"
        witness.must_agree("the deal", chance.draws, draft.events)
        order.must_hold(chance.draws)
        for step in steps:
            chance.draws.clear()
            draft = Draft(step.before.copy(), play.evolve)
            play.decide(draft, step.seat, step.move, chance)
            witness.must_agree(step.move, chance.draws, draft.events)
            order.must_hold(chance.draws)
            if chance.draws:
                asked.append(step)
        return asked

    def test_every_line_is_about_a_seat_or_about_the_table(self, rules: AnyRules) -> None:
        for game in self.played(rules):
            for event in game.events:
                if not isinstance(event, GameFinished):
                    shown = rules.eyes.redact(event, None)
                    assert rules.voice.about(shown) == rules.voice.about(event)
                    assert rules.voice.about(shown) in (None, *range(game.seats))

    def test_every_event_is_told_in_one_line_to_everybody(self, rules: AnyRules) -> None:
        for game in self.played(rules):
            names = tuple(f"player {seat}" for seat in range(game.seats))
            for event in game.events:
                for viewer in (None, *range(game.seats)):
                    if not isinstance(event, GameFinished):
                        line = rules.voice.tell(rules.eyes.redact(event, viewer), names)
                        assert line
                        assert "\n" not in line
                        assert "None" not in line

    def test_the_table_can_be_drawn_for_everybody(self, rules: AnyRules) -> None:
        for game in self.played(rules):
            names = tuple(f"player {seat}" for seat in range(game.seats))
            for step in self.sampled(game):
                for viewer in (None, *range(game.seats)):
                    drawn = rules.voice.render(rules.eyes.view(step.before, viewer), names)
                    assert all(name in drawn for name in names)

    def test_bots_play_whole_games_by_their_views(self, rules: AnyRules) -> None:
        for number, (seats, _, options) in enumerate(every_table(rules, most_seats=3)):
            for bot in rules.bots:
                if number and bot == LOOKS_AHEAD:
                    continue  # it takes long, and sees no more than the others
                game = play(rules, seats=seats, options=options, seed=5, bots=[bot] * seats, keep_states=False)
                assert isinstance(game.events[-1], GameFinished)

    def played(self, rules: AnyRules) -> Iterable[Playthrough]:
        tables = list(every_table(rules))
        for seats, _, options in tables:
            for seed in range(max(1, self.games // len(tables))):
                yield play(rules, seats=seats, options=options, seed=seed)

    def sampled(self, game: Playthrough) -> list[Step]:
        """Some of the steps, spread over the whole game."""
        stride = max(1, len(game.steps) // self.states)
        return game.steps[::stride]


class Candidates:
    """Moves somebody might try: parts of real moves put together anew, and some nonsense."""

    def __init__(self, game: Playthrough) -> None:
        self.rng = Random(3)
        self.parts: dict[tuple[type, str], list[Any]] = {}
        seen: set[object] = {move for step in game.steps for move in game.rules.play.legal(step.before, step.seat)}
        self.types: list[Any] = sorted({type(move) for move in seen}, key=lambda cls: cls.__name__)
        for cls in self.types:
            for field in fields(cls):
                values: set[object] = {getattr(move, field.name) for move in seen if type(move) is cls}
                junk = [thing for kind in {type(value) for value in values} for thing in JUNK.get(kind, [])]
                self.parts[cls, field.name] = sorted(values | set(junk), key=repr)

    def some(self, count: int) -> list[Any]:
        return [self.one() for _ in range(count)]

    def one(self) -> Any:
        cls = self.rng.choice(self.types)
        return cls(*(self.rng.choice(self.parts[cls, field.name]) for field in fields(cls)))


def decide_in_place(game: Playthrough, state: Any, seat: Seat, move: Any) -> str | None:
    try:
        game.rules.play.decide(Draft(state, game.rules.play.evolve), seat, move, game.chance)
    except IllegalMove as error:
        return f"{error.reason.value}: {error.message}"
    return None


def refusal_of(game: Playthrough, state: Any, seat: Seat, move: Any) -> str | None:
    """The refusal, word for word, or None; the state stays as it is."""
    return decide_in_place(game, state.copy(), seat, move)


def twin_state(game: Playthrough, step: Step, viewer: Seat | None, rng: Random) -> Any:
    """The same state, but for the cards that the viewer cannot see: they have changed places."""
    swaps = shuffled_among_themselves(game.rules.eyes.hidden(step.before, viewer), rng)
    at = next(number for number, other in enumerate(game.steps) if other is step)
    events = (*game.dealt, *(event for before in game.steps[:at] for event in before.events))
    return follow(game, (exchange(event, swaps) for event in events))
