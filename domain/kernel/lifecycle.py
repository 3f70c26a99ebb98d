"""The events every game shares: a table opens, people sit down, the game starts and ends."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Generic, TypeGuard, TypeVar

from fairdeal.domain.kernel.upcast import Upcast

Seat = int
"""Seats are numbered from 0 in the order in which people sat down."""

OptionsT = TypeVar("OptionsT")
BroughtT = TypeVar("BroughtT")


class DealtFrom(StrEnum):
    """Where the first state of a game comes from; an audit calls only shuffles fair."""

    SHUFFLE = "shuffle"
    GIVEN_DECK = "given_deck"
    POSITION = "position"
    BRANCH = "branch"


class OnTimeout(StrEnum):
    """What becomes of a seat whose time has run out."""

    HOUSE_MOVE = "house_move"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class TableClock:
    """How long a seat may take for a move; the bank is used up after that, and does not come back."""

    move_seconds: int
    bank_seconds: int = 0
    on_timeout: OnTimeout = OnTimeout.HOUSE_MOVE


class Spectators(StrEnum):
    """Who may watch besides those who sit there."""

    OPEN = "open"
    UNLISTED = "unlisted"
    CLOSED = "closed"


HOUSE_RULES = 3
"""The version of what the table itself does; every table is kept to its end by the one it was opened with."""
KNOWS_VOID = 2
"""From this version on there are clocks and void games, and nobody is called like the house."""
KEEPS_WHAT_OTHERS_BROUGHT = 3
"""From this version on a given deck is compared with nothing that somebody else has brought."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What is agreed when a table is opened, besides the options of the game."""

    house: int = HOUSE_RULES
    clock: TableClock | None = None
    rated: bool = True
    spectators: Spectators = Spectators.OPEN


FIRST_HOUSE = Terms(house=1)
"""What was agreed at every table before there was anything to agree."""
FIRST_TERMS = {"house": 1, "clock": None, "rated": True, "spectators": Spectators.OPEN.value}
"""The same, as an opening of that time would have said it."""


@dataclass(frozen=True, slots=True)
class GameOpened(Generic[OptionsT]):
    """A table is open. The seed is hidden until the end; its digest is shown from the start."""

    opener: str
    options: OptionsT
    commitment: str
    seed: str | None
    chance: int
    house: int
    """The version of the house rules by which this table is kept to its end."""
    clock: TableClock | None
    rated: bool
    spectators: Spectators


@dataclass(frozen=True, slots=True)
class PlayerSeated(Generic[BroughtT]):
    """Somebody took the next seat; what they brought is shown to nobody else before the end."""

    player: str
    brought: BroughtT | None
    seal: str | None


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """Somebody stood up before the start; those who sat down later move up by one seat."""

    player: str


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The seats are closed."""

    opening: DealtFrom


@dataclass(frozen=True, slots=True)
class GameBranched:
    """The game goes on from another one that is over: what follows was said there up to this version."""

    origin: str
    version: int
    link: str


@dataclass(frozen=True, slots=True)
class EntropyRevealed:
    """A seat opened its seal; the last one to do so has the cards dealt."""

    seat: Seat
    entropy: str


@dataclass(frozen=True, slots=True)
class GameFinished:
    """The game ended by its own rules; several winners share the win, none means nobody won."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class GameAbandoned:
    """The game was broken off; whoever left a running game lost it."""

    seat: Seat | None
    reason: str


@dataclass(frozen=True, slots=True)
class SeatTimedOut:
    """A seat let its time run out; what follows was done in its place."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GameForfeited:
    """The game ended because these seats let their time run out: they lost it."""

    seats: tuple[Seat, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class GameVoided:
    """The game counts for nobody."""

    seats: tuple[Seat, ...]
    """Because of whom: they kept a seal shut, or left before the deal."""
    by: str | None
    """Who broke it off; None where time did."""
    reason: str


def is_opening(event: object) -> TypeGuard[GameOpened[Any]]:
    """Whether a game can begin with this event."""
    return type(event) is GameOpened


LIFECYCLE_EVENTS: dict[str, type] = {
    "game_opened.v2": GameOpened,
    "player_seated.v1": PlayerSeated,
    "player_left.v1": PlayerLeft,
    "game_started.v1": GameStarted,
    "game_branched.v1": GameBranched,
    "entropy_revealed.v1": EntropyRevealed,
    "game_finished.v1": GameFinished,
    "game_abandoned.v1": GameAbandoned,
    "seat_timed_out.v1": SeatTimedOut,
    "game_forfeited.v1": GameForfeited,
    "game_voided.v1": GameVoided,
}
"""Stored names, without the kind of game that stands before them."""


def _by_the_first_house(told: dict[str, Any]) -> dict[str, Any]:
    if FIRST_TERMS.keys() & told.keys():
        raise ValueError("the first house rules had no terms to agree on")
    return {**told, **FIRST_TERMS}


LIFECYCLE_UPCASTS: dict[str, Upcast] = {
    "game_opened.v1": Upcast("game_opened.v2", _by_the_first_house),
}
"""Older shapes of shared events, and how they become newer ones."""


@dataclass(frozen=True, slots=True)
class FirstGameOpened(Generic[OptionsT]):
    """How an opening was stored when there was nothing to agree."""

    opener: str
    options: OptionsT
    commitment: str
    seed: str | None
    chance: int


def as_stored(event: Any) -> Any:
    """An event in the shape in which it is stored: tables that are kept by the first house rules have the first one."""
    if is_opening(event) and event.house == FIRST_HOUSE.house:
        return FirstGameOpened(event.opener, event.options, event.commitment, event.seed, event.chance)
    return event


OLDER_EVENTS: dict[str, type] = {"game_opened.v1": FirstGameOpened}
"""Stored names that are only read, and the shapes that they had."""


LIFECYCLE: frozenset[type] = frozenset(LIFECYCLE_EVENTS.values())


def redact_lifecycle(event: Any, player: str | None) -> Any:
    """A shared event as this player, or a spectator (None), may see it while the game runs."""
    match event:
        case GameOpened():
            return replace(event, seed=None)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        case PlayerSeated(player=owner) if owner != player:
            return replace(event, brought=None)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        case _:
            return event


def player_of(event: object, players: tuple[str, ...]) -> str | None:
    """Whom the line of a shared event is about; None for what happens to the table."""
    match event:
        case PlayerSeated(player=player) | PlayerLeft(player=player):
            return player
        case EntropyRevealed(seat=seat) | GameAbandoned(seat=int() as seat) | SeatTimedOut(seat=seat):
            return players[seat]
        case _:
            return None


def tell_lifecycle(event: object, names: tuple[str, ...]) -> str | None:
    """One English line for a shared event, or None if the event belongs to a game."""
    match event:
        case GameOpened(opener=opener):
            return f"{opener} opens the table."
        case PlayerSeated(player=player, seal=seal):
            return f"{player} sits down." if seal is None else f"{player} sits down with sealed entropy."
        case PlayerLeft(player=player):
            return f"{player} leaves the table."
        case GameStarted(opening=opening):
            return f"The game starts ({opening.value.replace('_', ' ')})."
        case GameBranched(origin=origin, version=version):
            return f"It goes on from version {version} of game {origin}."
        case EntropyRevealed(seat=seat):
            return f"{names[seat]} opens the seal."
        case GameFinished(winners=winners, reason=reason):
            return f"{_listed(winners, names) or 'Nobody'} {_form('win', winners)} ({_plain(reason)})."
        case SeatTimedOut(seat=seat):
            return f"{names[seat]} has let the time run out."
        case GameForfeited(seats=seats, reason=reason):
            return f"{_listed(seats, names)} {_form('forfeit', seats)} the game ({_plain(reason)})."
        case GameVoided(seats=(), reason=reason):
            return f"The game is void ({_plain(reason)})."
        case GameVoided(seats=seats, reason=reason):
            return f"The game is void because of {_listed(seats, names)} ({_plain(reason)})."
        case GameAbandoned(seat=None, reason=reason):
            return f"The game is broken off ({reason})."
        case GameAbandoned(seat=int() as seat, reason=reason):
            return f"{names[seat]} leaves the game and loses it ({reason})."
        case _:
            return None


def _listed(seats: tuple[Seat, ...], names: tuple[str, ...]) -> str:
    return " and ".join(names[seat] for seat in seats)


def _form(verb: str, seats: tuple[Seat, ...]) -> str:
    return verb if len(seats) > 1 else f"{verb}s"


def _plain(reason: str) -> str:
    return reason.replace("_", " ")
