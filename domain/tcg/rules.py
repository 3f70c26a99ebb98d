"""A turn of the trading card game: it begins with a draw, cards are played and minions attack (RULES 3 to 6)."""

from typing import assert_never

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.tcg.book import BookPage
from fairdeal.domain.tcg.cards import Card, Kind, Mode
from fairdeal.domain.tcg.events import (
    CardDrawn,
    CardOverloaded,
    CardPlayed,
    MinionAttacked,
    MinionDamaged,
    MinionDied,
    MinionPlaced,
    bled_out,
    damage_dealt,
    mana_refilled,
    mana_slot_gained,
    player_healed,
    turn_started,
)
from fairdeal.domain.tcg.guards import (
    must_afford,
    must_be_able_to_attack,
    must_be_mode,
    must_be_turn,
    must_find_target,
    must_find_victim,
    must_have_room,
    must_hold,
    must_not_aim,
)
from fairdeal.domain.tcg.moves import Attack, EndTurn, Move, PlayCard
from fairdeal.domain.tcg.state import Minion, Tcg

BY_DAMAGE = "damage"
BY_BLEEDING = "bleeding"


def decide(draft: Draft[Tcg], seat: Seat, move: Move, chance: Chance) -> None:
    must_be_turn(draft.state, seat)
    match move:
        case PlayCard():
            play_card(draft, seat, move)
        case EndTurn():
            begin_turn(draft, 1 - seat)
        case Attack():
            attack(draft, seat, move)
        case _:
            assert_never(move)


# -- turns and draws (RULES 3, 4) -----------------------------------------------------------------


def begin_turn(draft: Draft[Tcg], seat: Seat) -> None:
    """Slot, refill and waking come before the draw, which may kill."""
    state = draft.state
    side = state.sides[seat]
    draft.say(turn_started(seat, state.turn + 1))
    if side.slots < state.options.max_slots:
        draft.say(mana_slot_gained(seat, side.slots + 1))
    if side.mana != side.slots:
        draft.say(mana_refilled(seat, side.slots))
    draw_card(draft, seat)


def draw_card(draft: Draft[Tcg], seat: Seat) -> None:
    """The one way to draw, whatever the cause (RULES 4)."""
    state = draft.state
    side = state.sides[seat]
    if side.drawn == len(side.deck):
        draft.say(bled_out(seat, state.options.bleed))
        if side.health <= 0:
            draft.say(GameFinished((1 - seat,), (), BY_BLEEDING))
        return
    card = side.deck[side.drawn]
    if len(side.hand) < state.options.hand_limit:
        draft.say(CardDrawn(seat, card))
    else:
        draft.say(CardOverloaded(seat, card))


# -- playing a card (RULES 5) ---------------------------------------------------------------------


def play_card(draft: Draft[Tcg], seat: Seat, move: PlayCard) -> None:
    state = draft.state
    side = state.sides[seat]
    card = must_hold(side, move.card)
    page = state.book.pages[card.id]
    mode = must_be_mode(page, move.mode)
    must_afford(side, page)
    if mode is Mode.SPELL and page.is_damage:
        target = must_find_target(state.sides[1 - seat], move.at)
        draft.say(CardPlayed(seat, card, mode, page.cost, None if target is None else target.card))
        hit(draft, 1 - seat, target, page.definition.amount)
        return
    must_not_aim(move)
    if mode is Mode.MINION:
        must_have_room(state, side)
    draft.say(CardPlayed(seat, card, mode, page.cost, None))
    take_effect(draft, seat, card, page, mode)


def take_effect(draft: Draft[Tcg], seat: Seat, card: Card, page: BookPage, mode: Mode) -> None:
    """Everything that is not a damage spell."""
    if mode is Mode.MINION:
        assert page.stats is not None
        draft.say(MinionPlaced(seat, card, page.stats.attack, page.stats.health))
    elif mode is Mode.HEAL:
        heal(draft, seat, page.cost)
    elif page.definition.kind is Kind.HEALING:
        heal(draft, seat, page.definition.amount)
    else:
        draw_cards(draft, seat, page.definition.amount)


def heal(draft: Draft[Tcg], seat: Seat, amount: int) -> None:
    state = draft.state
    missing = max(0, state.options.max_health - state.sides[seat].health)
    draft.say(player_healed(seat, min(amount, missing)))


def draw_cards(draft: Draft[Tcg], seat: Seat, amount: int) -> None:
    """One after the other, until they are drawn or the player has bled to death."""
    for _ in range(amount):
        draw_card(draft, seat)
        if draft.state.winner is not None:
            return


def hit(draft: Draft[Tcg], seat: Seat, target: Minion | None, amount: int) -> None:
    """Damage to a player's face or to their minion; none is recorded where none is dealt."""
    if amount == 0:
        return
    if target is None:
        draft.say(damage_dealt(seat, amount))
        if draft.state.sides[seat].health <= 0:
            draft.say(GameFinished((1 - seat,), (), BY_DAMAGE))
    else:
        draft.say(MinionDamaged(seat, target.card, amount))
        bury(draft, seat, target)


def bury(draft: Draft[Tcg], seat: Seat, minion: Minion) -> None:
    if minion.health <= 0:
        draft.say(MinionDied(seat, minion.card))


# -- minions (RULES 6) ----------------------------------------------------------------------------


def attack(draft: Draft[Tcg], seat: Seat, move: Attack) -> None:
    state = draft.state
    minion = must_be_able_to_attack(state.sides[seat], move.minion)
    target = must_find_victim(state.sides[1 - seat], move.at)
    draft.say(MinionAttacked(seat, minion.card, None if target is None else target.card))
    if target is None:
        hit(draft, 1 - seat, None, minion.attack)
    else:
        fight(draft, seat, minion, target)


def fight(draft: Draft[Tcg], seat: Seat, minion: Minion, target: Minion) -> None:
    """Both strike at the same moment, and only then the dead are taken off (RULES 6.4)."""
    draft.say(MinionDamaged(1 - seat, target.card, minion.attack))
    if target.attack:
        draft.say(MinionDamaged(seat, minion.card, target.attack))
    bury(draft, 1 - seat, target)
    bury(draft, seat, minion)
