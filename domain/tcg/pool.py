"""Card pools: the starter pool, and pools of one's own from a checked file."""

from fairdeal.domain.tcg.cards import CardDefinition, Kind, MinionStats, fault_in
from fairdeal.domain.tcg.documents import (
    BadDocument,
    Fault,
    FaultCode,
    InvalidPool,
    malformed,
    must_be_list,
    must_be_number,
    must_be_text,
    must_have_keys,
    parse,
    write,
)

Pool = tuple[CardDefinition, ...]
"""The cards that decks are built from, in their canonical order."""

FORMAT = "tcg-pool"
LARGEST_POOL = 500
KEYS = frozenset({"cards"})
CARD_KEYS = frozenset({"id", "kind", "cost", "amount", "minion"})
STATS_KEYS = frozenset({"attack", "health"})


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


def faults_in_pool(pool: Pool) -> tuple[Fault, ...]:
    """Every bad card of a pool, and whether there are too few or too many."""
    faults: list[Fault] = []
    if not 1 <= len(pool) <= LARGEST_POOL:
        faults.append(Fault(FaultCode.WRONG_SIZE, f"a pool holds 1 to {LARGEST_POOL} cards, not {len(pool)}"))
    seen: set[str] = set()
    for definition in pool:
        fault = fault_in(definition)
        if fault is None and definition.id in seen:
            fault = f"{definition.id} is defined twice"
        if fault is None:
            seen.add(definition.id)
        else:
            faults.append(Fault(FaultCode.INVALID_CARD, fault))
    return tuple(faults)


def read_pool(data: bytes, which: str = "the pool") -> Pool:
    """The pool in a file's bytes; every bad card is named."""
    try:
        fields = parse(data, FORMAT, KEYS)
        pool = tuple(_card(item) for item in must_be_list(fields["cards"], "cards"))
    except BadDocument as bad:
        raise InvalidPool(which, [bad.fault]) from None
    faults = faults_in_pool(pool)
    if faults:
        raise InvalidPool(which, faults)
    return pool


def pool_bytes(pool: Pool) -> bytes:
    """The canonical file of a pool."""
    return write({"format": FORMAT, "version": 1, "cards": [_fields(definition) for definition in pool]})


def _card(item: object) -> CardDefinition:
    fields = must_have_keys(item, CARD_KEYS, "a card")
    kind = must_be_text(fields["kind"], "a card's kind")
    if kind not in list(Kind):
        raise malformed(f"the kind of a card is damage, healing or drawer, not {kind!r}")
    return CardDefinition(
        must_be_text(fields["id"], "a card's id"),
        Kind(kind),
        must_be_number(fields["cost"], "a card's cost"),
        must_be_number(fields["amount"], "a card's amount"),
        None if fields["minion"] is None else _stats(fields["minion"]),
    )


def _stats(item: object) -> MinionStats:
    fields = must_have_keys(item, STATS_KEYS, "a card's minion")
    return MinionStats(must_be_number(fields["attack"], "an attack"), must_be_number(fields["health"], "a health"))


def _fields(definition: CardDefinition) -> dict[str, object]:
    minion = definition.minion
    return {
        "id": definition.id,
        "kind": definition.kind.value,
        "cost": definition.cost,
        "amount": definition.amount,
        "minion": None if minion is None else {"attack": minion.attack, "health": minion.health},
    }
