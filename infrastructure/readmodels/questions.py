"""The questions one can ask; each is checked first and answered from tables that are fresh enough."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection

from fairdeal.application.audit.sealing import beside
from fairdeal.application.audit.verdicts import Report
from fairdeal.application.errors import FieldFault, InvalidQuery
from fairdeal.application.projections.filters import (
    GamesFilter,
    LettersFilter,
    OpenGamesFilter,
    PlayedFilter,
    PlayerAsked,
    RatingsFilter,
    TimelineFilter,
    TwoPlayersAsked,
    must_be_an_id,
)
from fairdeal.application.projections.results import (
    DeadLetter,
    GameSummary,
    HeadToHead,
    Page,
    PlayedGame,
    Player,
    Rating,
    TimelineEntry,
)
from fairdeal.domain.kernel.lobby import Phase
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.readmodels.freshness import Freshness, FreshTables
from fairdeal.infrastructure.readmodels.sql import games as games_sql
from fairdeal.infrastructure.readmodels.sql import players as players_sql


class Questions:
    """Everything one can ask of the read models. `limit` is at most 500; `cursor` is `next` of a page."""

    def __init__(self, source: FreshTables, games: Mapping[str, AnyRules], freshness: Freshness) -> None:
        self._source = source
        self._kinds = games
        self._freshness = freshness

    @contextmanager
    def connection(self) -> Generator[Connection]:
        """For questions of one's own: a read-only transaction on tables that are fresh enough."""
        with self._source.at(self._freshness) as connection:
            yield connection

    def games(
        self,
        *,
        kind: str | None = None,
        phase: Phase | str | None = None,
        player: str | None = None,
        turn_of: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[GameSummary]:
        """Games, the newest first; `since` and `until` are about when they were opened."""
        fields = {"kind": kind, "phase": phase, "player": player, "turn_of": turn_of, "since": since, "until": until}
        asked = GamesFilter.check(self._kinds, {**fields, "limit": limit, "cursor": cursor})
        with self.connection() as connection:
            return games_sql.games(connection, asked)

    def game(self, game_id: UUID) -> GameSummary | None:
        """One game, or None if there is none with this id."""
        game_id = must_be_an_id("game_id", game_id)
        with self.connection() as connection:
            return games_sql.game(connection, game_id)

    def open_games(
        self,
        *,
        kind: str | None = None,
        without: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[GameSummary]:
        """Tables with a free seat, the newest first; `without` leaves out those where this player sits."""
        fields = {"kind": kind, "without": without, "limit": limit, "cursor": cursor}
        asked = OpenGamesFilter.check(self._kinds, fields)
        with self.connection() as connection:
            return games_sql.open_games(connection, asked)

    def games_of(
        self,
        player: str,
        *,
        kind: str | None = None,
        phase: Phase | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[PlayedGame]:
        """A player's games, the newest first, and how each ended for them."""
        fields = {"player": player, "kind": kind, "phase": phase, "limit": limit, "cursor": cursor}
        asked = PlayedFilter.check(self._kinds, fields)
        with self.connection() as connection:
            return games_sql.played(connection, asked)

    def player(self, name: str) -> Player:
        """A player's statistics and ratings, kind by kind; empty for somebody who never finished a game."""
        asked = PlayerAsked.check(self._kinds, {"name": name})
        with self.connection() as connection:
            return players_sql.player(connection, asked.name)

    def beside(self, report: Report) -> Report:
        """The report of an audit, and beside its verdict what only other tables tell: how many of this opener's were
        never dealt, and whose seals were used elsewhere before."""
        sealing = report.sealing
        if sealing is None or report.bad:
            return report
        with self.connection() as connection:
            undealt = players_sql.conduct_of(connection, sealing.opener).tables_undealt
            return beside(report, undealt, players_sql.who_sealed_before(connection, report.game_id, sealing.seals))

    def ratings(self, kind: str, *, limit: int | None = None, cursor: str | None = None) -> Page[Rating]:
        """The best players of one kind of game, the best first."""
        asked = RatingsFilter.check(self._kinds, {"kind": kind, "limit": limit, "cursor": cursor})
        with self.connection() as connection:
            return players_sql.ratings(connection, asked)

    def head_to_head(self, first: str, second: str, *, kind: str | None = None) -> HeadToHead:
        """Two players against each other."""
        asked = TwoPlayersAsked.check(self._kinds, {"first": first, "second": second, "kind": kind})
        if first == second:
            raise InvalidQuery([FieldFault("second", "expected another player than the first")])
        with self.connection() as connection:
            return players_sql.head_to_head(connection, asked.first, asked.second, asked.kind)

    def timeline(
        self,
        *,
        game: UUID | None = None,
        kind: str | None = None,
        event: str | None = None,
        player: str | None = None,
        by: str | None = None,
        table_of: str | None = None,
        text: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        oldest_first: bool = False,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[TimelineEntry]:
        """What happened, one line per event: about a player, sent by one, or at tables where one sits."""
        fields = {"game": game, "kind": kind, "event": event, "player": player, "by": by, "table_of": table_of}
        more = {"text": text, "since": since, "until": until, "oldest_first": oldest_first}
        asked = TimelineFilter.check(self._kinds, {**fields, **more, "limit": limit, "cursor": cursor})
        with self.connection() as connection:
            return games_sql.timeline(connection, asked)

    def dead_letters(
        self,
        *,
        projection: str | None = None,
        game: UUID | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[DeadLetter]:
        """Events that could not be folded, and those of the same games that wait for them."""
        fields = {"projection": projection, "game": game, "limit": limit, "cursor": cursor}
        asked = LettersFilter.check(self._kinds, fields)
        with self.connection() as connection:
            return games_sql.dead_letters(connection, asked)
