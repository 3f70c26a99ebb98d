"""The audit of a log that is as it should be, as fast as can be: each batch is decided and written again.

What comes out must be, byte for byte, what was recorded. That one comparison proves names, events, their form and whole
batches, so nothing that was recorded is decoded but where each batch came from. Whatever is unusual is left to
`redecide`, which looks carefully, says what is wrong, and would find nothing in a log that is good here.
"""

from functools import lru_cache
from typing import Any

import msgspec

from fairdeal.application.audit.checked_log import CheckedLog
from fairdeal.application.audit.fast_opening import known_options, plain_quick_start, remember
from fairdeal.application.commands.execution import (
    Opening,
    execute,
    make_move,
    must_be_canonical,
    opened_game,
)
from fairdeal.application.commands.messages import LONGEST_TEXT
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.game_ids import is_id_of
from fairdeal.application.log.record import Batch, LaterPayload, Payload, RawBatch, Record, moment_of
from fairdeal.domain.kernel.fast_start import quickly_started
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import FIRST_HOUSE, HOUSE_RULES, as_stored
from fairdeal.domain.kernel.rules import AnyRules

FIRST_OPENING = ".game_opened.v1"
MOST_MOVES, LONGEST_MOVE = 4096, 500
"""So many moves of a kind of game are remembered, if they are as short as moves are, in bytes."""
COMPARED_AT_ONCE = 200
"""So many records are written again together, or as many more as their last batch has."""

_BATCHES = msgspec.json.Decoder(RawBatch)
_COMMANDS = msgspec.json.Decoder(dict[str, Any])
_ENCODE = msgspec.json.Encoder().encode


class FastPass:
    """Whether a log is plainly good, and the game at its end."""

    def __init__(self, log: CheckedLog) -> None:
        self._log = log
        self._rules = log.rules
        self._known = _known_moves(log.codec, log.rules.kind)
        self.game: Game | None = None
        """As far as it came."""
        self.is_whole = False
        """Whether all of it is good."""
        try:
            self.is_whole = self._run()
        except Exception:
            self.is_whole = False  # a second, careful look says why

    def _run(self) -> bool:
        log, rules, records = self._log, self._rules, self._log.records
        decode, known, version = _BATCHES.decode, self._known, rules.version
        first, head, time, compared = 0, len(records), "", 0
        senders: set[tuple[str, str]] = set()
        payloads: list[Payload | LaterPayload] = []
        game: Game | None = None
        while first < head:
            record = records[first]
            raw = decode(record.payload)
            size, at, sender = raw.size, raw.at, (raw.by, raw.id)
            after = first + size
            if raw.rules != version or not first < after <= head or at < time or moment_of(at) is None:
                return False
            if sender in senders:
                return False
            senders.add(sender)
            stored: Any = raw.command
            command = bytes(stored)
            move = None if game is None else known.get(command) or self._learned(command)
            if move is not None and game is not None and 0 < len(raw.id) <= LONGEST_TEXT:
                make_move(game, raw.by, move, at)
                events = game.collect_events()
                said = events[0]
            else:
                game = self.game = self._executed(record, raw)
                events = game.collect_events()
                said = as_stored(events[0])
            if len(events) != size:
                return False
            payloads.append(Payload(said, at, raw.by, raw.id, stored, version, size))
            for event in events[1:]:
                payloads.append(LaterPayload(event))
            first, time = after, at
            if first == head or len(payloads) >= COMPARED_AT_ONCE:
                if not log.codec.is_written(rules, payloads, records[compared:first]):
                    return False
                payloads, compared = [], first
        return True

    def _executed(self, record: Record, raw: RawBatch) -> Game:
        """The game after a command that is not a move, or one that was not met before."""
        rules, game = self._rules, self.game
        if game is None:
            return self._opened(record, raw)
        batch = _as_written(raw)
        must_be_canonical(rules, batch)
        execute(game, batch.by, batch.command, batch.at)
        return game

    def _opened(self, record: Record, raw: RawBatch) -> Game:
        """The game that a command opens."""
        log, rules = self._log, self._rules
        if not is_id_of(log.game_id, raw.by, raw.id):
            raise ValueError("another id than that of the opener's command")
        is_first_house = record.name.endswith(FIRST_OPENING)
        known = known_options(log.codec, rules.kind)
        said = None if is_first_house else plain_quick_start(rules.kind, raw)
        options = None if said is None else known.get(bytes(said.options))
        if said is not None and options is not None:
            players, rated = said.players, said.players == [raw.by]
            return quickly_started(log.game_id, rules, raw.by, options, log.seed(), players=players, rated=rated)
        batch = _as_written(raw)
        must_be_canonical(rules, batch)
        opening = Opening(log.game_id, rules, batch.at, FIRST_HOUSE.house if is_first_house else HOUSE_RULES)
        game = opened_game(opening, batch.by, batch.command, log)
        if said is not None:
            remember(known, said, game.options)
        return game

    def _learned(self, command: bytes) -> Any:
        """The move of a command that was not met before, to be known from now on; None if that is not possible."""
        move = move_of(self._rules, command) if len(command) <= LONGEST_MOVE else None
        if move is not None:
            if len(self._known) >= MOST_MOVES:
                self._known.clear()
            self._known[command] = move
        return move


def _as_written(raw: RawBatch) -> Batch:
    """Where a batch came from, with its command; an error if that is not written as it is written today."""
    command = _COMMANDS.decode(raw.command)
    if _ENCODE(command) != bytes(raw.command):
        raise ValueError("a command that is not written like this")
    return Batch(raw.at, raw.by, raw.id, command, raw.rules, raw.size)


def move_of(rules: AnyRules, command: bytes) -> Any:
    """The move of a stored command; None if it is another command, or is not written exactly as moves are today."""
    stored = _COMMANDS.decode(command)
    kind = rules.stored.moves.get(stored.get("move", ""))
    if kind is None or [*stored] != ["move", *kind.__dataclass_fields__] or _ENCODE(stored) != command:
        return None
    # Several games get the same one, so nobody may change it.
    is_frozen = kind.__dataclass_params__.frozen
    return msgspec.convert(stored, kind) if is_frozen else None


@lru_cache(maxsize=64)
def _known_moves(codec: Codec, kind: str) -> dict[bytes, Any]:
    """Moves by the bytes of their commands: there are few, and they are made again and again."""
    return {}
