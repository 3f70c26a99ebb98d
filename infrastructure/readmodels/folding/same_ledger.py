"""Whether read models still follow the ledger that they were made from: the link stands beside each position."""

from enum import Enum, auto

from fairdeal.application.ports import Ledger


class Followed(Enum):
    """What the ledger shows to somebody who has come to a position, and remembers the link of its record."""

    ALL = auto()
    """That record, and nothing after it."""
    MORE = auto()
    """That record, and others after it."""
    ANOTHER = auto()
    """Not that record: the ledger was set back, or it is another one."""


def followed(ledger: Ledger, position: int, link: str | None) -> Followed:
    """Without a link, as earlier releases left it, the record that stands there is taken for the right one."""
    if position == 0:
        return Followed.MORE if ledger.since(0, 1) else Followed.ALL
    found = [one for one in ledger.since(position - 1, 2) if one[0] >= position]
    if not found or found[0][0] != position:
        # A standby shows less than its primary for a moment; that is not a ledger that was set back.
        return Followed.ALL if ledger.lags() else Followed.ANOTHER
    if link is not None and found[0][1].link.hex() != link:
        return Followed.ANOTHER
    return Followed.MORE if len(found) > 1 else Followed.ALL


def link_at(ledger: Ledger, position: int) -> str | None:
    """The link of the record at a position, if there is one."""
    found = dict(ledger.since(position - 1, 1)).get(position) if position else None
    return None if found is None else found.link.hex()
