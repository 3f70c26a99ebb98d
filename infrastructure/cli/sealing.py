"""Entropy that people at this keyboard put into the shuffle: sealed when they sit down, opened when all sit.

It is kept in a file until then, so that a game goes on even if the program is killed in between.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from typing import Any
from uuid import UUID

from fairdeal.application.commands.messages import JoinGame, OpenGame, RevealEntropy, StartGame
from fairdeal.domain.kernel.lobby import Phase
from fairdeal.infrastructure.cli.home import data_folder
from fairdeal.infrastructure.cli.output import CannotDo
from fairdeal.service import Fairdeal

SIZE = 32
"""Bytes of entropy for each person."""


def start_sealed(
    fairdeal: Fairdeal,
    kind: str,
    people: Sequence[str],
    others: Sequence[str],
    options: Any,
    brings: Mapping[str, Any],
) -> UUID:
    """Opens a table, seats everybody, each person with sealed entropy of their own, and deals."""
    opened = fairdeal.handle(OpenGame(player=people[0], kind=kind, options=options, rated=not others))
    game = opened.game_id
    for player in people:
        fairdeal.handle(JoinGame(game_id=game, player=player, brings=brings.get(player), seal=sealed(game, player)))
    for player in others:
        fairdeal.handle(JoinGame(game_id=game, player=player))
    fairdeal.handle(StartGame(game_id=game, player=people[0]))
    open_seals(fairdeal, game)
    return game


def open_seals(fairdeal: Fairdeal, game: UUID) -> None:
    """Opens the seals that were made at this keyboard; the last one deals."""
    look = fairdeal.look(game)
    for seat in look.active if look.phase is Phase.SEALED else ():
        player = look.players[seat]
        file = kept(game, player)
        if not file.is_file():
            raise CannotDo(f"{player} sealed entropy elsewhere: the game goes on when it is opened there.")
        fairdeal.handle(RevealEntropy(game_id=game, player=player, entropy=file.read_text(encoding="ascii")))
        file.unlink()


def sealed(game: UUID, player: str) -> str:
    """The seal of new entropy, which is kept."""
    entropy = token_bytes(SIZE)
    file = kept(game, player)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=0o600)
    file.write_text(entropy.hex(), encoding="ascii")
    return sha256(entropy).hexdigest()


def kept(game: UUID, player: str) -> Path:
    """The file with what a player at this keyboard has sealed."""
    # Names of players may hold what names of files may not.
    return data_folder() / "sealed" / f"{game}-{sha256(player.encode()).hexdigest()[:16]}"
