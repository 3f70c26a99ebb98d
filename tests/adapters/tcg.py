"""Runs `scenarios.json`, `fights.json` and the transcripts of the trading card game."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fairdeal.domain.tcg.cards import Card
from fairdeal.domain.tcg.game import TCG
from fairdeal.domain.tcg.moves import END_TURN, Attack, EndTurn, Move, PlayCard
from fairdeal.domain.tcg.options import TcgOptions
from fairdeal.domain.tcg.refusals import InvalidDeck
from fairdeal.domain.tcg.state import Side, Tcg
from fairdeal.infrastructure.games.tcg_files import DeckFolder
from kits.scenarios import Faults, Table, Verdict, only
from positions.tcg_positions import PLAYERS, options_of, position_of

DECK_NAME = "Demo"


def run(path: Path) -> Iterator[Verdict]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        for number, line in enumerate(text.splitlines(), 1):
            game = json.loads(line)
            check = check_full_game if "rules" in game else check_kata_game
            yield check(f"{path.stem}:{number}", game)
        return
    known = {"scenarios": check_scenario, "decks": check_deck, "fights": check_fight}
    for what, cases in json.loads(text).items():
        for number, case in enumerate(cases, 1):
            yield known[what](case.get("id", f"{what}:{number}"), case)


# -- scenarios ------------------------------------------------------------------------------------


def check_scenario(name: str, scenario: dict[str, Any]) -> Verdict:
    only(scenario, "id", "title", "rules", "given", "when", "then")
    faults = Faults()
    table = Table(TCG)
    set_up(table, scenario["rules"], scenario["given"])
    faults.compare("error of the start", scenario["given"].get("error"), table.refused)
    for number, step in enumerate(scenario["when"]):
        take_step(table, step, faults, f"step {number}")
    for what, value in scenario["then"].items():
        if what in PLAYERS:
            compare_side(faults, what, value, table.state.sides[PLAYERS.index(what)])
        else:
            faults.compare(what, sorted(map(bare, value), key=repr) if what == "legal" else value, found(table, what))
    return faults.verdict(name)


def set_up(table: Table, rules: dict[str, Any], given: dict[str, Any]) -> None:
    only(given, "start", "state", "error")
    options = options_of(rules)
    match given:
        case {"start": {"first": first, "decks": decks, **other}} if not other:
            start(table, options, first, decks)
        case {"state": state}:
            table.open(PLAYERS, options=options, position=position_of(state))
        case _:
            raise ValueError(f"unknown given: {given}")


def start(table: Table, options: TcgOptions, first: str, decks: dict[str, list[str]]) -> None:
    given = tuple(tuple(decks[player]) for player in PLAYERS)
    table.open(PLAYERS, options=replace(options, first=PLAYERS.index(first)), deck=given)


def take_step(table: Table, step: dict[str, Any], faults: Faults, where: str) -> None:
    if step["do"] == "end_turn_until_over":
        only(step, "do")
        while not table.game.over:
            table.move(active(table), END_TURN)
        return
    version = table.game.version
    table.move(step["by"], move_of(step))
    faults.compare(where, step.get("error"), table.refused)
    if table.refused:
        faults.compare(f"{where}, records", version, table.game.version)


def move_of(step: dict[str, Any]) -> Move:
    match step["do"]:
        case "play":
            only(step, "do", "by", "card", "mode", "at", "error")
            return PlayCard(step["card"], step.get("mode", "spell"), step.get("at"))
        case "attack":
            only(step, "do", "by", "with", "at", "error")
            return Attack(step["with"], step["at"])
        case "end_turn":
            only(step, "do", "by", "error")
            return END_TURN
        case other:
            raise ValueError(f"unknown step: {other}")


def found(table: Table, what: str) -> Any:
    state: Tcg = table.state
    match what:
        case "turn":
            return state.turn
        case "active":
            return active(table)
        case "winner":
            return winner(table)
        case "legal":
            moves = table.game.legal(active(table))
            return sorted((bare(command(move)) for move in moves), key=repr)
        case _:
            raise ValueError(f"unknown expectation: {what}")


def active(table: Table) -> str:
    state: Tcg = table.state
    return PLAYERS[state.active]


def winner(table: Table) -> str | None:
    outcome = table.game.outcome
    return None if outcome is None else PLAYERS[outcome.winners[0]]


def command(move: Move) -> list[Any]:
    match move:
        case PlayCard():
            return ["play", move.card, str(move.mode), move.at]
        case Attack():
            return ["attack", move.minion, move.at]
        case EndTurn():
            return ["end_turn"]


def bare(entry: list[Any]) -> list[Any]:
    """A legal command without the target that it lacks."""
    return entry[:-1] if entry[-1] is None else entry


def compare_side(faults: Faults, player: str, expected: dict[str, Any], side: Side) -> None:
    for what, value in expected.items():
        match what:
            case "health" | "slots" | "mana":
                got: Any = getattr(side, what)
            case "hand" | "discard":
                got = ids(getattr(side, what))
            case "deck":
                got = [card.id for card in side.left]
            case "deck_count":
                got = side.deck_size
            case "board_count":
                got = len(side.board)
            case "board":
                got = board(side)
                faults.compare(f"{player} board's length", len(value), len(got))
                got = [{key: minion[key] for key in named} for named, minion in zip(value, got, strict=False)]
            case _:
                raise ValueError(f"unknown expectation: {what}")
        faults.compare(f"{player} {what}", sorted(value) if what in ("hand", "discard") else value, got)


def ids(held: list[Card]) -> list[str]:
    return sorted(card.id for card in held)


def board(side: Side) -> list[dict[str, Any]]:
    keys = ("attack", "health", "asleep", "attacked")
    return [{"card": minion.card.id, **{key: getattr(minion, key) for key in keys}} for minion in side.board]


# -- deck files -----------------------------------------------------------------------------------


def check_deck(name: str, case: dict[str, Any]) -> Verdict:
    only(case, "id", "title", "rules", "file", "then")
    faults = Faults()
    with TemporaryDirectory() as temporary:
        folder = DeckFolder(Path(temporary))
        if case["file"] is not None:
            data = case["file"].encode("utf-8", "surrogateescape")
            (folder.path / f"{DECK_NAME}.json").write_bytes(data)
        faults.compare("deck", expected_of_deck(case["then"]), load(folder, options_of(case["rules"]), faults))
    return faults.verdict(name)


def expected_of_deck(then: dict[str, Any]) -> dict[str, Any]:
    if "problems" in then:
        only(then, "problems")
        return {"problems": sorted(set(then["problems"]))}
    only(then, "ok", "name", "size", "cards")
    return then


def load(folder: DeckFolder, options: TcgOptions, faults: Faults) -> dict[str, Any]:
    try:
        deck = folder.load(DECK_NAME, options)
    except InvalidDeck as error:
        return {"problems": sorted(error.codes)}
    once = folder.save(deck, options, replace=True).read_bytes()
    again = folder.load(DECK_NAME, options)
    faults.compare("cards after a round trip", Counter(deck.cards), Counter(again.cards))
    faults.compare("bytes after a round trip", once, folder.save(again, options, replace=True).read_bytes())
    return {"ok": True, "name": deck.name, "size": deck.size, "cards": {e.id: e.count for e in deck.cards}}


# -- fights and transcripts -----------------------------------------------------------------------


def check_fight(name: str, fight: dict[str, Any]) -> Verdict:
    only(fight, "attacker", "defender", "attacker_after", "defender_after")
    faults = Faults()
    table = Table(TCG)
    sides = {
        player: {"board": [{"card": "d1", "attack": stats[0], "health": stats[1], "asleep": player == "B"}]}
        for player, stats in zip(PLAYERS, (fight["attacker"], fight["defender"]), strict=True)
    }
    set_up(table, {"variations": ["minions"]}, {"state": {"active": "A", **sides}})
    table.move("A", Attack(0, 0))
    faults.compare("attack", None, table.refused)
    left = [side.board[0].health if side.board else None for side in table.state.sides]
    faults.compare("health after", [fight["attacker_after"], fight["defender_after"]], left)
    return faults.verdict(name)


def check_kata_game(name: str, game: dict[str, Any]) -> Verdict:
    """A basic game, or one with flexible healing (which a game without it never uses)."""
    only(game, "decks", "steps", "winner")
    faults = Faults()
    table = Table(TCG)
    flexible = any(step[0] == "heal" for step in game["steps"])
    decks = {player: [f"d{n}" for n in deck] for player, deck in zip(PLAYERS, game["decks"], strict=True)}
    start(table, TcgOptions(second_bonus=1, flex_healing=flexible), "A", decks)
    for number, (kind, *step) in enumerate(game["steps"]):
        *who, state_a, state_b = step
        if kind != "start":
            table.move(who[0], END_TURN if kind == "end" else PlayCard(f"d{who[1]}", kind))
        faults.compare(f"step {number}", None, table.refused)
        faults.compare(f"state after step {number}", [state_a, state_b], [plain(side) for side in table.state.sides])
    faults.compare("winner", game["winner"], winner(table))
    return faults.verdict(name)


def plain(side: Side) -> list[Any]:
    hand = sorted(int(card.id[1:]) for card in side.hand)
    return [side.health, side.slots, side.mana, hand, side.deck_size]


def check_full_game(name: str, game: dict[str, Any]) -> Verdict:
    only(game, "rules", "first", "decks", "steps")
    faults = Faults()
    table = Table(TCG)
    for number, (step, code, *state) in enumerate(game["steps"]):
        if step == "start":
            start(table, options_of(game["rules"]), game["first"], game["decks"])
        else:
            move = move_of(named(step))
            listed = TCG.play.canonical_move(table.state, move) in table.game.legal(step[1])
            faults.compare(f"step {number} among the legal moves", code == "ok", listed)
            table.move(step[1], move)
        faults.compare(f"step {number}", code, table.refused or "ok")
        if code == "ok":
            faults.compare(f"state after step {number}", state, [whole(table)])
    return faults.verdict(name)


def named(step: list[Any]) -> dict[str, Any]:
    keys = {"play": ("by", "card", "mode", "at"), "attack": ("by", "with", "at"), "end_turn": ("by",)}
    return {"do": step[0], **dict(zip(keys[step[0]], step[1:], strict=True))}


def whole(table: Table) -> list[Any]:
    state: Tcg = table.state
    sides = [
        [side.health, side.slots, side.mana, ids(side.hand), [list(m.values()) for m in board(side)], ids(side.discard)]
        for side in state.sides
    ]
    return [state.turn, active(table), winner(table), *sides]
