"""Makes golden logs for games and presets that have none yet: `python -m golden.make` in `tests/`.

A golden log is never made anew: old games must stay readable, so delete one only if it was never released.
"""

import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

from fairdeal.application import border
from fairdeal.application.catalogue import GAMES
from fairdeal.application.commands import GameCommand, JoinGame, MakeMove, OpenGame, RevealEntropy, StartGame
from fairdeal.application.export import Exporter
from fairdeal.application.handlers import CommandHandlers
from fairdeal.application.logfile import read_export
from fairdeal.application.ports import Codec
from fairdeal.application.queries import Queries
from fairdeal.application.records import Record
from fairdeal.application.shelf import Shelf
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.codec import JsonCodec
from fairdeal.infrastructure.ledger.memory import memory_ledger

FOLDER = Path(__file__).parent / "logs"
DIGESTS = FOLDER / "digests.json"
PLAYERS = ("ann", "bob", "cleo", "dan", "eve", "finn")


def wanted() -> Iterator[tuple[str, AnyRules, str, int]]:
    """For every preset a game with the fewest and one with the most seats (of at most six)."""
    for rules in GAMES.values():
        for preset in rules.presets:
            for seats in sorted({rules.seats[0], min(rules.seats[-1], len(PLAYERS))}):
                yield f"{rules.kind}-{preset}-{seats}.jsonl", rules, preset, seats


def record(rules: AnyRules, preset: str, seats: int) -> str:
    """A game played by random bots with everything fixed: seed, clock, command ids."""
    rng = Random(f"{rules.kind} {preset} {seats}")
    now = datetime(2026, 1, 1, tzinfo=UTC)
    ledger, codec = memory_ledger(), JsonCodec(GAMES)
    shelf = Shelf(ledger, codec, room=1)

    def tick() -> datetime:
        nonlocal now
        now += timedelta(seconds=rng.randint(1, 60))
        return now

    handlers = CommandHandlers(ledger, codec, shelf, GAMES, clock=tick, new_seed=lambda: rng.randbytes(32))
    queries = Queries(ledger, codec, shelf)
    ids = (f"golden-{number}" for number in range(10**9))
    opening = OpenGame(player="ann", kind=rules.kind, options=preset, command_id=next(ids))
    game_id = handlers.handle(opening).game_id

    def handle(command: type[GameCommand], player: str, **more: Any) -> None:
        handlers.handle(command(game_id=game_id, player=player, command_id=next(ids), **more))

    secrets = {player: rng.randbytes(16) for player in PLAYERS[:seats]}
    for number, (player, secret) in enumerate(secrets.items()):
        # Only every other seat takes part in the shuffle, so that both ways are in the corpus.
        handle(JoinGame, player, seal=None if number % 2 else hashlib.sha256(secret).hexdigest())
    handle(StartGame, "ann")
    for number, (player, secret) in enumerate(secrets.items()):
        if number % 2 == 0:
            handle(RevealEntropy, player, entropy=secret.hex())
    while active := queries.look(game_id).active:
        player = PLAYERS[rng.choice(active)]
        handle(MakeMove, player, move=rng.choice(queries.look(game_id, player).legal))
    return "".join(Exporter(ledger, codec).export(game_id))


def end_digest(records: list[Record], codec: Codec) -> str:
    """What the last state looks like to everybody, as one number."""
    game = Game(UUID(int=0), codec.rules_of(records[0])).replay(codec.events(records))
    views = [border.plain(game.view(viewer)) for viewer in (None, *game.players)]
    seen = [game.version, game.phase.value, border.plain(game.outcome), views]
    return hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    digests: dict[str, str] = json.loads(DIGESTS.read_text(encoding="utf-8")) if DIGESTS.exists() else {}
    for name, rules, preset, seats in wanted():
        if not (FOLDER / name).exists():
            text = record(rules, preset, seats)
            (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
            digests[name] = end_digest(read_export(text), JsonCodec(GAMES))
    DIGESTS.write_text(json.dumps(digests, indent=1, sort_keys=True) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
