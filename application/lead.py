"""Who leads, of those who come at the same time; whoever was interrupted and is gone leads no more.

Everybody holds a lock of their own by `with` for as long as they are here, as `semaphore` tells.
"""

from threading import Lock


class Lead:
    """To be asked and changed only by whoever holds the lock under which the others are noted, too."""

    __slots__ = ("leader",)

    def __init__(self) -> None:
        self.leader: Lock | None = None

    def take(self, here: Lock) -> bool:
        """Leads from now on, if nobody does."""
        if self.leader is not None and self.leader.locked():
            return False
        self.leader = here
        return True

    def leave(self, here: Lock) -> None:
        """Leads no more; somebody else may have taken over before."""
        if self.leader is here:
            self.leader = None
