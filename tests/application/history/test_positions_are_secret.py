"""A game that begins from a position shows nobody more than they may see: worlds that differ in the rest are alike."""

import re
from itertools import pairwise
from typing import Any

import pytest

from fairdeal import Fairdeal, QuickStart, to_json
from fairdeal.application.catalogue import KINDS
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.testing import changed, positions
from fairdeal.testing.positions import TcgSide
from fairdeal.testing.snapshot import exchange

DIGEST = re.compile(r"[0-9a-f]{32,}|\d{4}-\d\d-\d\dT[^\"]*")
"""Links, seals and times differ in every world."""
LAID: dict[str, Any] = {
    "kings_corners": positions.kings_corners("JD 2S / 3C 4C", deck="10D 9H", N="QS"),
    "pardon": positions.pardon("JC 4S / QD 5H", face_down="JS - KC / QH QS 2C", deck="9D 9C"),
    "red7": positions.red7("R1 O2 / Y3 G4", "B5 / I6", deck="V7 R2 R3"),
    "reviiyot": positions.reviiyot("2C 3C / 2D 4C", deck="5C 6C 7C"),
    "tcg": positions.tcg(TcgSide(hand="d1 d2", deck="d3 d4"), TcgSide(hand="d5 d6", deck="d7 d8")),
}
VIEWERS = ("ann", "bob", None)


def told(rules: AnyRules, laid: Any, viewer: str | None) -> tuple[list[str], list[Any]]:
    """All that the viewer is told, and the cards that are hidden from them."""
    with Fairdeal("memory:", kinds={rules.kind: rules}) as fairdeal:
        start = QuickStart(
            player="host", kind=rules.kind, players=("ann", "bob"), position=laid, command_id="start"
        )  # fmt: skip
        game = fairdeal.handle(start).game_id
        replay = fairdeal.replay(game, viewer)
        said = [
            to_json(fairdeal.look(game, viewer)).decode(),
            to_json(fairdeal.events(game, viewer)).decode(),
            fairdeal.exports.export(game, viewer),
            fairdeal.queries.drawing(game, viewer),
            *fairdeal.story(game, viewer),
            *(to_json(replay.go_to(version)).decode() for version in range(replay.head + 1)),
        ]
        live = fairdeal.game(game)
        return [DIGEST.sub("#", text) for text in said], list(rules.eyes.hidden(live.state, live.seat_of(viewer)))


def worlds_differ(rules: AnyRules, viewer: str | None) -> bool:
    laid = LAID[rules.kind]
    said, hidden = told(rules, laid, viewer)
    in_it = [card for card in hidden if exchange(laid, {card: None}) != laid]
    pairs = [(one, other) for one, other in pairwise(in_it) if str(one) != str(other)]
    assert len(pairs) > 1
    return any(told(rules, exchange(laid, {one: other, other: one}), viewer)[0] != said for one, other in pairs)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_a_position_hides_makes_no_difference_to_a_viewer(kind: str, viewer: str | None) -> None:
    assert not worlds_differ(KINDS[kind], viewer)


@pytest.mark.parametrize("kind", KINDS)
def test_a_position_that_is_shown_to_everybody_is_found(kind: str) -> None:
    rules = KINDS[kind]

    def redact(event: Any, seat: int | None) -> Any:
        return event if isinstance(event, rules.setup.position or ()) else rules.eyes.redact(event, seat)

    assert worlds_differ(changed(rules, redact=redact), "bob")
