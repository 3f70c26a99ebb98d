"""Moves as people type them: short words for each, the moves that fit what was typed, and words turned into a move."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any

from fairdeal.domain.kernel.rules import AnyRules

SEATS = ("seat", "target")
"""Fields of moves that name a player by the seat; people type the name."""
WORD = re.compile(r"[\w']+")


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move with its number in the list and its words."""

    number: int
    move: Any
    words: str

    @property
    def tokens(self) -> list[str]:
        return WORD.findall(self.words.lower())


def choices(rules: AnyRules, legal: Sequence[Any], players: Sequence[str]) -> list[Choice]:
    names = {kind: name for name, kind in rules.stored.moves.items()}
    return [Choice(number, move, words_of(names, move, players)) for number, move in enumerate(legal, 1)]


def words_of(names: Mapping[type, str], move: Any, players: Sequence[str]) -> str:
    """`play KH N`; what may be left out is named: `play R1, target bob, take B3`."""
    words = [names[type(move)].replace("_", " ")]
    for field in fields(move):
        value = getattr(move, field.name)
        if value is None:
            continue
        said = _said(field.name, value, players)
        words.append(said if field.default is MISSING else f", {field.name} {said}")
    return " ".join(words).replace(" ,", ",")


def _each(value: Any) -> list[Any]:
    return list(value)


def _said(name: str, value: Any, players: Sequence[str]) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, _each(value)))
    if name in SEATS and type(value) is int:
        return players[value]
    return str(value)


def matching(found: Sequence[Choice], typed: str) -> list[Choice]:
    """The moves that fit what was typed: the number, or the beginnings of words in their order."""
    wanted = WORD.findall(typed.lower())
    if not wanted:
        return list(found)
    by_number = [choice for choice in found if len(wanted) == 1 and wanted[0] == str(choice.number)]
    by_words = [choice for choice in found if _fits(wanted, choice.tokens)]
    exact = [choice for choice in by_words if choice.tokens == wanted]
    return by_number or exact or by_words


def _fits(wanted: Iterable[str], tokens: Iterable[str]) -> bool:
    left = iter(tokens)
    return all(any(token.startswith(word) for token in left) for word in wanted)


def guessed(rules: AnyRules, typed: str, players: Sequence[str], known: str) -> dict[str, Any] | None:
    """What somebody meant whose move is not legal, so that the rules can say why not; None if it is not a move."""
    spelt = {word.lower(): word for word in WORD.findall(known)}
    named = _named(rules, WORD.findall(typed.lower()))
    if named is None:
        return None
    name, words = named
    move: dict[str, Any] = {"move": name}
    parts = fields(rules.stored.moves[name])
    left = [word for word in words if word not in {part.name for part in parts}]
    for part in parts:
        if not left:
            break
        if "tuple" in str(part.type):
            move[part.name], left = [spelt.get(word, word.upper()) for word in left], []
        else:
            move[part.name] = _meant(part.name, left.pop(0), players, spelt)
    return move


def _named(rules: AnyRules, words: list[str]) -> tuple[str, list[str]] | None:
    """Which move the first words name, in full or by its beginning, and the words that follow."""
    for name in rules.stored.moves:
        called = name.split("_")
        if words[: len(called)] == called:
            return name, words[len(called) :]
    for name in rules.stored.moves:
        if words and name.startswith(words[0]):
            return name, words[1:]
    return None


def _meant(name: str, word: str, players: Sequence[str], spelt: Mapping[str, str]) -> Any:
    if name in SEATS:
        for seat, player in enumerate(players):
            if player.lower().startswith(word):
                return seat
    if name in ("slot", "minion", *SEATS) and word.isdecimal():
        return int(word)
    return spelt.get(word, word.upper())
