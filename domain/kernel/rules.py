"""What a kind of game is: one value that holds its rules, its words and its players' eyes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic, Protocol, Self, TypeVar

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft, Evolve
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.places import Place
from fairdeal.domain.kernel.upcast import Upcast


class GameState(Protocol):
    """A plain mutable object that only `evolve` touches."""

    def copy(self) -> Self:
        """A state of its own that shares nothing mutable with this one."""
        ...


StateT = TypeVar("StateT", bound=GameState)
MoveT = TypeVar("MoveT")
OptionsT = TypeVar("OptionsT")
BroughtT = TypeVar("BroughtT")
ViewT = TypeVar("ViewT")


@dataclass(frozen=True, slots=True)
class NoOptions:
    """For games that have nothing to choose."""


def _anything_goes(*_: Any) -> None:
    """The default check: a game without options or things to bring has nothing to refuse."""


def _nothing(*_: Any) -> tuple[()]:
    """The default of what may be brought."""
    return ()


def _as_it_is(state: Any, move: MoveT) -> MoveT:
    """The default spelling: in most games every move can be written in one way only."""
    return move


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup(Generic[OptionsT, BroughtT]):
    """What may be chosen, brought and laid out before the first move."""

    options: type[OptionsT]
    presets: Mapping[str, OptionsT]
    """Named option sets; the first is what one gets without asking."""
    brings: type[BroughtT] | None = None
    """What a player may bring to the table (a deck, a strategy), if anything."""
    brought_such_as: Callable[[OptionsT], Sequence[BroughtT]] = _nothing
    """Some different things that may be brought to a table with these options, if there are any: tests bring them."""
    given_deck: Any
    """The type of a given deck order, `tuple[Card, ...]` in most games."""
    position: type | None = None
    """The event that lays out a position, for tests and puzzles."""
    check_options: Callable[[OptionsT], None] = _anything_goes
    check_size: Callable[[OptionsT, Any | None, int], None] = _anything_goes
    """Refuses options, or a position, that a usual table of so many seats never needs. Asked when a table is opened or
    started by whoever may not have larger ones, never when that is decided again."""
    check_brought: Callable[[OptionsT, BroughtT | None], None] = _anything_goes
    check_position: Callable[[int, Any], None] = _anything_goes
    """Refuses a position that this number of seats cannot play from; strange ones are welcome."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Play(Generic[StateT, MoveT, OptionsT, BroughtT, ViewT]):
    """How the game is played, from the deal to the end."""

    initial_state: Callable[[int, OptionsT, tuple[BroughtT | None, ...]], StateT]
    """The table before the deal: number of seats, options, what each seat brought."""
    deal: Callable[[Draft[StateT], Chance, Any | None], None]
    """Deals from a shuffle, or in the given order."""
    decide: Callable[[Draft[StateT], Seat, MoveT, Chance], None]
    """Refuses the move or says what happens. All guards come before the first event."""
    evolve: Evolve[StateT]
    active: Callable[[StateT], Sequence[Seat]]
    """The seats that may act now."""
    legal: Callable[[StateT, Seat], Sequence[MoveT]]
    """Exactly the moves that `decide` would accept from that seat, in a stable order; a move that names a set of things
    is listed in one order of them, and `decide` takes every order."""
    house_move: Callable[[ViewT, Sequence[MoveT]], MoveT]
    """What is played for a seat whose time has run out, one of its legal moves: what harms nobody, chosen by nobody."""
    canonical_move: Callable[[StateT, MoveT], MoveT] = _as_it_is
    """A move as `legal` would write it, where the rules let one leave out what goes without saying."""
    by_chance: frozenset[type]
    """The events that record what chance gave: where the audit draws another one, the game was not fair."""
    unknown_player_first: bool = False
    """Whether a stranger who acts after the end hears `unknown_player` or `game_over`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Eyes(Generic[StateT, ViewT]):
    """Who sees what."""

    view: Callable[[StateT, Seat | None], ViewT]
    """What a seat, or a spectator (None), may see."""
    redact: Callable[[Any, Seat | None], Any]
    """The event as a seat or spectator may see it: the same event, hidden fields None."""
    places: Callable[[StateT], Sequence[Place]]
    """Every card in every place as if all were open, the same places at all times; decks have their top card first."""
    hidden: Callable[[StateT, Seat | None], Sequence[Any]]
    """The cards that this seat cannot see: exchanging them must change nothing it is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice(Generic[ViewT]):
    """How the game is told to people."""

    tell: Callable[[Any, tuple[str, ...]], str]
    """One English line for an event, redacted or not; the names are those of the seats."""
    about: Callable[[Any], Seat | None]
    """Whom the line of an event is about; None for what happens to the table."""
    render: Callable[[ViewT, tuple[str, ...]], str]
    """The table as text for a terminal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredNames(Generic[MoveT]):
    """The names in stored records, without the kind. A name, once released, keeps its meaning for ever."""

    events: Mapping[str, type]
    moves: Mapping[str, type[MoveT]]
    upcasts: Mapping[str, Upcast] = field(default_factory=dict[str, Upcast])
    """Names of older shapes, and how they become newer ones."""
    event_names: Mapping[type, str] = field(init=False, repr=False, compare=False)
    move_names: Mapping[type, str] = field(init=False, repr=False, compare=False)
    """The same the other way round; of several names for one class, the first."""

    def __post_init__(self) -> None:
        for field_name, named in (("event_names", self.events), ("move_names", self.moves)):
            object.__setattr__(self, field_name, {cls: name for name, cls in reversed([*named.items()])})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Generic[StateT, MoveT, OptionsT, BroughtT, ViewT]):
    """One kind of game. Functions only: no game is kept in here."""

    kind: str
    """The name in stored records and commands, `kings_corners`."""
    title: str
    version: int
    """Raised whenever the same commands would give other events."""
    seats: range
    """How many can play."""
    setup: Setup[OptionsT, BroughtT]
    play: Play[StateT, MoveT, OptionsT, BroughtT, ViewT]
    eyes: Eyes[StateT, ViewT]
    voice: Voice[ViewT]
    stored: StoredNames[MoveT]
    bots: Mapping[str, Callable[[ViewT, Sequence[MoveT], Random], MoveT]]
    """Players that get a view and the legal moves, never the state; the first is the random one."""

    @property
    def how_many(self) -> str:
        """How many can play, in words: `2`, `2 to 6`."""
        fewest, most = self.seats[0], self.seats[-1]
        return f"{fewest}" if fewest == most else f"{fewest} to {most}"


AnyRules = Rules[Any, Any, Any, Any, Any]
