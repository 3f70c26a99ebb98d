"""Pardon as one value."""

from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kernel.rules import Eyes, Play, Rules, Setup, StoredNames, Voice
from fairdeal.domain.pardon import bots, deal, legal, rules, story, views
from fairdeal.domain.pardon.events import EVENTS, CardsDealt, PositionLaid
from fairdeal.domain.pardon.moves import MOVES, Move
from fairdeal.domain.pardon.options import PRESETS, PardonOptions, check_options
from fairdeal.domain.pardon.state import EVOLVE, Pardon
from fairdeal.domain.pardon.views import PardonView


def _initial_state(seats: int, options: PardonOptions, brought: tuple[None, ...]) -> Pardon:
    return Pardon(seats, options.no_progress_limit)


PARDON: Rules[Pardon, Move, PardonOptions, None, PardonView] = Rules(
    kind="pardon",
    title="Pardon",
    version=1,
    seats=range(2, 6),
    setup=Setup(
        options=PardonOptions,
        presets=PRESETS,
        given_deck=tuple[Card, ...],
        position=PositionLaid,
        check_options=check_options,
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
    bots={"random": bots.random, "careful": bots.careful, "strong": bots.strong},
)
