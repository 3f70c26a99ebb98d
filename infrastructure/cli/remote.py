"""Games on a server, played at this keyboard: whoever has to act is asked, for everybody else one waits."""

import shlex
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from fairdeal.application.history.look import AnyLook
from fairdeal.domain.kernel.lobby import Phase
from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.cli.home import data_folder
from fairdeal.infrastructure.cli.keys import is_terminal
from fairdeal.infrastructure.cli.options import text_of
from fairdeal.infrastructure.cli.output import CannotDo, say
from fairdeal.infrastructure.cli.playing import PlaySession, ending
from fairdeal.infrastructure.cli.screens import a_screen
from fairdeal.infrastructure.cli.sealing import kept, sealed

if TYPE_CHECKING:
    from fairdeal.client import Client

FIRST_SECONDS = 3.0
"""A server has so long to say that it is there."""
WAIT_SECONDS = 20.0


class RemoteGames:
    """What a session asks of games, answered by a server: always with our own eyes, and with people's names."""

    def __init__(self, client: "Client") -> None:
        self.client = client
        self.kinds: Mapping[str, AnyRules] = client.kinds

    def look(self, game_id: UUID | str, player: str | None = None) -> AnyLook:  # noqa: ARG002 - the token says who
        look = self.client.look(game_id)
        return replace(look, players=look.names)

    def story(self, game_id: UUID | str, player: str | None = None) -> tuple[str, ...]:  # noqa: ARG002 - as above
        return self.client.story(game_id)

    def move(self, game_id: UUID | str, player: str, move: Any) -> object:  # noqa: ARG002 - as above
        return self.client.move(game_id, move)


@dataclass(slots=True)
class RemoteSession(PlaySession):
    """A game on a server, where bots move by themselves."""

    def play(self) -> bool:
        assert isinstance(self.fairdeal, RemoteGames)
        told = False
        while True:
            look = self.fairdeal.look(self.game_id)
            if look.outcome is not None:
                self.screen.show(self.shown(None))
                return True
            if look.seat in look.active:
                told = False
                if not self._ask(look.names[look.seat], [look.names[look.seat]]):
                    return False
            else:
                if not told:
                    others = " and ".join(look.names[seat] for seat in look.active)
                    self.screen.show(self.shown(None, f"Waiting for {others or 'the others'} …"))
                    told = True
                self.fairdeal.client.wait(self.game_id, look.version, WAIT_SECONDS)


def play_there(
    server: str,
    token: str | None,
    name: str,
    rules: AnyRules,
    bots: Sequence[str],
    options: Any,
    brings: Any,
    *,
    seal: bool,
    plain: bool,
) -> None:
    """Opens a table on a server, with bots of the server, and plays it."""
    file = _token_file(server, token)
    with _client(server, file) as client:
        if client.token is None:
            client.create_account(name)
            _keep(file, client.token)
            say(f"You are new at {server}: your token is kept in {file}.")
        game = _start(client, server, rules, bots, options, brings, seal=seal)
        _go_on(client, server, token, game, plain=plain)


def resume_there(server: str, token: str | None, begins: str | None, *, plain: bool) -> None:
    """Goes on with a game of ours on a server: the one whose id begins so, or the last that is not over."""
    file = _token_file(server, token)
    if not file.exists():
        raise CannotDo(f"There is no token for {server} in {file}: fairdeal play red7 --server {server} makes one.")
    with _client(server, file) as client:
        game = _game_left(client, begins)
        _open_seal(client, server, game)
        _go_on(client, server, token, game, plain=plain)


@contextmanager
def _client(server: str, file: Path) -> "Generator[Client]":
    try:
        from fairdeal.client import Client, Unauthenticated
    except FairdealError as error:
        raise CannotDo(error.message) from None
    if not server.startswith(("http://", "https://")):
        raise CannotDo(
            f"--server {server}: write it as http://127.0.0.1:8000, with http:// or https:// before the name."
        )
    # A game that is under way waits long for a server, but who has mistyped its name is told at once.
    with Client(server, patience=FIRST_SECONDS, timeout=FIRST_SECONDS) as stranger:
        stranger.server_kinds()
    with Client(server, _token_in(file)) as client:
        try:
            yield client
        except Unauthenticated:
            raise CannotDo(f"{server} does not know the token in {file}: it has ended, or belongs elsewhere.") from None


def _start(
    client: "Client", server: str, rules: AnyRules, bots: Sequence[str], options: Any, brings: Any, *, seal: bool
) -> UUID:
    game = UUID(str(client.open_game(rules.kind, options).game_id))
    client.join(game, brings=brings, seal=sealed(game, server) if seal else None)
    for bot in bots:
        client.add_bot(game, bot)
    client.start(game)
    _open_seal(client, server, game)
    return game


def _open_seal(client: "Client", server: str, game: UUID) -> None:
    """Opens the seal that was made at this keyboard, if it is still shut."""
    look = client.look(game)
    if look.phase is not Phase.SEALED or look.seat not in look.active:
        return
    file = kept(game, server)
    if not file.is_file():
        raise CannotDo("You sealed entropy elsewhere: the game goes on when it is opened there.")
    client.reveal(game, file.read_text(encoding="ascii"))
    file.unlink()


def _game_left(client: "Client", begins: str | None) -> UUID:
    me = client.me().player
    ours = [one for phase in ("running", "sealed") for one in client.games(player=me, phase=phase).items]
    fitting = [one for one in ours if str(one.id).startswith((begins or "").lower())]
    if not fitting:
        raise CannotDo(
            "No game of yours was left there." if begins is None else f"No game of yours that goes on is {begins}."
        )
    return max(fitting, key=lambda one: one.last_at).id


def _go_on(client: "Client", server: str, token: str | None, game: UUID, *, plain: bool) -> None:
    """Plays a game on a server at this keyboard, and says in the end where it is."""
    at = f"{server.rstrip('/')}/games/{game}"
    own = "" if token is None else f" --token {shlex.quote(token)}"
    again = f"The game goes on at {at}\nGo on here with: fairdeal resume {str(game)[:8]} --server {server}{own}"
    with a_screen(plain=plain or not is_terminal()) as screen:
        session = RemoteSession(RemoteGames(client), game, screen)
        try:
            over = session.play()
        except KeyboardInterrupt:
            screen.tell(f"\n{again}")
            raise
        if over:
            screen.tell(ending(session.shown(None)))
        screen.tell(f"See it again at {at}" if over else again)


def _token_file(server: str, token: str | None) -> Path:
    if token is None:
        return data_folder() / "tokens" / sha256(server.rstrip("/").encode()).hexdigest()[:16]
    if not token.startswith("@"):
        raise CannotDo("--token takes @FILE: a token that is typed is seen by others on this machine.")
    return Path(token[1:])


def _token_in(file: Path) -> str | None:
    return text_of(file).strip() if file.exists() else None


def _keep(file: Path, token: str | None) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=0o600)
    file.write_text(f"{token}\n", encoding="ascii")
