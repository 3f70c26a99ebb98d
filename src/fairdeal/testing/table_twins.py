"""Pairs of tables that differ only in what others brought: whatever somebody tries there must be answered alike."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from fairdeal.application.commands.execution import execute, to_stored
from fairdeal.application.commands.messages import (
    AbandonGame,
    AddBot,
    ClaimTimeout,
    GameCommand,
    JoinGame,
    LeaveGame,
    MakeMove,
    RevealEntropy,
    StartGame,
    VoidGame,
)
from fairdeal.application.commands.validation import move_to_plain, plain
from fairdeal.domain.kernel.chance import digest
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import TableClock, Terms
from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.testing.draws import NotedChance

HOST, STRANGER = "the host", "somebody else"
GAME = UUID(int=5)
THEN = "2026-01-01T00:00:00.000000Z"
LATER = "2026-01-01T01:00:00.000000Z"
MOST_MOVES = 20
CLOCK = TableClock(60)


@dataclass(frozen=True, slots=True)
class Twins:
    """Two tables that a player must not be able to tell apart: they brought the same, all others something else."""

    rules: AnyRules
    options: Any
    own: Any
    others: tuple[Any, Any]
    """What all others brought, at the one table and at the other."""
    house: int
    """By which house rules the tables are kept."""

    @property
    def players(self) -> list[str]:
        return [f"player {seat}" for seat in range(self.rules.seats[0])]

    def must_be_alike(self) -> None:
        """Before the start, while seals are shut, and after the deal."""
        for me in (0, len(self.players) - 1):
            for sealed in (False, True):
                one, other = (self._table(me, theirs, sealed=sealed) for theirs in self.others)
                self._compare(me, one, other)
                for game in (one, other):
                    execute(game, HOST, {"do": "start_game"}, THEN)
                self._compare(me, one, other)
                if sealed:
                    for game in (one, other):
                        for player in self.players:
                            execute(game, player, {"do": "reveal_entropy", "entropy": entropy_of(player)}, THEN)
                    self._compare(me, one, other)

    def _table(self, me: int, theirs: Any, *, sealed: bool) -> Game:
        terms = Terms(self.house, CLOCK if self.house > 1 else None)
        game = Game.open(GAME, self.rules, HOST, self.options, bytes(32), terms=terms)
        for seat, player in enumerate(self.players):
            seal = digest(bytes.fromhex(entropy_of(player))) if sealed else None
            game.join(player, brought=self.own if seat == me else theirs, seal=seal)
        return game

    def _compare(self, me: int, one: Game, other: Game) -> None:
        player = self.players[me]
        for viewer in (player, HOST, None):
            assert one.view(viewer) == other.view(viewer), f"{viewer} sees what others brought"
            told = [[game.redact(event, viewer) for event in game.pending] for game in (one, other)]
            assert told[0] == told[1], f"an event tells {viewer} what others brought"
        assert one.legal(player) == other.legal(player), f"the legal moves tell {player} what others brought"
        for who in (player, HOST, STRANGER):
            for command in self._everything(who, one):
                answers = [answer(game, command) for game in (one, other)]
                assert answers[0] == answers[1], f"{command!r} tells {who} what others brought: {answers}"

    def _everything(self, who: str, game: Game) -> Iterator[GameCommand]:
        """Every command that somebody can send to a table."""
        this: dict[str, Any] = {"game_id": GAME, "player": who, "command_id": "1"}
        things = (None, self.own, *self.others)
        yield from (JoinGame(**this, brings=plain(thing), seal=seal) for thing in things for seal in (None, "0" * 64))
        yield from (AddBot(**this, bot=next(iter(self.rules.bots)), brings=plain(thing)) for thing in things)
        yield from (StartGame(**this, deck=plain(deck)) for deck in (None, (), *self._decks()))
        yield from (RevealEntropy(**this, entropy=entropy_of(name)) for name in (*self.players, STRANGER))
        moves = [move for player in self.players for move in game.legal(player)[:MOST_MOVES]]
        yield from (MakeMove(**this, move=move_to_plain(self.rules, move)) for move in moves)
        yield from (ClaimTimeout(**this, seat=seat) for seat in range(len(self.players)))
        yield LeaveGame(**this)
        yield AbandonGame(**this)
        yield VoidGame(**this, reason="why not")

    def _decks(self) -> Iterator[Any]:
        """Right and wrong guesses: the decks as chance would deal them, and the same the other way round."""
        for theirs in self.others:
            for brought in ((self.own, theirs), (theirs, self.own), (theirs, theirs)):
                decks = dealt_decks(self.rules, self.options, brought)
                yield from (decks, decks[::-1])


TRIED: frozenset[type[GameCommand]] = frozenset(
    {
        JoinGame,
        AddBot,
        StartGame,
        RevealEntropy,
        MakeMove,
        ClaimTimeout,
        LeaveGame,
        AbandonGame,
        VoidGame,
    }
)
"""The commands that are sent to both tables."""


def entropy_of(player: str) -> str:
    return (player.encode() * 4).hex()


def dealt_decks(rules: AnyRules, options: Any, brought: Sequence[Any], seats: int | None = None) -> tuple[Any, ...]:
    """The order of the cards in a deal from these things, as one would give it; for as few seats as can play."""
    seats = rules.seats[0] if seats is None else seats
    filled = tuple(brought[min(seat, len(brought) - 1)] for seat in range(seats))
    chance = NotedChance(seats)
    rules.play.deal(Draft(rules.play.initial_state(seats, options, filled), rules.play.evolve), chance, None)
    orders = tuple(draw.gave for draw in chance.draws if isinstance(draw.of, tuple))
    return orders[0] if len(orders) == 1 else orders


def answer(game: Game, command: GameCommand) -> Any:
    """What whoever sent it is told, word for word; the table stays as it is."""
    twin = game.copy()
    try:
        execute(twin, command.player, to_stored(game.rules, command), LATER)
    except FairdealError as error:
        return error.code, error.message
    return [twin.redact(event, command.player) for event in twin.pending]
