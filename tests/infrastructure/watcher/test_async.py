"""`AsyncFairdeal`: the same answers, awaited, on threads of its own."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from fairdeal import AsyncFairdeal, Fairdeal, FairdealError, LedgerUnavailable, UnknownGame

PLAYERS = ["ann", "bob"]
PATIENCE = 60.0


def with_games(path: Path, story: Callable[[AsyncFairdeal], Awaitable[None]]) -> None:
    async def main() -> None:
        async with AsyncFairdeal(f"sqlite:///{path / 'games.db'}", threads=4) as games:
            await asyncio.wait_for(story(games), PATIENCE)

    asyncio.run(main())


def test_a_game_is_played_looked_at_and_audited(tmp_path: Path) -> None:
    async def story(games: AsyncFairdeal) -> None:
        game = (await games.start_game("kings_corners", PLAYERS)).game_id
        while (look := await games.look(game)).outcome is None:
            player = look.players[look.active[0]]
            await games.move(game, player, (await games.look(game, player)).legal[0])
        assert (await games.audit(game)).good
        assert len((await games.events(game)).events) == look.version == len(await games.story(game))
        assert str(game) in await games.export(game)
        assert (await games.run(games.fairdeal.read.games, kind="kings_corners")).items[0].id == game
        with pytest.raises(UnknownGame):
            await games.look("nothing")

    with_games(tmp_path, story)


def test_a_follower_hears_everything_in_order_until_the_end(tmp_path: Path) -> None:
    async def story(games: AsyncFairdeal) -> None:
        game = (await games.start_game("kings_corners", PLAYERS)).game_id

        async def listen(viewer: str | None) -> list[int]:
            return [event.version async for new in games.follow(game, viewer) for event in new.events]

        listening = [asyncio.create_task(listen(viewer)) for viewer in (None, "ann", "bob") * 5]
        for _ in range(10):
            look = await games.look(game)
            await games.move(game, look.players[look.active[0]], {"move": "end_turn"})
        last = await games.handle({"command": "abandon_game", "game_id": game, "player": "ann"})
        for versions in await asyncio.gather(*listening):
            assert versions == list(range(1, last.version + 1))

    with_games(tmp_path, story)


def test_another_service_is_heard_and_patience_ends_it(tmp_path: Path) -> None:
    async def story(games: AsyncFairdeal) -> None:
        game = (await games.start_game("kings_corners", PLAYERS)).game_id
        messages = games.follow(game)
        first = await anext(messages)
        with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as other:
            other.move(game, "ann", {"move": "end_turn"})
        assert (await anext(messages)).after == first.version
        assert len([new async for new in games.follow(game, patience=0.01)]) == 1

    with_games(tmp_path, story)


def test_stuck_calls_use_up_no_threads_of_the_host(tmp_path: Path) -> None:
    async def story(games: AsyncFairdeal) -> None:
        release = threading.Event()
        stuck = [asyncio.create_task(games.run(release.wait)) for _ in range(20)]
        await asyncio.sleep(0)
        assert await asyncio.to_thread(lambda: "the host goes on") == "the host goes on"
        release.set()
        assert all(await asyncio.gather(*stuck))

    with_games(tmp_path, story)


def test_closing_waits_for_what_is_under_way_and_refuses_what_comes_later(tmp_path: Path) -> None:
    async def main() -> None:
        with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as fairdeal:
            games = AsyncFairdeal(fairdeal, threads=2)
            starting = [asyncio.create_task(games.start_game("red7", PLAYERS)) for _ in range(10)]
            await asyncio.sleep(0)
            following = games.follow((await starting[0]).game_id)
            await anext(following)
            await games.close()
            assert len({(await one).game_id for one in starting}) == 10
            assert [new async for new in following] == []
            with pytest.raises(LedgerUnavailable):
                await games.start_game("red7", PLAYERS)
            assert fairdeal.start_game("red7", PLAYERS)  # its owner has not closed it

    asyncio.run(main())


def test_errors_come_out_as_they_are(tmp_path: Path) -> None:
    async def story(games: AsyncFairdeal) -> None:
        with pytest.raises(FairdealError) as caught:
            await games.start_game("chess", PLAYERS)
        assert caught.value.code == "unknown_kind"

    with_games(tmp_path, story)
