"""Command handlers: what they answer, what they refuse, and that saying it twice does it once."""

import hashlib
from pathlib import Path
from uuid import uuid4

import pytest
from freezegun import freeze_time

from fairdeal import (
    AbandonGame,
    CommandIdReused,
    Fairdeal,
    GameOver,
    InvalidCommand,
    JoinGame,
    LeaveGame,
    MakeMove,
    NotYourTurn,
    OpenGame,
    QuickStart,
    RevealEntropy,
    StaleVersion,
    StartGame,
    UnknownGame,
    UnknownPlayer,
)
from fairdeal.domain.kernel.french_deck import Card, cards
from fairdeal.domain.kernel.lifecycle import GameAbandoned, GameFinished, GameOpened, PlayerSeated
from fairdeal.domain.kernel.refusals import IllegalMove
from fairdeal.domain.kings_corners.cards import PILES, Pile
from fairdeal.domain.kings_corners.events import CardDrawn, CardPlayed, CardsDealt, PositionLaid, TurnPassed
from fairdeal.domain.kings_corners.moves import EndTurn, PlayCard
from fairdeal.testing import given_game
from fairdeal.testing.handlers import GivenGame

END = {"move": "end_turn"}


def position(ann: str, bob: str, north: str = "QS", deck: str = "10D 9C") -> PositionLaid:
    piles = tuple(cards(north) if pile is Pile.N else () for pile in PILES)
    return PositionLaid((cards(ann), cards(bob)), piles, cards(deck), 0)


def at_table(fairdeal: Fairdeal, ann: str = "JD 2S", bob: str = "3C 4C", **more: str) -> "GivenGame[object, object]":
    return given_game(fairdeal, "kings_corners", ["ann", "bob"], position=position(ann, bob, **more))


def test_a_move_is_answered_with_its_events_its_version_and_a_receipt(fairdeal: Fairdeal) -> None:
    done = at_table(fairdeal).when("ann", {"move": "play", "card": "JD", "pile": "N"})
    done.then(CardPlayed(0, Card.JD, Pile.N))
    assert done.answer.version == done.version_before + 1
    assert done.answer.receipt == fairdeal.look(done.answer.game_id).receipt


def test_a_drawn_card_is_shown_to_its_owner_only(fairdeal: Fairdeal) -> None:
    done = at_table(fairdeal).when("ann", END).then(CardDrawn(0, Card.D10), TurnPassed(1))
    assert CardDrawn(0, None) in fairdeal.queries.events(done.answer.game_id, "bob")
    assert CardDrawn(0, None) in fairdeal.queries.events(done.answer.game_id)


def test_the_winning_move_ends_the_game_and_opens_it(fairdeal: Fairdeal) -> None:
    done = at_table(fairdeal, ann="JD").when("ann", PlayCard("JD", "N"))
    done.then(CardPlayed(0, Card.JD, Pile.N), GameFinished((0,), (), "won"))
    look = fairdeal.look(done.answer.game_id)
    assert look.seed is not None
    assert hashlib.sha256(bytes.fromhex(look.seed)).hexdigest() == look.commitment


def test_unknown_game() -> None:
    with Fairdeal("memory:") as fairdeal, pytest.raises(UnknownGame) as refused:
        fairdeal.move(uuid4(), "ann", END)
    assert refused.value.code == "unknown_game"


def test_unknown_player(fairdeal: Fairdeal) -> None:
    done = at_table(fairdeal).when("eve", END).then_refused("unknown_player")
    assert isinstance(done.refused, UnknownPlayer)


def test_a_field_that_makes_no_sense_is_named_whichever_way_a_command_comes(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("pardon", ["ann", "bob"]).game_id
    with pytest.raises(InvalidCommand):
        fairdeal.start_game("pardon", ["", "bob"])
    with pytest.raises(InvalidCommand):
        fairdeal.handle({"command": "quick_start", "player": "ann", "kind": "pardon", "players": [], "colour": "red"})
    with pytest.raises(InvalidCommand):
        fairdeal.move(game, "", {"move": "play"})
    with pytest.raises(InvalidCommand):
        fairdeal.move(game, "ann", {"move": "play"}, expected_version=-1)
    with pytest.raises(InvalidCommand):
        fairdeal.branch(game, 0, "ann")


def test_wrong_turn(fairdeal: Fairdeal) -> None:
    done = at_table(fairdeal).when("bob", END).then_refused("not_your_turn")
    assert isinstance(done.refused, NotYourTurn)


def test_stale_version(fairdeal: Fairdeal) -> None:
    table = at_table(fairdeal)
    done = table.when("ann", END, expected_version=1).then_refused("stale_version")
    assert isinstance(done.refused, StaleVersion)
    assert (done.refused.expected, done.refused.actual) == (1, fairdeal.look(table.game_id).version)


def test_the_expected_version_is_accepted_when_it_is_right(fairdeal: Fairdeal) -> None:
    table = at_table(fairdeal)
    table.when("ann", END, expected_version=fairdeal.look(table.game_id).version).then(
        CardDrawn(0, Card.D10), TurnPassed(1)
    )


def test_finished_game(fairdeal: Fairdeal) -> None:
    table = at_table(fairdeal, ann="JD")
    table.when("ann", PlayCard("JD", "N")).then(CardPlayed(0, Card.JD, Pile.N), GameFinished((0,), (), "won"))
    done = table.when("bob", END).then_refused("game_over")
    assert isinstance(done.refused, GameOver)


def test_a_refusal_of_the_rules_has_their_code_and_a_sentence(fairdeal: Fairdeal) -> None:
    done = at_table(fairdeal).when("ann", PlayCard("2S", "N")).then_refused("wrong_rank")
    assert isinstance(done.refused, IllegalMove)
    assert done.refused.message == "2S is not one rank below QS."


def test_the_same_command_again_gives_the_same_answer_and_happens_once(fairdeal: Fairdeal) -> None:
    table = at_table(fairdeal)
    command = MakeMove(game_id=table.game_id, player="ann", move=END)
    first = fairdeal.handle(command)
    table.when("bob", END)
    assert fairdeal.handle(command) == first
    assert fairdeal.look(table.game_id).version == first.version + 2


def test_an_old_expected_version_does_not_matter_for_a_command_that_was_accepted(fairdeal: Fairdeal) -> None:
    table = at_table(fairdeal)
    version = fairdeal.look(table.game_id).version
    command = MakeMove(game_id=table.game_id, player="ann", move=END, expected_version=version)
    assert fairdeal.handle(command) == fairdeal.handle(command)


def test_a_command_id_cannot_be_used_for_another_command(fairdeal: Fairdeal) -> None:
    table = at_table(fairdeal)
    table.when("ann", END, command_id="c1")
    table.when("ann", PlayCard("JD", "N"), command_id="c1").then_refused("command_id_reused")


def test_nobody_can_use_up_the_command_ids_of_somebody_else(fairdeal: Fairdeal) -> None:
    table = at_table(fairdeal)
    ann = table.when("ann", END, command_id="c1").answer
    bob = table.when("bob", END, command_id="c1").then(CardDrawn(1, Card.C9), TurnPassed(0)).answer
    # Each of them gets their own answer again, also from a process that has to read the log first.
    with Fairdeal(fairdeal.address) as other:
        for one in (fairdeal, other):
            assert one.move(table.game_id, "ann", END, command_id="c1") == ann
            assert one.move(table.game_id, "bob", END, command_id="c1") == bob
            with pytest.raises(CommandIdReused):
                one.move(table.game_id, "bob", PlayCard("JD", "N"), command_id="c1")
    assert fairdeal.audit(table.game_id).good


def test_a_refusal_is_not_remembered(fairdeal: Fairdeal) -> None:
    table = at_table(fairdeal)
    table.when("bob", END, command_id="c1").then_refused("not_your_turn")
    table.when("ann", END)
    table.when("bob", END, command_id="c1").then(CardDrawn(1, Card.C9), TurnPassed(0))


def test_opening_twice_opens_once(fairdeal: Fairdeal) -> None:
    command = OpenGame(player="ann", kind="kings_corners", command_id="open 1")
    first = fairdeal.handle(command)
    assert fairdeal.handle(command) == first
    assert isinstance(first.events[0], GameOpened)
    assert first.events[0].seed is None


def test_a_command_id_of_an_opening_cannot_open_another_game(fairdeal: Fairdeal) -> None:
    fairdeal.handle(OpenGame(player="ann", kind="kings_corners", command_id="open 1"))
    with pytest.raises(CommandIdReused):
        fairdeal.handle(QuickStart(player="ann", kind="kings_corners", players=("ann", "bob"), command_id="open 1"))


def test_a_game_from_the_lobby_with_sealed_entropy(fairdeal: Fairdeal) -> None:
    entropy = {"ann": bytes(16), "bob": bytes(range(32))}
    game_id = fairdeal.handle(OpenGame(player="host", kind="kings_corners")).game_id
    for player, secret in entropy.items():
        fairdeal.handle(JoinGame(game_id=game_id, player=player, seal=hashlib.sha256(secret).hexdigest()))
    fairdeal.handle(StartGame(game_id=game_id, player="host"))
    look = fairdeal.look(game_id, "ann")
    assert (look.phase, look.active, look.view, look.legal) == ("sealed", (0, 1), None, ())
    fairdeal.handle(RevealEntropy(game_id=game_id, player="bob", entropy=entropy["bob"].hex()))
    dealt = fairdeal.handle(RevealEntropy(game_id=game_id, player="ann", entropy=entropy["ann"].hex())).events[-1]
    assert isinstance(dealt, CardsDealt)
    assert sum(card is not None for card in dealt.deck) == 7 + 4
    assert fairdeal.look(game_id).phase == "running"


def test_a_sealed_game_that_can_never_be_dealt_does_not_start(fairdeal: Fairdeal) -> None:
    game_id = fairdeal.handle(OpenGame(player="host", kind="reviiyot", options={"n": 1})).game_id
    fairdeal.handle(JoinGame(game_id=game_id, player="ann", seal=hashlib.sha256(bytes(16)).hexdigest()))
    for player in ("bob", "cleo"):
        fairdeal.handle(JoinGame(game_id=game_id, player=player))
    with pytest.raises(IllegalMove) as refused:
        fairdeal.handle(StartGame(game_id=game_id, player="host"))
    assert refused.value.code == "player_count"
    look = fairdeal.look(game_id)
    assert (look.phase, look.version) == ("lobby", 4)
    fairdeal.handle(LeaveGame(game_id=game_id, player="cleo"))
    fairdeal.handle(StartGame(game_id=game_id, player="host"))
    dealt = fairdeal.handle(RevealEntropy(game_id=game_id, player="ann", entropy=bytes(16).hex()))
    assert fairdeal.look(dealt.game_id).phase == "running"


def test_who_leaves_a_running_game_loses_it(fairdeal: Fairdeal) -> None:
    table = at_table(fairdeal)
    table.when_command(LeaveGame(game_id=table.game_id, player="bob")).then(GameAbandoned(1, "left"))
    outcome = fairdeal.look(table.game_id).outcome
    assert outcome is not None
    assert outcome.winners == (0,)


def test_who_leaves_an_open_table_makes_room(fairdeal: Fairdeal) -> None:
    game_id = fairdeal.handle(OpenGame(player="host", kind="kings_corners")).game_id
    for player in ("ann", "bob", "cleo"):
        fairdeal.handle(JoinGame(game_id=game_id, player=player))
    fairdeal.handle(LeaveGame(game_id=game_id, player="ann"))
    assert fairdeal.look(game_id, "cleo").seat == 1


def test_the_host_can_break_a_game_off(fairdeal: Fairdeal) -> None:
    game_id = fairdeal.start_game("kings_corners", ["ann", "bob"], opener="host").game_id
    done = fairdeal.handle(AbandonGame(game_id=game_id, player="host", reason="power cut"))
    assert done.events == (GameAbandoned(None, "power cut"),)


def test_what_a_player_sees_of_a_quick_start(fairdeal: Fairdeal) -> None:
    events = fairdeal.start_game("kings_corners", ["ann", "bob"]).events
    assert [type(event).__name__ for event in events] == [
        "GameOpened", "PlayerSeated", "PlayerSeated", "GameStarted", "CardsDealt",
    ]  # fmt: skip
    assert events[1] == PlayerSeated("ann", None, None)


def test_the_log_never_goes_back_in_time(fairdeal: Fairdeal) -> None:
    with freeze_time("2026-05-01 12:00:00"):
        table = at_table(fairdeal)
    with freeze_time("2026-04-30 12:00:00"):
        table.when("ann", END)
    with freeze_time("2026-05-02 12:00:00"):
        table.when("bob", END)
    decoded_records = [fairdeal.codec.read(record) for record in fairdeal.ledger.records(table.game_id)]
    times = [decoded.batch.at for decoded in decoded_records if decoded.batch]
    assert times == ["2026-05-01T12:00:00.000000Z"] * 2 + ["2026-05-02T12:00:00.000000Z"]


def test_a_second_instance_on_the_same_file_sees_and_continues_the_game(tmp_path: Path, fairdeal: Fairdeal) -> None:
    table = at_table(fairdeal)
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as other:
        other.move(table.game_id, "ann", END)
        table.when("bob", END).then(CardDrawn(1, Card.C9), TurnPassed(0))
        assert other.look(table.game_id, "ann").legal


def test_a_refusal_by_a_warm_game_counts_only_after_a_look_at_the_ledger(tmp_path: Path, fairdeal: Fairdeal) -> None:
    table = at_table(fairdeal)
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}") as other:
        assert other.look(table.game_id).active == (0,)
        fairdeal.move(table.game_id, "ann", EndTurn())
        # The other instance still believes that it is ann's turn.
        assert other.move(table.game_id, "bob", EndTurn()).events[-1] == TurnPassed(0)


def test_a_game_is_there_after_a_restart_with_all_its_command_ids(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with Fairdeal(address) as fairdeal:
        table = at_table(fairdeal)
        command = MakeMove(game_id=table.game_id, player="ann", move=END)
        answer = fairdeal.handle(command)
    with Fairdeal(address) as fairdeal:
        assert fairdeal.handle(command) == answer


@pytest.mark.parametrize("first", [OpenGame, QuickStart])
def test_the_id_of_an_opening_cannot_be_used_again_for_another_kind(
    fairdeal: Fairdeal, first: type[OpenGame | QuickStart]
) -> None:
    seats = {"players": ("ann", "bob")} if first is QuickStart else {}
    opening = first.model_validate({"player": "ann", "kind": "red7", "command_id": "c1", **seats})
    fairdeal.handle(opening)
    with pytest.raises(CommandIdReused):
        fairdeal.handle(opening.model_copy(update={"kind": "pardon"}))
    assert fairdeal.handle(opening).version > 0
