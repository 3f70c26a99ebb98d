"""The command `fairdeal`."""

import os
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Annotated, Any, TypeVar, cast

import typer
from typer.core import TyperGroup

from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.infrastructure.cli.commands import (
    audit,
    branch,
    checkpoint,
    demo,
    diff,
    export,
    games,
    import_games,
    replay,
    reviiyot,
    serve,
    verify,
)
from fairdeal.infrastructure.cli.output import AS_JSON, FAILED, UNREAD, CannotDo, print_error, say

T = TypeVar("T")
BadUsage = cast("type[Exception]", typer.BadParameter.__bases__[0])
"""What people type and no command has; typer brings its own click along and does not name this."""


class ErrorHandlingGroup(TyperGroup):
    """What Fairdeal refuses is one sentence and status 2, not a traceback."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        known = {AS_JSON: "--json" in args}
        # Help is written in here.
        made = with_error_handling(
            lambda: super(ErrorHandlingGroup, self).make_context(info_name, args, parent, **extra), known
        )
        made.meta.update(known)
        return made

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


def let_go_of_the_output() -> None:
    """Nothing more can be said there, not even by Python on its way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


app = typer.Typer(cls=ErrorHandlingGroup, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)
app.command("demo")(demo.demo)
app.command("games")(games.games)
app.command("branch")(branch.branch)
app.command("replay")(replay.replay)
app.command("diff")(diff.diff)
app.command("audit")(audit.audit)
app.command("verify")(verify.verify)
app.command("export")(export.export)
app.command("import")(import_games.import_games)
app.add_typer(checkpoint.app, name="checkpoint")
app.command("serve")(serve.serve)
app.command("reviiyot")(reviiyot.reviiyot)


def _tell_version(wanted: bool) -> None:
    if wanted:
        say(f"fairdeal {version('fairdeal')}")
        raise typer.Exit


@app.callback(
    epilog="Exit status: 0 done and good, 1 something was found (a log was touched, two logs differ), "
    "2 it could not be done, 3 a game of reviiyot that never ends, 130 interrupted, 141 nobody read to the end."
)
def fairdeal(
    _: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Card games you can replay, audit and prove fair."""


def main() -> None:
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
