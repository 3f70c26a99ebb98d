"""`fairdeal simulate`: many games between bots, and what comes of them."""

import csv
import io
import time
from collections.abc import Sequence
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from statistics import mean, median
from typing import Annotated, Any, cast

import typer

from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.cli.kinds import options_of, rules_of
from fairdeal.infrastructure.cli.options import LEDGER_VARIABLE, JsonOption, opened, without_password, writable
from fairdeal.infrastructure.cli.output import CannotDo, counted, number_of, say, say_json, were_there
from fairdeal.infrastructure.cli.rows import show_rows
from fairdeal.infrastructure.cli.side_by_side import simulation
from fairdeal.infrastructure.cli.simulation import Match, Played, Share, shares

BINS = 12
WIDTH = 40
JobsOption = Annotated[int, typer.Option(min=1, max=256, help="Processes; the figures are the same for any number.")]
SeedOption = Annotated[int, typer.Option(min=0, help="Another one gives other games.")]


def simulate(
    kind: Annotated[str, typer.Argument(help="Which game.")],
    bots: Annotated[str, typer.Option(help="The bots, such as random,careful: as many as play.")],
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1000,
    jobs: JobsOption = 1,
    seed: SeedOption = 0,
    preset: Annotated[str | None, typer.Option(help="Named options of the game.")] = None,
    options: Annotated[str | None, typer.Option(help="Options as JSON.")] = None,
    plot: Annotated[Path | None, typer.Option(help="A picture, FILE.png or FILE.svg (extra `plots`).")] = None,
    table: Annotated[Path | None, typer.Option("--csv", help="A file with a row for every game.")] = None,
    save: Annotated[bool, typer.Option("--save", help="Stores the games in a ledger.")] = False,
    ledger: Annotated[
        str | None, typer.Option("--ledger", envvar=LEDGER_VARIABLE, help="Where --save puts them.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Plays many games between bots: win rates with 95 % intervals, lengths, decisions per second.

    The seats turn by one with every game. A shared win counts by parts: half a win for each of two.
    With --save every game is stored, once, however often the same simulation is run.

    Exit status: 0 played, 2 it could not be played.
    """
    rules = rules_of(kind)
    match = Match(kind, options_of(rules, preset, options), names_of(rules, bots), seed, keeps_moves=save)
    _must_be_possible(plot, table, ledger, save=save)
    begun = time.perf_counter()
    played = all_played(match, games, jobs, "playing")
    seconds = time.perf_counter() - begun
    if table is not None:
        table.write_text(_csv(match, played), encoding="utf-8", newline="")
    if plot is not None:
        _picture(match, rules, played, plot)
    stored = 0 if ledger is None or not save else _save(ledger, match, played)
    if as_json:
        say_json(_plain(match, played, seconds) | ({"stored": stored} if save else {}))
    else:
        _show(match, rules, played, seconds)
        if plot is not None:
            say(f"Drawn: {plot}")
        if table is not None:
            say(f"A row for every game: {table}")
        if save:
            where = without_password(str(ledger))
            say(f"Stored {number_of(stored, 'game')} in {where}; {were_there(len(played) - stored)}.")


def _must_be_possible(plot: Path | None, table: Path | None, ledger: str | None, *, save: bool) -> None:
    """Asked before the first game, for the last one may come an hour later."""
    for file in filter(None, (plot, table)):
        writable(file)
    if plot is not None:
        if find_spec("matplotlib") is None:
            raise CannotDo("--plot needs the extra `plots` of Fairdeal: pip install 'fairdeal[plots]'.")
        from matplotlib.backend_bases import FigureCanvasBase

        if plot.suffix[1:].lower() not in FigureCanvasBase.get_supported_filetypes():
            raise CannotDo(f"{plot} is not the name of a picture: call it {plot.with_suffix('.png')} or .svg.")
    if save:
        if ledger is None:
            raise CannotDo("--save: into which ledger? Give --ledger or set FAIRDEAL_LEDGER.")
        with opened(ledger, create=True):
            pass


def _save(ledger: str, match: Match, played: Sequence[Played]) -> int:
    from fairdeal.infrastructure.cli.saving import save

    with opened(ledger, create=True) as fairdeal:
        return sum(save(fairdeal, match, game) for game in counted(played, len(played), "storing"))


def all_played(match: Match, games: int, jobs: int, what: str) -> list[Played]:
    """All games in their order, whoever played them and when."""
    with simulation(match, games, jobs) as playing:
        return sorted(counted(playing, games, what), key=attrgetter("number"))


def names_of(rules: AnyRules, bots: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in bots.split(",") if name.strip())
    for name in names:
        if name not in rules.bots:
            raise CannotDo(f"{rules.title} has no bot {name!r}; there are {', '.join(rules.bots)}.")
    if len(names) not in rules.seats:
        raise CannotDo(f"{rules.title} is for {rules.how_many} players, not {len(names)}.")
    return names


def _plain(match: Match, played: Sequence[Played], seconds: float) -> dict[str, Any]:
    lengths = [game.decisions for game in played]
    return {
        "kind": match.kind,
        "games": len(played),
        "seed": match.seed,
        "bots": [
            _plain_share(name, one) for name, one in zip(match.bots, shares(played, len(match.bots)), strict=True)
        ],
        "shared": sum(len(game.winners) > 1 for game in played),
        "nobody_won": sum(not game.winners for game in played),
        "decisions": {"least": min(lengths), "median": median(lengths), "mean": mean(lengths), "most": max(lengths)},
        "decisions_per_second": sum(lengths) / seconds,
    }


def _plain_share(name: str, share: Share) -> dict[str, Any]:
    return {"bot": name, "won": share.won, "rate": share.rate, "interval": list(share.interval)}


def _show(match: Match, rules: AnyRules, played: Sequence[Played], seconds: float) -> None:
    lengths = [game.decisions for game in played]
    say(f"{rules.title}: {number_of(len(played), 'game')}, seed {match.seed}")
    rows = [
        [f"{number}", name, f"{share.won:g}", str(share), bar(share)]
        for number, (name, share) in enumerate(zip(match.bots, shares(played, len(match.bots)), strict=True), 1)
    ]
    show_rows(("", "bot", "won", "rate (95 % interval)", "0 % to 100 %"), rows, right=("", "won"))
    shared = sum(len(game.winners) > 1 for game in played)
    if shared:
        say(f"{number_of(shared, 'game')} had more than one winner: a shared win counts by parts.")
    nobody = sum(not game.winners for game in played)
    if nobody:
        say(f"Nobody won {number_of(nobody, 'game')}.")
    spread = f"{min(lengths)} to {max(lengths)}, median {median(lengths):g}, mean {mean(lengths):.1f}"
    say(f"Decisions in a game: {spread}")
    for line in histogram(lengths):
        say(f"  {line}")
    say(f"{sum(lengths) / seconds:,.0f} decisions per second, {seconds:.1f} s.")


def bar(share: Share) -> str:
    """The rate as a mark, the interval as a line around it."""
    low, high = share.interval
    first, at, last = (round(value * (WIDTH - 1)) for value in (low, share.rate, high))
    return "".join("●" if here == at else "─" if first <= here <= last else "·" for here in range(WIDTH))


def _range(first: int, count: int) -> str:
    return str(first) if count == 1 else f"{first} – {first + count - 1}"


def histogram(lengths: Sequence[int]) -> list[str]:
    low, high = min(lengths), max(lengths)
    step = max(1, -(-(high - low + 1) // BINS))
    counts = [0] * ((high - low) // step + 1)
    for length in lengths:
        counts[(length - low) // step] += 1
    most = max(counts)
    return [
        f"{_range(low + at * step, step):>13} {'█' * round(count / most * WIDTH)} {count}"
        for at, count in enumerate(counts)
    ]


def _csv(match: Match, played: Sequence[Played]) -> str:
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["game", "winners", "bots", "decisions", "reason"])
    for game in played:
        names = " ".join(match.bots[bot] for bot in game.winners)
        rows.writerow([game.number, " ".join(str(bot + 1) for bot in game.winners), names, game.decisions, game.reason])
    return out.getvalue()


def _picture(match: Match, rules: AnyRules, played: Sequence[Played], file: Path) -> None:
    import matplotlib as mpl

    mpl.use("agg")  # no window
    from matplotlib import pyplot as plt

    found = shares(played, len(match.bots))
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
    names = [f"{number} {name}" for number, name in enumerate(match.bots, 1)]
    rates = [share.rate for share in found]
    below = [share.rate - share.interval[0] for share in found]
    above = [share.interval[1] - share.rate for share in found]
    left.bar(names, rates, yerr=[below, above], capsize=6)
    left.set(title=f"{rules.title}: won, with 95 % intervals", ylim=(0, 1))
    right.hist([game.decisions for game in played], bins=40)
    right.set(title=f"decisions in {number_of(len(played), 'game')}")
    figure.tight_layout()
    cast("Any", figure).savefig(file)
    plt.close(figure)
