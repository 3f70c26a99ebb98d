"""The command `fairdeal`."""

import sys

import typer
from rich.console import Console

from fairdeal.domain.kernel.errors import FairdealError
from fairdeal.infrastructure.cli import demo

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)
app.command("demo")(demo.demo)


@app.callback()
def fairdeal() -> None:
    """Card games you can replay, audit and prove fair."""


def main() -> None:
    """Runs the command; what Fairdeal refuses is one sentence, not a traceback."""
    try:
        app()
    except FairdealError as error:
        Console(stderr=True).print(f"[bold red]{error.code}[/]: {error.message}", highlight=False)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
