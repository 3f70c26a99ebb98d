"""Deck and pool files as bytes: strict JSON of a known format, version and size."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn, cast

from fairdeal.domain.kernel.refusals import IllegalMove
from fairdeal.domain.tcg.refusals import Refusal

LARGEST = 64 * 1024
VERSION = 1
HUGE = 10**30
"""Stands for every number that is longer than this: all limits are far below it."""


class FaultCode(StrEnum):
    """What can be wrong with a deck or a pool, in a file or on its way to a game (RULES 9)."""

    MALFORMED = "malformed"
    UNSUPPORTED_VERSION = "unsupported_version"
    UNKNOWN_CARD = "unknown_card"
    WRONG_SIZE = "wrong_size"
    TOO_MANY_COPIES = "too_many_copies"
    CARD_NOT_ALLOWED = "card_not_allowed"
    BAD_NAME = "bad_name"
    DECKS_OFF = "decks_off"
    DECK_NOT_FOUND = "deck_not_found"
    DECK_UNREADABLE = "deck_unreadable"
    DECK_UNWRITABLE = "deck_unwritable"
    NAME_TAKEN = "name_taken"
    INVALID_CARD = "invalid_card"
    POOL_NOT_FOUND = "pool_not_found"
    POOL_UNREADABLE = "pool_unreadable"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, as a code for programs and in words for people."""

    code: FaultCode
    message: str


class _Faulty(IllegalMove):
    """Something was refused for faults that are all named."""

    def __init__(self, reason: Refusal, what: str, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(reason, f"{what}: {'; '.join(fault.message for fault in self.faults)}.")

    @property
    def codes(self) -> frozenset[FaultCode]:
        return frozenset(fault.code for fault in self.faults)


class InvalidDeck(_Faulty):
    """A deck that no game accepts, or a deck file that is none."""

    def __init__(self, whose: str, faults: Iterable[Fault]) -> None:
        super().__init__(Refusal.INVALID_DECK, whose, faults)


class InvalidPool(_Faulty):
    """A pool file that is none, or one with bad cards."""

    def __init__(self, which: str, faults: Iterable[Fault]) -> None:
        super().__init__(Refusal.INVALID_POOL, which, faults)


class BadDocument(Exception):
    """The bytes are not such a document; its fault stops every further check."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def malformed(message: str) -> BadDocument:
    return BadDocument(Fault(FaultCode.MALFORMED, message))


def parse(data: bytes, name: str, keys: frozenset[str]) -> dict[str, object]:
    """The document of that format: an object with exactly these keys beside `format` and `version`."""
    document = _parse_json(data)
    if not isinstance(document, dict):
        raise malformed("the file is not a JSON object")
    fields = cast("dict[str, object]", document)
    if fields.get("format") != name:
        raise malformed(f'the format is not "{name}"')
    version = fields.get("version")
    if type(version) is not int:
        raise malformed("the version is not a whole number")
    # The version is judged before the other keys: another version may well have others.
    if version != VERSION:
        raise BadDocument(Fault(FaultCode.UNSUPPORTED_VERSION, f"version {version} is not supported, only {VERSION}"))
    return must_have_keys(fields, keys | {"format", "version"}, "the file")


def must_have_keys(thing: object, keys: frozenset[str], what: str) -> dict[str, object]:
    if not isinstance(thing, dict) or frozenset(cast("dict[str, object]", thing)) != keys:
        raise malformed(f"{what} must have exactly the keys {', '.join(sorted(keys))}")
    return cast("dict[str, object]", thing)


def must_be_list(thing: object, what: str) -> list[object]:
    if not isinstance(thing, list):
        raise malformed(f"{what} must be a list")
    return cast("list[object]", thing)


def must_be_text(thing: object, what: str) -> str:
    if not isinstance(thing, str):
        raise malformed(f"{what} must be a text")
    return thing


def must_be_number(thing: object, what: str) -> int:
    if type(thing) is not int:
        raise malformed(f"{what} must be a whole number")
    return thing


def write(document: dict[str, object]) -> bytes:
    """The canonical bytes: keys as given, two blanks per step, a line end at the end."""
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


def _parse_json(data: bytes) -> object:
    if len(data) > LARGEST:
        raise malformed(f"the file is larger than {LARGEST // 1024} KiB")
    try:
        parsed: object = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_without_repeats,
            parse_constant=_not_a_number,
            parse_int=_whole,
        )
    except (ValueError, RecursionError):
        raise malformed("the file is not UTF-8 JSON") from None
    return parsed


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise malformed("a key appears twice")
    return fields


def _not_a_number(text: str) -> NoReturn:
    raise malformed(f"{text} is not JSON")


def _whole(digits: str) -> int:
    if len(digits) > 30:
        return -HUGE if digits.startswith("-") else HUGE
    return int(digits)
