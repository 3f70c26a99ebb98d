"""A configured game is an ordinary game: recorded, replayed and printed again from its log."""

import gc
from random import Random
from uuid import UUID

from fairdeal import Fairdeal
from fairdeal.application.audit.verdicts import Grade
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import DealtFrom, GameFinished, GameStarted, PlayerSeated
from fairdeal.domain.reviiyot.cards import pack_of
from fairdeal.domain.reviiyot.events import CardsAsked, cards_asked
from fairdeal.domain.reviiyot.game import REVIIYOT
from fairdeal.domain.reviiyot.options import PlaysBy, Strategy
from fairdeal.infrastructure.games.reviiyot.config import Config, ConfiguredPlayer
from fairdeal.infrastructure.games.reviiyot.run import OPENER, next_ask, play, play_stored, start
from fairdeal.infrastructure.games.reviiyot.trace import Trace, printed
from fairdeal.testing.snapshot import snapshot
from positions.reviiyot import config_of

BRIEF = config_of(
    "2H KD QS QC AS KC QH 2S 2D AH AD QD AC KH 2C KS JC JS JD JH 3C 3S 3D 3H", "13", n=3, verbal=True
)  # fmt: skip


def shuffled(n: int, strategies: str) -> Config:
    deck = list(pack_of(n).cards)
    Random(n).shuffle(deck)
    return config_of(" ".join(deck), strategies, n=n)


def test_it_starts_from_a_given_deck_with_a_strategy_on_every_seat() -> None:
    events = list(play(BRIEF))
    assert PlayerSeated("B", PlaysBy(Strategy.HIGHEST), None) in events
    assert GameStarted(DealtFrom.GIVEN_DECK) in events


def test_its_log_replays_to_the_same_game() -> None:
    game = start(BRIEF, game_id=UUID(int=7), seed=bytes(32))
    while not game.over:
        game.move(*next_ask(game))
    again = Game.replayed(UUID(int=7), REVIIYOT, game.pending)
    assert snapshot(again.state) == snapshot(game.state)
    assert again.outcome == game.outcome


def test_its_trace_can_be_printed_again_from_the_log() -> None:
    log = list(play(BRIEF))
    at_once = Trace(verbal=True)
    assert "".join(map(at_once.follow, play(BRIEF))) == "".join(printed(log, verbal=True))


def test_a_game_played_on_copies_says_the_same() -> None:
    config = shuffled(30, "1234")
    game = start(config)
    log = game.pending
    while not game.over:
        game = game.copy()
        game.move(*next_ask(game))
        log += game.pending
    assert log == list(play(config))


def test_a_name_that_the_house_does_not_seat_plays_by_its_position() -> None:
    names = ("fine", "x" * 500, "a\u00a0b", "\x1b[1m")
    config = shuffled(10, "1234")
    odd = Config(True, config.n, config.deck, tuple(ConfiguredPlayer(name, Strategy.LOWEST) for name in names))
    assert start(odd).players == ("fine", "player 2", "player 3", "player 4")
    assert f"\n{names[1]}: " in "".join(printed(play(odd), verbal=True, names=odd.names))


def test_no_turn_is_kept_once_it_is_printed() -> None:
    config = shuffled(120, "1234123412")
    kept_elsewhere = asks_in_memory()
    trace = Trace(verbal=True)
    for event in play(config):
        trace.follow(event)
        if isinstance(event, GameFinished):
            assert trace.game.state.turns > 1000
            assert asks_in_memory() - kept_elsewhere < 3


def asks_in_memory() -> int:
    """Without those that the rules keep to say them again, a bounded number."""
    cards_asked.cache_clear()
    gc.collect()
    return sum(type(thing) is CardsAsked for thing in gc.get_objects())


def test_it_is_stored_audited_and_printed_again_like_any_other_game(fairdeal: Fairdeal) -> None:
    brings = {player.name: {"strategy": player.strategy.value} for player in BRIEF.players}
    game_id = fairdeal.start_game(
        "reviiyot", BRIEF.names, {"n": BRIEF.n}, opener=OPENER, brings=brings, deck=list(BRIEF.deck)
    ).game_id
    while active := (look := fairdeal.look(game_id)).active:
        player = look.players[active[0]]
        own = fairdeal.look(game_id, player)
        fairdeal.move(game_id, player, REVIIYOT.bots["brought"](own.view, own.legal, Random(0)))
    report = fairdeal.audit(game_id)
    assert [report.untouched.grade, report.fair.grade, report.legal.grade] == [Grade.YES, Grade.GIVEN_DECK, Grade.YES]
    stored = fairdeal.codec.events(fairdeal.ledger.records(game_id))
    assert "".join(printed(stored, verbal=True)) == "".join(printed(play(BRIEF), verbal=True))


def test_a_configuration_played_into_a_ledger_gives_the_same_events(fairdeal: Fairdeal) -> None:
    config = shuffled(20, "123412")
    game_id = play_stored(config, fairdeal.handle)
    stored = list(fairdeal.codec.events(fairdeal.ledger.records(game_id)))
    assert stored[1:] == list(play(config))[1:], "all but the opening, which has a seed"


def test_a_strategy_is_shown_to_its_owner_only(fairdeal: Fairdeal) -> None:
    brings = {"A": {"strategy": "4"}}
    game_id = fairdeal.start_game("reviiyot", ["A", "B"], brings=brings).game_id
    assert [fairdeal.look(game_id, viewer).view.strategy for viewer in ("A", "B", None)] == ["4", None, None]
    assert '"strategy"' not in fairdeal.exports.export(game_id, "B")
