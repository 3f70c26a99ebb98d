"""How a thinking player weighs the table: what can be dealt this turn, and what a move is worth."""

from fairdeal.domain.tcg.cards import CardDefinition, Kind, Mode
from fairdeal.domain.tcg.moves import Attack, Move, PlayCard
from fairdeal.domain.tcg.views import MinionView, TcgView

# Rough prices in damage to the enemy. A minion's attack counts most: it strikes every turn.
ATTACK_WORTH = 1.5
HEALTH_WORTH = 0.5
SPELL_AT_FACE = 0.8
WOUND = 0.4
LOW_HEALTH = 12
CARD_WORTH = 1.5
WASTE = -1.0


class Table:
    """A view as its owner thinks of it."""

    __slots__ = ("enemy", "hand", "max_health", "own", "printed")

    def __init__(self, view: TcgView) -> None:
        assert view.seat is not None
        self.own = view.sides[view.seat]
        self.enemy = view.sides[1 - view.seat]
        self.hand = [held.printed for held in view.hand or ()]
        self.printed = {card.id: card for card in self.hand}
        self.max_health = view.max_health

    def cost(self, play: PlayCard) -> int:
        return self.printed[play.card].cost


def hardest_set(table: Table) -> tuple[CardDefinition, ...]:
    """Of the damage cards that the mana pays for together, those with most damage; more cards on ties."""
    # For each amount of mana the best set that costs at most that much, one card after the other.
    best: list[tuple[int, int, tuple[CardDefinition, ...]]] = [(0, 0, ())] * (table.own.mana + 1)
    for card in table.hand:
        if card.kind is Kind.DAMAGE:
            for mana in range(table.own.mana, card.cost - 1, -1):
                damage, count, cards = best[mana - card.cost]
                better = (damage + card.amount, count + 1)
                if better > best[mana][:2]:
                    best[mana] = (*better, (*cards, card))
    return best[-1][2]


def can_kill(table: Table) -> bool:
    """Whether everything thrown at the face wins now."""
    minions = sum(minion.attack for minion in table.own.board if minion.can_attack)
    return minions + sum(card.amount for card in hardest_set(table)) >= table.enemy.health


def face_damage(table: Table, move: Move) -> tuple[int, int]:
    """For the last blow: minions first, then the dearest card of the set that kills."""
    match move:
        case Attack(at="face"):
            return 2, table.own.board[move.minion].attack
        case PlayCard(at="face") if table.printed[move.card] in hardest_set(table):
            return 1, table.cost(move)
        case _:
            return 0, 0


def worth(table: Table, move: Move) -> float:
    """What a move gains, measured in damage to the enemy; ending the turn gains nothing."""
    match move:
        case Attack(at=int() as at):
            return _trade(table.own.board[move.minion], table.enemy.board[at])
        case Attack():
            return table.own.board[move.minion].attack
        case PlayCard():
            return _play(table, table.printed[move.card], move)
        case _:
            return 0.0


def _trade(minion: MinionView, enemy: MinionView) -> float:
    return _gain(minion.attack, enemy) - _gain(enemy.attack, minion)


def _gain(damage: int, minion: MinionView) -> float:
    """What it is worth to deal so much damage to a minion; a dead one never strikes again."""
    if damage >= minion.health:
        return _standing(minion.attack, minion.health)
    return damage * WOUND


def _standing(attack: int, health: int) -> float:
    return attack * ATTACK_WORTH + health * HEALTH_WORTH


def _play(table: Table, card: CardDefinition, play: PlayCard) -> float:
    if play.mode == Mode.MINION:
        stats = card.stats
        # A minion that cannot attack only takes up a place.
        return _standing(stats.attack, stats.health) if stats and stats.attack else WASTE
    if play.mode == Mode.HEAL:
        return _healing(table, card.cost)
    if card.kind is Kind.HEALING:
        return _healing(table, card.amount)
    if card.kind is Kind.DRAWER:
        return min(card.amount, table.own.deck_size) * CARD_WORTH + WASTE
    return _spell(table, card, play.at)


def _spell(table: Table, card: CardDefinition, at: object) -> float:
    if isinstance(at, int):
        enemy = table.enemy.board[at]
        wasted = max(0, card.amount - enemy.health)
        return _gain(card.amount, enemy) - wasted
    # A little more than nothing, for a dud is best out of the hand.
    return card.amount * SPELL_AT_FACE + 0.1


def _healing(table: Table, amount: int) -> float:
    gained = min(amount, table.max_health - table.own.health)
    if gained <= 0:
        return WASTE
    return gained * (1.0 if table.own.health <= LOW_HEALTH else 0.3)
