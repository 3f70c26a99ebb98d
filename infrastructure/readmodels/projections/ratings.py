"""Ratings per player and kind of game, by the Plackett–Luce model of openskill (docs/adr/0021-ratings.md)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from openskill.models import PlackettLuce
from sqlalchemy import Connection, select

from fairdeal.application.projections.public_event import PublicEvent, Result, results
from fairdeal.infrastructure.readmodels.projections.base import Projection, append, chunks, give_way, upsert
from fairdeal.infrastructure.readmodels.tables import RATING_STEPS, RATINGS

Key = tuple[str, str]
"""A kind of game and a player."""

AHEAD = (Result.WON, Result.DRAWN)
MODEL = PlackettLuce()


@dataclass(frozen=True, slots=True)
class Strength:
    """What is believed of a player: a bell curve."""

    mu: float
    sigma: float
    games: int
    last_at: datetime | None

    @property
    def rating(self) -> float:
        """What the player is worth almost for certain."""
        return self.mu - 3 * self.sigma


NEWCOMER = Strength(MODEL.mu, MODEL.sigma, 0, None)


class Ratings(Projection):
    """Who is how strong: shuffled games that ended with a result count, in the order in which they ended."""

    name = "ratings"
    version = 2
    tables = (RATINGS, RATING_STEPS)

    def fold(self, connection: Connection, events: Sequence[PublicEvent]) -> None:
        endings = [one for one in events if one.table.outcome is not None and counts(one)]
        if not endings:
            return
        known = _load(connection, [player for one in endings for player in one.table.players])
        changed: dict[Key, Strength] = {}
        steps: list[tuple[object, ...]] = []
        for one in endings:
            keys = [(one.table.kind, player) for player in one.table.players]
            after = rate([known.get(key, NEWCOMER) for key in keys], results(one), one.at)
            changed.update(zip(keys, after, strict=True))
            steps += [
                (*key, strength.games, one.at, strength.rating) for key, strength in zip(keys, after, strict=True)
            ]
            known.update(changed)
            give_way(connection)
        upsert(connection, RATINGS, [_row(key, strength) for key, strength in changed.items()])
        append(connection, RATING_STEPS, steps)


def counts(one: PublicEvent) -> bool:
    ended = results(one) if one.table.rated else ()
    return len(ended) > 1 and Result.BROKEN_OFF not in ended


def rate(before: Sequence[Strength], ended: Sequence[Result], at: datetime) -> list[Strength]:
    """Winners are ahead of all others, and equal among themselves; so are the others."""
    teams = [[MODEL.rating(strength.mu, strength.sigma)] for strength in before]
    ranks: list[float] = [1 if result in AHEAD else 2 for result in ended]
    rated = MODEL.rate(teams, ranks=ranks)
    return [
        Strength(team[0].mu, team[0].sigma, strength.games + 1, at)
        for team, strength in zip(rated, before, strict=True)
    ]


def _row(key: Key, strength: Strength) -> dict[str, object]:
    return {
        "kind": key[0],
        "player": key[1],
        "mu": strength.mu,
        "sigma": strength.sigma,
        "rating": strength.rating,
        "games": strength.games,
        "last_at": strength.last_at,
    }


def _load(connection: Connection, players: Iterable[str]) -> dict[Key, Strength]:
    found: dict[Key, Strength] = {}
    for some in chunks(dict.fromkeys(players)):
        for row in connection.execute(select(RATINGS).where(RATINGS.c.player.in_(some))):
            found[row.kind, row.player] = Strength(row.mu, row.sigma, row.games, row.last_at)
    return found
