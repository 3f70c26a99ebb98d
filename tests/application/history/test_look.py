"""A look is always as somebody: a player of this table, or a spectator who has no name."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from fairdeal import Fairdeal, UnknownPlayer

QUESTIONS: dict[str, Callable[[Fairdeal, UUID], Any]] = {
    "look": lambda fairdeal, game: fairdeal.look(game, "mallory"),
    "story": lambda fairdeal, game: fairdeal.story(game, "mallory"),
    "events": lambda fairdeal, game: fairdeal.queries.events(game, "mallory"),
    "drawing": lambda fairdeal, game: fairdeal.queries.drawing(game, "mallory"),
    "replay": lambda fairdeal, game: fairdeal.replay(game, "mallory"),
    "export": lambda fairdeal, game: fairdeal.exports.export(game, "mallory"),
}


@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
def test_whoever_does_not_sit_at_the_table_is_an_unknown_player(
    fairdeal: Fairdeal, ask: Callable[[Fairdeal, UUID], Any]
) -> None:
    game = fairdeal.start_game("red7", ["ann", "bob"]).game_id
    with pytest.raises(UnknownPlayer) as refused:
        ask(fairdeal, game)
    assert refused.value.code == "unknown_player"


def test_a_spectator_needs_no_name(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("red7", ["ann", "bob"]).game_id
    assert fairdeal.look(game).seat is None
