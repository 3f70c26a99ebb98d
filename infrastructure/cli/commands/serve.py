"""`fairdeal serve`: games over HTTP, for programs and for the page."""

import errno
import os
import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from fairdeal.infrastructure.cli.home import make_room
from fairdeal.infrastructure.cli.kinds import kinds, kinds_of, named_kinds
from fairdeal.infrastructure.cli.options import LedgerOption, sqlite_path, text_of
from fairdeal.infrastructure.cli.output import CannotDo, say
from fairdeal.service import Fairdeal


def serve(
    ledger: LedgerOption,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any that is free.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="How many processes.")] = 1,
    read_only: Annotated[bool, typer.Option("--read-only", help="Nothing is written: for copies and reports.")] = False,
    no_bots: Annotated[bool, typer.Option("--no-bots", help="Bots are played by somebody else.")] = False,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="A name to answer for, *.example.org for all below; all without it.")
    ] = None,
    checkpoint_key: Annotated[
        Path | None, typer.Option(help="The secret key that signs checkpoints, NAME.key.")
    ] = None,
) -> None:
    """Serves the games of a ledger over HTTP, with the page.

    Exit status: 0 stopped, 2 it could not be started.
    """
    try:
        from fairdeal.infrastructure.http.serve import AppFactory, listen
        from fairdeal.infrastructure.http.serve import serve as run
    except ModuleNotFoundError as missing:
        raise CannotDo(f"HTTP needs more packages ({missing.name}): pip install 'fairdeal[http]'.") from None
    if workers > 1 and ledger == "memory:":
        raise CannotDo("A ledger in memory has one process only.")
    sqlite_path(ledger)  # or a sentence that helps
    make_room(ledger)
    # What is wrong with the ledger is said before anybody connects.
    Fairdeal(ledger, kinds=kinds(), read_only=read_only).close()
    secret = None if checkpoint_key is None else text_of(checkpoint_key).strip()
    try:
        found = listen(host, port)
    except OSError as error:
        other = " Another --port may be free; 0 takes any." if error.errno == errno.EADDRINUSE else ""
        raise CannotDo(f"{host}, port {port}, cannot be listened at: {error.strerror or error}.{other}") from None
    name, number = found.getsockname()[:2]
    shown = f"[{name}]" if ":" in name else name
    say(f"Fairdeal listens at http://{shown}:{number}/ (process {os.getpid()}).")
    sys.stdout.flush()  # whoever started us waits for the address
    factory = AppFactory(
        ledger,
        read_only=read_only,
        bots=not no_bots,
        hosts=tuple(allow_host or ("*",)),
        checkpoint_key=secret,
        kinds=partial(kinds_of, named_kinds()),
    )
    run(factory, found, workers=workers)
