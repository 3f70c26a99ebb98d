"""Fairness hangs on no field's name: a game may call the number of a shuffle what it likes."""

from dataclasses import dataclass
from typing import Any

from fairdeal.application.audit.game import audit
from fairdeal.application.audit.verdicts import Grade
from fairdeal.application.log.codec import Codec
from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.domain.red7.cards import Card
from fairdeal.domain.red7.events import CardsDealt
from fairdeal.domain.red7.game import RED7
from fairdeal.testing import changed
from fairdeal.testing.recorded import recorded_game
from kits.audit import Payload, forged


@dataclass(frozen=True, slots=True)
class RoundDealt:
    """What Red7 calls `CardsDealt`, but the shuffle's number has another name."""

    mixed: int
    round: int
    seats: int
    hand_size: int
    deck: tuple[Card | None, ...]
    first: Seat


def renaming(draft: Draft[Any]) -> Draft[Any]:
    """A draft on the same state that hands on what is said, with `RoundDealt` where Red7 says `CardsDealt`."""

    def say(state: Any, event: Any) -> None:
        if type(event) is CardsDealt:
            event = RoundDealt(event.shuffle, event.round, event.seats, event.hand_size, event.deck, event.first)
        draft.say(event)

    return Draft(draft.state, dict.fromkeys(RED7.play.evolve, say))


def deal(draft: Draft[Any], chance: Chance, given: Any) -> None:
    RED7.play.deal(renaming(draft), chance, given)


def decide(draft: Draft[Any], seat: Seat, move: Any, chance: Chance) -> None:
    RED7.play.decide(renaming(draft), seat, move, chance)


def follow(state: Any, event: RoundDealt) -> None:
    known = CardsDealt(event.mixed, event.round, event.seats, event.hand_size, event.deck, event.first)
    RED7.play.evolve[CardsDealt](state, known)


RENAMED: AnyRules = changed(
    RED7,
    presets={"match": RED7.setup.presets["match"]},
    events={**RED7.stored.events, "cards_dealt.v1": RoundDealt},
    by_chance=frozenset({RoundDealt}),
    evolve={**RED7.play.evolve, RoundDealt: follow},
    deal=deal,
    decide=decide,
)
CODEC = Codec({"red7": RENAMED})


def test_a_stacked_second_round_is_unfair_whatever_the_field_is_called() -> None:
    records = recorded_game(RENAMED, codec=CODEC)
    assert audit(records, CODEC).fair.grade is Grade.OPERATORS_WORD
    _, second, *_ = [record.version for record in records if record.name == "red7.cards_dealt.v1"]

    def stack(payload: Payload) -> None:
        deck = payload["event"]["deck"]
        deck[0], deck[-1] = deck[-1], deck[0]

    report = audit(forged(records, second, stack), CODEC)
    assert report.untouched.grade is Grade.YES
    assert (report.fair.grade, report.fair.record) == (Grade.NO, second)
    assert (report.legal.grade, report.legal.record) == (Grade.NO, second)
