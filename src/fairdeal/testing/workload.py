"""A ledger full of played games, quickly: the records that real commands would have left."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID, uuid5

from fairdeal.application.catalogue import KINDS
from fairdeal.application.commands import validation
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.links import NO_LINK, NOTHING_YET, Head, link_batch
from fairdeal.application.log.record import Batch, Record
from fairdeal.application.ports import Ledger
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.rules import AnyRules

START = datetime(2026, 1, 1, tzinfo=UTC)
SPACE = UUID(int=1)
TOGETHER = 10
"""At least so many records of one game per append: a commit for each command would take too long."""


class Script:
    """One game, played by bots, command by command."""

    def __init__(self, rules: AnyRules, number: int, players: int) -> None:
        self.rng = Random(number)
        names = self.rng.sample(range(players), self.rng.choice([n for n in rules.seats if n <= 4]))
        self.players = [f"player {name}" for name in names]
        self.link = NO_LINK
        options = next(iter(rules.setup.presets.values()))
        game_id = uuid5(SPACE, f"{rules.kind} {number}")
        self.game = Game.open(game_id, rules, self.players[0], options, self.rng.randbytes(32))
        self.at = START + timedelta(seconds=number)

    def commands(self, codec: Codec) -> Iterator[list[Record]]:
        yield self._store(codec, {"do": "quick_start"}, self.players[0], self._start)
        rules = self.game.rules
        bot = next(iter(rules.bots.values()))
        while active := self.game.active():
            seat = active[0]
            state = self.game.state
            move = bot(rules.eyes.view(state, seat), rules.play.legal(state, seat), self.rng)
            player = self.players[seat]
            stored = validation.move_to_plain(rules, move)
            yield self._store(codec, stored, player, lambda player=player, move=move: self.game.move(player, move))

    def _start(self) -> None:
        for player in self.players:
            self.game.join(player)
        self.game.start(self.players[0])

    def _store(self, codec: Codec, command: dict[str, Any], by: str, act: Any) -> list[Record]:
        act()
        events = self.game.collect_events()
        before = self.game.version - len(events)
        self.at += timedelta(milliseconds=1)
        at = self.at.isoformat(timespec="microseconds").replace("+00:00", "Z")
        batch = Batch(at, by, f"c{before}", command, self.game.rules.version, len(events))
        written = codec.write(self.game.rules, events, batch)
        records = link_batch(self.game.seed, self.link, self.game.id, before, written)
        self.link = records[-1].link
        return records


def fill(
    ledger: Ledger,
    codec: Codec,
    events: int,
    *,
    games: Mapping[str, AnyRules] = KINDS,
    tables: int = 50,
    players: int = 200,
    first: int = 0,
) -> int:
    """Stores about so many events of games that run side by side at so many tables."""
    number, stored = first, 0
    kinds = list(games.values())
    running: list[Iterator[list[Record]]] = []
    heads: dict[UUID, Head] = {}
    rng = Random(first)
    while stored < events:
        while len(running) < tables:
            running.append(Script(kinds[number % len(kinds)], number, players).commands(codec))
            number += 1
        at = rng.randrange(len(running))
        records: list[Record] = []
        for batch in running[at]:
            records += batch
            if len(records) >= TOGETHER:
                break
        if not records:
            del running[at]
            continue
        game_id = records[0].game_id
        ledger.append(records, continues=heads.get(game_id, NOTHING_YET))
        heads[game_id] = records[-1].version, records[-1].link
        stored += len(records)
    return stored
