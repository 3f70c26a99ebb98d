"""`fairdeal audit`: verdicts on games, files and whole ledgers."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from fairdeal.application.audit.verdicts import Grade, Report
from fairdeal.application.errors import TamperedLedger
from fairdeal.application.log.record import Receipt
from fairdeal.infrastructure.cli.commands.checkpoint import KeyOption, audit_against, public_key, read_checkpoint
from fairdeal.infrastructure.cli.options import (
    JsonOption,
    MaybeLedger,
    ReceiptOption,
    game_id,
    is_file,
    opened,
    receipts_of,
    verified,
)
from fairdeal.infrastructure.cli.output import (
    FOUND,
    GOOD,
    UNCHECKED,
    CannotDo,
    number_of,
    print_error,
    say,
    say_line,
    show,
    unused,
    watching,
    worst,
)
from fairdeal.service import Fairdeal

MOST_NAMED = 20
LARGE = 200_000
"""Records from which on it pays to start processes, which takes some half a second of work for each."""


def audit(
    logs: Annotated[list[str] | None, typer.Argument(help="Ids of games, or exported files; without: all.")] = None,
    ledger: MaybeLedger = None,
    receipt: ReceiptOption = None,
    checkpoint: Annotated[Path | None, typer.Option(help="A kept checkpoint that the ledger must still fit.")] = None,
    key: KeyOption = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            help="Processes for a whole ledger; without: one for each core if it is large.", show_default=False
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Audits games, files or a whole ledger: untouched, fair, legal, each with the first bad record and the reason.

    Exit status: 0 nothing bad was found, 1 something was, 2 it could not be audited, 4 the rules of a game are not at
    hand: nothing bad was found, but it was not looked for everywhere.
    """
    if jobs is not None and jobs < 1:
        raise CannotDo(f"--jobs {jobs} makes no sense: it takes at least one process to audit.")
    receipts = receipts_of(receipt)
    kept = None if checkpoint is None else read_checkpoint(checkpoint)
    public = None if key is None else public_key(key)
    try:
        status = _audit(logs, ledger, receipts, jobs, as_json=as_json)
    except TamperedLedger as error:
        # Not a failure of the audit, but its finding.
        print_error(error, as_json=as_json)
        status = FOUND
    if kept is not None:
        with opened(ledger) as fairdeal:
            fits = audit_against(fairdeal, kept, public, as_json=as_json)
            status = worst((status, GOOD if fits else FOUND))
    if status:
        raise typer.Exit(status)


def _audit(
    logs: Sequence[str] | None, ledger: str | None, receipts: Sequence[Receipt], jobs: int | None, *, as_json: bool
) -> int:
    if logs:
        shown = [
            (report.game_id, show(report, file=file, as_json=as_json)) for file, report in _each(logs, ledger, receipts)
        ]
        left = unused(receipts, {game for game, _ in shown}, as_json=as_json)
        return worst((left, *(status for _, status in shown)))
    if ledger is None:
        raise CannotDo("What is to be audited? Give ids of games, exported files, or --ledger for all of one.")
    with opened(ledger) as fairdeal:
        return audit_all(fairdeal, receipts, jobs, as_json=as_json)


def _each(logs: Sequence[str], ledger: str | None, receipts: Sequence[Receipt]) -> Iterator[tuple[Path | None, Report]]:
    """The reports, each with the file that it is about, if it is about one."""
    files = [Path(log) for log in logs if is_file(log)]
    for log in logs:
        if is_file(log):
            # An export that somebody kept must have shown what another of the files has opened.
            others = [file for file in files if file != Path(log)]
            yield from ((Path(log), report) for report in verified(Path(log), receipts, others))
        else:
            with opened(ledger) as fairdeal:
                yield None, fairdeal.audit(game_id(log, fairdeal), receipts)


def audit_all(fairdeal: Fairdeal, receipts: Sequence[Receipt], jobs: int | None, *, as_json: bool) -> int:
    """All games of a ledger: the bad ones in full, the others as numbers, and what the ledger lacks beside them."""
    grades: Counter[str] = Counter()
    undealt: Counter[str] = Counter()
    games = records = bad = unchecked = lacking = 0
    is_whole = True
    head = fairdeal.ledger.head()
    # Closed at once, whatever happens here: processes may be at work behind it.
    # The records are read by position first, and then by game.
    with (
        watching(2 * head, "auditing") as watch,
        closing(fairdeal.audit_all(receipts, jobs=jobs or _jobs_for(head), watch=watch)) as reports,
    ):
        for report in reports:
            is_whole &= report.missing_position is None
            if report.is_of_ledger:
                show(report, as_json=as_json)
                continue
            games += 1
            records += report.records
            watch(head + records)
            bad += report.bad
            undealt.update(in_the_way_of(report))
            lacking += not report.rules_at_hand
            unchecked += report.legal.grade is Grade.NOT_CHECKED
            for name, verdict in (("untouched", report.untouched), ("fair", report.fair), ("legal", report.legal)):
                grades[f"{name}: {verdict.grade.value.replace('_', ' ')}"] += 1
            if as_json or report.bad:
                show(report, as_json=as_json)
    if not as_json:
        doubt = f"nothing bad, but {unchecked} not fully checked" if unchecked else "all good"
        found = [f"{bad} bad"] * (bad > 0) + ["records are missing"] * (not is_whole)
        say(f"{number_of(games, 'game')}, {number_of(records, 'record')}: {', '.join(found) or doubt}.")
        for grade, count in sorted(grades.items()):
            say(f"  {grade:<26} {count}")
        _tell_undealt(undealt)
    return FOUND if bad or not is_whole else UNCHECKED if lacking else GOOD


def in_the_way_of(report: Report) -> Iterator[str]:
    """Who was in the way of a deal, in words, for a table that ended between the closing of its seats and the deal."""
    sealing = report.sealing
    if sealing is not None and sealing.undealt:
        yield f"tables of {sealing.opener}"
        if sealing.broken_off_by is not None:
            yield f"broken off by {sealing.broken_off_by}"
        yield from (f"with the seal of {player} shut" for player in sealing.never_opened)


def _tell_undealt(undealt: Counter[str]) -> None:
    if undealt:
        say("Tables that ended after their seats were closed and before the deal:")
        for who, count in undealt.most_common(MOST_NAMED):
            say_line(f"  {who:<40} {count}")
        if len(undealt) > MOST_NAMED:
            say(f"  and {len(undealt) - MOST_NAMED} more")


def _jobs_for(records: int) -> int:
    """As many as there are cores that this process may use, if the ledger is large."""
    if records < LARGE:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
