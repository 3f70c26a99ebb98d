"""Audits of games by their ids, and of a whole ledger, one game after the other."""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from uuid import UUID

from fairdeal.application.audit.fingerprint import fingerprint_of
from fairdeal.application.audit.game import audit
from fairdeal.application.audit.two_walks import Audited, by_position_too
from fairdeal.application.audit.verdicts import Grade, Report, Verdict, bad_at
from fairdeal.application.checkpoints.ledger_walk import Watch, no_progress
from fairdeal.application.errors import FieldFault, InvalidQuery, LedgerError, UnknownGame
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.faults import Fault
from fairdeal.application.log.record import Receipt, Record
from fairdeal.application.ports import Ledger
from fairdeal.domain.kernel.refusals import quoted

PAGE = 500
"""Game ids read at once when a whole ledger is audited."""
GAMES_AHEAD, RECORDS_AHEAD = 16, 500
"""So many games, or so many records of them, are read before they are audited."""

ReadGame = tuple[UUID, Sequence[Record], bytes]
"""A game, its records, and their fingerprint."""


def audit_game(ledger: Ledger, codec: Codec, game_id: UUID, receipts: Iterable[Receipt] = ()) -> Report:
    """Audits one game of a ledger; receipts show a log that was cut short, rewritten as a whole, or is gone."""
    records, kept = ledger.records(game_id), by_game(receipts).get(game_id, [])
    if records:
        return audit(records, codec, kept, ledger.records)
    if kept:
        return next(missing_games({game_id: kept}))
    raise UnknownGame(game_id)


def audit_ledger(
    ledger: Ledger, codec: Codec, receipts: Iterable[Receipt] = (), watch: Watch = no_progress
) -> Generator[Report]:
    """Audits every game of which anything is stored, one after the other, also those that only receipts know."""
    kept = by_game(receipts)
    yield from by_position_too(ledger, codec, audit_games(ledger, codec, all_games(ledger), kept), watch)
    yield from missing_games(kept)


def by_game(receipts: Iterable[Receipt]) -> dict[UUID, list[Receipt]]:
    """The receipts by their games; only these are read here, whatever a caller from Python has given."""
    kept: dict[UUID, list[Receipt]] = {}
    if not isinstance(receipts, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise _not_receipts_error(receipts)
    for receipt in receipts:
        if not isinstance(receipt, Receipt):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise _not_receipts_error(receipt)
        kept.setdefault(receipt.game_id, []).append(receipt)
    return kept


def _not_receipts_error(given: object) -> InvalidQuery:
    return InvalidQuery([FieldFault("receipts", f"expected receipts, not {quoted(given)}")])


def audit_games(
    ledger: Ledger, codec: Codec, game_ids: Iterable[UUID], kept: dict[UUID, list[Receipt]]
) -> Iterator[Audited]:
    """Audits these games of a ledger; their receipts are taken out of those that were kept."""
    for game_id, records, fingerprint in read_ahead(ledger, game_ids):
        receipts = kept.pop(game_id, ()) if kept else ()
        if records:
            yield audit(records, codec, receipts, ledger.records), fingerprint
        else:  # as when an index of the database is damaged
            gone = Fault(1, "the ledger lists this game, but none of its records is found")
            yield _gone(game_id, gone), fingerprint


def read_ahead(ledger: Ledger, game_ids: Iterable[UUID]) -> Iterator[ReadGame]:
    """The records of these games, of several short ones before the first is audited: a processor is quicker at the same
    work sixteen times than at reading and auditing in turns."""
    read: list[ReadGame] = []
    ahead = 0
    try:
        for game_id in game_ids:
            records = ledger.records(game_id)
            read.append((game_id, records, fingerprint_of(records)))
            ahead += len(records)
            if len(read) == GAMES_AHEAD or ahead >= RECORDS_AHEAD:
                yield from read
                read, ahead = [], 0
    except LedgerError:
        yield from read  # what was read before the error is told before it
        raise
    yield from read


def missing_games(kept: Mapping[UUID, Sequence[Receipt]]) -> Iterator[Report]:
    """What is to be said of games that only receipts know."""
    for game_id, lost in kept.items():
        yield _gone(game_id, Fault(lost[0].version, "a receipt exists for this game, but the game is missing"))


def _gone(game_id: UUID, fault: Fault) -> Report:
    nothing = Verdict(Grade.NOT_CHECKED, "the game is missing")
    return Report(game_id, "", 0, bad_at(fault), nothing, nothing)


def all_games(ledger: Ledger) -> Iterator[UUID]:
    """The ids of all games, in their order; only a page of them is in memory."""
    last: UUID | None = None
    while page := ledger.game_ids(last, PAGE):
        yield from page
        last = page[-1]
