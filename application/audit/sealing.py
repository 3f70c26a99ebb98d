"""Who was in the way of deals: tables that ended between the closing of their seats and the deal, and seals used twice.

No single log shows it. Whoever opens tables until a deal suits, and breaks all others off, leaves good logs: only their
number tells. And entropy that was opened at one table is not a secret at the next.
"""

from array import array
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from itertools import pairwise

from fairdeal.application.audit.verdicts import Grade, Report, Sealing
from fairdeal.application.errors import LedgerError
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.record import Record
from fairdeal.application.ports import Ledger
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import GameAbandoned, GameVoided, PlayerSeated, is_opening

BEFORE_THE_DEAL = frozenset({"game_started", "entropy_revealed"})
"""Only after these can a table end before its deal: the last seal that is opened is dealt with in one batch."""
ENDINGS = frozenset({"game_voided", "game_abandoned"})
SEATED = "player_seated"
NOTED = ENDINGS | {SEATED}
SEAL = b'"seal":"'
"""What stands in the record of a player who has sealed entropy. Written in another way it is not untouched."""


def sealing_of(game: Game) -> Sealing:
    """What one game tells."""
    lobby = game.lobby
    seals = tuple([(seated.player, seated.seal) for seated in lobby.seated_players if seated.seal is not None])
    if not seals:
        return Sealing(lobby.opened.opener, (), (), None)
    never_opened = tuple([game.players[seat] for seat in lobby.never_opened])
    return Sealing(lobby.opened.opener, seals, never_opened, lobby.broken_off_by if never_opened else None)


def why_undealt(sealing: Sealing) -> str:
    """Who is to be named where nothing was dealt, as words that go on; nothing if the seats were never closed."""
    if not sealing.undealt:
        return ""
    shut = " and ".join(sealing.never_opened)
    if sealing.broken_off_by is None:
        return f": {shut} kept the seal shut"
    return f": {sealing.broken_off_by} broke the table off before the deal, with the seal of {shut} shut"


def beside(report: Report, undealt: int, used_elsewhere: Iterable[str] = ()) -> Report:
    """The report, and beside its verdict what only other tables tell: how many of this opener's were never dealt, and
    whose seals were used elsewhere, too."""
    words = [report.fair.why]
    if report.fair.grade is Grade.SEALED or (report.sealing is not None and report.sealing.undealt):
        if undealt:
            one = "1 table of this opener was broken off before its deal"
            words.append(one if undealt == 1 else f"{undealt} tables of this opener were broken off before their deal")
        words += [f"the seal of {player} was used at another table, too" for player in used_elsewhere]
    return report if len(words) == 1 else replace(report, fair=replace(report.fair, why="; ".join(words)))


class SealingTally:
    """Counts while a ledger is walked by position; sixteen bytes are kept of each seal, and a number of each opener."""

    def __init__(self, ledger: Ledger, codec: Codec) -> None:
        self._ledger = ledger
        self._codec = codec
        self._noted = frozenset(name for name in codec.known_names if _short(name) in NOTED)
        self._seals, self._games = array("Q"), array("Q")
        self.undealt: Counter[str] = Counter()
        """For each opener, how many tables ended after their seats were closed and before the deal."""

    def note(self, records: Iterable[Record]) -> None:
        """The next records; what cannot be read is for the audit of its game to tell."""
        for record in records:
            if record.name in self._noted and (SEAL in record.payload or _short(record.name) != SEATED):
                with suppress(LedgerError):
                    self._note(record)

    def _note(self, record: Record) -> None:
        match self._codec.read(record).event:
            case PlayerSeated(seal=str() as seal):
                self._seals.append(_mark(seal.encode()))
                self._games.append(_mark(record.game_id.bytes))
            case GameVoided() | GameAbandoned() if self._is_undealt(record):
                for first in self._ledger.records(record.game_id, up_to=1):
                    opened = self._codec.read(first).event
                    if is_opening(opened):
                        self.undealt[opened.opener] += 1
            case _:
                pass

    def _is_undealt(self, ending: Record) -> bool:
        before = self._ledger.records(ending.game_id, after=max(0, ending.version - 2), up_to=ending.version - 1)
        return any(_short(one.name) in BEFORE_THE_DEAL for one in before)

    def beside(self, report: Report) -> Report:
        """The report with what the other tables tell: of a table at which nobody sealed anything, nothing."""
        if report.sealing is None or not report.sealing.seals or report.bad:
            return report
        used = [player for player, seal in report.sealing.seals if _mark(seal.encode()) in self.used_again]
        return beside(report, self.undealt[report.sealing.opener], used)

    @cached_property
    def used_again(self) -> frozenset[int]:
        """The marks of seals that were used at more than one table, when all records are noted."""
        repeated = {one for one, following in pairwise(sorted(self._seals)) if one == following}
        tables: dict[int, set[int]] = {}
        for seal, game in zip(self._seals, self._games, strict=True):
            if seal in repeated:
                tables.setdefault(seal, set()).add(game)
        return frozenset(seal for seal, games in tables.items() if len(games) > 1)


def _mark(thing: bytes) -> int:
    """Enough of something to know it again: of a million seals no two have the same by chance."""
    return int.from_bytes(sha256(thing).digest()[:8])


def _short(name: str) -> str:
    return name.partition(".")[2].partition(".")[0]
