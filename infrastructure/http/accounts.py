"""Accounts and tokens, in tables of their own: names stay out of the ledger, and tokens are kept as digests only."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any, Final
from uuid import UUID

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    DateTime,
    LargeBinary,
    MetaData,
    String,
    Table,
    Uuid,
    delete,
    event,
    insert,
    inspect,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError

from fairdeal.application.errors import FieldFault, InvalidCommand, LedgerReadOnly, LedgerUnavailable
from fairdeal.infrastructure.http.problems import unauthenticated_error
from fairdeal.infrastructure.readmodels.database import Database, open_database
from fairdeal.infrastructure.readmodels.schema import take_turns

TOKEN_PREFIX = "fd1_"  # noqa: S105 - the beginning of every token, not a token
TOKEN_BYTES = 32
"""43 characters when written."""
LONGEST_NAME = 200
CACHE_SECONDS = 1.0
"""What another worker has changed is seen after this time at the latest."""
CACHED = 10_000

METADATA = MetaData()

ACCOUNTS = Table(
    "fairdeal_accounts",
    METADATA,
    Column("player", String(40), primary_key=True),
    Column("display_name", String(LONGEST_NAME)),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("deleted", Boolean, nullable=False),
)
TOKENS = Table(
    "fairdeal_tokens",
    METADATA,
    Column("digest", LargeBinary(32), primary_key=True),
    Column("player", String(40), nullable=False, index=True),
    Column("session", Boolean, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False),
)
SECRETS = Table(
    "fairdeal_server_secrets",
    METADATA,
    Column("name", String(40), primary_key=True),
    Column("secret", LargeBinary(32), nullable=False),
)
SPECTATORS = Table(
    "fairdeal_spectators",
    METADATA,
    Column("game_id", Uuid, primary_key=True),
    Column("spectators", String(20), nullable=False),
)

OPEN: Final = "open"
UNLISTED: Final = "unlisted"
CLOSED: Final = "closed"
MODES = (OPEN, UNLISTED, CLOSED)
"""Who may watch a table."""


@dataclass(frozen=True, slots=True)
class Account:
    """A player by an id that says nothing, and the name that they go by just now."""

    player: str
    display_name: str


def digest_of(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


MARKS = "\u200c\u200d\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Signs for joining letters and for their direction: whoever shows names keeps them apart from what stands beside."""
TAGS = "".join(map(chr, range(0xE0020, 0xE0080)))
"""Signs that make a black flag the flag of England, Scotland or Wales."""
UNSEEN = frozenset(MARKS + TAGS)


def checked_name(name: Any) -> str:
    """A name that can be shown: some printable characters in one line."""
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME or name != name.strip() or not _is_shown(name):
        expected = f"expected 1 to {LONGEST_NAME} printable characters without leading or trailing spaces"
        raise InvalidCommand("account", [FieldFault("display_name", expected)])
    return name


def _is_shown(name: str) -> bool:
    # Marks that join emoji or turn the direction of writing are not printable to Python, but part of names.
    return all(sign.isprintable() or sign in UNSEEN for sign in name) and any(sign not in UNSEEN for sign in name)


def _now() -> datetime:
    return datetime.now(UTC)


class Accounts:
    """Safe to share between threads; any number of processes may use one database."""

    def __init__(self, database: Database, *, read_only: bool = False) -> None:
        self._database = database
        self._is_read_only = read_only
        self._lock = Lock()
        self._players: dict[bytes, tuple[float, str | None]] = {}
        self._names: dict[str, tuple[float, str | None]] = {}
        self._modes: dict[int, str] = {}
        """By the number that the id of a game is: to look up an id takes Python three calls."""
        self._secret: bytes | None = None

    # -- accounts -------------------------------------------------------------------------------

    def create(self, display_name: str, *, session: bool = False) -> tuple[Account, str]:
        """A new account and its token, which is shown once."""
        account = Account(f"p_{secrets.token_hex(10)}", checked_name(display_name))
        token = _new_token()
        with self._writing() as connection:
            connection.execute(insert(ACCOUNTS).values(**account_row(account.player, account.display_name)))
            connection.execute(insert(TOKENS).values(**token_row(account.player, token, session=session)))
        return account, token

    def account(self, player: str) -> Account:
        return Account(player, self.names([player]).get(player, player))

    def rename(self, player: str, display_name: str | None) -> Account:
        """Another name, or none: then the player goes by their id."""
        name = None if display_name is None else checked_name(display_name)
        with self._writing() as connection:
            connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.player == player).values(display_name=name))
        self._names.pop(player, None)
        return self.account(player)

    def delete(self, player: str) -> None:
        """The name and all tokens go; the id stays in the games and is never given again."""
        with self._writing() as connection:
            gone = {"display_name": None, "deleted": True}
            connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.player == player).values(**gone))
            connection.execute(delete(TOKENS).where(TOKENS.c.player == player))
        self._forget(player)

    def exists(self, player: str) -> bool:
        with self._database.reading() as connection:
            found = select(ACCOUNTS.c.player).where(ACCOUNTS.c.player == player)
            return connection.execute(found).first() is not None

    # -- tokens ---------------------------------------------------------------------------------

    def new_session(self, token: str) -> tuple[Account, str]:
        """A token for a browser's cookie, for whoever has a good token."""
        player = self.player_of(digest_of(token))
        if player is None:
            raise unauthenticated_error()
        session = _new_token()
        with self._writing() as connection:
            connection.execute(insert(TOKENS).values(**token_row(player, session, session=True)))
        return self.account(player), session

    def renew(self, player: str, *, keep: bytes | None) -> str:
        """A new token; every other one ends, except the session that asks."""
        token = _new_token()
        with self._writing() as connection:
            ended = delete(TOKENS).where(TOKENS.c.player == player)
            if keep is not None:
                ended = ended.where((TOKENS.c.digest != keep) | TOKENS.c.session.is_(False))
            connection.execute(ended)
            connection.execute(insert(TOKENS).values(**token_row(player, token, session=False)))
        self._forget(player)
        return token

    def end(self, digest: bytes) -> None:
        with self._writing() as connection:
            connection.execute(delete(TOKENS).where(TOKENS.c.digest == digest))
        self._players.pop(digest, None)

    def player_of(self, digest: bytes) -> str | None:
        """Whose token this is; None if it is nobody's, or has ended."""
        kept = self._players.get(digest)
        if kept is not None and kept[0] > monotonic():
            return kept[1]
        with self._database.reading() as connection:
            player = connection.execute(select(TOKENS.c.player).where(TOKENS.c.digest == digest)).scalar()
        self._keep(self._players, digest, player)
        return player

    def player_at_hand(self, digest: bytes) -> str | None:
        """Whose token this is, if it was asked a moment ago; the database is not asked."""
        kept = self._players.get(digest)
        return None if kept is None or kept[0] <= monotonic() else kept[1]

    def ended(self, digests: Iterable[bytes]) -> set[bytes]:
        """Which of these tokens are good no longer."""
        asked = set(digests)
        with self._database.reading() as connection:
            good = connection.execute(select(TOKENS.c.digest).where(TOKENS.c.digest.in_(asked))).scalars()
            return asked - {bytes(digest) for digest in good}

    # -- names ----------------------------------------------------------------------------------

    def names(self, players: Iterable[str]) -> Mapping[str, str]:
        """What players are called, for those who have a name here."""
        now = monotonic()
        found: dict[str, str | None] = {}
        missing: list[str] = []
        for player in players:
            kept = self._names.get(player)
            if kept is not None and kept[0] > now:
                found[player] = kept[1]
            else:
                missing.append(player)
        if missing:
            with self._database.reading() as connection:
                asked = select(ACCOUNTS.c.player, ACCOUNTS.c.display_name).where(ACCOUNTS.c.player.in_(missing))
                read = {row.player: row.display_name for row in connection.execute(asked)}
            for player in missing:
                found[player] = read.get(player)
                self._keep(self._names, player, found[player])
        return {player: name for player, name in found.items() if name is not None}

    def are_named_at_hand(self, players: Iterable[str]) -> bool:
        """Whether what they are called was asked a moment ago; the database is not asked."""
        now = monotonic()
        for player in players:
            kept = self._names.get(player)
            if kept is None or kept[0] <= now:
                return False
        return True

    # -- the secret of command ids, and who may watch -------------------------------------------

    def command_id(self, player: str, key: str, step: str = "") -> str:
        """The command id for a caller's key; nobody without the secret can make or guess one."""
        text = f"{len(player)}:{player}:{len(key)}:{key}:{step}"
        return hmac.new(self.secret(), text.encode(), hashlib.sha256).hexdigest()

    @property
    def has_secret(self) -> bool:
        """Whether the secret has been read, so that ids of commands need no database."""
        return self._secret is not None

    def secret(self) -> bytes:
        """The server's secret, made by whoever needs it first."""
        if self._secret is None:
            asked = select(SECRETS.c.secret).where(SECRETS.c.name == "command_ids")
            with self._database.reading() as connection:
                found = connection.execute(asked).scalar()
            if found is None:
                with self._writing() as connection:
                    take_turns(connection)
                    found = connection.execute(asked).scalar()
                    if found is None:
                        found = secrets.token_bytes(32)
                        connection.execute(insert(SECRETS).values(name="command_ids", secret=found))
            self._secret = bytes(found)
        return self._secret

    def set_spectators(self, game_id: UUID, mode: str) -> None:
        """Said once, before the table is opened; a table that is not named here is open."""
        with self._writing() as connection:
            take_turns(connection)
            known = select(SPECTATORS.c.game_id).where(SPECTATORS.c.game_id == game_id)
            if connection.execute(known).first() is None:
                connection.execute(insert(SPECTATORS).values(game_id=game_id, spectators=mode))
        self._modes.pop(game_id.int, None)

    def spectators(self, game_id: UUID) -> str:
        known = self._modes.get(game_id.int)
        if known is None:
            known = self.modes([game_id]).get(game_id, OPEN)
            if len(self._modes) >= CACHED:
                self._modes.clear()
            self._modes[game_id.int] = known
        return known

    def is_open_at_hand(self, game_id: UUID) -> bool:
        """Whether it was found before that everybody may watch; the database is not asked."""
        return self._modes.get(game_id.int) == OPEN

    def modes(self, games: Iterable[UUID]) -> Mapping[UUID, str]:
        """Who may watch, of those tables that are not open to everybody."""
        with self._database.reading() as connection:
            asked = select(SPECTATORS).where(SPECTATORS.c.game_id.in_(list(games)))
            return {row.game_id: row.spectators for row in connection.execute(asked)}

    def check(self) -> None:
        """Raises LedgerUnavailable if the database cannot be read."""
        try:
            with self._database.reading() as connection:
                connection.execute(select(SECRETS.c.name)).first()
        except SQLAlchemyError as error:
            raise LedgerUnavailable("The accounts cannot be read.") from error

    def close(self) -> None:
        self._database.close()

    def _writing(self) -> AbstractContextManager[Connection]:
        if self._is_read_only:
            raise LedgerReadOnly("This server only reads: no account, name or token is stored.")
        return self._database.writing()

    def _keep(self, cache: dict[Any, tuple[float, str | None]], key: Any, value: str | None) -> None:
        with self._lock:
            if len(cache) >= CACHED:
                cache.clear()
            cache[key] = (monotonic() + CACHE_SECONDS, value)

    def _forget(self, player: str) -> None:
        with self._lock:
            for digest in [digest for digest, (_, whose) in self._players.items() if whose == player]:
                del self._players[digest]
            self._names.pop(player, None)


def _new_token() -> str:
    return TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)


def account_row(player: str, display_name: str) -> dict[str, Any]:
    return {"player": player, "display_name": display_name, "created_at": _now(), "deleted": False}


def token_row(player: str, token: str, *, session: bool) -> dict[str, Any]:
    return {"digest": digest_of(token), "player": player, "session": session, "created_at": _now()}


def accounts_beside(address: str) -> str:
    """Where accounts are kept: a file next to the ledger's, or the same PostgreSQL database."""
    scheme, _, rest = address.partition(":")
    if scheme != "sqlite":
        return address
    path = Path(rest.removeprefix("///"))
    return f"sqlite:///{path.with_name(f'{path.stem}.accounts{path.suffix}')}"


def open_accounts(address: str, *, read_only: bool = False) -> Accounts:
    """The accounts beside this ledger. Who may only read has those that are there, else none."""
    where = accounts_beside(address)
    if read_only and where.startswith("sqlite") and not Path(where.partition(":///")[2]).exists():
        where = "memory:"
    database = open_database(where)
    if database.dialect == "sqlite":
        event.listen(database.engine, "connect", _keep_for_good)
    with database.reading() as connection:
        found = set(inspect(connection).get_table_names())
    if not set(METADATA.tables) <= found:
        if read_only and where != "memory:":
            database.close()
            return open_accounts("memory:", read_only=True)
        with database.writing() as connection:
            take_turns(connection)
            METADATA.create_all(connection)
    return Accounts(database, read_only=read_only)


def _keep_for_good(connection: Any, _: Any) -> None:
    # Unlike read models, accounts cannot be made again from the ledger.
    connection.execute("PRAGMA synchronous = FULL")
