"""Games as they were: at every version and moment, as everybody may see them, there and back."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace as replaced

from fairdeal import AbandonGame, Fairdeal, UnknownGame
from fairdeal.application.catalogue import KINDS
from fairdeal.application.errors import BeyondHead, NotYet, StillRunning
from fairdeal.application.exports.divergence import ShownLog, divergence
from fairdeal.application.history.diff import differences
from fairdeal.application.history.replay import STRIDE, Replay
from fairdeal.domain.kernel.game import Game
from fairdeal.testing.recorded import CODEC, recorded_game
from kits.audit import golden, short_log


@pytest.mark.parametrize("kind", KINDS)
def test_every_version_forwards_and_backwards_as_everybody(kind: str) -> None:
    records = recorded_game(KINDS[kind], most=80)
    for viewer in (None, "ann", "bob"):
        replay = Replay(records, CODEC, viewer)
        ahead = [replay.forward() for _ in records]
        events = CODEC.events(records)
        game = Game.replayed(records[0].game_id, KINDS[kind], events[:1])
        for frame, event in zip(ahead[1:], events[1:], strict=True):
            game.apply(event)
            assert (frame.version, frame.active) == (game.version, game.active())
            assert frame.view == game.view(viewer)
        assert [replay.back() for _ in ahead[:-1]] == list(reversed(ahead[:-1]))
        assert [frame.line for frame in ahead] == list(replay.story())


def test_before_the_first_record_nothing_has_happened() -> None:
    frame = Replay(short_log("pardon"), CODEC).frame()
    assert (frame.version, frame.at, frame.view, frame.line) == (0, None, None, "Nothing has happened yet.")


@pytest.mark.parametrize("version", [-1, 61, 10**9])
def test_beyond_the_head_is_an_error_and_not_the_head(version: int) -> None:
    records = short_log("kings_corners", most=8)
    replay = Replay(records, CODEC)
    with pytest.raises(BeyondHead, match=f"the game has come to version {len(records)}"):
        replay.go_to(version)


def test_a_moment_shows_what_had_been_stored_by_then() -> None:
    records = golden("kings_corners-classic-2")
    replay = Replay(records, CODEC)
    times = [datetime.fromisoformat(at) for at in replay.times()]
    assert replay.go_to_moment(times[0] - timedelta(seconds=1)).version == 0
    for at in (0, 7, 20, len(times) - 1):
        assert replay.go_to_moment(times[at]).version == max(v for v, time in enumerate(times, 1) if time <= times[at])
    assert replay.go_to_moment(times[-1] + timedelta(days=1), now=times[-1] + timedelta(days=2)).version == replay.head
    with pytest.raises(NotYet):
        replay.go_to_moment(datetime.now(UTC) + timedelta(days=1))


def test_a_moment_without_a_zone_is_one_in_utc() -> None:
    replay = Replay(golden("kings_corners-classic-2"), CODEC)
    moment = datetime.fromisoformat(replay.times()[8])
    assert replay.go_to_moment(moment.replace(tzinfo=None)) == replay.go_to_moment(moment)
    assert replay.go_to_moment(moment.astimezone(timezone(timedelta(hours=14)))) == replay.go_to_moment(moment)


@pytest.mark.parametrize("hours", [-14, 0, 14])
def test_the_first_moment_of_all_is_before_every_game(hours: int) -> None:
    long_ago = datetime.min.replace(tzinfo=timezone(timedelta(hours=hours)))
    assert Replay(golden("kings_corners-classic-2"), CODEC).go_to_moment(long_ago).version == 0


def test_a_long_game_is_stepped_through_from_wherever_one_stands() -> None:
    records = recorded_game(KINDS["pardon"])
    assert len(records) > STRIDE + 1, "or no copy is kept on the way"
    replay = Replay(records, CODEC, "ann")
    for version in (len(records), 1, STRIDE + 1, STRIDE, STRIDE - 1, len(records) - 1, 0, STRIDE):
        assert replay.go_to(version).version == replay.version == version
        if version == 0:
            assert (replay.frame().view, replay.tables()) == (None, ())
        else:
            fresh = Game.replayed(records[0].game_id, KINDS["pardon"], CODEC.events(records[:version]))
            assert replay.frame().view == fresh.view("ann")


def test_cards_are_open_only_when_the_game_is_over(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
    fairdeal.move(game, "ann", {"move": "end_turn"})
    with pytest.raises(StillRunning):
        fairdeal.replay(game, open_cards=True)
    assert "ann draws a card." in fairdeal.replay(game, "bob").story()
    fairdeal.handle(AbandonGame(player="ann", game_id=game))
    assert "ann draws a card." in fairdeal.replay(game, "bob").story()
    replay = fairdeal.replay(game, open_cards=True)
    assert "ann draws a card." not in replay.story()
    assert replay.tables() == ()
    assert [len(place.cards) for place in replay.go_to(5).places if place.name == "hand"] == [7, 7]


def test_the_difference_between_two_versions(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
    fairdeal.move(game, "ann", {"move": "end_turn"})
    replay = fairdeal.replay(game, "bob")
    changes = {change.path: (change.before, change.after) for change in replay.difference(5, 7)}
    assert changes == {"hand_sizes": ((7, 7), (8, 7)), "deck_size": (34, 33), "turn": (0, 1)}
    assert [change.path for change in replay.difference(2, 5)] == ["the table"]
    assert replay.difference(6, 6) == ()


@dataclass(frozen=True, slots=True)
class Pile:
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NamedPile:
    name: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoPile:
    pass


def test_differences_are_named_down_to_the_smallest_part() -> None:
    one, other = (Pile(("a",)), Pile(("b",))), (Pile(("a",)), Pile(("c",)))
    assert [change.path for change in differences("piles", one, other)] == ["piles[1].cards"]
    assert [change.path for change in differences("piles", one, other[:1])] == ["piles"]


def test_parts_of_a_list_are_called_by_their_names_if_they_have_one() -> None:
    one, other = ((NamedPile("N", ("a",)), NoPile()), (NamedPile("N", ("b",)), NoPile()))
    assert [change.path for change in differences("piles", one, other)] == ["piles[N].cards"]
    renamed = (NamedPile("E", ("a",)), None)
    assert [change.path for change in differences("piles", one, renamed)] == ["piles[0].name", "piles[1]"]


def test_where_two_logs_part() -> None:
    records = short_log("pardon")
    log = ShownLog(records)
    assert divergence(log, log, CODEC) is None
    changed = ShownLog([*records[:9], replaced(records[9], payload=b"{}"), *records[10:]])
    found = divergence(log, changed, CODEC, everything=True)
    assert found is not None
    assert found.one is not None
    assert found.other is not None
    assert (found.version, found.one.payload, found.other.payload) == (10, records[9].payload.decode(), "{}")
    found = divergence(ShownLog(records[:9]), log, CODEC)
    assert found is not None
    assert found.other is not None
    assert (found.version, found.one, found.other.name) == (10, None, records[9].name)


def test_an_unknown_game_is_an_error(fairdeal: Fairdeal) -> None:
    with pytest.raises(UnknownGame):
        fairdeal.replay(uuid4())


def test_the_whole_story_is_told_to_everybody(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("pardon", ["ann", "bob"]).game_id
    assert fairdeal.replay(game, "ann").story() == fairdeal.story(game, "ann")
    assert isinstance(game, UUID)
