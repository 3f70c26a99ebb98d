"""What the players' hand-out wants to see printed: each turn, the winners, the first and the last state (RULES 10)."""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import GameFinished
from fairdeal.domain.reviiyot.events import CardsAsked
from fairdeal.domain.reviiyot.game import REVIIYOT
from fairdeal.domain.reviiyot.state import Reviiyot

DASHES = "----------"


class Trace:
    """Follows the log of one game, just played or long stored, and keeps no more than its state."""

    def __init__(self, *, verbal: bool, names: tuple[str, ...] | None = None) -> None:
        self._game: Game | None = None
        self._verbal = verbal
        self._names = names
        self._initial = ""

    @property
    def game(self) -> Game:
        """The game as far as it was followed; it begins with its opening."""
        assert self._game is not None
        return self._game

    @property
    def names(self) -> tuple[str, ...]:
        """Those of the players at the table, unless the trace was given others."""
        return self.game.players if self._names is None else self._names

    def follow(self, event: Any) -> str:
        """What is printed because of this event; for most of them nothing."""
        if self._game is None:
            self._game = Game.replayed(UUID(int=0), REVIIYOT, (event,))
            return ""
        text = self._turn(event) if type(event) is CardsAsked else ""
        self._game.apply(event)
        return self._summary(event) if type(event) is GameFinished and event.winners else text

    def _turn(self, event: CardsAsked) -> str:
        state: Reviiyot = self.game.state
        if not self._initial:
            self._initial = self._block()
        if not self._verbal:
            return ""
        asks = f"{self.names[event.seat]} asked {self.names[event.asked]} for the value {event.value}"
        return f"\nTurn {state.turns + 1}\n{self._block()}{asks}\n"

    def _summary(self, event: GameFinished) -> str:
        state: Reviiyot = self.game.state
        winners = [self.names[seat] for seat in event.winners]
        told = f"The Winner is: {winners[0]}" if len(winners) == 1 else f"The winners are: {' and '.join(winners)}"
        return (
            f"\n***** {told} *****\nNumber of turns: {state.turns}\n"
            f"{DASHES}\nInitial State:\n{self._initial}{DASHES}\nFinal State:\n{self._block()}"
        )

    def _block(self) -> str:
        state: Reviiyot = self.game.state
        hands = [f"{name}: {' '.join(state.hand(seat))}\n" for seat, name in enumerate(self.names)]
        return f"Deck: {' '.join(state.deck[state.gone :])}\n{''.join(hands)}"


def printed(events: Iterable[Any], *, verbal: bool, names: tuple[str, ...] | None = None) -> Iterator[str]:
    """The output of a game in pieces, from its events."""
    trace = Trace(verbal=verbal, names=names)
    for event in events:
        if piece := trace.follow(event):
            yield piece
