"""The quick look at openings is held to the careful one: it lets nothing pass that the other would find."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from fairdeal.application.audit import fast_opening, fast_pass
from fairdeal.application.audit.fast_opening import PlainQuickStart, plain_quick_start, remember
from fairdeal.application.audit.game import audit
from fairdeal.application.catalogue import KINDS
from fairdeal.application.commands import validation
from fairdeal.application.commands.validation import parse_options
from fairdeal.application.log.record import RawBatch
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.testing.recorded import CODEC, recorded_game, relinked
from kits.audit import Payload, carefully, forged, short_log
from kits.compiled import plain_python_only


def with_one_more_key(command: Payload) -> None:
    command["more"] = 1


def with_an_option_more(command: Payload) -> None:
    command["options"]["more"] = 1


def with_other_options(command: Payload) -> None:
    command["options"] = {"seats": 3}


def without_options(command: Payload) -> None:
    del command["options"]


def with_no_word_about_ratings(command: Payload) -> None:
    command["rated"] = None


def with_a_preset_for_the_options(command: Payload) -> None:
    command["options"] = "classic"


def that_brings_nothing_in_words(command: Payload) -> None:
    command["brings"] = {}


def of_another_kind(command: Payload) -> None:
    command["kind"] = "whist"


def that_does_something_else(command: Payload) -> None:
    command["do"] = "quick_starts"


def with_a_nobody(command: Payload) -> None:
    command["players"].append("")


def with_a_long_name(command: Payload) -> None:
    command["players"][-1] = "x" * 201


def with_a_number_for_a_player(command: Payload) -> None:
    command["players"][0] = 7


def in_another_order(command: Payload) -> None:
    for key in ("options", "kind", "do"):
        command[key] = command.pop(key)


def of_players_first(command: Payload) -> None:
    command["kind"] = command.pop("kind")


FORGERIES = (
    with_one_more_key,
    with_an_option_more,
    with_other_options,
    without_options,
    with_no_word_about_ratings,
    with_a_preset_for_the_options,
    that_brings_nothing_in_words,
    of_another_kind,
    that_does_something_else,
    with_a_nobody,
    with_a_long_name,
    with_a_number_for_a_player,
    in_another_order,
    of_players_first,
)


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda one: one.__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_both_find_the_same_in_forged_openings(kind: str, forgery: Callable[[Payload], None]) -> None:
    records = short_log(kind)
    assert audit(records, CODEC).good  # its options are known from now on

    def forge(payload: Payload) -> None:
        forgery(payload["command"])

    log = forged(records, 1, forge)
    assert log != records
    for _ in range(2):  # what is wrong with them is not remembered as good
        assert audit(log, CODEC) == carefully(log)
        assert audit(log, CODEC).bad
    assert audit(records, CODEC) == carefully(records)


SPELLINGS = (
    (b'"options":{', b'"options": {'),
    (b'"options":{', b'"options":{ '),
    (b'"command":{"do":', b'"command":{ "do":'),
    (b'"do":"quick_start"', b'"do":"\\u0071uick_start"'),
    (b'"do":"quick_start"', b'"do":"quick_start","do":"quick_start"'),
    (b'"players":[', b'"players":[ '),
)


@pytest.mark.parametrize(("usual", "other"), SPELLINGS)
@pytest.mark.parametrize("kind", KINDS)
def test_both_find_the_same_in_openings_that_are_spelled_in_another_way(kind: str, usual: bytes, other: bytes) -> None:
    records = short_log(kind)
    assert audit(records, CODEC).good
    rows = [(one.name, one.payload) for one in records]
    at = records[0].payload.rindex(usual)
    rows[0] = records[0].name, records[0].payload[:at] + other + records[0].payload[at + len(usual) :]
    log = relinked(CODEC.seed_of(records[0]), records[0].game_id, rows)
    for _ in range(2):
        report = audit(log, CODEC)
        assert report == carefully(log)
        assert report.untouched.record == 1


@plain_python_only
def test_options_that_are_known_are_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[object] = []

    def look(rules: AnyRules, options: object) -> object:
        looked.append(options)
        return parse_options(rules, options)

    known: dict[bytes, Any] = {}

    def only_these(*_: object) -> dict[bytes, Any]:
        return known

    monkeypatch.setattr(validation, "parse_options", look)
    monkeypatch.setattr(fast_pass, "known_options", only_these)
    for number in range(3):
        assert audit(recorded_game(KINDS["red7"], number, most=20), CODEC).good
    assert len(looked) == len(known) == 1


def with_options(options: bytes) -> PlainQuickStart:
    return PlainQuickStart("quick_start", "red7", msgspec.Raw(options), [])


def test_few_options_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[bytes, Any] = {}
    monkeypatch.setattr(fast_opening, "MOST_OPTIONS", 2)
    for options in (b"1", b"2", b"3"):
        remember(known, with_options(options), int(options))
    assert known == {b"3": 3}
    remember(known, with_options(b" " * (fast_opening.LONGEST_OPTIONS + 1)), 4)
    assert known == {b"3": 3}


@dataclass
class Case:
    """What stands in the first record of a batch."""

    by: str = "ann"
    id: str = "1"
    command: bytes = b'{"do":"quick_start","kind":"red7","options":{},"players":["ann","bob"]}'


@pytest.mark.parametrize(
    ("case", "options"),
    [
        (Case(), b"{}"),
        (Case(by=""), None),
        (Case(by="x" * 201), None),
        (Case(id=""), None),
        (Case(id="x" * 200), b"{}"),
        (Case(id="x" * 201), None),
        (Case(command=b'{"do":"open_game","kind":"red7","options":{}}'), None),
        (Case(command=b'{"do":"quick_start","kind":"red7","options":7,"players":[]}'), b"7"),
        (Case(command=b"[]"), None),
    ],
    ids=str,
)
def test_only_what_is_plain_is_looked_at_quickly(case: Case, options: bytes | None) -> None:
    raw = RawBatch("", case.by, case.id, msgspec.Raw(case.command), 1, 1)
    said = plain_quick_start("red7", raw)
    assert (None if said is None else bytes(said.options)) == options
