"""`fairdeal.client`: the calls of the library over HTTP, with its types and exceptions, whatever the network does."""

import hashlib
from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import Any

import httpx2
import pytest

from fairdeal import (
    Fairdeal,
    FairdealError,
    GameOver,
    IllegalMove,
    InvalidCommand,
    NotYourTurn,
    StaleVersion,
    StillRunning,
    UnknownGame,
    UnknownKind,
    UnknownPlayer,
    to_plain,
)
from fairdeal.application.catalogue import KINDS
from fairdeal.client import Client, NotAllowed, ServerUnavailable, Unauthenticated
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.red7.game import RED7
from fairdeal.http import create_app
from fairdeal.signing import new_keys
from kits.http import running

pytestmark = pytest.mark.xdist_group("client")


@pytest.fixture
def server(fairdeal: Fairdeal) -> Iterator[str]:
    with running(create_app(fairdeal)) as http:
        yield str(http.base_url).rstrip("/")


@pytest.fixture
def ann(server: str) -> Iterator[Client]:
    with Client.register(server, "Ann") as client:
        yield client


@pytest.fixture
def bob(server: str) -> Iterator[Client]:
    with Client.register(server, "Bob") as client:
        yield client


@pytest.fixture
def eve(server: str) -> Iterator[Client]:
    with Client.register(server, "Eve") as client:
        yield client


MANY = 120
"""Of games that last longer, so many events are enough."""


def started(*people: Client, kind: str = "red7", **more: Any) -> str:
    game = str(people[0].open_game(kind, **more).game_id)
    for one in people:
        one.join(game)
    people[0].start(game)
    return game


def acting(game: str, *people: Client) -> Client:
    return people[people[0].look(game).active[0]]


# -- the same calls, the same values ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_game_is_what_the_library_would_show(fairdeal: Fairdeal, ann: Client, bob: Client, kind: str) -> None:
    rng = Random(3)
    game = started(ann, bob, kind=kind)
    while active := ann.look(game).active:
        client = (ann, bob)[active[0]]
        look = client.look(game)
        if look.version > MANY:
            client.leave(game)
            break
        at_home = fairdeal.look(game, look.players[active[0]])
        assert (look.view, look.legal, look.receipt, look.phase) == (
            *(at_home.view, at_home.legal, at_home.receipt, at_home.phase),
        )
        answer = client.move(game, rng.choice(look.legal), expected_version=look.version)
        assert answer.version > look.version
        assert client.holds(answer.receipt)
    end = ann.look(game)
    assert end.outcome == fairdeal.look(game).outcome
    assert ann.audit(game).good
    assert ann.export(game) == fairdeal.exports.export(game, end.players[0])
    assert len(ann.story(game)) == end.version == len(ann.events(game))
    frame = ann.frame(game, end.version, eyes="open")
    assert (frame.version, frame.outcome) == (end.version, end.outcome)
    assert ann.frame(game, 0).view is None
    assert ann.games(phase=end.phase).items[0].id == end.game_id
    assert ann.games_of(end.players[0]).items[0].result is not None
    assert ann.player(end.players[1]).statistics[0].played == 1
    assert {rating.player for rating in ann.ratings(kind).items} == set(end.players)
    assert ann.timeline(kind=kind, limit=1).items[0].version == end.version


def test_one_kind_has_its_own_types(ann: Client, bob: Client) -> None:
    games = ann.of(RED7)
    table = games.open_game("basic", seats=["me"])
    game = table.game_id
    with pytest.raises(IllegalMove, match="not been dealt"):
        games.look(game)
    bob.of(RED7).join(game)
    ann.start(game)
    hand = games.look(game).view.hand
    assert hand is not None
    assert len(hand) == 7
    assert all(card.colour for card in hand)
    with pytest.raises(UnknownKind):
        ann.of(KINGS_CORNERS).look(game)
    look = ann.look(game)
    who = (ann, bob)[look.active[0]]
    assert who.of(RED7).move(game, who.of(RED7).look(game).legal[0]).version > look.version


def test_accounts_and_kinds(server: str, ann: Client) -> None:
    assert {kind.kind for kind in ann.server_kinds()} == set(KINDS)
    assert ann.rules_of("red7").startswith("# Red7")
    me = ann.me()
    assert ann.rename("Anna").display_name == "Anna"
    old = ann.token
    assert ann.renew_token() != old
    with pytest.raises(Unauthenticated), Client(server, old) as stranger:
        stranger.me()
    assert ann.me().player == me.player
    assert ann.token is not None
    assert ann.token not in repr(ann)
    ann.delete_account()
    assert ann.token is None


def test_seals_clocks_and_branches(ann: Client, bob: Client) -> None:
    entropy = "cd" * 32
    game = ann.open_game("red7", clock={"move_seconds": 600}, rated=False).game_id
    ann.join(game, seal=hashlib.sha256(bytes.fromhex(entropy)).hexdigest())
    bob.join(game)
    ann.start(game)
    assert ann.look(game).phase == "sealed"
    ann.reveal(game, entropy)
    look = ann.look(game)
    assert look.clock is not None
    assert look.clock.deadlines[0].seat == look.active[0]
    with pytest.raises(IllegalMove) as refused:
        bob.claim_timeout(game, look.active[0])
    assert refused.value.code == "too_early"
    with pytest.raises(StillRunning):
        ann.branch(game, look.version)
    bob.leave(game, "no_time")
    branch = ann.branch(game, look.version)
    player = branch.players[branch.active[0]]
    move = ann.look(branch.game_id, eyes=player).legal[0]
    assert ann.move(branch.game_id, move, seat_of=player).version > branch.version


def test_refusals_are_the_exceptions_of_the_library(ann: Client, bob: Client, eve: Client) -> None:
    game = started(ann, bob)
    waiting = bob if acting(game, ann, bob) is ann else ann
    refusals: list[tuple[type[FairdealError], Callable[[], object]]] = [
        (NotYourTurn, lambda: waiting.move(game, {"move": "give_up"})),
        (StaleVersion, lambda: acting(game, ann, bob).move(game, {"move": "give_up"}, expected_version=1)),
        (InvalidCommand, lambda: ann.move(game, {"move": "nothing"})),
        (UnknownGame, lambda: ann.look("00000000-0000-4000-8000-000000000000")),
        (NotAllowed, lambda: ann.look(game, eyes=bob.me().player)),
        (UnknownKind, lambda: ann.open_game("poker")),
        (UnknownPlayer, lambda: eve.leave(game)),
    ]
    for expected, call in refusals:
        with pytest.raises(expected) as found:
            call()
        assert type(found.value) is expected
    with pytest.raises(InvalidCommand) as invalid:
        ann.open_game("red7", {"colour": 1})
    assert [fault.field for fault in invalid.value.faults] == ["colour"]
    ann.leave(game)
    with pytest.raises(GameOver):
        bob.leave(game)


def test_the_last_checkpoint_is_signed(fairdeal: Fairdeal) -> None:
    secret, _ = new_keys()
    app = create_app(fairdeal, checkpoint_key=secret)
    with running(app) as http, Client.register(str(http.base_url), "Ann") as client:
        client.open_game("red7")
        assert "signature" in client.checkpoint()


# -- whatever the network does ---------------------------------------------------------------------------------------


class Flaky(httpx2.BaseTransport):
    """A network that loses every second request before it arrives, or its answer afterwards."""

    def __init__(self, *, lost: str) -> None:
        self._real = httpx2.HTTPTransport()
        self._lost = lost
        self._numbers = count()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        loses = next(self._numbers) % 2 == 0
        if loses and self._lost == "request":
            raise httpx2.ConnectError("no way")
        response = self._real.handle_request(request)
        if loses and "stream" not in request.url.path:
            response.read()
            raise httpx2.ReadError("the answer was lost")
        return response

    def close(self) -> None:
        self._real.close()


@pytest.mark.parametrize("lost", ["request", "answer"])
def test_what_is_lost_on_the_way_is_sent_again_and_happens_once(
    server: str, bob: Client, eve: Client, lost: str
) -> None:
    with Client(server, eve.token, transport=Flaky(lost=lost)) as ann:
        game = started(ann, bob)
        assert len(ann.look(game).players) == 2
        moves = 0
        while active := ann.look(game).active:
            client = (ann, bob)[active[0]]
            client.move(game, client.look(game).legal[-1])
            moves += 1
        assert ann.audit(game).good
        assert ann.games(phase="finished").items[0].moves == moves


def test_patience_ends(fairdeal: Fairdeal) -> None:
    with running(create_app(fairdeal)) as http:
        server = str(http.base_url)
    with Client(server, patience=0.2) as client, pytest.raises(ServerUnavailable, match="cannot be reached"):
        client.server_kinds()


def test_a_busy_server_is_asked_again_when_it_says() -> None:
    answers = iter([httpx2.Response(503, headers={"retry-after": "0"}), httpx2.Response(200, json=[])])
    with Client("http://busy", transport=httpx2.MockTransport(lambda _: next(answers))) as client:
        assert client.server_kinds() == ()
    with (
        Client("http://other", transport=httpx2.MockTransport(lambda _: httpx2.Response(404, text="what?"))) as client,
        pytest.raises(ServerUnavailable, match="not as Fairdeal does"),
    ):
        client.server_kinds()


def test_an_account_is_not_made_twice_when_the_answer_is_lost(server: str) -> None:
    with (
        Client(server, transport=Flaky(lost="answer"), patience=1) as client,
        pytest.raises(ServerUnavailable),
    ):
        client.create_account("Ann")


# -- following -------------------------------------------------------------------------------------------------------


class Cutting(httpx2.BaseTransport):
    """A network that cuts every stream after its first message."""

    def __init__(self) -> None:
        self._real = httpx2.HTTPTransport()
        self.opened = 0

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        response = self._real.handle_request(request)
        if request.url.path.endswith("/stream"):
            self.opened += 1
            return httpx2.Response(response.status_code, headers=response.headers, stream=_First(response))
        return response

    def close(self) -> None:
        self._real.close()


class _First(httpx2.SyncByteStream):
    def __init__(self, response: httpx2.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        assert isinstance(self._response.stream, httpx2.SyncByteStream)
        yield next(iter(self._response.stream))
        raise httpx2.ReadError("cut")

    def close(self) -> None:
        self._response.close()


def test_a_stream_that_is_cut_again_and_again_loses_and_doubles_nothing(server: str, bob: Client, eve: Client) -> None:
    network = Cutting()
    with Client(server, eve.token, transport=network) as ann:
        game = started(ann, bob, kind="kings_corners")
        heard: list[int] = []
        for news in ann.follow(game):
            assert news.after == (heard[-1] if heard else 0)
            heard += [event.version for event in news.events]
            look = news.look
            assert look is not None
            if look.active:
                client = (ann, bob)[look.active[0]]
                _ = client.leave(game) if network.opened > 5 else client.move(game, client.look(game).legal[-1])
        assert heard == list(range(1, ann.look(game).version + 1))
        assert network.opened > 3


def test_who_follows_hears_what_others_do_and_then_the_end(ann: Client, bob: Client) -> None:
    game = started(ann, bob)
    version = ann.look(game).version
    news = bob.follow(game, after=version, looks=False)
    assert next(news).events == ()
    ann.leave(game)
    last = next(news)
    assert ([event.name for event in last.events], last.look) == (["red7.game_abandoned.v1"], None)
    assert list(news) == []
    with pytest.raises(FairdealError) as beyond:
        next(ann.follow(game, after=version + 99))
    assert beyond.value.code == "beyond_head"


def test_a_server_that_is_started_again_is_followed_further(fairdeal: Fairdeal) -> None:
    with running(create_app(fairdeal)) as http:
        ann = Client.register(str(http.base_url), "Ann")
        game = ann.open_game("red7", seats=["me"]).game_id
        news = ann.follow(game)
        assert next(news).version == 2
        port = http.base_url.port
    assert port is not None
    with running(create_app(fairdeal), port=port):
        ann.leave(game)
        assert [event.name for event in next(news).events] == ["red7.player_left.v1"]
    ann.close()


def test_waiting_is_over_with_the_next_version(ann: Client, bob: Client) -> None:
    game = ann.open_game("red7").game_id
    assert ann.wait(game, 1, seconds=1) is None
    bob.join(game)
    look = ann.wait(game, 1, seconds=20)
    assert look is not None
    assert look.version == 2
    assert to_plain(look) == to_plain(ann.look(game))
