"""Verifies exported Fairdeal logs without Fairdeal: `python verify.py FILE [--receipt [GAME:]VERSION:LINK]…`.

Written from docs/format.md alone: it shares no code with the rest and needs only the standard library.
Exit status: 0 untouched, 1 touched or unfair (the first bad record is named), 2 the file cannot be read."""

import hmac
import json
import sys
from hashlib import sha256

ENDS = "fairdeal game kind rules options players viewer records link seed digest".split()
OPEN, CLOSED = "version name payload salt link".split(), "version name seal at by rules size event link".split()
STARTER = "d0 d1 d2 d3 d4 d5 d6 d7 d8 spark bolt blunt folly meteor raider wall bandage mend elixir medic peek study "
POOL, KATA = (STARTER + "archive scout").split(), "d0 d0 d1 d1 d2 d2 d2 d3 d3 d3 d3 d4 d4 d4 d5 d5 d6 d6 d7 d8".split()
BEGINNINGS = {"shuffle": "", "given_deck": "a given deck", "position": "a position", "branch": "from another game"}


class Bad(Exception): ...  # what is wrong, beginning with the record


def need(holds, version, why):
    if not holds:
        raise Bad(f"record {version}: {why}")


def canonical(kind, options, seats, n, scored):
    """The whole deck before shuffle n, but nothing endless if a forger asks for it."""
    if kind == "red7":
        return [colour + number for colour in "ROYGBIV" for number in "1234567" if colour + number not in scored]
    if kind == "reviiyot":
        return [value + s for value in [*map(str, range(2, min(options["n"], 10**5) + 1)), *"JQKA"] for s in "CDHS"]
    if kind == "tcg":
        brought, pool = seats[n]["brought"], [card["id"] for card in options["pool"] or ()] or POOL
        cards = [card["id"] for card in brought["cards"] for _ in range(min(card["count"], 60))] if brought else KATA
        return [card for card in pool for _ in range(cards.count(card))] if len(cards) == options["deck_size"] else []
    return [rank + suit for suit in "CDHS" for rank in "A 2 3 4 5 6 7 8 9 10 J Q K".split()]


def shuffled(order, seed, prefix, number):
    blocks = (hmac.digest(seed, prefix + (number * 2**32 + c).to_bytes(8, "big"), "sha256") for c in range(2**32))
    words = (int.from_bytes(block[at : at + 4], "big") for block in blocks for at in range(0, 32, 4))
    for count in range(len(order), 1, -1):
        chosen = next(word for word in words if word < 2**32 - 2**32 % count) % count
        order[count - 1], order[chosen] = order[chosen], order[count - 1]
    return order


def check_links(header, records, footer):
    """Every record follows from the one before; returns what can be seen of each, behind its name."""
    game, seed = (bytes.fromhex((text or "").replace("-", "")) for text in (header["game"], footer["seed"]))
    over = any(line["name"].partition(".")[2] in ("game_finished.v1", "game_abandoned.v1") for line in records)
    link, sheets, left, time, number = bytes(32), [], 0, "", 0
    for number, line in enumerate(records, 1):
        need(repr(line["version"]) == str(number), number, f"version {line['version']} stands in its place")
        at, (kind, _, name), is_open = number.to_bytes(8, "big"), line["name"].partition("."), list(line) == OPEN
        rightly = is_open or (not (seed or over) and list(line) == [key for key in CLOSED if key in line])
        need(rightly, number, "it is neither open nor, as long as the game goes on, closed")
        seal = bytes.fromhex(line["salt" if is_open else "seal"])
        need(len(seal) == (16 if is_open else 32) and seal.hex() in line.values(), number, "its salt or seal is none")
        need(not seed or seal == hmac.digest(seed, b"salt" + at, "sha256")[:16], number, "the salt is wrong")
        seal = sha256(seal + line["payload"].encode()).digest() if is_open else seal
        parts = (link, game, at, line["name"].encode(), seal)
        link = sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()
        need(link.hex() == line["link"], number, "the link does not fit")
        sheet = json.loads(line["payload"]) if is_open else line
        need({key in sheet for key in ("at", "by", "rules", "size")} == {left == 0}, number, "batches are not whole")
        need(kind == header["kind"] and sheet.get("at", time) >= time, number, "it is of another kind, or older")
        left, time = sheet.get("size", left) - 1, sheet.get("at", time)
        sheets.append((name, sheet))
    need((left, footer["records"], footer["link"]) == (0, number, link.hex()), number, "cut off, or another last line")
    viewer = [None, 32] if over else ["operator", 32] if seed else [{"player": header["viewer"]["player"]}, 0]
    need([header["viewer"], len(seed)] == viewer, 0, "the seed or the viewer is not what it should be")
    return game, seed, sheets


def check_fairness(header, game, seed, sheets):
    """The first line fits, seals are opened truly, and each draw is the next one and follows from them and the seed."""
    first, opened, options, kind = sheets[0][1], sheets[0][1]["event"], sheets[0][1]["event"]["options"], header["kind"]
    known = kind in ("kings_corners", "pardon", "red7", "reviiyot", "tcg") and opened["chance"] == 1
    size, most, seats, opening, given, won, deals = options.get("deck_size"), 0, [], None, False, [], []
    for version, (name, sheet) in enumerate(sheets, 1):
        event, given = sheet["event"], given and "size" not in sheet
        if name == "player_seated.v1" and not opening:
            seats.append({**event, "share": b"" if event["seal"] else bytes(32)})
        elif name == "player_left.v1" and not opening:
            seats = [seat for seat in seats if seat["player"] != event["player"]]
        elif name == "game_started.v1" and not opening:  # its batch may tell what was given, or drawn by another game
            opening, given = event["opening"], event["opening"] != "shuffle"
        elif name == "entropy_revealed.v1" and opening:
            seat, own = seats[event["seat"]], bytes.fromhex(event["entropy"])
            need(16 <= len(own) <= 64 and sha256(own).hexdigest() == seat["seal"], version, "it is not what was sealed")
            seat["share"] = sha256(b"fairdeal share\x00" + own).digest()
        elif kind == "red7" and name in ("round_won.v1", "position_laid.v1"):
            won += event["cards"] if name == "round_won.v1" else [card for pile in event["scores"] for card in pile]
        most += {"red7.round_won.v1": 1, "tcg.cards_defined.v1": 2}.get(f"{kind}.{name}", 0)  # deals before a draw
        if seed and known and not given and event.keys() & {"deck", "sides", "pick"}:
            need(opening and len(deals) <= most and all(seat["share"] for seat in seats), version, "it comes too early")
            prefix = bytes([1]) + game + len(seats).to_bytes(2, "big") + b"".join(seat["share"] for seat in seats)
            if "pick" in event:
                what, lot = "lot", shuffled([*range(len(seats))], seed, prefix, 2)[-1]  # the last place is drawn first
                due = {"seat": lot, "pick": 2} if options["first"] is None else {"seat": options["first"], "pick": None}
            else:
                what, n = "deck", len(deals)
                deck = shuffled(canonical(kind, options, seats, n, won), seed, prefix, n)
                deck = [{"number": n * size + place, "id": card} for place, card in enumerate(deck)] if size else deck
                due = {"shuffle": n, "deck": deck, **({"seat": n} if size else {})}
            need(repr({**event, **due}) == repr(event), version, f"the {what} is not what the seed and the seals give")
        deals += [given] if event.keys() & {"deck", "sides"} else []
    told = {"rules": first["rules"], "options": options, "players": [seat["player"] for seat in seats]}
    need(repr({**header, **told}) == repr(header), 0, "the first line does not fit the records")
    need(not seed or sha256(seed).hexdigest() == opened["commitment"], 1, "it is not the committed seed")
    if not (seed and known):
        return f"not checked: the shuffles of {kind!r} are not known here" if seed else "not yet: the game goes on"
    sealed = ", ".join(seat["player"] for seat in seats if seat["seal"]) or "nobody: on the operator's word"
    how = deals and (BEGINNINGS[opening] or f"sealed by {sealed}")
    return f"{opening}; {deals.count(False)} shuffles recomputed, {how}" if deals else "nothing was dealt"


def verify(text, receipts=()):
    """The verdicts on one game, in words; raises Bad at the first record that is wrong."""
    *lines, end = text.split("\n")
    header, *records, footer = read = [json.loads(line) for line in lines]
    need(repr(header["fairdeal"]) == "1", 0, f"format {header['fairdeal']} is not known here")
    seen = check_links(header, records, footer)
    plain = [json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in read]
    need([*plain, ""] == [*lines, end] and [*header, *footer] == ENDS, 0, "a line is not written as it should be")
    need(footer["digest"] == sha256("\n".join([*lines[:-1], ""]).encode()).hexdigest(), 0, "the digest does not fit")
    for version, link in receipts:
        need(0 < version <= len(records), version, "a receipt is for a record that is missing")
        need(records[version - 1]["link"] == link, version, "a receipt shows another link")
    return f"untouched: {len(records)} records, {len(receipts)} receipts", check_fairness(header, *seen)


def main(path="", *more):
    try:
        kept = [("::" + receipt).split(":")[-3:] for receipt in more if receipt != "--receipt"]
        with open(path, encoding="utf-8", newline="\n") as file:
            for log in file.read().replace('\n{"fairdeal":', '\n\0{"fairdeal":').split("\0"):
                mine = [(int(version), link) for game, version, link in kept if game in log.partition("\n")[0]]
                print("{}\n  {}\n  fair: {}".format(path, *verify(log, mine)))
    except Bad as error:
        return print(f"{path}: {error}") or 1
    except (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        return print(f"{path}: cannot be read as an export ({error!r:.300})\n\n{__doc__}", file=sys.stderr) or 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
