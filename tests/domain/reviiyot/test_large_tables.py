"""Legal moves at large tables are made when somebody looks at them; they are the same as at small ones."""

from hypothesis import given
from hypothesis import strategies as st

from fairdeal.domain.reviiyot.moves import Ask, AsksAtALargeTable


@given(st.integers(2, 9), st.data())
def test_asks_at_a_large_table_are_those_of_the_plain_list(seats: int, data: st.DataObject) -> None:
    asker = data.draw(st.integers(0, seats - 1))
    values = data.draw(st.lists(st.sampled_from(["1", "2", "J", "K"]), unique=True))
    plain = [Ask(seat, value) for value in values for seat in range(seats) if seat != asker]
    lazy = AsksAtALargeTable(asker, seats, values)
    assert lazy == plain
    assert list(lazy) == plain
    assert len(lazy) == len(plain)
    for place in range(-len(plain), len(plain)):
        assert lazy[place] == plain[place]
    assert lazy[1:7] == plain[1:7]
    assert (Ask(asker, "1") in lazy) is False
    assert lazy != [*plain, Ask(asker, "1")]
    assert lazy != 3
