"""`fairdeal decks`: trading-card decks and pools, listed, checked, built and saved."""

import re
from dataclasses import replace as replaced
from pathlib import Path
from typing import Annotated

import typer

from fairdeal.domain.tcg.decks import DEFAULT_DECK, DeckList, build_deck, must_be_playable
from fairdeal.domain.tcg.options import PRESETS, TcgOptions, cards_allowed
from fairdeal.domain.tcg.refusals import InvalidDeck
from fairdeal.infrastructure.cli.options import JsonOption
from fairdeal.infrastructure.cli.output import FOUND, CannotDo, number_of, say, say_json, say_line
from fairdeal.infrastructure.cli.rows import show_rows
from fairdeal.infrastructure.export_files import whole_file
from fairdeal.infrastructure.games.tcg_documents import pool_bytes
from fairdeal.infrastructure.games.tcg_files import DeckFolder, load_pool

app = typer.Typer(
    no_args_is_help=True,
    help="Lists, checks, builds and saves trading-card decks and pools.",
    rich_markup_mode=None,
    add_completion=False,
)
FolderOption = Annotated[Path, typer.Option("--folder", help="Where the decks are.")]
PresetOption = Annotated[str, typer.Option("--preset", help=f"The rules they are for: {', '.join(PRESETS)}.")]
PoolOption = Annotated[Path | None, typer.Option("--pool", help="A pool of your own; without: the starter pool.")]
FOLDER = Path("decks")
COUNTED = re.compile(r"(?P<id>.+?)[x*:](?P<count>[0-9]{1,3})")


def options_of(preset: str, pool: Path | None) -> TcgOptions:
    if preset not in PRESETS:
        raise CannotDo(f"There is no preset {preset!r}; there are {', '.join(PRESETS)}.")
    chosen = PRESETS[preset]
    return chosen if pool is None else replaced(chosen, pool=load_pool(pool))


@app.command("list")
def list_decks(
    folder: FolderOption = FOLDER, preset: PresetOption = "full", pool: PoolOption = None, as_json: JsonOption = False
) -> None:
    """Lists decks, and whether these rules can play them.

    Exit status: 0 listed, 2 the folder or the pool cannot be read.
    """
    options = options_of(preset, pool)
    decks = DeckFolder(folder)
    rows: list[list[str]] = []
    for name in decks.names():
        size, fault = "–", ""
        try:
            size = str(decks.load(name, options).size)
        except InvalidDeck as error:
            fault = error.message
        if as_json:
            say_json({"deck": name, "playable": not fault, "cards": None if fault else int(size), "why": fault or None})
        rows.append([name, size, fault.removeprefix(f"{name}: ") or "can be played"])
    if not as_json:
        empty = (
            f"There are no decks in the folder {folder}: fairdeal decks build NAME --save makes one of the usual cards."
        )
        show_rows(("deck", "cards", preset), rows, right=("cards",), empty=empty)


@app.command()
def cards(preset: PresetOption = "full", pool: PoolOption = None, as_json: JsonOption = False) -> None:
    """Lists the cards that decks may hold.

    Exit status: 0 listed, 2 the pool cannot be read.
    """
    rows: list[list[str]] = []
    for card in cards_allowed(options_of(preset, pool)):
        stats = card.stats
        minion = None if stats is None else f"{stats.attack}/{stats.health}"
        if as_json:
            told = {"id": card.id, "kind": card.kind.value, "cost": card.cost, "amount": card.amount}
            say_json({**told, "minion": minion})
        rows.append([card.id, str(card.cost), f"{card.kind.value} {card.amount}", minion or "–"])
    if not as_json:
        show_rows(("card", "mana", "as a spell", "as a minion"), rows, right=("mana",))


@app.command()
def check(
    names: Annotated[list[str], typer.Argument(help="Names of decks in the folder.")],
    folder: FolderOption = FOLDER,
    preset: PresetOption = "full",
    pool: PoolOption = None,
    as_json: JsonOption = False,
) -> None:
    """Says whether decks can be played, with every fault.

    Exit status: 0 all can, 1 one cannot, 2 the rules or the pool cannot be read.
    """
    options = options_of(preset, pool)
    bad = False
    for name in names:
        try:
            deck = DeckFolder(folder).load(name, options)
        except InvalidDeck as error:
            bad = True
            if as_json:
                say_json({"deck": name, "playable": False, "why": error.message})
            else:
                say_line(error.message)
            continue
        if as_json:
            say_json({"deck": name, "playable": True, "cards": deck.size})
        else:
            say_line(f"{name}: {number_of(deck.size, 'card')}, can be played.")
    if bad:
        raise typer.Exit(FOUND)


@app.command()
def build(
    name: Annotated[str, typer.Argument(help="What the deck is called.")],
    cards: Annotated[
        list[str] | None, typer.Argument(help="Ids of cards; d3x4 is four of d3. Without: the kata's.")
    ] = None,
    folder: FolderOption = FOLDER,
    preset: PresetOption = "full",
    pool: PoolOption = None,
    save: Annotated[bool, typer.Option("--save", help="Into the folder, if it can be played.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="With --save: another deck of that name is lost.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Builds a deck of these cards, and saves it if asked to.

    Exit status: 0 it can be played, 2 it cannot (one sentence names every fault), or it was not saved.
    """
    options = options_of(preset, pool)
    deck = build_deck(name, _ids(cards), options.cards) if cards else DeckList(name, DEFAULT_DECK.cards)
    must_be_playable(deck, options, name)
    saved = DeckFolder(folder).save(deck, options, replace=replace) if save else None
    if as_json:
        counts = [{"id": entry.id, "count": entry.count} for entry in deck.cards]
        say_json({"deck": name, "cards": counts, "saved": None if saved is None else str(saved)})
        return
    say_line(f"{name}: {' '.join(f'{entry.id}x{entry.count}' for entry in deck.cards)}")
    where = "--save puts it into the folder." if saved is None else f"Saved as {saved}."
    say(f"{number_of(deck.size, 'card')}, can be played. {where}")


def _ids(words: list[str]) -> list[str]:
    """`d3 d3` or `d3x2`."""
    found: list[str] = []
    for word in words:
        counted = COUNTED.fullmatch(word)
        found += [word] if counted is None else [counted["id"]] * int(counted["count"])
    return found


@app.command()
def pool(
    file: Annotated[Path, typer.Argument(help="A pool, or with --save where the starter pool goes.")],
    save: Annotated[bool, typer.Option("--save", help="Writes the starter pool, to be changed.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Checks a pool of cards, or writes one to begin with.

    Exit status: 0 it is good, or written; 2 it is not (one sentence names every fault).
    """
    if save:
        if file.exists():
            raise CannotDo(f"{file} exists already.")
        with whole_file(file) as out:
            out.write(pool_bytes(PRESETS["full"].cards))
    found = load_pool(file)
    if as_json:
        say_json({"pool": str(file), "cards": len(found)})
    else:
        say_line(f"{file}: {number_of(len(found), 'card')}, good.")
