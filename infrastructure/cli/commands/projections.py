"""`fairdeal projections`: read models kept fresh, made anew, and what could not be folded."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated

import typer

from fairdeal.application.projections.results import Progress
from fairdeal.application.wire.encoding import to_plain
from fairdeal.infrastructure.cli.kinds import kinds
from fairdeal.infrastructure.cli.options import JsonOption, LedgerOption, opened
from fairdeal.infrastructure.cli.output import number_of, say, say_json, say_line, watching
from fairdeal.infrastructure.readmodels.beside import beside
from fairdeal.infrastructure.readmodels.read_side import ReadSide
from fairdeal.infrastructure.stop_signals import stop_when_told

app = typer.Typer(
    no_args_is_help=True,
    help="Keeps the read models fresh, or makes them anew.",
    rich_markup_mode=None,
    add_completion=False,
)
ReadModelsOption = Annotated[
    str | None, typer.Option("--read-models", help="Where the read models are, if not beside the ledger.")
]


@contextmanager
def _tables(ledger: str, read_models: str | None) -> Generator[ReadSide]:
    with opened(ledger) as fairdeal:
        where = beside(ledger) if read_models is None else read_models
        read = ReadSide(fairdeal.ledger, fairdeal.codec, kinds(), address=ledger, where=where)
        try:
            yield read
        finally:
            read.close()


@app.command()
def run(ledger: LedgerOption, read_models: ReadModelsOption = None) -> None:
    """Keeps the read models fresh until it is interrupted.

    Exit status: 0 ended when it was told to, 2 it could not begin.
    """
    with _tables(ledger, read_models) as read:
        runner = read.runner()
        stop_when_told(runner)
        say(f"Following {number_of(read.progress().head, 'record')} and whatever comes. Ctrl-C ends it.")
        runner.run()


@app.command()
def rebuild(
    ledger: LedgerOption,
    only: Annotated[
        list[str] | None, typer.Option("--only", help="Only this projection; may be given more than once.")
    ] = None,
    anew: Annotated[bool, typer.Option("--anew", help="Does not go on with a rebuild that was broken off.")] = False,
    read_models: ReadModelsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Folds everything anew while the old tables serve.

    Exit status: 0 rebuilt, 2 not.
    """
    with _tables(ledger, read_models) as read, watching(read.progress().head, "folding") as watch:

        def tell(progress: Progress) -> None:
            watch(progress.position)

        reached = read.rebuild(only=only, progress=tell, resume=not anew)
    if as_json:
        say_json({"position": reached.position, "head": reached.head})
    else:
        say(f"Rebuilt from {number_of(reached.position, 'record')}.")


@app.command()
def status(ledger: LedgerOption, read_models: ReadModelsOption = None, as_json: JsonOption = False) -> None:
    """Says how far the read models have come; nothing is folded.

    Exit status: 0 said, 2 they cannot be read.
    """
    with _tables(ledger, read_models) as read:
        progress = read.progress()
    if as_json:
        say_json({"position": progress.position, "head": progress.head})
    else:
        behind = progress.head - progress.position
        state = "fresh" if behind <= 0 else f"{number_of(behind, 'record')} behind"
        say(f"The read models are {state}: position {progress.position} of {progress.head}.")


@app.command("dead-letters")
def dead_letters(
    ledger: LedgerOption,
    projection: Annotated[str | None, typer.Option(help="Only those of this projection.")] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Tries to fold them first.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=500, help="At most so many.")] = 50,
    read_models: ReadModelsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Lists events that could not be folded.

    Exit status: 0 listed, 2 they cannot be read.
    """
    with _tables(ledger, read_models) as read:
        if retry:
            tried = read.retry_dead_letters(projection=projection)
            if not as_json:
                say(f"{number_of(tried.folded, 'event')} folded, {tried.left} left.")
        found = read.dead_letters(projection=projection, limit=limit).items
    for letter in found:
        if as_json:
            say_json(to_plain(letter))
        else:
            why = letter.error or "waits for an earlier event"
            say_line(f"{letter.projection:<12} {letter.game_id}  {letter.version:>5}  {letter.name}: {why}")
    if not found and not as_json:
        say("There are no dead letters.")
