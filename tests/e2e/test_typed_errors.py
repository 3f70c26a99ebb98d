"""Whatever is given, in whatever place: an error with a code and one line, that another process can be told."""

import pickle
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from fairdeal import AbandonGame, Answer, Fairdeal, FairdealError, JoinGame, MakeMove, OpenGame, Receipt
from fairdeal.application.errors import InvalidCommand
from fairdeal.auditing import check_proof, verify_file
from fairdeal.domain.kernel.refusals import LONGEST_ECHO, LONGEST_MESSAGE

HUGE: Any = 10**5000
"""More digits than Python writes."""
ENDLESS: Any = "9" * 100_000
join: Any = JoinGame
make_move: Any = MakeMove
open_game: Any = OpenGame
abandon: Any = AbandonGame
GAME = UUID(int=7)
SURROGATE, NUL = "\ud800", "\0"
DEEP: Any = eval("[" * 90 + "]" * 90)
ANY: tuple[Any, ...] = (None, [], {}, {"a": []}, 5, -1, HUGE, 1.5, ENDLESS, SURROGATE, NUL, "", b"x", DEEP, object())
EAST, WEST = timezone(timedelta(hours=5)), timezone(timedelta(hours=-5))


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fairdeal]:
    with Fairdeal(f"sqlite:///{tmp_path_factory.mktemp('typed') / 'games.db'}", patience=5) as opened:
        yield opened


@pytest.fixture(scope="module")
def answer(games: Fairdeal) -> Answer:
    return games.start_game("red7", ["ann", "bob"])


def error_of(call: Callable[[], object]) -> FairdealError | None:
    """What came of it: nothing, or an error as errors have to be; everything else fails the test."""
    try:
        call()
    except FairdealError as error:
        must_be_as_errors_are(error)
        return error
    return None


def must_be_as_errors_are(error: FairdealError) -> None:
    said = str(error)
    assert said == error.message
    assert said.isprintable(), said
    assert len(said) <= LONGEST_MESSAGE
    for given in ("9" * (LONGEST_ECHO + 1), "x" * (LONGEST_ECHO + 1), "[" * (LONGEST_ECHO + 1)):
        assert given not in said
    for word in ("SELECT", "INSERT", "sqlalche.me", "[SQL", "secret", "Traceback"):
        assert word not in said, said
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), vars(again)) == (said, vars(error))


def refused(call: Callable[[], object]) -> str:
    error = error_of(call)
    assert error is not None, "it was not refused"
    return error.code


@pytest.mark.parametrize("given", [None, [], "x", 5, {1: 2}, {}, {"command": []}, {"command": ENDLESS}])
def test_what_is_not_a_command(games: Fairdeal, given: Any) -> None:
    assert refused(lambda: games.handle(given)) == "invalid_command"


@pytest.mark.parametrize(
    "made",
    [
        partial(join, game_id=GAME, player=""),
        partial(join, game_id=GAME, player=None),
        partial(join, game_id=GAME, player=[]),
        partial(join, game_id=GAME, player="ann", command_id=ENDLESS),
        partial(join, game_id=GAME, player="ann", expected_version=HUGE),
        partial(join, game_id=[], player="ann"),
        partial(join, player="ann"),
        partial(join, game_id=GAME, player="ann", **{"no such field": 1}),
        partial(make_move, game_id=GAME, player="ann"),
        partial(open_game, player="ann", kind=5),
        partial(abandon, game_id=GAME, player="ann", reason="two\nlines"),
    ],
)
def test_a_command_made_in_python_names_its_wrong_fields(made: Callable[[], object]) -> None:
    assert refused(made) == "invalid_command"


@pytest.mark.parametrize("field", ["game_id", "player", "command_id", "expected_version", "move", "further"])
def test_anything_in_any_field_of_a_move(games: Fairdeal, answer: Answer, field: str) -> None:
    for given in ANY:
        command = {"command": "make_move", "game_id": answer.game_id, "player": "ann", "move": {"move": "give"}}
        assert error_of(partial(games.handle, {**command, field: given}))


@pytest.mark.parametrize(
    "field", ["kind", "players", "options", "brings", "deck", "position", "command_id", "clock", "rated", "player"]
)
def test_anything_in_any_field_of_a_start(games: Fairdeal, field: str) -> None:
    for kind in ("red7", "reviiyot", "tcg"):
        for given in ANY:
            command = {"command": "quick_start", "player": "ann", "kind": kind, "players": ["ann", "bob"]}
            error_of(partial(games.handle, {**command, field: given}))


@pytest.mark.parametrize("given", [None, 5, "ab", ["ann", []], [{}, "bob"], [HUGE], object()])
def test_players_that_are_none(games: Fairdeal, given: Any) -> None:
    assert refused(lambda: games.start_game("red7", given)) == "invalid_command"


def test_players_may_come_one_by_one(games: Fairdeal) -> None:
    players: Any = (name for name in ("ann", "bob"))
    assert games.look(games.start_game("red7", players).game_id).players == ("ann", "bob")


def test_faults_name_the_right_place(games: Fairdeal) -> None:
    with pytest.raises(InvalidCommand) as caught:
        games.start_game("red7", [[], "bob", []])  # type: ignore[list-item]
    assert [fault.field for fault in caught.value.faults] == ["player", "players.0", "players.2"]
    with pytest.raises(InvalidCommand) as caught:
        games.start_game("reviiyot", ["ann", "bob"], deck=[[], 1])
    assert caught.value.faults[0].field.startswith("0")
    with pytest.raises(InvalidCommand) as caught:
        games.start_game("red7", ["ann", "bob"], {"hand_size": "7"})
    assert caught.value.faults[0].field == "hand_size"


def test_anything_in_place_of_a_game_or_a_viewer(games: Fairdeal, answer: Answer) -> None:
    ways: list[Callable[[Any, Any], object]] = [
        games.look,
        games.story,
        games.events,
        games.replay,
        games.exports.export,
        lambda game, viewer: next(games.follow(game, viewer)),
        lambda game, viewer: games.divergence(game, game, viewer),
        lambda game, viewer: games.visitor("ann").look(game, viewer),
    ]
    for way in ways:
        for given in ANY:
            assert refused(partial(way, given, None)) == "unknown_game"
            if given is not None:
                code = refused(partial(way, answer.game_id, given))
                assert code in ("unknown_player", "not_allowed")
    for given in ANY:
        for way_of_one in (games.game, games.audit, games.records):
            assert error_of(partial(way_of_one, given))
        assert error_of(partial(games.branch, given, 1, "ann"))
        assert error_of(partial(games.branch, answer.game_id, given, "ann"))


def read_all(things: Iterable[object]) -> list[object]:
    return list(things)


def is_five(given: object) -> bool:
    return given == 5


def test_anything_in_place_of_a_number_or_a_receipt(games: Fairdeal, answer: Answer) -> None:
    game = answer.game_id
    for given in ANY:
        if not is_five(given):
            assert error_of(partial(games.events, game, after=given))
            assert error_of(partial(next, games.follow(game, after=given)))
            assert error_of(partial(games.replay(game).go_to, given))
            assert error_of(partial(games.audit_all, jobs=given))
        assert error_of(partial(games.expire_lobbies, given))
        if given not in ([], {}, "", NUL) and not isinstance(given, bytes):
            assert error_of(partial(games.audit, game, given))
            assert error_of(partial(read_all, games.audit_all(given)))
    assert error_of(lambda: games.expire_lobbies(timedelta.max))
    assert error_of(lambda: games.visitor([]))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [NUL, "x" * 5000, "x/" * 2500])
def test_names_that_no_file_can_have(games: Fairdeal, name: str) -> None:
    assert refused(lambda: games.replay(Path(name))) == "not_an_export"
    assert refused(lambda: games.divergence(Path(name), Path(name))) == "not_an_export"
    assert refused(lambda: list(verify_file(Path(name)))) == "not_an_export"


@pytest.mark.parametrize(
    "address",
    [
        *(None, 5, b"memory:", Path("games.db"), [], "", "memory", "memory:x", "sqlite:", "sqlite:///", "x" * 5000),
        *("x" * 5000 + ":", "sqlite:///{}/a\0b", "sqlite:///{}/a\ud800b", "sqlite:///{}/" + "x" * 5000),
        *("sqlite:///" + "x/" * 3000, "sqlite:///{}", "sqlite:///{}/none/x.db", "sqlite:////dev/zero"),
        *("sqlite:///file:x?nolock=1", "sqlite:///file:{}/x.db?mode=memory"),
        *("postgresql://ann:secret@h/\0", "postgresql://ann:secret@h/\ud800", "postgresql://ann:secret@\ud800/x"),
        *(f"postgresql://ann:secret@{'h' * 5000}/x", f"postgresql://ann:secret@127.0.0.1:1/{'x' * 5000}"),
        *("postgresql://ann:secret@127.0.0.1:1/x?connect_timeout=x", "postgresql://ann:secret@127.0.0.1:1/x"),
        *("postgresql://ann:sec@ret@h/x", "postgresql://ann:secret@h:x/x", "postgresql://ann:secret@h/x?secret=secret"),
    ],
)
def test_addresses_at_which_no_ledger_is(address: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if isinstance(address, str):
        address = address.replace("{}", str(tmp_path))
    for read_only in (False, True):
        assert error_of(partial(Fairdeal, address, read_only=read_only, patience=0.1))
    assert list(tmp_path.iterdir()) == []


SETTINGS: dict[str, tuple[Any, ...]] = {
    "patience": ("x", None, -1, float("nan"), float("inf"), []),
    "cache_megabytes": ("x", None, -1, float("nan"), []),
    "cached_games": ("x", -1, 1.5, HUGE),
    "kinds": (None, [], {1: 2}, {"red7": None}),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_that_cannot_be(name: str) -> None:
    for given in SETTINGS[name]:
        assert error_of(partial(Fairdeal, "memory:", **{name: given}))


@pytest.mark.parametrize(
    "clock",
    [lambda: None, lambda: 5, lambda: datetime.min.replace(tzinfo=EAST), lambda: datetime.max.replace(tzinfo=WEST)],
)
def test_clocks_that_show_no_time(clock: Callable[[], Any]) -> None:
    with Fairdeal("memory:", clock=clock) as games:
        assert error_of(lambda: games.start_game("red7", ["ann", "bob"]))
        assert games.ledger.head() == 0


@pytest.mark.parametrize(
    "where",
    [
        *(5, [], b"x", "", "x", "sqlite:///", "sqlite:///\0", "sqlite:////none/x", "sqlite:////" + "x" * 5000),
        *("sqlite:////\ud800/x", "foo://ann:secret@h/x", "postgresql://ann:secret@127.0.0.1:1/x"),
        *("postgresql://ann:sec@ret@127.0.0.1:1/x", "mysql://ann:secret@h/x", "postgresql://ann:secret@h/\0"),
    ],
)
def test_places_where_no_read_models_can_be(where: Any) -> None:
    with Fairdeal("memory:", read_models=where) as games:
        assert refused(lambda: games.read) in ("read_model_error", "ledger_error")


def test_what_is_not_a_projection() -> None:
    with Fairdeal("memory:", projections=[5]) as games:  # type: ignore[list-item]
        assert refused(lambda: games.read) == "read_model_error"


def test_anything_in_any_question(games: Fairdeal, answer: Answer) -> None:
    read: Any = games.read
    listed = {
        read.games: ("kind", "phase", "player", "turn_of", "since", "until", "limit", "cursor"),
        read.open_games: ("kind", "without", "limit", "cursor"),
        read.timeline: ("game", "kind", "event", "player", "by", "table_of", "text", "since", "until", "limit"),
        read.dead_letters: ("projection", "game", "limit", "cursor"),
    }
    for question, fields in listed.items():
        for field in fields:
            for given in ANY:
                error_of(partial(question, **{field: given}))
    for given in ANY:
        for ask in (read.player, read.games_of, read.ratings, read.game):
            assert error_of(partial(ask, given)) or given == b"x"
        if given != b"x":  # a name, as some write it
            assert refused(partial(read.head_to_head, "ann", given)) == "invalid_query"
            assert refused(partial(read.head_to_head, given, "ann")) == "invalid_query"
        if given is not None:
            assert refused(partial(read.rebuild, only=given)) == "invalid_query"
            assert refused(partial(read.retry_dead_letters, game=given)) == "invalid_query"
            assert refused(partial(read.retry_dead_letters, projection=given)) == "invalid_query"
    assert read.game(str(answer.game_id)).id == answer.game_id


@pytest.mark.parametrize("zone", [EAST, WEST, UTC])
def test_moments_at_the_ends_of_time_are_answered(games: Fairdeal, answer: Answer, zone: timezone) -> None:
    first, last = datetime.min.replace(tzinfo=zone), datetime.max.replace(tzinfo=zone)
    found = {game.id for game in games.read.games(since=first, until=last).items}
    assert answer.game_id in found
    assert games.read.games(since=last).items == games.read.games(until=first).items == ()
    assert games.read.timeline(since=first, until=last).items


def test_anything_in_place_of_a_file_a_checkpoint_or_a_proof(games: Fairdeal, answer: Answer) -> None:
    made = games.checkpoints.make()
    key = "00" * 32
    for given in ANY:
        calls: list[Callable[[], object]] = [
            lambda: list(verify_file(given)),  # noqa: B023
            lambda: list(verify_file(given, opened=given)),  # noqa: B023
            lambda: games.exports.import_games(given),  # noqa: B023
            lambda: games.checkpoints.must_still_hold(given),  # noqa: B023
            lambda: games.checkpoints.prove_inclusion(given, answer.receipt),  # noqa: B023
            lambda: games.checkpoints.prove_inclusion(made, given),  # noqa: B023
            lambda: games.checkpoints.prove_consistency(given, made),  # noqa: B023
            lambda: games.checkpoints.prove_consistency(made, given),  # noqa: B023
            lambda: check_proof(given, key),  # noqa: B023
            lambda: check_proof(made, given),  # noqa: B023
            lambda: check_proof(made, key, kept=[given]),  # noqa: B023
            lambda: check_proof(made, key, receipts=[given]),  # noqa: B023
        ]
        for number, call in enumerate(calls):
            assert error_of(call) is not None, (given, number)


def test_every_error_class_can_be_told_to_another_process() -> None:
    for module in ("fairdeal.client", "fairdeal.service"):
        import_module(module)  # all classes have to be known

    def all_of(base: type[FairdealError]) -> Iterator[type[FairdealError]]:
        yield base
        for one in base.__subclasses__():
            yield from all_of(one)

    # Other tests may have loaded copies of games that nobody else can import.
    found = {one for one in all_of(FairdealError) if one.__module__.startswith("fairdeal.")}
    assert len(found) > 40
    for cls in found:
        error = cls.__new__(cls, "said")
        FairdealError.__init__(error, "said", code="some_code")
        error.__dict__["more"] = Receipt.__name__
        must_be_as_errors_are(error)


def test_an_answer_can_be_told_to_another_process_too(answer: Answer) -> None:
    assert pickle.loads(pickle.dumps(answer)) == answer


def test_a_refusal_leaves_a_pool_of_processes_as_it_was() -> None:
    program = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from fairdeal import Fairdeal, FairdealError

def refused():
    with Fairdeal("memory:") as games:
        games.start_game("red7", ["ann", "ann"])

if __name__ == "__main__":
    with ProcessPoolExecutor(1, get_context("fork")) as pool:
        for _ in range(3):
            print(pool.submit(refused).exception().code)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=200, check=False)
    assert done.stdout.split() == ["duplicate_player"] * 3, done.stderr


def test_everything_can_be_imported_and_used_while_time_is_frozen() -> None:
    program = """
from freezegun import freeze_time
with freeze_time("2026-03-01 12:00:00"):
    from fairdeal import Fairdeal
    with Fairdeal("memory:") as games:
        game = games.start_game("red7", ["ann", "bob"]).game_id
        print(games.read.games().items[0].opened_at.isoformat())
        print(len(games.read.games(since=games.now()).items), games.audit(game).good)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=200, check=False)
    assert done.stdout.split() == ["2026-03-01T12:00:00+00:00", "1", "True"], done.stderr
