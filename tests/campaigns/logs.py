"""Exported logs are changed, byte by byte and with links that fit again: no such log is called good."""

import json
from collections.abc import Callable
from random import Random
from typing import Any, cast

from campaigns.tally import Tally, Until
from fairdeal import FairdealError
from golden.make import FOLDER
from kits.audit import forged, golden
from kits.exports import verified
from kits.verifier import VERIFIER

LARGEST = 120_000
CANNOT_BE_VERIFIED = (VERIFIER.Bad, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""What the script, called as a program, says a sentence about."""


def run(seed: int, seconds: float) -> Tally:
    rng, tally = Random(seed), Tally()
    names = [path.stem for path in sorted(FOLDER.glob("*.jsonl")) if path.stat().st_size < LARGEST]
    until = Until(seconds)
    while until:
        name = rng.choice(names)
        text = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
        for _ in range(10):
            changed = rng.choice(CHANGES)(text, rng)
            if changed != text:
                with tally.trying(f"seed {seed}, try {tally.tries + 1}, {name}"):
                    assert not is_called_good(changed), f"called good:\n{difference(text, changed)}"
                    assert not is_called_good_by_the_script(changed), f"the script:\n{difference(text, changed)}"
        with tally.trying(f"seed {seed}, try {tally.tries + 1}, {name} with links that fit"):
            forge(name, rng)
    return tally


def is_called_good(text: str) -> bool:
    try:
        return verified(text).good
    except (FairdealError, ValueError):  # more or fewer logs than one
        return False


def is_called_good_by_the_script(text: str) -> bool:
    try:
        VERIFIER.verify(text)
    except CANNOT_BE_VERIFIED:
        return False
    return True


def difference(one: str, other: str) -> str:
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), -1)
    return f"{one[max(at - 60, 0) : at + 60]!r} became {other[max(at - 60, 0) : at + 60]!r}"


def forge(name: str, rng: Random) -> None:
    """One value of one event is another one, and all links fit."""
    records = golden(name)
    version = rng.randint(2, len(records))
    done: list[str] = []

    def change(payload: dict[str, Any]) -> None:
        if (found := another_value(payload["event"], rng)) is not None:
            done.append(found)

    log = forged(records, version, change)
    if done and [one.payload for one in log] != [one.payload for one in records]:
        from fairdeal.application.audit.game import audit
        from fairdeal.testing.recorded import CODEC

        report = audit(log, CODEC)
        assert not report.good, f"{done[0]} of record {version} is called good"


def another_value(thing: Any, rng: Random) -> str | None:
    """Changes one value somewhere inside; says which."""
    keys: list[Any] = []
    if isinstance(thing, dict):
        keys = list(cast("dict[str, Any]", thing))
    elif isinstance(thing, list):
        keys = list(range(len(cast("Any", thing))))
    if not keys:
        return None
    key = rng.choice(keys)
    value: Any = cast("Any", thing)[key]
    if isinstance(value, dict | list) and value:
        return another_value(cast("Any", value), rng)
    if isinstance(value, bool) or value is None:
        thing[key] = not value
    elif isinstance(value, int):
        thing[key] = value + rng.choice((-1, 1, 100))
    elif isinstance(value, str):
        thing[key] = rng.choice(("", "x", value + "x", value[::-1], value.upper()))
    return f"{key}: {value!r} → {thing[key]!r}" if thing[key] != value else None


def flip(text: str, rng: Random) -> str:
    at = rng.randrange(len(text))
    return text[:at] + rng.choice('0123456789abcdef"{}[],:xnt \\') + text[at + 1 :]


def cut(text: str, rng: Random) -> str:
    one, other = sorted((rng.randrange(len(text)), rng.randrange(len(text))))
    return text[:one] + text[other:]


def of_lines(change: Callable[[list[str], Random], None]) -> Callable[[str, Random], str]:
    def changed(text: str, rng: Random) -> str:
        lines = text.splitlines(keepends=True)
        change(lines, rng)
        return "".join(lines)

    return changed


def drop(lines: list[str], rng: Random) -> None:
    del lines[rng.randrange(len(lines))]


def double(lines: list[str], rng: Random) -> None:
    at = rng.randrange(len(lines))
    lines.insert(rng.randrange(len(lines)), lines[at])


def swap(lines: list[str], rng: Random) -> None:
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def reword(lines: list[str], rng: Random) -> None:
    at = rng.randrange(len(lines))
    line = json.loads(lines[at])
    another_value(line, rng)
    lines[at] = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


CHANGES = (flip, cut, of_lines(drop), of_lines(double), of_lines(swap), of_lines(reword))
