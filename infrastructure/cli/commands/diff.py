"""`fairdeal diff`: what two versions of a game, or two logs, do not share."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from fairdeal.application.commands import validation
from fairdeal.application.exports.divergence import ShownLog, divergence
from fairdeal.application.history.diff import TABLE, Difference
from fairdeal.application.history.replay import Replay
from fairdeal.infrastructure.cli.commands.replay import LogArgument, OpenOption, as_said, replay_of
from fairdeal.infrastructure.cli.kinds import codec
from fairdeal.infrastructure.cli.options import JsonOption, MaybeLedger, ViewerOption, is_file, records_of
from fairdeal.infrastructure.cli.output import FOUND, CannotDo, say, say_json
from fairdeal.infrastructure.export_files import shown_in


def diff(
    log: LogArgument,
    other: Annotated[str | None, typer.Argument(help="Another log: where do the two part?")] = None,
    ledger: MaybeLedger = None,
    start: Annotated[int | None, typer.Option("--from", help="One version …")] = None,
    end: Annotated[int | None, typer.Option("--to", help="… and another: what changed between them?")] = None,
    viewer: ViewerOption = None,
    open_cards: OpenOption = False,
    as_json: JsonOption = False,
) -> None:
    """Shows where two logs part, or what changed on the table between two versions of one.

    Exit status: 0 no difference, 1 a difference, 2 it could not be compared.
    """
    if other is not None:
        if open_cards or start is not None or end is not None:
            raise CannotDo("Two logs are compared as they are: --from, --to and --open are for one.")
        part = divergence(_log(log, ledger), _log(other, ledger), codec(), viewer)
        found = None if part is None else validation.plain(part)
        plain: dict[str, Any] = {"parting": found}
        lines = list(_divergence_lines(found))
    elif start is not None and end is not None:
        game = replay_of(log, ledger, viewer, open_cards=open_cards)
        changes = game.difference(start, end)
        plain = {"changes": [validation.plain(change) for change in changes]}
        lines = [_change_line(game, change) for change in changes]
    else:
        raise CannotDo("Give another log, or two versions with --from and --to.")
    if as_json:
        say_json(plain)
    else:
        say("\n".join(lines) or "No difference.")
    if lines:
        raise typer.Exit(FOUND)


def _log(log: str, ledger: str | None) -> ShownLog:
    return shown_in(Path(log)) if is_file(log) else ShownLog(records_of(log, ledger))


def _divergence_lines(found: dict[str, Any] | None) -> Iterator[str]:
    if found is not None:
        version = found["version"]
        yield f"The logs part at record {version}:" if version else "All records are the same, the first lines are not:"
        for sign, line in (("-", found["one"]), ("+", found["other"])):
            yield f"{sign} {'the log has ended' if line is None else _record_line(line)}"


def _record_line(line: dict[str, Any]) -> str:
    event = json.dumps(line["event"], ensure_ascii=False) if "event" in line else None
    return " ".join(part for part in (line["name"], line.get("payload") or event, line["link"]) if part)


def _change_line(game: Replay, change: Difference) -> str:
    if change.path != TABLE:
        return f"{change.path}: {as_said(change.before)} → {as_said(change.after)}"
    if change.after is None:
        return "The table is not laid yet."
    return f"The table is laid:\n{game.game.rules.voice.render(change.after, game.game.players)}"
