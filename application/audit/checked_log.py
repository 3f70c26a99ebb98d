"""A log under audit: its records in order, the batches they came in, and what it takes to decide them again."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from fairdeal.application.errors import LedgerError
from fairdeal.application.log.canonical import is_canonical
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.faults import Fault
from fairdeal.application.log.links import NO_LINK, first_bad_link
from fairdeal.application.log.origin import Lookup, NotAtHand, Origin, nobody_else, origin_at
from fairdeal.application.log.reader import going_forward, must_be_in_order, must_fit_links, whole_batches
from fairdeal.application.log.record import Batch, Record
from fairdeal.domain.kernel.rules import AnyRules


class CheckedLog:
    """Records that stand in order; their batches up to the first one that is not whole."""

    def __init__(self, records: Sequence[Record], codec: Codec, others: Lookup = nobody_else) -> None:
        self.records = records
        self.codec = codec
        self.game_id = records[0].game_id
        self._others = others
        must_be_in_order(records)
        try:
            self._seed = codec.seed_of(records[0])
        except LedgerError as error:
            raise Fault(1, error.message) from None
        self.unlinked: Fault | None = None
        try:
            must_fit_links(records, self._seed, NO_LINK)
        except Fault as fault:
            self.unlinked = fault
        self.batches: list[tuple[int, Batch]] = []
        """The version with which each batch begins, and what came with it: once somebody wanted them found."""
        self.broken: Fault | None = None

    def find_batches(self) -> None:
        """Finds the batches, record by record, up to where they are broken."""
        try:
            for found in whole_batches(self._heads()):
                self.batches.append(found)
        except Fault as fault:
            self.broken = fault

    def first_unwritten(self) -> Fault | None:
        """The first record that is not written as Fairdeal writes, whatever it is about."""
        for record in self.records:
            if not is_canonical(record.payload):
                return Fault(record.version, "the payload is not written as Fairdeal writes it")
        return None

    def going_back_in_time(self) -> Fault | None:
        """At the first batch that is older than the one before."""
        try:
            for _ in going_forward(self.batches):
                pass
        except Fault as fault:
            return fault
        return None

    def _heads(self) -> Iterator[Batch | None]:
        kind = self.records[0].name.partition(".")[0] + "."
        for record in self.records:
            if not record.name.startswith(kind):
                raise Fault(record.version, "it is of another kind of game")
            try:
                yield self.codec.batch(record)
            except LedgerError as error:
                raise Fault(record.version, error.message) from None

    @property
    def rules(self) -> AnyRules:
        return self.codec.rules_of(self.records[0])

    def events(self, first: int, batch: Batch) -> list[Any]:
        """The recorded events of a batch, brought up to their newest shapes."""
        events: list[Any] = []
        for record in self.records[first - 1 : first - 1 + batch.size]:
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
