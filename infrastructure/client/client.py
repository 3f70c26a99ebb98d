"""`Client`: games of a server elsewhere, through the calls that the library has at home."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType
from typing import Any, Generic, Self
from urllib.parse import quote
from uuid import UUID, uuid4

import httpx2
import msgspec

from fairdeal.application.audit.verdicts import Report
from fairdeal.application.catalogue import KINDS
from fairdeal.application.commands.handlers import Answer
from fairdeal.application.errors import UnknownKind
from fairdeal.application.history.look import Look
from fairdeal.application.history.replay import Frame
from fairdeal.application.log.record import Receipt
from fairdeal.application.log.seen_event import SeenEvent
from fairdeal.application.projections.results import GameSummary, Page, PlayedGame, Player, Rating, TimelineEntry
from fairdeal.application.wire.decoding import (
    WireDecoder,
    read_game,
    read_page,
    read_played_game,
    read_player,
    read_rating,
    read_report,
    read_timeline_entry,
)
from fairdeal.application.wire.encoding import move_to_plain
from fairdeal.domain.kernel.refusals import HouseRefusal, refusal
from fairdeal.domain.kernel.rules import AnyRules, BroughtT, MoveT, OptionsT, Rules, ViewT
from fairdeal.infrastructure.client.connection import Connection, json_of
from fairdeal.infrastructure.client.following import News, following

PATIENCE = 30.0
TIMEOUT = 20.0
LONGEST_WAIT = 60
Bot = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Account:
    """Who somebody is to a server."""

    player: str
    display_name: str


@dataclass(frozen=True, slots=True)
class NewAccount(Account):
    """An account and its token, which is shown once."""

    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class KindSummary:
    """A kind of game that a server has."""

    kind: str
    title: str
    seats: tuple[int, int]
    presets: tuple[str, ...]
    bots: tuple[str, ...]


class Client:
    """One caller of one server. Safe to share between threads.

    Looks, answers, events, frames and reports are those of the library, and so are the exceptions. Every command has a
    key: where no answer comes it is sent again, for `patience` seconds, and happens once.
    """

    def __init__(
        self,
        server: str,
        token: str | None = None,
        *,
        kinds: Mapping[str, AnyRules] = KINDS,
        patience: float = PATIENCE,
        timeout: float = TIMEOUT,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        self.kinds = kinds
        self._connection = Connection(server, token, patience=patience, timeout=timeout, transport=transport)
        self._decoder = WireDecoder(kinds)
        self._kind_of: dict[str, str] = {}

    @classmethod
    def register(cls, server: str, display_name: str, **settings: Any) -> Self:
        """A new account on a server, and the client that acts for it; keep its `token`."""
        client = cls(server, **settings)
        client.create_account(display_name)
        return client

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._connection.server!r})"  # never the token

    @property
    def token(self) -> str | None:
        """What the server knows us by; whoever has it is us."""
        return self._connection.token

    # -- accounts ------------------------------------------------------------------------------------------------

    def create_account(self, display_name: str) -> NewAccount:
        """A new account; from now on this client acts for it."""
        said = self._post("/players", {"display_name": display_name}, again=False)
        account = msgspec.convert(said, NewAccount)
        self._connection.token = account.token
        return account

    def me(self) -> Account:
        return msgspec.convert(self._get("/me"), Account)

    def rename(self, display_name: str | None) -> Account:
        """Another name, or none."""
        answer = self._connection.ask("PATCH", "/me", body={"display_name": display_name})
        return msgspec.convert(json_of(answer), Account)

    def renew_token(self) -> str:
        """A new token; the old one ends."""
        account = msgspec.convert(self._post("/me/token", None, again=False), NewAccount)
        self._connection.token = account.token
        return account.token

    def delete_account(self) -> None:
        """The name and all tokens go; the games stay."""
        self._connection.ask("DELETE", "/me", again=False)
        self._connection.token = None

    # -- kinds ---------------------------------------------------------------------------------------------------

    def server_kinds(self) -> tuple[KindSummary, ...]:
        """What can be played there; games that this program does not know are among them."""
        return msgspec.convert(self._get("/kinds"), tuple[KindSummary, ...])

    def rules_of(self, kind: str) -> str:
        """The rules as Markdown."""
        return self._connection.ask("GET", f"/kinds/{_part(kind)}/rules").text

    def of(
        self, rules: Rules[Any, MoveT, OptionsT, BroughtT, ViewT]
    ) -> "RemoteGamesOf[MoveT, OptionsT, BroughtT, ViewT]":
        """The same for one kind of game, with its own types: `client.of(RED7).look(game).view.hand`."""
        return RemoteGamesOf(self, rules)

    # -- playing -------------------------------------------------------------------------------------------------

    def open_game(
        self,
        kind: str,
        options: Any = None,
        *,
        seats: Sequence[str | Bot] | None = None,
        start: bool = False,
        clock: Any = None,
        rated: bool | None = None,
        spectators: str | None = None,
        key: str | None = None,
    ) -> Look[Any, Any]:
        """Opens a table. It is empty unless `seats` says who sits there: "me" and {"bot": name}."""
        asked = {"kind": kind, "options": options, "clock": clock, "rated": rated, "spectators": spectators}
        asked |= {"seats": None if seats is None else list(seats)}
        body = {name: value for name, value in asked.items() if value is not None}
        if start:
            body["start"] = True
        return self._look(self._post("/games", body, key=key or _new_key()))

    def send(
        self,
        game: UUID | str,
        command: str,
        *,
        seat_of: str | None = None,
        key: str | None = None,
        expected_version: int | None = None,
        **fields: Any,
    ) -> Answer:
        """Any command to a game. In a branch of one's own `seat_of` names the player for whom one acts."""
        body = {"command": command, **{name: value for name, value in fields.items() if value is not None}}
        return self._command(f"/games/{_part(game)}/commands", body, seat_of, key, expected_version)

    def move(
        self,
        game: UUID | str,
        move: Any,
        *,
        seat_of: str | None = None,
        key: str | None = None,
        expected_version: int | None = None,
    ) -> Answer:
        """Makes a move: the game's own move object, or `{"move": name, …}`."""
        return self._command(f"/games/{_part(game)}/moves", self._plain(move), seat_of, key, expected_version)

    def join(self, game: UUID | str, *, brings: Any = None, seal: str | None = None, key: str | None = None) -> Answer:
        return self.send(game, "join_game", brings=brings, seal=seal, key=key)

    def add_bot(self, game: UUID | str, bot: str, *, key: str | None = None) -> Answer:
        return self.send(game, "add_bot", bot=bot, key=key)

    def start(self, game: UUID | str, *, key: str | None = None) -> Answer:
        return self.send(game, "start_game", key=key)

    def reveal(self, game: UUID | str, entropy: str, *, key: str | None = None) -> Answer:
        """Opens one's own seal: `entropy` in hex digits, whose SHA-256 was the seal."""
        return self.send(game, "reveal_entropy", entropy=entropy, key=key)

    def leave(self, game: UUID | str, reason: str | None = None, *, key: str | None = None) -> Answer:
        return self.send(game, "leave_game", reason=reason, key=key)

    def abandon(self, game: UUID | str, reason: str | None = None, *, key: str | None = None) -> Answer:
        return self.send(game, "abandon_game", reason=reason, key=key)

    def claim_timeout(self, game: UUID | str, seat: int, *, key: str | None = None) -> Answer:
        return self.send(game, "claim_timeout", seat=seat, key=key)

    def branch(self, game: UUID | str, version: int, *, key: str | None = None) -> Look[Any, Any]:
        """A what-if from a version of a game that is over; nobody else sees it."""
        return self._look(self._post(f"/games/{_part(game)}/branches", {"version": version}, key=key or _new_key()))

    # -- looking -------------------------------------------------------------------------------------------------

    def look(self, game: UUID | str, *, eyes: str | None = None) -> Look[Any, Any]:
        """The game as we, or those whose eyes are asked for, may see it now."""
        return self._look(self._get(f"/games/{_part(game)}", {"as": eyes}))

    def wait(self, game: UUID | str, version: int, seconds: float = 20.0) -> Look[Any, Any] | None:
        """The next look that has another version than this one; None if nothing happens for so long."""
        whole = min(max(1, round(seconds)), LONGEST_WAIT)
        answer = self._connection.ask(
            "GET",
            f"/games/{_part(game)}",
            query={"wait": whole},
            headers={"if-none-match": f'"{version}"'},
            timeout=whole + TIMEOUT,
        )
        return None if answer.status_code == HTTPStatus.NOT_MODIFIED else self._look(json_of(answer))

    def events(self, game: UUID | str, *, after: int = 0) -> tuple[SeenEvent, ...]:
        """What happened after a version, as we may see it."""
        return self._decoder.events(self._get(f"/games/{_part(game)}/events", {"after": after})["events"])

    def follow(self, game: UUID | str, *, after: int = 0, looks: bool = True) -> Iterator[News]:
        """What happens after a version, as it happens, until the game is over; cut off, it goes on by itself."""
        return following(self._connection, self._decoder, game, after, looks=looks)

    def frame(self, game: UUID | str, version: int, *, eyes: str | None = None) -> Frame:
        """The table at one version; `eyes` are "spectator" or, after the end, a player or "open"."""
        said = self._get(f"/games/{_part(game)}/frames/{version}", {"as": eyes})
        return self._decoder.frame(said, self._kind(game))

    def story(self, game: UUID | str) -> tuple[str, ...]:
        """What happened, in English, one line per event."""
        lines: list[str] = []
        cursor: str | None = None
        while True:
            page = self._get(f"/games/{_part(game)}/story", {"cursor": cursor})
            lines += [item["line"] for item in page["items"]]
            cursor = page["next"]
            if cursor is None:
                return tuple(lines)

    def export(self, game: UUID | str) -> str:
        """The log as we may see it; `fairdeal verify` and `docs/format.md` say what can be done with it."""
        return self._connection.ask("GET", f"/games/{_part(game)}/log").text

    def audit(self, game: UUID | str) -> Report:
        """What the server says of its own log. Who does not believe it audits an export."""
        return read_report(self._get(f"/games/{_part(game)}/audit"))

    def holds(self, receipt: Receipt | str) -> bool:
        """Whether the server's log still holds what a receipt is for."""
        kept = Receipt.read(receipt) if isinstance(receipt, str) else receipt
        return bool(self._get(f"/games/{kept.game_id}/receipts/{kept.version}:{kept.link}")["good"])

    # -- lists ---------------------------------------------------------------------------------------------------

    def games(
        self,
        *,
        kind: str | None = None,
        phase: str | None = None,
        player: str | None = None,
        turn_of: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[GameSummary]:
        """Games that everybody may see, and our own if we ask for ourselves; the newest first."""
        asked = {"kind": kind, "phase": phase, "player": player, "turn_of": turn_of, "limit": limit, "cursor": cursor}
        return read_page(self._get("/games", asked), read_game)

    def player(self, player: str) -> Player:
        return read_player(self._get(f"/players/{_part(player)}"))

    def games_of(
        self,
        player: str,
        *,
        kind: str | None = None,
        phase: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[PlayedGame]:
        asked = {"kind": kind, "phase": phase, "limit": limit, "cursor": cursor}
        return read_page(self._get(f"/players/{_part(player)}/games", asked), read_played_game)

    def ratings(self, kind: str, *, limit: int | None = None, cursor: str | None = None) -> Page[Rating]:
        return read_page(self._get(f"/ratings/{_part(kind)}", {"limit": limit, "cursor": cursor}), read_rating)

    def timeline(self, *, limit: int | None = None, cursor: str | None = None, **asked: Any) -> Page[TimelineEntry]:
        """What happened at open tables; `asked` are the questions of docs/projections.md."""
        return read_page(self._get("/timeline", {**asked, "limit": limit, "cursor": cursor}), read_timeline_entry)

    def checkpoint(self) -> str:
        """The server's last signed checkpoint, as JSON."""
        return self._connection.ask("GET", "/checkpoints/latest").text

    # -- how -----------------------------------------------------------------------------------------------------

    def _get(self, path: str, query: Mapping[str, Any] | None = None) -> Any:
        return json_of(self._connection.ask("GET", path, query=query))

    def _post(self, path: str, body: Any, *, key: str | None = None, again: bool = True) -> Any:
        headers = {} if key is None else {"idempotency-key": key}
        return json_of(self._connection.ask("POST", path, body=body, headers=headers, again=again))

    def _command(
        self, path: str, body: Any, seat_of: str | None, key: str | None, expected_version: int | None
    ) -> Answer:
        headers = {"idempotency-key": key or _new_key()}
        if expected_version is not None:
            headers["if-match"] = f'"{expected_version}"'
        answer = self._connection.ask("POST", path, body=body, query={"as": seat_of}, headers=headers)
        return self._decoder.answer(json_of(answer))

    def _look(self, said: Any) -> Look[Any, Any]:
        look = self._decoder.look(said)
        self._kind_of[str(look.game_id)] = look.kind
        return look

    def _kind(self, game: UUID | str) -> str:
        """Of which kind a game is; frames do not say so."""
        name = str(game)
        with suppress(KeyError):
            return self._kind_of[name]
        return self.look(game).kind

    def _plain(self, move: Any) -> Any:
        """A move as it is sent: one of our own gets its name, anything else is for the server to judge."""
        for rules in self.kinds.values():
            names = {cls: name for name, cls in rules.stored.moves.items()}
            if type(move) in names:
                return move_to_plain(names, move)
        return move


class RemoteGamesOf(Generic[MoveT, OptionsT, BroughtT, ViewT]):
    """Play and look at games of one kind on a server, with their own types."""

    def __init__(self, client: Client, rules: Rules[Any, MoveT, OptionsT, BroughtT, ViewT]) -> None:
        if client.kinds.get(rules.kind) is not rules:
            raise UnknownKind(f"This {rules.kind!r} is not registered here.")
        self._client = client
        self.rules = rules

    def open_game(self, options: OptionsT | str | None = None, **more: Any) -> Look[ViewT | None, MoveT]:
        """Opens a table; `more` is what `Client.open_game` takes."""
        return self._client.open_game(self.rules.kind, options, **more)

    def join(self, game: UUID | str, *, brings: BroughtT | None = None, seal: str | None = None) -> Answer:
        return self._client.join(game, brings=brings, seal=seal)

    def move(
        self, game: UUID | str, move: MoveT, *, key: str | None = None, expected_version: int | None = None
    ) -> Answer:
        return self._client.move(game, move, key=key, expected_version=expected_version)

    def look(self, game: UUID | str, *, eyes: str | None = None) -> Look[ViewT, MoveT]:
        """The dealt game as we may see it; before the deal see `Client.look`."""
        look: Look[ViewT, MoveT] = self._client.look(game, eyes=eyes)
        if look.kind != self.rules.kind:
            raise UnknownKind(f"Game {game} is a {look.kind!r}, not a {self.rules.kind!r}.")
        if look.view is None:
            raise refusal(HouseRefusal.NOT_STARTED, "The cards have not been dealt yet.")
        return look


def _part(text: object) -> str:
    """A part of an address, whatever it holds."""
    return quote(str(text), safe="")


def _new_key() -> str:
    return uuid4().hex
