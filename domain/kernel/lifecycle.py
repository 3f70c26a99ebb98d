"""The events every game shares: a table opens, people sit down, the game starts and ends."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Generic, TypeGuard, TypeVar

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


@dataclass(frozen=True, slots=True)
class GameOpened(Generic[OptionsT]):
    """A table is open. The seed is hidden until the end; its digest is shown from the start."""

    opener: str
    options: OptionsT
    commitment: str
    seed: str | None
    chance: int


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


def is_opening(event: object) -> TypeGuard[GameOpened[Any]]:
    """Whether a game can begin with this event."""
    return type(event) is GameOpened


LIFECYCLE_EVENTS: dict[str, type] = {
    "game_opened.v1": GameOpened,
    "player_seated.v1": PlayerSeated,
    "player_left.v1": PlayerLeft,
    "game_started.v1": GameStarted,
    "game_branched.v1": GameBranched,
    "entropy_revealed.v1": EntropyRevealed,
    "game_finished.v1": GameFinished,
    "game_abandoned.v1": GameAbandoned,
}
"""Stored names, without the kind of game that stands before them."""

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
        case EntropyRevealed(seat=seat) | GameAbandoned(seat=int() as seat):
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
            who = " and ".join(names[seat] for seat in winners) or "Nobody"
            return f"{who} {'win' if len(winners) > 1 else 'wins'} ({reason.replace('_', ' ')})."
        case GameAbandoned(seat=None, reason=reason):
            return f"The game is broken off ({reason})."
        case GameAbandoned(seat=int() as seat, reason=reason):
            return f"{names[seat]} leaves the game and loses it ({reason})."
        case _:
            return None
