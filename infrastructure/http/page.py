"""The page: static files, read once, sent packed, with the address where the app is mounted."""

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from fairdeal.infrastructure.http.problems import not_found_error

FOLDER = Path(__file__).resolve().parent.parent / "web"
SHELL = "index.html"
PATHS = (
    "/",
    "/games/{game}",
    "/games/{game}/replay",
    "/games/{game}/audit",
    "/players/{player}",
    "/ratings/{kind}",
    "/rules/{kind}",
    "/decks",
)
SMALLEST_PACKED = 500
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
BASE = '<base href="/">'


@dataclass(frozen=True, slots=True)
class Packed:
    """A file as it is sent."""

    content: bytes
    packed: bytes | None
    media_type: str
    tag: str

    @classmethod
    def of(cls, content: bytes, name: str) -> "Packed":
        kind = TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        if kind.startswith("text/") or kind == "image/svg+xml":
            kind += "; charset=utf-8"
        packed = gzip.compress(content, 9, mtime=0) if len(content) >= SMALLEST_PACKED else None
        return cls(content, packed, kind, f'"{hashlib.sha256(content).hexdigest()[:32]}"')

    def response(self, request: Request) -> Response:
        # Always asked for again, and mostly not sent again: there is no build step that could give files new names.
        headers = {"cache-control": "no-cache", "etag": self.tag, "vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        content = self.content
        if self.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            content = self.packed
        return Response(content, headers=headers, media_type=self.media_type)


class StaticPage:
    """All files of the page, in memory: they are few and small."""

    def __init__(self, folder: Path = FOLDER) -> None:
        files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix not in (".py", ".pyc")]
        self._files = {
            path.relative_to(folder).as_posix(): Packed.of(path.read_bytes(), path.name)
            for path in files
            if path.name != SHELL
        }
        self._shell = (folder / SHELL).read_text(encoding="utf-8")
        self._shells: dict[str, Packed] = {}

    async def file(self, request: Request) -> Response:
        found = self._files.get(request.path_params["path"])
        if found is None:
            raise not_found_error()
        return found.response(request)

    async def shell(self, request: Request) -> Response:
        """The same for every address: which page it is, the browser finds out."""
        root = str(request.scope.get("root_path", "")).rstrip("/")
        if root not in self._shells:
            text = self._shell.replace(BASE, f'<base href="{_attribute(root)}/">')
            if len(self._shells) >= 100:
                self._shells.clear()
            self._shells[root] = Packed.of(text.encode(), SHELL)
        return self._shells[root].response(request)

    async def nothing_here(self, request: Request) -> Response:
        """What a reader sees who mistyped an address."""
        response = await self.shell(request)
        response.status_code = 404
        return response


def is_asked_by_a_reader(request: Request) -> bool:
    """Programs get a problem as JSON; a browser that shows a page says that it takes HTML."""
    inside = request.url.path.removeprefix(str(request.scope.get("root_path", "")).rstrip("/"))
    return "text/html" in request.headers.get("accept", "") and not inside.startswith(("/api/", "/static/"))


def _attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def is_there() -> bool:
    return (FOLDER / SHELL).is_file()
