"""Reading configuration files: what is accepted, and which line is blamed for what."""

import pytest

from fairdeal.domain.reviiyot.cards import pack_of
from fairdeal.domain.reviiyot.options import SEATS, Strategy
from fairdeal.infrastructure.games.reviiyot.config import BadConfig, Config, ConfiguredPlayer, read

DECK = " ".join(pack_of(3).cards)
GOOD = f"1\n3\n{DECK}\nAmi 1\nTami 3\n"
EXPECTED = Config(
    True, 3, pack_of(3).cards, (ConfiguredPlayer("Ami", Strategy.MOST_HELD), ConfiguredPlayer("Tami", Strategy.HIGHEST))
)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        GOOD.rstrip("\n"),
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", " \t\r\v\f\n"),
        GOOD.replace("\n", "\n\n  \t\n# a comment\n   # another, 1 2 3\n"),
        GOOD.replace(" ", " \t  "),
        "\n" + GOOD + "\n\n#end",
        GOOD.replace("Ami 1", "\v\f\rAmi\t\t1"),
    ],
)
def test_spaces_comments_and_line_ends_do_not_matter(text: str) -> None:
    assert read(text.encode()) == EXPECTED


def test_verbal_may_be_off() -> None:
    assert read(b"0" + GOOD.encode()[1:]).verbal is False


@pytest.mark.parametrize(
    "name", ["עמי", "a#b", "1", "ami", "Ami:", "\u00a0", "a\u2028b", "\x1b[1m", "x" * 5000, "👩‍👩‍👧"]
)
def test_a_name_is_any_word(name: str) -> None:
    assert read(GOOD.replace("Tami", name).encode()).names == ("Ami", name)


def test_n_of_1_has_faces_only() -> None:
    assert len(read(f"1\n1\n{' '.join(pack_of(1).cards)}\nA 1\nB 2".encode()).deck) == 16


def test_the_most_players_are_as_many_as_the_deck_has_sevens() -> None:
    players = "\n".join(f"p{at} 2" for at in range(4))
    assert len(read(f"0\n4\n{' '.join(pack_of(4).cards)}\n{players}".encode()).players) == 4


def without(card: str) -> str:
    return DECK.replace(card, "").strip()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "line 1: the file ends here, verbal (0 or 1) is missing"),
        ("\n\n#x\n", "line 1: the file ends here, verbal (0 or 1) is missing"),
        ("\n1\n", "line 2: the file ends here, N is missing"),
        ("1\n3", "line 2: the file ends here, the deck is missing"),
        (GOOD.replace("1\n3", "2\n3"), "line 1: verbal is 0 or 1, not '2'"),
        (GOOD.replace("1\n3", "1 1\n3"), "line 1: verbal is 0 or 1, not '1 1'"),
        (GOOD.replace("1\n3", "1#\n3"), "line 1: verbal is 0 or 1, not '1#'"),
        (GOOD.replace("1\n3", "1\r3"), "line 1: verbal is 0 or 1, not '1\\r3'"),
        ("\ufeff" + GOOD, "line 1: the file starts with a byte order mark"),
        ("\ufeff#\n" + GOOD, "line 1: the file starts with a byte order mark"),
        *(
            (GOOD.replace("1\n3", f"1\n{n}"), f"line 2: N is a number from 1 upwards, not {n!r}")
            for n in ("0", "-3", "+3", "03", "3.0", "three", "٣", "3 3", "1_0", "0x3")
        ),
        (GOOD.replace("2H", "2h"), "line 3: '2h' is not a card of a deck with N = 3"),
        (GOOD.replace("2H", "4H"), "line 3: '4H' is not a card of a deck with N = 3"),
        (GOOD.replace("2H", "10H"), "line 3: '10H' is not a card of a deck with N = 3"),
        (GOOD.replace("2H", "1H"), "line 3: '1H' is not a card of a deck with N = 3"),
        (GOOD.replace("2H", "02H"), "line 3: '02H' is not a card of a deck with N = 3"),
        (GOOD.replace("2H", "H2"), "line 3: 'H2' is not a card of a deck with N = 3"),
        (GOOD.replace("2H", "H"), "line 3: 'H' is not a card of a deck with N = 3"),
        (GOOD.replace("2H", "2Hx"), "line 3: '2Hx' is not a card of a deck with N = 3"),
        (GOOD.replace("2H 2S", "2H\v2S"), "line 3: '2H\\x0b2S' is not a card of a deck with N = 3"),
        (GOOD.replace("2H", "9" * 5000 + "H"), f"line 3: '{'9' * 24}…' is not a card of a deck with N = 3"),
        (GOOD.replace("2H", "3S"), "line 3: '3S' stands in the deck twice"),
        (GOOD.replace(DECK, without("2H")), "line 3: 23 cards are not the full deck with N = 3"),
        (GOOD.replace("1\n3\n", "1\n4\n"), "line 3: 24 cards are not the full deck with N = 4"),
        (GOOD.replace("1\n3\n", "1\n2147483647\n"), "line 3: 24 cards are not the full deck with N = 2147483647"),
        (GOOD.replace("1\n3\n", f"1\n{'7' * 5000}\n"), f"line 3: 24 cards are not the full deck with N = {'7' * 24}…"),
        (GOOD.replace("Ami 1\nTami 3", ""), "line 3: the file ends here, 0 of at least 2 players are there"),
        (GOOD.replace("Tami 3", "#Tami 3"), "line 4: the file ends here, 1 of at least 2 players are there"),
        (GOOD.replace("Tami 3", "Tami"), "line 5: a player is a name and a strategy, two words and not 1"),
        (GOOD.replace("Tami 3", "Tami 3 4"), "line 5: a player is a name and a strategy, two words and not 3"),
        (GOOD.replace("Tami 3", "Tami 3 # x"), "line 5: a player is a name and a strategy, two words and not 4"),
        (GOOD.replace("Tami 3", "Ta\vmi 3"), "line 5: there is white space in the name 'Ta\\x0bmi'"),
        *(
            (GOOD.replace("Tami 3", f"Tami {bad}"), f"line 5: a strategy is 1, 2, 3 or 4, not {bad!r}")
            for bad in ("0", "5", "01", "x", "٣", "1.0")
        ),
        (GOOD.replace("Tami", "Ami"), "line 5: there is a player 'Ami' already"),
        (GOOD + "\nC 1\nD 1\n", "line 8: 24 cards are not enough: seven for each of 4 players"),
    ],
)
def test_a_bad_file_is_refused_with_the_line_and_the_fault(text: str, fault: str) -> None:
    with pytest.raises(BadConfig) as caught:
        read(text.encode())
    assert caught.value.message == fault
    assert caught.value.message == f"line {caught.value.line}: {caught.value.fault}"


def test_bytes_that_are_not_utf_8_are_refused_where_they_stand() -> None:
    with pytest.raises(BadConfig, match="line 4: this is not UTF-8 text"):
        read(GOOD.encode().replace(b"Ami", b"A\xffmi"))


def test_nobody_is_seated_beyond_the_last_chair() -> None:
    n = 18_000
    players = "\n".join(f"p{at} 1" for at in range(SEATS[-1] + 1))
    with pytest.raises(BadConfig, match="line 10004: 10000 players are the most that can be seated"):
        read(f"0\n{n}\n{' '.join(pack_of(n).cards)}\n{players}".encode())
