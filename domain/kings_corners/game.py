"""Kings Corners as one value."""

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kernel.rules import Eyes, NoOptions, Play, Rules, Setup, StoredNames, Voice
from fairdeal.domain.kings_corners import bots, deal, legal, rules, story, views
from fairdeal.domain.kings_corners.events import EVENTS, CardsDealt, PositionLaid
from fairdeal.domain.kings_corners.moves import MOVES, Move
from fairdeal.domain.kings_corners.options import PRESETS
from fairdeal.domain.kings_corners.state import EVOLVE, KingsCorners
from fairdeal.domain.kings_corners.views import KingsCornersView


def _initial_state(seats: int, options: NoOptions, brought: tuple[None, ...]) -> KingsCorners:
    return KingsCorners(seats)


KINGS_CORNERS: Rules[KingsCorners, Move, NoOptions, None, KingsCornersView] = Rules(
    kind="kings_corners",
    title="Kings Corners",
    version=1,
    seats=range(2, 7),
    setup=Setup(
        options=NoOptions,
        presets=PRESETS,
        given_deck=tuple[Card, ...],
        position=PositionLaid,
        check_position=deal.check_position,
    ),
    play=Play(
        initial_state=_initial_state,
        deal=deal.deal,
        decide=rules.decide,
        evolve=EVOLVE,
        active=legal.active,
        legal=legal.legal,
        house_move=legal.house_move,
        by_chance=frozenset({CardsDealt}),
    ),
    eyes=Eyes(view=views.view, redact=views.redact, places=views.places, hidden=views.hidden),
    voice=Voice(tell=story.tell, about=story.about, render=story.render),
    stored=StoredNames(events=EVENTS, moves=MOVES),
    bots={
        "random": bots.random,
        "careful": bots.careful,
        "strong": bots.strong,
        "greedy": bots.greedy,
        "sensible": bots.careful,
    },
)
