"""Which operation a request is for: found part by part along its path."""

from collections.abc import Awaitable, Iterable

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from fairdeal.infrastructure.http.problems import HttpProblem, problem


class _Place:
    """What is at one path: an endpoint for each method, and the places below it."""

    def __init__(self) -> None:
        self.endpoints: dict[str, ASGIApp] = {}
        self.below: dict[str, _Place] = {}
        self.name = ""
        self.any: _Place | None = None
        """The place below for whatever part has no place of its own, and the name of that part."""

    def at(self, part: str) -> "_Place":
        """The place below for a part as a path of the register writes it: `games`, or `{game}`."""
        if not part.startswith("{"):
            return self.below.setdefault(part, _Place())
        if self.any is None:
            self.name, self.any = part[1:-1], _Place()
        assert self.name == part[1:-1], f"one part of a path has two names: {self.name} and {part}"
        return self.any


class Routing:
    """All operations; a path that has none is left to the app behind it."""

    def __init__(self, app: ASGIApp, endpoints: Iterable[tuple[str, str, ASGIApp]]) -> None:
        """`endpoints` are methods, paths, and what answers there."""
        self._app = app
        self._root = _Place()
        for method, path, endpoint in endpoints:
            place = self._root
            for part in path.split("/"):
                place = place.at(part)
            place.endpoints[method] = endpoint
            if method == "GET":
                place.endpoints["HEAD"] = endpoint

    # Not a coroutine, as everything that only hands on is not: each one of those takes time with every request.
    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] != "http":
            return self._app(scope, receive, send)
        place, found = self._root, dict[str, str]()
        for part in _path_inside(scope).split("/"):
            below = place.below.get(part)
            if below is None:
                if place.any is None or not part:
                    return self._app(scope, receive, send)
                found[place.name] = part
                below = place.any
            place = below
        if not place.endpoints:
            return self._app(scope, receive, send)
        endpoint = place.endpoints.get(scope["method"]) or not_allowed(place.endpoints)
        # Where Starlette's own routes put it, for whoever looks there.
        scope["path_params"] = {**scope.get("path_params", {}), **found}
        scope["endpoint"] = endpoint
        return endpoint(scope, receive, send)


def not_allowed(methods: Iterable[str]) -> Response:
    """What is said to who uses another method than these."""
    status, body, headers = problem(HttpProblem("method_not_allowed", "This address does not take that method."))
    return Response(body, status, {**headers, "allow": ", ".join(sorted(methods))})


def _path_inside(scope: Scope) -> str:
    """The path without the part where the app is mounted."""
    path: str = scope["path"]
    root: str = scope.get("root_path", "")
    if root and path.startswith(root) and path[len(root) : len(root) + 1] in ("", "/"):
        return path[len(root) :]
    return path
