"""`fairdeal.exports`: logs as files that anybody can verify, and back (docs/format.md)."""

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

from fairdeal.application.audit.ledger import all_games
from fairdeal.application.errors import LedgerError
from fairdeal.application.exports.importer import Imported, Importer
from fairdeal.infrastructure.bootstrap import Parts
from fairdeal.infrastructure.export_files import lines_of


class Exports:
    """Gives out and takes in whole games."""

    def __init__(self, parts: Parts, game_id_of: Callable[[UUID | str], UUID]) -> None:
        self._parts = parts
        self._game_id_of = game_id_of

    def export(self, game_id: UUID | str, player: str | None = None, *, operator: bool = False) -> str:
        """The log of one game as text that anybody can verify; the operator's shows all secrets."""
        return "".join(self._parts.exporter.export(self._game_id_of(game_id), player, operator=operator))

    def export_all(
        self, *, operator: bool = False, damaged: Callable[[LedgerError], None] | None = None
    ) -> Iterator[str]:
        """The logs of all games one after the other, line by line.

        A game that was tampered with is an error, or is left out and told to `damaged`.
        """
        games = all_games(self._parts.ledger)
        while True:
            try:
                yield from self._parts.exporter.export(next(games), operator=operator)
            except StopIteration:
                return
            except LedgerError as error:  # also of rows that belong to no game, at the end of all games
                if damaged is None:
                    raise
                damaged(error)

    @property
    def importer(self) -> Importer:
        """Takes in exported games: `check` a source of lines first, then `store` it."""
        return self._parts.importer

    def import_games(self, path: str | Path) -> list[Imported]:
        """Takes in a file of exported games; checks all of them before it stores any."""
        source, importer = lines_of(path), self.importer
        for _ in importer.check(source):
            pass
        return list(importer.store(source))
