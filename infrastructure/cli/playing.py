"""People and bots at one table: what is shown, what may be typed, and what comes of it."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import SystemRandom
from typing import Any, Protocol
from uuid import UUID

from fairdeal.application.bots import bot_name, with_names
from fairdeal.application.errors import InvalidCommand
from fairdeal.application.history.look import AnyLook
from fairdeal.domain.kernel.lobby import BOT
from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.cli.kinds import page_for_players
from fairdeal.infrastructure.cli.moves import Choice, choices, guessed, matching

BEST = ("strong", "careful")
"""The bots that are asked for a hint, the best first."""
WORDS = "hint, rules, quit"
SHORT = {"q": "quit", "h": "hint"}


class Screen(Protocol):
    """Where a game is shown and moves are chosen."""

    def cover(self, player: str) -> None:
        """Hides everything until this player has the keyboard."""
        ...

    def choose(self, shown: "Shown") -> str:
        """What the player typed: the words of a move, or one of ours."""
        ...

    def show(self, shown: "Shown") -> None:
        """The table, with nothing to choose."""
        ...

    def tell(self, text: str) -> None:
        """What is still to be seen when the game is left."""
        ...

    def read(self, text: str) -> None:
        """A page that is longer than the screen may be."""
        ...


@dataclass(slots=True)
class Shown:
    """What one player, or a spectator, is to see now."""

    rules: AnyRules
    look: AnyLook
    table: str
    news: Sequence[str]
    choices: Sequence[Choice] = ()
    note: str = ""
    begun: str = ""
    """What was typed and fits several moves: it stays there, for more to be typed."""

    @property
    def player(self) -> str:
        return "" if self.look.seat is None else self.look.players[self.look.seat]

    @property
    def names(self) -> tuple[str, ...]:
        return called(self.look.players)


def called(players: Sequence[str]) -> tuple[str, ...]:
    """What the players of a table are called on the screen: `bot:careful:1` is Careful bot 1."""
    return tuple(bot_name(player) or player for player in players)


def as_called(lines: Sequence[str], players: Sequence[str]) -> tuple[str, ...]:
    """Lines of a story with these names."""
    names = dict(zip(players, called(players), strict=True))
    return tuple(with_names(line, names) for line in lines)


def bots_of(rules: AnyRules, names: Sequence[str]) -> list[str]:
    """The ids of bots at a table: they say that they are bots."""
    return [f"{BOT}{name}:{number}" for number, name in enumerate(names, 1)]


def bot_for(rules: AnyRules, player: str) -> Callable[..., Any]:
    name = player.removeprefix(BOT).partition(":")[0]
    return rules.bots.get(name) or best_bot(rules)


def best_bot(rules: AnyRules) -> Callable[..., Any]:
    for name in BEST:
        if name in rules.bots:
            return rules.bots[name]
    return list(rules.bots.values())[-1]


class PlayableGames(Protocol):
    """What a session asks of games, here or on a server."""

    @property
    def kinds(self) -> Mapping[str, AnyRules]: ...

    def look(self, game_id: UUID | str, player: str | None = None) -> AnyLook: ...

    def story(self, game_id: UUID | str, player: str | None = None) -> tuple[str, ...]: ...

    def move(self, game_id: UUID | str, player: str, move: Any) -> object: ...


@dataclass(slots=True)
class PlaySession:
    """A game played at this keyboard."""

    fairdeal: PlayableGames
    game_id: UUID
    screen: Screen
    seen: dict[str, int] = field(default_factory=dict[str, int])
    """How much of the story each player has been shown."""
    last: str | None = None

    def play(self) -> bool:
        """Until the end of the game, or until somebody quits; whether the game is over."""
        while True:
            look = self.fairdeal.look(self.game_id)
            if not look.active:
                self.screen.show(self.shown(self._viewer(look)))
                return True
            player = look.players[self._next(look)]
            if player.startswith(BOT):
                self._move_bot(player)
            elif not self._ask(player, self._people(look)):
                return False

    def _next(self, look: AnyLook) -> int:
        """Bots first where several may act: nobody has to wait for them."""
        return next((seat for seat in look.active if look.players[seat].startswith(BOT)), look.active[0])

    def _people(self, look: AnyLook) -> list[str]:
        return [player for player in look.players if not player.startswith(BOT)]

    def _viewer(self, look: AnyLook) -> str | None:
        people = self._people(look)
        return people[0] if len(people) == 1 else None

    def _move_bot(self, player: str) -> None:
        look = self.fairdeal.look(self.game_id, player)
        rules = self.fairdeal.kinds[look.kind]
        self.fairdeal.move(self.game_id, player, bot_for(rules, player)(look.view, look.legal, SystemRandom()))

    def shown(self, player: str | None, note: str = "") -> Shown:
        look = self.fairdeal.look(self.game_id, player)
        rules = self.fairdeal.kinds[look.kind]
        story = self.fairdeal.story(self.game_id, player)
        key = player or ""
        news = story[self.seen.get(key, 0) :] or story[-1:]
        names = called(look.players)
        table = "" if look.view is None else rules.voice.render(look.view, names)
        return Shown(rules, look, table, as_called(news, look.players), choices(rules, look.legal, names), note)

    def _ask(self, player: str, people: Sequence[str]) -> bool:
        if len(people) > 1 and self.last != player:
            self.screen.cover(player)
        self.last = player
        shown = self.shown(player)
        while True:
            word = self.screen.choose(shown)
            shown.note = shown.begun = ""
            match _meant(word, shown.choices):
                case "quit":
                    return False
                case "hint":
                    shown.note = f"Hint: {self._hint(shown)}"
                case "rules":
                    with _noting(shown):
                        self.screen.read(page_for_players(shown.rules))
                case _:
                    with _noting(shown):
                        self._move(shown, word)
                        self.seen[player] = shown.look.version
                        return True

    def _hint(self, shown: Shown) -> str:
        move = best_bot(shown.rules)(shown.look.view, shown.look.legal, SystemRandom())
        return next((choice.words for choice in shown.choices if choice.move == move), str(move))

    def _move(self, shown: Shown, word: str) -> None:
        fitting = matching(shown.choices, word) if word.strip() else []
        if len(fitting) == 1:
            self.fairdeal.move(self.game_id, shown.player, fitting[0].move)
        elif fitting:
            shown.begun = word
            raise InvalidMove(f"{len(fitting)} moves begin like this: type more, or a number.")
        else:
            self._refuse(shown, word)

    def _refuse(self, shown: Shown, word: str) -> None:
        """Lets the rules say why not; if they allow it, it was a move after all."""
        known = "\n".join((shown.table, *(choice.words for choice in shown.choices)))
        move = guessed(shown.rules, word, shown.names, known)
        if move is None:
            raise InvalidMove(f"Type a number, the words of a move, or one of: {WORDS}.")
        try:
            self.fairdeal.move(self.game_id, shown.player, move)
        except InvalidCommand:
            names = ", ".join(name.replace("_", " ") for name in shown.rules.stored.moves)
            raise InvalidMove(f"{word.strip()!r} is not a whole move; moves begin with {names}.") from None


def _meant(word: str, moves: Sequence[Choice]) -> str:
    """One letter is short for a word of ours only where no move fits it: a queen is a Q, hearts are an H."""
    typed = word.strip().lower()
    if typed == "?":
        return "hint"
    return SHORT[typed] if typed in SHORT and not matching(moves, typed) else typed


@contextmanager
def _noting(shown: Shown) -> Generator[None]:
    """What is refused is said to whoever tried it."""
    try:
        yield
    except FairdealError as error:
        shown.note = error.message


class InvalidMove(FairdealError):
    """What was typed is not a move, or not only one."""

    code = "invalid_move"


def ending(shown: Shown) -> str:
    outcome = shown.look.outcome
    if outcome is None:
        return "The game goes on."
    winners = " and ".join(shown.names[seat] for seat in outcome.winners)
    # A reason that only says that it was won says nothing more.
    because = "" if outcome.reason == "won" else f" ({outcome.reason.replace('_', ' ')})"
    return f"{winners or 'Nobody'} won{because}."
