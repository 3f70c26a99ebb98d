"""Where the list of games comes from: a glance at fresh tables, the read models, or the records themselves."""

from collections.abc import Generator, Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from fairdeal.application.audit.ledger import all_games
from fairdeal.application.errors import LedgerError
from fairdeal.application.projections.errors import ReadModelError, ReadModelsRolledBack
from fairdeal.application.projections.filters import MOST_ITEMS, GamesFilter
from fairdeal.application.projections.results import GameSummary
from fairdeal.domain.kernel.game import Game
from fairdeal.infrastructure.cli.kinds import kinds
from fairdeal.infrastructure.cli.options import opened
from fairdeal.infrastructure.cli.output import print_note
from fairdeal.infrastructure.cli.read_models import catch_up, is_worth_it, read_side
from fairdeal.infrastructure.readmodels.glance import Wanted
from fairdeal.service import Fairdeal

PAGE = 50
Told = dict[str, Any]


def listed(address: str, wanted: Wanted) -> Generator[Told]:
    """The games of a ledger, the newest first; what cannot be read comes last, each game once."""
    asked = GamesFilter.check(kinds(), asdict(wanted))
    with opened(address) as fairdeal:
        said = set[str]()
        if is_worth_it(fairdeal, address):
            try:
                for told in _from_read_models(fairdeal, address, asked):
                    said.add(told["game"])
                    yield told
                return
            except ReadModelsRolledBack as error:
                print_note(error.message)
            # What is stored there need not be what we stored: no time, no JSON.
            except (LedgerError, ReadModelError, ValueError, TypeError) as error:
                print_note(f"The read models are damaged ({error}); fairdeal projections rebuild makes them anew.")
        yield from (told for told in _from_records(fairdeal, asked) if told["game"] not in said)


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
    return {"limit": PAGE, **{name: getattr(asked, name) for name in names}}


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
