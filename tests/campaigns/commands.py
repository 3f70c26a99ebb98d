"""Commands that nobody thought of: answers or typed errors, never anything else, and every log stays good."""

import pickle
from random import Random
from typing import Any, cast
from uuid import UUID

from campaigns.tally import Tally, Until
from fairdeal import Fairdeal, FairdealError, to_json
from fairdeal.application.catalogue import KINDS
from fairdeal.application.commands.messages import COMMANDS
from fairdeal.application.commands.validation import move_to_plain
from fairdeal.domain.kernel.refusals import echo

PLAYERS = ("ann", "bob", "cid", "dan")
ANYTHING: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 7, 2**63, 10**5000, 1.5, float("nan"), float("inf"), "", "x", "\0", "\ud800"),
    *(
        "x" * 300,
        "9" * 10_000,
        [],
        {},
        [[]],
        {"move": []},
        ["ann", "ann"],
        {"preset": "x"},
        {"n": 10**9},
        b"x",
        object(),
    ),
)


def run(seed: int, seconds: float) -> Tally:
    rng, tally = Random(seed), Tally()
    until = Until(seconds)
    while until:
        with Fairdeal("memory:", patience=5) as fairdeal:
            tables: list[UUID] = []
            for _ in range(200):
                command = some_command(fairdeal, tables, rng)
                with tally.trying(f"seed {seed}, try {tally.tries + 1}, {echo(command)}"):
                    send(fairdeal, command, tables)
            with tally.trying(f"seed {seed}, the audit after {tally.tries} commands"):
                for report in fairdeal.audit_all():
                    assert report.good, report
    return tally


def send(fairdeal: Fairdeal, command: Any, tables: list[UUID]) -> None:
    try:
        answer = fairdeal.handle(command)
    except FairdealError as error:
        assert str(error).isprintable()
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
        return
    to_json(answer)
    if answer.game_id not in tables:
        tables.append(answer.game_id)
        del tables[:-5]
    if isinstance(command, dict) and "command_id" in command:
        assert fairdeal.handle(cast("dict[str, Any]", command)) == answer, "the same command again got another answer"


def some_command(fairdeal: Fairdeal, tables: list[UUID], rng: Random) -> Any:
    if rng.random() < 0.02:
        return rng.choice(ANYTHING)
    command = likely(fairdeal, tables, rng)
    if rng.random() < 0.5:
        command["command_id"] = f"id {rng.randrange(10**6)}"
    while rng.random() < 0.4:
        key = rng.choice([*command, "more", "expected_version", "deck", "position", "options", "brings", "clock"])
        command[key] = rng.choice(ANYTHING)
    return command


def likely(fairdeal: Fairdeal, tables: list[UUID], rng: Random) -> dict[str, Any]:
    """Something that has a chance to be answered."""
    player = rng.choice(PLAYERS)
    if not tables or rng.random() < 0.1:
        kind = rng.choice(sorted(KINDS))
        players = list(PLAYERS[: KINDS[kind].seats[0]])
        quick = {"command": "quick_start", "player": "ann", "kind": kind, "players": players}
        return quick if rng.random() < 0.6 else {"command": "open_game", "player": "ann", "kind": kind}
    game = rng.choice(tables)
    look = fairdeal.look(game)
    if look.active and look.view is not None and rng.random() < 0.6:
        player = look.players[rng.choice(look.active)]
        legal = fairdeal.look(game, player).legal
        move = move_to_plain(KINDS[look.kind], rng.choice(legal)) if legal else {}
        return {"command": "make_move", "game_id": game, "player": player, "move": move}
    name = rng.choice([*COMMANDS, "join_game", "start_game"])
    return {
        "command": name,
        "game_id": game,
        "player": player,
        "reason": "why not",
        "seat": 0,
        "origin": game,
        "version": 5,
    }
