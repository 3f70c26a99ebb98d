"""Fairdeal over HTTP: an ASGI app to mount or to run; needs the extra `http`."""

try:
    from fairdeal.infrastructure.http.app import create_app
    from fairdeal.infrastructure.http.identity import Identify, Identity
    from fairdeal.infrastructure.http.limits import Limits
except ModuleNotFoundError as missing:
    if missing.name not in ("starlette", "prometheus_client", "anyio"):
        raise
    from fairdeal.domain.kernel.refusals import FairdealError

    raise FairdealError("HTTP needs more packages: pip install 'fairdeal[http]'.", code="not_installed") from missing

__all__ = ["Identify", "Identity", "Limits", "create_app"]
