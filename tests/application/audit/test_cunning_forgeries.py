"""Forgers who know the seed and the rules: tables that were never laid, commands that nobody can have sent."""

import hashlib
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from fairdeal import AbandonGame, Fairdeal, JoinGame, OpenGame, StartGame
from fairdeal.application.audit.game import audit
from fairdeal.application.audit.verdicts import Grade
from fairdeal.application.catalogue import KINDS
from fairdeal.application.log.record import Record
from fairdeal.testing.recorded import CODEC, recorded_game, relinked
from kits.audit import Payload, first, forged, golden, said, short_log, written

KINGS = golden("kings_corners-classic-2")
SEED, ID = CODEC.seed_of(KINGS[0]), KINGS[0].game_id
LAST = max(record.version for record in KINGS if CODEC.batch(record))


def relinked_rows(rows: list[tuple[str, bytes]], game_id: UUID = ID, seed: bytes = SEED) -> list[Record]:
    return relinked(seed, game_id, rows)


def rows_of(records: list[Record]) -> list[tuple[str, bytes]]:
    return [(record.name, record.payload) for record in records]


# -- a branch of nothing -----------------------------------------------------------------------------------------------


def branch_of_nothing(opening: str, *, sealed: bool, ending: bool) -> list[Record]:
    """Claims to go on from a game that nobody knows, and tells whatever suits."""
    entropy = {"ann": b"a" * 16, "bob": b"b" * 16}
    seals = {who: hashlib.sha256(secret).hexdigest() if sealed else None for who, secret in entropy.items()}
    deal = said(KINGS[first(KINGS, "cards_dealt") - 1])["event"]
    events: list[tuple[str, Payload]] = [
        ("game_opened.v1", {**said(KINGS[0])["event"], "opener": "ann"}),
        *(("player_seated.v1", {"player": who, "brought": None, "seal": seal}) for who, seal in seals.items()),
        ("game_started.v1", {"opening": opening}),
        ("game_branched.v1", {"origin": str(UUID(int=7)), "version": 9, "link": "00" * 32}),
    ]
    if sealed:
        events += [
            ("entropy_revealed.v1", {"seat": seat, "entropy": secret.hex()})
            for seat, secret in enumerate(entropy.values())
        ]
    events.append(("cards_dealt.v1", {**deal, "deck": sorted(deal["deck"])}))
    if ending:
        events.append(("game_finished.v1", {"winners": [1], "scores": [0, 99], "reason": "won"}))
    head = said(KINGS[0]) | {
        "by": "ann",
        "command": {"do": "branch_game", "origin": str(UUID(int=7)), "version": 9},
        "size": len(events),
    }
    payloads = [{**head, "event": events[0][1]}, *({"event": event} for _, event in events[1:])]
    return relinked_rows([
        (f"kings_corners.{name}", written(payload)) for (name, _), payload in zip(events, payloads, strict=True)
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("opening", "sealed", "ending"),
    [("shuffle", True, True), ("shuffle", False, True), ("branch", True, False), ("branch", False, True)],
)
def test_a_branch_of_nothing_is_neither_sealed_nor_legal(opening: str, sealed: bool, ending: bool) -> None:
    report = audit(branch_of_nothing(opening, sealed=sealed, ending=ending), CODEC)
    assert report.legal.grade is Grade.NO, report
    assert report.fair.grade not in (Grade.SEALED, Grade.OPERATORS_WORD)


def test_a_branch_of_an_unknown_game_that_only_tells_cards_is_not_checked() -> None:
    report = audit(branch_of_nothing("branch", sealed=False, ending=False), CODEC)
    assert (report.legal.grade, report.fair.grade) == (Grade.NOT_CHECKED, Grade.NOT_YET)


# -- names of other games ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_with_the_name_of_another_games_event_is_found_there(kind: str) -> None:
    records = short_log(kind)
    others = [other for other in KINDS if other != kind]
    for at, record in enumerate(records):
        rows = rows_of(records)
        for other in others:
            rows[at] = record.name.replace(kind, other), record.payload
            report = audit(relinked(CODEC.seed_of(records[0]), records[0].game_id, rows), CODEC)
            # The first record says of what kind a game is: then it is the second that does not fit.
            assert (report.untouched.grade, report.untouched.record) == (Grade.NO, at + 1 if at else 2)


def test_an_ending_under_the_name_of_another_game_is_found_whatever_it_says() -> None:
    rows = rows_of(KINGS)
    twice = b'{"event":{"winners":[1],"scores":[],"reason":"won"},"event":{"winners":[0],"scores":[],"reason":"won"}}'
    rows[-1] = "red7.game_finished.v1", twice
    assert audit(relinked_rows(rows), CODEC).untouched.record == len(rows)


# -- what a batch says of itself ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_the_last_batch_cannot_claim_more_records_than_there_are(kind: str) -> None:
    for records in (short_log(kind), recorded_game(KINDS[kind])):
        last = max(record.version for record in records if CODEC.batch(record))
        report = audit(forged(records, last, lambda payload: payload.update(size=payload["size"] + 1000)), CODEC)
        assert (report.untouched.grade, report.untouched.record) == (Grade.NO, len(records))


@pytest.mark.parametrize("rules", [0, -7])
def test_rules_that_never_were_do_not_excuse_anything(rules: int) -> None:
    report = audit(forged(KINGS, LAST, lambda payload: payload.update(rules=rules)), CODEC)
    assert (report.untouched.grade, report.untouched.record) == (Grade.NO, LAST)


# -- commands that nobody can have sent --------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", [5, None, [], {}, True, "", "a\nb", "\x1b[31m", "x" * 201])
def test_a_reason_that_the_border_would_refuse_is_found(reason: object) -> None:
    records = short_log("kings_corners")
    told = {"at": "2026-02-01T00:00:00.000000Z", "by": "ann", "id": "x"}
    command = {"do": "abandon_game", "reason": reason}
    payload = {"event": {"seat": 0, "reason": reason}, **told, "command": command, "rules": 1, "size": 1}
    rows = [*rows_of(records), ("kings_corners.game_abandoned.v1", written(payload))]
    report = audit(relinked(CODEC.seed_of(records[0]), records[0].game_id, rows), CODEC)
    assert not report.good
    assert (report.legal.grade, report.legal.record) == (Grade.NO, len(rows))


def without(key: str, **more: Any) -> Callable[[Payload], None]:
    def change(payload: Payload) -> None:
        payload["command"].pop(key)
        payload["command"].update(more)

    return change


def also(**more: Any) -> Callable[[Payload], None]:
    return lambda payload: payload["command"].update(more)


def the_other_way_round(payload: Payload) -> None:
    payload["command"] = dict(reversed(payload["command"].items()))


def a_play(records: list[Record]) -> int:
    return next(
        record.version for record in records
        if (batch := CODEC.batch(record)) and batch.command.get("move") == "play" and batch.command["target"] is None
    )  # fmt: skip


@pytest.mark.parametrize(
    "change", [without("card"), without("target", note="hi"), also(note="hi"), the_other_way_round]
)
def test_a_move_with_notes_on_its_margin_is_found(change: Callable[[Payload], None]) -> None:
    records = golden("red7-actions-2")
    version = a_play(records)
    report = audit(forged(records, version, change), CODEC)
    assert (report.legal.grade, report.legal.record) == (Grade.NO, version)


def test_a_move_without_an_optional_field_is_one_of_an_older_program() -> None:
    records = golden("red7-actions-2")
    assert audit(forged(records, a_play(records), without("target")), CODEC).legal.grade is Grade.YES


QUICK = recorded_game(KINDS["reviiyot"])
LOBBY = golden("reviiyot-classic-2")


def with_id(text: str) -> Callable[[Payload], None]:
    return lambda payload: payload.update(id=text)


def in_capitals(payload: Payload) -> None:
    payload["command"]["entropy"] = payload["command"]["entropy"].upper() + " "


SPELLINGS: list[tuple[list[Record], str, Callable[[Payload], None]]] = [
    (QUICK, "game_opened", without("kind")),
    (QUICK, "game_opened", without("options")),
    (QUICK, "game_opened", also(brings={})),
    (QUICK, "game_opened", also(brings={"zoe": {"strategy": "1"}})),
    (QUICK, "game_opened", also(players={"ann": 1, "bob": 2, "cleo": 3})),
    (QUICK, "game_opened", the_other_way_round),
    (QUICK, "game_opened", with_id("")),
    (QUICK, "game_opened", with_id("x" * 201)),
    (LOBBY, "game_opened", also(options=None)),
    (LOBBY, "player_seated", also(brings=None)),
    (LOBBY, "entropy_revealed", in_capitals),
]


@pytest.mark.parametrize(("records", "name", "change"), SPELLINGS)
def test_a_command_in_another_spelling_is_found(
    records: list[Record], name: str, change: Callable[[Payload], None]
) -> None:
    version = first(records, name)
    report = audit(forged(records, version, change), CODEC)
    assert (report.legal.grade, report.legal.record) == (Grade.NO, version), report


def test_entropy_that_is_too_short_to_be_a_secret_seals_nothing() -> None:
    version = first(KINGS, "entropy_revealed")
    seal = first(KINGS, "player_seated")

    def change_seal(payload: Payload) -> None:
        payload["event"]["seal"] = payload["command"]["seal"] = hashlib.sha256(b"a").hexdigest()

    def change_entropy(payload: Payload) -> None:
        payload["event"]["entropy"] = payload["command"]["entropy"] = b"a".hex()

    report = audit(forged(forged(KINGS, seal, change_seal), version, change_entropy), CODEC)
    assert (report.legal.grade, report.legal.record) == (Grade.NO, version)
    assert report.fair.grade is not Grade.SEALED


@pytest.mark.parametrize("size", [0, 1, 31, 33, 200])
def test_a_seed_of_another_size_begins_no_game(size: int) -> None:
    seed = bytes(size)

    def change(payload: Payload) -> None:
        payload["event"].update(seed=seed.hex(), commitment=hashlib.sha256(seed).hexdigest())

    rows = rows_of(forged(KINGS, 1, change))
    report = audit(relinked(seed, ID, rows), CODEC)
    assert (report.untouched.grade, report.untouched.record) == (Grade.NO, 1)


def test_a_verdict_quotes_no_cards() -> None:
    records = golden("kings_corners-given_deck")
    report = audit(forged(records, 1, without("kind")), CODEC)
    assert str(report.legal) == "no at record 1 (its command cannot be carried out (ValidationError))"


# -- what was written into a log is not followed -----------------------------------------------------------------------


@pytest.mark.parametrize("linked", [True, False])
def test_huge_numbers_are_found_at_once(linked: bool) -> None:
    for name, word, huge in (
        ("red7-match-4", '"seats":4', '"seats":9999999999'),
        ("reviiyot-classic-2", '"n":', '"n":99999999'),
    ):
        records = golden(name)
        for record in records:
            if word.encode() not in record.payload:
                continue
            rows = rows_of(records)
            rows[record.version - 1] = record.name, record.payload.replace(word.encode(), huge.encode())
            log = relinked(CODEC.seed_of(records[0]), records[0].game_id, rows)
            if not linked:
                log = [
                    Record(r.game_id, r.version, r.name, r.payload, old.link)
                    for r, old in zip(log, records, strict=True)
                ]
            assert not audit(log, CODEC).good


def test_huge_numbers_of_other_rules_are_found_at_once() -> None:
    """Nothing is decided again there, but it is followed."""
    records = golden("reviiyot-classic-2")
    rows = [
        (r.name, r.payload.replace(b'"n":10', b'"n":268435456').replace(b'"rules":1,', b'"rules":2,')) for r in records
    ]
    report = audit(relinked(CODEC.seed_of(records[0]), records[0].game_id, rows), CODEC)
    assert (report.fair.grade, report.legal.grade) == (Grade.NOT_CHECKED, Grade.NOT_CHECKED)


# -- and what is honest, but nothing was dealt -------------------------------------------------------------------------


def test_seals_that_were_never_opened_seal_no_deal(fairdeal: Fairdeal) -> None:
    game = fairdeal.handle(OpenGame(player="ann", kind="pardon")).game_id
    for player in ("ann", "bob"):
        fairdeal.handle(JoinGame(player=player, game_id=game, seal=hashlib.sha256(player.encode()).hexdigest()))
    fairdeal.handle(StartGame(player="ann", game_id=game))
    fairdeal.handle(AbandonGame(player="bob", game_id=game))
    why = "nothing was dealt: bob broke the table off before the deal, with the seal of ann and bob shut"
    assert str(fairdeal.audit(game).fair) == f"not checked ({why})"


# -- and what a later release may write --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'"house":2', b'"house":9', "house rules 9, here 3"),
        (b'"chance":1,"house":2', b'"chance":2,"house":2', "chance 2, here 1"),
    ],
)
def test_newer_rules_of_the_house_are_not_called_illegal_or_unfair(old: bytes, new: bytes, why: str) -> None:
    records = golden("red7-late")
    rows = [(record.name, record.payload.replace(old, new)) for record in records]
    assert rows != rows_of(records)
    report = audit(relinked_rows(rows, records[0].game_id, CODEC.seed_of(records[0])), CODEC)
    assert (report.untouched.grade, report.rules_at_hand) == (Grade.YES, False)
    assert (report.legal.grade, report.legal.why) == (Grade.NOT_CHECKED, why)
    assert (report.fair.grade, report.fair.why) == (Grade.NOT_CHECKED, why)


def test_ids_that_newer_rules_of_the_house_make_in_another_way_are_not_called_illegal() -> None:
    """The door for several ledgers: the number of a ledger in the id, as UUIDv8, from some later house rules on."""
    records = golden("red7-late")
    game_id = UUID("00010000-0000-8000-8000-000000000001")
    rows = [(record.name, record.payload.replace(b'"house":2', b'"house":9')) for record in records]
    report = audit(relinked_rows(rows, game_id, CODEC.seed_of(records[0])), CODEC)
    assert report.untouched.grade is Grade.YES
    assert (report.legal.grade, report.legal.why) == (Grade.NOT_CHECKED, "house rules 9, here 3")
    # Under the house rules that we have, such an id is still one that the house has chosen.
    assert audit(relinked_rows(rows_of(records), game_id, CODEC.seed_of(records[0])), CODEC).legal.grade is Grade.NO
