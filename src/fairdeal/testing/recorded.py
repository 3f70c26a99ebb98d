"""Whole games as records, made without a database: to fill ledgers, and to forge logs for tests of audits."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

from fairdeal.application.catalogue import KINDS
from fairdeal.application.commands import validation
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.game_ids import game_id_of
from fairdeal.application.log.links import NO_LINK, link_batch
from fairdeal.application.log.record import Batch, Record
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import Terms
from fairdeal.domain.kernel.rules import AnyRules

CODEC = Codec(KINDS)
PLAYERS = ("ann", "bob", "cleo")


def recorded_games(events: int) -> Iterator[list[Record]]:
    """Games of all kinds, about as many events of each, until so many are recorded."""
    made = dict.fromkeys(KINDS, 0)
    for number in count():
        if sum(made.values()) >= events:
            return
        kind = min(made, key=made.__getitem__)
        records = recorded_game(KINDS[kind], number)
        made[kind] += len(records)
        yield records


def recorded_game(
    rules: AnyRules, number: int = 0, *, most: int | None = None, deck: Any = None, codec: Codec = CODEC
) -> list[Record]:
    """A game played at random, to its end unless it is stopped, exactly as the handlers would record it."""
    rng = Random(f"{rules.kind} {number}")
    players = PLAYERS[: max(2, min(3, rules.seats[-1]))]
    opened_by = f"open-{rules.kind}-{number}"
    game_id = game_id_of(players[0], opened_by)
    options = next(iter(rules.setup.presets.values()))
    game = Game.open(game_id, rules, players[0], options, rng.randbytes(32), terms=Terms(rated=False))
    game.seat_all(players)
    game.start(players[0], deck=deck)
    command = {"do": "quick_start", "kind": rules.kind, "options": validation.plain(options), "players": list(players)}
    if deck is not None:
        command["deck"] = validation.plain(deck)
    records = _written(codec, game, _Sent(players[0], opened_by, command), ())
    while (active := game.active()) and (most is None or len(records) < most):
        player = game.players[rng.choice(active)]
        move = rng.choice(game.legal(player))
        game.move(player, move)
        sent = _Sent(player, f"command-{len(records)}", validation.move_to_plain(rules, move))
        records += _written(codec, game, sent, records)
    return records


class _Sent(NamedTuple):
    player: str
    id: str
    command: dict[str, Any]


def _written(codec: Codec, game: Game, sent: _Sent, before: Sequence[Record]) -> list[Record]:
    version = len(before)
    at = f"2026-01-01T00:00:00.{version:06d}Z"
    events = game.collect_events()
    batch = Batch(at, sent.player, sent.id, sent.command, game.rules.version, len(events))
    written = codec.write(game.rules, events, batch)
    return link_batch(game.seed, before[-1].link if before else NO_LINK, game.id, version, written)


def relinked(seed: bytes, game_id: UUID, written: Iterable[tuple[str, bytes]]) -> list[Record]:
    """A log with links that fit, whatever it says: what a forger who owns the database would leave behind."""
    return link_batch(seed, NO_LINK, game_id, 0, written)
