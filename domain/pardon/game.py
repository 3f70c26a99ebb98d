"""Pardon as one value."""

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kernel.rules import Rules
from fairdeal.domain.pardon import bots, guards, rules, story, views
from fairdeal.domain.pardon.events import EVENTS, PositionLaid
from fairdeal.domain.pardon.moves import MOVES, Move
from fairdeal.domain.pardon.rules import PardonOptions
from fairdeal.domain.pardon.state import EVOLVE, Pardon
from fairdeal.domain.pardon.views import PardonView


def _blank(seats: int, options: PardonOptions, brought: tuple[None, ...]) -> Pardon:
    return Pardon(seats, options.no_progress_limit)


PARDON: Rules[Pardon, Move, PardonOptions, None, PardonView] = Rules(
    kind="pardon",
    title="Pardon",
    version=1,
    seats=range(2, 6),
    options=PardonOptions,
    presets={"classic": PardonOptions()},
    given_deck=tuple[Card, ...],
    position=PositionLaid,
    events=EVENTS,
    moves=MOVES,
    check_options=rules.check_options,
    check_position=guards.must_be_layable,
    initial_state=_blank,
    deal=rules.deal,
    decide=rules.decide,
    evolve=EVOLVE,
    active=rules.active,
    legal=rules.legal,
    view=views.view,
    redact=views.redact,
    tell=story.tell,
    render=story.draw,
    places=views.places,
    hidden=views.hidden,
    bots={"random": bots.random, "careful": bots.careful, "strong": bots.strong},
)
