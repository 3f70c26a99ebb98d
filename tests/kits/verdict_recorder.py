"""A plugin of pytest: whatever the Python verifier is asked in a run of tests is kept, with its verdict, as a case."""

import json
import os
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from kits import verifier

VERIFIER: Any = verifier.VERIFIER

FOLDER = Path(os.environ["FAIRDEAL_VERDICTS"])
NUMBERS = count(1)
verify: Callable[..., Any] = VERIFIER.verify
main: Callable[..., int] = VERIFIER.main


def keep(log: bytes, receipts: Sequence[str], good: bool) -> None:
    test = os.environ.get("PYTEST_CURRENT_TEST", "")
    case = FOLDER / f"{next(NUMBERS):05}"
    case.with_suffix(".jsonl").write_bytes(log)
    case.with_suffix(".json").write_text(json.dumps({"test": test, "receipts": receipts, "good": good}))


def recorded_verify(text: str, receipts: Iterable[tuple[int, str]] = (), **more: Any) -> Any:
    if more:  # with schemas it finds what the page's verifier, which has none, does not look for
        return verify(text, receipts, **more)
    receipts = list(receipts)
    given = [f"{version}:{link}" for version, link in receipts]
    try:
        found = verify(text, receipts)
    except Exception:
        keep(text.encode("utf-8", "surrogatepass"), given, good=False)
        raise
    keep(text.encode(), given, good=True)
    return found


def recorded_main(*arguments: str) -> int:
    VERIFIER.__dict__.update(verify=verify)  # a file is one case, not one for each of its games
    try:
        status = main(*arguments)
    finally:
        VERIFIER.__dict__.update(verify=recorded_verify)
    if "--schemas" in arguments:
        return status
    words = [word for word in arguments if word != "--receipt"]
    receipts = [word.removeprefix("--receipt=") for word in words[1:]]
    if arguments.count("--receipt") <= len(receipts):  # a word without its receipt is a fault of the command line alone
        keep(Path(arguments[0]).read_bytes(), receipts, good=status == 0)
    return status


VERIFIER.__dict__.update(verify=recorded_verify)
VERIFIER.__dict__.update(main=recorded_main)
