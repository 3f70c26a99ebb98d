"""Who may do what: each rule of the strict policy, and the trust that code which embeds us gets."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from fairdeal import (
    AbandonGame,
    AddBot,
    Fairdeal,
    JoinGame,
    OpenGame,
    QuickStart,
    StartGame,
    UnknownGame,
    VoidGame,
)
from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.policy import OPERATOR, STRICT, Caller, Strict, TableFacts
from positions.kings_corners import laid

END = {"move": "end_turn"}
ANN, BOB, CID = Caller("ann"), Caller("bob"), Caller("cid")
CHIEF = Caller("chief", frozenset({OPERATOR}))


@pytest.fixture
def fairdeal(tmp_path: Path) -> Iterator[Fairdeal]:
    """A service that is as strict with itself as with outsiders."""
    with Fairdeal(f"sqlite:///{tmp_path / 'games.db'}", policy=STRICT) as opened:
        yield opened


def lobby(fairdeal: Fairdeal, *others: Caller, **terms: Any) -> UUID:
    """A table of King's Corners that ann has opened, where ann and these sit."""
    game = fairdeal.visitor(ANN).handle(OpenGame(player="ann", kind="kings_corners", **terms)).game_id
    for one in (ANN, *others):
        fairdeal.visitor(one).handle({"command": "join_game", "game_id": game})
    return game


def started(fairdeal: Fairdeal, *others: Caller, **terms: Any) -> UUID:
    game = lobby(fairdeal, *others, **terms)
    fairdeal.visitor(ANN).handle({"command": "start_game", "game_id": game})
    return game


def code_of(fairdeal: Fairdeal, who: Caller, command: Any) -> str:
    with pytest.raises(FairdealError) as refused:
        fairdeal.visitor(who).handle(command)
    return refused.value.code


def test_the_acting_player_is_who_asks(fairdeal: Fairdeal) -> None:
    game = started(fairdeal, BOB)
    stolen = {"command": "make_move", "game_id": game, "player": "ann", "move": END}
    assert code_of(fairdeal, BOB, stolen) == "not_allowed"
    assert fairdeal.visitor(ANN).handle(stolen).version == fairdeal.look(game).version


def test_nobody_gets_the_answer_to_a_command_of_somebody_else(fairdeal: Fairdeal) -> None:
    game = started(fairdeal, BOB)
    sent = {"command": "make_move", "game_id": game, "player": "ann", "move": END, "command_id": "c1"}
    fairdeal.visitor(ANN).handle(sent)
    assert code_of(fairdeal, BOB, sent) == "not_allowed"


def test_somebody_unknown_changes_nothing(fairdeal: Fairdeal) -> None:
    game = lobby(fairdeal)
    with pytest.raises(FairdealError) as refused:
        fairdeal.visitor(None).handle({"command": "join_game", "game_id": game, "player": "zoe"})
    assert refused.value.code == "not_allowed"


def test_nobody_seats_anybody_else_but_bots(fairdeal: Fairdeal) -> None:
    game = lobby(fairdeal)
    assert code_of(fairdeal, ANN, JoinGame(game_id=game, player="bob")) == "not_allowed"
    together = QuickStart(player="ann", kind="kings_corners", players=("ann", "bob"))
    assert code_of(fairdeal, ANN, together) == "not_allowed"
    alone = QuickStart(player="ann", kind="kings_corners", players=("ann", "bot:careful:1"))
    assert fairdeal.visitor(ANN).handle(alone).version > 1


def test_nobody_is_a_bot_or_the_house(fairdeal: Fairdeal) -> None:
    game = lobby(fairdeal)
    for name in ("bot:careful:1", "house:clock"):
        assert code_of(fairdeal, Caller(name), JoinGame(game_id=game, player=name)) == "not_allowed"


def test_decks_and_positions_are_laid_out_by_operators_and_only_where_nothing_is_rated(fairdeal: Fairdeal) -> None:
    position = laid("JD 2S / 3C", N="QS")
    for rated in (True, False):
        chief = fairdeal.visitor(CHIEF)
        game = chief.handle(OpenGame(player="chief", kind="kings_corners", rated=rated)).game_id
        for one in (ANN, BOB):
            fairdeal.visitor(one).handle({"command": "join_game", "game_id": game})
        laid_out = StartGame(game_id=game, player="chief", position=position)
        assert code_of(fairdeal, Caller("chief"), laid_out) == "not_allowed"
        if rated:
            assert code_of(fairdeal, CHIEF, laid_out) == "not_allowed"
        else:
            assert chief.handle(laid_out).version == fairdeal.look(game).version


def test_a_game_in_one_call_is_not_laid_out_either(fairdeal: Fairdeal) -> None:
    players = ("chief", "bot:careful:1")
    at_once = QuickStart(player="chief", kind="kings_corners", players=players, position=laid("JD 2S / 3C", N="QS"))
    assert code_of(fairdeal, Caller("chief"), at_once) == "not_allowed"
    assert fairdeal.visitor(CHIEF).handle(at_once).version > 1


def test_only_the_opener_starts_a_lobby_breaks_it_off_or_adds_bots(fairdeal: Fairdeal) -> None:
    game = lobby(fairdeal, BOB)
    for command in (
        StartGame(game_id=game, player="bob"),
        AbandonGame(game_id=game, player="bob"),
        AddBot(game_id=game, player="bob", bot="careful"),
    ):
        assert code_of(fairdeal, BOB, command) == "not_allowed"
    fairdeal.visitor(ANN).handle(AddBot(game_id=game, player="ann", bot="careful"))
    broken_off = AbandonGame(game_id=game, player="ann", command_id="c1")
    answer = fairdeal.visitor(ANN).handle(broken_off)
    assert fairdeal.visitor(ANN).handle(broken_off) == answer  # said again, it is still allowed


def test_a_started_game_is_abandoned_by_who_sits_there_only(fairdeal: Fairdeal) -> None:
    host = Caller("host")
    game = fairdeal.visitor(host).handle(OpenGame(player="host", kind="kings_corners")).game_id
    for one in (ANN, BOB):
        fairdeal.visitor(one).handle({"command": "join_game", "game_id": game})
    fairdeal.visitor(host).handle({"command": "start_game", "game_id": game})
    assert code_of(fairdeal, host, {"command": "abandon_game", "game_id": game}) == "not_allowed"
    fairdeal.visitor(BOB).handle({"command": "abandon_game", "game_id": game})
    assert fairdeal.look(game).phase == "abandoned"


def test_nobody_sees_with_the_eyes_of_somebody_else_before_the_end(fairdeal: Fairdeal) -> None:
    game = started(fairdeal, BOB)
    for who in (ANN, CID, CHIEF, None):
        visitor = fairdeal.visitor(who)
        for ask in (visitor.look, visitor.story, visitor.events, visitor.replay, visitor.export):
            with pytest.raises(FairdealError) as refused:
                ask(game, "bob")
            assert refused.value.code == "not_allowed"
    assert fairdeal.visitor(BOB).look(game).seat == 1
    assert fairdeal.visitor(CID).look(game).seat is None
    fairdeal.visitor(ANN).handle({"command": "leave_game", "game_id": game})
    assert fairdeal.visitor(None).look(game, "bob").seat == 1
    assert fairdeal.visitor(CID).replay(game, open_cards=True).head == fairdeal.look(game).version


def test_a_closed_table_is_there_for_those_who_sit_at_it_only(fairdeal: Fairdeal) -> None:
    bots = AddBot(game_id=lobby(fairdeal, spectators="closed"), player="ann", bot="careful")
    fairdeal.visitor(ANN).handle(bots)
    for who in (BOB, None):
        with pytest.raises(UnknownGame):
            fairdeal.visitor(who).look(bots.game_id)
        with pytest.raises(UnknownGame):
            fairdeal.visitor(who).table(bots.game_id)
    for command in (
        {"command": "join_game", "game_id": bots.game_id},
        {"command": "join_game", "game_id": bots.game_id, "player": "ann"},
    ):
        assert code_of(fairdeal, BOB, command) == "unknown_game"
    assert fairdeal.visitor(ANN).look(bots.game_id).players == ("ann", "bot:careful:1")
    assert fairdeal.visitor(CHIEF).table(bots.game_id).opener == "ann"


def test_a_branch_is_unrated_without_clock_and_there_only_for_whoever_made_it_who_moves_every_seat(
    fairdeal: Fairdeal,
) -> None:
    game = started(fairdeal, BOB, clock={"move_seconds": 60})
    version = fairdeal.look(game).version
    fairdeal.visitor(ANN).move(game, END)
    fairdeal.visitor(BOB).handle({"command": "leave_game", "game_id": game})
    cid = fairdeal.visitor(CID)
    branch = cid.handle({"command": "branch_game", "origin": game, "version": version}).game_id
    look = cid.look(branch, "bob")
    assert (look.rated, look.clock, look.seat) == (False, None, 1)
    for player in ("ann", "bob"):
        cid.handle({"command": "make_move", "game_id": branch, "player": player, "move": END})
    for who in (ANN, BOB, None):
        with pytest.raises(UnknownGame):
            fairdeal.visitor(who).look(branch)
    assert code_of(fairdeal, ANN, {"command": "make_move", "game_id": branch, "move": END}) == "unknown_game"
    assert code_of(fairdeal, BOB, {"command": "branch_game", "origin": branch, "version": 6}) == "unknown_game"


def test_a_branch_of_a_closed_table_is_for_those_who_saw_it(fairdeal: Fairdeal) -> None:
    game = lobby(fairdeal, spectators="closed")
    ann = fairdeal.visitor(ANN)
    ann.handle(AddBot(game_id=game, player="ann", bot="careful"))
    version = ann.handle({"command": "start_game", "game_id": game}).version
    ann.handle({"command": "leave_game", "game_id": game})
    branch = {"command": "branch_game", "origin": game, "version": version}
    assert code_of(fairdeal, BOB, branch) == "unknown_game"
    assert ann.handle(branch).version > 1


def test_only_the_operator_makes_a_game_void(fairdeal: Fairdeal) -> None:
    game = started(fairdeal, BOB)
    assert code_of(fairdeal, CID, VoidGame(game_id=game, player="cid", reason="no")) == "not_allowed"
    fairdeal.visitor(CHIEF).handle(VoidGame(game_id=game, player="chief", reason="power cut"))
    assert fairdeal.look(game).phase == "void"


def test_a_host_overrides_the_rule_that_does_not_fit(fairdeal: Fairdeal) -> None:
    class AnybodyStarts(Strict):
        def may_send(self, who: Caller, command: Any, table: TableFacts | None) -> None:
            if not isinstance(command, StartGame):
                super().may_send(who, command, table)

    game = lobby(fairdeal, BOB)
    fairdeal.visitor(BOB, policy=AnybodyStarts()).handle({"command": "start_game", "game_id": game})
    assert fairdeal.look(game).phase == "running"


def test_code_that_embeds_us_is_trusted(tmp_path: Path) -> None:
    with Fairdeal(f"sqlite:///{tmp_path / 'trusting.db'}") as fairdeal:
        game = fairdeal.start_game("kings_corners", ["ann", "bob"], position=laid("JD 2S / 3C", N="QS")).game_id
        assert fairdeal.look(game, "bob").seat == 1
        fairdeal.handle(AbandonGame(game_id=game, player="ann"), who=Caller("the service"))


def test_a_policy_is_asked_about_the_game_as_it_stands_in_the_ledger(fairdeal: Fairdeal) -> None:
    """Another worker's memory of the game may be older than what others have stored since."""
    game = lobby(fairdeal)
    with Fairdeal(fairdeal.address, policy=STRICT) as other:
        assert other.look(game).phase == "lobby"
        fairdeal.visitor(BOB).handle({"command": "join_game", "game_id": game})
        fairdeal.visitor(ANN).handle({"command": "start_game", "game_id": game})
        other.visitor(BOB).handle({"command": "abandon_game", "game_id": game})


# -- what counts -----------------------------------------------------------------------------------------------------


def test_rated_is_said_when_the_table_is_opened(fairdeal: Fairdeal) -> None:
    for said, rated in (({}, True), ({"rated": True}, True), ({"rated": False}, False)):
        assert fairdeal.look(started(fairdeal, BOB, **said)).rated is rated


def test_a_table_with_a_bot_is_not_rated(fairdeal: Fairdeal) -> None:
    game = lobby(fairdeal, rated=True)
    assert fairdeal.look(game).rated
    fairdeal.visitor(ANN).handle(AddBot(game_id=game, player="ann", bot="careful"))
    assert not fairdeal.look(game).rated


def test_a_game_counts_only_if_every_player_took_their_own_seat(tmp_path: Path) -> None:
    with Fairdeal(f"sqlite:///{tmp_path / 'trusting.db'}") as fairdeal:
        assert not fairdeal.look(fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id).rated


# -- bots sit down ---------------------------------------------------------------------------------------------------


def test_bots_sit_down_under_names_of_their_own(fairdeal: Fairdeal) -> None:
    game, ann = lobby(fairdeal), fairdeal.visitor(ANN)
    first = AddBot(game_id=game, player="ann", bot="careful", command_id="c1")
    answer = ann.handle(first)
    assert ann.handle(first) == answer
    ann.handle(AddBot(game_id=game, player="ann", bot="random"))
    assert fairdeal.look(game).players == ("ann", "bot:careful:1", "bot:random:2")
    assert code_of(fairdeal, ANN, AddBot(game_id=game, player="ann", bot="nobody")) == "invalid_command"
    ann.handle({"command": "start_game", "game_id": game})
    assert code_of(fairdeal, ANN, AddBot(game_id=game, player="ann", bot="careful")) == "already_started"
    report = fairdeal.audit(game)
    assert (report.untouched.grade, report.legal.grade) == ("yes", "yes")


def test_a_stranger_adds_no_bots_even_where_everybody_is_trusted(tmp_path: Path) -> None:
    with Fairdeal(f"sqlite:///{tmp_path / 'trusting.db'}") as fairdeal:
        game = fairdeal.handle(OpenGame(player="ann", kind="kings_corners")).game_id
        with pytest.raises(FairdealError) as refused:
            fairdeal.handle(AddBot(game_id=game, player="zoe", bot="careful"))
        assert refused.value.code == "not_allowed"
