"""The built browser application: files read once, answered from memory.

Every path that names no file answers the fallback page; the application itself decides
there what a visitor sees.
"""

import gzip
import mimetypes
from pathlib import Path
from typing import Any

import msgspec
from litestar import Request, Response, get
from litestar.handlers import HTTPRouteHandler

from prawko.base.errors import NotFoundError

# Paths that are never the browser application's; a mistyped one is said so.
OUR_OWN = frozenset({"api", "dev", "health"})
FALLBACK = "__spa-fallback.html"
COMPRESSED = (".html", ".js", ".css", ".svg", ".json", ".txt", ".webmanifest")
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"


class SiteFile(msgspec.Struct, frozen=True):
    """One file, ready to be sent."""

    body: bytes
    gzipped: bytes | None
    media_type: str
    headers: dict[str, str]


class Site:
    """The files of one build by their path on the site."""

    def __init__(self, folder: Path) -> None:
        policies = _policies(folder)
        self._files = {
            f"/{path.relative_to(folder).as_posix()}": _read(path, folder, policies)
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name != "csp.json"
        }

    def find(self, path: str) -> SiteFile:
        """The file at a path: itself, its prerendered page, or the fallback page.

        A named file of another release is missing, and must not come as a page instead.
        """
        if path.startswith("/assets/") and path not in self._files:
            raise NotFoundError
        for candidate in (path, f"{path.rstrip('/')}/index.html", f"/{FALLBACK}"):
            if candidate in self._files:
                return self._files[candidate]
        raise NotFoundError


def _policies(folder: Path) -> dict[str, list[str]]:
    """The hashes of the inline scripts of each page, as the build left them."""
    try:
        listed = (folder / "csp.json").read_bytes()
    except FileNotFoundError:
        return {}
    return msgspec.json.decode(listed, type=dict[str, list[str]])


def _read(path: Path, folder: Path, policies: dict[str, list[str]]) -> SiteFile:
    name = path.relative_to(folder).as_posix()
    body = path.read_bytes()
    headers = {"Cache-Control": FOR_EVER if name.startswith("assets/") else ASK_AGAIN}
    if path.suffix == ".html":
        headers["Content-Security-Policy"] = _policy(policies.get(name, []))
    packed = gzip.compress(body, 9) if path.suffix in COMPRESSED else None
    if packed is not None:
        headers["Vary"] = "Accept-Encoding"
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return SiteFile(body, packed, kind, headers)


def _policy(script_hashes: list[str]) -> str:
    scripts = " ".join(["'self'", *(f"'{digest}'" for digest in script_hashes)])
    return (
        f"default-src 'self'; script-src {scripts}; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self'; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    )


def site_handler(site: Site) -> HTTPRouteHandler:
    """The route that answers what no other route does."""

    @get(["/", "/{path:path}"], include_in_schema=False, sync_to_thread=False)
    def serve_site(request: Request[Any, Any, Any]) -> Response[bytes]:
        path = request.scope["path"]
        if path.split("/", 2)[1] in OUR_OWN:
            raise NotFoundError
        file = site.find(path)
        headers = dict(file.headers)
        body = file.body
        if file.gzipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
            body = file.gzipped
            headers["Content-Encoding"] = "gzip"
        return Response(body, media_type=file.media_type, headers=headers)

    return serve_site
