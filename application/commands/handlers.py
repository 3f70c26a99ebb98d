"""The command handlers: load the game, let its rules decide, store, answer."""

import secrets
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from threading import Lock
from time import perf_counter
from typing import Any, NamedTuple
from uuid import UUID

from fairdeal.application.commands.combining import Combining, Run, Task, Tell, run
from fairdeal.application.commands.execution import (
    Opening,
    Stored,
    execute,
    is_sent_again,
    opened_game,
    to_stored,
)
from fairdeal.application.commands.game_cache import CachedGame, GameCache
from fairdeal.application.commands.messages import (
    AddBot,
    BranchGame,
    Command,
    GameCommand,
    MakeMove,
    OpenGame,
    QuickStart,
    StartGame,
)
from fairdeal.application.commands.policy import STRICT, TRUSTING, Caller, Policy, TableFacts, caller_for, facts_of
from fairdeal.application.commands.validation import must_be_a_bot, parse_options, parse_position
from fairdeal.application.errors import (
    Busy,
    CommandIdReused,
    DamagedRecord,
    FieldFault,
    InvalidQuery,
    LedgerUnavailable,
    StaleVersion,
    UnknownKind,
    VersionConflict,
)
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.game_ids import game_id_of
from fairdeal.application.log.origin import Origin, origin_at
from fairdeal.application.log.record import Batch, Receipt, Record, as_moment
from fairdeal.application.log.seen_event import SeenEvent, seen_event
from fairdeal.application.ports import Append, Ledger, StillWaiting
from fairdeal.application.time_limit import TimeLimit
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.refusals import IllegalMove
from fairdeal.domain.kernel.rules import AnyRules

MOST_TRIES = 100
MOMENT_SECONDS = 0.002
"""So long somebody waits at most who must not wait."""
LONGEST_SECONDS = 0.005
"""A game whose last move took longer to decide is left to others by those who must not wait."""
QUICK_SECONDS = 0.002
"""They store as long as that takes no longer, on average."""
LATEST = 0.1
"""How much the latest time counts in that average."""
PATIENCE_SECONDS = 30.0
"""So long a command waits, unless whoever opens the ledger says otherwise."""


Seen = tuple[SeenEvent, ...]


class Answer:
    """What came of a command: the events as the acting player may see them, and a receipt to keep."""

    __slots__ = ("_seen", "game_id", "receipt", "version")

    def __init__(self, game_id: UUID, version: int, seen: Seen | Callable[[], Seen], receipt: Receipt) -> None:
        self.game_id = game_id
        self.version = version
        self.receipt = receipt
        self._seen = seen

    @property
    def seen(self) -> Seen:
        """The events with names, lines, times, and who sent the command; made when somebody asks for them."""
        seen = self._seen
        if callable(seen):
            self._seen = seen = seen()
        return seen

    @property
    def events(self) -> tuple[Any, ...]:
        """The bare events."""
        return tuple(seen.event for seen in self.seen)

    def with_seen(self, seen: Seen) -> "Answer":
        """The same answer that tells the events in other words."""
        return Answer(self.game_id, self.version, seen, self.receipt)

    def __reduce__(self) -> tuple[type["Answer"], tuple[UUID, int, Seen, Receipt]]:
        return Answer, (self.game_id, self.version, self.seen, self.receipt)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Answer) and (self.receipt, self.seen) == (other.receipt, other.seen)

    def __hash__(self) -> int:
        return hash(self.receipt)

    def __repr__(self) -> str:
        return f"Answer(game_id={self.game_id!r}, version={self.version}, seen={self.seen!r}, receipt={self.receipt!r})"


Clock = Callable[[], datetime]


class Asked(NamedTuple):
    """A command, who asks for it, who says whether they may, and until when it may wait."""

    command: Command
    who: Caller
    policy: Policy
    limit: TimeLimit


class Sent(NamedTuple):
    """A command as it came, with what `handle` is told besides."""

    command: Command | dict[str, Any]
    who: Caller | None
    policy: Policy | None
    limit: TimeLimit


Outcome = Answer | Exception
OURS = (TRUSTING, STRICT)
"""Policies that do not wait for anything."""
_Steps = Generator[Append | None, None, Answer]
"""A command under way: it gives what is to be stored, goes on when that is stored, and ends with the answer. Before it
looks at the ledger it gives None: whoever must not wait goes on no further."""


def utc_now() -> datetime:
    return datetime.now(UTC)


class CommandHandlers:
    """All that changes games goes through `handle`; safe to use from several threads."""

    def __init__(
        self,
        ledger: Ledger,
        codec: Codec,
        cache: GameCache,
        games: Mapping[str, AnyRules],
        *,
        policy: Policy = TRUSTING,
        operators: Collection[str] = (),
        clock: Clock = utc_now,
        patience: float = PATIENCE_SECONDS,
        large_tables: bool = False,
        new_seed: Callable[[], bytes] = lambda: secrets.token_bytes(32),
    ) -> None:
        self._ledger = ledger
        self._codec = codec
        self._cache = cache
        self._games = games
        self._policy = policy
        self._operators = operators
        self._clock = clock
        self._patience = patience
        self._large_tables = large_tables
        self._new_seed = new_seed
        self._seconds_to_store = 0.0
        """What that took several commands together lately, on average, whoever stored them."""
        self._combining = Combining[Asked, Answer](self._handle_if_free, self._do_together)

    def handle(
        self,
        command: Command,
        *,
        who: Caller | None = None,
        policy: Policy | None = None,
        patience: float | None = None,
    ) -> Answer:
        """Does it once and durably, or raises and changes nothing; the same id again, the same answer.

        Who asks is the acting player, where nothing else is said; the policy of the service says what they may do,
        where no other is given. `patience` is how many seconds it may still wait, if not as long as all others.
        """
        limit = TimeLimit(self._patience if patience is None else patience)
        asked = self.asked(command, who=who, policy=policy, limit=limit)
        if type(command) is not MakeMove or asked.policy not in OURS or self._cache.loaded(command.game_id) is None:
            # Nobody else shall wait for a game that is loaded or dealt, or for what a policy of others may do.
            return self._handle_alone(asked)
        answer = self._combining.do(asked, command.game_id, asked.limit)
        return self._handle_alone(asked) if answer is None else answer

    def asked(
        self,
        command: Command,
        *,
        who: Caller | None = None,
        policy: Policy | None = None,
        limit: TimeLimit | None = None,
    ) -> Asked:
        """A command with what is usual where nothing else is said; then its time begins now."""
        limit = limit or TimeLimit(self._patience)
        return Asked(command, who or caller_for(command.player, self._operators), policy or self._policy, limit)

    def handle_all(self, asked: Sequence[Asked], done: Callable[[int, Outcome], object]) -> Sequence[int]:
        """Does what `handle` does for many at once, and says of each what came of it, as soon as that is known.

        They are decided one after the other and stored together. Answers with the numbers of those that have to be
        done alone, because somebody else changes their game just now, or another one of them does: whoever waits for
        one game must not hold others meanwhile.
        """
        left_over = list[int]()
        self._combining.do_all([(one, _teller(n, done, left_over), run) for n, one in enumerate(asked)])
        return left_over

    def handle_at_once(self, asked: Sequence[Asked], done: Callable[[int, Outcome], object]) -> Sequence[int]:
        """What `handle_all` does, for somebody who must not wait, as an event loop. Answers with what is left over.

        That is whatever would have to wait for others or to look at the ledger, what may take long, and everything as
        long as to store takes long.
        """
        if not self._ledger.is_in_process or self._seconds_to_store > QUICK_SECONDS:
            return range(len(asked))
        left_over = [number for number, one in enumerate(asked) if not self._is_short(one)]
        tasks: list[Task[Asked, Answer]] = [
            (one, _teller(number, done, left_over), run) for number, one in enumerate(asked) if number not in left_over
        ]
        here = Lock()
        with here:
            self._do_together(tasks, here, lambda: True, at_once=True)
        return left_over

    def _is_short(self, asked: Asked) -> bool:
        """A move in a game that is loaded, under a policy of ours; all others may take long."""
        command = asked.command
        cached = self._cache.loaded(command.game_id) if type(command) is MakeMove and asked.policy in OURS else None
        return cached is not None and not cached.is_slow

    def _handle_if_free(self, asked: Asked, here: Lock) -> Answer | None:
        """None if somebody else changes the game just now."""
        game_id, opens, origin = self._begin(asked)
        cached = self._cache.turn_if_free(game_id, here)
        if cached is None:
            return None
        try:
            return self._stored_alone(self._steps(cached, asked, opens, origin))
        finally:
            self._cache.leave(cached, here)

    def _do_together(
        self,
        tasks: Iterable[Task[Asked, Answer]],
        here: Lock,
        is_enough: Callable[[], bool],
        *,
        at_once: bool = False,
    ) -> None:
        """Decides them one after the other and stores them together; whoever waits for one game holds no other.

        What is not stored when it is enough is left to those who asked for it; so is, if all is to be done at once,
        what would look at the ledger.
        """
        taken = list[CachedGame]()
        under_way: list[tuple[Tell[Answer], Run, _Steps, Append]] = []

        def go_on(tell: Tell[Answer], run: Run, steps: _Steps, error: Exception | None = None) -> None:
            came = run(_went_on, steps, error, not at_once)
            if isinstance(came, Append):
                under_way.append((tell, run, steps, came))
            else:
                tell(came)

        try:
            for one, tell, run in tasks:
                try:
                    game_id, opens, origin = self._begin(one)
                    cached = self._cache.turn_if_free(game_id, here)
                except Exception as error:
                    tell(error)
                    continue
                if cached is None:
                    tell(None)
                else:
                    taken.append(cached)
                    began = perf_counter()
                    go_on(tell, run, self._steps(cached, one, opens, origin))
                    cached.is_slow = perf_counter() - began > LONGEST_SECONDS
            while under_way:
                stored = [*under_way]
                under_way.clear()
                refusals = self._append_all([append for _, _, _, append in stored])
                for (tell, run, steps, append), refusal in zip(stored, refusals, strict=True):
                    if isinstance(refusal, StillWaiting):
                        under_way.append((tell, run, steps, append))
                    elif at_once and isinstance(refusal, LedgerUnavailable):
                        tell(None)  # somebody else may wait for it longer
                    else:
                        go_on(tell, run, steps, refusal)
                if under_way and is_enough():
                    for tell, _, _, _ in under_way:
                        tell(None)
                    break
        finally:
            for cached in taken:
                self._cache.leave(cached, here)

    def _append_all(self, appends: Sequence[Append]) -> Sequence[Exception | None]:
        began = perf_counter()
        try:
            return self._ledger.append_all(appends)
        except Exception as error:
            return [error] * len(appends)
        finally:
            self._seconds_to_store += LATEST * (perf_counter() - began - self._seconds_to_store)

    def _handle_alone(self, asked: Asked) -> Answer:
        game_id, opens, origin = self._begin(asked)
        here = Lock()
        with here:
            cached = self._cache.place(game_id)
            try:
                cached.wait_for_turn(here, asked.limit)
                return self._stored_alone(self._steps(cached, asked, opens, origin))
            finally:
                self._cache.leave(cached, here)

    def _stored_alone(self, steps: _Steps) -> Answer:
        try:
            append = next(steps)
            while True:
                if append is None:
                    append = next(steps)
                    continue
                try:
                    self._ledger.append(append.records, continues=append.continues, limit=append.limit)
                except VersionConflict as conflict:
                    append = steps.throw(conflict)
                else:
                    append = next(steps)
        except StopIteration as end:
            answer: Answer = end.value
            return answer

    def _begin(self, asked: Asked) -> tuple[UUID, AnyRules | None, TableFacts | None]:
        """The game that a command is for; by which rules it opens one, and from which table."""
        command = asked.command
        match command:
            case GameCommand():
                return command.game_id, None, None
            case OpenGame() | QuickStart():
                return game_id_for(command), self._rules(command.kind), None
            case BranchGame():
                origin = self._known(command.origin)
                return game_id_for(command), origin.rules, facts_of(origin)
            case _:
                raise TypeError(f"{type(command).__name__} is not a command that can be handled.")

    def _steps(self, cached: CachedGame, asked: Asked, opens: AnyRules | None, origin: TableFacts | None) -> _Steps:
        command, who, policy, limit = asked
        checked = False
        if cached.game is None and opens is None:
            yield None
            checked = cached.catch_up()
        for _ in range(MOST_TRIES):
            rules = opens or cached.known.rules
            stored = to_stored(rules, command)
            # Whoever trusts everybody asks nothing of the table, and to say it takes as long as the table is large.
            table = facts_of(cached.known) if opens is None and policy is not TRUSTING else None
            policy.may_act_as(who, command.player, table)
            if (command.player, command.command_id) in cached.done:
                yield None
                return self._repeat(cached, command, stored)
            # Clocks can be set back; the log never goes back in time. Fixed first: rules may decide by it.
            at = max(self._now(), cached.published.at)
            try:
                policy.may_send(who, command, origin or table)
                work = self._decide(cached, rules, command, stored, at)
            except (IllegalMove, StaleVersion):
                # A game kept cached may be behind the ledger: its refusal counts only after a look there.
                yield None
                if checked or not cached.catch_up():
                    raise
                checked = True
                continue
            events = work.collect_events()
            batch = Batch(
                at=at,
                by=command.player,
                id=command.command_id,
                command=stored,
                rules=work.rules.version,
                size=len(events),
            )
            written = self._codec.write(work.rules, events, batch)
            published = cached.published
            records = cached.linker(work).batch(published.link, work.version - len(events), written)
            try:
                yield Append(records, published.head, limit)
            except VersionConflict:
                yield None
                checked = cached.catch_up()
                continue
            cached.advance(work, records, batch)
            return answer(work, events, batch, records[-1])
        raise Busy(f"Game {cached.game_id} is being changed by too many at once; nothing was stored, try again.")

    def _decide(self, cached: CachedGame, rules: AnyRules, command: Command, stored: Stored, at: str) -> Game:
        if not isinstance(command, GameCommand):
            if cached.game is not None:
                # The id of this game follows from the command's id, so somebody used that id for something else.
                raise CommandIdReused
            self._must_be_usual(rules, command)
            return opened_game(Opening(cached.game_id, rules, at), command.player, stored, self)
        before = cached.known
        if type(command) is AddBot:
            must_be_a_bot(rules, command.bot)
        if command.expected_version not in (None, before.version):
            raise StaleVersion(before.id, command.expected_version, before.version)
        if type(command) is not MakeMove:
            self._must_be_usual(rules, command, before)
        work = before.copy()
        execute(work, command.player, stored, at)
        return work

    def _must_be_usual(self, rules: AnyRules, command: Command, table: Game | None = None) -> None:
        """Asked at the door only: what was stored by who may is decided again as it was."""
        if self._large_tables:
            return
        match command:
            case OpenGame():
                rules.setup.check_size(parse_options(rules, command.options), None, 0)
            case QuickStart(deck=None):
                options, position = parse_options(rules, command.options), parse_position(rules, command.position)
                rules.setup.check_size(options, position, len(command.players))
            case StartGame(position=object() as given) if table is not None and given is not None:
                rules.setup.check_size(table.options, parse_position(rules, given), len(table.players))
            case _:
                pass

    def seed(self) -> bytes:
        """A seed for a new game."""
        return self._new_seed()

    def origin(self, game_id: UUID, version: int) -> Origin:
        """A game to branch from, as the ledger holds it."""
        known = self._known(game_id)
        return origin_at(self._ledger.records(game_id, up_to=known.version), self._codec, version)

    def _known(self, game_id: UUID) -> Game:
        """A stored game, its links checked."""
        return self._cache.read(game_id)[0]

    def _now(self) -> str:
        if self._clock is utc_now:  # whoever gives another clock means what it says
            now = utc_now()
            self._ledger.must_not_be_ahead(now)
        else:
            try:
                now = self._clock().astimezone(UTC)
            except (AttributeError, OverflowError, ValueError):
                raise InvalidQuery([FieldFault("clock", "expected a clock that gives moments of time")]) from None
        return as_moment(now)

    def _repeat(self, cached: CachedGame, command: Command, stored: Stored) -> Answer:
        cached.catch_up()
        first, last = cached.done[command.player, command.command_id]
        records = self._ledger.records(cached.game_id, after=first - 1, up_to=last)
        if len(records) != last - first + 1:
            raise DamagedRecord(cached.game_id, last, "it was there before, and is missing now")
        said = self._codec.batch(records[0])
        if said is None or not is_sent_again(cached.known.rules, said.command, stored):
            raise CommandIdReused
        cached.confirm(last)
        return answer(cached.known, self._codec.events(records), said, records[-1])

    def _rules(self, kind: str) -> AnyRules:
        if kind not in self._games:
            raise UnknownKind(f"There is no game {kind!r}; there are {', '.join(sorted(self._games))}.")
        return self._games[kind]


def _went_on(steps: _Steps, error: Exception | None, may_look: bool) -> Append | Outcome | None:
    """What a command gives next, after what it gave before was stored or, with an error, was not.

    None if it would have to look at the ledger and may not.
    """
    try:
        append = next(steps) if error is None else steps.throw(error)
        while append is None and may_look:
            append = next(steps)
        return append
    except StopIteration as end:
        answer: Answer = end.value
        return answer
    except Exception as refusal:
        return refusal


def _teller(number: int, done: Callable[[int, Outcome], object], left_over: list[int]) -> Tell[Answer]:
    """Says what came of the command with this number, or notes that it is left over."""
    return lambda outcome: left_over.append(number) if outcome is None else done(number, outcome)


def game_id_for(command: OpenGame | QuickStart | BranchGame) -> UUID:
    """The same opener and command id always give the same game, so that opening twice opens once."""
    return game_id_of(command.player, command.command_id)


def answer(game: Game, events: Sequence[Any], batch: Batch, last: Record) -> Answer:
    def seen() -> Seen:
        players, first, redact = game.players, last.version - len(events) + 1, game.redact
        return tuple(
            seen_event(game.rules, players, version=version, event=redact(event, batch.by), at=batch.at, by=batch.by)
            for version, event in enumerate(events, first)
        )

    # A published game is never changed: whenever somebody asks, this is what was to be seen.
    return Answer(game.id, last.version, seen, Receipt(game.id, last.version, last.link.hex()))
