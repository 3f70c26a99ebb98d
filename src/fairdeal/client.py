"""Games of a server elsewhere, through the calls of the library; needs the extra `client`."""

try:
    from fairdeal.infrastructure.client.client import Account, Client, KindSummary, NewAccount, RemoteGamesOf
    from fairdeal.infrastructure.client.following import News
    from fairdeal.infrastructure.client.problems import NotAllowed, ServerUnavailable, Unauthenticated
except ModuleNotFoundError as missing:
    if missing.name != "httpx2":
        raise
    from fairdeal.domain.kernel.refusals import FairdealError

    raise FairdealError(
        "A client needs one more package: pip install 'fairdeal[client]'.", code="not_installed"
    ) from missing

__all__ = [
    "Account",
    "Client",
    "KindSummary",
    "NewAccount",
    "News",
    "NotAllowed",
    "RemoteGamesOf",
    "ServerUnavailable",
    "Unauthenticated",
]
