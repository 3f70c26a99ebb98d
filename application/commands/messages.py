"""The commands: what somebody wants to happen, with an id so that saying it twice does it once."""

from typing import Annotated, Any, cast
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StrictInt, ValidationError

from fairdeal.application.commands.command_ids import CommandIds
from fairdeal.application.commands.validation import fault_of
from fairdeal.application.errors import HIGHEST, FieldFault, InvalidCommand
from fairdeal.domain.kernel.lifecycle import Spectators
from fairdeal.domain.kernel.refusals import quoted

LONGEST_TEXT = 200
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]


def _must_be_one_line(text: str) -> str:
    if not text.isprintable():
        raise ValueError("expected one line of printable characters")
    return text


Reason = Annotated[Text, AfterValidator(_must_be_one_line)]
"""Everybody reads it in the story of the game: it must not look like another line of that."""


BotName = Annotated[str, Field(pattern=r"^[^:\s]{1,64}$")]


_IDS = CommandIds()


class Command(BaseModel):
    """What all commands carry: who acts, and an id that makes repeating safe."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    player: Text
    command_id: Text = Field(default_factory=_IDS.new)

    def __init__(self, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            raise InvalidCommand(COMMAND_NAMES[type(self)], [fault_of(fault) for fault in error.errors()]) from None

    # For what does not come from Python the library calls its own, which takes fields of any name.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]


class GameCommand(Command):
    """A command to an existing game, refused if the game is not at the expected version any more."""

    game_id: UUID
    expected_version: int | None = Field(default=None, ge=0, le=HIGHEST)


class OpenGame(Command):
    """Open a table; nobody sits there yet. Options: a preset's name, or fields."""

    kind: Text
    options: Any = None
    clock: Any = None
    """`{"move_seconds": 60, "bank_seconds": 0, "on_timeout": "house_move" or "forfeit"}`; none if it is not given."""
    rated: StrictBool | None = None
    """Whether the result counts; it does if nothing else is said."""
    spectators: Spectators | None = None
    """Who may watch; everybody if nothing else is said."""


class QuickStart(Command):
    """Open a table, seat everybody and deal, all in one: for those who need no lobby. It is rated only if nobody is
    seated by somebody else."""

    kind: Text
    players: tuple[Text, ...]
    options: Any = None
    brings: dict[Text, Any] = Field(default_factory=dict)
    deck: Any = None
    position: Any = None
    clock: Any = None
    rated: StrictBool | None = None
    spectators: Spectators | None = None


class BranchGame(Command):
    """Open a what-if: a finished game goes on from one of its versions as a game of its own."""

    origin: UUID
    version: Annotated[StrictInt, Field(ge=1, le=HIGHEST)]


class JoinGame(GameCommand):
    """Take the next seat, with what one brings and, to take part in the shuffle, a seal."""

    brings: Any = None
    seal: Annotated[str, Field(max_length=LONGEST_TEXT)] | None = None


class AddBot(GameCommand):
    """Give the next seat to a bot, which plays as `bot:NAME:1`."""

    bot: BotName
    brings: Any = None


class StartGame(GameCommand):
    """Close the seats and deal: from a shuffle, a given deck order or a position."""

    deck: Any = None
    position: Any = None


class RevealEntropy(GameCommand):
    """Open one's seal: the entropy in hex."""

    entropy: Annotated[str, Field(pattern=r"^([0-9a-f]{2}){16,64}$")]


class MakeMove(GameCommand):
    """A move as `{"move": name, …}` or as the game's own move object."""

    move: Any


class LeaveGame(GameCommand):
    """Stand up; whoever leaves a started game loses it."""

    reason: Reason = "left"


class AbandonGame(GameCommand):
    """Break the game off for everybody."""

    reason: Reason = "abandoned"


class ClaimTimeout(GameCommand):
    """Say that a seat's time has run out."""

    seat: Annotated[StrictInt, Field(ge=0)]


class VoidGame(GameCommand):
    """End a game without a loser: for whoever runs the house."""

    reason: Reason


COMMANDS: dict[str, type[Command]] = {
    "open_game": OpenGame,
    "quick_start": QuickStart,
    "branch_game": BranchGame,
    "join_game": JoinGame,
    "add_bot": AddBot,
    "start_game": StartGame,
    "reveal_entropy": RevealEntropy,
    "make_move": MakeMove,
    "leave_game": LeaveGame,
    "abandon_game": AbandonGame,
    "claim_timeout": ClaimTimeout,
    "void_game": VoidGame,
}
COMMAND_NAMES = {cls: name for name, cls in COMMANDS.items()}


def parse_command(data: object) -> Command:
    """A command as it is, or from outside as `{"command": name, …}`."""
    if isinstance(data, Command):
        return data
    if not isinstance(data, dict):
        raise InvalidCommand("command", [FieldFault("command", 'expected an object like {"command": name, …}')])
    fields = dict(cast("dict[str, Any]", data))
    name = fields.pop("command", None)
    if not isinstance(name, str) or name not in COMMANDS:
        known = ", ".join(COMMANDS)
        raise InvalidCommand("command", [FieldFault("command", f"there is no {quoted(name)}, expected one of {known}")])
    try:
        return COMMANDS[name].model_validate(fields)
    except ValidationError as error:
        raise InvalidCommand(name, [fault_of(fault) for fault in error.errors()]) from None
