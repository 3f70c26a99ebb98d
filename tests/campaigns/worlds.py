"""Pairs of worlds that differ in two cards which a viewer never saw: all that the viewer is told is the same."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random
from typing import Any

from campaigns.tally import Tally, Until
from fairdeal import Fairdeal, FairdealError
from fairdeal import to_json as to_bytes
from fairdeal.application.catalogue import KINDS
from fairdeal.application.commands.validation import move_to_plain, plain
from fairdeal.testing.table_twins import dealt_decks

KINDS_OF_CARDS = ("kings_corners", "red7", "pardon")
"""In which no card is there twice, so that one can say which ones a viewer has seen."""
SECRET = re.compile(r"[0-9a-f]{32,}")
"""Links, seals and commitments: random in every world."""
FIRST = datetime(2026, 1, 1, tzinfo=UTC)
MOVES = 12
READ_MODELS = 0.1
"""How often they are asked, too: to make their tables takes longer than a game."""


def to_json(thing: Any) -> str:
    return to_bytes(thing).decode()


class World:
    """A game from a given deck, with a clock and ids of its own, so that only cards can make a difference."""

    def __init__(self, kind: str, deck: Any, *, with_read_models: bool) -> None:
        self.with_read_models = with_read_models
        ticks = count()
        self._ids = count()
        self.rules = KINDS[kind]
        self.games = Fairdeal("memory:", kinds={kind: self.rules}, clock=lambda: FIRST + timedelta(seconds=next(ticks)))
        self.players = [f"player {seat}" for seat in range(KINDS[kind].seats[0])]
        self.game = self.games.start_game(kind, self.players, deck=deck, command_id="start").game_id

    def legal(self, player: str) -> list[Any]:
        return [move_to_plain(self.rules, move) for move in self.games.look(self.game, player).legal]

    def move(self, player: str, move: Any) -> str:
        try:
            return to_json(self.games.move(self.game, player, move, command_id=f"move {next(self._ids)}"))
        except FairdealError as error:
            return f"{error.code}: {error}"

    def told(self, viewer: str | None) -> list[str]:
        """Everything that anybody can ask with these eyes."""
        games, game = self.games, self.game
        replay = games.replay(game, viewer)
        told = [
            to_json(games.look(game, viewer)),
            "\n".join(games.story(game, viewer)),
            to_json(games.events(game, viewer)),
            games.exports.export(game, viewer),
            games.queries.drawing(game, viewer),
            *(to_json(replay.go_to(version)) for version in range(replay.head + 1)),
        ]
        if self.with_read_models:
            told += [to_json(games.read.games()), to_json(games.read.timeline(limit=500))]
            told += [to_json(games.read.player(player)) for player in self.players]
        return [SECRET.sub("#", text) for text in told]

    def refusals(self, viewer: str, moves: list[Any]) -> list[str]:
        """What the viewer is told who tries all sorts of moves out of turn."""
        if self.players.index(viewer) in self.games.look(self.game).active:
            return []
        return [SECRET.sub("#", self.move(viewer, move)) for move in moves]


def run(seed: int, seconds: float) -> Tally:
    rng, tally = Random(seed), Tally()
    until = Until(seconds)
    while until:
        kind = rng.choice(KINDS_OF_CARDS)
        pair = pair_of(kind, rng)
        if pair is not None:
            with tally.trying(f"seed {seed}, pair {tally.tries + 1}, {kind}"):
                pair.must_be_alike()
    return tally


def pair_of(kind: str, rng: Random) -> "Pair | None":
    """Two worlds, if there are two cards by now that the viewer has not seen."""
    rules = KINDS[kind]
    options = next(iter(rules.setup.presets.values()))
    deck = list(plain(dealt_decks(rules, options, [None])))
    rng.shuffle(deck)
    read = rng.random() < READ_MODELS
    one, viewer = (
        World(kind, deck, with_read_models=read),
        rng.choice([None, *(f"player {seat}" for seat in range(rules.seats[0]))]),
    )
    made: list[tuple[str, Any]] = []
    for _ in range(rng.randint(0, MOVES)):
        look = one.games.look(one.game)
        if not look.active:
            break
        player = look.players[look.active[0]]
        move = rng.choice(one.legal(player))
        one.move(player, move)
        made.append((player, move))
    if not one.games.look(one.game).active:
        return None  # all cards are open at the end
    seen = "\n".join(one.told(viewer))
    unseen = [card for card in deck if f'"{card}"' not in seen and str(card) not in seen.split()]
    if len(unseen) < 2:
        return None
    first, second = rng.sample(unseen, 2)
    swapped = [second if card == first else first if card == second else card for card in deck]
    other = World(kind, swapped, with_read_models=read)
    for player, move in made:
        if player != viewer and move not in other.legal(player):
            return None  # a move of somebody else depends on the cards that were exchanged: that is another game
        other.move(player, move)
    return Pair(one, other, viewer, (first, second))


@dataclass(frozen=True, slots=True)
class Pair:
    one: World
    other: World
    viewer: str | None
    cards: tuple[Any, Any]

    def must_be_alike(self) -> None:
        one, other, viewer = self.one, self.other, self.viewer
        for left, right in zip(one.told(viewer), other.told(viewer), strict=True):
            assert left == right, f"{viewer} can tell {self.cards} apart: {apart(left, right)}"
        if viewer is not None:
            tried = [move for player in one.players for move in one.legal(player)]
            assert one.refusals(viewer, tried) == other.refusals(viewer, tried), f"a refusal tells {self.cards} apart"


def apart(left: str, right: str) -> str:
    at = next((at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), 0)
    return f"{left[max(at - 80, 0) : at + 80]!r} and {right[max(at - 80, 0) : at + 80]!r}"
