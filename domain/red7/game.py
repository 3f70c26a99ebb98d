"""Red7 as one value."""

from fairdeal.domain.kernel.rules import Eyes, Play, Rules, Setup, StoredNames, Voice
from fairdeal.domain.red7 import bots, deal, legal, options, rules, story, views
from fairdeal.domain.red7.cards import Card
from fairdeal.domain.red7.events import EVENTS, CardsDealt, PositionLaid
from fairdeal.domain.red7.moves import MOVES, Move
from fairdeal.domain.red7.options import PRESETS, Red7Options
from fairdeal.domain.red7.state import EVOLVE, Red7
from fairdeal.domain.red7.views import Red7View


def _initial_state(seats: int, options: Red7Options, brought: tuple[None, ...]) -> Red7:
    return Red7(seats, options)


RED7: Rules[Red7, Move, Red7Options, None, Red7View] = Rules(
    kind="red7",
    title="Red7",
    version=1,
    seats=range(2, 5),
    setup=Setup(
        options=Red7Options,
        presets=PRESETS,
        given_deck=tuple[Card, ...],
        position=PositionLaid,
        check_options=options.check_options,
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
