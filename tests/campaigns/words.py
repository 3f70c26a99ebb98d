"""Words and files that nobody thought of, on the command line: a status and a sentence, never a traceback."""

import os
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from typer.testing import CliRunner

from campaigns.logs import CHANGES
from campaigns.tally import Tally, Until
from fairdeal import Fairdeal
from fairdeal.infrastructure.cli.app import app
from kits.cli import GAME, ID, RUNNING, RUNNING_ID

COMMANDS = (
    *("games", "replay", "diff", "audit", "verify", "export", "import", "branch", "checkpoint", "reviiyot", "players"),
    *("ratings", "timeline", "projections", "rules", "decks", "doctor", "backup", "restore"),
)
WORDS = (
    *(
        "",
        "-",
        "--",
        "--help",
        "--json",
        "--ledger",
        "sqlite:///games.db",
        "sqlite:///none.db",
        "memory:",
        "postgresql://",
    ),
    *(
        "--as",
        "ann",
        "stranger",
        "--open",
        "--from",
        "--to",
        "--version",
        "0",
        "1",
        "-1",
        "9" * 30,
        "1.5",
        "--operator",
    ),
    *("--receipt", "--key", "--checkpoint", "--kind", "red7", "--limit", "--game", "--jobs", "make", "prove", "keygen"),
    *("game.jsonl", "changed", "games.db", "/dev/null", ".", "/none/such", "x" * 3000, "é", "\x01", "--verbal", "list"),
    *("--since", "2026-01-01", "0001-01-01", "--skip-damaged", "--output", "out", "tcg", ID[:8], RUNNING_ID),
)


def run(seed: int, seconds: float) -> Tally:
    rng, tally = Random(seed), Tally()
    here = Path.cwd()
    with TemporaryDirectory() as name:
        folder = Path(name)
        os.chdir(folder)
        environment = {"XDG_DATA_HOME": name, "HOME": name, "FAIRDEAL_LEDGER": "", "COLUMNS": "200"}
        try:
            with Fairdeal("sqlite:///games.db") as fairdeal:
                fairdeal.ledger.append(GAME)
                fairdeal.ledger.append(RUNNING)
                whole = fairdeal.exports.export(ID)
            (folder / "game.jsonl").write_text(whole, encoding="utf-8")
            until = Until(seconds)
            while until:
                (folder / "changed").write_text(rng.choice(CHANGES)(whole, rng), encoding="utf-8")
                words = [rng.choice(COMMANDS), *(rng.choice((ID, *WORDS)) for _ in range(rng.randint(0, 5)))]
                with tally.trying(f"seed {seed}, try {tally.tries + 1}, {words}"):
                    done = CliRunner().invoke(app, words, input="", env=environment)
                    assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
                    assert done.exit_code in (0, 1, 2, 3), done.exit_code
                    assert "Traceback" not in done.output
        finally:
            os.chdir(here)
    return tally
