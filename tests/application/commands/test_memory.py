"""Memory: caches are bounded by it, small commands cannot ask for much of it, and large tables cost what they are."""

import cProfile
import pstats
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest

from fairdeal import Fairdeal, FairdealError
from fairdeal.application.size_of import SMALLEST, Size, UsualSizes, size_of

MEGABYTE = 2**20
PLAYERS = ["ann", "bob"]
LARGE = {"n": 20_000}


def test_a_small_command_cannot_ask_for_a_huge_deck(fairdeal: Fairdeal) -> None:
    position = {"n": 20_000, "hands": [["2C"], ["3C"]], "deck": [], "turns": 0}
    game = fairdeal.handle({"command": "open_game", "player": "ann", "kind": "reviiyot"}).game_id
    for player in PLAYERS:
        fairdeal.handle({"command": "join_game", "game_id": game, "player": player})
    asked: list[Callable[[], object]] = [
        lambda: fairdeal.start_game("reviiyot", PLAYERS, LARGE),
        lambda: fairdeal.handle({"command": "open_game", "player": "ann", "kind": "reviiyot", "options": LARGE}),
        lambda: fairdeal.start_game("reviiyot", PLAYERS, position=position),
        lambda: fairdeal.handle({"command": "start_game", "game_id": game, "player": "ann", "position": position}),
    ]
    for ask in asked:
        with pytest.raises(FairdealError) as refused:
            ask()
        assert refused.value.code == "bad_n"
    assert fairdeal.start_game("reviiyot", PLAYERS, {"n": 1000}).version


def test_many_players_may_have_many_cards_and_who_gives_a_deck_may_give_any(fairdeal: Fairdeal) -> None:
    assert fairdeal.start_game("reviiyot", [f"player {number}" for number in range(600)], {"n": 2000}).version
    deck = [f"{value}{shape}" for value in [*range(2, 1201), *"JQKA"] for shape in "CDHS"]
    assert fairdeal.start_game("reviiyot", PLAYERS, {"n": 1200}, deck=deck).version


def test_who_embeds_may_allow_large_tables_and_everybody_can_audit_them(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with Fairdeal(address, large_tables=True) as generous:
        game = generous.start_game("reviiyot", PLAYERS, LARGE, command_id="large").game_id
    with Fairdeal(address) as usual:
        assert usual.audit(game).good
        assert usual.look(game, "ann").version
        # What was accepted then is answered again.
        assert usual.start_game("reviiyot", PLAYERS, LARGE, command_id="large").game_id == game


def cached(fairdeal: Fairdeal) -> tuple[int, list[UUID]]:
    cache = fairdeal._parts.cache  # pyright: ignore[reportPrivateUsage] — nothing else shows it
    return cache._bytes, [UUID(int=key) for key in cache._cached]  # pyright: ignore[reportPrivateUsage]


def test_the_cache_is_bounded_by_memory(tmp_path: Path) -> None:
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}", cache_megabytes=0.5) as fairdeal:
        games = [fairdeal.start_game("reviiyot", PLAYERS, {"n": 100}).game_id for _ in range(30)]
        size, kept = cached(fairdeal)
        assert 0 < size <= MEGABYTE / 2
        assert kept == games[-len(kept) :]
        assert len(kept) < 30
        for game in games:
            assert fairdeal.look(game, "ann").players == ("ann", "bob")
            assert fairdeal.events(game, "ann").version
        assert cached(fairdeal)[0] <= MEGABYTE / 2


def test_a_game_that_is_larger_than_the_cache_is_played_but_not_kept(tmp_path: Path) -> None:
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}", cache_megabytes=0.2) as fairdeal:
        small = fairdeal.start_game("kings_corners", PLAYERS).game_id
        large = fairdeal.start_game("reviiyot", PLAYERS, {"n": 1000}).game_id
        look = fairdeal.look(large, "ann")
        fairdeal.move(large, "ann", look.legal[0])
        assert cached(fairdeal)[1] == [small]


def test_a_game_that_is_not_there_takes_no_room(fairdeal: Fairdeal) -> None:
    for number in range(100):
        with pytest.raises(FairdealError):
            fairdeal.look(UUID(int=number))
    assert cached(fairdeal) == (0, [])


def test_no_more_games_are_kept_than_somebody_wants(tmp_path: Path) -> None:
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}", cached_games=2) as fairdeal:
        games = [fairdeal.start_game("kings_corners", PLAYERS).game_id for _ in range(5)]
        assert cached(fairdeal)[1] == games[-2:]


def test_sizes_are_about_right() -> None:
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        thing = {f"key {number}": [f"value {number} {more}" for more in range(20)] for number in range(500)}
        taken = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert 0.7 * taken < size_of(thing) < 1.5 * taken
    assert size_of(thing, most=1000) < 20_000, "what is too large anyway is not counted to the end"


def test_a_size_is_measured_again_when_twice_as_much_was_written() -> None:
    size, thing = Size(), [0]
    size.grow(100, thing)
    first = size.bytes
    assert first == SMALLEST + size_of(thing)
    thing += range(1000, 2000)
    size.grow(10, thing)
    assert size.bytes == first + 10
    size.grow(90, thing)
    assert size.bytes == SMALLEST + size_of(thing)


def test_of_things_alike_the_first_is_measured_and_now_and_then_another() -> None:
    usual, thing = UsualSizes(), list(range(1000, 1100))
    sizes = [usual.size_of("red7", 1000, thing) for _ in range(UsualSizes.EVERY)]
    assert sizes == [size_of(thing)] * UsualSizes.EVERY
    larger = [*thing, *range(1000, 2000)]
    assert usual.size_of("red7", 1000, larger) == size_of(larger)
    assert usual.size_of("red7", 1000, []) == size_of(larger), "the largest counts"
    assert usual.size_of("pardon", 1000, []) == size_of([])
    assert usual.size_of("red7", UsualSizes.SMALL + 1, []) == size_of([]), "what is large is measured each time"


@pytest.mark.parametrize("what", ["story", "events", "read models", "export"])
def test_ten_times_as_many_seats_take_ten_times_as_much_and_not_a_hundred_times(tmp_path: Path, what: str) -> None:
    small, large = (cost(tmp_path, what, seats) for seats in (150, 1500))
    assert large[0] < 15 * small[0], "calls of functions"
    assert large[1] < 20 * small[1] + MEGABYTE, "memory"


def cost(folder: Path, what: str, seats: int) -> tuple[int, int]:
    """Of a question about a table with so many seats: calls of functions, and bytes at most."""
    with Fairdeal(f"sqlite:///{folder / f'{seats}.db'}") as fairdeal:
        players = [f"player {number}" for number in range(seats)]
        game = fairdeal.start_game("reviiyot", players, {"n": 2 * seats}).game_id
        fairdeal.read.games()
        fairdeal.read.rebuild()
        ask: Callable[[], object] = {
            "story": lambda: fairdeal.story(game, players[0]),
            "events": lambda: fairdeal.events(game, players[0]),
            "read models": fairdeal.read.rebuild,
            "export": lambda: fairdeal.exports.export(game, players[0]),
        }[what]
        profile = cProfile.Profile()
        tracemalloc.start()
        try:
            profile.runcall(ask)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        return int(pstats.Stats(profile).total_calls), peak  # type: ignore[attr-defined]  # typeshed does not know it
