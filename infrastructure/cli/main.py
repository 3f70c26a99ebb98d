"""The command `fairdeal`."""

import sys
from typing import Any

import typer
from typer.core import TyperGroup

from fairdeal.domain.kernel.errors import FairdealError
from fairdeal.infrastructure.cli import auditing, checkpoints, demo, exporting, games, replaying, reviiyot_command
from fairdeal.infrastructure.cli.common import FAILED, CannotDo, complain


class PoliteGroup(TyperGroup):
    """What Fairdeal refuses is one sentence and status 2, not a traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except FairdealError as error:
            complain(error)
        except OSError as error:
            if isinstance(error, BrokenPipeError):
                raise
            complain(CannotDo(f"{error.filename or 'A file'} cannot be used: {error.strerror or error}."))
        raise typer.Exit(FAILED)


app = typer.Typer(cls=PoliteGroup, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)
app.command("demo")(demo.demo)
app.command("games")(games.games)
app.command("branch")(games.branch)
app.command("replay")(replaying.replay)
app.command("diff")(replaying.diff)
app.command("audit")(auditing.audit)
app.command("verify")(auditing.verify)
app.command("export")(exporting.export)
app.command("import")(exporting.take_in)
app.add_typer(checkpoints.app, name="checkpoint")
app.command("reviiyot")(reviiyot_command.reviiyot)


@app.callback(
    epilog="Exit status: 0 done and good, 1 something was found (a log was touched, two logs differ), "
    "2 it could not be done, 3 a game of reviiyot that never ends, 130 interrupted."
)
def fairdeal() -> None:
    """Card games you can replay, audit and prove fair."""


def main() -> None:
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
