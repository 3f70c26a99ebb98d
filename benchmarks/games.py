"""Games to measure with: played beforehand in memory, so that measuring them spends no time on choosing moves."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from unittest import mock
from uuid import UUID

from fairdeal import Fairdeal, MakeMove, QuickStart
from fairdeal.application.log.record import Record
from fairdeal.domain.kernel.lobby import Phase
from fairdeal.domain.kernel.rules import AnyRules


@dataclass(frozen=True, slots=True)
class Script:
    """A game as it was played once: how it started, its moves, and what was stored."""

    start: QuickStart
    moves: list[MakeMove]
    batches: list[list[Record]]


def deal(fairdeal: Fairdeal, start: QuickStart) -> UUID:
    """Starts a game, the same one on every ledger: its seed follows from the command."""
    seed = hashlib.sha256(start.command_id.encode()).digest()
    with mock.patch("secrets.token_bytes", return_value=seed):
        return fairdeal.handle(start).game_id


def scripts(rules: AnyRules, moves: int, longest: int) -> list[Script]:
    """Games of random moves, at least so many in all; long games are not played to their end."""
    with Fairdeal("memory:") as fairdeal:
        found: list[Script] = []
        while sum(len(script.moves) for script in found) < moves:
            found.append(_play(fairdeal, rules, len(found), longest))
        return found


def _play(fairdeal: Fairdeal, rules: AnyRules, number: int, longest: int) -> Script:
    rng = Random(number)
    players = tuple(f"player{seat}" for seat in range(rules.seats[0]))
    command_id = hashlib.sha256(f"{rules.kind} {number}".encode()).hexdigest()[:32]
    start = QuickStart(player="host", kind=rules.kind, players=players, command_id=command_id)
    game = deal(fairdeal, start)
    moves: list[MakeMove] = []
    while len(moves) < longest and (look := fairdeal.look(game)).phase is Phase.RUNNING:
        player = players[look.active[int(rng.random() * len(look.active))]]
        legal = fairdeal.look(game, player).legal
        move = MakeMove(game_id=game, player=player, move=legal[int(rng.random() * len(legal))])
        fairdeal.handle(move)
        moves.append(move)
    return Script(start, moves, _batches(fairdeal, fairdeal.ledger.records(game)))


def _batches(fairdeal: Fairdeal, records: Sequence[Record]) -> list[list[Record]]:
    batches: list[list[Record]] = []
    for record in records:
        if fairdeal.codec.batch(record) is not None:
            batches.append([])
        batches[-1].append(record)
    return batches


def open_all(fairdeal: Fairdeal, found: Sequence[Script]) -> None:
    """Starts the same games on another ledger."""
    for script in found:
        deal(fairdeal, script.start)
