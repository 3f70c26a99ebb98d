"""Where a branch begins: a finished game at one of its versions, ready to be said again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fairdeal.application.errors import BeyondHead, NoBranch
from fairdeal.application.ports import Codec
from fairdeal.application.reading import read_log
from fairdeal.application.records import Record
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.table import Phase


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
    sheets, game = read_log(records, codec)
    if not game.over:
        raise NoBranch("still_running", f"Game {game.id} is still running: only a finished game can be branched.")
    events = [sheet.event for sheet in sheets[:version]]
    then = Game(game.id, game.rules).replay(events)
    if then.phase in (Phase.LOBBY, Phase.SEALED):
        raise NoBranch("before_the_deal", f"At version {version} the cards have not been dealt yet.")
    if then.over:
        raise NoBranch("at_the_end", f"At version {version} the game is over: nothing can go on from there.")
    if sheets[version].batch is None:
        end = next(at for at in range(version, head + 1) if at == head or sheets[at].batch is not None)
        raise NoBranch(
            "inside_a_command", f"Version {version} lies inside what one command did; that ends at version {end}."
        )
    return Origin(then, records[version - 1].link.hex(), events)
