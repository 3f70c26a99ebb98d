"""`fairdeal games`: lists what a ledger holds."""

import sys
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from datetime import datetime
from itertools import islice
from typing import Annotated, Any
from uuid import UUID

import typer

from fairdeal.application.audit.ledger import all_games
from fairdeal.application.errors import LedgerError
from fairdeal.application.projections.errors import ReadModelError
from fairdeal.application.projections.filters import MOST_ITEMS, GamesFilter
from fairdeal.application.projections.results import GameSummary
from fairdeal.domain.kernel.game import Game
from fairdeal.infrastructure.cli.kinds import kinds
from fairdeal.infrastructure.cli.options import (
    JsonOption,
    LedgerOption,
    LimitOption,
    SinceOption,
    UntilOption,
    maybe_moment,
    opened,
)
from fairdeal.infrastructure.cli.output import printable, say_json, say_line
from fairdeal.infrastructure.cli.read_models import catch_up, is_worth_it, read_side
from fairdeal.service import Fairdeal

SCREENFUL = 50
"""Games that a terminal gets without asking for more."""
SHORT = 8

Told = dict[str, Any]


def games(
    ledger: LedgerOption,
    kind: Annotated[str | None, typer.Option(help="Only this kind of game.")] = None,
    phase: Annotated[str | None, typer.Option(help="lobby, sealed, running, finished or abandoned.")] = None,
    player: Annotated[str | None, typer.Option(help="Only games of this player.")] = None,
    turn_of: Annotated[str | None, typer.Option(help="Only games in which this player has to act.")] = None,
    since: SinceOption = None,
    until: UntilOption = None,
    limit: LimitOption = None,
    as_json: JsonOption = False,
) -> None:
    """Lists the games of a ledger, the newest first: ids, dates, players and winners.

    A large ledger is asked through its read models, which are made beside it if they are not there. A terminal gets
    50 games and short ids: any beginning of an id that no other game shares is understood everywhere.

    Exit status: 0 listed, 2 the ledger cannot be read.
    """
    wanted = {"kind": kind, "phase": phase, "player": player, "turn_of": turn_of}
    moments = {"since": maybe_moment(since), "until": maybe_moment(until)}
    asked = GamesFilter.check(kinds(), {**wanted, **moments})
    is_screen = sys.stdout.isatty() and not as_json
    most = limit or (SCREENFUL if is_screen else None)
    with opened(ledger) as fairdeal:
        found = _found(fairdeal, ledger, asked)
        with closing(found):
            shown = islice(found, most)
            if is_screen:
                _show_table(list(shown))
            else:
                _show_lines(shown, as_json=as_json)
            if is_screen and limit is None and next(found, None) is not None:
                say_line(f"… and more: --limit shows more than {SCREENFUL}.")


def _found(fairdeal: Fairdeal, address: str, asked: GamesFilter) -> Generator[Told]:
    if is_worth_it(fairdeal, address):
        try:
            yield from _from_read_models(fairdeal, address, asked)
            return
        except (LedgerError, ReadModelError):
            pass  # damaged: what can be read of each game is said all the same
    yield from _from_records(fairdeal, asked)


def _from_read_models(fairdeal: Fairdeal, address: str, asked: GamesFilter) -> Iterator[Told]:
    read = read_side(fairdeal, address)
    try:
        catch_up(read)
        page = read.games(**_fields(asked))
        while True:
            yield from map(_summary, page.items)
            if page.next is None:
                break
            page = read.games(**_fields(asked), cursor=page.next)
        if asked == GamesFilter():
            unread = {letter.game_id for letter in read.dead_letters(projection="games", limit=MOST_ITEMS).items}
            yield from (described(fairdeal, game) for game in sorted(unread))
    finally:
        read.close()


def _fields(asked: GamesFilter) -> dict[str, Any]:
    names = ("kind", "phase", "player", "turn_of", "since", "until")
    return {"limit": SCREENFUL, **{name: getattr(asked, name) for name in names}}


def _summary(game: GameSummary) -> Told:
    return {
        "game": str(game.id),
        "kind": game.kind,
        "phase": game.phase.value,
        "version": game.version,
        "players": list(game.players),
        "opened_at": _utc(game.opened_at),
        "last_at": _utc(game.last_at),
        "turn": list(game.turn),
        "winners": list(game.winners),
        "reason": game.reason,
    }


def _utc(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def _from_records(fairdeal: Fairdeal, asked: GamesFilter) -> Iterator[Told]:
    """Every game replayed: for ledgers so small that this is quick, and for damaged ones."""
    found, failed = list[Told](), None
    try:
        found.extend(
            told for game in all_games(fairdeal.ledger) if _is_wanted(told := described(fairdeal, game), asked)
        )
    except LedgerError as error:
        failed = error
    yield from sorted(found, key=lambda told: (told["opened_at"] or "", told["game"]), reverse=True)
    if failed is not None:
        raise failed


def described(fairdeal: Fairdeal, found: UUID) -> Told:
    """What a line says of a game; one that cannot be read is for an audit to explain."""
    records = fairdeal.ledger.records(found)
    told: Told = {
        "game": str(found),
        "kind": str(records[0].name).partition(".")[0],
        "phase": "unreadable",
        "version": len(records),
        "players": [],
        "opened_at": None,
        "last_at": None,
        "turn": [],
        "winners": [],
        "reason": None,
    }
    try:
        game = Game.replayed(found, fairdeal.codec.rules_of(records[0]), fairdeal.codec.events(records))
        times = [batch.at for batch in map(fairdeal.codec.batch, records) if batch is not None]
        outcome = game.outcome
        return told | {
            "phase": game.phase.value,
            "players": list(game.players),
            "opened_at": times[0],
            "last_at": times[-1],
            "turn": [game.players[seat] for seat in game.active()],
            "winners": [] if outcome is None else [game.players[seat] for seat in outcome.winners],
            "reason": None if outcome is None else outcome.reason,
        }
    except Exception:
        return told


def _is_wanted(told: Mapping[str, Any], asked: GamesFilter) -> bool:
    opened_at = datetime.fromisoformat(told["opened_at"]) if told["opened_at"] else None
    return (
        asked.kind in (None, told["kind"])
        and asked.phase in (None, told["phase"])
        and (asked.player is None or asked.player in told["players"])
        and (asked.turn_of is None or asked.turn_of in told["turn"])
        and (asked.since is None or (opened_at is not None and opened_at >= asked.since))
        and (asked.until is None or (opened_at is not None and opened_at < asked.until))
    )


def _show_lines(found: Iterable[Told], *, as_json: bool) -> None:
    for told in found:
        if as_json:
            say_json(told)
        else:
            start = f"{told['game']}  {told['kind']:<14} {told['phase']:<10} {told['version']:>6}"
            say_line(f"{start}  {_date(told)}  {', '.join(told['players'])}{_ending(told)}")


def _show_table(found: list[Told]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("game", "kind", "phase", "events", "opened", "players", "won by"):
        table.add_column(
            heading, justify="right" if heading == "events" else "left", no_wrap=heading in ("game", "opened")
        )
    length = _length_of_ids([told["game"] for told in found])
    for told in found:
        winners = [f"★ {name}" for name in told["winners"]] or (["nobody"] if told["reason"] else [])
        cells = [told["game"][:length], told["kind"], told["phase"], str(told["version"]), _date(told)]
        table.add_row(*map(_cell, (*cells, ", ".join(told["players"]), ", ".join(winners))))
    Console(highlight=False).print(table)


def _cell(text: str) -> Any:
    from rich.text import Text

    return Text(printable(text))


def _length_of_ids(ids: list[str]) -> int:
    """So many signs that no two of these ids begin alike."""
    length = SHORT
    while len({one[:length] for one in ids}) < len(set(ids)):
        length += 1
    return length


def _date(told: Mapping[str, Any]) -> str:
    return "–" if told["opened_at"] is None else told["opened_at"][:16].replace("T", " ")


def _ending(told: Mapping[str, Any]) -> str:
    if told["winners"]:
        return f"  won by {', '.join(told['winners'])}"
    return "  nobody won" if told["reason"] else ""
