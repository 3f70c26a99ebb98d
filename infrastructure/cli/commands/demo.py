"""`fairdeal demo`: bots play whole games of every kind into a SQLite ledger, and what happened is shown."""

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Annotated
from uuid import UUID

import typer
from rich.console import Console
from rich.panel import Panel
from rich.table import Table

from fairdeal.application.audit.verdicts import Verdict
from fairdeal.application.commands.messages import JoinGame, OpenGame, RevealEntropy, StartGame
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.service import Fairdeal

PLAYERS = ("Ada", "Bela", "Cleo", "Dina", "Emil", "Finn")


def demo(
    folder: Annotated[Path, typer.Option(help="Where the ledger and the exported logs go.")] = Path("demo"),
    seed: Annotated[
        int, typer.Option(help="What the bots' choices follow from; the cards are always shuffled anew.")
    ] = 7,
) -> None:
    """Plays games of every kind with bots, tells one, replays and verifies them all."""
    console = Console(highlight=False)
    folder.mkdir(parents=True, exist_ok=True)
    ledger = folder / "games.db"
    with Fairdeal(f"sqlite:///{ledger}") as fairdeal:
        played = [
            play(fairdeal, rules, preset, console, Random(f"{seed} {rules.kind} {preset}"))
            for rules in fairdeal.kinds.values()
            for preset in rules.presets
        ]
        console.print(summary(fairdeal, played))
        tell_one(fairdeal, played[0], console)
        logs = [export(fairdeal, game_id, folder) for game_id in played]
    console.print(f"\nThe ledger is [bold]{ledger}[/]. Every log was exported beside it; anybody can check them:")
    for log in logs:
        verify(log, console)


def export(fairdeal: Fairdeal, game_id: UUID, folder: Path) -> Path:
    path = folder / f"{fairdeal.look(game_id).kind}-{str(game_id)[:8]}.jsonl"
    path.write_text(fairdeal.exports.export(game_id), encoding="utf-8", newline="\n")
    return path


def verify(log: Path, console: Console) -> None:
    """Runs the independent verifier, a program of its own, and shows its verdicts."""
    program = ["-m", "fairdeal.verify", str(log)]
    console.print(f"[cyan]python {' '.join(program)}[/]")
    done = subprocess.run([sys.executable, *program], check=False, capture_output=True, text=True)  # noqa: S603 – our own program and file
    console.print("".join(f"{line}\n" for line in done.stdout.splitlines()[1:3]) or done.stderr, end="")


def play(fairdeal: Fairdeal, rules: AnyRules, preset: str, console: Console, rng: Random) -> UUID:
    """A whole game through the command handlers: a lobby, sealed entropy, then bots until the end."""
    players = PLAYERS[: min(3, rules.seats[-1])]
    game_id = fairdeal.handle(OpenGame(player=players[0], kind=rules.kind, options=preset)).game_id
    entropies = {player: rng.randbytes(32) for player in players}
    for player, entropy in entropies.items():
        fairdeal.handle(JoinGame(game_id=game_id, player=player, seal=hashlib.sha256(entropy).hexdigest()))
    fairdeal.handle(StartGame(game_id=game_id, player=players[0]))
    for player, entropy in entropies.items():
        fairdeal.handle(RevealEntropy(game_id=game_id, player=player, entropy=entropy.hex()))
    bots = list(rules.bots.values())
    with console.status(f"{rules.title} ({preset})"):
        for player in turns(fairdeal, game_id):
            look = fairdeal.look(game_id, player)
            bot = bots[-1 - (look.seat or 0) % len(bots)]
            fairdeal.move(game_id, player, bot(look.view, look.legal, rng))
    return game_id


def turns(fairdeal: Fairdeal, game_id: UUID) -> Iterator[str]:
    """Who has to act, until nobody has."""
    while active := (look := fairdeal.look(game_id)).active:
        yield look.players[active[0]]


def summary(fairdeal: Fairdeal, played: list[UUID]) -> Table:
    table = Table(title="Played by bots through the command handlers, replayed and audited", title_style="bold")
    for heading in ("game", "events", "won by", "reason", "untouched", "fair", "legal"):
        table.add_column(heading, justify="right" if heading == "events" else "left")
    for game_id in played:
        look = fairdeal.look(game_id)
        assert look.outcome is not None
        winners = ", ".join(look.players[seat] for seat in look.outcome.winners) or "nobody"
        report = fairdeal.audit(game_id)
        verdicts = [verdict(found) for found in (report.untouched, report.fair, report.legal)]
        rules = fairdeal.kinds[look.kind]
        preset = next(name for name, options in rules.presets.items() if options == look.options)
        title = f"{rules.title} ({preset})" if len(rules.presets) > 1 else rules.title
        table.add_row(title, str(look.version), winners, look.outcome.reason.replace("_", " "), *verdicts)
    return table


def verdict(found: Verdict) -> str:
    if found.bad:
        return f"[bold red]no, record {found.record}[/]"
    return f"[green]{found.grade.value}[/]"


def tell_one(fairdeal: Fairdeal, game_id: UUID, console: Console) -> None:
    """The story of one game, and its table in the middle, as one player saw it, and at the end."""
    story = fairdeal.story(game_id)
    shown = [*story[:12], f"… {len(story) - 18} more …", *story[-6:]] if len(story) > 20 else list(story)
    console.print(Panel("\n".join(shown), title="One of them, told", expand=False))
    look = fairdeal.look(game_id)
    rules, viewer = fairdeal.kinds[look.kind], look.players[0]
    replay = fairdeal.replay(game_id, viewer)
    middle = replay.go_to(replay.head // 2)
    title = f"replayed: version {middle.version} of {replay.head}, as {viewer} saw it"
    console.print(Panel(rules.render(middle.view, look.players), title=title, expand=False))
    console.print(Panel(rules.render(replay.go_to(replay.head).view, look.players), title="and its end", expand=False))
