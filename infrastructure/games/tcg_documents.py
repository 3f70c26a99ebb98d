"""Decks and pools of the trading card game as documents: strict JSON of a known format, version and size."""

import json
from typing import NoReturn, cast

from fairdeal.domain.tcg.cards import CardDefinition, Kind, MinionStats
from fairdeal.domain.tcg.decks import (
    DeckEntry,
    DeckList,
    fault_in_shape,
    faults_in_deck,
    is_name,
    must_be_playable,
    ordered,
)
from fairdeal.domain.tcg.options import TcgOptions
from fairdeal.domain.tcg.pool import Pool, faults_in_pool
from fairdeal.domain.tcg.refusals import DeckFault, FaultCode, InvalidDeck, InvalidPool

LARGEST = 64 * 1024
VERSION = 1
HUGE = 10**30
"""Stands for every number that is longer than this: all limits are far below it."""

DECK = "tcg-deck"
DECK_KEYS = frozenset({"name", "cards"})
ENTRY_KEYS = frozenset({"id", "count"})
POOL = "tcg-pool"
POOL_KEYS = frozenset({"cards"})
CARD_KEYS = frozenset({"id", "kind", "cost", "amount", "minion"})
STATS_KEYS = frozenset({"attack", "health"})


def read_deck(data: bytes, name: str, options: TcgOptions) -> DeckList:
    """The deck in the bytes of the file of that name, if it can be played."""
    try:
        fields = parse(data, DECK, DECK_KEYS)
        entries = tuple(_entry(item) for item in must_be_list(fields["cards"], "cards"))
        deck = DeckList(must_be_text(fields["name"], "the name"), entries)
        shape = fault_in_shape(deck)
        if shape is not None:
            raise BadDocument(shape)
    except BadDocument as bad:
        raise InvalidDeck(name, [bad.fault]) from None
    faults = list(faults_in_deck(deck, options))
    if deck.name != name and is_name(deck.name):
        faults.append(DeckFault(FaultCode.BAD_NAME, f"the deck in the file calls itself {deck.name!r}"))
    if faults:
        raise InvalidDeck(name, faults)
    return deck


def deck_bytes(deck: DeckList, options: TcgOptions) -> bytes:
    """The canonical file of a deck that can be played; any other is refused."""
    must_be_playable(deck, options, deck.name)
    cards = [{"id": entry.id, "count": entry.count} for entry in ordered(deck, options.cards).cards]
    return write({"format": DECK, "version": 1, "name": deck.name, "cards": cards})


def _entry(item: object) -> DeckEntry:
    fields = must_have_keys(item, ENTRY_KEYS, "each of the cards")
    return DeckEntry(must_be_text(fields["id"], "an id"), must_be_number(fields["count"], "a count"))


def read_pool(data: bytes, which: str = "the pool") -> Pool:
    """The pool in a file's bytes; every bad card is named."""
    try:
        fields = parse(data, POOL, POOL_KEYS)
        pool = tuple(_card(item) for item in must_be_list(fields["cards"], "cards"))
    except BadDocument as bad:
        raise InvalidPool(which, [bad.fault]) from None
    faults = faults_in_pool(pool)
    if faults:
        raise InvalidPool(which, faults)
    return pool


def pool_bytes(pool: Pool) -> bytes:
    """The canonical file of a pool."""
    return write({"format": POOL, "version": 1, "cards": [_fields(definition) for definition in pool]})


def _card(item: object) -> CardDefinition:
    fields = must_have_keys(item, CARD_KEYS, "a card")
    kind = must_be_text(fields["kind"], "a card's kind")
    if kind not in list(Kind):
        raise malformed(f"the kind of a card is damage, healing or drawer, not {kind!r}")
    return CardDefinition(
        must_be_text(fields["id"], "a card's id"),
        Kind(kind),
        must_be_number(fields["cost"], "a card's cost"),
        must_be_number(fields["amount"], "a card's amount"),
        None if fields["minion"] is None else _stats(fields["minion"]),
    )


def _stats(item: object) -> MinionStats:
    fields = must_have_keys(item, STATS_KEYS, "a card's minion")
    return MinionStats(must_be_number(fields["attack"], "an attack"), must_be_number(fields["health"], "a health"))


def _fields(definition: CardDefinition) -> dict[str, object]:
    minion = definition.minion
    return {
        "id": definition.id,
        "kind": definition.kind.value,
        "cost": definition.cost,
        "amount": definition.amount,
        "minion": None if minion is None else {"attack": minion.attack, "health": minion.health},
    }


# -- strict JSON ----------------------------------------------------------------------------------


class BadDocument(Exception):
    """The bytes are not such a document; its fault stops every further check."""

    def __init__(self, fault: DeckFault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def malformed(message: str) -> BadDocument:
    return BadDocument(DeckFault(FaultCode.MALFORMED, message))


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
        raise BadDocument(
            DeckFault(FaultCode.UNSUPPORTED_VERSION, f"version {version} is not supported, only {VERSION}")
        )
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
    """The canonical bytes: keys as given, two spaces per step, a line end at the end."""
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
