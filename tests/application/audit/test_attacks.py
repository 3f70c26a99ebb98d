"""Attacks that must fail."""

import json
from collections.abc import Iterator
from random import Random
from unittest import mock
from uuid import UUID

import pytest

from fairdeal import Fairdeal
from fairdeal.application.log.links import link_of, salt_of, seal_of
from fairdeal.domain.kernel.french_deck import DECK
from kits.verifier import VERIFIER


@pytest.fixture
def game(fairdeal: Fairdeal) -> UUID:
    return fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id


def played_out(fairdeal: Fairdeal, game: UUID) -> UUID:
    rng = Random(1)
    while active := (look := fairdeal.look(game)).active:
        player = look.players[active[0]]
        fairdeal.move(game, player, rng.choice(fairdeal.look(game, player).legal))
    return game


def test_a_hidden_card_cannot_be_guessed_from_a_receipt_or_a_link(fairdeal: Fairdeal, game: UUID) -> None:
    before = fairdeal.look(game).receipt
    command = {
        "command": "make_move",
        "player": "ann",
        "game_id": game,
        "command_id": "c1",
        "move": {"move": "end_turn"},
    }
    fairdeal.handle(command)
    drawn = fairdeal.ledger.records(game, after=before.version)[0]
    # Whoever knows everything but the card (and the seed) can write down all 52 payloads that there could be.
    truth = json.loads(drawn.payload)
    payloads: list[bytes] = []
    for card in DECK:
        truth["event"]["card"] = card
        payloads.append(json.dumps(truth, separators=(",", ":")).encode())
    assert drawn.payload in payloads

    def links(salt: bytes) -> Iterator[bytes]:
        for payload in payloads:
            yield link_of(bytes.fromhex(before.link), game, drawn.version, drawn.name, seal_of(salt, payload))

    seed = fairdeal.codec.events(fairdeal.ledger.records(game, up_to=1))[0].seed
    assert drawn.link not in links(b"")
    assert drawn.link not in links(bytes(16))
    assert drawn.link in links(salt_of(bytes.fromhex(seed), drawn.version)), "with the salt the guess would work"


def test_neither_answers_nor_exports_show_the_seed_or_a_foreign_salt_before_the_end(
    fairdeal: Fairdeal, game: UUID
) -> None:
    seed = fairdeal.codec.events(fairdeal.ledger.records(game, up_to=1))[0].seed
    fairdeal.move(game, "ann", {"move": "end_turn"})
    for viewer in ("ann", "bob", None):
        export = fairdeal.exports.export(game, viewer)
        assert seed not in export
        if viewer != "ann":
            assert salt_of(bytes.fromhex(seed), fairdeal.look(game).version - 1).hex() not in export
    assert seed not in repr(fairdeal.look(game, "ann"))


def test_every_viewer_can_verify_a_running_game_up_to_its_head(fairdeal: Fairdeal, game: UUID) -> None:
    fairdeal.move(game, "ann", {"move": "end_turn"})
    receipt = fairdeal.look(game).receipt
    for viewer in ("ann", "bob", None):
        untouched, fair = VERIFIER.verify(fairdeal.exports.export(game, viewer), [(receipt.version, receipt.link)])
        assert untouched.startswith("untouched")
        assert fair.startswith("not yet")


def test_changing_any_byte_of_an_exported_payload_is_found_at_its_record(fairdeal: Fairdeal, game: UUID) -> None:
    lines = fairdeal.exports.export(played_out(fairdeal, game)).split("\n")
    rng = Random(5)
    for number in range(1, len(lines) - 2):
        record = json.loads(lines[number])
        at = rng.randrange(len(record["payload"]))
        other = "x" if record["payload"][at] != "x" else "y"
        record["payload"] = record["payload"][:at] + other + record["payload"][at + 1 :]
        changed = [*lines[:number], json.dumps(record, ensure_ascii=False), *lines[number + 1 :]]
        with pytest.raises((VERIFIER.Bad, ValueError)) as found:
            VERIFIER.verify("\n".join(changed))
        if isinstance(found.value, VERIFIER.Bad):
            assert str(found.value).startswith(f"record {number}:")


def test_dropped_doubled_and_swapped_records_are_found(fairdeal: Fairdeal, game: UUID) -> None:
    header, *records, footer, end = fairdeal.exports.export(played_out(fairdeal, game)).split("\n")
    for at in range(len(records) - 1):
        swapped = [*records[:at], records[at + 1], records[at], *records[at + 2 :]]
        for changed in (records[:at] + records[at + 1 :], [*records[: at + 1], *records[at:]], swapped, records[:at]):
            with pytest.raises(VERIFIER.Bad):
                VERIFIER.verify("\n".join([header, *changed, footer, end]))


def test_a_log_cut_short_with_a_matching_footer_shows_against_a_receipt(fairdeal: Fairdeal, game: UUID) -> None:
    short = fairdeal.exports.export(game, "ann")
    receipt = fairdeal.move(game, "ann", {"move": "end_turn"}).receipt
    VERIFIER.verify(short)
    with pytest.raises(VERIFIER.Bad, match="a receipt is for a record that is missing"):
        VERIFIER.verify(short, [(receipt.version, receipt.link)])


def test_a_stacked_deck_with_correct_links_is_found_by_the_verifier(fairdeal: Fairdeal) -> None:
    class Stacked:
        """An operator who deals what they like and calls it a shuffle."""

        def shuffle(self, number: int, cards: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(cards)

    def stacked(*_: object) -> Stacked:
        return Stacked()

    with mock.patch("fairdeal.domain.kernel.game.Chance", stacked):
        game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
        played_out(fairdeal, game)
    with pytest.raises(VERIFIER.Bad, match="record 5: the deck is not what the seed and the seals give"):
        VERIFIER.verify(fairdeal.exports.export(game))
