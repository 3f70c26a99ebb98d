"""What bots and the clock want at a table, as commands; the same state always gives the same command id."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from random import Random
from typing import Any

from fairdeal.application.commands.messages import ClaimTimeout, MakeMove, VoidGame
from fairdeal.application.history.look import AnyLook
from fairdeal.domain.kernel.clock import TOLERANCE
from fairdeal.domain.kernel.game import TIMEKEEPER
from fairdeal.domain.kernel.lobby import BOT, Phase, is_bot
from fairdeal.domain.kernel.rules import AnyRules

Choose = Callable[[Any, Sequence[Any], Random], Any]
NOBODY_CAME = "nobody_came"
"""Why a lobby is void in which nobody sat down."""


def bot_name(player: str) -> str | None:
    """A name that says that it is a bot: `bot:careful:1` is Careful bot 1; None for people."""
    kind, _, rest = player.partition(":")
    if f"{kind}:" != BOT:
        return None
    strategy, _, number = rest.partition(":")
    return f"{strategy.replace('_', ' ').capitalize()} bot {number}"


def with_names(line: str, names: Mapping[str, str]) -> str:
    """A line of a story with names in place of the ids that have one."""
    others = {player: name for player, name in names.items() if player != name and player in line}
    if not others:
        return line
    # All at once, the longest first: a name that looks like somebody's id is not replaced again.
    ids = sorted(others, key=len, reverse=True)
    pattern = "|".join(rf"(?<!\w){re.escape(player)}(?!\w)" for player in ids)
    return re.sub(pattern, lambda found: others[found.group()], line)


def bot_to_move(table: AnyLook) -> str | None:
    """A bot that has to act; None if nobody waits for one."""
    if table.phase is not Phase.RUNNING:
        return None
    return next((player for player in map(table.players.__getitem__, table.active) if is_bot(player)), None)


def move_of(bot: str, look: AnyLook, rules: AnyRules, rng: Random) -> MakeMove:
    """What the bot does, chosen from its own look alone.

    The id follows from the version: whoever else plays for this bot cannot move a second time, because within a game
    the ids of a player are used once, and nobody but the service acts for a bot.
    """
    bots = rules.bots
    choose: Choose = bots.get(bot.split(":")[1]) or next(iter(bots.values()))
    move = choose(look.view, look.legal, rng)
    return MakeMove(
        game_id=look.game_id, player=bot, move=move, command_id=f"bot:{look.version}", expected_version=look.version
    )


def next_timeout(table: AnyLook) -> datetime | None:
    """When the first seat can be called late; None where no clock runs."""
    if table.clock is None or not table.clock.deadlines:
        return None
    return min(deadline.at for deadline in table.clock.deadlines) + TOLERANCE


def timeout_of(table: AnyLook, now: datetime) -> ClaimTimeout | None:
    """What the service says of the first seat that is late; None if nobody is."""
    at = next_timeout(table)
    if at is None or table.clock is None or now < at:
        return None
    first = min(table.clock.deadlines, key=lambda deadline: deadline.at)
    return ClaimTimeout(
        game_id=table.game_id,
        player=TIMEKEEPER,
        seat=first.seat,
        command_id=f"timeout:{table.version}",
        expected_version=table.version,
    )


def is_deserted(opener: str, players: Sequence[str]) -> bool:
    """Whether nobody joined this lobby but bots and whoever opened it."""
    return all(player == opener or is_bot(player) for player in players)


def expiry_of(table: AnyLook) -> VoidGame | None:
    """Ends a lobby that nobody joined; None if it has gone on."""
    if table.phase is not Phase.LOBBY or not is_deserted(table.opener, table.players):
        return None
    return VoidGame(
        game_id=table.game_id,
        player=TIMEKEEPER,
        reason=NOBODY_CAME,
        command_id=f"expiry:{table.version}",
        expected_version=table.version,
    )
