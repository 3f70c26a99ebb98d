"""No interrupt and no fork leaves anybody waiting for somebody who is gone."""

from campaigns import forks, interrupts


def test_no_interrupt_leaves_a_group_without_a_leader_or_a_game_locked() -> None:
    done = interrupts.run(seed=1, seconds=3)
    assert done.tries > 50
    assert done.breaks == []


def test_a_child_forked_while_threads_play_gets_a_typed_error_and_never_hangs() -> None:
    done = forks.run(seed=1, seconds=2)
    assert done.tries > 5
    assert done.breaks == []
