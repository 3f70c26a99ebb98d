"""Tables with sealed entropy, on their way to the deal and beyond."""

from hashlib import sha256
from uuid import UUID

from fairdeal import Fairdeal, JoinGame, LeaveGame, OpenGame, RevealEntropy, StartGame


def entropy(player: str, number: int = 0) -> bytes:
    return sha256(f"{player} {number}".encode()).digest()


def closed(fairdeal: Fairdeal, number: int = 0, *, opener: str = "host", bob: int | None = None) -> UUID:
    """A table of which the seats are closed and all seals shut."""
    game = fairdeal.handle(OpenGame(player=opener, kind="red7")).game_id
    for player, which in (("ann", number), ("bob", number if bob is None else bob)):
        seal = sha256(entropy(player, which)).hexdigest()
        fairdeal.handle(JoinGame(game_id=game, player=player, seal=seal))
    fairdeal.handle(StartGame(game_id=game, player=opener))
    return game


def dealt(fairdeal: Fairdeal, number: int = 0, *, bob: int | None = None) -> UUID:
    """A sealed game that came to its deal and was given up."""
    game = closed(fairdeal, number, bob=bob)
    for player, which in (("ann", number), ("bob", number if bob is None else bob)):
        fairdeal.handle(RevealEntropy(game_id=game, player=player, entropy=entropy(player, which).hex()))
    fairdeal.handle(LeaveGame(game_id=game, player="bob"))
    return game
