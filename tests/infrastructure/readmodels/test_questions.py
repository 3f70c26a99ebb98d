"""Every question the read side answers, on SQLite and on PostgreSQL."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest

from fairdeal import AbandonGame, Fairdeal, JoinGame, LeaveGame, OpenGame, StartGame, to_json
from fairdeal.application.commands.messages import BranchGame
from fairdeal.application.errors import InvalidQuery
from fairdeal.application.projections.results import Page
from fairdeal.domain.kernel.french_deck import DECK
from fairdeal.domain.kernel.lifecycle import DealtFrom
from fairdeal.domain.kernel.lobby import Phase
from kits.readmodels import play

KIND = "kings_corners"


def lobby(fairdeal: Fairdeal, opener: str, *players: str) -> UUID:
    game_id = fairdeal.handle(OpenGame(player=opener, kind=KIND, command_id=f"{opener} {players}")).game_id
    for player in players:
        fairdeal.handle(JoinGame(game_id=game_id, player=player))
    return game_id


def test_a_game_is_shown_with_all_that_everybody_may_know(both: Fairdeal) -> None:
    game_id = play(both, ["ann", "bob"], moves=3)
    shown, look = both.read.game(game_id), both.look(game_id)
    assert shown is not None
    assert (shown.id, shown.kind, shown.players, shown.version) == (game_id, KIND, ("ann", "bob"), look.version)
    assert (shown.phase, shown.turn) == (Phase.RUNNING, tuple(look.players[seat] for seat in look.active))
    assert (shown.link, shown.moves, shown.opener) == (look.receipt.link, 3, "ann")
    assert shown.opened_at == datetime(2026, 1, 1, 0, 0, 1, tzinfo=UTC)
    assert shown.started_at == datetime(2026, 1, 1, 0, 0, 4, tzinfo=UTC)
    assert shown.last_at == datetime(2026, 1, 1, 0, 0, 7, tzinfo=UTC)
    assert (shown.ended_at, shown.winners, shown.reason, shown.seed) == (None, (), None, None)
    assert shown.commitment == look.commitment
    assert both.read.game(uuid4()) is None


def test_a_finished_game_shows_winners_reason_and_seed(both: Fairdeal) -> None:
    game_id = play(both, ["ann", "bob"])
    shown, look = both.read.game(game_id), both.look(game_id)
    assert shown is not None
    assert look.outcome is not None
    assert shown.winners == tuple(look.players[seat] for seat in look.outcome.winners)
    assert (shown.reason, shown.seed, shown.turn, shown.free_seats) == (look.outcome.reason, look.seed, (), 0)
    assert shown.ended_at == shown.last_at


def test_games_are_found_by_kind_phase_player_and_turn(both: Fairdeal) -> None:
    done = play(both, ["ann", "bob"], seed=1)
    running = play(both, ["bob", "cleo"], moves=0, seed=2)
    waiting = lobby(both, "the house", "ann")

    def ids(**asked: Any) -> list[UUID]:
        return [game.id for game in both.read.games(**asked).items]

    assert ids() == [waiting, running, done]
    assert ids(kind=KIND) == ids()
    assert ids(phase="lobby") == ids(phase=Phase.LOBBY) == [waiting]
    assert ids(player="ann") == [waiting, done]
    assert ids(turn_of="bob") == [running]
    assert ids(turn_of="cleo") == []
    assert ids(player="the house") == []


def test_games_are_found_by_when_they_were_opened(both: Fairdeal) -> None:
    first, second = lobby(both, "ann"), lobby(both, "bob")
    moment = datetime(2026, 1, 1, 0, 0, 2, tzinfo=UTC)
    assert [game.id for game in both.read.games(since=moment).items] == [second]
    assert [game.id for game in both.read.games(until=moment).items] == [first]


def test_open_games_are_those_one_can_join(both: Fairdeal) -> None:
    table = lobby(both, "the house", "ann")
    full = lobby(both, "the house", *"bcdefg")
    play(both, ["ann", "bob"], moves=0)
    assert [(game.id, game.free_seats) for game in both.read.open_games().items] == [(table, 5)]
    assert both.read.open_games(without="ann").items == ()
    assert [game.id for game in both.read.open_games(without="bob", kind=KIND).items] == [table]
    both.handle(LeaveGame(game_id=full, player="c"))
    assert [game.id for game in both.read.open_games().items] == [full, table]
    assert both.read.open_games().items[0].players == tuple("bdefg")
    both.handle(AbandonGame(game_id=table, player="the house"))
    assert [game.id for game in both.read.open_games().items] == [full]


def test_a_players_games_say_how_they_ended_for_them(both: Fairdeal) -> None:
    won = play(both, ["ann", "bob"], seed=3)
    left = play(both, ["ann", "bob"], seed=4, moves=2)
    both.handle(LeaveGame(game_id=left, player="ann"))
    waiting = lobby(both, "the house", "bob", "ann")
    winner = both.read.game(won)
    assert winner is not None
    expected = "won" if winner.winners == ("ann",) else "lost"
    mine = [(one.game.id, one.seat, one.result) for one in both.read.games_of("ann").items]
    assert mine == [(waiting, 1, None), (left, 0, "left"), (won, 0, expected)]
    assert [one.result for one in both.read.games_of("bob", phase="abandoned").items] == ["won"]
    assert both.read.games_of("nobody", kind=KIND).items == ()


def test_statistics_count_every_way_a_game_can_end(both: Fairdeal) -> None:
    for seed in (5, 6):
        both.handle(LeaveGame(game_id=play(both, ["ann", "bob"], seed=seed, moves=4), player="ann"))
    both.handle(LeaveGame(game_id=play(both, ["ann", "bob"], seed=7, moves=1), player="bob"))
    broken = both.start_game(KIND, ["ann", "bob"], opener="the house")
    both.handle(AbandonGame(game_id=broken.game_id, player="the house"))
    both.handle(AbandonGame(game_id=lobby(both, "the house", "ann"), player="the house"))
    (ann,), (bob,) = both.read.player("ann").statistics, both.read.player("bob").statistics
    assert (ann.played, ann.won, ann.lost, ann.drawn, ann.abandoned, ann.broken_off) == (3, 1, 0, 0, 2, 1)
    assert (bob.played, bob.won, bob.lost, bob.drawn, bob.abandoned, bob.broken_off) == (3, 2, 0, 0, 1, 1)
    assert (ann.streak, ann.best_streak, bob.streak, bob.best_streak) == (1, 1, -1, 2)
    assert ann.average_moves == (4 + 4 + 1) / 3
    assert ann.average_seconds == (5 + 5 + 2) / 3
    assert both.read.player("nobody").statistics == ()


def test_ratings_put_the_winner_first_and_follow_in_pages(both: Fairdeal) -> None:
    for seed, loser in enumerate(["bob", "cleo", "dora"]):
        both.handle(LeaveGame(game_id=play(both, ["ann", loser], seed=seed, moves=1), player=loser))
    page = both.read.ratings(KIND, limit=3)
    rest = both.read.ratings(KIND, limit=3, cursor=page.next)
    everybody = [*page.items, *rest.items]
    assert [(one.rank, one.player) for one in everybody] == [(1, "ann"), (2, "dora"), (3, "cleo"), (4, "bob")]
    assert rest.next is None
    assert [one.rating for one in everybody] == sorted((one.rating for one in everybody), reverse=True)
    assert everybody[0].games == 3
    assert all(one.rating == one.mu - 3 * one.sigma for one in everybody)
    assert both.read.player("cleo").ratings == (everybody[2],)


def test_a_rating_is_told_as_it_was_after_every_rated_game(both: Fairdeal) -> None:
    shown: list[float] = []
    for seed, loser in enumerate(["bob", "ann", "bob"]):
        both.handle(LeaveGame(game_id=play(both, ["ann", "bob"], seed=seed, moves=1), player=loser))
        shown.append(both.read.player("ann").ratings[0].rating)
    steps = both.read.player("ann").rating_steps
    assert [(one.kind, one.games, one.rating) for one in steps] == [
        (KIND, games, rating) for games, rating in enumerate(shown, 1)
    ]
    assert shown[0] < shown[2]
    assert shown[1] < shown[2]
    assert [one.at for one in steps] == sorted(one.at for one in steps)
    assert both.read.player("nobody").rating_steps == ()


def test_a_game_from_a_given_deck_counts_for_statistics_but_not_for_ratings(both: Fairdeal) -> None:
    answer = both.start_game(KIND, ["ann", "bob"], deck=list(DECK))
    both.handle(LeaveGame(game_id=answer.game_id, player="bob"))
    assert both.read.ratings(KIND).items == ()
    assert both.read.player("ann").statistics[0].won == 1
    shown = both.read.game(answer.game_id)
    assert shown is not None
    assert not shown.rated


def test_a_what_if_is_listed_but_counts_nowhere(both: Fairdeal) -> None:
    origin = play(both, ["ann", "bob"], seed=3)
    before = [both.read.player(name) for name in ("ann", "bob")]
    branch = both.handle(BranchGame(player="cleo", origin=origin, version=5)).game_id
    both.handle(LeaveGame(game_id=branch, player="ann"))
    shown = both.read.game(branch)
    assert shown is not None
    assert (shown.opening, shown.rated, shown.winners) == (DealtFrom.BRANCH, False, ("bob",))
    assert [one.result for one in both.read.games_of("bob", limit=1).items] == [None]
    assert [both.read.player(name) for name in ("ann", "bob")] == before
    assert both.read.head_to_head("ann", "bob").total.played == 1


def test_two_players_are_compared_head_to_head(both: Fairdeal) -> None:
    for seed, loser in enumerate(["bob", "bob", "ann"]):
        both.handle(LeaveGame(game_id=play(both, ["ann", "bob"], seed=seed, moves=1), player=loser))
    both.handle(LeaveGame(game_id=play(both, ["ann", "bob", "cleo"], seed=9, moves=1), player="cleo"))
    play(both, ["ann", "bob"], seed=10, moves=2)
    found = both.read.head_to_head("ann", "bob")
    assert (found.total.played, found.total.first_ahead, found.total.second_ahead, found.total.even) == (4, 2, 1, 1)
    assert [one.kind for one in found.kinds] == [KIND]
    assert found.total.last_at is not None
    assert both.read.head_to_head("ann", "zoe", kind=KIND).total.played == 0
    turned = both.read.head_to_head("bob", "ann").total
    assert (turned.first_ahead, turned.second_ahead) == (1, 2)


def test_the_timeline_tells_every_event_as_a_spectator_saw_it(both: Fairdeal) -> None:
    game_id = play(both, ["ann", "bob"], moves=4)
    told = both.read.timeline(game=game_id, oldest_first=True, limit=500).items
    assert tuple(entry.line for entry in told) == both.story(game_id)
    assert [entry.version for entry in told] == list(range(1, len(told) + 1))


def test_the_timeline_keeps_its_secrets_even_after_the_end(both: Fairdeal) -> None:
    game_id = both.start_game("kings_corners", ["ann", "bob"]).game_id
    both.move(game_id, "ann", {"move": "end_turn"})
    both.handle(AbandonGame(player="ann", game_id=game_id))
    told = both.read.timeline(game=game_id, event="card_drawn").items
    assert [entry.line for entry in told] == ["ann draws a card."]


def test_the_timeline_can_be_searched_in_every_way(both: Fairdeal) -> None:
    first = lobby(both, "the house", "ann", "bob")
    both.handle(StartGame(game_id=first, player="the house"))
    second = lobby(both, "the house", "cleo")
    moment = datetime(2026, 1, 1, 0, 0, 4, tzinfo=UTC)

    def found(**asked: Any) -> list[str]:
        return [f"{entry.event} {entry.player}" for entry in both.read.timeline(**asked).items]

    assert found(event="player_seated") == ["player_seated cleo", "player_seated bob", "player_seated ann"]
    assert found(player="bob") == ["player_seated bob"]
    assert found(by="bob") == ["player_seated bob"]
    assert found(table_of="cleo") == found(game=second)
    assert found(text="SITS DOWN", table_of="bob") == ["player_seated bob", "player_seated ann"]
    assert found(text="100%_") == []
    assert found(since=moment, game=first) == ["cards_dealt the house", "game_started the house"]
    assert len(found(until=moment)) == 3
    assert len(found(since=moment.astimezone(tz=None) + timedelta(days=1))) == 0
    assert found(kind=KIND, event="game_opened", oldest_first=True) == ["game_opened the house"] * 2


@pytest.mark.parametrize("size", [1, 3, 7])
def test_pages_hold_everything_once_and_in_order_while_games_go_on(both: Fairdeal, size: int) -> None:
    for seed in range(5):
        play(both, ["ann", "bob"], seed=seed, moves=1)
    expected = [game.id for game in both.read.games().items]
    seen: list[UUID] = []
    cursor: str | None = None
    while True:
        page = both.read.games(limit=size, cursor=cursor)
        seen += [game.id for game in page.items]
        play(both, ["eve", "fay"], seed=100 + len(seen), moves=1)
        cursor = page.next
        if cursor is None:
            break
    assert seen == expected


def test_every_list_can_be_read_page_by_page(both: Fairdeal) -> None:
    for seed in range(4):
        play(both, ["ann", "bob"], seed=seed, moves=1)
        lobby(both, f"house {seed}", "ann")
    read = both.read
    lists: list[Callable[..., Page[Any]]] = [
        read.games,
        read.open_games,
        partial(read.games_of, "ann"),
        read.timeline,
        partial(read.timeline, oldest_first=True),
    ]
    for question in lists:
        whole, parts = question(limit=500), list[Any]()
        page = question(limit=3)
        parts += page.items
        while page.next is not None:
            page = question(limit=3, cursor=page.next)
            parts += page.items
        assert len(parts) >= 4
        assert tuple(parts) == whole.items


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"kind": "poker"}, "kind"),
        ({"phase": "nowhere"}, "phase"),
        ({"limit": 0}, "limit"),
        ({"limit": 501}, "limit"),
        ({"limit": "many"}, "limit"),
        ({"player": ""}, "player"),
        ({"since": datetime(2026, 1, 1)}, "since"),
        ({"since": "yesterday"}, "since"),
        ({"cursor": "?"}, "cursor"),
        ({"cursor": "W10"}, "cursor"),
        ({"cursor": "bnVsbA"}, "cursor"),
    ],
)
def test_a_wrong_filter_is_refused_by_its_name(fairdeal: Fairdeal, asked: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidQuery) as refused:
        fairdeal.read.games(**asked)
    assert [fault.field for fault in refused.value.faults] == [field]
    assert refused.value.code == "invalid_query"


def test_every_wrong_field_is_named_at_once(fairdeal: Fairdeal) -> None:
    with pytest.raises(InvalidQuery) as refused:
        fairdeal.read.timeline(kind="poker", event="card_eaten", limit=0, text="")
    assert {fault.field for fault in refused.value.faults} == {"kind", "event", "limit", "text"}


def test_an_event_is_only_found_in_games_that_have_it(fairdeal: Fairdeal) -> None:
    assert fairdeal.read.timeline(event="pile_moved").items == ()
    with pytest.raises(InvalidQuery, match="pile_moved"):
        fairdeal.read.timeline(event="pile_moved", kind="pardon")


def test_a_cursor_of_another_question_is_refused(fairdeal: Fairdeal) -> None:
    for seed in range(3):
        play(fairdeal, ["ann", "bob"], seed=seed, moves=0)
    cursor = fairdeal.read.games(limit=1).next
    assert fairdeal.read.games(limit=2, cursor=cursor).items
    with pytest.raises(InvalidQuery, match="another question"):
        fairdeal.read.games(cursor=cursor, kind=KIND)
    with pytest.raises(InvalidQuery, match="another question"):
        fairdeal.read.games(cursor=cursor, player="ann")
    with pytest.raises(InvalidQuery, match="another question"):
        fairdeal.read.open_games(cursor=cursor)


def test_nobody_meets_themselves_head_to_head(fairdeal: Fairdeal) -> None:
    with pytest.raises(InvalidQuery, match="another player"):
        fairdeal.read.head_to_head("ann", "ann")


def test_answers_can_be_written_as_json(fairdeal: Fairdeal) -> None:
    play(fairdeal, ["ann", "bob"])
    assert b'"kind":"kings_corners"' in to_json(fairdeal.read.games())
    assert b'"player":"ann"' in to_json(fairdeal.read.player("ann"))
