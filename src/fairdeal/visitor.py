"""`fairdeal.visitor(who)`: the same calls for somebody from outside, who is allowed what the policy allows them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from uuid import UUID

from fairdeal.application.commands.handlers import Answer
from fairdeal.application.commands.messages import Command
from fairdeal.application.commands.policy import Caller, Policy, TableFacts, facts_of, not_allowed_error
from fairdeal.application.history.look import Look
from fairdeal.application.history.replay import Replay
from fairdeal.application.live.new_events import NewEvents

if TYPE_CHECKING:
    from fairdeal.service import Fairdeal


class Visitor:
    """What one caller may do and see. Where no viewer is named they look with their own eyes: from their seat, or as a
    spectator."""

    def __init__(self, fairdeal: "Fairdeal", who: Caller | None, policy: Policy) -> None:
        self._fairdeal = fairdeal
        self.who = who
        self._policy = policy

    def handle(self, command: Command | dict[str, Any]) -> Answer:
        """A command as it came; where it names no player, the caller acts."""
        message, who, policy = self.asked(command)
        return self._fairdeal.handle(message, who=who, policy=policy)

    def asked(self, command: Command | dict[str, Any]) -> tuple[Command | dict[str, Any], Caller, Policy]:
        """A command with the acting player, who asks, and who says whether they may."""
        if self.who is None:
            raise not_allowed_error("Only those who are known may do that.")
        message = {"player": self.who.player, **command} if isinstance(command, dict) else command
        return message, self.who, self._policy

    def move(self, game_id: UUID | str, move: Any, **more: Any) -> Answer:
        return self.handle({"command": "make_move", "game_id": game_id, "move": move, **more})

    def table(self, game_id: UUID | str) -> TableFacts:
        """What everybody knows of a table that is not hidden from the caller."""
        table = facts_of(self._fairdeal.game(game_id))
        self._policy.may_see(self.who, None, table)
        return table

    def eyes(self, game_id: UUID | str, viewer: str | None = None) -> str | None:
        """With whose eyes the caller sees this table: their own, or those of the viewer if they may."""
        table = facts_of(self._fairdeal.game(game_id))
        if viewer is None and self.who is not None and self.who.player in table.players:
            viewer = self.who.player
        self._policy.may_see(self.who, viewer, table)
        return viewer

    def look(self, game_id: UUID | str, viewer: str | None = None) -> Look[Any, Any]:
        return self._fairdeal.look(game_id, self.eyes(game_id, viewer))

    def story(self, game_id: UUID | str, viewer: str | None = None) -> tuple[str, ...]:
        return self._fairdeal.story(game_id, self.eyes(game_id, viewer))

    def events(self, game_id: UUID | str, viewer: str | None = None, *, after: int = 0) -> NewEvents:
        return self._fairdeal.events(game_id, self.eyes(game_id, viewer), after=after)

    def follow(
        self, game_id: UUID | str, viewer: str | None = None, *, after: int = 0, patience: float | None = None
    ) -> Iterator[NewEvents]:
        return self._fairdeal.follow(game_id, self.eyes(game_id, viewer), after=after, patience=patience)

    def replay(self, game_id: UUID | str, viewer: str | None = None, *, open_cards: bool = False) -> Replay:
        return self._fairdeal.replay(game_id, self.eyes(game_id, viewer), open_cards=open_cards)

    def export(self, game_id: UUID | str, viewer: str | None = None) -> str:
        return self._fairdeal.exports.export(game_id, self.eyes(game_id, viewer))
