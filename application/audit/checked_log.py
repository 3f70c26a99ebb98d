"""A log under audit: its records in order, the batches they came in, and what it takes to decide them again."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from fairdeal.application.errors import LedgerError
from fairdeal.application.log.canonical import is_canonical
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.faults import Fault
from fairdeal.application.log.links import NO_LINK, first_bad_link
from fairdeal.application.log.origin import Lookup, NotAtHand, Origin, nobody_else, origin_at
from fairdeal.application.log.record import Batch, Record
from fairdeal.domain.kernel.rules import AnyRules


class Log:
    """Records that stand in order; their batches up to the first one that is not whole."""

    def __init__(self, records: Sequence[Record], codec: Codec, others: Lookup = nobody_else) -> None:
        self.records = records
        self.codec = codec
        self.game_id = records[0].game_id
        self._others = others
        self._must_be_in_order()
        try:
            self._seed = codec.seed_of(records[0])
        except LedgerError as error:
            raise Fault(1, error.message) from None
        bad = first_bad_link(self._seed, NO_LINK, records)
        self.unlinked = None if bad is None else Fault(bad.version, "the link does not fit")
        self.batches: list[tuple[int, Batch]] = []
        """Where each batch begins, from 0, and what came with it: once somebody wanted them found."""
        self.broken: Fault | None = None

    def _must_be_in_order(self) -> None:
        mine = self.game_id
        for number, record in enumerate(self.records, 1):
            game_id = record.game_id
            # Most often it is the same object, and comparing ids takes longer than all the rest.
            if record.version != number or (game_id is not mine and game_id != mine):
                raise Fault(number, f"version {record.version} of game {game_id} stands in its place")

    def find_batches(self) -> None:
        """Finds the batches, record by record, or where they are broken."""
        self.broken = self._find_batches()
        if self.broken is not None and self.batches:
            first, batch = self.batches[-1]
            if self.broken.record <= first + batch.size:
                self.batches.pop()

    def first_unwritten(self) -> Fault | None:
        """The first record that is not written as Fairdeal writes, whatever it is about."""
        for record in self.records:
            if not is_canonical(record.payload):
                return Fault(record.version, "the payload is not written as Fairdeal writes it")
        return None

    def _find_batches(self) -> Fault | None:
        batch_of = self.codec.batch
        kind = self.records[0].name.partition(".")[0] + "."
        inside, size = 0, 0
        for record in self.records:
            if not record.name.startswith(kind):
                return Fault(record.version, "it is of another kind of game")
            try:
                batch = batch_of(record)
            except LedgerError as error:
                return Fault(record.version, error.message)
            if inside < size:
                if batch is not None:
                    return Fault(record.version, "a batch begins inside another one")
                inside += 1
            else:
                if batch is None:
                    return Fault(record.version, "it belongs to no batch")
                self.batches.append((record.version - 1, batch))
                inside, size = 1, batch.size
        if inside < size:
            return Fault(len(self.records), f"the batch of {size} records is cut off after it")
        return None

    @property
    def rules(self) -> AnyRules:
        return self.codec.rules_of(self.records[0])

    def events(self, first: int, batch: Batch) -> list[Any]:
        """The recorded events of a batch, brought up to their newest shapes."""
        events: list[Any] = []
        for record in self.records[first : first + batch.size]:
            try:
                events += self.codec.events((record,))
            except LedgerError as error:
                raise Fault(record.version, error.message) from None
        return events

    def seed(self) -> bytes:
        return self._seed

    def origin(self, game_id: UUID, version: int) -> Origin:
        """The game that a branch came from; one that was tampered with is not at hand."""
        records = self._others(game_id)
        try:
            if records and first_bad_link(self.codec.seed_of(records[0]), NO_LINK, records) is None:
                return origin_at(records, self.codec, version)
        except LedgerError:
            pass
        raise NotAtHand
