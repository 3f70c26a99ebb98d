"""Reads a configuration file of Reviiyot: verbal, N, the deck and the players (RULES 9)."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.domain.reviiyot.cards import HAND_SIZE, HIGHEST_N, NUMBER, deck_size, is_card
from fairdeal.domain.reviiyot.options import SEATS, Strategy

WHITE_SPACE = " \t\r\v\f"
SPACES = re.compile(r"[ \t]+")
STRATEGIES = {strategy.value: strategy for strategy in Strategy}
LONGEST_QUOTE = 24


@dataclass(frozen=True, slots=True)
class ConfiguredPlayer:
    name: str
    strategy: Strategy


@dataclass(frozen=True, slots=True)
class Config:
    """A game that plays itself: everything is known before the first turn."""

    verbal: bool
    n: int
    deck: tuple[str, ...]
    players: tuple[ConfiguredPlayer, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)


class BadConfig(FairdealError):
    """The file is refused; the message is one line that names the line of the file and its fault."""

    code = "bad_config"

    def __init__(self, line: int, fault: str) -> None:
        super().__init__(f"line {line}: {fault}")
        self.line = line
        self.fault = fault


@dataclass(frozen=True, slots=True)
class ConfigLine:
    """A line with something in it, and where it stands in the file."""

    number: int
    text: str

    @property
    def tokens(self) -> list[str]:
        return SPACES.split(self.text)

    def bad(self, fault: str) -> BadConfig:
        return BadConfig(self.number, fault)


def read(data: bytes) -> Config:
    """The configured game, or `BadConfig` for the first fault in the file."""
    lines = list(_lines(_decoded(data)))
    last = lines[-1].number if lines else 1
    for missing in ("verbal (0 or 1)", "N", "the deck")[len(lines) :]:
        raise BadConfig(last, f"the file ends here, {missing} is missing")
    verbal = _verbal(lines[0])
    n = _highest_number(lines[1])
    deck = _deck(lines[2], n)
    players = tuple(_players(lines[3:], len(deck)))
    if len(players) < SEATS[0]:
        raise BadConfig(last, f"the file ends here, {len(players)} of at least {SEATS[0]} players are there")
    return Config(verbal, int(n), deck, players)


def _decoded(data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadConfig(data.count(b"\n", 0, error.start) + 1, "this is not UTF-8 text") from None
    if text.startswith("\ufeff"):
        raise BadConfig(1, "the file starts with a byte order mark")
    return text


def _lines(text: str) -> Iterator[ConfigLine]:
    """What is left without white space at the ends, empty lines and comments."""
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip(WHITE_SPACE)
        if line and not line.startswith("#"):
            yield ConfigLine(number, line)


def _verbal(line: ConfigLine) -> bool:
    if line.text not in ("0", "1"):
        raise line.bad(f"verbal is 0 or 1, not {_quoted(line.text)}")
    return line.text == "1"


def _highest_number(line: ConfigLine) -> str:
    """N in digits: it may be too large to count to."""
    if not NUMBER.fullmatch(line.text):
        raise line.bad(f"N is a number from 1 upwards, not {_quoted(line.text)}")
    return line.text


def _deck(line: ConfigLine, n: str) -> tuple[str, ...]:
    tokens = line.tokens
    seen: set[str] = set()
    for token in tokens:
        if not is_card(token, n):
            raise line.bad(f"{_quoted(token)} is not a card of a deck with N = {_shortened(n)}")
        if token in seen:
            raise line.bad(f"{_quoted(token)} stands in the deck twice")
        seen.add(token)
    # Different cards of this N, as many as there are: that is the full deck. A huge N is only a wrong size.
    if len(n) > len(str(HIGHEST_N)) or len(tokens) != deck_size(int(n)):
        raise line.bad(f"{len(tokens)} cards are not the full deck with N = {_shortened(n)}")
    return tuple(tokens)


def _players(lines: Iterable[ConfigLine], cards: int) -> Iterator[ConfiguredPlayer]:
    names: set[str] = set()
    for line in lines:
        player = _player(line)
        if player.name in names:
            raise line.bad(f"there is a player {_quoted(player.name)} already")
        names.add(player.name)
        if len(names) > SEATS[-1]:
            raise line.bad(f"{SEATS[-1]} players are the most that can be seated")
        if len(names) * HAND_SIZE > cards:
            raise line.bad(f"{cards} cards are not enough: seven for each of {len(names)} players")
        yield player


def _player(line: ConfigLine) -> ConfiguredPlayer:
    match line.tokens:
        case [name, strategy]:
            if any(space in name for space in WHITE_SPACE):
                raise line.bad(f"there is white space in the name {_quoted(name)}")
            if strategy not in STRATEGIES:
                raise line.bad(f"a strategy is 1, 2, 3 or 4, not {_quoted(strategy)}")
            return ConfiguredPlayer(name, STRATEGIES[strategy])
        case tokens:
            raise line.bad(f"a player is a name and a strategy, two words and not {len(tokens)}")


def _quoted(token: str) -> str:
    """As it stands in the file, but on one line and not too long."""
    return repr(_shortened(token))


def _shortened(token: str) -> str:
    return token if len(token) <= LONGEST_QUOTE else token[:LONGEST_QUOTE] + "…"
