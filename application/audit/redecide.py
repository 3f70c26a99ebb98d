"""Decides a log again: every recorded command, by the rules, must give exactly the recorded events."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any
from uuid import UUID

from fairdeal.application.audit.checked_log import CheckedLog
from fairdeal.application.audit.fast_pass import FastPass
from fairdeal.application.commands.execution import (
    Opening,
    branch_terms,
    execute,
    must_be_canonical,
    opened_game,
)
from fairdeal.application.log.faults import Fault, Misdealt
from fairdeal.application.log.game_ids import game_id_of
from fairdeal.application.log.origin import NotAtHand
from fairdeal.application.log.reader import note_time
from fairdeal.application.log.record import Batch
from fairdeal.domain.kernel.chance import ALGORITHM
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import (
    FIRST_HOUSE,
    HOUSE_RULES,
    LIFECYCLE,
    DealtFrom,
    EntropyRevealed,
    GameBranched,
    GameStarted,
    is_opening,
)
from fairdeal.domain.kernel.refusals import FairdealError


class Redecision:
    """What came of it: the first faults, what could not be checked and why, and the game at the end."""

    def __init__(self, log: CheckedLog) -> None:
        self.log = log
        self.rules = log.rules
        self.illegal: Fault | None = None
        self.misdealt: Misdealt | None = None
        self.unwritten: Fault | None = None
        """The first record that is not written as Fairdeal writes."""
        self.unchecked: str | None = None
        self.commitment: str | None = None
        """What the first record says of the seed, if it had to be looked at."""
        self.lost = False
        """Whether the game could not be followed to the end of its log."""
        self.without_origin = False
        self._newer: str | None = None
        """Why newer rules of the house are needed, if they are."""
        fast = FastPass(log)
        self.game = fast.game
        """As far as it could be followed; none if not even its opening could."""
        self._ids: set[tuple[str, str]] = set()
        """Who sent commands, and with which ids."""
        self.is_plain = fast.is_whole
        """Whether there was nothing to look at with care."""
        if not self.is_plain:
            log.find_batches()
            self.unwritten = log.first_unwritten()
            self._slow_pass()

    @property
    def reached(self) -> int:
        """The last record that the game could follow."""
        return 0 if self.game is None else self.game.version

    def _slow_pass(self) -> None:
        """Batch by batch: what was recorded is followed, whatever the rules would give."""
        self.game = None
        for number, (first, batch) in enumerate(self.log.batches):
            if self.log.unlinked is not None and self.log.unlinked.record < first + batch.size:
                self.lost = True  # what somebody wrote into the log may say anything
                return
            try:
                events = self.log.events(first, batch)
                if number == 0:
                    self.commitment = getattr(events[0], "commitment", None)
                    self._newer = _newer_house(events[0])
                self._look_at(first, batch, events)
                if self.illegal is not None and (self.game is None or self.game.state is None):
                    raise self.illegal  # nobody should sit down at a table that was not laid by the rules
                self._follow(first, batch, events)
                if number == 0 and self._has_rules_of(batch):
                    self._look_at_id(first, batch)
            except Fault as fault:
                self._give_up(batch, fault)
                return

    def _give_up(self, batch: Batch, fault: Fault) -> None:
        self.lost = True
        if not self._has_rules_of(batch):
            # Other rules may have had other events: that is not a fault of the game.
            self._leave_unchecked(batch)
        else:
            self.illegal = self.illegal or fault

    def _has_rules_of(self, batch: Batch) -> bool:
        return batch.rules == self.rules.version and self._newer is None

    def _leave_unchecked(self, batch: Batch) -> None:
        self.unchecked = self.unchecked or self._newer or f"rules {batch.rules}, here {self.rules.version}"

    def _follow(self, version: int, batch: Batch, events: Sequence[Any]) -> None:
        for at, event in enumerate(events, version):
            try:
                if at == version and self.game is not None:
                    note_time(self.game, batch.at, batch.by, batch.command)
                if self.game is None:
                    self.game = Game.replayed(self.log.game_id, self.rules, (event,))
                    note_time(self.game, batch.at, batch.by, batch.command)
                else:
                    self.game.apply(event)
            except Exception as error:
                raise Fault(at, f"the game cannot follow it ({type(error).__name__})") from None

    def _look_at(self, version: int, batch: Batch, events: list[Any]) -> None:
        if not self._has_rules_of(batch):
            self._leave_unchecked(batch)
            return
        try:
            if (batch.by, batch.id) in self._ids:
                raise Fault(version, "its command id was used before")
            self._ids.add((batch.by, batch.id))
            self._must_be_understood(version, batch)
            self._must_follow_from_command(version, batch, events)
        except Misdealt as fault:
            self.misdealt = self.misdealt or fault
            self.illegal = self.illegal or fault
        except Fault as fault:
            self.illegal = self.illegal or fault

    def _look_at_id(self, version: int, batch: Batch) -> None:
        """The house may not choose a game's id: it goes into every draw, and opening twice must open once."""
        if self.log.game_id != game_id_of(batch.by, batch.id):
            why = "the id of the game does not follow from its opener and the id of their command"
            self.illegal = self.illegal or Fault(version, why)

    def _must_be_understood(self, version: int, batch: Batch) -> None:
        """Nobody may plant today what gets a meaning tomorrow."""
        for record in self.log.records[version - 1 : version - 1 + batch.size]:
            if not self.log.codec.is_understood(record):
                raise Fault(record.version, "it says more than these rules know")

    def _must_follow_from_command(self, version: int, batch: Batch, events: list[Any]) -> None:
        try:
            must_be_canonical(self.rules, batch)
            twin = self._executed(batch, events)
        except NotAtHand:
            self.without_origin = True
            self._must_begin_a_branch(version, batch, events)
            return
        except FairdealError as error:
            cheated = Misdealt if any(isinstance(event, EntropyRevealed) for event in events) else Fault
            raise cheated(version, f"the rules refuse it: {error.message} ({error.code})") from None
        except Exception as error:
            # Not what the error says: there may be a card in it.
            raise Fault(version, f"its command cannot be carried out ({type(error).__name__})") from None
        self._must_be_the_same(version, twin.pending, events)

    def _executed(self, batch: Batch, events: Sequence[Any]) -> Game:
        if self.game is None:
            opening = Opening(self.log.game_id, self.rules, batch.at, _house_of(events))
            return opened_game(opening, batch.by, batch.command, self.log)
        twin = self.game.copy()
        execute(twin, batch.by, batch.command, batch.at)
        return twin

    def _must_begin_a_branch(self, version: int, batch: Batch, events: Sequence[Any]) -> None:
        """What can be asked of a branch when its origin is not at hand: how it begins, but not what was told there."""
        at = next((at for at, event in enumerate(events) if isinstance(event, GameBranched)), 0)
        seated, told = events[1 : max(at - 1, 1)], events[at + 1 :]
        try:
            terms = branch_terms(_house_of(events))
            options, seed = events[0].options, self.log.seed()
            twin = Game.open(self.log.game_id, self.rules, batch.by, options, seed, terms=terms)
            twin.seat_all([event.player for event in seated], {event.player: event.brought for event in seated})
            origin, link = UUID(batch.command["origin"]), events[at].link
        except Exception as error:
            raise Fault(version, f"a branch does not begin like this ({type(error).__name__})") from None
        branched = GameBranched(str(origin), batch.command["version"], link)
        self._must_be_the_same(version, [*twin.pending, GameStarted(DealtFrom.BRANCH), branched], events[: at + 1])
        if not told or any(type(event) in LIFECYCLE for event in told):
            raise Fault(version + at, "a branch goes on with what was told of the cards")

    def _must_be_the_same(self, version: int, decided: Sequence[Any], recorded: Sequence[Any]) -> None:
        for at, (wanted, found) in enumerate(zip_longest(decided, recorded), version):
            if wanted is None or found is None:
                raise Fault(min(at, version + len(recorded) - 1), "the rules give another number of events")
            if wanted != found:
                by_chance = type(wanted) in self.rules.play.by_chance and type(wanted) is type(found)
                cheated = Misdealt if by_chance else Fault
                raise cheated(at, f"{_name(found)} was recorded, but the rules give {_other(wanted, found)}")


def _newer_house(opened: Any) -> str | None:
    """What this program lacks to decide a table again that was kept, or dealt, by newer rules of the house."""
    if not is_opening(opened):
        return None
    if opened.house > HOUSE_RULES:
        return f"house rules {opened.house}, here {HOUSE_RULES}"
    return f"chance {opened.chance}, here {ALGORITHM}" if opened.chance > ALGORITHM else None


def _house_of(events: Sequence[Any]) -> int:
    """The version of the house rules that the opening names."""
    house = events[0].house
    if not FIRST_HOUSE.house <= house <= HOUSE_RULES:
        raise ValueError(f"house rules {house}, here {HOUSE_RULES}")
    return int(house)


def _other(wanted: Any, found: Any) -> str:
    return f"another {_name(wanted)}" if type(wanted) is type(found) else f"{_name(wanted)}"


def _name(event: Any) -> str:
    return type(event).__name__
