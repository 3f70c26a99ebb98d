"""The game as an aggregate: a table where people sit down, play by one kind of rules and end."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Self
from uuid import UUID

from fairdeal.domain.kernel.chance import ALGORITHM, NO_SHARE, SEED_SIZE, Chance, digest, is_digest, share
from fairdeal.domain.kernel.clock import MOST_IN_A_ROW, Deadline, SeatClocks
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.lifecycle import (
    KEEPS_WHAT_OTHERS_BROUGHT,
    KNOWS_VOID,
    LIFECYCLE,
    DealtFrom,
    EntropyRevealed,
    GameAbandoned,
    GameBranched,
    GameForfeited,
    GameOpened,
    GameStarted,
    GameVoided,
    OnTimeout,
    PlayerLeft,
    PlayerSeated,
    Seat,
    SeatTimedOut,
    Spectators,
    TableClock,
    Terms,
    is_opening,
    redact_lifecycle,
)
from fairdeal.domain.kernel.lobby import EVOLVE, Lobby, Outcome, Phase, next_bot
from fairdeal.domain.kernel.refusals import HouseRefusal, IllegalMove, echo, refusal
from fairdeal.domain.kernel.rules import AnyRules

USUAL = Terms()
WHAT_IF = Terms(rated=False, spectators=Spectators.CLOSED)
"""The terms of a branch: it counts for nothing, has no clock and is for whoever made it."""

HOUSE = "house:"
"""How the names begin that nobody can have at a table: those of the house itself."""
TIMEKEEPER = "house:clock"
"""Who claims timeouts on behalf of the house."""
TIMEOUT = "timeout"
LONGEST_TIME = 90 * 24 * 3600
"""In seconds, for a move and for a bank."""

REHEARSAL = Chance(bytes(SEED_SIZE), bytes(16), ())
"""Whether cards can be dealt does not depend on their order, so any chance will do to find out."""

# Looked up once: members of an enum are slow to come by.
_LOBBY, _RUNNING = Phase.LOBBY, Phase.RUNNING


class Game:
    """One game of any kind: its lobby, and its state once the cards are dealt.

    It comes to be by opening a table or by following events. Commands work on a copy, in place; a published game is
    never changed.
    """

    __slots__ = ("_chance", "_shares_lobby", "id", "lobby", "pending", "rules", "state", "version")

    def __init__(self, game_id: UUID, rules: AnyRules, lobby: Lobby) -> None:
        self.id = game_id
        self.rules = rules
        self.version: int = 1
        self.lobby = lobby
        self.state: Any = None
        self._chance: Chance | None = None
        self._shares_lobby = False
        self.pending: list[Any] = []

    # -- how a game comes to be -----------------------------------------------------------------

    @classmethod
    def open(
        cls, game_id: UUID, rules: AnyRules, opener: str, options: Any, seed: bytes, *, terms: Terms = USUAL
    ) -> Self:
        """Opens a table."""
        must_be_named(opener, terms.house)
        _must_be_kept(terms.clock)
        rules.setup.check_options(options)
        agreed = (terms.house, terms.clock, terms.rated, terms.spectators)
        opened = GameOpened(opener, options, digest(seed), seed.hex(), ALGORITHM, *agreed)
        game = cls(game_id, rules, Lobby(opened))
        game.pending.append(opened)
        return game

    @classmethod
    def branch(
        cls,
        game_id: UUID,
        opener: str,
        seed: bytes,
        origin: "Game",
        *,
        link: str,
        told: Iterable[Any],
        terms: Terms = WHAT_IF,
    ) -> Self:
        """Opens a what-if: the origin's table, and what was told there up to the version it stands at."""
        if origin.phase is not Phase.RUNNING:
            raise refusal(HouseRefusal.NOT_STARTED, "A branch begins after the deal and before the end of a game.")
        game = cls.open(game_id, origin.rules, opener, origin.options, seed, terms=terms)
        for seated in origin.lobby.seated_players:
            game.say(PlayerSeated(seated.player, seated.brought, None))
        game.say(GameStarted(DealtFrom.BRANCH))
        game.say(GameBranched(str(origin.id), origin.version, link))
        for event in told:
            if type(event) not in LIFECYCLE:
                game.say(event)
        return game

    @classmethod
    def replayed(cls, game_id: UUID, rules: AnyRules, events: Iterable[Any]) -> Self:
        """The game to which all this has happened; it must begin with the opening."""
        first, *others = events
        if not is_opening(first):
            raise ValueError("a game begins with its opening")
        game = cls(game_id, rules, Lobby(first))
        game.apply(*others)
        return game

    def copy(self) -> "Game":
        """A game to work on: what it says is pending until it is stored.

        Most commands change nothing in the lobby: both have the same one until one of them changes it.
        """
        twin = Game(self.id, self.rules, self.lobby)
        twin._shares_lobby = self._shares_lobby = True
        twin.version = self.version
        twin.state = None if self.state is None else self.state.copy()
        twin._chance = self._chance
        return twin

    def _changing_lobby(self) -> Lobby:
        """The lobby, for whoever is about to change it."""
        if self._shares_lobby:
            self.lobby = self.lobby.copy()
            self._shares_lobby = False
        return self.lobby

    # -- time -----------------------------------------------------------------------------------

    def it_is(self, now: datetime, mover: str | None = None) -> None:
        """The time of the command that comes next, and who moves by it: their clock stops. Without clocks, nothing."""
        clocks = None if self.lobby.clocks is None else self._changing_lobby().clocks
        if clocks is not None:
            clocks.it_is(now, self.active())
            seat = self.seat_of(mover)
            if seat is not None:
                clocks.moved(seat, now)

    def deadlines(self) -> tuple[Deadline, ...]:
        """Until when those have time who have to act; nothing at a table without a clock."""
        clocks = self.lobby.clocks
        return () if clocks is None else clocks.deadlines(self.active())

    # -- what happens ---------------------------------------------------------------------------

    def apply(self, *events: object) -> None:
        """Follows events, stored ones as well as those just said: nothing else changes a game."""
        evolve = self.rules.play.evolve
        for event in events:
            self.version += 1
            kind = type(event)
            if kind not in LIFECYCLE:
                evolve[kind](self.state, event)
                continue
            if kind in evolve:
                evolve[kind](self.state, event)
            EVOLVE[kind](self._changing_lobby(), event)
            if self.state is None and self.lobby.phase is Phase.RUNNING:
                self.state = self._initial_state()

    def say(self, event: Any) -> None:
        """It happens, and is pending until it is stored."""
        self.apply(event)
        self.pending.append(event)

    def deal(self, deck: Any) -> None:
        """What the rules of the game deal, from a shuffle or in the given order; the seats are closed."""
        draft = Draft(self.state, self.rules.play.evolve)
        self.rules.play.deal(draft, self.chance, deck)
        self._note(draft.events)

    def _decide(self, seat: Seat, move: Any) -> None:
        draft = Draft(self.state, self.rules.play.evolve)
        self.rules.play.decide(draft, seat, move, self.chance)
        self._note(draft.events)

    def _note(self, events: list[object]) -> None:
        """What the rules have said happened to the state; now it happens to the game and, at the end, to its lobby."""
        self.version += len(events)
        self.pending += events
        for event in events:
            kind = type(event)
            if kind in LIFECYCLE:
                EVOLVE[kind](self._changing_lobby(), event)

    def collect_events(self) -> list[Any]:
        """What was said since the last time, to be stored now."""
        events, self.pending = self.pending, []
        return events

    def _initial_state(self) -> Any:
        brought = tuple([seated.brought for seated in self.lobby.seated_players])
        return self.rules.play.initial_state(len(brought), self.options, brought)

    # -- asking ---------------------------------------------------------------------------------

    @property
    def players(self) -> tuple[str, ...]:
        return self.lobby.players

    @property
    def phase(self) -> Phase:
        return self.lobby.phase

    @property
    def over(self) -> bool:
        return self.lobby.over

    @property
    def outcome(self) -> Outcome | None:
        return self.lobby.outcome

    @property
    def options(self) -> Any:
        return self.lobby.opened.options

    @property
    def seed(self) -> bytes:
        seed = self.lobby.opened.seed
        assert seed is not None, "only an opening that is shown to somebody hides its seed"
        return bytes.fromhex(seed)

    @property
    def chance(self) -> Chance:
        """What deals the cards, once all seals are open; made when it is first asked for: a replay draws none."""
        if self._chance is None:
            entropies = [seated.entropy for seated in self.lobby.seated_players]
            shares = [NO_SHARE if entropy is None else share(bytes.fromhex(entropy)) for entropy in entropies]
            self._chance = Chance(self.seed, self.id.bytes, shares)
        return self._chance

    def seat_of(self, player: str | None) -> Seat | None:
        """The player's seat, or None for a spectator."""
        return self.lobby.seats.get(player) if isinstance(player, str) else None

    def active(self) -> tuple[Seat, ...]:
        """The seats that have to act: in a running game, or to open their seals."""
        match self.phase:
            case Phase.RUNNING:
                return tuple(self.rules.play.active(self.state))
            case Phase.SEALED:
                return self.lobby.sealed
            case _:
                return ()

    def legal(self, player: str) -> tuple[Any, ...]:
        """The moves that would be accepted from this player now."""
        seat = self.seat_of(player)
        if self.phase is not Phase.RUNNING or seat is None:
            return ()
        return tuple(self.rules.play.legal(self.state, seat))

    def view(self, player: str | None) -> Any:
        """The table as this player, or a spectator (None), may see it; None before the deal."""
        return None if self.state is None else self.rules.eyes.view(self.state, self.seat_of(player))

    def redact(self, event: Any, player: str | None) -> Any:
        """The event as this player, or a spectator (None), may see it while the game runs."""
        if type(event) not in LIFECYCLE:
            return self.rules.eyes.redact(event, self.seat_of(player))
        return redact_lifecycle(event, player)

    # -- commands -------------------------------------------------------------------------------

    def join(self, player: str, *, brought: Any = None, seal: str | None = None) -> None:
        self._must_be_open()
        must_be_named(player, self.lobby.opened.house)
        if player in self.lobby.seats:
            raise refusal(HouseRefusal.DUPLICATE_PLAYER, f"{player} sits at this table already.")
        if len(self.lobby.seats) >= self.rules.seats[-1]:
            raise refusal(HouseRefusal.TABLE_FULL, f"{self.rules.title} has {self.rules.seats[-1]} seats at most.")
        if brought is not None and self.rules.setup.brings is None:
            raise nothing_to_bring_error(self.rules)
        if seal is not None and not is_digest(seal):
            raise refusal(HouseRefusal.BAD_SEAL, "A seal is the SHA-256 of the entropy: 64 hex digits, lower case.")
        if seal is not None and self._house_knows_void and seal in [s.seal for s in self.lobby.seated_players]:
            raise refusal(HouseRefusal.SEAL_USED, "Somebody at this table has sealed the same: choose other entropy.")
        self.rules.setup.check_brought(self.options, brought)
        self.say(PlayerSeated(player, brought, seal))

    def add_bot(self, host: str, bot: str, *, brought: Any = None) -> None:
        """Gives the next seat to a bot."""
        self._must_be_open()
        self._must_belong(host)
        self.join(next_bot(bot, self.players), brought=brought)

    def seat_all(self, players: Sequence[str], brought: Mapping[str, Any] | None = None) -> None:
        """Seats a whole party at once: first whether so many can play is asked, then whether anybody comes twice."""
        self._must_be_open()
        self._must_be_enough(len(self.lobby.seated_players) + len(players))
        for player in players:
            self.join(player, brought=(brought or {}).get(player))

    def start(self, starter: str, *, deck: Any = None, position: Any = None, brought_all: bool = False) -> None:
        """Closes the seats and deals; with sealed entropy the last reveal deals.

        `brought_all` says that the starter has brought everything that anybody has.
        """
        self._must_be_open()
        self._must_belong(starter)
        self._must_be_enough(len(self.lobby.seated_players))
        if deck is None and position is None:
            self._shuffle()
            return
        if deck is not None and position is not None:
            raise refusal(HouseRefusal.TWO_OPENINGS, "A game starts from a given deck or a position, not both.")
        if any(seated.seal for seated in self.lobby.seated_players):
            raise refusal(HouseRefusal.SEALED_NEEDS_SHUFFLE, "Somebody sealed entropy: only a shuffle can use it.")
        if position is None:
            if not brought_all:
                self._must_not_tell_what_others_brought(starter)
            self.say(GameStarted(DealtFrom.GIVEN_DECK))
            self.deal(deck)
        else:
            setup = self.rules.setup
            if setup.position is None or type(position) is not setup.position:
                raise no_positions_error(self.rules)
            setup.check_position(len(self.lobby.seated_players), position)
            self.say(GameStarted(DealtFrom.POSITION))
            self.say(position)

    def _shuffle(self) -> None:
        if any(seated.seal for seated in self.lobby.seated_players):
            self._must_be_dealable()
        self.say(GameStarted(DealtFrom.SHUFFLE))
        if self.phase is Phase.RUNNING:
            self.deal(None)

    def reveal(self, player: str, entropy: bytes) -> None:
        """Opens a seat's seal; the last one has the cards dealt."""
        seat = self._must_sit(player)
        seated = self.lobby.seated_players[seat]
        if self.phase is Phase.LOBBY:
            raise refusal(HouseRefusal.NOT_STARTED, "Entropy is revealed after the seats are closed.")
        if seated.seal is None:
            raise refusal(HouseRefusal.NOTHING_SEALED, f"{player} has sealed nothing.")
        if seated.entropy is not None:
            raise refusal(HouseRefusal.ALREADY_REVEALED, f"{player} has revealed it already.")
        if digest(entropy) != seated.seal:
            raise refusal(HouseRefusal.WRONG_ENTROPY, "This entropy does not fit the seal.")
        self.say(EntropyRevealed(seat, entropy.hex()))
        if self.phase is Phase.RUNNING:
            self.deal(None)

    def move(self, player: str, move: Any) -> None:
        lobby = self.lobby
        seat = lobby.seats.get(player)
        if seat is None or lobby.phase is not _RUNNING:
            raise self._why_no_move(player, seat)
        self._decide(seat, move)

    def _why_no_move(self, player: str, seat: Seat | None) -> Exception:
        if self.over and not (seat is None and self.rules.play.unknown_player_first):
            return _game_over()
        if seat is None:
            return unknown_player_error(player)
        return refusal(HouseRefusal.NOT_STARTED, "The cards have not been dealt yet.")

    def leave(self, player: str, reason: str) -> None:
        """Stands up from an open table, or gives a running game up for lost; before the deal nobody can lose."""
        seat = self._must_sit(player)
        if self.phase is Phase.LOBBY:
            self.say(PlayerLeft(player))
        else:
            self._break_off(player, seat, reason)

    def abandon(self, player: str, reason: str) -> None:
        """Breaks the game off; whoever sits at a running game loses it by that."""
        if self.over:
            raise _game_over()
        self._must_belong(player)
        seat = None if self.phase is Phase.LOBBY else self.seat_of(player)
        self._break_off(player, seat, reason)

    def _break_off(self, player: str, seat: Seat | None, reason: str) -> None:
        if self.phase is Phase.SEALED and self._house_knows_void:
            self.say(GameVoided(() if seat is None else (seat,), player, reason))
        else:
            self.say(GameAbandoned(seat, reason))

    def void(self, operator: str, reason: str) -> None:
        """Ends the game without a loser, by the authority of whoever runs the house; players have none."""
        if self.over:
            raise _game_over()
        if not self._house_knows_void or self.seat_of(operator) is not None:
            raise refusal(HouseRefusal.NOT_ALLOWED, "Only the operator, who does not play, can make a game void.")
        self.say(GameVoided((), operator, reason))

    def claim_timeout(self, claimant: str, seat: Seat) -> None:
        """Says that a seat's time has run out; all others whose time has run out, too, are treated alike."""
        if self.over:
            raise _game_over()
        if claimant != TIMEKEEPER:
            self._must_belong(claimant)
        clocks = self.lobby.clocks
        if clocks is None:
            raise refusal(HouseRefusal.NO_CLOCK, "This table has no clock.")
        late = clocks.late(self.active())
        if seat not in late:
            raise refusal(HouseRefusal.TOO_EARLY, "The time of this seat has not run out yet.")
        if self.phase is Phase.SEALED or len(late) == len(self.lobby.seated_players):
            self.say(GameVoided(late, None, TIMEOUT))
            return
        beaten = tuple(one for one in late if self._forfeits(clocks, one))
        if beaten:
            for one in beaten:
                self.say(SeatTimedOut(one))
            self.say(GameForfeited(beaten, TIMEOUT))
        else:
            self._play_for(late)

    def _forfeits(self, clocks: SeatClocks, seat: Seat) -> bool:
        by_terms = clocks.terms.on_timeout is OnTimeout.FORFEIT
        return by_terms or clocks.missed.get(seat, 0) + 1 >= MOST_IN_A_ROW

    def _play_for(self, late: Sequence[Seat]) -> None:
        play = self.rules.play
        for seat in late:
            # What is played for one seat may end the game, or the turn of the next.
            if seat in self.active():
                move = play.house_move(self.rules.eyes.view(self.state, seat), play.legal(self.state, seat))
                self.say(SeatTimedOut(seat))
                self._decide(seat, move)

    @property
    def _house_knows_void(self) -> bool:
        return self.lobby.opened.house >= KNOWS_VOID

    # -- guards ---------------------------------------------------------------------------------

    def _must_be_open(self) -> None:
        if self.lobby.phase is not _LOBBY:
            raise _game_over() if self.over else _seats_closed()

    def _must_be_enough(self, players: int) -> None:
        if players not in self.rules.seats:
            told = f"{self.rules.title} is for {self.rules.how_many} players, not {players}."
            raise refusal(HouseRefusal.PLAYER_COUNT, told)

    def _must_not_tell_what_others_brought(self, starter: str) -> None:
        """A given deck is compared with what was brought, and the answer would tell: so nothing is compared."""
        others = any(seated.brought is not None for seated in self.lobby.seated_players if seated.player != starter)
        if others and self.lobby.opened.house >= KEEPS_WHAT_OTHERS_BROUGHT:
            raise refusal(
                HouseRefusal.BROUGHT_BY_OTHERS,
                "Somebody else has brought something to this table: only a shuffle or a position can start it.",
            )

    def _must_be_dealable(self) -> None:
        """Deals on another table and with other chance: once seats are closed nobody could mend what is refused."""
        play = self.rules.play
        play.deal(Draft(self._initial_state(), play.evolve), REHEARSAL, None)

    def _must_belong(self, player: str) -> None:
        if player != self.lobby.opened.opener and player not in self.lobby.seats:
            raise refusal(HouseRefusal.NOT_ALLOWED, "Only those who opened the table or sit at it may do that.")

    def _must_sit(self, player: str) -> Seat:
        if self.over:
            raise _game_over()
        seat = self.seat_of(player)
        if seat is None:
            raise unknown_player_error(player)
        return seat


def _must_be_kept(clock: TableClock | None) -> None:
    if clock is not None and not (1 <= clock.move_seconds <= LONGEST_TIME and 0 <= clock.bank_seconds <= LONGEST_TIME):
        limits = f"1 to {LONGEST_TIME} seconds for a move, and a bank of up to as many"
        raise refusal(HouseRefusal.BAD_CLOCK, f"A clock gives {limits}.")


@lru_cache(maxsize=4096)
def must_be_named(player: str, house: int) -> None:
    if house >= KNOWS_VOID and player.startswith(HOUSE):
        raise refusal(HouseRefusal.BAD_NAME, f"Names that begin with {HOUSE} belong to the house.")
    if not player or player != player.strip() or len(player) > 200 or not player.isprintable():
        raise refusal(
            HouseRefusal.BAD_NAME,
            "A player's name is 1 to 200 printable characters, without leading or trailing spaces.",
        )


def _game_over() -> Exception:
    return refusal(HouseRefusal.GAME_OVER, "The game is over.")


def _seats_closed() -> Exception:
    return refusal(HouseRefusal.ALREADY_STARTED, "The game has started: its seats are closed.")


def nothing_to_bring_error(rules: AnyRules) -> IllegalMove:
    """For whoever brings something to a game that is played without."""
    return refusal(HouseRefusal.NOTHING_TO_BRING, f"Nothing can be brought to a game of {rules.title}.")


def no_positions_error(rules: AnyRules) -> IllegalMove:
    """For a start from what is not a position of this game."""
    return refusal(HouseRefusal.NO_POSITIONS, f"{rules.title} cannot start from such a position.")


def unknown_player_error(player: str) -> IllegalMove:
    """For whoever acts, or wants to see, at a table where they do not sit."""
    return refusal(HouseRefusal.UNKNOWN_PLAYER, f"{echo(player)} does not sit at this table.")
