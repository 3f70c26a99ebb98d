"""The trading card game as one value."""

from fairdeal.domain.kernel.rules import Eyes, Play, Rules, Setup, StoredNames, Voice
from fairdeal.domain.tcg import bots, legal, rules, story, views
from fairdeal.domain.tcg.deal import GivenDecks, check_position, deal
from fairdeal.domain.tcg.decks import DeckList, brought_such_as, check_brought
from fairdeal.domain.tcg.events import EVENTS, DeckShuffled, PositionLaid, StartingPlayerChosen
from fairdeal.domain.tcg.moves import MOVES, Move
from fairdeal.domain.tcg.options import PRESETS, TcgOptions, check_options
from fairdeal.domain.tcg.state import EVOLVE, Tcg
from fairdeal.domain.tcg.views import TcgView


def _initial_state(seats: int, options: TcgOptions, brought: tuple[DeckList | None, ...]) -> Tcg:
    return Tcg(options, brought)


TCG: Rules[Tcg, Move, TcgOptions, DeckList, TcgView] = Rules(
    kind="tcg",
    title="Trading Card Game",
    version=1,
    seats=range(2, 3),
    setup=Setup(
        options=TcgOptions,
        presets=PRESETS,
        brings=DeckList,
        given_deck=GivenDecks,
        position=PositionLaid,
        check_options=check_options,
        brought_such_as=brought_such_as,
        check_brought=check_brought,
        check_position=check_position,
    ),
    play=Play(
        initial_state=_initial_state,
        deal=deal,
        decide=rules.decide,
        evolve=EVOLVE,
        active=legal.active,
        legal=legal.legal,
        house_move=legal.house_move,
        canonical_move=legal.canonical_move,
        by_chance=frozenset({DeckShuffled, StartingPlayerChosen}),
        unknown_player_first=True,
    ),
    eyes=Eyes(view=views.view, redact=views.redact, places=views.places, hidden=views.hidden),
    voice=Voice(tell=story.tell, about=story.about, render=story.render),
    stored=StoredNames(events=EVENTS, moves=MOVES),
    bots={
        "random": bots.random,
        "careful": bots.careful,
        "strong": bots.strong,
        "kamikaze": bots.kamikaze,
        "cautious": bots.cautious,
        "ai": bots.ai,
        "commander": bots.commander,
    },
)
