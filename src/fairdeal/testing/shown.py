"""What a viewer was ever shown of a game, held against what the game says is hidden from them."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.places import Place, cards_in
from fairdeal.testing.play import Playthrough
from fairdeal.testing.snapshot import exchange, leaves

CLOSE_LOOKS = 3
"""How many cards of a state, and how many partners for each, get a closer look where words do not tell enough."""


class Viewer:
    """Somebody who sees the redacted events, and remembers each card until it is shuffled again."""

    def __init__(self, game: Playthrough, seat: Seat | None, rng: Random) -> None:
        self.seat = seat
        self._game = game
        self._eyes = game.rules.eyes
        self._rng = rng
        self._seen: set[Any] = set()

    def hidden(self, state: Any) -> dict[Any, None]:
        """What the game says is hidden, in its order."""
        return dict.fromkeys(self._eyes.hidden(state, self.seat))

    def must_not_learn(self, event: Any, before: Mapping[Any, None], after: Mapping[Any, None]) -> None:
        """An event has happened; this was hidden before it, and this is after it.

        A shuffle makes a secret even of what everybody has seen: it may tell of nothing that is hidden from then on.
        All else may tell of nothing that was hidden and stays hidden.
        """
        secrets = after if self._is_shuffle(event) else [card for card in after if card in before]
        twin = exchange(event, shuffled_among_themselves(secrets, self._rng))
        shown = self._eyes.redact(event, self.seat)
        assert shown == self._eyes.redact(twin, self.seat), f"{event} tells {self} what stays hidden"

    def see(self, event: Any) -> None:
        """Remembers what the event shows; where cards are shuffled again nobody knows any more where they are."""
        if self._is_shuffle(event):
            self._seen.difference_update(leaves(event))
        self._seen.update(leaves(self._eyes.redact(event, self.seat)))

    def _is_shuffle(self, event: Any) -> bool:
        return type(event) in self._game.rules.play.by_chance

    def must_know_the_rest(self, state: Any, history: list[Any]) -> None:
        """Every card is hidden, or has been shown; and the view shows none that was not."""
        hidden = self.hidden(state)
        cards = dict.fromkeys(cards_in(self._eyes.places(state)))
        lost = [card for card in hidden if card not in cards]
        assert not lost, f"{lost} are hidden from {self}, but lie nowhere"
        view = set(leaves(self._eyes.view(state, self.seat)))
        # A bare number in a view may be anything.
        sudden = [card for card in cards if card in view and card not in self._seen and type(card) is not int]
        assert not sudden, f"the view shows {sudden} to {self}, and no event has"
        unproved = [card for card in cards if card not in hidden and card not in view and card not in self._seen]
        for card in self._some(unproved):
            partners = self._some([other for other in hidden or unproved if other != card])
            told = all(self._would_notice(history, state, {card: other, other: card}) for other in partners)
            assert partners, f"{card} is the only card, and hidden from nobody"
            assert told, f"{card} is not hidden from {self}, but nothing has shown where it is"

    def _some(self, cards: list[Any]) -> list[Any]:
        return cards if len(cards) <= CLOSE_LOOKS else self._rng.sample(cards, CLOSE_LOOKS)

    def _would_notice(self, history: list[Any], state: Any, swaps: Mapping[Any, Any]) -> bool:
        """Whether a world in which two cards had changed places would look different, or cannot be."""
        eyes, seat = self._eyes, self.seat
        exchanged = [exchange(event, swaps) for event in history]
        try:
            twin = follow(self._game, exchanged)
            if not have_changed_places(eyes.places(state), eyes.places(twin), swaps):
                return True
            if eyes.view(twin, seat) != eyes.view(state, seat):
                return True
        except Exception:  # a game need not be able to follow what cannot be
            return True
        told = zip(history, exchanged, strict=True)
        return any(eyes.redact(one, seat) != eyes.redact(other, seat) for one, other in told)

    def __str__(self) -> str:
        return "a spectator" if self.seat is None else f"seat {self.seat}"


def follow(game: Playthrough, events: Iterable[Any]) -> Any:
    """The state to which all this has happened."""
    state = game.initial_state()
    for event in events:
        game.rules.play.evolve[type(event)](state, event)
    return state


def have_changed_places(places: Sequence[Place], others: Sequence[Place], swaps: Mapping[Any, Any]) -> bool:
    """Whether each of two cards lies where the other one lay: in its place or, in one place, at its position."""
    for place, other in zip(places, others, strict=True):
        wanted = [swaps.get(card, card) for card in place.cards]
        in_order = all(card in place.cards for card in swaps)
        if wanted != list(other.cards) if in_order else set(wanted) != set(other.cards):
            return False
    return True


def shuffled_among_themselves(cards: Iterable[Any], rng: Random) -> dict[Any, Any]:
    secrets = list(dict.fromkeys(cards))
    others = secrets[:]
    rng.shuffle(others)
    return dict(zip(secrets, others, strict=True))


def viewers_of(game: Playthrough, rng: Random) -> list[Viewer]:
    """Everybody who may watch: a spectator and all seats."""
    return [Viewer(game, seat, rng) for seat in (None, *range(game.seats))]


def must_tell_nothing_that_stays_hidden(game: Playthrough, rng: Random) -> None:
    rules, state, viewers = game.rules, game.initial_state(), viewers_of(game, rng)
    cards: set[Any] = set(cards_in(rules.eyes.places(game.state)))
    started = False
    for event in game.events:
        assert all(type(rules.eyes.redact(event, viewer.seat)) is type(event) for viewer in viewers)
        names_cards = not cards.isdisjoint(leaves(event))
        before = [viewer.hidden(state) if names_cards and started else {} for viewer in viewers]
        rules.play.evolve[type(event)](state, event)
        started = started or names_cards
        if names_cards:
            for viewer, hidden in zip(viewers, before, strict=True):
                viewer.must_not_learn(event, hidden, viewer.hidden(state))


def must_have_shown_all_else(game: Playthrough, rng: Random, states: int) -> None:
    rules, state, viewers, history = game.rules, game.initial_state(), viewers_of(game, rng), list[Any]()
    stride = max(1, len(game.steps) // states)
    for at, events in enumerate([game.dealt, *(step.events for step in game.steps)]):
        for event in events:
            rules.play.evolve[type(event)](state, event)
            history.append(event)
            for viewer in viewers:
                viewer.see(event)
        if at % stride == 0:
            for viewer in viewers:
                viewer.must_know_the_rest(state, history)
