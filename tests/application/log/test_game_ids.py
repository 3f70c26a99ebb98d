"""Ids of games: whether one is that of an opener's command is found out without making it."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from fairdeal.application.log.game_ids import game_id_of, is_id_of

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@given(texts, texts, st.integers(0, 127))
def test_an_id_is_that_of_its_command_and_of_no_other(opener: str, command_id: str, bit: int) -> None:
    game_id = game_id_of(opener, command_id)
    assert is_id_of(game_id, opener, command_id)
    assert not is_id_of(game_id, opener, f"{command_id}x")
    assert not is_id_of(game_id, f"{opener}x", command_id)
    assert not is_id_of(UUID(int=game_id.int ^ 1 << bit), opener, command_id), "every bit counts"
