"""Verifies exported Fairdeal logs without Fairdeal: `python verify.py FILE [--receipt [GAME:]VERSION:LINK]…`.
Written from docs/format.md alone. GAME may be left out if FILE holds one. Exit status: 0 untouched, 1 touched or
unfair (the first bad record is named), 2 FILE or a receipt cannot be read, or a receipt is of no game in FILE."""

import hmac
import json
import sys
from hashlib import sha256

HEADER, OPEN = "fairdeal game kind rules options players viewer".split(), "version name payload salt link".split()
CLOSED, PAYLOAD = "version name seal at by rules size event link".split(), "event at by id command rules size".split()
STARTER = "d0 d1 d2 d3 d4 d5 d6 d7 d8 spark bolt blunt folly meteor raider wall bandage mend elixir medic peek study "
POOL, KATA = (STARTER + "archive scout").split(), [f"d{damage}" for damage in "00112223333444556678"]
written, Bad = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode, AssertionError


def need(holds, version, why):
    if not holds:
        raise Bad(f"record {version}: {why}")


def canonical(kind, options, seats, n, scored):  # the whole deck before shuffle n, but nothing endless for a forger
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


def check_links(header, records, footer):  # each follows from the one before; returns what can be seen of them
    game, seed = (bytes.fromhex((text or "").replace("-", "")) for text in (header["game"], footer["seed"]))
    link, sheets, left, time, number, h = bytes(32), [], 1, "", 0, game.hex()
    need(header["game"] == f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:32]}", 0, "the id is written otherwise")
    over = any(line["name"].partition(".")[2] in ("game_finished.v1", "game_abandoned.v1") for line in records)
    for number, line in enumerate(records, 1):
        need(repr(line["version"]) == str(number), number, f"version {line['version']!r:.100} stands in its place")
        at, (kind, word, shape), is_open = number.to_bytes(8, "big"), line["name"].split("."), list(line) == OPEN
        need(is_open or not (seed or over or line["event"].get("seed")), number, "it is neither open nor well closed")
        seal = bytes.fromhex(line["salt" if is_open else "seal"])
        need(len(seal) == (16 if is_open else 32) and seal.hex() in line.values(), number, "its salt or seal is none")
        need(not seed or seal == hmac.digest(seed, b"salt" + at, "sha256")[:16], number, "the salt is wrong")
        seal = sha256(seal + line["payload"].encode()).digest() if is_open else seal
        parts = (link, game, at, line["name"].encode(), seal)
        link = sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()
        need(link.hex() == line["link"] and kind == header["kind"], number, "the link or the kind does not fit")
        need(word and shape and (word == "game_opened") == (number == 1), number, "its name does not belong there")
        sheet, text = (json.loads(line["payload"]), line["payload"]) if is_open else (line, written(line))
        keys = [key for key in (PAYLOAD if is_open else CLOSED) if left == 1 or key not in PAYLOAD[1:]]
        need(list(sheet) == keys and written(sheet) == text, number, "batches are not whole, or written otherwise")
        rules, left, by, now = [1, left - 1, "-", time] if left > 1 else map(sheet.get, ("rules", "size", "by", "at"))
        time, fits = now, type(rules) is type(left) is int and min(rules, left) > 0 and by.strip() and now >= time
        need(fits, number, "it is of no rules, by nobody, or older")
        sheets.append((f"{word}.{shape}", sheet))
    due = {"records": number, "link": link.hex(), "seed": seed.hex() or None, "digest": footer["digest"]}
    need(left == 1 and repr(footer) == repr(due), number, "cut off, or another last line")
    viewers = [None] if over else ["operator"] if seed else [{"player": name} for name in (None, *header["players"])]
    need(header["viewer"] in viewers and len(seed) == (32 if over or seed else 0), 0, "the seed or the viewer is wrong")
    return game, seed, sheets


def check_fairness(header, game, seed, sheets):  # seals are opened truly, and each draw follows from them and the seed
    first, opened, options, kind = sheets[0][1], sheets[0][1]["event"], sheets[0][1]["event"]["options"], header["kind"]
    known = kind in ("kings_corners", "pardon", "red7", "reviiyot", "tcg") and opened["chance"] == 1
    size, most, seats, opening, given, won, deals = options.get("deck_size"), 0, [], None, False, [], []
    for version, (name, sheet) in enumerate(sheets, 1):
        event, given, n = sheet["event"], given and "size" not in sheet, len(deals)
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
            need(opening and n <= most and all(seat["share"] for seat in seats), version, "it comes too early")
            prefix = bytes([1]) + game + len(seats).to_bytes(2, "big") + b"".join(seat["share"] for seat in seats)
            if "pick" in event:
                what, lot = "lot", shuffled([*range(len(seats))], seed, prefix, 2)[-1]  # the last place is drawn first
                due = {"seat": lot, "pick": 2} if options["first"] is None else {"seat": options["first"], "pick": None}
            else:
                what, deck = "deck", shuffled(canonical(kind, options, seats, n, won), seed, prefix, n)
                deck = [{"number": n * size + place, "id": card} for place, card in enumerate(deck)] if size else deck
                due = {"shuffle": n, "deck": deck, **({"seat": n} if size else {})}
            need(repr({**event, **due}) == repr(event), version, f"the {what} is not what the seed and the seals give")
        deals += [given] if event.keys() & {"deck", "sides"} else []
    told = {"rules": first["rules"], "options": options, "players": [seat["player"] for seat in seats]}
    need(repr({**header, **told}) == repr(header), 0, "the first line does not fit the records")
    shown = (sha256(seed).hexdigest(), seed.hex()) if seed else (bytes.fromhex(opened["commitment"]).hex(), None)
    need(shown == (opened["commitment"], opened["seed"]) and len(shown[0]) == 64, 1, "it is not the committed seed")
    if not (seed and known):
        return f"not checked: the shuffles of {kind!r:.100} are not known here" if seed else "not yet: the game goes on"
    who = ", ".join(repr(seat["player"]) for seat in seats if seat["seal"]) or "nobody: on the operator's word"
    how = {"shuffle": f"sealed by {who}", "given_deck": "a given deck", "position": "a position", "branch": "a branch"}
    return f"{opening}; {deals.count(False)} shuffles recomputed, {how[opening]:.300}" if deals else "nothing was dealt"


def verify(text, receipts=()):  # the verdicts on one game, in words
    header, *records, footer = read = [json.loads(line) for line in text.split("\n")[:-1]]
    need(repr(header["fairdeal"]) == "1", 0, f"format {header['fairdeal']!r:.100} is not known here")
    seen, links = check_links(header, records, footer), [line["link"] for line in records]
    need("\n".join([*map(written, read), ""]) == text and [*header] == HEADER, 0, "a line is written otherwise")
    need(footer["digest"] == sha256(text[: -len(written(footer)) - 1].encode()).hexdigest(), 0, "the digest is wrong")
    for version, link in receipts:
        need(link in links[version - 1 : version], version, "a receipt is for a record that is missing, or for another")
    return f"untouched: {len(records)} records, {len(receipts)} receipts", check_fairness(header, *seen)


def main(path="", *arguments):
    try:
        with open(path, encoding="utf-8", newline="\n") as file:  # none holds the half of a sign that parts the logs
            logs = file.read().replace('\n{"fairdeal":', '\n\ud800{"fairdeal":').split("\ud800")
        games = [json.loads(log.partition("\n")[0])["game"].replace("-", "") for log in logs]
        kept, (bare, *named) = {game: [] for game in games}, " ".join(arguments).replace("=", " ").split("--receipt")
        for text in [*bare.split(), *map(str.strip, named)]:
            whole = f"{games[0]}:{text}" if len(games) == text.count(":") == 1 else text
            game, version, link, *rest = f"{whole.lower().replace('-', '')}::".split(":")
            if not (game.strip("{}") in kept and version.isdecimal() and len(link) == 64 and len(rest) == 2):
                raise ValueError(f"{text!r:.100} is no receipt GAME:VERSION:LINK of a game in the file")
            kept[game.strip("{}")].append((int(version), link))
        for game, log in zip(games, logs, strict=True):
            print("{}\n  {}\n  fair: {}".format(path, *verify(log, kept[game])))
    except Bad as error:
        return print(f"{path}: {error}") or 1
    except (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        return print(f"{path}: cannot be verified ({error!r:.300})\n\n{__doc__}", file=sys.stderr) or 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
