"""Deck and pool files on a real disk: whole or not at all, and never outside the folder."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairdeal.domain.tcg.decks import DEFAULT_DECK, DeckEntry, DeckList, build_deck
from fairdeal.domain.tcg.options import PRESETS, TcgOptions
from fairdeal.domain.tcg.pool import STARTER
from fairdeal.domain.tcg.refusals import InvalidDeck, InvalidPool
from fairdeal.infrastructure.games.tcg_documents import LARGEST, pool_bytes
from fairdeal.infrastructure.games.tcg_files import DeckFolder, load_pool

FULL = PRESETS["full"]
DECK = DeckList("My deck", DEFAULT_DECK.cards)
OTHER = build_deck("My deck", ["d1", "d2", "d3", "d4", "d5"] * 4, STARTER)


@pytest.fixture
def folder(tmp_path: Path) -> DeckFolder:
    return DeckFolder(tmp_path / "decks")


def files(folder: DeckFolder) -> list[str]:
    return [path.name for path in folder.path.iterdir()]


def codes(command: Callable[[], Any]) -> set[str]:
    with pytest.raises(InvalidDeck) as refused:
        command()
    return set(refused.value.codes)


def test_a_saved_deck_is_loaded_again_and_listed(folder: DeckFolder) -> None:
    assert folder.names() == []
    file = folder.save(DECK, FULL)
    assert file == folder.path / "My deck.json"
    assert folder.load("My deck", FULL) == DECK
    assert folder.names() == ["My deck"]
    assert files(folder) == ["My deck.json"]


def test_saving_what_was_loaded_changes_no_byte(folder: DeckFolder) -> None:
    first = folder.save(DeckList("My deck", DECK.cards[::-1]), FULL).read_bytes()
    assert folder.save(folder.load("My deck", FULL), FULL, replace=True).read_bytes() == first


def test_a_name_that_is_taken_is_replaced_only_on_demand(folder: DeckFolder) -> None:
    folder.save(DECK, FULL)
    assert codes(lambda: folder.save(OTHER, FULL)) == {"name_taken"}
    assert folder.load("My deck", FULL) == DECK
    folder.save(OTHER, FULL, replace=True)
    assert folder.load("My deck", FULL) == OTHER
    assert files(folder) == ["My deck.json"]


def test_a_deck_with_faults_is_not_saved(folder: DeckFolder) -> None:
    bad = DeckList("../Evil", (DeckEntry("dragon", 5),))
    assert codes(lambda: folder.save(bad, FULL)) == {"bad_name", "wrong_size", "too_many_copies", "unknown_card"}
    assert not folder.path.exists()


def test_a_crash_while_writing_leaves_the_old_deck_whole(folder: DeckFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    before = folder.save(DECK, FULL).read_bytes()

    def crash(descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", crash)
    assert codes(lambda: folder.save(OTHER, FULL, replace=True)) == {"deck_unwritable"}
    assert (folder.path / "My deck.json").read_bytes() == before
    assert files(folder) == ["My deck.json"]


def test_what_a_crash_left_behind_is_not_a_deck(folder: DeckFolder) -> None:
    folder.save(DECK, FULL)
    (folder.path / ".My deck.0123.tmp").write_bytes(b"{")
    (folder.path / "notes.txt").write_bytes(b"")
    (folder.path / "bad.name.json").write_bytes(b"")
    assert folder.names() == ["My deck"]


def test_a_file_system_without_links_will_do(folder: DeckFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    folder.save(DECK, FULL)
    assert codes(lambda: folder.save(OTHER, FULL)) == {"name_taken"}
    assert folder.load("My deck", FULL) == DECK


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert codes(lambda: DeckFolder(tmp_path / "file").save(DECK, FULL)) == {"deck_unwritable"}


def test_a_missing_deck_is_not_found(folder: DeckFolder) -> None:
    assert codes(lambda: folder.load("Nobody", FULL)) == {"deck_not_found"}


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "..", "a/b", "a\\b", "secret\n", "", "a\x00b", "C:x"])
def test_no_name_leads_out_of_the_folder(folder: DeckFolder, name: str) -> None:
    folder.save(DECK, FULL)
    (folder.path.parent / "secret.json").write_bytes((folder.path / "My deck.json").read_bytes())
    assert codes(lambda: folder.load(name, FULL)) == {"bad_name"}


def test_no_link_leads_out_of_the_folder(folder: DeckFolder) -> None:
    file = folder.save(DECK, FULL)
    outside = folder.path.parent / "outside.json"
    outside.write_bytes(file.read_bytes())
    file.unlink()
    file.symlink_to(outside)
    assert codes(lambda: folder.load("My deck", FULL)) == {"deck_unreadable"}
    assert codes(lambda: folder.save(OTHER, FULL)) == {"name_taken"}
    folder.save(OTHER, FULL, replace=True)
    assert json.loads(outside.read_bytes())["cards"][0]["id"] == "d0"
    assert folder.load("My deck", FULL) == OTHER


def test_what_is_not_a_plain_file_is_unreadable(folder: DeckFolder) -> None:
    (folder.path / "Folder.json").mkdir(parents=True)
    os.mkfifo(folder.path / "Pipe.json")
    assert codes(lambda: folder.load("Folder", FULL)) == {"deck_unreadable"}
    assert codes(lambda: folder.load("Pipe", FULL)) == {"deck_unreadable"}


def test_a_file_without_end_is_not_read_to_its_end(folder: DeckFolder) -> None:
    file = folder.save(DECK, FULL)
    with file.open("ab") as opened:
        opened.truncate(LARGEST + 1)
    assert codes(lambda: folder.load("My deck", FULL)) == {"malformed"}
    with file.open("ab") as opened:
        opened.truncate(2**40)
    assert codes(lambda: folder.load("My deck", FULL)) == {"malformed"}


def test_a_file_under_another_name_is_refused(folder: DeckFolder) -> None:
    folder.save(DECK, FULL).rename(folder.path / "Your deck.json")
    assert codes(lambda: folder.load("Your deck", FULL)) == {"bad_name"}


def test_a_pool_of_ones_own_is_loaded_and_decks_are_built_from_it(tmp_path: Path, folder: DeckFolder) -> None:
    file = tmp_path / "pool.json"
    file.write_bytes(pool_bytes(STARTER[:5]))
    link = tmp_path / "link.json"
    link.symlink_to(file)
    pool = load_pool(link)
    assert pool == STARTER[:5]
    options = TcgOptions(deck_size=4, pool=pool)
    folder.save(build_deck("Tiny", ["d1", "d2", "d2", "d4"], pool), options)
    assert folder.load("Tiny", options).size == 4
    assert codes(lambda: folder.save(build_deck("Tiny", ["d1", "d2", "d2", "d5"], pool), options)) == {"unknown_card"}


@pytest.mark.parametrize(
    ("name", "code"), [("missing.json", "pool_not_found"), ("folder", "pool_unreadable"), ("bad.json", "malformed")]
)
def test_a_bad_pool_is_refused(tmp_path: Path, name: str, code: str) -> None:
    (tmp_path / "bad.json").write_bytes(b"{}")
    (tmp_path / "folder").mkdir()
    with pytest.raises(InvalidPool, match=name) as refused:
        load_pool(tmp_path / name)
    assert set(refused.value.codes) == {code}
