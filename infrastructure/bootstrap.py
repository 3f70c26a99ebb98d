"""Wiring only: which parts a Fairdeal is made of, and what each of them is given."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from fairdeal.application.catalogue import must_be_a_register
from fairdeal.application.commands.game_cache import GameCache
from fairdeal.application.commands.handlers import CommandHandlers
from fairdeal.application.exports.importer import Importer
from fairdeal.application.exports.writer import Exporter
from fairdeal.application.history.look import Queries
from fairdeal.application.live.new_events import LiveGames
from fairdeal.application.log.codec import Codec
from fairdeal.application.ports import Ledger
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.ledger.addresses import open_ledger
from fairdeal.infrastructure.watcher import Watcher


@dataclass(frozen=True, slots=True)
class Parts:
    """What stands behind the public faces."""

    ledger: Ledger
    codec: Codec
    handlers: CommandHandlers
    queries: Queries
    live: LiveGames
    watcher: Watcher
    exporter: Exporter
    importer: Importer


def assemble(
    address: str,
    *,
    kinds: Mapping[str, AnyRules],
    cached_games: int,
    clock: Callable[[], datetime],
    read_only: bool,
) -> Parts:
    """Opens the ledger at the address and puts everything on it."""
    must_be_a_register(kinds)
    ledger = open_ledger(address, read_only=read_only)
    codec = Codec(kinds)
    cache = GameCache(ledger, codec, room=cached_games)
    queries = Queries(ledger, codec, cache)
    return Parts(
        ledger=ledger,
        codec=codec,
        handlers=CommandHandlers(ledger, codec, cache, kinds, clock=clock),
        queries=queries,
        live=LiveGames(ledger, codec, queries),
        watcher=Watcher(ledger, address),
        exporter=Exporter(ledger, codec),
        importer=Importer(ledger, codec, kinds),
    )
