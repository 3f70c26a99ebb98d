"""`fairdeal.of(RED7)`: one kind of game, with its own types for type checkers and editors."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic
from uuid import UUID

from fairdeal.application.commands.handlers import Answer
from fairdeal.application.errors import UnknownKind
from fairdeal.application.history.look import Look
from fairdeal.application.live.new_events import NewEvents
from fairdeal.domain.kernel.refusals import HouseRefusal, refusal
from fairdeal.domain.kernel.rules import BroughtT, MoveT, OptionsT, Rules, ViewT

if TYPE_CHECKING:
    from fairdeal.service import Fairdeal


class GamesOf(Generic[MoveT, OptionsT, BroughtT, ViewT]):
    """Play and look at games of one kind. Everything else about them is asked of the `Fairdeal` itself."""

    def __init__(self, fairdeal: "Fairdeal", rules: Rules[Any, MoveT, OptionsT, BroughtT, ViewT]) -> None:
        if fairdeal.kinds.get(rules.kind) is not rules:
            raise UnknownKind(f"This {rules.kind!r} is not registered here.")
        self._fairdeal = fairdeal
        self.rules = rules

    def start_game(
        self,
        players: Sequence[str],
        options: OptionsT | str | None = None,
        *,
        opener: str | None = None,
        brings: Mapping[str, BroughtT] | None = None,
        deck: Sequence[Any] | None = None,
        position: Any = None,
        command_id: str | None = None,
    ) -> Answer:
        """Seats the players and deals, in one call; options may be the name of a preset."""
        return self._fairdeal.start_game(
            self.rules.kind,
            players,
            options,
            opener=opener,
            brings=brings,
            deck=deck,
            position=position,
            command_id=command_id,
        )

    def move(
        self,
        game_id: UUID | str,
        player: str,
        move: MoveT,
        *,
        command_id: str | None = None,
        expected_version: int | None = None,
    ) -> Answer:
        return self._fairdeal.move(game_id, player, move, command_id=command_id, expected_version=expected_version)

    def look(self, game_id: UUID | str, player: str | None = None) -> Look[ViewT, MoveT]:
        """The dealt game as this player, or a spectator, may see it; before the deal see `Fairdeal.look`."""
        look: Look[ViewT, MoveT] = self._fairdeal.look(game_id, player)
        if look.kind != self.rules.kind:
            raise UnknownKind(f"Game {game_id} is a {look.kind!r}, not a {self.rules.kind!r}.")
        if look.view is None:
            raise refusal(HouseRefusal.NOT_STARTED, "The cards have not been dealt yet.")
        return look

    def events(self, game_id: UUID | str, viewer: str | None = None, *, after: int = 0) -> NewEvents:
        return self._fairdeal.events(game_id, viewer, after=after)

    def follow(
        self, game_id: UUID | str, viewer: str | None = None, *, after: int = 0, patience: float | None = None
    ) -> Iterator[NewEvents]:
        return self._fairdeal.follow(game_id, viewer, after=after, patience=patience)
