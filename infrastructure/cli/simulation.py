"""Many games between bots by the bare rules: the same seeds give the same figures."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import sqrt
from typing import Any
from uuid import UUID

from fairdeal.application.log.game_ids import game_id_of
from fairdeal.domain.kernel.chance import NO_SHARE, Chance, digest
from fairdeal.domain.kernel.lobby import BOT
from fairdeal.infrastructure.cli.kinds import rules_of
from fairdeal.testing.play import play

APART = 10**9
"""Between the seeds of two simulations, so that they share no game."""
Z = 1.959964
"""Standard deviations on each side of which 95 % of a normal distribution lie."""


@dataclass(frozen=True, slots=True)
class Match:
    """Which bots play which game; the order is that of the first game, and turns by one seat with every game."""

    kind: str
    options: Any
    bots: tuple[str, ...]
    seed: int = 0
    keeps_moves: bool = False
    """Whether the moves are to be stored afterwards."""

    def order(self, number: int) -> list[int]:
        """Which bot sits on each seat of a game."""
        return [(seat + number) % len(self.bots) for seat in range(len(self.bots))]


@dataclass(frozen=True, slots=True)
class Played:
    """How one game ended: the numbers of the bots that won, and how many decisions it took."""

    number: int
    winners: tuple[int, ...]
    decisions: int
    reason: str
    moves: tuple[tuple[int, Any], ...] = ()
    """Seats and what they chose, if it was wanted."""


@dataclass(frozen=True, slots=True)
class SimulatedOpening:
    """How a ledger opens a simulated game: from all that makes it what it is, so always the same."""

    players: tuple[str, ...]
    command_id: str
    seed: bytes

    @property
    def game_id(self) -> UUID:
        return game_id_of(self.players[0], self.command_id)

    @property
    def chance(self) -> Chance:
        return Chance(self.seed, self.game_id.bytes, [NO_SHARE] * len(self.players))


def opening(match: Match, number: int) -> SimulatedOpening:
    players = tuple(f"{BOT}{match.bots[bot]}:{bot + 1}" for bot in match.order(number))
    named = digest(repr((match.kind, match.options, match.bots, match.seed, number)).encode())
    return SimulatedOpening(players, f"simulated {named}", sha256(f"fairdeal simulate {named}".encode()).digest())


def games_of(match: Match, numbers: Iterable[int]) -> Iterator[Played]:
    """These games, each as soon as it has been played."""
    rules = rules_of(match.kind)
    for number in numbers:
        order = match.order(number)
        game = play(
            rules,
            seats=len(order),
            options=match.options,
            seed=match.seed * APART + number,
            bots=[match.bots[bot] for bot in order],
            keep_states=False,
            chance=opening(match, number).chance,
        )
        winners = tuple(sorted(order[seat] for seat in game.outcome.winners))
        moves = tuple((step.seat, step.move) for step in game.steps) if match.keeps_moves else ()
        yield Played(number, winners, len(game.steps), game.outcome.reason, moves)


@dataclass(frozen=True, slots=True)
class Share:
    """How often somebody won, a shared win by parts, and where 95 % of such estimates hold the truth (Wilson)."""

    won: float
    games: int

    @property
    def rate(self) -> float:
        return self.won / self.games

    @property
    def interval(self) -> tuple[float, float]:
        n, p = self.games, self.rate
        middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
        reach = Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
        return max(0.0, middle - reach), min(1.0, middle + reach)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.rate:.1%}  ({low:.1%} to {high:.1%})"


def shares(played: Sequence[Played], bots: int) -> list[Share]:
    won = [0.0] * bots
    for game in played:
        for bot in game.winners:
            won[bot] += 1 / len(game.winners)
    return [Share(one, len(played)) for one in won]
