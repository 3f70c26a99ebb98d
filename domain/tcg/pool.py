"""Card pools: the starter pool, and what is wrong with a pool of one's own."""

from fairdeal.domain.tcg.cards import CardDefinition, Kind, MinionStats, fault_in
from fairdeal.domain.tcg.refusals import DeckFault, FaultCode

Pool = tuple[CardDefinition, ...]
"""The cards that decks are built from, in their canonical order."""

LARGEST_POOL = 500


def _damage(name: str, cost: int, amount: int, minion: MinionStats | None = None) -> CardDefinition:
    return CardDefinition(name, Kind.DAMAGE, cost, amount, minion)


def _healing(name: str, cost: int, amount: int, minion: MinionStats | None = None) -> CardDefinition:
    return CardDefinition(name, Kind.HEALING, cost, amount, minion)


def _drawer(name: str, cost: int, amount: int, minion: MinionStats | None = None) -> CardDefinition:
    return CardDefinition(name, Kind.DRAWER, cost, amount, minion)


STARTER: Pool = (
    *(_damage(f"d{cost}", cost, cost) for cost in range(9)),
    _damage("spark", 1, 3),
    _damage("bolt", 2, 4),
    _damage("blunt", 4, 2),
    _damage("folly", 5, 0),
    _damage("meteor", 9, 12),
    _damage("raider", 2, 1, MinionStats(4, 1)),
    _damage("wall", 3, 1, MinionStats(1, 6)),
    _healing("bandage", 1, 2),
    _healing("mend", 3, 5),
    _healing("elixir", 6, 12),
    _healing("medic", 3, 3, MinionStats(2, 3)),
    _drawer("peek", 1, 1),
    _drawer("study", 2, 2),
    _drawer("archive", 5, 4),
    _drawer("scout", 3, 1, MinionStats(2, 2)),
)


def faults_in_pool(pool: Pool) -> tuple[DeckFault, ...]:
    """Every bad card of a pool, and whether there are too few or too many."""
    faults: list[DeckFault] = []
    if not 1 <= len(pool) <= LARGEST_POOL:
        faults.append(DeckFault(FaultCode.WRONG_SIZE, f"a pool holds 1 to {LARGEST_POOL} cards, not {len(pool)}"))
    seen: set[str] = set()
    for definition in pool:
        fault = fault_in(definition)
        if fault is None and definition.id in seen:
            fault = f"{definition.id} is defined twice"
        if fault is None:
            seen.add(definition.id)
        else:
            faults.append(DeckFault(FaultCode.INVALID_CARD, fault))
    return tuple(faults)
