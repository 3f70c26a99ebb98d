"""Pairs of worlds that differ in two cards which a viewer never saw: all that the viewer is told is the same."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random
from typing import Any, Self

from campaigns.tally import Tally, Until
from fairdeal import (
    ClaimTimeout,
    Fairdeal,
    FairdealError,
    JoinGame,
    LeaveGame,
    QuickStart,
    RevealEntropy,
    StartGame,
)
from fairdeal import to_json as to_bytes
from fairdeal.application.catalogue import KINDS
from fairdeal.application.commands.validation import move_to_plain, plain
from fairdeal.domain.kernel.lifecycle import LIFECYCLE
from fairdeal.testing.snapshot import exchange
from fairdeal.testing.table_twins import dealt_decks
from kits.worlds import always_hidden
from kits.worlds_over_http import told_over_http

SECRET = re.compile(r"[0-9a-f]{32,}")
"""Links, seals and commitments: random in every world."""
FIRST = datetime(2026, 1, 1, tzinfo=UTC)
MOVES = 25
MOST_SEATS = 4
MOST_TRIED = 60
READ_MODELS = 0.1
"""How often they are asked, too, and a server: to make their tables takes longer than a game."""
HOST = "the host"
"""Gives the deck, and is told so: nobody who sits at the table shall know it."""


def to_json(thing: Any) -> str:
    return to_bytes(thing).decode()


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards as they are given: one row of them, or one for each seat."""

    rows: tuple[tuple[Any, ...], ...]
    is_one: bool

    @classmethod
    def of(cls, given: Any) -> "Deck":
        is_one = not isinstance(given[0], list | tuple)
        return cls((tuple(given),) if is_one else tuple(map(tuple, given)), is_one)

    def given(self) -> Any:
        return list(self.rows[0]) if self.is_one else [list(row) for row in self.rows]

    def place_of(self, card: Any) -> tuple[int, int]:
        """A card with a number says where it lay; the others are there once."""
        if self.is_one:
            return 0, self.rows[0].index(plain(card))
        number: int = card.number
        return divmod(number, len(self.rows[0]))

    def name_of(self, card: Any) -> Any:
        row, at = self.place_of(card)
        return self.rows[row][at]

    def exchanged(self, one: Any, other: Any) -> "Deck":
        rows = [list(row) for row in self.rows]
        (left, here), (right, there) = self.place_of(one), self.place_of(other)
        rows[left][here], rows[right][there] = rows[right][there], rows[left][here]
        return Deck(tuple(map(tuple, rows)), self.is_one)


def swaps_of(one: Any, other: Any) -> dict[Any, Any]:
    """What becomes of the cards; one with a number keeps it, because it is the number of its place."""
    if hasattr(one, "number") and hasattr(one, "id"):
        return {one: replace(one, id=other.id), other: replace(other, id=one.id)}
    return {one: other, other: one}


class World:
    """A game from a given deck, with a clock and ids of its own, so that only cards can make a difference."""

    def __init__(self, kind: str, seats: int, options: Any, deck: Deck) -> None:
        ticks = count()
        self._ids = count()
        self.rules = KINDS[kind]
        self.games = Fairdeal("memory:", kinds={kind: self.rules}, clock=lambda: FIRST + timedelta(seconds=next(ticks)))
        self.players = [f"player {seat}" for seat in range(seats)]
        start = QuickStart(
            player=HOST,
            kind=kind,
            players=tuple(self.players),
            options=plain(options),
            deck=deck.given(),
            command_id="start",
        )
        self.game = self.games.handle(start).game_id

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.games.close()

    @property
    def active(self) -> tuple[str, ...]:
        look = self.games.look(self.game)
        return tuple(look.players[seat] for seat in look.active)

    def legal(self, player: str) -> list[Any]:
        return [move_to_plain(self.rules, move) for move in self.games.look(self.game, player).legal]

    def move(self, player: str, move: Any) -> str:
        try:
            return to_json(self.games.move(self.game, player, move, command_id=f"move {next(self._ids)}"))
        except FairdealError as error:
            return f"{error.code}: {error}"

    def happened(self) -> list[Any]:
        """Everything, with all secrets but the seed."""
        events = self.games.codec.events(self.games.ledger.records(self.game))
        return [type(event) if type(event) in LIFECYCLE else event for event in events]

    def told(self, viewer: str | None, *, at_length: bool) -> list[str]:
        """Everything that anybody can ask with these eyes; at length also read models and a server."""
        games, game = self.games, self.game
        replay = games.replay(game, viewer)
        visitor = games.visitor(viewer)
        told = [
            to_json(games.look(game, viewer)),
            "\n".join(games.story(game, viewer)),
            to_json(games.events(game, viewer)),
            games.exports.export(game, viewer),
            games.queries.drawing(game, viewer),
            to_json(visitor.look(game)),
            "\n".join(visitor.story(game)),
            "\n".join(replay.story()),
            repr(replay.difference(1, replay.head)),
            *(to_json(replay.go_to(version)) for version in range(replay.head + 1)),
        ]
        if viewer is not None:
            told.append(repr(self.legal(viewer)))
        if at_length:
            read = games.read
            told += [to_json(read.games()), to_json(read.timeline(limit=500)), to_json(read.ratings(self.rules.kind))]
            for player in self.players:
                told += [to_json(read.player(player)), to_json(read.games_of(player))]
            told.append(to_json(read.head_to_head(self.players[0], self.players[1])))
            told += map(repr, told_over_http(list(games.ledger.records(game)), viewer, self.players))
        return [SECRET.sub("#", text) for text in told]

    def refusals(self, viewer: str, moves: list[Any], decks: list[Deck]) -> list[str]:
        """What the viewer is told who tries all that is not theirs to do."""
        return [SECRET.sub("#", said) for said in self._refusals(viewer, moves, decks)]

    def _refusals(self, viewer: str, moves: list[Any], decks: list[Deck]) -> Iterator[str]:
        yield from (self.move(viewer, move) for move in moves)
        this: dict[str, Any] = {"game_id": self.game, "player": viewer, "command_id": "again"}
        for command in (
            JoinGame(**this),
            RevealEntropy(**this, entropy="00" * 32),
            *(ClaimTimeout(**this, seat=seat) for seat in range(len(self.players))),
            *(StartGame(**this, deck=deck.given()) for deck in decks),
            LeaveGame(**this, expected_version=1),
        ):
            try:
                yield to_json(self.games.handle(command))
            except FairdealError as error:
                yield f"{error.code}: {error}"
        for ask in (
            lambda: self.games.replay(self.game, viewer, open_cards=True).go_to(1),
            lambda: self.games.branch(self.game, 1, viewer),
            lambda: self.games.visitor(viewer).export(self.game, HOST),
        ):
            try:
                yield to_json(ask())
            except FairdealError as error:
                yield f"{error.code}: {error}"


def run(seed: int, seconds: float) -> Tally:
    rng, tally = Random(seed), Tally()
    until, tried = Until(seconds), Counter[str]()
    while until or len(tried) < len(KINDS):
        # Cards that nobody saw are rarer in some games than in others: the one that had least comes next.
        kind = min(sorted(KINDS), key=lambda kind: tried[kind])
        with ExitStack() as closing:
            pair = pair_of(kind, rng, closing)
            if pair is not None:
                tried[kind] += 1
                with tally.trying(f"seed {seed}, pair {tally.tries + 1}, {kind}"):
                    pair.must_be_alike(at_length=rng.random() < READ_MODELS)
    return tally


def pair_of(kind: str, rng: Random, closing: ExitStack) -> "Pair | None":
    """Two worlds, if there are two cards by now that the viewer has not seen, and if the others played alike."""
    rules = KINDS[kind]
    options = rng.choice(list(rules.setup.presets.values()))
    seats = rng.choice(rules.seats[:MOST_SEATS])
    given = Deck.of(plain(dealt_decks(rules, options, [None], seats)))
    deck = Deck(tuple(tuple(rng.sample(row, len(row))) for row in given.rows), given.is_one)
    one = closing.enter_context(World(kind, seats, options, deck))
    viewer = rng.choice([None, *one.players])
    made: list[tuple[str, Any]] = []
    for _ in range(rng.randint(0, MOVES)):
        if not one.active:
            return None  # all cards are open at the end
        player = rng.choice(one.active)
        move = rng.choice(one.legal(player))
        one.move(player, move)
        made.append((player, move))
    if not one.active:
        return None
    unseen = always_hidden(list(one.games.ledger.records(one.game)), viewer)
    pairs = [
        (first, second)
        for at, first in enumerate(unseen)
        for second in unseen[:at]
        if deck.place_of(first)[0] == deck.place_of(second)[0] and deck.name_of(first) != deck.name_of(second)
    ]
    if not pairs:
        return None
    first, second = rng.choice(pairs)
    exchanged = deck.exchanged(first, second)
    other = closing.enter_context(World(kind, seats, options, exchanged))
    for player, move in made:
        other.move(player, move)
    swaps = swaps_of(first, second)
    if [
        exchange(event, swaps) if not isinstance(event, type) else event for event in one.happened()
    ] != other.happened():
        return None  # what others did, or what came of it, depends on these cards: that is another game
    return Pair(one, other, viewer, (first, second), (deck, exchanged))


@dataclass(frozen=True, slots=True)
class Pair:
    one: World
    other: World
    viewer: str | None
    cards: tuple[Any, Any]
    decks: tuple[Deck, Deck]

    def must_be_alike(self, *, at_length: bool) -> None:
        one, other, viewer = self.one, self.other, self.viewer
        told = (world.told(viewer, at_length=at_length) for world in (one, other))
        for left, right in zip(*told, strict=True):
            assert left == right, f"{viewer} can tell {self.cards} apart: {apart(left, right)}"
        if viewer is None:
            return
        own = one.legal(viewer)
        theirs = [move for world in (one, other) for player in one.players for move in world.legal(player)]
        moves = [move for at, move in enumerate(theirs) if move not in own and move not in theirs[:at]][:MOST_TRIED]
        answers = [world.refusals(viewer, moves, list(self.decks)) for world in (one, other)]
        assert answers[0] == answers[1], f"a refusal tells {viewer} {self.cards} apart"


def apart(left: str, right: str) -> str:
    at = next((at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), 0)
    return f"{left[max(at - 80, 0) : at + 80]!r} and {right[max(at - 80, 0) : at + 80]!r}"
