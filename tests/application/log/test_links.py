"""Links of many records, with what they share prepared once, are those that the definition gives one by one."""

from collections.abc import Sequence
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fairdeal.application.log.links import (
    LONGEST_NAME,
    MOST_NAMES,
    NO_LINK,
    Linker,
    first_bad_link,
    first_salts,
    link_batch,
    link_of,
    salt_of,
    seal_of,
)
from fairdeal.application.log.record import Record

GAME = UUID(int=7)
names = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def must_follow_the_definition(seed: bytes, records: Sequence[Record]) -> None:
    previous = NO_LINK
    for record in records:
        seal = seal_of(salt_of(seed, record.version), record.payload)
        previous = link_of(previous, GAME, record.version, record.name, seal)
        assert record.link == previous


@given(st.binary(min_size=32, max_size=32), st.lists(st.tuples(names, st.binary(max_size=300)), min_size=1, max_size=9))
def test_links_follow_the_definition_and_the_first_bad_one_is_found(
    seed: bytes, written: list[tuple[str, bytes]]
) -> None:
    records = link_batch(seed, NO_LINK, GAME, 0, written)
    must_follow_the_definition(seed, records)
    assert first_bad_link(seed, NO_LINK, records) is None
    for at, record in enumerate(records):
        for other in (replace(record, name=f"{record.name}x"), replace(record, payload=record.payload + b"x")):
            assert first_bad_link(seed, NO_LINK, [*records[:at], other, *records[at + 1 :]]) == other
            assert first_bad_link(seed, records[at - 1].link if at else NO_LINK, [other]) == other


def test_links_of_many_names_and_of_long_ones_are_the_same() -> None:
    seed = bytes(32)
    lengths = (LONGEST_NAME, LONGEST_NAME + 1, 5 * LONGEST_NAME)
    written = [*[(f"name {n}", b"") for n in range(MOST_NAMES + 2)], *[("x" * length, b"") for length in lengths]]
    for _ in range(2):
        must_follow_the_definition(seed, link_batch(seed, NO_LINK, GAME, 0, written))


@given(st.binary(min_size=32, max_size=32), st.integers(1, 40))
def test_salts_that_are_made_at_once_are_those_of_each_version(seed: bytes, versions: int) -> None:
    at_once, linker = first_salts(seed, versions), Linker(seed, GAME, versions)
    for version in range(1, versions + 1):
        assert at_once[version] == linker.salt(version) == salt_of(seed, version)
    for other in (0, versions + 1, 2**32 + 1, 2**64 - 1):
        assert linker.salt(other) == salt_of(seed, other)


def test_versions_of_another_world_get_salts_of_their_own() -> None:
    """A forger who knows the seed may link a record under any version: the link is that of this version, or is bad."""
    seed = bytes(range(32))
    first, second = link_batch(seed, NO_LINK, GAME, 0, [("name", b"one"), ("name", b"two")])
    for version in (0, 1, 3, 2**32 + 2):
        link = link_of(first.link, GAME, version, "name", seal_of(salt_of(seed, version), b"two"))
        assert first_bad_link(seed, NO_LINK, [first, replace(second, version=version, link=link)]) is None
        link = link_of(first.link, GAME, version, "name", seal_of(salt_of(seed, 2), b"two"))
        forged = replace(second, version=version, link=link)
        assert first_bad_link(seed, NO_LINK, [first, forged]) == forged
    for version in (-1, 2**64):
        forged = replace(second, version=version)
        assert first_bad_link(seed, NO_LINK, [first, forged]) == forged
