"""`fairdeal tournament`: every bot against every bot."""

from itertools import combinations
from typing import Annotated

import typer

from fairdeal.infrastructure.cli.commands.simulate import JobsOption, SeedOption, all_played
from fairdeal.infrastructure.cli.kinds import options_of, rules_of
from fairdeal.infrastructure.cli.options import JsonOption
from fairdeal.infrastructure.cli.output import CannotDo, number_of, say, say_json
from fairdeal.infrastructure.cli.rows import show_rows
from fairdeal.infrastructure.cli.simulation import Match, Share, shares


def tournament(
    kind: Annotated[str, typer.Argument(help="Which game, for two.")],
    bots: Annotated[str | None, typer.Option(help="Only these bots, such as random,careful.")] = None,
    games: Annotated[int, typer.Option(min=1, help="Games for each pair.")] = 100,
    jobs: JobsOption = 1,
    seed: SeedOption = 0,
    preset: Annotated[str | None, typer.Option(help="Named options of the game.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Plays every bot against every bot, two at a table, and ranks them by their share of wins.

    Exit status: 0 played, 2 it could not be played.
    """
    rules = rules_of(kind)
    names = list(rules.bots) if bots is None else [name.strip() for name in bots.split(",") if name.strip()]
    for name in names:
        if name not in rules.bots:
            raise CannotDo(f"{rules.title} has no bot {name!r}; there are {', '.join(rules.bots)}.")
    if 2 not in rules.seats or len(set(names)) < 2:
        raise CannotDo("A tournament needs a game for two and at least two bots.")
    options = options_of(rules, preset, None)
    pairs = list(combinations(dict.fromkeys(names), 2))
    won = dict.fromkeys(names, 0.0)
    against: dict[tuple[str, str], Share] = {}
    for pair in pairs:
        match = Match(kind, options, pair, seed)
        played = all_played(match, games, jobs, " – ".join(pair))
        for name, share in zip(pair, shares(played, 2), strict=True):
            won[name] += share.won
            against[name, pair[1] if name == pair[0] else pair[0]] = share
    total = games * (len(won) - 1)
    ranking = sorted(won, key=lambda name: (-won[name], name))
    if as_json:
        for name in ranking:
            share = Share(won[name], total)
            rates = {other: against[name, other].rate for other in won if other != name}
            say_json({"bot": name, "rate": share.rate, "interval": list(share.interval), "against": rates})
        return
    say(f"{rules.title}: {number_of(games, 'game')} for each pair, seed {seed}; how often the bot of the row won")
    rows = [
        [name, str(Share(won[name], total)), *(f"{against[name, o].rate:.0%}" if o != name else "–" for o in ranking)]
        for name in ranking
    ]
    show_rows(("bot", "rate (95 % interval)", *ranking), rows, right=ranking)
