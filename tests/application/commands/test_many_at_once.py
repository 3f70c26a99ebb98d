"""Many commands at once: each as if it were alone, all of them in as few transactions as it takes."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from threading import Lock, Thread
from typing import Any
from unittest import mock

import pytest

from fairdeal import Answer, Fairdeal, IllegalMove, InvalidCommand, LedgerUnavailable, QuickStart, UnknownGame
from fairdeal.application.commands.handlers import Outcome, Sent
from fairdeal.application.ports import Append
from fairdeal.application.time_limit import TimeLimit
from kits.waiting import until

END = {"move": "end_turn"}
PLAYERS = ("ann", "bob")


def sent(command: Any) -> Sent:
    return Sent(command, None, None, TimeLimit(10))


def starts(*ids: str, player: str = "ann") -> list[Sent]:
    return [sent(QuickStart(player=player, kind="kings_corners", players=PLAYERS, command_id=one)) for one in ids]


def moves(*games: Any, command_id: str = "m", player: str = "ann") -> list[Sent]:
    told = {"command": "make_move", "player": player, "move": END}
    return [sent({**told, "game_id": game, "command_id": f"{command_id}{n}"}) for n, game in enumerate(games)]


def handled(fairdeal: Fairdeal, commands: Sequence[Sent]) -> list[Outcome]:
    outcomes: dict[int, Outcome] = {}
    fairdeal.handle_all(commands, outcomes.__setitem__)
    assert sorted(outcomes) == list(range(len(commands)))
    return [outcomes[number] for number in range(len(commands))]


def games_of(outcomes: Sequence[Outcome]) -> list[Any]:
    return [outcome.game_id for outcome in outcomes if isinstance(outcome, Answer)]


def test_each_is_answered_as_if_it_were_alone(fairdeal: Fairdeal) -> None:
    games = games_of(handled(fairdeal, starts(*"abcde")))
    assert len(set(games)) == 5
    before = [fairdeal.look(game).version for game in games]
    outcomes = handled(fairdeal, moves(*games))
    for game, version, outcome in zip(games, before, outcomes, strict=True):
        assert isinstance(outcome, Answer)
        assert outcome.receipt == fairdeal.look(game).receipt
        assert outcome.seen == fairdeal.events(game, "ann", after=version).events
        assert fairdeal.audit(game, [outcome.receipt]).good
    assert handled(fairdeal, moves(*games)) == outcomes  # sent again, each is answered again


def test_they_are_stored_together(fairdeal: Fairdeal) -> None:
    games = games_of(handled(fairdeal, starts(*"abcde")))
    with mock.patch.object(fairdeal.ledger, "append_all", wraps=fairdeal.ledger.append_all) as stored:
        handled(fairdeal, moves(*games))
    assert [len(call.args[0]) for call in stored.call_args_list] == [5]


def test_those_that_are_refused_keep_nobody_from_being_stored(fairdeal: Fairdeal) -> None:
    (game, other) = games_of(handled(fairdeal, starts("a", "b")))
    nowhere = "00000000-0000-4000-8000-000000000000"
    wrong = {"command": "make_move", "game_id": other, "player": "bob", "move": END, "command_id": "x"}
    outcomes = handled(fairdeal, [sent({"command": "?"}), sent(wrong), *moves(nowhere, game), sent(None)])
    assert isinstance(outcomes[0], InvalidCommand)
    assert isinstance(outcomes[1], IllegalMove)
    assert isinstance(outcomes[2], UnknownGame)
    assert isinstance(outcomes[3], Answer)
    assert isinstance(outcomes[4], InvalidCommand)


def test_commands_to_one_game_are_done_one_after_the_other(fairdeal: Fairdeal) -> None:
    (game,) = games_of(handled(fairdeal, starts("a")))
    version = fairdeal.look(game).version
    first, second, third = handled(
        fairdeal, [*moves(game), *moves(game, player="bob", command_id="n"), *moves(game, player="bob", command_id="o")]
    )
    assert isinstance(first, Answer)
    assert isinstance(second, Answer)
    assert isinstance(third, IllegalMove)  # it is ann's turn again
    assert version < first.version < second.version == fairdeal.look(game).version


def test_whoever_changes_a_game_meanwhile_is_waited_for_and_holds_up_no_other_game(fairdeal: Fairdeal) -> None:
    games = games_of(handled(fairdeal, starts("a", "b")))
    cache = fairdeal._parts.cache  # pyright: ignore[reportPrivateUsage]
    done: list[int] = []
    outcomes: dict[int, Outcome] = {}

    def tell(number: int, outcome: Outcome) -> None:
        outcomes[number] = outcome
        done.append(number)

    thread = Thread(target=fairdeal.handle_all, args=(moves(*games), tell))

    here = Lock()
    with here:
        held = cache.place(games[0])
        held.wait_for_turn(here, TimeLimit(10))
        thread.start()
        until(lambda: done, every=0)
        assert done == [1]
        cache.leave(held, here)
    thread.join(10)
    assert done == [1, 0]
    assert all(isinstance(outcome, Answer) for outcome in outcomes.values())


def test_who_was_overtaken_by_another_process_decides_again(fairdeal: Fairdeal) -> None:
    games = games_of(handled(fairdeal, starts("a", "b")))
    with Fairdeal(fairdeal.address) as other:
        other.handle({"command": "make_move", "player": "ann", "game_id": games[0], "move": END})
    overtaken, moved = handled(fairdeal, moves(*games))
    assert isinstance(overtaken, IllegalMove)
    assert isinstance(moved, Answer)


def test_what_the_ledger_raises_reaches_all_and_leaves_no_game_taken(fairdeal: Fairdeal) -> None:
    games = games_of(handled(fairdeal, starts("a", "b")))

    def fail(_: Sequence[Append]) -> Any:
        raise LedgerUnavailable("no")

    with mock.patch.object(fairdeal.ledger, "append_all", fail):
        assert [type(one) for one in handled(fairdeal, moves(*games))] == [LedgerUnavailable] * 2
    assert all(isinstance(one, Answer) for one in handled(fairdeal, moves(*games)))


def test_an_interrupt_leaves_no_game_taken(fairdeal: Fairdeal) -> None:
    games = games_of(handled(fairdeal, starts("a", "b")))
    with (
        mock.patch.object(fairdeal.ledger, "append_all", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        handled(fairdeal, moves(*games))
    assert all(isinstance(one, Answer) for one in handled(fairdeal, moves(*games)))


def test_each_waits_only_as_long_as_it_wants_to(fairdeal: Fairdeal) -> None:
    hasty, patient = moves(*games_of(handled(fairdeal, starts("a", "b"))))
    outcomes: dict[int, Outcome] = {}
    with closing(sqlite3.connect(fairdeal.address.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        commands = [hasty._replace(limit=TimeLimit(0.2)), patient]
        thread = Thread(target=fairdeal.handle_all, args=(commands, outcomes.__setitem__))
        thread.start()
        while 0 not in outcomes:
            assert thread.is_alive()
        assert isinstance(outcomes[0], LedgerUnavailable)
        assert 1 not in outcomes
        other.execute("ROLLBACK")
    thread.join(10)
    assert isinstance(outcomes[1], Answer)
