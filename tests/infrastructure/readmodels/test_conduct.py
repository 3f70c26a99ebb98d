"""Who was in the way of deals is counted, for players and for openers, on SQLite and on PostgreSQL."""

from hashlib import sha256

from fairdeal import AbandonGame, Fairdeal, JoinGame, LeaveGame, OpenGame, RevealEntropy, to_plain
from fairdeal.application.commands.messages import BranchGame, VoidGame
from fairdeal.application.commands.policy import OPERATOR, Caller
from fairdeal.application.projections.results import Conduct
from kits.audit import golden
from kits.ledger import plant
from kits.readmodels import play
from kits.sealing import closed, dealt, entropy


def test_an_opener_who_breaks_off_all_tables_but_one_is_counted(both: Fairdeal) -> None:
    for number in range(4):
        both.handle(AbandonGame(game_id=closed(both, number + 1), player="host", reason="bad cards"))
    dealt(both)
    assert both.read.player("host").conduct == Conduct(tables_closed=5, tables_undealt=4, tables_broken_off=4)
    assert both.read.player("ann").conduct == Conduct(seals_kept_shut=4)


def test_a_player_who_leaves_with_the_seal_shut_is_counted_and_so_is_the_opener(both: Fairdeal) -> None:
    game = closed(both)
    both.handle(RevealEntropy(game_id=game, player="ann", entropy=entropy("ann").hex()))
    both.handle(LeaveGame(game_id=game, player="bob"))
    assert both.read.player("bob").conduct == Conduct(tables_broken_off=1, seals_kept_shut=1)
    assert both.read.player("ann").conduct == Conduct()
    assert both.read.player("host").conduct == Conduct(tables_closed=1, tables_undealt=1)


def test_an_operator_who_makes_a_table_void_before_the_deal_is_counted(both: Fairdeal) -> None:
    operator = Caller("the operator", frozenset({OPERATOR}))
    both.handle(VoidGame(game_id=closed(both), player=operator.player, reason="power cut"), who=operator)
    assert both.read.player("the operator").conduct == Conduct(tables_broken_off=1)


def test_who_let_the_time_run_out_is_counted_but_broke_nothing_off(both: Fairdeal) -> None:
    plant(both.ledger, golden("red7-withheld"))
    assert both.read.player("bob").conduct == Conduct(seals_kept_shut=1)
    assert both.read.player("ann").conduct == Conduct()
    assert both.read.player("host").conduct == Conduct(tables_closed=1, tables_undealt=1)


def test_a_seal_that_was_used_at_another_table_is_counted_for_who_used_it_later(both: Fairdeal) -> None:
    dealt(both, 1)
    dealt(both, 2, bob=1)
    assert both.read.player("bob").conduct.seals_used_before == 1
    assert both.read.player("ann").conduct.seals_used_before == 0


def test_the_same_seal_at_the_same_table_was_used_once(both: Fairdeal) -> None:
    game = both.handle(OpenGame(player="host", kind="red7")).game_id
    seal = sha256(entropy("ann")).hexdigest()
    both.handle(JoinGame(game_id=game, player="ann", seal=seal))
    both.handle(LeaveGame(game_id=game, player="ann"))
    both.handle(JoinGame(game_id=game, player="ann", seal=seal))
    assert both.read.player("ann").conduct == Conduct()


def test_games_that_were_dealt_and_lobbies_that_were_left_count_for_nothing(both: Fairdeal) -> None:
    finished = play(both, ["ann", "bob"])
    begins = [record.version for record in both.records(finished) if both.codec.batch(record) is not None]
    both.handle(BranchGame(player="zoe", origin=finished, version=begins[-1] - 1))  # before the last command
    both.handle(LeaveGame(game_id=play(both, ["ann", "bob"], seed=3, moves=2), player="bob"))
    lobby = both.handle(OpenGame(player="host", kind="red7")).game_id
    both.handle(AbandonGame(game_id=lobby, player="host"))
    assert both.read.player("ann").conduct == Conduct(tables_closed=2)
    for name in ("bob", "host", "zoe", "nobody"):
        assert both.read.player(name).conduct == Conduct()


def test_it_is_written_with_the_player(both: Fairdeal) -> None:
    both.handle(LeaveGame(game_id=closed(both), player="ann"))
    assert to_plain(both.read.player("ann"))["conduct"] == {
        "tables_closed": 0,
        "tables_undealt": 0,
        "tables_broken_off": 1,
        "seals_kept_shut": 1,
        "seals_used_before": 0,
    }


def test_beside_the_verdict_on_one_game_stands_what_the_other_tables_tell(both: Fairdeal) -> None:
    for number in (1, 2):
        both.handle(AbandonGame(game_id=closed(both, number), player="host"))
    both.handle(AbandonGame(game_id=closed(both, 4, opener="somebody else", bob=3), player="somebody else"))
    report = both.read.beside(both.audit(dealt(both, 3)))
    tables = "2 tables of this opener were broken off before their deal"
    assert report.fair.why == f"sealed by ann, bob; {tables}; the seal of bob was used at another table, too"
    alone = both.audit(play(both, ["ann", "bob"]))
    assert both.read.beside(alone) == alone
