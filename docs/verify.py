"""Verifies exported Fairdeal logs without Fairdeal: `python verify.py FILE [--receipt [GAME:]VERSION:LINK]…`.

Written from docs/format.md alone: it shares no code with the rest and needs only the standard library.
Exit status: 0 untouched, 1 touched or unfair (the first bad record is named), 2 the file cannot be read.
"""

import hmac
import json
import sys
from hashlib import sha256

ENDS = "fairdeal game kind rules options players viewer records link seed digest".split()
OPEN, CLOSED = "version name payload salt link".split(), "version name seal at by rules size event link".split()


class Bad(Exception):
    """What is wrong, beginning with the record."""


def need(holds, version, why):
    if not holds:
        raise Bad(f"record {version}: {why}")


def canonical(kind, cards, pool):
    """The order before the shuffle of exactly these cards, or None for a kind of game that is not known here."""
    french = [rank + suit for suit in "CDHS" for rank in "A 2 3 4 5 6 7 8 9 10 J Q K".split()]
    values = [*map(str, range(2, len(cards) // 4 - 2)), "J", "Q", "K", "A"]
    orders = {"kings_corners": french, "pardon": french, "tcg": sorted(cards, key=pool.index) if pool else []}
    orders["red7"] = [colour + str(number) for colour in "ROYGBIV" for number in range(1, 8)]
    orders["reviiyot"] = [value + shape for value in values for shape in "CDHS"]
    return list(filter(set(cards).__contains__, orders[kind])) if kind in orders else None


def draws(seed, prefix, number):
    """Gives a number below any count, as often as it is asked."""
    counters = (number.to_bytes(4, "big") + counter.to_bytes(4, "big") for counter in range(2**32))
    blocks = (hmac.digest(seed, prefix + counter, "sha256") for counter in counters)
    words = (int.from_bytes(block[at : at + 4], "big") for block in blocks for at in range(0, 32, 4))
    return lambda count: next(word for word in words if word < 2**32 - 2**32 % count) % count


def shuffled(order, below):
    for last in range(len(order) - 1, 0, -1):
        chosen = below(last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def check_links(header, records, footer):
    """Every record follows from the one before; returns what can be seen of each, behind its name."""
    game, seed = (bytes.fromhex((text or "").replace("-", "")) for text in (header["game"], footer["seed"]))
    over = any(line["name"].partition(".")[2] in ("game_finished.v1", "game_abandoned.v1") for line in records)
    link, sheets, left, time, number = bytes(32), [], 0, "", 0
    for number, line in enumerate(records, 1):
        need(str(line["version"]) == str(number), number, f"version {line['version']} stands in its place")
        at, (kind, _, name) = number.to_bytes(8, "big"), line["name"].partition(".")
        if list(line) == OPEN:
            salt = bytes.fromhex(line["salt"])
            need(not seed or salt == hmac.digest(seed, b"salt" + at, "sha256")[:16], number, "the salt is wrong")
            seal = sha256(salt + line["payload"].encode()).digest()
        else:
            rightly = not (seed or over) and list(line) == [key for key in CLOSED if key in line]
            need(rightly, number, "it is neither open nor, as long as the game goes on, closed")
            seal = bytes.fromhex(line["seal"])
        parts = (link, game, at, line["name"].encode(), seal)
        link = sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()
        need(link.hex() == line["link"], number, "the link does not fit")
        sheet = json.loads(line["payload"]) if "payload" in line else line
        need(("size" in sheet) == (left == 0), number, "batches are not whole")
        need(kind == header["kind"] and sheet.get("at", time) >= time, number, "it is of another kind, or older")
        left, time = sheet.get("size", left) - 1, sheet.get("at", time)
        sheets.append((name, sheet))
    need((left, footer["records"], footer["link"]) == (0, number, link.hex()), number, "cut off, or another last line")
    viewer = None if over else "operator" if seed else {"player": header["viewer"]["player"]}
    need(header["viewer"] == viewer and (seed or not over), 0, "the seed or the viewer is not what it should be")
    return game, seed, sheets


def check_fairness(header, game, seed, sheets):
    """The seed is the one committed to, seals were opened truly, and every shuffle follows from them."""
    if not seed:
        return "not yet: the seed is revealed when the game is over"
    first, opened, seats, opening, pool, checked, copied = sheets[0][1], sheets[0][1]["event"], [], None, [], 0, 0
    need([sha256(seed).hexdigest(), 1] == [opened["commitment"], opened["chance"]], 1, "it is not the committed seed")
    for version, (name, sheet) in enumerate(sheets, 1):
        event = sheet["event"]
        if name == "player_seated.v1":
            seats.append({"player": event["player"], "seal": event["seal"], "share": bytes(32)})
        elif name == "player_left.v1":
            seats = [seat for seat in seats if seat["player"] != event["player"]]
        elif name == "game_started.v1":
            opening = event["opening"]
            copied = first["size"] if opening == "branch" else 0  # it says again what another game drew
        elif name == "entropy_revealed.v1":
            entropy = bytes.fromhex(event["entropy"])
            need(sha256(entropy).hexdigest() == seats[event["seat"]]["seal"], version, "the entropy is another one")
            seats[event["seat"]]["share"] = sha256(b"fairdeal share\x00" + entropy).digest()
        pool = [card["id"] for card in event["cards"]] if name == "cards_defined.v1" else pool
        prefix = bytes([1]) + game + len(seats).to_bytes(2, "big") + b"".join(seat["share"] for seat in seats)
        if event.get("pick") is not None and version > copied:
            fair = draws(seed, prefix, event["pick"])(len(seats)) == event["seat"]
            need(fair, version, "the lot is not what the seed and the seals give")
        if "deck" in event and "shuffle" in event and opening in ("shuffle", "branch") and version > copied:
            deck = [card["id"] if isinstance(card, dict) else card for card in event["deck"]]
            cards = canonical(header["kind"], deck, pool)
            fair = not cards or shuffled(cards, draws(seed, prefix, event["shuffle"])) == deck
            need(fair, version, "the deck is not what the seed and the seals give")
            checked += bool(cards)
    told = [first["rules"], opened["options"], [seat["player"] for seat in seats]]
    need([header["rules"], header["options"], header["players"]] == told, 0, "the first line does not fit the records")
    sealed = ", ".join(seat["player"] for seat in seats if seat["seal"]) or "nobody: on the operator's word"
    return f"{opening}; {checked} shuffles recomputed, sealed by {sealed}"


def verify(text, receipts=()):
    """The verdicts on one game, in words; raises Bad at the first record that is wrong."""
    *lines, end = text.split("\n")
    header, *records, footer = read = [json.loads(line) for line in lines]
    need(str(header["fairdeal"]) == "1", 0, f"format {header['fairdeal']} is not known here")
    seen = check_links(header, records, footer)
    plain = [json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in read]
    need([*plain, ""] == [*lines, end] and [*header, *footer] == ENDS, 0, "a line is not written as it should be")
    need(footer["digest"] == sha256("\n".join([*lines[:-1], ""]).encode()).hexdigest(), 0, "the digest does not fit")
    for version, link in receipts:
        need(0 < version <= len(records), version, "a receipt is for a record that is missing")
        need(records[version - 1]["link"] == link, version, "a receipt shows another link")
    return f"untouched: {len(records)} records, {len(receipts)} receipts", check_fairness(header, *seen)


def main(path="--help", *more):
    if path in ("-h", "--help"):
        return print(__doc__) or 2
    try:
        kept = [("::" + receipt).split(":")[-3:] for receipt in more if receipt != "--receipt"]
        with open(path, encoding="utf-8", newline="\n") as file:
            logs = file.read().replace('\n{"fairdeal":', '\n\0{"fairdeal":').split("\0")
        for log in logs:
            mine = [(int(version), link) for game, version, link in kept if game in log.partition("\n")[0]]
            print("{}\n  {}\n  fair: {}".format(path, *verify(log, mine)))
    except Bad as error:
        return print(f"{path}: {error}") or 1
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        return print(f"{path}: cannot be read as an export ({error!r:.300})", file=sys.stderr) or 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
