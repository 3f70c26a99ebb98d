"""`python -m campaigns`: attacks for some time, each with a share of it; tries and breaks as a table."""

import argparse
import json
import subprocess
import sys
from dataclasses import asdict
from importlib import import_module
from random import SystemRandom
from time import monotonic

from campaigns.tally import Tally

CAMPAIGNS = {
    "client_kills": "processes that play are killed, SQLite and PostgreSQL",
    "server_kills": "PostgreSQL servers are killed",
    "races": "many play the same games, SQLite and PostgreSQL",
    "lost_tails": "ledgers are set back under workers, SQLite and PostgreSQL",
    "interrupts": "exceptions from signal handlers",
    "forks": "children use what their parents opened",
    "silent_networks": "wires are cut without a word",
    "worlds": "pairs of worlds of all five games, all public output compared",
    "logs": "exported logs are changed",
    "databases": "databases are crafted",
    "rewritten_pasts": "rows are moved and hidden under a checkpoint, SQLite and PostgreSQL",
    "proofs": "checkpoints and proofs are forged",
    "commands": "commands that nobody thought of",
    "words": "words and files that nobody thought of",
}
GRACE_SECONDS = 300
"""For what a campaign does before and after its time; who takes longer hangs."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="campaigns", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="for all campaigns together")
    parser.add_argument("--seed", type=int, default=None, help="another one every time unless it is given")
    parser.add_argument("--only", action="append", choices=CAMPAIGNS, help="this campaign; may be given many times")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    seed = SystemRandom().randrange(10**6) if chosen.seed is None else chosen.seed
    names = chosen.only or list(CAMPAIGNS)
    if chosen.alone:
        print(json.dumps(asdict(import_module(f"campaigns.{names[0]}").run(seed, chosen.seconds))))
        return 0
    print(f"seed {seed}, {chosen.seconds:g} s\n\n{'campaign':<16} {'tries':>8} {'breaks':>7} {'seconds':>8}")
    broken: list[str] = []
    for name in names:
        began = monotonic()
        tally = in_a_process(name, seed, chosen.seconds / len(names))
        took = monotonic() - began
        said = f"skipped: {tally.skipped}" if tally.skipped else CAMPAIGNS[name]
        print(f"{name:<16} {tally.tries:>8} {len(tally.breaks):>7} {took:>8.0f}  {said}", flush=True)
        broken += [f"{name}: {what}" for what in tally.breaks]
    print("", *broken, sep="\n")
    return 1 if broken else 0


def in_a_process(name: str, seed: int, seconds: float) -> Tally:
    """Each in a process of its own: whatever it does to that process, the others go on."""
    command = [sys.executable, "-m", "campaigns", "--alone", "--only", name]
    command += ["--seed", str(seed), "--seconds", str(seconds)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + GRACE_SECONDS, check=True)
        return Tally(**json.loads(done.stdout.splitlines()[-1]))
    except subprocess.TimeoutExpired:
        return Tally(1, [f"seed {seed}: it hangs"])
    except subprocess.CalledProcessError as error:
        return Tally(1, [f"seed {seed}: it ended with {error.returncode}: {error.stderr[-2000:]}"])


if __name__ == "__main__":
    sys.exit(main())
