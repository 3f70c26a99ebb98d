"""Chance: repeatable from seed and shares, equal for every order, and a new one for every number."""

import hashlib
import hmac
import struct
from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.domain.kernel.chance import ALGORITHM, NO_SHARE, Chance, digest, share
from fairdeal.domain.kernel.french_deck import DECK
from fairdeal.domain.kernel.mac import Mac

SEED = bytes(range(32))
GAME = bytes(range(100, 116))


def chance(seed: bytes = SEED, game: bytes = GAME, shares: tuple[bytes, ...] = (NO_SHARE, NO_SHARE)) -> Chance:
    return Chance(seed, game, shares)


def seeded(number: int) -> Chance:
    return chance(seed=hashlib.sha256(number.to_bytes(4)).digest())


# -- a second implementation, from the definition and not from the code --------------------------------------


def drawn(seed: bytes, game: bytes, shares: tuple[bytes, ...], number: int) -> Iterator[int]:
    """HMAC-SHA-256(seed, version, game, number of seats, shares, shuffle, counter), read as words of 32 bits."""
    for counter in range(2**32):
        message = struct.pack(">B16sH", 1, game, len(shares)) + b"".join(shares) + struct.pack(">II", number, counter)
        yield from struct.unpack(">8I", hmac.new(seed, message, hashlib.sha256).digest())


def uniform(words: Iterator[int], count: int) -> int:
    word = next(words)
    while word >= 2**32 // count * count:
        word = next(words)
    return word % count


def by_hand(words: Iterator[int], size: int) -> list[int]:
    """Fisher–Yates from the last place to the second."""
    order = list(range(size))
    for place in reversed(range(1, size)):
        chosen = uniform(words, place + 1)
        order[place], order[chosen] = order[chosen], order[place]
    return order


@given(st.lists(st.integers(2**32 - 9, 2**32 - 1), max_size=20), st.integers(0, 9))
def test_the_highest_words_are_thrown_away_where_they_would_favour_small_results(high: list[int], size: int) -> None:
    words = [*high, *range(100)]

    class Rigged(Chance):
        def _words(self, number: int) -> Iterator[int]:
            return iter(words)

    rigged = Rigged(SEED, GAME, ())
    assert list(rigged.shuffle(0, range(size))) == by_hand(iter(words), size)


@pytest.mark.parametrize("number", [0, 1, 77, 2**32 - 1])
@pytest.mark.parametrize("shares", [(), (NO_SHARE,), (NO_SHARE, share(b"mine")), (share(b"a"), share(b"b"), NO_SHARE)])
def test_shuffles_and_picks_follow_the_definition(number: int, shares: tuple[bytes, ...]) -> None:
    fair = chance(shares=shares)
    assert list(fair.shuffle(number, range(52))) == by_hand(drawn(SEED, GAME, shares, number), 52)
    for count in (1, 2, 6, 52, 2**31 + 1, 2**32):
        assert fair.pick(number, count) == uniform(drawn(SEED, GAME, shares, number), count)


def test_the_algorithm_stays_what_it_is() -> None:
    """Written down once: whoever changes these values raises ALGORITHM, or old games are no longer fair."""
    assert ALGORITHM == 1
    assert chance().shuffle(0, "ABCDEFGH") == tuple("CHABDEGF")
    assert chance().shuffle(1, "ABCDEFGH") == tuple("EGDBHFCA")
    assert [chance().pick(number, 1000) for number in range(5)] == [573, 120, 316, 440, 770]
    assert (
        digest("".join(chance(shares=(share(b"a"), share(b"b"))).shuffle(0, DECK)).encode())
        == "ee1d12603d1eeb9c8bd5ed48882fe658d867469fabafba5f13f58e5437c6a07a"
    )


def test_digests_and_shares_are_what_they_are_said_to_be() -> None:
    assert digest(b"abc") == hashlib.sha256(b"abc").hexdigest()
    assert share(b"abc") == hashlib.sha256(b"fairdeal share\0abc").digest()
    assert share(b"abc").hex() != digest(b"abc"), "who knows a seal must not know the share"
    assert bytes(32) == NO_SHARE


# -- what the draws depend on ----------------------------------------------------------------------------------


def test_the_same_number_gives_the_same_shuffle_however_often_and_in_whatever_order() -> None:
    one, other = chance(), chance()
    forwards = [one.shuffle(number, DECK) for number in range(10)]
    backwards = [other.shuffle(number, DECK) for number in reversed(range(10))]
    assert forwards == backwards[::-1]
    assert forwards == [one.shuffle(number, DECK) for number in range(10)]


def test_seed_game_shares_their_number_and_order_and_the_shuffle_number_all_matter() -> None:
    mine, yours = share(b"mine"), share(b"yours")
    decks = [
        chance().shuffle(0, DECK),
        chance().shuffle(1, DECK),
        chance().shuffle(256, DECK),
        chance(seed=bytes(32)).shuffle(0, DECK),
        chance(game=bytes(16)).shuffle(0, DECK),
        chance(shares=(NO_SHARE,)).shuffle(0, DECK),
        chance(shares=(NO_SHARE, NO_SHARE, NO_SHARE)).shuffle(0, DECK),
        chance(shares=(mine, NO_SHARE)).shuffle(0, DECK),
        chance(shares=(NO_SHARE, mine)).shuffle(0, DECK),
        chance(shares=(mine, yours)).shuffle(0, DECK),
        chance(shares=(yours, mine)).shuffle(0, DECK),
    ]
    assert len(set(decks)) == len(decks)


def test_a_shuffle_keeps_the_cards() -> None:
    assert sorted(chance().shuffle(0, DECK)) == sorted(DECK)
    assert sorted(chance().shuffle(0, [1, 1, 2])) == [1, 1, 2]
    assert chance().shuffle(0, ["only"]) == ("only",)
    assert chance().shuffle(0, []) == ()


def test_one_thing_to_pick_from_is_picked() -> None:
    assert {seeded(number).pick(0, 1) for number in range(20)} == {0}


# -- fairness, by the chi-square test on fixed seeds -------------------------------------------------------------


def chi_square(counts: list[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


MOST_BY_DEGREES_OF_FREEDOM = {2: 13.8, 5: 20.5, 23: 49.7, 51: 88.0, 143: 201.0}
"""Exceeded by fair draws once in a thousand."""


def must_be_even(counts: list[int]) -> None:
    assert chi_square(counts) < MOST_BY_DEGREES_OF_FREEDOM[len(counts) - 1]


@pytest.mark.parametrize("count", [3, 6, 24, 52])
def test_every_pick_is_equally_likely(count: int) -> None:
    picks = Counter(seeded(number).pick(0, count) for number in range(100 * count))
    must_be_even([picks[value] for value in range(count)])


def test_words_that_would_favour_small_numbers_are_thrown_away() -> None:
    count = 3 * 2**30  # without that the lowest third would come up in half of all picks
    thirds = Counter(seeded(number).pick(0, count) // 2**30 for number in range(3000))
    must_be_even([thirds[third] for third in range(3)])


def test_every_order_is_equally_likely() -> None:
    orders = Counter(seeded(number).shuffle(0, "ABCD") for number in range(2400))
    must_be_even([orders[order] for order in permutations("ABCD")])


def test_every_card_is_equally_likely_in_the_first_and_in_the_last_place() -> None:
    decks = [seeded(number).shuffle(0, DECK) for number in range(2600)]
    for place in (0, 51):
        tops = Counter(deck[place] for deck in decks)
        must_be_even([tops[card] for card in DECK])


def test_one_shuffle_says_nothing_about_the_next() -> None:
    """All pairs of the first cards of two shuffles of twelve are equally likely, numbers 0 and 1 of the same seed."""
    pairs = Counter(
        (seeded(number).shuffle(0, range(12))[0], seeded(number).shuffle(1, range(12))[0]) for number in range(7200)
    )
    must_be_even([pairs[first, second] for first in range(12) for second in range(12)])


@given(st.binary(max_size=200), st.binary(max_size=100), st.lists(st.binary(max_size=200), max_size=3))
def test_a_prepared_mac_is_the_hmac_of_prefix_and_message(key: bytes, prefix: bytes, messages: list[bytes]) -> None:
    mac = Mac(key, prefix)
    assert [mac.digest(message) for message in messages] == [
        hmac.digest(key, prefix + message, "sha256") for message in messages
    ]
