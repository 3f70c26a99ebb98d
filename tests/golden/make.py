"""Makes golden logs for games and presets that have none yet: `python -m golden.make` in `tests/`.

A golden log is never made anew: old games must stay readable, so delete one only if it was never released.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, cast
from uuid import UUID

from fairdeal.application.catalogue import KINDS
from fairdeal.application.commands import validation
from fairdeal.application.commands.game_cache import GameCache
from fairdeal.application.commands.handlers import CommandHandlers
from fairdeal.application.commands.messages import (
    BranchGame,
    ClaimTimeout,
    Command,
    JoinGame,
    LeaveGame,
    MakeMove,
    OpenGame,
    QuickStart,
    RevealEntropy,
    StartGame,
    VoidGame,
)
from fairdeal.application.exports.format import read_export
from fairdeal.application.exports.writer import Exporter
from fairdeal.application.history.look import Queries
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.record import Record
from fairdeal.domain.kernel.game import TIMEKEEPER, Game
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.ledger.memory import memory_ledger

FOLDER = Path(__file__).parent / "logs"
DIGESTS = FOLDER / "digests.json"
PLAYERS = ("ann", "bob", "cleo", "dan", "eve", "finn")


def wanted() -> Iterator[tuple[str, Callable[[], str]]]:
    """For every preset a game with the fewest and one with the most seats (of at most six), and for every kind one
    that is broken off, one from a given deck, one that goes on from another, one that is lost by time and two that are
    void. The first of them were recorded by the first house rules. By the second, and cannot be made any more:
    `red7-branch_2`, and `tcg-others_deck`, where a given deck was compared with what somebody else had brought."""
    for rules in KINDS.values():
        for preset in rules.setup.presets:
            for seats in sorted({rules.seats[0], min(rules.seats[-1], len(PLAYERS))}):
                yield f"{rules.kind}-{preset}-{seats}.jsonl", partial(record, rules, preset, seats)
        for special in (abandoned, given_deck, branch, late, withheld, voided):
            yield f"{rules.kind}-{special.__name__}.jsonl", partial(special, rules)


class Studio:
    """A house in which everything is fixed: seeds, clock, command ids, and what players choose."""

    def __init__(self, name: str) -> None:
        self.rng = Random(name)
        self.ledger, self.codec = memory_ledger(), Codec(KINDS)
        self.cache = GameCache(self.ledger, self.codec, room=1)
        self.handlers = CommandHandlers(
            self.ledger,
            self.codec,
            self.cache,
            KINDS,
            clock=self._tick,
            new_seed=lambda: self.rng.randbytes(32),
            operators=("the operator",),
        )
        self.queries = Queries(self.ledger, self.codec, self.cache)
        self._now = datetime(2026, 1, 1, tzinfo=UTC)
        self._ids = (f"golden-{number}" for number in range(10**9))

    def _tick(self) -> datetime:
        self._now += timedelta(seconds=self.rng.randint(1, 60))
        return self._now

    def wait(self, seconds: int) -> None:
        self._now += timedelta(seconds=seconds)

    def handle(self, command: type[Command], player: str, **more: Any) -> UUID:
        return self.handlers.handle(command(player=player, command_id=next(self._ids), **more)).game_id

    def play(self, game_id: UUID, most: int = 10**9) -> None:
        """Random moves until the end, or until so many were made."""
        for _ in range(most):
            look = self.queries.look(game_id)
            if not look.active:
                return
            player = look.players[self.rng.choice(look.active)]
            move = self.rng.choice(self.queries.look(game_id, player).legal)
            self.handle(MakeMove, player, game_id=game_id, move=move)

    def export(self, game_id: UUID) -> str:
        return "".join(Exporter(self.ledger, self.codec).export(game_id))


def record(rules: AnyRules, preset: str, seats: int) -> str:
    """A whole game from the lobby to its end, with sealed entropy."""
    studio = Studio(f"{rules.kind} {preset} {seats}")
    game_id = studio.handle(OpenGame, "ann", kind=rules.kind, options=preset)
    secrets = {player: studio.rng.randbytes(16) for player in PLAYERS[:seats]}
    for number, (player, secret) in enumerate(secrets.items()):
        # Only every other seat takes part in the shuffle, so that both ways are in the corpus.
        seal = None if number % 2 else hashlib.sha256(secret).hexdigest()
        studio.handle(JoinGame, player, game_id=game_id, seal=seal)
    studio.handle(StartGame, "ann", game_id=game_id)
    for number, (player, secret) in enumerate(secrets.items()):
        if number % 2 == 0:
            studio.handle(RevealEntropy, player, game_id=game_id, entropy=secret.hex())
    studio.play(game_id)
    return studio.export(game_id)


def quick(studio: Studio, rules: AnyRules, **more: Any) -> UUID:
    return studio.handle(QuickStart, "ann", kind=rules.kind, players=PLAYERS[: rules.seats[0]], **more)


def abandoned(rules: AnyRules) -> str:
    """Somebody comes and goes before the start, and a player leaves the running game."""
    studio = Studio(f"{rules.kind} abandoned")
    game_id = studio.handle(OpenGame, "host", kind=rules.kind)
    studio.handle(JoinGame, "zoe", game_id=game_id)
    studio.handle(LeaveGame, "zoe", game_id=game_id)
    for player in PLAYERS[: rules.seats[0]]:
        studio.handle(JoinGame, player, game_id=game_id)
    studio.handle(StartGame, "host", game_id=game_id)
    studio.play(game_id, most=6)
    studio.handle(LeaveGame, "bob", game_id=game_id, reason="the last tram")
    return studio.export(game_id)


def given_deck(rules: AnyRules) -> str:
    """The decks of another game, the other way round."""
    studio = Studio(f"{rules.kind} given deck")
    events = studio.codec.events(studio.ledger.records(quick(studio, rules)))
    decks = [event.deck for event in events if hasattr(event, "deck")]
    deck = tuple(reversed(decks[0]))
    if len(decks) > 1:  # every player has one of their own
        deck = tuple(tuple(card.id for card in reversed(one)) for one in decks)
    game_id = quick(studio, rules, deck=deck)
    studio.play(game_id)
    return studio.export(game_id)


def clocked(studio: Studio, rules: AnyRules, *, sealed: bool = False) -> UUID:
    """A table with a clock, its seats closed."""
    clock = {"move_seconds": 90, "bank_seconds": 20}
    game_id = studio.handle(OpenGame, "host", kind=rules.kind, clock=clock, spectators="unlisted")
    for player in PLAYERS[: rules.seats[0]]:
        seal = hashlib.sha256(player.encode() * 8).hexdigest() if sealed else None
        studio.handle(JoinGame, player, game_id=game_id, seal=seal)
    studio.handle(StartGame, "host", game_id=game_id)
    return game_id


def late(rules: AnyRules) -> str:
    """Nobody moves in time: the house moves for everybody, until somebody has missed three turns in a row."""
    studio = Studio(f"{rules.kind} late")
    game_id = clocked(studio, rules)
    studio.play(game_id, most=4)
    while active := studio.queries.look(game_id).active:
        studio.wait(200)
        studio.handle(ClaimTimeout, TIMEKEEPER, game_id=game_id, seat=active[0])
    return studio.export(game_id)


def withheld(rules: AnyRules) -> str:
    """A seal stays shut until the time has run out."""
    studio = Studio(f"{rules.kind} withheld")
    game_id = clocked(studio, rules, sealed=True)
    studio.handle(RevealEntropy, "ann", game_id=game_id, entropy=(b"ann" * 8).hex())
    studio.wait(200)
    studio.handle(ClaimTimeout, "ann", game_id=game_id, seat=1)
    return studio.export(game_id)


def voided(rules: AnyRules) -> str:
    """The operator ends a running game."""
    studio = Studio(f"{rules.kind} voided")
    game_id = clocked(studio, rules)
    studio.play(game_id, most=3)
    studio.handle(VoidGame, "the operator", game_id=game_id, reason="power cut")
    return studio.export(game_id)


def branch(rules: AnyRules) -> str:
    """A finished game goes on from one of its first turns."""
    studio = Studio(f"{rules.kind} branch")
    origin = quick(studio, rules)
    studio.play(origin, most=4)
    version = studio.queries.look(origin).version
    studio.play(origin)
    game_id = studio.handle(BranchGame, "zoe", origin=origin, version=version)
    studio.play(game_id)
    return studio.export(game_id)


def end_digest(records: list[Record], codec: Codec) -> str:
    """What the last state looks like to everybody, as one number; options look as they are stored."""
    game = Game.replayed(UUID(int=0), codec.rules_of(records[0]), codec.events(records))
    now, stored = validation.plain(game.options), json.loads(records[0].payload)["event"]["options"]
    views = [_with(stored, now, validation.plain(game.view(viewer))) for viewer in (None, *game.players)]
    seen = [game.version, game.phase.value, validation.plain(game.outcome), views]
    return hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()


def _with(stored: Any, now: Any, shown: Any) -> Any:
    """What is shown, without the options that came after the game was stored."""
    if shown == now:
        return stored
    if not isinstance(shown, dict):
        return shown
    return {key: _with(stored, now, value) for key, value in cast("dict[str, Any]", shown).items()}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    digests: dict[str, str] = json.loads(DIGESTS.read_text(encoding="utf-8")) if DIGESTS.exists() else {}
    for name, make in wanted():
        if not (FOLDER / name).exists():
            text = make()
            (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
            digests[name] = end_digest(read_export(text), Codec(KINDS))
    DIGESTS.write_text(json.dumps(digests, indent=1, sort_keys=True) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
