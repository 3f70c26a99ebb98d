"""Forgeries whose links fit: a forger who owns the database is found by the rules, the seed and the seals."""

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from fairdeal.application.audit.game import audit
from fairdeal.application.audit.verdicts import Grade
from fairdeal.application.catalogue import KINDS
from fairdeal.testing.recorded import CODEC, recorded_game
from kits.audit import Payload, first, forged, golden, said, short_log


def test_a_log_that_is_forged_into_itself_stays_good() -> None:
    records = golden("pardon-classic-2")
    assert forged(records, 7, lambda _: None) == records


@pytest.mark.parametrize("kind", KINDS)
def test_a_move_by_somebody_else_is_found(kind: str) -> None:
    records = short_log(kind)
    version = next(
        record.version for record in records[1:] if (batch := CODEC.batch(record)) and "move" in batch.command
    )
    report = audit(forged(records, version, lambda payload: payload.update(by="mallory")), CODEC)
    assert report.untouched.grade is Grade.YES
    assert (report.legal.grade, report.legal.record) == (Grade.NO, version)
    assert "unknown_player" in report.legal.why


@pytest.mark.parametrize("kind", KINDS)
def test_an_event_that_does_not_follow_from_its_command_is_found(kind: str) -> None:
    records = short_log(kind)
    for record in records[8:30]:
        seat = CODEC.read(record).event
        if not hasattr(seat, "seat"):
            continue
        report = audit(
            forged(records, record.version, lambda p: p["event"].update(seat=1 - p["event"]["seat"] % 2)), CODEC
        )
        assert report.untouched.grade is Grade.YES
        assert (report.legal.grade, report.legal.record) == (Grade.NO, record.version), report.legal


def test_a_card_played_against_the_rules_is_found_with_the_reason() -> None:
    records = short_log("kings_corners")
    version = first(records, "card_played")

    def on_another_pile(payload: Payload) -> None:
        payload["event"]["pile"] = payload["command"]["pile"] = "NE"
        payload["event"]["card"] = payload["command"]["card"] = "KS"

    report = audit(forged(records, version, on_another_pile), CODEC)
    assert (report.legal.grade, report.legal.record) == (Grade.NO, version)
    assert report.legal.why.startswith("the rules refuse it: ")


@pytest.mark.parametrize("kind", KINDS)
def test_a_stacked_deck_is_found(kind: str) -> None:
    records = recorded_game(KINDS[kind])
    version = next(record.version for record in records if type(CODEC.read(record).event) in KINDS[kind].play.by_chance)

    def stack(payload: Payload) -> None:
        deck = payload["event"]["deck"]
        deck[0], deck[-1] = deck[-1], deck[0]

    report = audit(forged(records, version, stack), CODEC)
    assert report.untouched.grade is Grade.YES
    assert (report.fair.grade, report.fair.record) == (Grade.NO, version)
    assert (report.legal.grade, report.legal.record) == (Grade.NO, version)


@pytest.mark.parametrize("name", ["kings_corners-classic-2", "pardon-classic-5", "reviiyot-short-2"])
def test_an_entropy_that_was_chosen_to_suit_is_found(name: str) -> None:
    records = golden(name)
    version = first(records, "entropy_revealed")

    def choose(payload: Payload) -> None:
        payload["event"]["entropy"] = payload["command"]["entropy"] = "ab" * 16

    report = audit(forged(records, version, choose), CODEC)
    assert report.untouched.grade is Grade.YES
    assert (report.fair.grade, report.fair.record) == (Grade.NO, version)
    assert "wrong_entropy" in report.fair.why


def test_a_seal_that_was_changed_to_fit_another_entropy_gives_another_deal() -> None:
    records = golden("kings_corners-classic-2")
    seated, revealed = first(records, "player_seated"), first(records, "entropy_revealed")
    seal = hashlib.sha256(bytes.fromhex("ab" * 16)).hexdigest()

    def reseal(payload: Payload) -> None:
        payload["event"]["seal"] = payload["command"]["seal"] = seal

    def choose(payload: Payload) -> None:
        payload["event"]["entropy"] = payload["command"]["entropy"] = "ab" * 16

    report = audit(forged(forged(records, seated, reseal), revealed, choose), CODEC)
    assert (report.fair.grade, report.fair.record) == (Grade.NO, first(records, "cards_dealt"))


def test_a_seed_that_was_not_committed_to_is_found() -> None:
    records = golden("pardon-classic-2")
    report = audit(forged(records, 1, lambda payload: payload["event"].update(commitment="00" * 32)), CODEC)
    assert (report.fair.grade, report.fair.record) == (Grade.NO, 1)


def test_the_other_verdicts_go_on_behind_a_fault() -> None:
    records = golden("kings_corners-classic-2")
    version = first(records, "card_drawn", behind=20)
    report = audit(forged(records, version, lambda payload: payload.update(by="mallory")), CODEC)
    assert (report.untouched.grade, report.fair.grade, report.legal.grade) == (Grade.YES, Grade.SEALED, Grade.NO)


def test_a_payload_that_fairdeal_would_not_write_is_found() -> None:
    records = short_log("kings_corners")
    report = audit(forged(records, first(records, "card_"), lambda payload: payload.update(note="hi")), CODEC)
    assert (report.untouched.grade, report.untouched.record) == (Grade.NO, first(records, "card_"))


BAD_EVENTS: dict[str, Callable[[Payload], None]] = {
    "another order": lambda payload: payload.update(event=dict(reversed(payload["event"].items()))),
    "an unknown field": lambda payload: payload["event"].update(note="hi"),
}


@pytest.mark.parametrize("change", BAD_EVENTS.values(), ids=BAD_EVENTS)
def test_an_event_that_the_rules_would_not_write_is_not_legal(change: Callable[[Payload], None]) -> None:
    records = short_log("kings_corners")
    report = audit(forged(records, first(records, "card_"), change), CODEC)
    assert report.untouched.grade is Grade.YES, "whether it was touched takes no class to say"
    assert (report.legal.grade, report.legal.record) == (Grade.NO, first(records, "card_"))


def test_an_unreadable_payload_whose_link_fits_is_found() -> None:
    records = short_log("kings_corners")
    version = first(records, "card_")
    report = audit(forged(records, version, lambda payload: payload["event"].update(card="XX")), CODEC)
    assert report.untouched.grade is Grade.YES
    assert (report.legal.grade, report.legal.record) == (Grade.NO, version)


@pytest.mark.parametrize("command", [{"do": "dance"}, {"move": "fly"}, {}, {"move": "end_turn", "card": "KS"}])
def test_a_command_that_nobody_could_have_sent_is_found(command: dict[str, str]) -> None:
    records = short_log("kings_corners")
    version = first(records, "card_")
    report = audit(forged(records, version, lambda payload: payload.update(command=command)), CODEC)
    assert (report.legal.grade, report.legal.record) == (Grade.NO, version)


@pytest.mark.parametrize(
    "change", [{"kind": "pardon"}, {"note": "hi"}, {"player": "eve"}, {"seal": "00"}, {"options": {"note": 1}}]
)
@pytest.mark.parametrize("name", ["kings_corners-classic-2", "kings_corners-given_deck", "kings_corners-branch"])
def test_a_first_command_that_says_more_or_something_else_is_found(name: str, change: dict[str, str]) -> None:
    report = audit(forged(golden(name), 1, lambda payload: payload["command"].update(change)), CODEC)
    assert (report.legal.grade, report.legal.record) == (Grade.NO, 1)


def test_a_log_that_goes_back_in_time_is_found() -> None:
    records = short_log("pardon")
    version = next(record.version for record in records[20:] if CODEC.batch(record))
    report = audit(forged(records, version, lambda payload: payload.update(at="2025-01-01T00:00:00.000000Z")), CODEC)
    assert (report.untouched.grade, report.untouched.record) == (Grade.NO, version)


@pytest.mark.parametrize(
    "at", ["", "soon", "2026-01-01T00:00:00Z", "2026-02-31T00:00:00.000000Z", "9999-W01-1T00:00:00.00000Z"]
)
def test_a_bad_time_is_found(at: str) -> None:
    records = short_log("pardon")
    version = next(record.version for record in records[20:] if CODEC.batch(record))
    report = audit(forged(records, version, lambda payload: payload.update(at=at)), CODEC)
    assert (report.untouched.grade, report.untouched.record) == (Grade.NO, version)
    assert "is not a time" in report.untouched.why


def test_a_command_id_that_was_used_twice_is_found() -> None:
    records = short_log("pardon")
    opened = said(records[0])
    mine = (record.version for record in records[20:] if said(record).get("by") == opened["by"])
    version = next(mine)
    report = audit(forged(records, version, lambda payload: payload.update(id=opened["id"])), CODEC)
    assert (report.legal.grade, report.legal.record) == (Grade.NO, version)
    assert report.legal.why == "its command id was used before"


ID = "the id of the game does not follow from its opener and the id of their command"


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_whose_id_the_house_has_chosen_is_not_legal(kind: str) -> None:
    """Everything else is right: another opening would have dealt these cards under this id."""
    honest = short_log(kind)
    assert audit(honest, CODEC).legal.grade is Grade.YES
    report = audit(forged(honest, 1, lambda payload: payload.update(id="another")), CODEC)
    assert report.untouched.grade is Grade.YES
    assert (report.legal.grade, report.legal.record, report.legal.why) == (Grade.NO, 1, ID)
    assert report.fair.grade is audit(honest, CODEC).fair.grade


@pytest.mark.parametrize("name", ["kings_corners-branch", "kings_corners-classic-2", "tcg-full-2"])
def test_stored_games_and_branches_have_the_id_of_their_opener_and_command(name: str) -> None:
    """Whoever takes a stored log over into a game of their own must invent a command for it."""
    records = golden(name)
    report = audit(forged(records, 1, lambda payload: payload.update(id="another")), CODEC)
    assert (report.legal.grade, report.legal.record, report.legal.why) == (Grade.NO, 1, ID)


@pytest.mark.parametrize("size", [0, -1, 2, 10**9, "2"])
def test_a_batch_of_another_size_is_found(size: Any) -> None:
    records = short_log("kings_corners")
    version = first(records, "card_played")
    report = audit(forged(records, version, lambda payload: payload.update(size=size)), CODEC)
    assert report.untouched.grade is Grade.NO
    assert report.untouched.record in (version, version + 1, len(records))
