"""A house that owns everything and writes into recorded games what it likes, with links that fit."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

from fairdeal import Fairdeal
from fairdeal.application.log.links import salt_of
from fairdeal.domain.kernel.chance import NO_SHARE, Chance, digest, share
from fairdeal.domain.tcg.decks import DEFAULT_DECK, expanded
from fairdeal.domain.tcg.pool import STARTER
from fairdeal.testing.recorded import relinked
from kits.audit import Payload, golden, said, written
from kits.verifier import VERIFIER

Rows = list[tuple[str, Payload]]
Change = Callable[[dict[str, Any]], object]

SEALED, UNSEALED, ROUNDS, CARDS = "kings_corners-classic-2", "kings_corners-abandoned", "red7-match-2", "tcg-full-2"
KATA = expanded(DEFAULT_DECK, STARTER)


class House:
    """Somebody who owns the database and writes into a recorded game what they like; then all links fit again."""

    def __init__(self, name: str) -> None:
        records = golden(name)
        self.game_id: UUID = records[0].game_id
        self.rows: Rows = [(record.name, said(record)) for record in records]

    def events(self, name: str) -> list[dict[str, Any]]:
        return [payload["event"] for stored, payload in self.rows if stored.split(".")[1] == name]

    @property
    def seed(self) -> bytes:
        return bytes.fromhex(self.events("game_opened")[0]["seed"])

    @property
    def players(self) -> list[str]:
        gone = [event["player"] for event in self.events("player_left")]
        return [event["player"] for event in self.events("player_seated") if event["player"] not in gone]

    @property
    def chance(self) -> Chance:
        shares = [NO_SHARE] * len(self.players)
        for event in self.events("entropy_revealed"):
            shares[event["seat"]] = share(bytes.fromhex(event["entropy"]))
        return Chance(self.seed, self.game_id.bytes, shares)

    def reseed(self, seed: bytes) -> None:
        self.events("game_opened")[0].update(seed=seed.hex(), commitment=digest(seed))

    def file(self, write: Callable[[Payload], bytes] = written) -> str:
        """The log as an export of a game that is over; Fairdeal itself could not follow some of them."""
        opened = self.rows[0][1]
        header = {
            "fairdeal": 1,
            "game": str(self.game_id),
            "kind": self.rows[0][0].partition(".")[0],
            "rules": opened["rules"],
            "options": opened["event"]["options"],
            "players": self.players,
            "viewer": None,
        }
        records = relinked(self.seed, self.game_id, [(name, write(payload)) for name, payload in self.rows])
        lines = [
            {
                "version": record.version,
                "name": record.name,
                "payload": record.payload.decode(),
                "salt": salt_of(self.seed, record.version).hex(),
                "link": record.link.hex(),
            }
            for record in records
        ]
        footer = {"records": len(records), "link": records[-1].link.hex(), "seed": self.seed.hex(), "digest": ""}
        return digested([header, *lines, footer])


def digested(lines: list[dict[str, Any]]) -> str:
    """The file with a digest that fits, as everybody can make it."""
    text = "".join(written(line).decode() + "\n" for line in lines[:-1])
    return text + written({**lines[-1], "digest": hashlib.sha256(text.encode()).hexdigest()}).decode() + "\n"


def fair(text: str) -> str:
    return str(VERIFIER.verify(text)[1])


def status(tmp_path: Path, text: str) -> int:
    path = tmp_path / "odd.jsonl"
    path.write_text(text, encoding="utf-8", newline="\n")
    return int(VERIFIER.main(str(path)))


def played_out(fairdeal: Fairdeal, game: UUID) -> UUID:
    rng = Random(2)
    while active := (look := fairdeal.look(game)).active:
        player = look.players[active[0]]
        fairdeal.move(game, player, rng.choice(fairdeal.look(game, player).legal))
    return game
