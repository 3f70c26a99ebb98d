"""Runs `scenarios.jsonl` and `vectors.jsonl` of Red7."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fairdeal.domain.kernel.places import cards_in
from fairdeal.domain.red7.cards import COLOURS, Card, CardSet, set_of
from fairdeal.domain.red7.events import PositionLaid
from fairdeal.domain.red7.game import RED7
from fairdeal.domain.red7.moves import ChangeRule, EndTurn, GiveUp, Move, PlayAndChange, PlayCard
from fairdeal.domain.red7.rounds import unscored
from fairdeal.domain.red7.standings import Standing, standing
from fairdeal.domain.red7.state import Red7
from kits.scenarios import Faults, Table, Verdict, only

SCENARIO = {"id", "title", "mode", "given", "when", "then"}
DEAL = {"preset", "deal_players", "deal_order"}
POSITION = {"preset", "hands", "palettes", "current", "canvas", "deck", "out", "score"}
VECTOR = {"rule", "palettes", "winner_index", "scoring_cards", "qualifying_counts", "decided_by"}
CHOICE = {"target", "take", "discard"}
PLAYERS = "ABCDEFGH"


def run(path: Path) -> Iterator[Verdict]:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    for number, line in enumerate(lines, start=1):
        thing: dict[str, Any] = json.loads(line)
        yield check_vector(f"line {number}", thing) if "palettes" in thing else check_scenario(thing)


# -- rule evaluations ------------------------------------------------------------------------------


def check_vector(name: str, vector: dict[str, Any]) -> Verdict:
    only(vector, *VECTOR)
    palettes = [set_of(cards(palette)) for palette in vector["palettes"]]
    found = next(standing(colour, palettes) for colour in COLOURS if colour == vector["rule"])
    faults = Faults()
    faults.compare("winner_index", vector["winner_index"], found.leader)
    faults.compare("scoring_cards", vector["scoring_cards"], list(found.cards))
    faults.compare("qualifying_counts", vector["qualifying_counts"], list(found.sizes))
    faults.compare("decided_by", vector["decided_by"], found.decided_by)
    return faults.verdict(name)


# -- scenarios -------------------------------------------------------------------------------------


def check_scenario(scenario: dict[str, Any]) -> Verdict:
    only(scenario, *SCENARIO)
    table = Table(RED7)
    faults = Faults()
    set_up(table, scenario["given"])
    expected: dict[str, Any] = dict(scenario["then"])
    last_refusal = expected.pop("rejected", None)
    steps: list[list[Any]] = scenario["when"]
    for number, (command, seat, *rest) in enumerate(steps, start=1):
        options: dict[str, Any] = dict(rest.pop()) if rest and isinstance(rest[-1], dict) else {}
        refusal = options.pop("expect", last_refusal if number == len(steps) else None)
        only(options, *CHOICE)
        table.move(PLAYERS[seat], move_of(command, rest, options))
        faults.compare(f"refusal of step {number}", refusal, table.refused)
    if not steps:
        faults.compare("refusal of the deal", last_refusal, table.refused)
    for what, value in expected.items():
        wanted, got = EXPECTATIONS[what](table, value)
        faults.compare(what, wanted, got)
    return faults.verdict(scenario["id"])


def set_up(table: Table, given: dict[str, Any]) -> None:
    options = RED7.setup.presets[given["preset"]]
    if "deal_players" in given:
        only(given, *DEAL)
        players = list(PLAYERS[: given["deal_players"]])
        deck = cards(given["deal_order"]) if "deal_order" in given else None
        table.open(players, options=options, deck=deck)
        if table.refused == "table_full":
            # The table turns the fifth player away as they sit down, before the number of players is looked at.
            table.refused = "player_count"
    else:
        only(given, *POSITION)
        table.open(list(PLAYERS[: len(given["hands"])]), options=options, position=position_of(given))


def position_of(given: dict[str, Any]) -> PositionLaid:
    return PositionLaid(
        hands=tuple(cards(hand) for hand in given["hands"]),
        palettes=tuple(cards(palette) for palette in given["palettes"]),
        canvas=cards(given.get("canvas", [])),
        deck=cards(given.get("deck", [])),
        out=tuple(given.get("out", [])),
        scores=tuple(cards(pile) for pile in given.get("score", [[] for _ in given["hands"]])),
        turn=given["current"],
    )


def cards(names: list[str]) -> tuple[Card, ...]:
    return tuple(Card(name) for name in names)


def move_of(command: str, named: list[str], choice: dict[str, Any]) -> Move:
    match command, named:
        case "play", [card]:
            return PlayCard(card, **choice)
        case "play_and_change", [card, rule_card]:
            return PlayAndChange(card, rule_card, **choice)
        case "change_rule", [card] if not choice:
            return ChangeRule(card)
        case "end_turn", [] if not choice:
            return EndTurn()
        case "give_up", [] if not choice:
            return GiveUp()
        case _:
            raise ValueError(f"unknown step: {command} {named} {choice}")


# -- what `then` may name: for each key what is wanted and what is found ---------------------------


def standing_now(state: Red7) -> Standing:
    playing: list[CardSet] = [at if seat in state.playing else 0 for seat, at in enumerate(state.palette_sets)]
    return standing(state.rule, playing)


def sorted_each(piles: Any) -> list[list[str]]:
    return [sorted(pile) for pile in piles]


def strongest_first(state: Red7, wanted: list[Any]) -> list[Any]:
    """The qualifying set of a seat, whoever leads: as if they sat alone."""
    seat: int = wanted[0]
    return [seat, list(standing(state.rule, [state.palette_sets[seat]]).cards)]


def in_play(state: Red7, names: list[str]) -> list[str]:
    places = [*state.hands, *state.palettes, state.deck, state.canvas]
    return [name for name in names if not any(name in place for place in places)]


EXPECTATIONS: dict[str, Callable[[Table, Any], tuple[Any, Any]]] = {
    "hands": lambda table, value: (sorted_each(value), sorted_each(table.state.hands)),
    "hand_sizes": lambda table, value: (value, [len(hand) for hand in table.state.hands]),
    "palettes": lambda table, value: (value, [list(palette) for palette in table.state.palettes]),
    "palette_sizes": lambda table, value: (value, [len(palette) for palette in table.state.palettes]),
    "canvas": lambda table, value: (value, list(table.state.canvas)),
    "rule": lambda table, value: (value, table.state.rule),
    "deck": lambda table, value: (value, list(table.state.deck)),
    "deck_size": lambda table, value: (value, len(table.state.deck)),
    "deck_top": lambda table, value: (value, table.state.deck[0] if table.state.deck else None),
    "current": lambda table, value: (value, table.state.turn),
    "leader": lambda table, value: (value, standing_now(table.state).leader),
    "scoring": lambda table, value: (value, strongest_first(table.state, value)),
    "qualifying": lambda table, value: (value, list(standing_now(table.state).sizes)),
    "out": lambda table, value: (
        sorted(value),
        [seat for seat in range(len(table.state.hands)) if seat not in table.state.playing],
    ),
    "points": lambda table, value: (value, list(table.state.points)),
    "score": lambda table, value: (sorted_each(value), sorted_each(table.state.scores)),
    "round": lambda table, value: (value, table.state.round),
    "over": lambda table, value: (value, table.game.over),
    "winners": lambda table, value: (value, list(table.game.outcome.winners) if table.game.outcome else None),
    "pool": lambda table, value: (value, len(unscored(table.state))),
    "not_in_play": lambda table, value: (value, in_play(table.state, value)),
    "total_cards": lambda table, value: (value, len(cards_in(RED7.eyes.places(table.state)))),
}
