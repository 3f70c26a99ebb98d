"""The command `fairdeal`."""

import os
import sys
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Annotated, Any, TypeVar, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command

from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.infrastructure.cli.output import AS_JSON, FAILED, UNREAD, CannotDo, print_error, printable, say

GROUPS: dict[str, dict[str, str]] = {
    "Play": {
        "play": "Plays against bots, or with people at one keyboard.",
        "resume": "Goes on with a game that was left.",
        "watch": "Follows a game while others play it.",
        "rules": "Shows the rules of a game, and which games there are.",
        "decks": "Lists, checks, builds and saves trading-card decks.",
        "serve": "Serves games over HTTP, with the page for browsers.",
    },
    "Bots": {
        "simulate": "Plays many games: win rates, lengths, speed.",
        "tournament": "Plays every bot against every bot.",
        "demo": "Plays every game, then asks, replays and audits.",
        "reviiyot": "Plays a configured game of Reviiyot and prints it.",
    },
    "Look": {
        "games": "Lists the games of a ledger.",
        "replay": "Tells a game, or steps through it.",
        "players": "Shows how players did.",
        "ratings": "Shows the best players of one kind of game.",
        "timeline": "Tells what happened in all games, the newest first.",
        "diff": "Shows where two logs part, or two versions.",
        "branch": "Opens a what-if from a version of a finished game.",
    },
    "Prove": {
        "audit": "Audits games or a ledger: untouched, fair, legal.",
        "verify": "Verifies exported files without any ledger.",
        "export": "Writes the log of a game, for anybody to verify.",
        "import": "Takes exported games into a ledger.",
        "checkpoint": "Signed checkpoints of a whole ledger, and proofs.",
    },
    "Keep": {
        "projections": "Keeps the read models fresh, or makes them anew.",
        "backup": "Copies a running SQLite ledger and proves the copy.",
        "restore": "Puts a backup back, never under running workers.",
        "doctor": "Says what is wrong with a ledger or an installation.",
    },
}
COMMANDS = {name: line for group in GROUPS.values() for name, line in group.items()}
"""The commands, each with its line of the help. Its module is loaded when it is typed: the help loads none of them."""

MISSING = {
    "Missing argument 'kind'.": "Which game? Such as red7: fairdeal rules lists them.",
    "Missing argument 'game'.": "Which game? fairdeal games lists them; the beginning of an id will do.",
    "Missing argument 'log'.": "Which game? fairdeal games lists them; the beginning of an id, or an exported file.",
    "Missing argument 'version'.": "From which version? fairdeal replay tells what happened at each.",
    "Missing argument 'files'.": "Which file? fairdeal export writes one for a game.",
    "Missing option '--bots'.": "Which bots? Such as --bots careful,random: fairdeal rules lists them.",
}
"""What to say instead of the parser, where people need to know what there is."""

MODULES = {"import": "import_games"}
"""Where a command cannot be the name of a module."""

T = TypeVar("T")
BadUsage = cast("type[Exception]", typer.BadParameter.__bases__[0])
"""What people type and no command has; typer brings its own click along and does not name this."""


class ErrorHandlingGroup(TyperGroup):
    """What Fairdeal refuses is one sentence and status 2, not a traceback."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        known = {AS_JSON: "--json" in args}
        args, named = without_kinds(args)
        if named:
            from fairdeal.infrastructure.cli.kinds import name_kinds

            name_kinds(named)
        # Help is written in here.
        made = with_error_handling(
            lambda: super(ErrorHandlingGroup, self).make_context(info_name, args, parent, **extra), known
        )
        made.meta.update(known)
        return made

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 – as click calls it
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 – as click calls it
        if cmd_name in COMMANDS:
            return command(cmd_name)
        # What begins with a dash is an option, which the parser knows more about.
        if not cmd_name.startswith("-"):
            raise CannotDo(f"There is no command {printable(cmd_name)!r}{_meant(cmd_name)}")
        return None

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 – as click calls it
        width = max(map(len, COMMANDS))
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), line) for name, line in group.items()])

    def invoke(self, ctx: Any) -> Any:
        return with_error_handling(lambda: super(ErrorHandlingGroup, self).invoke(ctx), ctx.meta)


def with_error_handling(act: Callable[[], T], known: Mapping[str, Any]) -> T:
    try:
        return act()
    except FairdealError as error:
        refused = error
    except BadUsage as error:
        told = cast("typer.BadParameter", error).format_message()
        missing = MISSING.get(told)
        if missing is None and not known[AS_JSON]:
            raise
        refused = CannotDo(missing or told)
    except BrokenPipeError:
        # Whoever read has seen enough.
        let_go_of_the_output()
        raise typer.Exit(UNREAD) from None
    except OSError as error:
        if error.filename is None:
            let_go_of_the_output()
        refused = CannotDo(f"{error.filename or 'The output'} cannot be used: {error.strerror or error}.")
    print_error(refused, as_json=known[AS_JSON])
    raise typer.Exit(FAILED)


def _meant(word: str) -> str:
    close = get_close_matches(word, COMMANDS, n=1)
    return f": did you mean {close[0]}?" if close else ": fairdeal --help lists them."


def without_kinds(arguments: list[str]) -> tuple[list[str], list[str]]:
    """--kinds may stand anywhere, for it is about all commands: the other arguments, and what it names."""
    others, named = list[str](), list[str]()
    words = iter(arguments)
    for word in words:
        if word == "--kinds":
            named.append(next(words, ""))
        elif word.startswith("--kinds="):
            named.append(word.removeprefix("--kinds="))
        else:
            others.append(word)
    return others, named


def let_go_of_the_output() -> None:
    """Nothing more can be said there, not even by Python on its way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def command(name: str) -> Any:
    """The command of this name, from its own module: a function, or an `app` with commands of its own."""
    stem = MODULES.get(name, name)
    module = import_module(f"fairdeal.infrastructure.cli.commands.{stem}")
    group: typer.Typer | None = getattr(module, "app", None)
    if group is None:
        group = typer.Typer(rich_markup_mode=None, add_completion=False)
        group.command(name)(getattr(module, stem))
    return get_command(group)


app = typer.Typer(cls=ErrorHandlingGroup, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)


def _tell_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        say(f"fairdeal {version('fairdeal')}")
        raise typer.Exit


@app.callback(
    epilog="Exit status: 0 done and good, 1 something was found (a log was touched, two logs differ), "
    "2 it could not be done, 3 a game of reviiyot that never ends, "
    "4 the rules of a game are not at hand, 130 interrupted, 141 nobody read to the end."
)
def fairdeal(
    _: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    _kinds: Annotated[
        list[str] | None, typer.Option("--kinds", metavar="MODULE:NAME", help="Games from outside; may stand anywhere.")
    ] = None,
) -> None:
    """Card games you can replay, audit and prove fair."""


def main() -> None:
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
