"""Verifies exported Fairdeal logs without Fairdeal: the program of docs/format.md, section by section.

It needs Python 3.11 and nothing else, and it shares no code with the rest: `python -m fairdeal.verify FILE`, or copy
this one file and run `python verify.py FILE`. Read `verify` first: it names every check. `need` makes them all.
"""

import argparse
import hmac
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from itertools import repeat
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Receipt = tuple[int, str]
"""A version and the link that somebody kept of it."""

ENTROPY_SIZES = range(16, 65)
UNCHECKED = (
    "whether the moves keep the rules of play, and who won: `fairdeal audit` plays every game again",
    "what was not drawn: a given deck, a position, and what a branch says again of its origin",
    "what redacted records show, until the game is over and its seals can be opened",
    "whether games or the newest records are missing: only receipts and checkpoints show that",
)


class Bad(Exception):
    """The log is not what it should be."""


def need(holds: object, version: int, why: str) -> None:
    """Every check of this file is one call of this function; record 0 is the first line, or the log as a whole."""
    if not holds:
        raise Bad(f"record {version}: {why}")


# -- Everything that is checked of one game --------------------------------------------------------------------------


def verify(text: str, receipts: Sequence[Receipt] = (), schemas: Mapping[str, Json] | None = None) -> tuple[str, str]:
    """The verdicts on one game, in words: whether it is untouched, and how its cards came about."""
    log = read_log(text)  # section 5
    records = check_records(log)  # sections 1, 2 and 3, record by record
    check_footer(log, text)  # section 5
    check_receipts(log, receipts)
    opened, kind = records[0].event, log.header["kind"]
    known = check_forms(records, schemas[kind], kind) if schemas and kind in schemas else 0  # section 2
    check_opening(opened, log.seed)  # section 4
    check_branch(records)  # section 5
    table = Table(kind, opened["options"])
    fair = check_draws(records, table, log.seed, log.game)  # section 4
    check_header(log, records[0], table)  # section 5
    forms = "" if schemas is None else f", {known} of them as the schemas say"
    return f"untouched: {len(records)} records{forms}, {len(receipts)} receipts", fair


# -- one way to write ------------------------------------------------------------------------------------------------


written = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""JSON as Fairdeal writes it. Two values are the same if they are written alike: to Python, `True` is also 1."""


def read_json(text: str, version: int) -> Any:
    value = json.loads(text, parse_float=str, parse_constant=str)  # a fraction comes out with quotes, and shows
    need(written(value) == text, version, "it is written otherwise than the format says")
    return value


def read_hex(text: object, version: int, what: str, sizes: Sequence[int] = (32,)) -> bytes:
    """The bytes of a hex text; `sizes` says how many there may be."""
    is_hex = isinstance(text, str) and re.fullmatch("([0-9a-f]{2})*", text)
    need(is_hex and len(str(text)) // 2 in sizes, version, f"the {what} is not lower-case hex of the right length")
    return bytes.fromhex(str(text))


def read_id(text: object, version: int) -> bytes:
    """The 16 bytes of a game's id."""
    pattern = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    need(isinstance(text, str) and re.fullmatch(pattern, text), version, "a game's id is written otherwise")
    return bytes.fromhex(str(text).replace("-", ""))


def is_object(value: object) -> bool:
    return isinstance(value, dict)


def is_count(value: object) -> bool:
    """Whether it is a whole number from 1."""
    return type(value) is int and value > 0


# -- 1. Record -------------------------------------------------------------------------------------------------------


@dataclass
class Record:
    """One record as far as the file shows it."""

    version: int
    name: str  # without the kind of game
    is_open: bool
    event: Json
    content: Json  # the payload, or the line of a redacted record


def check_record(line: Json, number: int, kind: str) -> str:
    """Version and name; returns the name without the kind."""
    need(written(line["version"]) == str(number), number, f"version {line['version']!r:.100} stands in its place")
    found, _, name = str(line["name"]).partition(".")
    need(found == kind, number, "it is of another kind of game than the first line says")
    need(re.fullmatch("[^.]+[.]v[0-9]+", name), number, "its name is not <kind>.<event>.v<n>")
    need(name.startswith("game_opened.") == (number == 1), number, "a game begins with its opening, and only once")
    return name


# -- 2. Payload ------------------------------------------------------------------------------------------------------

BATCH = ["at", "by", "id", "command", "rules", "size"]
SHOWN_OF_BATCH = ["at", "by", "rules", "size"]


def check_payload(content: Json, number: int, is_open: bool, is_first: bool, earlier: str) -> None:
    """The keys of a record, and where its batch came from; `earlier` is the time of the batch before."""
    if is_open:
        keys = ["event", *(BATCH if is_first else [])]
    else:
        keys = ["version", "name", "seal", *(SHOWN_OF_BATCH if is_first else []), "event", "link"]
    need(list(content) == keys, number, "a batch is not whole, or its keys are not the right ones")
    need(is_object(content["event"]), number, "its event is not an object")
    if is_first:
        need(is_time(content["at"]), number, "its time is not written like 2026-11-16T04:00:00.000000Z")
        need(content["at"] >= earlier, number, "it is older than the record before")
        need(isinstance(content["by"], str) and content["by"].strip(), number, "it does not say who acted")
        need(is_count(content["rules"]), number, "the version of the rules is not a number from 1")
        need(is_count(content["size"]), number, "the size of the batch is not a number from 1")
    if is_first and is_open:
        need(isinstance(content["id"], str) and content["id"], number, "the command has no id")
        check_command(content["command"], number)


def is_time(text: object) -> bool:
    try:
        moment = datetime.fromisoformat(str(text)[:26])
    except ValueError:
        return False
    return text == moment.isoformat(timespec="microseconds") + "Z"


def check_command(command: Any, number: int) -> None:
    need(is_object(command) and command, number, "its command is not an object")
    name = next(iter(command))
    need(name in ("do", "move") and isinstance(command[name], str), number, "its command does not begin with a name")
    if name == "do" and "seal" in command:
        read_hex(command["seal"], number, "seal in the command")
    if name == "do" and "entropy" in command:
        read_hex(command["entropy"], number, "entropy in the command", ENTROPY_SIZES)


# -- 2. Payload: the form of events and commands, where the schemas are given -----------------------------------------

TYPES = {str: "string", int: "integer", bool: "boolean", type(None): "null", list: "array", dict: "object"}
NOTES = {"title", "description", "default", "minItems", "maxItems"}  # a tuple says its length twice


def fits(value: Any, shape: Json, parts: Json, hides: bool) -> bool:
    """Whether a value has the form of a JSON Schema, with keys in its order and no others; hidden ones are null."""

    def each(values: Iterable[Any], shapes: Iterable[Json]) -> bool:
        return all(fits(one, its, parts, hides) for one, its in zip(values, shapes, strict=False))

    # A word of JSON Schema, and what it asks of the value; in this order, since the later ones rely on the type.
    asks: dict[str, Callable[[Any], object]] = {
        "$ref": lambda name: fits(value, parts[name.removeprefix("#/$defs/")], parts, hides),
        "anyOf": lambda choices: any(fits(value, choice, parts, hides) for choice in choices),
        "const": lambda only: written(value) == written(only),
        "enum": lambda names: written(value) in map(written, names),
        "type": lambda name: TYPES[type(value)] == name,
        "pattern": lambda pattern: re.fullmatch(str(pattern), value) is not None,
        "minimum": lambda least: value >= least,
        "prefixItems": lambda shapes: len(value) == len(shapes) and each(value, shapes),
        "items": lambda its: its is False or each(value, repeat(its)),
        "required": lambda keys: set(keys) <= value.keys(),
        "properties": lambda fields: list(value) == [key for key in fields if key in value],
        "additionalProperties": lambda its: its is False or each(value.values(), repeat(its)),
    }
    if unknown := shape.keys() - asks.keys() - NOTES:
        raise ValueError(f"this schema says more than can be checked here: {sorted(unknown)}")
    if hides and value is None:
        return True
    fields: Json = shape.get("properties", {})
    holds = all(ask(shape[word]) for word, ask in asks.items() if word in shape)
    return holds and (not fields or each(value.values(), (fields[key] for key in value)))


def check_forms(records: Sequence[Record], schema: Json, kind: str) -> int:
    """Events and commands as the schema of their kind describes them; returns how many events it knows."""
    parts, known = schema["$defs"], 0
    command = parts["payload"]["properties"]["command"]
    shapes = {
        choice["properties"]["name"]["const"]: choice["properties"]["payload"]["allOf"][1]["properties"]["event"]
        for choice in schema["oneOf"]
    }
    for record in records:
        shape, sent = shapes.get(f"{kind}.{record.name}"), record.content.get("command")
        good = shape is None or fits(record.event, shape, parts, hides=not record.is_open)
        need(good, record.version, "its event is written otherwise than the schema says")
        good = sent is None or fits(sent, command, parts, hides=False)
        need(good, record.version, "its command is written otherwise than the schema says")
        known += shape is not None  # or it has an older name that is not in use any more
    return known


# -- 3. Seal and link ------------------------------------------------------------------------------------------------


def salt_of(seed: bytes, version: int) -> bytes:
    return hmac.digest(seed, b"salt" + version.to_bytes(8, "big"), "sha256")[:16]


def link_of(previous: bytes, game: bytes, version: int, name: str, seal: bytes) -> bytes:
    parts = (previous, game, version.to_bytes(8, "big"), name.encode(), seal)
    return sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()


def check_seal(line: Json, number: int, seed: bytes) -> bytes:
    """The seal of a record: an open one shows what it is made of."""
    if "payload" not in line:
        return read_hex(line["seal"], number, "seal")
    salt = read_hex(line["salt"], number, "salt", (16,))
    need(not seed or salt == salt_of(seed, number), number, "the salt does not follow from the seed")
    return sha256(salt + line["payload"].encode()).digest()


# -- 4. Seed, seals and draws ----------------------------------------------------------------------------------------

KNOWN_KINDS = ("kings_corners", "pardon", "red7", "reviiyot", "tcg")
FRENCH = [rank + suit for suit in "CDHS" for rank in (*"A23456789", "10", *"JQK")]
RED7 = [colour + number for colour in "ROYGBIV" for number in "1234567"]
SPELLS = "spark bolt blunt folly meteor raider wall bandage mend elixir medic peek study archive scout"
POOL = [*(f"d{damage}" for damage in range(9)), *SPELLS.split()]
KATA = [f"d{damage}" for damage in (0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 8)]
OPENINGS = {"given_deck": "a given deck", "position": "a position", "branch": "a branch"}


@dataclass
class Seat:
    player: str
    brought: Any
    seal: str | None
    share: bytes | None  # None: not revealed yet


@dataclass
class Table:
    """What later draws depend on, gathered record by record."""

    kind: str
    options: Json
    seats: list[Seat] = field(default_factory=list[Seat])
    opening: str = ""
    given: bool = False  # whether the batch of game_started tells what was not drawn
    scored: list[str] = field(default_factory=list[str])  # Red7
    deals: int = 0
    most_deals: int = 1
    recomputed: int = 0


def check_opening(opened: Json, seed: bytes) -> None:
    """What the first record says: the options, and the seed that it commits to."""
    need(is_object(opened["options"]), 1, "its options are not an object")
    commitment = read_hex(opened["commitment"], 1, "commitment")
    need(opened["seed"] == (seed.hex() or None), 1, "the first record shows another seed than the last line")
    need(not seed or commitment == sha256(seed).digest(), 1, "it is not the committed seed")


def check_seats(table: Table, record: Record) -> None:
    """Who sits where, and whether seals are opened truly."""
    event, number = record.event, record.version
    table.given = table.given and "size" not in record.content  # until the next batch
    if record.name == "player_seated.v1" and not table.opening:  # whoever comes later changes no draw
        if event["seal"] is not None:
            read_hex(event["seal"], number, "seal")
        share = None if event["seal"] else bytes(32)
        table.seats.append(Seat(event["player"], event["brought"], event["seal"], share))
    elif record.name == "player_left.v1" and not table.opening:
        table.seats = [seat for seat in table.seats if seat.player != event["player"]]
    elif record.name == "game_started.v1" and not table.opening:
        if event["opening"] not in ("shuffle", *OPENINGS):
            raise ValueError(f"{event['opening']!r:.100} is not an opening that is known here")
        table.opening, table.given = event["opening"], event["opening"] != "shuffle"
    elif record.name == "entropy_revealed.v1":
        need(table.opening, number, "entropy is revealed before the seats are closed")
        need(type(event["seat"]) is int and event["seat"] in range(len(table.seats)), number, "there is no such seat")
        seat, entropy = table.seats[event["seat"]], read_hex(event["entropy"], number, "entropy", ENTROPY_SIZES)
        need(sha256(entropy).hexdigest() == seat.seal, number, "it is not what was sealed")
        seat.share = sha256(b"fairdeal share\x00" + entropy).digest()


def draws(seed: bytes, game: bytes, table: Table, number: int) -> Iterator[int]:
    """The 32-bit words of one draw."""
    shares = [seat.share or b"" for seat in table.seats]
    message = bytes([1]) + game + len(shares).to_bytes(2, "big") + b"".join(shares) + number.to_bytes(4, "big")
    for count in range(2**32):
        block = hmac.digest(seed, message + count.to_bytes(4, "big"), "sha256")
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))


def number_below(bound: int, words: Iterator[int]) -> int:
    return next(word for word in words if word < 2**32 - 2**32 % bound) % bound


def shuffled(cards: list[str], words: Iterator[int]) -> list[str]:
    deck = list(cards)
    for last in range(len(deck) - 1, 0, -1):
        other = number_below(last + 1, words)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def canonical_deck(table: Table, number: int) -> list[str]:
    """The cards before a shuffle, in the order in which the format lists them."""
    if table.kind == "red7":
        return [card for card in RED7 if card not in table.scored]
    if table.kind == "reviiyot":
        values = [*map(str, range(2, min(table.options["n"], 100_000) + 1)), *"JQKA"]
        return [value + suit for value in values for suit in "CDHS"]
    if table.kind == "tcg":
        brought, pool = table.seats[number].brought, [card["id"] for card in table.options["pool"] or ()] or POOL
        cards = [card["id"] for card in brought["cards"] for _ in range(min(card["count"], 60))] if brought else KATA
        is_whole = len(cards) == table.options["deck_size"]
        return [card for card in pool for _ in range(cards.count(card))] if is_whole else []
    return FRENCH


def check_draw(table: Table, record: Record, seed: bytes, game: bytes) -> None:
    """A shuffle or a lot is what the seed and the seals give, and it has the number that it must have."""
    event, number, n = record.event, record.version, table.deals
    need(table.opening, number, "it comes too early: the game has not started")
    need(all(seat.share for seat in table.seats), number, "it comes too early: a seal is not open yet")
    if "pick" in event:
        lot = number_below(len(table.seats), draws(seed, game, table, 2))
        first = table.options["first"]
        due: Json = {"seat": lot, "pick": 2} if first is None else {"seat": first, "pick": None}
        need(written({**event, **due}) == written(event), number, "the lot is not what the seed and the seals give")
        return
    need(n < table.most_deals, number, "it comes too early: what was dealt before is not played yet")
    deck: list[Any] = shuffled(canonical_deck(table, n), draws(seed, game, table, n))
    due = {"shuffle": n, "deck": deck}
    if table.kind == "tcg":
        start = n * table.options["deck_size"]
        due = {"seat": n, "shuffle": n, "deck": [{"number": at, "id": card} for at, card in enumerate(deck, start)]}
    need(written({**event, **due}) == written(event), number, "the deck is not what the seed and the seals give")
    table.recomputed += 1


def check_draws(records: Sequence[Record], table: Table, seed: bytes, game: bytes) -> str:
    """Walks through the game; returns in words how its cards came about."""
    known = table.kind in KNOWN_KINDS and records[0].event["chance"] == 1
    for record in records:
        check_seats(table, record)
        event, kind = record.event, table.kind
        if (kind, record.name) == ("red7", "round_won.v1"):
            table.scored += event["cards"]
            table.most_deals += 1
        elif (kind, record.name) == ("red7", "position_laid.v1"):
            table.scored += [card for pile in event["scores"] for card in pile]
        elif (kind, record.name) == ("tcg", "cards_defined.v1"):
            table.most_deals = 2  # a deck for each seat
        is_deal, is_lot = not event.keys().isdisjoint(("deck", "sides")), "pick" in event
        is_drawn = not table.given or (is_lot and table.opening == "given_deck")
        if seed and known and is_drawn and (is_deal or is_lot):
            check_draw(table, record, seed, game)
        table.deals += is_deal
    if not seed:
        return "not yet: the game goes on"
    if not known:
        return f"not checked: the shuffles of {table.kind!r:.100} are not known here"
    if not table.deals:
        return "nothing was dealt"
    sealed = ", ".join(repr(seat.player) for seat in table.seats if seat.seal) or "nobody: on the operator's word"
    how = OPENINGS.get(table.opening) or f"sealed by {sealed}"
    return f"{table.opening}; {table.recomputed} shuffles recomputed, {how:.300}"


# -- 5. Export -------------------------------------------------------------------------------------------------------

HEADER = ["fairdeal", "game", "kind", "rules", "options", "players", "viewer"]
OPEN = ["version", "name", "payload", "salt", "link"]
FOOTER = ["records", "link", "seed", "digest"]


@dataclass
class Log:
    """One game of a file."""

    header: Json
    lines: list[Json]
    footer: Json
    game: bytes
    seed: bytes  # empty: not shown
    is_over: bool


def read_log(text: str) -> Log:
    need(text.endswith("\n"), 0, "the last line has no line end")
    header, *lines, footer = [read_json(line, number) for number, line in enumerate(text[:-1].split("\n"))]
    need(written(header["fairdeal"]) == "1", 0, f"format {header['fairdeal']!r:.100} is not known here")
    need(list(header) == HEADER, 0, "the first line has other keys")
    need(lines, 0, "there are no records")
    need(list(footer) == FOOTER, len(lines), "cut off, or the last line has other keys")
    seed = b"" if footer["seed"] is None else read_hex(footer["seed"], 0, "seed")
    ends = ("game_finished.v1", "game_abandoned.v1", "game_forfeited.v1", "game_voided.v1")
    is_over = any(line["name"].partition(".")[2] in ends for line in lines)
    return Log(header, lines, footer, read_id(header["game"], 0), seed, is_over)


def check_records(log: Log) -> list[Record]:
    """Every record, and that each follows from the one before."""
    records: list[Record] = []
    link, left, time = bytes(32), 0, ""
    for number, line in enumerate(log.lines, 1):
        name, is_open = check_record(line, number, log.header["kind"]), list(line) == OPEN
        need(is_open or not (log.seed or log.is_over), number, "it is neither open nor of a running game")
        link = link_of(link, log.game, number, line["name"], check_seal(line, number, log.seed))
        need(line["link"] == link.hex(), number, "the link does not fit what came before")
        content = read_json(line["payload"], number) if is_open else line
        check_payload(content, number, is_open, is_first=left == 0, earlier=time)
        need(is_open or content["event"].get("seed") is None, number, "a redacted record shows a seed")
        if left == 0:
            left, time = content["size"], content["at"]
        left -= 1
        records.append(Record(number, name, is_open, content["event"], content))
    need(left == 0, len(records), "the last batch is cut off")
    return records


def check_header(log: Log, first: Record, table: Table) -> None:
    """What the first line says of the game, once everybody is seated."""
    header, players = log.header, [seat.player for seat in table.seats]
    wrong = "the first line does not fit the records: "
    need(written(header["rules"]) == written(first.content["rules"]), 0, wrong + "the rules")
    need(written(header["options"]) == written(first.event["options"]), 0, wrong + "the options")
    need(written(header["players"]) == written(players), 0, wrong + "the players")
    if log.is_over:
        need(log.seed, 0, "the game is over, but its seed is not shown")
        need(header["viewer"] is None, 0, "the game is over, but the log is one viewer's")
    elif log.seed:
        need(header["viewer"] == "operator", 0, "the seed of a running game is shown, but not to the operator")
    else:
        need(header["viewer"] in [{"player": name} for name in (None, *players)], 0, "its viewer is not at the table")


def check_footer(log: Log, text: str) -> None:
    footer, count = log.footer, len(log.lines)
    digest = sha256(text[: -len(written(footer)) - 1].encode()).hexdigest()
    need(written(footer["records"]) == str(count), count, "cut off, or the last line has another number of records")
    need(footer["link"] == log.lines[-1]["link"], count, "cut off, or the last line has another link")
    need(footer["digest"] == digest, 0, "the digest does not fit the lines")


def check_receipts(log: Log, receipts: Sequence[Receipt]) -> None:
    for version, link in receipts:
        kept = [line["link"] for line in log.lines[version - 1 : version]]
        need(kept == [link], version, "a receipt is for a record that is missing, or for another")


def check_branch(records: Sequence[Record]) -> None:
    """What a branch says of its origin stands after its start, in the first batch, and nowhere else."""
    starts = {one.version for one in records if one.name == "game_started.v1" and one.event.get("opening") == "branch"}
    origins = {one.version: one.event for one in records if one.name == "game_branched.v1"}
    for number in sorted(starts | {version - 1 for version in origins}):
        need(number in starts and number + 1 in origins, number, "a branch starts and names its origin, or neither")
        need(records[0].content["size"] > number, number + 1, "a branch starts with one batch")
    for number, event in origins.items():
        read_id(event["origin"], number)
        read_hex(event["link"], number, "link of the origin")
        need(is_count(event["version"]), number, "the origin's version is not a number from 1")


# -- The program -----------------------------------------------------------------------------------------------------


def read_receipt(text: str, games: Sequence[str]) -> tuple[str, Receipt]:
    """`GAME:VERSION:LINK`; the game may be left out where the file holds only one."""
    parts = text.strip().lower().split(":")
    if len(parts) == 2 and len(games) == 1:
        parts = [games[0], *parts]
    game = parts[0].strip("{}").replace("-", "")
    if not (len(parts) == 3 and game in games and parts[1].isdecimal() and re.fullmatch("[0-9a-f]{64}", parts[2])):
        raise ValueError(f"{text!r:.100} is not a receipt GAME:VERSION:LINK of a game in the file")
    return game, (int(parts[1]), parts[2])


def read_schemas(folder: Path) -> dict[str, Json]:
    """The schemas of a folder by the kind of game that each is for."""
    found = {path.stem: json.loads(path.read_bytes()) for path in sorted(folder.iterdir()) if path.suffix == ".json"}
    if not found:
        raise ValueError(f"there are no schemas in {folder}")
    return found


def verify_file(path: Path, texts: Sequence[str], schemas: Mapping[str, Json] | None) -> None:
    """Every game of the file against its own receipts; prints the verdicts."""
    logs = re.split(r'(?<=\n)(?=\{"fairdeal":)', path.read_bytes().decode())
    games = [json.loads(log.partition("\n")[0])["game"].replace("-", "") for log in logs]
    kept: dict[str, list[Receipt]] = {game: [] for game in games}
    for text in texts:
        game, receipt = read_receipt(text, games)
        kept[game].append(receipt)
    for game, log in zip(games, logs, strict=True):
        untouched, fair = verify(log, kept[game], schemas)
        print(f"{path}\n  {untouched}\n  fair: {fair}")


def main(*arguments: str) -> int:
    parser = argparse.ArgumentParser(
        prog="verify",
        description="Verifies exported Fairdeal logs without Fairdeal, as docs/format.md defines them.",
        epilog="Exit status: 0 untouched; 1 touched or unfair, and the first bad record is named; 2 FILE, a schema or "
        "a receipt cannot be read, or a receipt is for a game that is not in FILE. Not checked: "
        + "; ".join(UNCHECKED),
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="an exported log: one game, or a whole ledger")
    parser.add_argument(
        "--receipt", metavar="[GAME:]VERSION:LINK", nargs="?", const="", action="append", default=[],
        help="a receipt that you kept; may be given many times, and GAME may be left out if FILE holds one game",
    )  # fmt: skip
    parser.add_argument("--schemas", metavar="DIR", type=Path, help="check events and commands against these schemas")
    chosen, others = parser.parse_known_args(arguments)
    try:
        # No word is passed over: what is not an option is a receipt, or wrong.
        verify_file(chosen.file, [*chosen.receipt, *others], chosen.schemas and read_schemas(chosen.schemas))
    except Bad as bad:
        print(f"{chosen.file}: {bad}")
        return 1
    except (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        print(f"{chosen.file}: cannot be verified ({error!r:.300}); --help says more", file=sys.stderr)
        return 2
    forms = () if chosen.schemas else ("the form of events and commands: --schemas docs/schema",)
    print("not checked here:", *(f"- {what}" for what in (*forms, *UNCHECKED)), sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
