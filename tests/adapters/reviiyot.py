"""Runs the folders of Reviiyot: `cases`, `endless` and `invalid`, chosen by the name of the folder."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from fairdeal.domain.reviiyot.events import CardsAsked
from fairdeal.infrastructure.cli.commands.reviiyot import run as run_config
from fairdeal.infrastructure.games.reviiyot.config import read
from fairdeal.infrastructure.games.reviiyot.run import play
from kits.scenarios import Faults, Verdict


@dataclass(frozen=True, slots=True)
class Printed:
    """What the command printed and how it ended."""

    out: bytes
    err: bytes
    status: int


def run(folder: Path) -> Iterator[Verdict]:
    match folder.resolve().name:
        case "cases":
            check = finished_case
        case "endless":
            check = endless_case
        case "invalid":
            yield from invalid_cases(folder)
            return
        case other:
            raise ValueError(f"unknown folder: {other}")
    for config in sorted(folder.glob("*.cfg")):
        yield check(config)


def command(config: Path) -> Printed:
    out, err = BytesIO(), BytesIO()
    status = run_config(config, out, err)
    return Printed(out.getvalue(), err.getvalue(), status)


def finished_case(config: Path) -> Verdict:
    faults = Faults()
    printed = command(config)
    faults.compare("output", config.with_suffix(".out").read_bytes(), printed.out)
    faults.compare("errors", b"", printed.err)
    faults.compare("exit status", 0, printed.status)
    return faults.verdict(config.stem)


def endless_case(config: Path) -> Verdict:
    faults = Faults()
    printed = command(config)
    faults.compare("output", config.with_suffix(".out").read_bytes(), printed.out)
    one_line(faults, printed.err)
    told: dict[str, Any] = json.loads(config.with_suffix(".json").read_text(encoding="utf-8"))
    game = read(config.read_bytes())
    events = list(play(game))
    turns = sum(isinstance(event, CardsAsked) for event in events)
    for what, expected in told.items():
        match what:
            case "endless":
                faults.compare(what, expected, events[-1].reason == "stalled" and events[-1].winners == ())
            case "turns_played_when_detected":
                faults.compare(what, expected, turns)
            case "cycle_length":
                faults.compare(what, expected, len(game.players))
            case "turns_before_first_repeated_state":
                faults.compare(what, expected, turns - len(game.players))
            case "exit_code":
                faults.compare(what, expected, printed.status)
            case _:
                raise ValueError(f"unknown expectation: {what}")
    return faults.verdict(config.stem)


def invalid_cases(folder: Path) -> Iterator[Verdict]:
    """Every file that the index names, and every other one that lies there."""
    index = (folder / "INDEX.tsv").read_text(encoding="utf-8").splitlines()
    named = {Path(line.split("\t")[0]).stem for line in index if line}
    for name in sorted(named | {config.stem for config in folder.glob("*.cfg")}):
        faults = Faults()
        faults.compare("the index names it", True, name in named)
        printed = command(folder / f"{name}.cfg")
        faults.compare("output", b"", printed.out)
        one_line(faults, printed.err)
        faults.compare("exit status", 2, printed.status)
        yield faults.verdict(name)


def one_line(faults: Faults, err: bytes) -> None:
    faults.compare("lines of errors", (1, True), (err.count(b"\n"), len(err) > 1 and err.endswith(b"\n")))
