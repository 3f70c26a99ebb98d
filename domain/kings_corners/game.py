"""Kings Corners as one value."""

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kernel.rules import NoOptions, Rules
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
    options=NoOptions,
    presets=PRESETS,
    given_deck=tuple[Card, ...],
    position=PositionLaid,
    events=EVENTS,
    moves=MOVES,
    by_chance=frozenset({CardsDealt}),
    check_position=deal.check_position,
    initial_state=_initial_state,
    deal=deal.deal,
    decide=rules.decide,
    evolve=EVOLVE,
    active=legal.active,
    legal=legal.legal,
    house_move=legal.house_move,
    view=views.view,
    redact=views.redact,
    tell=story.tell,
    about=story.about,
    render=story.render,
    places=views.places,
    hidden=views.hidden,
    bots={
        "random": bots.random,
        "careful": bots.careful,
        "strong": bots.strong,
        "greedy": bots.greedy,
        "sensible": bots.careful,
    },
)
