"""Games on a server, played at this keyboard: whoever has to act is asked, for everybody else one waits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from typing import TYPE_CHECKING, Any
from uuid import UUID

from fairdeal.application.history.look import AnyLook
from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.cli.home import data_folder
from fairdeal.infrastructure.cli.keys import is_terminal
from fairdeal.infrastructure.cli.options import text_of
from fairdeal.infrastructure.cli.output import CannotDo, say
from fairdeal.infrastructure.cli.playing import PlaySession, ending
from fairdeal.infrastructure.cli.screens import a_screen

if TYPE_CHECKING:
    from fairdeal.client import Client

ENTROPY_SIZE = 32
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
    try:
        from fairdeal.client import Client, Unauthenticated
    except FairdealError as error:
        raise CannotDo(error.message) from None
    if not server.startswith(("http://", "https://")):
        raise CannotDo(
            f"--server {server}: write it as http://127.0.0.1:8000, with http:// or https:// before the name."
        )
    file = _token_file(server, token)
    with Client(server, _token_in(file)) as client:
        if client.token is None:
            client.create_account(name)
            _keep(file, client.token)
            say(f"You are new at {server}: your token is kept in {file}.")
        try:
            game = _start(client, rules, bots, options, brings, seal=seal)
        except Unauthenticated:
            raise CannotDo(f"{server} does not know the token in {file}: it has ended, or belongs elsewhere.") from None
        with a_screen(plain=plain or not is_terminal()) as screen:
            session = RemoteSession(RemoteGames(client), game, screen)
            over = session.play()
            if over:
                screen.tell(ending(session.shown(None)))
            screen.tell(f"{'See it again' if over else 'The game goes on'} at {server.rstrip('/')}/games/{game}")


def _start(client: "Client", rules: AnyRules, bots: Sequence[str], options: Any, brings: Any, *, seal: bool) -> UUID:
    entropy = token_bytes(ENTROPY_SIZE)
    game = client.open_game(rules.kind, options).game_id
    client.join(game, brings=brings, seal=sha256(entropy).hexdigest() if seal else None)
    for bot in bots:
        client.add_bot(game, bot)
    client.start(game)
    if seal:
        client.reveal(game, entropy.hex())
    return game


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
