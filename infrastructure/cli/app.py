"""The command `fairdeal`."""

import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Annotated, Any, TypeVar, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command

from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.infrastructure.cli.output import AS_JSON, FAILED, UNREAD, CannotDo, print_error, say

COMMANDS = {
    "play": "Plays a game against bots, or with people at one keyboard.",
    "resume": "Goes on with a game that was left.",
    "watch": "Follows a game while others play it.",
    "simulate": "Plays many games between bots: win rates, lengths, speed.",
    "tournament": "Plays every bot against every bot.",
    "demo": "Plays games of every kind with bots, then asks, replays and audits.",
    "games": "Lists the games of a ledger.",
    "players": "Shows how players did.",
    "ratings": "Shows the best players of one kind of game.",
    "timeline": "Tells what happened in all games, the newest first.",
    "branch": "Opens a what-if: a finished game goes on from one of its versions.",
    "replay": "Tells a game, or shows its table at a version or a moment.",
    "diff": "Shows where two logs part, or what changed between two versions.",
    "audit": "Audits games, files or a whole ledger: untouched, fair, legal.",
    "verify": "Verifies files without any ledger.",
    "export": "Writes the log of a game as text that anybody can verify.",
    "import": "Takes exported games into a ledger.",
    "checkpoint": "Signed checkpoints of a whole ledger, and proofs.",
    "projections": "Keeps the read models fresh, or makes them anew.",
    "backup": "Copies a running SQLite ledger and proves the copy.",
    "restore": "Puts a backup back, never under running workers.",
    "doctor": "Says what is wrong with an address or an installation.",
    "rules": "Shows the rules of a game.",
    "decks": "Lists, checks, builds and saves trading-card decks.",
    "serve": "Serves games over HTTP, with the page to play them in a browser.",
    "reviiyot": "Plays a configured game of Reviiyot and prints it.",
}
"""The commands, each with its line of the help. Its module is loaded when it is typed: the help loads none of them."""

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
        return command(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 – as click calls it
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: Any) -> Any:
        return with_error_handling(lambda: super(ErrorHandlingGroup, self).invoke(ctx), ctx.meta)


def with_error_handling(act: Callable[[], T], known: Mapping[str, Any]) -> T:
    try:
        return act()
    except FairdealError as error:
        refused = error
    except BadUsage as error:
        if not known[AS_JSON]:
            raise
        refused = CannotDo(cast("typer.BadParameter", error).format_message())
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
        list[str] | None, typer.Option("--kinds", help="Games from outside: MODULE:NAME. May stand anywhere.")
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
