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
from fairdeal.application.log.game_ids import game_id_of
from fairdeal.application.log.record import Batch, RawBatch, Record, is_moment
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import FIRST_HOUSE, HOUSE_RULES
from fairdeal.domain.kernel.rules import AnyRules

FIRST_OPENING = ".game_opened.v1"
MOST_MOVES, LONGEST_MOVE = 4096, 500
"""So many moves of a kind of game are remembered, if they are as short as moves are, in bytes."""

_BATCHES = msgspec.json.Decoder(RawBatch)
_COMMANDS = msgspec.json.Decoder(dict[str, Any])
_ENCODE = msgspec.json.Encoder().encode


class FastPass:
    """How far a log is plainly good: the game there, and who sent the commands, with which ids."""

    def __init__(self, log: CheckedLog) -> None:
        self._log = log
        self._rules = log.rules
        self._known = _known_moves(log.codec, log.rules.kind)
        self.game: Game | None = None
        self.ids: set[tuple[str, str]] = set()
        self.is_whole = False
        """Whether all of it is good."""
        try:
            self._run()
        except Exception:
            self.is_whole = False  # a second, careful look says why

    def _run(self) -> None:
        log, rules, ids, records = self._log, self._rules, self.ids, self._log.records
        decode, write, known, version = _BATCHES.decode, log.codec.write, self._known, rules.version
        stored = [(record.name, record.payload) for record in records]
        first, head, time = 0, len(records), ""
        while first < head:
            record = records[first]
            raw = decode(record.payload)
            after = first + raw.size
            if raw.rules != version or not first < after <= head or raw.at < time or not is_moment(raw.at):
                return
            sender, game = (raw.by, raw.id), self.game
            if sender in ids:
                return
            command = bytes(raw.command)
            move = None if game is None else known.get(command) or self._learned(command)
            if move is not None and game is not None and 0 < len(raw.id) <= LONGEST_TEXT:
                make_move(game, raw.by, move, raw.at)
                written = write(rules, game.collect_events(), raw)
            else:
                batch = Batch(raw.at, raw.by, raw.id, _COMMANDS.decode(command), raw.rules, raw.size)
                game = self._executed(record, raw, batch)
                written = write(rules, game.collect_events(), batch)
            if written != stored[first:after]:
                return
            ids.add(sender)
            first, time = after, raw.at
        self.is_whole = True

    def _executed(self, record: Record, raw: RawBatch, batch: Batch) -> Game:
        """The game after a command that is not a move, or one that was not met before."""
        game = self.game
        if game is not None:
            must_be_canonical(self._rules, batch)
            execute(game, batch.by, batch.command, batch.at)
            return game
        options = plain_quick_start(self._rules.kind, raw)
        known = known_options(self._log.codec, self._rules.kind)
        if options not in known:
            must_be_canonical(self._rules, batch)
            remember(known, options)
        if self._log.game_id != game_id_of(batch.by, batch.id):
            raise ValueError("another id than that of the opener's command")
        house = FIRST_HOUSE.house if record.name.endswith(FIRST_OPENING) else HOUSE_RULES
        opening = Opening(self._log.game_id, self._rules, batch.at, house)
        self.game = opened_game(opening, batch.by, batch.command, self._log)
        return self.game

    def _learned(self, command: bytes) -> Any:
        """The move of a command that was not met before, to be known from now on; None if that is not possible."""
        move = move_of(self._rules, command) if len(command) <= LONGEST_MOVE else None
        if move is not None:
            if len(self._known) >= MOST_MOVES:
                self._known.clear()
            self._known[command] = move
        return move


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
