"""`fairdeal checkpoint`: keys, signed checkpoints and proofs that can be verified offline."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from fairdeal.application.checkpoints.proofs import Checkpoint, Evidence, NoProof, NotAProof, from_json, to_json
from fairdeal.application.errors import LedgerError
from fairdeal.infrastructure.checkpoints.edge_file import opened_edge
from fairdeal.infrastructure.cli.options import (
    ErrorsAsJson,
    JsonOption,
    LedgerOption,
    file_at,
    opened,
    receipts_of,
    text_of,
)
from fairdeal.infrastructure.cli.output import FOUND, CannotDo, print_error, say, say_json, say_line, watching
from fairdeal.infrastructure.export_files import whole_file
from fairdeal.service import Fairdeal

app = typer.Typer(
    no_args_is_help=True,
    help="Signed checkpoints of a whole ledger, and proofs.",
    rich_markup_mode=None,
    add_completion=False,
)

KeyOption = Annotated[str | None, typer.Option("--key", help="The public key: a file, or 64 hex digits.")]
HEX_OF_KEY = 64
Output = Annotated[Path | None, typer.Option("--output", "-o", help="A file; without it the output.")]


@app.command()
def keygen(
    name: Annotated[Path, typer.Argument(help="Writes NAME.key (secret) and NAME.pub.")], as_json: JsonOption = False
) -> None:
    """Makes a pair of keys; existing files are left alone.

    Exit status: 0 written, 2 not.
    """
    from fairdeal.infrastructure.checkpoints.signing import new_keys

    if not name.name:
        raise CannotDo("Give a name for the keys, such as house.")
    secret, public = new_keys()
    key, pub = (name.with_name(name.name + ending) for ending in (".key", ".pub"))
    for path in (key, pub):
        if path.exists():
            raise CannotDo(f"{path} exists already.")
    key.touch(mode=0o600)
    key.write_text(secret + "\n", encoding="utf-8")
    pub.write_text(public + "\n", encoding="utf-8")
    if as_json:
        say_json({"secret": str(key), "public": str(pub)})
    else:
        say(f"{key} is secret; give {pub} to everybody.")


@app.command()
def make(
    ledger: LedgerOption,
    key: Annotated[Path, typer.Option("--key", help="The secret key, NAME.key.")],
    output: Output = None,
    edge: Annotated[
        Path | None,
        typer.Option(help="A file of your own, beside the key: the next checkpoint reads only what is new since."),
    ] = None,
    as_json: ErrorsAsJson = False,
) -> None:
    """Signs all that the ledger holds now.

    With --edge it goes on from the last checkpoint that was made so, if the ledger still holds its last record; a
    ledger that was set back is refused, and needs another file.

    Exit status: 0 signed, 2 not.
    """
    from fairdeal.infrastructure.checkpoints.signing import sign

    if key.suffix == ".pub":
        raise CannotDo(f"{key} is a public key; the secret one signs, {key.with_suffix('.key')}.")
    secret = text_of(key).strip()
    with opened(ledger) as fairdeal:
        with watching(fairdeal.ledger.head(), "reading") as watch:
            if edge is None:
                checkpoint = sign(fairdeal.checkpoints.make(watch=watch), secret)
            else:
                with opened_edge(edge) as kept:
                    checkpoint = fairdeal.checkpoints.grow(kept, partial(sign, secret=secret), watch=watch)
        _write(checkpoint, output)


@app.command()
def prove(
    ledger: LedgerOption,
    checkpoint: Annotated[Path, typer.Option(help="The checkpoint to prove it against.")],
    receipt: Annotated[str | None, typer.Option(help="That this receipt's record is in it: GAME:VERSION:LINK.")] = None,
    since: Annotated[Path | None, typer.Option(help="That it continues this older checkpoint.")] = None,
    output: Output = None,
    as_json: ErrorsAsJson = False,
) -> None:
    """Proves a receipt, or that a checkpoint goes on from an older one.

    Exit status: 0 proved, 1 the ledger cannot prove it, 2 it could not be tried.
    """
    if (receipt is None) == (since is None):
        raise CannotDo("Give --receipt, or --since with an older checkpoint.")
    new = read_checkpoint(checkpoint)
    with opened(ledger) as fairdeal:
        try:
            _write(_proof(fairdeal, new, receipt, since), output)
        except NoProof as error:
            print_error(error, as_json=as_json)  # not into the output, where the proof would stand
            raise typer.Exit(FOUND) from None


def _proof(fairdeal: Fairdeal, new: Checkpoint, receipt: str | None, since: Path | None) -> Evidence:
    if since is not None:
        old = read_checkpoint(since)
        if old.size > new.size:
            raise CannotDo(f"{since} is the newer one: give it as --checkpoint, and the older one as --since.")
        with watching(new.position, "reading") as watch:
            return fairdeal.checkpoints.prove_consistency(old, new, watch=watch)
    receipts = receipts_of([receipt or ""])
    if len(receipts) != 1:
        raise CannotDo(f"Give one receipt, not {len(receipts)}.")
    with watching(new.position, "reading") as watch:
        return fairdeal.checkpoints.prove_inclusion(new, receipts[0], watch=watch)


def read_checkpoint(path: Path) -> Checkpoint:
    evidence = from_json(file_at(path).read_bytes())
    if not isinstance(evidence, Checkpoint):
        raise NotAProof(f"{path} is a proof, not a checkpoint.")
    return evidence


def public_key(key: str) -> str:
    """The public key that was given, or stands in the file that was."""
    if Path(key).suffix == ".key":
        raise CannotDo(f"{key} is a secret key; signatures are checked with the public one, NAME.pub.")
    if not Path(key).is_file() and len(key) != HEX_OF_KEY:
        raise CannotDo(f"There is no file {key}, and it is not a public key of {HEX_OF_KEY} hex digits.")
    return text_of(key).strip() if Path(key).is_file() else key


def is_signed_by(checkpoint: Checkpoint, public: str) -> bool:
    """Whether the owner of the public key has signed it."""
    from fairdeal.infrastructure.checkpoints.signing import is_signed

    return is_signed(checkpoint, public)


def audit_against(fairdeal: Fairdeal, checkpoint: Checkpoint, public: str | None, *, as_json: bool) -> bool:
    """Says whether the ledger still begins with what the checkpoint was made over."""
    fault: str | None = None
    doubt = " (whose signature was not checked: no --key was given)" if public is None else ""
    if public is not None and not is_signed_by(checkpoint, public):
        fault = "the checkpoint is not signed by this key"
    else:
        try:
            with watching(checkpoint.position, "reading") as watch:
                fairdeal.checkpoints.must_still_hold(checkpoint, watch=watch)
        except (NoProof, LedgerError) as error:
            fault = error.message
    if as_json:
        say_json({"checkpoint": checkpoint.at, "good": fault is None, "why": fault, "signed": public is not None})
    else:
        found = fault or f"the ledger still holds its {checkpoint.size} batches"
        say_line(f"checkpoint of {checkpoint.at}{doubt}: {found}")
    return fault is None


def _write(evidence: Evidence, output: Path | None) -> None:
    if output is not None and output.is_file():
        raise CannotDo(f"{output} exists already: evidence is not overwritten.")
    if output is None:
        typer.echo(to_json(evidence), nl=False)
    else:
        with whole_file(output) as file:
            file.write(to_json(evidence).encode())
