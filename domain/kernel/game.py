"""The game as an aggregate: a table where people sit down, play by one kind of rules and end."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from fairdeal.domain.kernel.chance import ALGORITHM, SEED_SIZE, Chance, digest, is_digest
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.lifecycle import (
    DealtFrom,
    EntropyRevealed,
    GameAbandoned,
    GameBranched,
    GameFinished,
    GameOpened,
    GameStarted,
    PlayerLeft,
    PlayerSeated,
    Seat,
)
from fairdeal.domain.kernel.refusals import HouseRefusal, IllegalMove, refusal
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.domain.kernel.table import SHARED, Phase, Table

REHEARSAL = Chance(bytes(SEED_SIZE), bytes(16), ())
"""Whether cards can be dealt does not depend on their order, so any chance will do to find out."""


class Game(Table):
    """One game of any kind. Commands work on a copy; a published game is never changed."""

    __slots__ = ("pending",)

    def __init__(self, game_id: UUID, rules: AnyRules) -> None:
        super().__init__(game_id, rules)
        self.pending: list[Any] = []

    # -- commands: each works in place, on a copy that is thrown away if it is refused -------------

    def copy(self) -> "Game":
        """A game to work on: what it says is pending until it is stored."""
        twin = Game.__new__(Game)
        for name in Table.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.pending = []
        twin.state = None if self.state is None else self.state.copy()
        return twin

    def open(self, opener: str, options: Any, seed: bytes) -> None:
        _must_be_named(opener)
        self.rules.check_options(options)
        self._say(GameOpened(opener, options, digest(seed), seed.hex(), ALGORITHM))

    def join(self, player: str, *, brought: Any = None, seal: str | None = None) -> None:
        self._must_be_open()
        _must_be_named(player)
        if player in self._seats:
            raise refusal(HouseRefusal.DUPLICATE_PLAYER, f"{player} sits at this table already.")
        if len(self.seated_players) >= self.rules.seats[-1]:
            raise refusal(HouseRefusal.TABLE_FULL, f"{self.rules.title} has {self.rules.seats[-1]} seats at most.")
        if brought is not None and self.rules.brings is None:
            raise nothing_to_bring_error(self.rules)
        if seal is not None and not is_digest(seal):
            raise refusal(HouseRefusal.BAD_SEAL, "A seal is the SHA-256 of the entropy: 64 hex digits, lower case.")
        self.rules.check_brought(self.options, brought)
        self._say(PlayerSeated(player, brought, seal))

    def seat_all(self, players: Sequence[str], brought: Mapping[str, Any] | None = None) -> None:
        """Seats a whole party at once: first whether so many can play is asked, then whether anybody comes twice."""
        self._must_be_open()
        self._must_be_enough(len(self.seated_players) + len(players))
        for player in players:
            self.join(player, brought=(brought or {}).get(player))

    def start(self, starter: str, *, deck: Any = None, position: Any = None) -> None:
        """Closes the seats and deals; with sealed entropy the last reveal deals."""
        self._must_be_open()
        self._must_belong(starter)
        self._must_be_enough(len(self.seated_players))
        if deck is None and position is None:
            self._shuffle()
            return
        if deck is not None and position is not None:
            raise refusal(HouseRefusal.TWO_OPENINGS, "A game starts from a given deck or a position, not both.")
        if any(seated.seal for seated in self.seated_players):
            raise refusal(HouseRefusal.SEALED_NEEDS_SHUFFLE, "Somebody sealed entropy: only a shuffle can use it.")
        if position is None:
            self._say(GameStarted(DealtFrom.GIVEN_DECK))
            self._deal(deck)
        else:
            if self.rules.position is None or type(position) is not self.rules.position:
                raise no_positions_error(self.rules)
            self.rules.check_position(len(self.seated_players), position)
            self._say(GameStarted(DealtFrom.POSITION))
            self._say(position)

    def _shuffle(self) -> None:
        if any(seated.seal for seated in self.seated_players):
            self._must_be_dealable()
        self._say(GameStarted(DealtFrom.SHUFFLE))
        if self.phase is Phase.RUNNING:
            self._deal(None)

    def branch(self, opener: str, seed: bytes, origin: "Game", link: str, told: Iterable[Any]) -> None:
        """Opens a what-if: the origin's table, and what was told there up to the version it stands at."""
        if origin.phase is not Phase.RUNNING:
            raise refusal(HouseRefusal.NOT_STARTED, "A branch begins after the deal and before the end of a game.")
        self.open(opener, origin.options, seed)
        for seated in origin.seated_players:
            self._say(PlayerSeated(seated.player, seated.brought, None))
        self._say(GameStarted(DealtFrom.BRANCH))
        self._say(GameBranched(str(origin.id), origin.version, link))
        for event in told:
            if type(event) not in SHARED:
                self._say(event)

    def reveal(self, player: str, entropy: bytes) -> None:
        """Opens a seat's seal; the last one has the cards dealt."""
        seat = self._must_sit(player)
        seated = self.seated_players[seat]
        if self.phase is Phase.LOBBY:
            raise refusal(HouseRefusal.NOT_STARTED, "Entropy is revealed after the seats are closed.")
        if seated.seal is None:
            raise refusal(HouseRefusal.NOTHING_SEALED, f"{player} has sealed nothing.")
        if seated.entropy is not None:
            raise refusal(HouseRefusal.ALREADY_REVEALED, f"{player} has revealed it already.")
        if digest(entropy) != seated.seal:
            raise refusal(HouseRefusal.WRONG_ENTROPY, "This entropy does not fit the seal.")
        self._say(EntropyRevealed(seat, entropy.hex()))
        if self.phase is Phase.RUNNING:
            self._deal(None)

    def move(self, player: str, move: Any) -> None:
        seat = self.seat_of(player)
        if seat is None or self.phase is not Phase.RUNNING:
            raise self._why_no_move(player, seat)
        draft = Draft(self.state, self.rules.evolve)
        self.rules.decide(draft, seat, move, self.chance)
        self._take(draft)

    def _why_no_move(self, player: str, seat: Seat | None) -> Exception:
        if self.over and not (seat is None and self.rules.unknown_player_first):
            return _game_over()
        if seat is None:
            return unknown_player_error(player)
        return refusal(HouseRefusal.NOT_STARTED, "The cards have not been dealt yet.")

    def leave(self, player: str, reason: str) -> None:
        """Stands up from an open table, or gives a running game up for lost."""
        seat = self._must_sit(player)
        if self.phase is Phase.LOBBY:
            self._say(PlayerLeft(player))
        else:
            self._say(GameAbandoned(seat, reason))

    def abandon(self, player: str, reason: str) -> None:
        """Breaks the game off; whoever sits at a started game loses it by that."""
        if self.over:
            raise _game_over()
        self._must_belong(player)
        seat = None if self.phase is Phase.LOBBY else self.seat_of(player)
        self._say(GameAbandoned(seat, reason))

    # -- guards ---------------------------------------------------------------------------------

    def _must_be_open(self) -> None:
        if self.over:
            raise _game_over()
        if self.phase is not Phase.LOBBY:
            raise refusal(HouseRefusal.ALREADY_STARTED, "The game has started: its seats are closed.")

    def _must_be_enough(self, players: int) -> None:
        if players not in self.rules.seats:
            wanted = f"{self.rules.seats[0]} to {self.rules.seats[-1]}"
            raise refusal(HouseRefusal.PLAYER_COUNT, f"{self.rules.title} is for {wanted} players, not {players}.")

    def _must_be_dealable(self) -> None:
        """Deals on another table and with other chance: behind closed seats nobody could mend what is refused."""
        blank = self.rules.initial_state(
            len(self.seated_players), self.options, tuple([s.brought for s in self.seated_players])
        )
        self.rules.deal(Draft(blank, self.rules.evolve), REHEARSAL, None)

    def _must_belong(self, player: str) -> None:
        assert self.opened is not None
        if player != self.opened.opener and player not in self._seats:
            raise refusal(HouseRefusal.NOT_ALLOWED, "Only who opened the table or sits at it may do that.")

    def _must_sit(self, player: str) -> Seat:
        if self.over:
            raise _game_over()
        seat = self.seat_of(player)
        if seat is None:
            raise unknown_player_error(player)
        return seat

    # -- what is said, and happens at once ------------------------------------------------------

    def _say(self, event: Any) -> None:
        self.apply(event)
        self.pending.append(event)

    def _deal(self, deck: Any) -> None:
        draft = Draft(self.state, self.rules.evolve)
        self.rules.deal(draft, self.chance, deck)
        self._take(draft)

    def _take(self, draft: Draft[Any]) -> None:
        self.pending += draft.events
        self.version += len(draft.events)
        ending = draft.events[-1]
        if type(ending) is GameFinished:
            self._finished(ending)


def _must_be_named(player: str) -> None:
    if not player or player != player.strip() or len(player) > 200 or not player.isprintable():
        raise refusal(HouseRefusal.BAD_NAME, "A player's name is 1 to 200 printable characters without blanks around.")


def _game_over() -> Exception:
    return refusal(HouseRefusal.GAME_OVER, "The game is over.")


def nothing_to_bring_error(rules: AnyRules) -> IllegalMove:
    """For whoever brings something to a game that is played without."""
    return refusal(HouseRefusal.NOTHING_TO_BRING, f"Nothing can be brought to a game of {rules.title}.")


def no_positions_error(rules: AnyRules) -> IllegalMove:
    """For a start from what is no position of this game."""
    return refusal(HouseRefusal.NO_POSITIONS, f"{rules.title} cannot start from such a position.")


def unknown_player_error(player: str) -> IllegalMove:
    """For whoever acts, or wants to see, at a table where he does not sit."""
    return refusal(HouseRefusal.UNKNOWN_PLAYER, f"{player} does not sit at this table.")
