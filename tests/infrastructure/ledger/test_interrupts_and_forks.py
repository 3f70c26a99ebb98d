"""No interrupt and no fork leaves anybody waiting for somebody who is gone.

In processes of their own: an interrupt inside a lock of the tool that measures coverage would hang the tests.
"""

from campaigns import forks, interrupts
from kits.processes import in_processes


def test_no_interrupt_leaves_a_group_without_a_leader_or_a_game_locked() -> None:
    (done,) = in_processes(interrupts.run, [(1, 3)])
    assert done.tries > 50
    assert done.breaks == []


def test_a_child_forked_while_threads_play_gets_a_typed_error_and_never_hangs() -> None:
    (done,) = in_processes(forks.run, [(1, 2)])
    assert done.tries > 5
    assert done.breaks == []
