"""Wiring only: which parts a Fairdeal is made of, and what each of them is given."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from fairdeal.application.catalogue import must_be_a_register
from fairdeal.application.commands.game_cache import GameCache
from fairdeal.application.commands.handlers import CommandHandlers
from fairdeal.application.commands.policy import Policy
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
    """What the public faces are made of."""

    ledger: Ledger
    codec: Codec
    cache: GameCache
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
    cache_megabytes: float,
    cached_games: int | None,
    large_tables: bool,
    clock: Callable[[], datetime],
    read_only: bool,
    policy: Policy,
    operators: Collection[str],
    patience: float,
) -> Parts:
    """Opens the ledger at the address and puts everything on it."""
    must_be_a_register(kinds)
    ledger = open_ledger(address, read_only=read_only, patience=patience)
    codec = Codec(kinds)
    cache = GameCache(ledger, codec, room=int(cache_megabytes * 2**20), most=cached_games)
    queries = Queries(ledger, codec, cache)
    return Parts(
        ledger=ledger,
        codec=codec,
        cache=cache,
        handlers=CommandHandlers(
            ledger,
            codec,
            cache,
            kinds,
            clock=clock,
            patience=patience,
            policy=policy,
            operators=operators,
            large_tables=large_tables,
        ),
        queries=queries,
        live=LiveGames(ledger, codec, queries),
        watcher=Watcher(ledger, address),
        exporter=Exporter(ledger, codec),
        importer=Importer(ledger, codec, kinds),
    )
