"""Reviiyot as one value."""

from fairdeal.domain.kernel.rules import Rules
from fairdeal.domain.reviiyot import bots, deal, legal, options, rules, story, views
from fairdeal.domain.reviiyot.events import EVENTS, CardsDealt, PositionLaid
from fairdeal.domain.reviiyot.moves import MOVES, Move
from fairdeal.domain.reviiyot.options import PRESETS, SEATS, PlaysBy, ReviiyotOptions, Strategy
from fairdeal.domain.reviiyot.state import EVOLVE, Reviiyot
from fairdeal.domain.reviiyot.views import ReviiyotView

REVIIYOT: Rules[Reviiyot, Move, ReviiyotOptions, PlaysBy, ReviiyotView] = Rules(
    kind="reviiyot",
    title="Reviiyot",
    version=1,
    seats=SEATS,
    options=ReviiyotOptions,
    presets=PRESETS,
    brings=PlaysBy,
    given_deck=tuple[str, ...],
    position=PositionLaid,
    events=EVENTS,
    moves=MOVES,
    by_chance=frozenset({CardsDealt}),
    check_options=options.check_options,
    check_brought=options.check_brought,
    check_position=deal.check_position,
    initial_state=Reviiyot,
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
        "brought": bots.brought,
        **{f"type{strategy}": bots.by(strategy) for strategy in Strategy},
    },
)
