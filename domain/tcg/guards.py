"""What a move must satisfy; RULES 8 gives the order of the questions."""

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.refusals import refusal
from fairdeal.domain.tcg.book import BookPage
from fairdeal.domain.tcg.cards import Card, Mode
from fairdeal.domain.tcg.moves import FACE, PlayCard
from fairdeal.domain.tcg.refusals import Refusal
from fairdeal.domain.tcg.state import Minion, Side, Tcg


def must_be_turn(state: Tcg, seat: Seat) -> None:
    if state.winner is not None:
        raise refusal(Refusal.GAME_OVER, "The game is over.")
    if seat != state.active:
        raise refusal(Refusal.NOT_YOUR_TURN, "It is not your turn.")


def must_hold(side: Side, name: str) -> Card:
    for card in side.hand:
        if card.id == name:
            return card
    raise refusal(Refusal.CARD_NOT_IN_HAND, f"{name} is not in your hand.")


def must_be_mode(page: BookPage, name: str) -> Mode:
    for mode in page.modes:
        if mode == name:
            return mode
    ways = " or ".join(page.modes)
    raise refusal(Refusal.MODE_NOT_ALLOWED, f"{page.definition.id} can be played as {ways} here, not as {name}.")


def must_afford(side: Side, page: BookPage) -> None:
    if page.cost > side.mana:
        message = f"{page.definition.id} costs {page.cost} mana, you have {side.mana}."
        raise refusal(Refusal.NOT_ENOUGH_MANA, message)


def must_find_target(enemy: Side, at: object) -> Minion | None:
    """The enemy minion at that place, or None for the face."""
    if at is None or at == FACE:
        return None
    minion = minion_at(enemy, at)
    if minion is None:
        raise refusal(Refusal.TARGET_NOT_FOUND, f"There is no enemy minion {at!r} to hit.")
    return minion


def must_not_aim(move: PlayCard) -> None:
    if move.at is not None:
        raise refusal(Refusal.TARGET_NOT_ALLOWED, f"{move.card} does not take a target when it is played like this.")


def must_have_room(state: Tcg, side: Side) -> None:
    if not has_room(state, side):
        raise refusal(Refusal.BOARD_FULL, f"Your board is full with {len(side.board)} minions.")


def must_be_able_to_attack(side: Side, at: object) -> Minion:
    minion = minion_at(side, at)
    if minion is None:
        raise refusal(Refusal.MINION_NOT_FOUND, f"You have no minion {at!r}.")
    if minion.asleep:
        raise refusal(Refusal.MINION_ASLEEP, f"Your {minion.card.id} is asleep until your next turn.")
    if minion.attack == 0:
        raise refusal(Refusal.MINION_HAS_NO_ATTACK, f"Your {minion.card.id} cannot attack.")
    if minion.attacked:
        raise refusal(Refusal.MINION_ALREADY_ATTACKED, f"Your {minion.card.id} has attacked in this turn.")
    return minion


def must_find_victim(enemy: Side, at: object) -> Minion | None:
    """Unlike a spell, an attack names its target, even if that is the face."""
    if at is None:
        raise refusal(Refusal.TARGET_NOT_FOUND, "An attack needs a target.")
    return must_find_target(enemy, at)


def has_room(state: Tcg, side: Side) -> bool:
    limit = state.options.board_limit
    return limit is None or len(side.board) < limit


def minion_at(side: Side, at: object) -> Minion | None:
    """The minion at that place; True is not a place, and −1 is not the last one."""
    return side.board[at] if type(at) is int and 0 <= at < len(side.board) else None
