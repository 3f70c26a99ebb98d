"""People and bots at one table: what is shown, what may be typed, and what comes of it."""

import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import SystemRandom
from typing import Any, Protocol
from uuid import UUID

from fairdeal.application.errors import InvalidCommand
from fairdeal.application.history.look import AnyLook
from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.cli.drawing import coloured
from fairdeal.infrastructure.cli.keys import Keys, reading_keys
from fairdeal.infrastructure.cli.moves import Choice, choices, guessed, matching
from fairdeal.infrastructure.cli.output import say
from fairdeal.service import Fairdeal

BOT = "bot:"
BEST = ("strong", "careful")
"""The bots that are asked for a hint, the best first."""
NEWS = 8
"""Lines of the story that are shown at once."""
LISTED = 30
WORDS = "hint, rules, quit"


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

    def tell(self, text: str) -> None: ...


@dataclass(slots=True)
class Shown:
    """What one player, or a spectator, is to see now."""

    rules: AnyRules
    look: AnyLook
    table: str
    news: Sequence[str]
    choices: Sequence[Choice] = ()
    note: str = ""

    @property
    def player(self) -> str:
        return "" if self.look.seat is None else self.look.players[self.look.seat]


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


@dataclass(slots=True)
class Session:
    """A game played at this keyboard."""

    fairdeal: Fairdeal
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
        table = "" if look.view is None else rules.render(look.view, look.players)
        return Shown(rules, look, table, news, choices(rules, look.legal, look.players), note)

    def _ask(self, player: str, people: Sequence[str]) -> bool:
        if len(people) > 1 and self.last != player:
            self.screen.cover(player)
        self.last = player
        shown = self.shown(player)
        while True:
            word = self.screen.choose(shown)
            shown.note = ""
            match word.strip().lower():
                case "quit" | "q":
                    return False
                case "hint" | "h" | "?":
                    shown.note = f"Hint: {self._hint(shown)}"
                case "rules":
                    shown.note = f"fairdeal rules {shown.look.kind}"
                case _:
                    try:
                        self._move(shown, word)
                    except FairdealError as error:
                        shown.note = error.message
                    else:
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
            raise InvalidMove(f"{len(fitting)} moves begin so: type more, or a number.")
        else:
            self._refuse(shown, word)

    def _refuse(self, shown: Shown, word: str) -> None:
        """Lets the rules say why not; should they not mind, it was a move after all."""
        known = "\n".join((shown.table, *(choice.words for choice in shown.choices)))
        move = guessed(shown.rules, word, shown.look.players, known)
        if move is None:
            raise InvalidMove(f"Type a number, the words of a move, or one of: {WORDS}.")
        try:
            self.fairdeal.move(self.game_id, shown.player, move)
        except InvalidCommand:
            names = ", ".join(name.replace("_", " ") for name in shown.rules.moves)
            raise InvalidMove(f"{word.strip()!r} is not a whole move; moves begin with {names}.") from None


class InvalidMove(FairdealError):
    """What was typed is not a move, or not only one."""

    code = "invalid_move"


def ending(shown: Shown) -> str:
    outcome = shown.look.outcome
    if outcome is None:
        return "The game goes on."
    winners = ", ".join(shown.look.players[seat] for seat in outcome.winners)
    return f"{winners or 'Nobody'} won ({outcome.reason.replace('_', ' ')})."


class PlainScreen:
    """Lines of text, for screen readers, pipes and terminals that can do nothing else."""

    def cover(self, player: str) -> None:
        if sys.stdout.isatty():
            say("\n" * 80)
        self._read(f"It is {player}'s turn. Press Enter when nobody else looks. ")

    def choose(self, shown: Shown) -> str:
        if shown.note:
            say(shown.note)
        else:
            self.show(shown)
            for choice in shown.choices[:LISTED]:
                say(f"{choice.number:>3}  {choice.words}")
            if len(shown.choices) > LISTED:
                say(f"     … and {len(shown.choices) - LISTED} more: type words of the move.")
            say(f"Type a number, words of a move, or: {WORDS}.")
        return self._read(f"{shown.player}> ")

    def show(self, shown: Shown) -> None:
        say("")
        say("\n".join(shown.news))
        say("")
        say(shown.table)
        say("")

    def tell(self, text: str) -> None:
        say(text)

    def _read(self, prompt: str) -> str:
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            say("")
            return "quit"
        return line.strip()


class KeyScreen:
    """The whole window: the table in colour, and moves that narrow while one types."""

    def __init__(self, keys: Keys) -> None:
        from rich.console import Console

        self._keys = keys
        self._console = Console(highlight=False, emoji=False, markup=False)

    def cover(self, player: str) -> None:
        self._console.clear()
        self._console.print(f"\n\n   It is {player}'s turn.\n\n   Press Enter when nobody else looks.")
        while self._keys.next() not in ("enter", "eof"):
            pass

    def choose(self, shown: Shown) -> str:
        typed, at, size = "", -1, None
        while True:
            fitting = matching(shown.choices, typed)
            at = min(at, len(fitting) - 1)
            if size != self._console.size or size is not None:
                self._draw(shown, fitting, typed, at)
            size = self._console.size
            while (key := self._keys.next()) is None and size == self._console.size:
                pass
            match key:
                case None | "":
                    continue
                case "enter" if at >= 0:
                    return str(fitting[at].number)
                case "enter":
                    return typed
                case "eof":
                    return "quit"
                case "up":
                    at = max(at - 1, -1)
                case "down":
                    at += 1
                case "backspace":
                    typed, at = typed[:-1], -1
                case "escape":
                    typed, at = "", -1
                case "tab":
                    typed = fitting[0].words if len(fitting) == 1 else typed
                case _ if len(key) == 1:
                    typed, at = typed + key, -1
                case _:
                    pass

    def show(self, shown: Shown) -> None:
        self._draw(shown, (), None, -1)

    def tell(self, text: str) -> None:
        self._console.print(text)

    def _draw(self, shown: Shown, fitting: Sequence[Choice], typed: str | None, at: int) -> None:
        from rich.panel import Panel
        from rich.text import Text

        console, kind = self._console, shown.look.kind
        news = coloured(kind, "\n".join(shown.news[-NEWS:]))
        who = f"{shown.rules.title} · {shown.player or 'the table'}"
        console.clear()
        console.print(news, style="dim")
        console.print(Panel(coloured(kind, shown.table), title=who, title_align="left", expand=False))
        room = max(3, console.size.height - shown.table.count("\n") - min(len(shown.news), NEWS) - 9)
        first = max(0, at - room + 1)
        for number, choice in enumerate(fitting[first : first + room], first):
            line = Text("▸ " if number == at else "  ", "bold green")
            line.append(f"{choice.number:>3}  ", "dim")
            line.append_text(coloured(kind, choice.words))
            console.print(line, no_wrap=True, overflow="ellipsis")
        if len(fitting) > room:
            console.print(Text(f"       … {len(fitting)} moves: type to narrow them", "dim"))
        if typed is None:
            return
        if shown.note:
            console.print(Text(shown.note, "bold yellow"))
        console.print(Text(f"Type words or a number, ↑ ↓ and Enter; {WORDS}.", "dim"))
        console.print(Text("> ", "bold") + Text(typed), end="")
        sys.stdout.flush()


@contextmanager
def a_screen(*, plain: bool) -> Generator[Screen]:
    if plain:
        yield PlainScreen()
        return
    with reading_keys() as keys:
        yield KeyScreen(keys)
