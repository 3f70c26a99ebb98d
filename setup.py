"""Names the packages: the layers stand in the root, but import as `fairdeal.<layer>`.

With FAIRDEAL_COMPILE=1 the modules in which games spend their time are compiled by mypyc, from the same source
(docs/adr/0070-a-compiled-build.md). Without it, as by default, everything is plain Python.
"""

import os
import sys
from pathlib import Path
from typing import Any

from setuptools import find_packages, setup

LAYERS = ("domain", "application", "infrastructure")
COMPILER = "mypy==2.4.1"
HOT_ROOMS = (
    *("rules", "legal", "guards", "state", "deal"),  # of every game
    *("effects", "rounds", "contest", "fast_ranks"),  # of Red7
)
HOT_KERNEL = ("draft", "fast_shuffle", "fast_start", "game", "mac")
"""Of what all games share. Not what plain Python derives from, such as `Chance`, nor what it imports by the dozen."""
HOT_APPLICATION = ("lead", "one_process", "semaphore", "size_of", "time_limit")
HOT_LOG = ("canonical", "codec", "faults", "game_ids", "links", "reader")
HOT_AUDIT = ("checked_log", "fast_pass", "fast_walk", "game", "ledger", "sealing", "two_walks")
HOT_COMMANDS = ("combining", "execution", "game_cache", "handlers", "validation")
"""Of the application. What msgspec reads and writes stays out: it makes no compiled classes. So do `policy`, whose
classes hosts derive from, and the ledgers, which take as long when they are compiled."""


def hot_modules() -> list[str]:
    """The files to compile, by the paths that give them the names by which they are imported."""
    root = Path("src/fairdeal")
    for layer in LAYERS:
        if not (root / layer).exists():  # a source distribution has no links
            (root / layer).symlink_to(f"../../{layer}")
    hot: dict[str, tuple[str, ...]] = {"domain/kernel": HOT_KERNEL}
    for game in sorted(path.parent for path in root.glob("domain/*/game.py")):
        if game.name != "kernel":
            hot[str(game.relative_to(root))] = HOT_ROOMS
    hot |= {"application": HOT_APPLICATION, "application/log": HOT_LOG}
    hot |= {"application/audit": HOT_AUDIT, "application/commands": HOT_COMMANDS}
    found = [root / folder / f"{name}.py" for folder, names in hot.items() for name in names]
    return [str(path) for path in found if path.exists()]


def compiled() -> dict[str, Any]:
    """What has to be built, and by what; nothing, unless it is asked for."""
    if os.environ.get("FAIRDEAL_COMPILE", "0") != "1":
        return {}
    if "egg_info" in sys.argv:  # the installer asks what a build needs, and has it not yet
        return {"setup_requires": [COMPILER]}
    from mypyc.build import mypycify

    return {"ext_modules": mypycify(hot_modules(), opt_level="3", group_name="fairdeal")}


setup(
    packages=[
        "fairdeal",
        "fairdeal.testing",
        *(f"fairdeal.{name}" for name in find_packages(include=[p for a in LAYERS for p in (a, f"{a}.*")])),
    ],
    **compiled(),
)
