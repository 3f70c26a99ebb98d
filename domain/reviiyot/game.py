"""Reviiyot as one value."""

from fairdeal.domain.kernel.rules import Eyes, Play, Rules, Setup, StoredNames, Voice
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
    setup=Setup(
        options=ReviiyotOptions,
        presets=PRESETS,
        brings=PlaysBy,
        given_deck=tuple[str, ...],
        position=PositionLaid,
        check_options=options.check_options,
        check_size=deal.check_size,
        brought_such_as=options.brought_such_as,
        check_brought=options.check_brought,
        check_position=deal.check_position,
    ),
    play=Play(
        initial_state=Reviiyot,
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
        "brought": bots.brought,
        **{f"type{strategy}": bots.by(strategy) for strategy in Strategy},
    },
)
