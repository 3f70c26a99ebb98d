"""docs/format.md tells the truth, and the independent verifier agrees with it."""

import re
from itertools import islice
from pathlib import Path
from uuid import UUID

from fairdeal.application.log.links import NO_LINK, link_of, salt_of, seal_of
from fairdeal.domain.kernel.chance import NO_SHARE, Chance, digest, share
from fairdeal.domain.kernel.french_deck import DECK

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


def test_the_verifier_is_short_and_needs_nothing_but_the_standard_library() -> None:
    text = (DOCS / "verify.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 150
    assert set(re.findall(r"^(?:import|from) (\w+)", text, re.M)) == {"hashlib", "hmac", "json", "sys"}
