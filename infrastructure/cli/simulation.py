"""Many games between bots by the bare rules, in as many processes as wanted: the same seeds give the same figures."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from hashlib import sha256
from math import sqrt
from multiprocessing import get_context
from typing import Any
from uuid import UUID

from fairdeal.application.commands.handlers import game_id_for
from fairdeal.application.commands.messages import QuickStart
from fairdeal.domain.kernel.chance import NO_SHARE, Chance, digest
from fairdeal.domain.kernel.lobby import BOT
from fairdeal.infrastructure.cli.kinds import name_kinds, named_kinds, rules_of
from fairdeal.testing.play import play

BUNDLES = 16
"""For each process: enough that none waits long for another at the end."""
LARGEST_BUNDLE = 200
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
    """A simulated game as it would be opened in a ledger: from all that makes it what it is, so always the same."""

    command: QuickStart
    seed: bytes

    @property
    def game_id(self) -> UUID:
        return game_id_for(self.command)

    @property
    def chance(self) -> Chance:
        return Chance(self.seed, self.game_id.bytes, [NO_SHARE] * len(self.command.players))


def opening(match: Match, number: int) -> SimulatedOpening:
    players = tuple(f"{BOT}{match.bots[bot]}:{bot + 1}" for bot in match.order(number))
    named = digest(repr((match.kind, match.options, match.bots, match.seed, number)).encode())
    command = QuickStart(
        player=players[0], command_id=f"simulated {named}", kind=match.kind, players=players, options=match.options
    )
    return SimulatedOpening(command, sha256(f"fairdeal simulate {named}".encode()).digest())


def simulate(match: Match, games: int, jobs: int) -> Iterator[Played]:
    """The games, each as soon as it is known: with several jobs in any order.

    This process plays, too: others need a while until they have loaded the games.
    """
    if jobs == 1:
        yield from _bundle(match, 0, games)
        return
    size = max(1, min(LARGEST_BUNDLE, games // (jobs * BUNDLES)))
    with ProcessPoolExecutor(jobs - 1, get_context("spawn"), name_kinds, (named_kinds(),)) as pool:
        bounds = [(start, min(start + size, games)) for start in range(0, games, size)]
        waiting = {pool.submit(bundle, match, *both): both for both in bounds}
        try:
            # The others begin at the front, so whatever nobody has begun is at the back.
            for last in reversed(list(waiting)):
                if not last.cancel():
                    break
                yield from _bundle(match, *waiting.pop(last))
                for done in [one for one in waiting if one.done()]:
                    del waiting[done]
                    yield from done.result()
            for done in as_completed(waiting):
                yield from done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def bundle(match: Match, start: int, end: int) -> list[Played]:
    return list(_bundle(match, start, end))


def _bundle(match: Match, start: int, end: int) -> Iterator[Played]:
    rules = rules_of(match.kind)
    for number in range(start, end):
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
