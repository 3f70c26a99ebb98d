"""Statistics and ratings that were folded step by step are those that follow from all results at once."""

from collections import defaultdict
from uuid import UUID

from fairdeal import Fairdeal
from fairdeal.application.projections.public_event import Result
from fairdeal.application.projections.results import PlayedGame
from fairdeal.infrastructure.readmodels.projections.ratings import NEWCOMER, Strength, rate
from fairdeal.testing.workload import fill


def test_statistics_and_ratings_follow_from_the_games_themselves(both: Fairdeal) -> None:
    fill(both.ledger, both.codec, 4000, tables=8, players=6)
    for kind in both.kinds:
        for player in [f"player {number}" for number in range(6)]:
            found = [one for one in both.read.player(player).statistics if one.kind == kind]
            games = in_order_of_their_ends(both, player, kind)
            assert bool(found) == bool(games)
            if not found:
                continue
            (one,) = found
            outcomes = [game.result for game in games]
            assert (one.played, one.won) == (len(games), outcomes.count(Result.WON))
            assert (one.drawn, one.lost) == (outcomes.count(Result.DRAWN), outcomes.count(Result.LOST))
            assert one.average_moves == sum(game.game.moves for game in games) / len(games)
            assert one.streak == streak_at_the_end(outcomes)
            assert one.last_at == games[-1].game.ended_at
        assert {one.player: one.mu for one in both.read.ratings(kind).items} == ratings_of(both, kind)


def in_order_of_their_ends(fairdeal: Fairdeal, player: str, kind: str) -> list[PlayedGame]:
    games = fairdeal.read.games_of(player, kind=kind, phase="finished", limit=500).items
    return sorted(games, key=lambda one: ends(fairdeal, kind).index(one.game.id))


def ends(fairdeal: Fairdeal, kind: str) -> list[UUID]:
    page = fairdeal.read.timeline(kind=kind, event="game_finished", oldest_first=True, limit=500)
    assert page.next is None
    return [entry.game_id for entry in page.items]


def streak_at_the_end(outcomes: list[Result | None]) -> int:
    last = outcomes[-1]
    if last is Result.DRAWN:
        return 0
    length = next((at for at, one in enumerate(reversed(outcomes)) if one is not last), len(outcomes))
    return length if last is Result.WON else -length


def ratings_of(fairdeal: Fairdeal, kind: str) -> dict[str, float]:
    strengths: defaultdict[str, Strength] = defaultdict(lambda: NEWCOMER)
    games = {game.id: game for game in fairdeal.read.games(kind=kind, phase="finished", limit=500).items}
    for game_id in ends(fairdeal, kind):
        game = games[game_id]
        won = [player in game.winners for player in game.players]
        even = all(won) or not any(won)
        results = [Result.DRAWN if even else Result.WON if one else Result.LOST for one in won]
        after = rate([strengths[player] for player in game.players], results, game.last_at)
        strengths.update(zip(game.players, after, strict=True))
    return {player: strength.mu for player, strength in strengths.items()}
