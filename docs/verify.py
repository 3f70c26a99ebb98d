"""Verifies an exported Fairdeal log without Fairdeal: `python verify.py FILE [--receipt [GAME:]VERSION:LINK]…`.

Written from docs/format.md alone: it shares no code with the rest and needs only the standard library.
Exit status: 0 untouched, 1 touched or unfair (the first bad record is named), 2 the file cannot be read.
"""

import hashlib
import hmac
import json
import sys


class Bad(Exception):
    """What is wrong, beginning with the record."""


def sha(data):
    return hashlib.sha256(data).digest()


def need(holds, version, why):
    if not holds:
        raise Bad(f"record {version}: {why}")


def canonical(kind, cards, pool):
    """The order before the shuffle of exactly these cards, or None for a kind of game that is not known here."""
    if kind in ("kings_corners", "pardon"):
        order = [rank + suit for suit in "CDHS" for rank in "A 2 3 4 5 6 7 8 9 10 J Q K".split()]
    elif kind == "red7":
        order = [colour + str(number) for colour in "ROYGBIV" for number in range(1, 8)]
    elif kind == "reviiyot":
        numbers = range(2, len(cards) // 4 - 2)
        order = [value + shape for value in (*map(str, numbers), "J", "Q", "K", "A") for shape in "CDHS"]
    else:
        return sorted(cards, key=pool.index) if kind == "tcg" else None
    return list(filter(set(cards).__contains__, order))


def words(seed, prefix, number):
    for counter in range(2**32):
        block = hmac.digest(seed, prefix + number.to_bytes(4, "big") + counter.to_bytes(4, "big"), "sha256")
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))


def below(count, stream):
    return next(word for word in stream if word < 2**32 - 2**32 % count) % count


def shuffled(order, stream):
    for last in range(len(order) - 1, 0, -1):
        chosen = below(last + 1, stream)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def check_links(header, records, footer):
    """Every record follows from the one before; returns the events that can be seen, by version."""
    game, seed = (bytes.fromhex((text or "").replace("-", "")) for text in (header["game"], footer["seed"]))
    link, events, left = bytes(32), [], 0
    for number, line in enumerate(records, 1):
        need(line["version"] == number, number, f"version {line['version']} stands in its place")
        at = number.to_bytes(8, "big")
        if "payload" in line:
            payload, salt = line["payload"].encode(), bytes.fromhex(line["salt"])
            need(not seed or salt == hmac.digest(seed, b"salt" + at, "sha256")[:16], number, "the salt is wrong")
            seal, sheet = sha(salt + payload), json.loads(payload)
        else:
            need(not seed, number, "still closed although the game is over")
            seal, sheet = bytes.fromhex(line["seal"]), line
        need(("size" in sheet) == (left == 0), number, "batches are not whole")
        left = sheet.get("size", left) - 1
        header.setdefault("first", left + 1)  # the size of the first batch
        parts = (link, game, at, line["name"].encode(), seal)
        link = sha(b"".join(len(part).to_bytes(4, "big") + part for part in parts))
        need(link.hex() == line["link"], number, "the link does not fit")
        events.append((line["name"].partition(".")[2], sheet["event"]))
    need(left == 0, len(records), "the last batch is cut off")
    need((footer["records"], footer["link"]) == (len(records), link.hex()), len(records), "the footer does not fit")
    return game, seed, events


def check_fairness(header, game, seed, events):
    """The seed is the one committed to, seals were opened truly, and every shuffle follows from them."""
    if not seed:
        return "not yet: the seed is revealed when the game is over"
    opened = events[0][1]
    need(sha(seed).hex() == opened["commitment"] and opened["chance"] == 1, 1, "the seed is not the committed one")
    seats, opening, pool, checked, copied = [], None, [], 0, 0
    for version, (name, event) in enumerate(events, 1):
        if name == "player_seated.v1":
            seats.append({"player": event["player"], "seal": event["seal"], "share": bytes(32)})
        elif name == "player_left.v1":
            seats = [seat for seat in seats if seat["player"] != event["player"]]
        elif name == "game_started.v1":
            opening = event["opening"]
            copied = header["first"] if opening == "branch" else 0  # the first batch says again what another game drew
        elif name == "entropy_revealed.v1":
            entropy = bytes.fromhex(event["entropy"])
            need(sha(entropy).hex() == seats[event["seat"]]["seal"], version, "the entropy does not fit its seal")
            seats[event["seat"]]["share"] = sha(b"fairdeal share\x00" + entropy)
        pool = [card["id"] for card in event["cards"]] if name == "cards_defined.v1" else pool
        prefix = bytes([1]) + game + len(seats).to_bytes(2, "big") + b"".join(seat["share"] for seat in seats)
        if event.get("pick") is not None and version > copied:
            lot = below(len(seats), words(seed, prefix, event["pick"]))
            need(lot == event["seat"], version, "the lot is not what the seed and the seals give")
        if "deck" in event and "shuffle" in event and opening in ("shuffle", "branch") and version > copied:
            deck = [card["id"] if isinstance(card, dict) else card for card in event["deck"]]
            if cards := canonical(header["kind"], deck, pool):
                fair = shuffled(cards, words(seed, prefix, event["shuffle"]))
                need(fair == deck, version, "the deck is not what the seed and the seals give")
                checked += 1
    sealed = ", ".join(seat["player"] for seat in seats if seat["seal"]) or "nobody: on the operator's word"
    return f"{opening}; {checked} shuffles recomputed, sealed by {sealed}"


def verify(text, receipts=()):
    """The verdicts in words; raises Bad at the first record that is wrong."""
    *lines, last = [line + "\n" for line in text.split("\n")[:-1]]
    (header, *records), footer = [json.loads(line) for line in lines], json.loads(last)
    need(header["fairdeal"] == 1, 0, f"format {header['fairdeal']} is not known here")
    game, seed, events = check_links(header, records, footer)
    need(footer["digest"] == hashlib.sha256("".join(lines).encode()).hexdigest(), 0, "the file's digest does not fit")
    for version, link in receipts:
        need(version <= len(records), version, "a receipt is for a record that is missing")
        need(records[version - 1]["link"] == link, version, "a receipt shows another link")
    return f"untouched: {len(records)} records, {len(receipts)} receipts", check_fairness(header, game, seed, events)


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help"):
        return print(__doc__) or 2
    path, *more = arguments
    try:
        receipts = [(int(r.split(":")[-2]), r.split(":")[-1]) for r in more if r != "--receipt"]
        with open(path, encoding="utf-8", newline="\n") as file:
            untouched, fair = verify(file.read(), receipts)
    except Bad as error:
        print(f"{path}: {error}")
        return 1
    except (OSError, ValueError, LookupError, TypeError) as error:
        print(f"{path}: cannot be read as an export ({error!r})", file=sys.stderr)
        return 2
    print(f"{path}\n  {untouched}\n  fair: {fair}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
