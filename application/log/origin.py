"""Where a branch comes from: another game as it stood at one of its versions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from fairdeal.application.errors import BeyondHead, NoBranch
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.reader import read_log
from fairdeal.application.log.record import Record
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lobby import Phase

Lookup = Callable[[UUID], Sequence[Record]]
"""The records of another game, none if it is not at hand."""


def nobody_else(game_id: UUID) -> Sequence[Record]:
    """For logs that stand alone."""
    return ()


class NotAtHand(Exception):
    """The game that a branch came from is not here, so that nothing can be compared with it."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A game as it stood at a version, its link there, and all that had happened."""

    game: Game
    link: str
    told: Sequence[Any]


def origin_at(records: Sequence[Record], codec: Codec, version: int) -> Origin:
    """The beginning of a branch, or the reason why none can begin there."""
    head = len(records)
    if not 1 <= version <= head:
        raise BeyondHead(version, head)
    decoded_records, game = read_log(records, codec)
    if not game.over:
        raise NoBranch("still_running", f"Game {game.id} is still running: only a finished game can be branched.")
    events = [decoded.event for decoded in decoded_records[:version]]
    then = Game.replayed(game.id, game.rules, events)
    if then.phase in (Phase.LOBBY, Phase.SEALED):
        raise NoBranch("before_the_deal", f"At version {version} the cards have not been dealt yet.")
    if then.over:
        raise NoBranch("at_the_end", f"At version {version} the game is over: nothing can go on from there.")
    if decoded_records[version].batch is None:
        end = next(at for at in range(version, head + 1) if at == head or decoded_records[at].batch is not None)
        raise NoBranch(
            "inside_a_command", f"Version {version} lies inside what one command did; that ends at version {end}."
        )
    return Origin(then, records[version - 1].link.hex(), events)
