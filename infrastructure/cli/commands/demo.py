"""`fairdeal demo`: bots play every game; one is replayed, one audited, and a forgery is found."""

import hashlib
import shlex
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from secrets import token_bytes
from shutil import which
from typing import Annotated
from uuid import UUID

import typer
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from fairdeal.application.audit.verdicts import Report
from fairdeal.application.commands.messages import JoinGame, OpenGame, RevealEntropy, StartGame
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.cli.commands.backup import copy_ledger
from fairdeal.infrastructure.cli.drawing import coloured
from fairdeal.infrastructure.cli.kinds import kinds
from fairdeal.infrastructure.cli.output import number_of
from fairdeal.service import Fairdeal

PLAYERS = ("Ada", "Bela", "Cleo", "Dina", "Emil", "Finn")
ROUNDS = 2
"""Games of each kind, so that there is somebody to lead."""
QUICK = ("careful", "random")
"""Bots that need no time to think."""
PAGE = "http://127.0.0.1:8000"
"""Where `fairdeal serve` shows the page unless it is told otherwise."""


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError  # has a status of its own, as everywhere


def demo(
    folder: Annotated[Path, typer.Option(help="Where the ledger goes.")] = Path("demo"),
    seed: Annotated[
        int, typer.Option(help="What the bots' choices follow from; the cards are always shuffled anew.")
    ] = 7,
) -> None:
    """Plays games of every kind with bots, shows who leads, replays one, audits all and finds a forgery.

    Exit status: 0 done, 2 the folder cannot be written.
    """
    console = _Console(highlight=False, soft_wrap=True)
    folder.mkdir(parents=True, exist_ok=True)
    ledger = folder / "games.db"
    with Fairdeal(f"sqlite:///{ledger}", kinds=kinds()) as fairdeal:
        console.print("[bold]1. Bots play every game.[/] Each player seals entropy before the cards are shuffled.\n")
        played = _play_all(fairdeal, seed, console)
        console.print("\n[bold]2. Who leads?[/] Read models follow the ledger. [dim]fairdeal ratings red7[/]\n")
        console.print(_leaders(fairdeal))
        game = played[0]
        console.print(
            f"\n[bold]3. Any game can be seen again[/], at any moment. [dim]fairdeal replay {str(game)[:8]}[/]\n"
        )
        _replay(fairdeal, game, console)
        console.print(f"\n[bold]4. Anybody can audit it.[/] [dim]fairdeal audit {str(game)[:8]}[/]\n")
        _show(fairdeal.audit(game), console)
    console.print("\n[bold]5. Somebody changes one byte[/] of a copy of the ledger.\n")
    report = _forged(ledger, folder / "forged.db", game)
    _show(report, console)
    console.print(f"  Found: it is record {report.untouched.record}.\n")
    console.print(_next(ledger, game), end="")


def _play_all(fairdeal: Fairdeal, seed: int, console: Console) -> list[UUID]:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("game", "played by", "events", "won by", "because"):
        table.add_column(heading, justify="right" if heading == "events" else "left")
    played: list[UUID] = []
    for rules in fairdeal.kinds.values():
        with console.status(f"{rules.title} …"):
            for number in range(ROUNDS):
                game = play(fairdeal, rules, number, Random(f"{seed} {rules.kind} {number}"))
                played.append(game)
        look = fairdeal.look(played[-1])
        assert look.outcome is not None
        winners = ", ".join(look.players[seat] for seat in look.outcome.winners) or "nobody"
        reason = look.outcome.reason.replace("_", " ")
        table.add_row(rules.title, ", ".join(look.players), str(look.version), winners, reason)
    console.print(table)
    return played


def play(fairdeal: Fairdeal, rules: AnyRules, number: int, rng: Random) -> UUID:
    """A whole game through the command handlers: a lobby, sealed entropy, then bots until the end."""
    seats = min(3, rules.seats[-1])
    players = rng.sample(PLAYERS, seats)
    presets = list(rules.setup.presets)
    options = presets[number % len(presets)]
    game = fairdeal.handle(OpenGame(player=players[0], kind=rules.kind, options=options)).game_id
    entropies = {player: token_bytes(32) for player in players}
    for player, entropy in entropies.items():
        fairdeal.handle(JoinGame(game_id=game, player=player, seal=hashlib.sha256(entropy).hexdigest()))
    fairdeal.handle(StartGame(game_id=game, player=players[0]))
    for player, entropy in entropies.items():
        fairdeal.handle(RevealEntropy(game_id=game, player=player, entropy=entropy.hex()))
    bots = [rules.bots[name] for name in QUICK if name in rules.bots] or list(rules.bots.values())[:2]
    for player in turns(fairdeal, game):
        look = fairdeal.look(game, player)
        bot = bots[(look.seat or 0) % len(bots)]
        fairdeal.move(game, player, bot(look.view, look.legal, rng))
    return game


def turns(fairdeal: Fairdeal, game_id: UUID) -> Iterator[str]:
    """Who has to act, until nobody has."""
    while active := (look := fairdeal.look(game_id)).active:
        yield look.players[active[0]]


def _leaders(fairdeal: Fairdeal) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("game", "1st", "2nd", "3rd"):
        table.add_column(heading)
    for rules in fairdeal.kinds.values():
        best = fairdeal.read.ratings(rules.kind, limit=3).items
        table.add_row(rules.title, *(f"{one.player} {one.rating:.1f}" for one in best))
    return table


def _replay(fairdeal: Fairdeal, game: UUID, console: Console) -> None:
    """Its table in the middle, as one player saw it, and what happened next."""
    look = fairdeal.look(game)
    viewer = look.players[0]
    replay = fairdeal.replay(game, viewer)
    frame = replay.go_to(replay.head // 2)
    drawn = coloured(look.kind, fairdeal.kinds[look.kind].voice.render(frame.view, look.players))
    title = f"version {frame.version} of {replay.head}, as {viewer} saw it"
    console.print(Panel(drawn, title=title, title_align="left", expand=False))
    for line in replay.story()[frame.version : frame.version + 3]:
        console.print(coloured(look.kind, f"  {line}"))


def _forged(ledger: Path, copy: Path, game: UUID) -> Report:
    """The audit of a copy in which one byte of one record of the game is another."""
    copy.unlink(missing_ok=True)
    copy_ledger(ledger, copy)
    with closing(sqlite3.connect(copy)) as database:
        where = "originator_id = ? AND originator_version = ?"
        found = database.execute(f"SELECT state FROM stored_events WHERE {where}", (game.hex, 12))  # noqa: S608 – our own words
        state = bytearray(found.fetchone()[0])
        state[-3] ^= 1
        database.execute(f"UPDATE stored_events SET state = ? WHERE {where}", (bytes(state), game.hex, 12))  # noqa: S608
        database.commit()
    with Fairdeal(f"sqlite:///{copy}", kinds=kinds(), read_only=True) as fairdeal:
        return fairdeal.audit(game)


def _show(report: Report, console: Console) -> None:
    console.print(f"  {str(report.game_id)[:8]}  {report.kind}, {number_of(report.records, 'record')}")
    for name, verdict in (("untouched", report.untouched), ("fair", report.fair), ("legal", report.legal)):
        style = "bold red" if verdict.bad else "green" if verdict.grade.value != "not_checked" else "yellow"
        console.print(f"  {name:<10} [{style}]{verdict}[/]")


def _next(ledger: Path, game: UUID) -> Text:
    """What can be typed here as it stands: whoever cloned the project has the command in its environment only."""
    typed = _typed(Path(sys.argv[0]))
    own = shlex.quote(f"sqlite:///{ledger}")
    text = Text("What to try next\n", "bold")
    for why, commands in (
        ("you against a bot, in this terminal", (f"{typed} play red7",)),
        (
            "the page: play, and see the game above again (in a clone: make serve)",
            (f"{typed} serve --ledger {own}", f"{PAGE}/games/{game}/replay"),
        ),
        ("what stands in grey above, about these games", (f"export FAIRDEAL_LEDGER={own}", f"{typed} games")),
    ):
        text.append(f"  {why}\n", "dim")
        text.append("".join(f"    {one}\n" for one in commands), "cyan")
    return text


def _typed(command: Path) -> str:
    """How the command is typed here: by its name, or by its place if it is on no path."""
    if which("fairdeal") or command.name != "fairdeal":
        return "fairdeal"
    here = Path.cwd()
    return shlex.quote(str(command.relative_to(here) if command.is_relative_to(here) else command))
