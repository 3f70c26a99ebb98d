"""docs/format.md tells the truth, and the independent verifier agrees with it."""

import re
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from uuid import UUID

from fairdeal.application.log.links import NO_LINK, link_of, salt_of, seal_of
from fairdeal.domain.kernel.chance import NO_SHARE, Chance, digest, share
from fairdeal.domain.kernel.french_deck import DECK
from kits.verifier import VERIFIER

DOCS = Path(__file__).parents[3] / "docs"
VECTORS: dict[str, str] = dict(
    re.findall(r"^\| ([^|]+) \| `([^`]+)` \|$", (DOCS / "format.md").read_text(encoding="utf-8"), re.M)
)
SEED = bytes(range(32))
GAME = UUID("00112233-4455-6677-8899-aabbccddeeff")
ENTROPY = b"\x01" * 16
CHANCE = Chance(SEED, GAME.bytes, [share(ENTROPY), NO_SHARE])


def vector(beginning: str) -> str:
    (value,) = [value for name, value in VECTORS.items() if name.startswith(beginning)]
    return value


def test_the_vectors_of_seal_and_link() -> None:
    payload = vector("payload").encode()
    salt = salt_of(SEED, 7)
    assert salt.hex() == vector("salt")
    assert seal_of(salt, payload).hex() == vector("its seal")
    assert link_of(NO_LINK, GAME, 7, "kings_corners.card_played.v1", seal_of(salt, payload)).hex() == vector("its link")


def test_the_vectors_of_seed_and_entropy() -> None:
    assert digest(SEED) == vector("commitment")
    assert digest(ENTROPY) == vector("seal of the entropy")
    assert share(ENTROPY).hex() == vector("share of the entropy")


def test_the_vectors_of_chance() -> None:
    words = islice(CHANCE._words(0), 4)  # pyright: ignore[reportPrivateUsage]
    assert " ".join(map(str, words)) == vector("first four words")
    assert " ".join(CHANCE.shuffle(0, DECK)) == vector("shuffle 0")
    assert " ".join(str(CHANCE.pick(2, below)) for below in (2, 3, 10, 1000)) == vector("number below")


def test_the_verifier_agrees_with_the_vectors() -> None:
    payload, name = vector("payload").encode(), "kings_corners.card_played.v1"
    salt = VERIFIER.salt_of(SEED, 7)
    assert salt.hex() == vector("salt")
    link = VERIFIER.link_of(NO_LINK, GAME.bytes, 7, name, seal_of(salt, payload))
    assert link.hex() == vector("its link")
    seats = [VERIFIER.Seat("ann", None, vector("seal of"), bytes.fromhex(vector("share of")))]
    seats.append(VERIFIER.Seat("bob", None, None, bytes(32)))
    table = VERIFIER.Table("pardon", {}, seats)

    def words(number: int) -> Iterator[int]:
        return VERIFIER.draws(SEED, GAME.bytes, table, number)

    assert " ".join(map(str, islice(words(0), 4))) == vector("first four words")
    assert " ".join(VERIFIER.shuffled(VERIFIER.FRENCH, words(0))) == vector("shuffle 0")
    numbers = [VERIFIER.number_below(below, words(2)) for below in (2, 3, 10, 1000)]
    assert " ".join(map(str, numbers)) == vector("number below")


def test_the_verifier_needs_nothing_but_the_standard_library() -> None:
    text = Path(VERIFIER.__file__).read_text(encoding="utf-8")
    imported = set(re.findall(r"^\s*(?:import|from) (\w+)", text, re.M))
    assert imported
    assert imported <= sys.stdlib_module_names
