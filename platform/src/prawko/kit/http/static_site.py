"""Serves the built browser application from memory.

A browser with a session gets the fallback page at every path, in which the application does its own
routing; a visitor gets a prerendered page, the landing page where there is none, and the fallback
page only where the application has screens for visitors. The page at a path that the application
does not know has status 404. Placeholders in pages are replaced once,
when the site is loaded.
"""

import gzip
import hashlib
import html
import json
import mimetypes
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from litestar import Request, Response, get
from litestar.handlers import HTTPRouteHandler

from prawko.kit.errors import NotFoundError
from prawko.kit.http.body_limits import SHARED_BODY
from prawko.kit.http.compression import negotiate_encoding

# Paths that never belong to the browser application: an unknown one is 404.
RESERVED_PREFIXES = frozenset({".well-known", "api", "dev", "health"})
FALLBACK_PAGE = "__spa-fallback.html"
LANDING_PAGE = "index.html"
# First segments of the paths at which the application itself serves visitors.
APPLICATION_PREFIXES = frozenset({"ack", "auth", "admin"})
# Pages to which links with a token lead, and their headers.
LINK_PAGES = frozenset({"/ack", "/auth/alerts", "/auth/reset-password"})
LINK_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
}
# First segments of the paths whose prerendered page is for users as well.
SHARED_PREFIXES = frozenset({"demo"})
COMPRESSED_SUFFIXES = (".html", ".js", ".css", ".svg", ".json", ".txt", ".webmanifest", ".xml")
# Encodings, preferred ones first, and the suffix of the files that the build encoded.
ENCODINGS = {"br": ".br", "gzip": ".gz"}
# Files in which placeholders such as __SITE_URL__ stand for the configuration of the server.
TEMPLATE_SUFFIXES = (".html", ".xml", ".txt")
# It has its own policy, and fetches the page that the browser opens.
SERVICE_WORKER = "service-worker.js"
SERVICE_WORKER_POLICY = "default-src 'none'; connect-src 'self'"
CACHE_IMMUTABLE = "public, max-age=31536000, immutable"
CACHE_REVALIDATE = "no-cache"

_JSON_SCRIPT = re.compile(r'(<script type="application/ld\+json">.*?</script>)', re.DOTALL)
# Python's own table, the same on every machine, with missing types added.
_MEDIA_TYPES = mimetypes.MimeTypes()
_MEDIA_TYPES.add_type("text/javascript", ".js")
_MEDIA_TYPES.add_type("font/woff2", ".woff2")


class StaticFile(msgspec.Struct, frozen=True):
    """A file with its response headers; `encoded` has it by content encoding."""

    body: bytes
    encoded: dict[str, bytes]
    entity_tag: str
    media_type: str
    headers: dict[str, str]


class StaticSite:
    """The files of a build by their path on the site."""

    def __init__(
        self,
        folder: Path,
        texts: Mapping[str, str],
        fragments: Mapping[str, str] | None = None,
        *,
        fallback: str = FALLBACK_PAGE,
    ) -> None:
        """Load the files and replace the placeholders of the pages.

        `texts` are the values of `__NAME__` by NAME, escaped here; `fragments` maps whole
        placeholders to HTML. Inline scripts contain none: their hashes are the build's.
        """
        self._fallback = f"/{fallback}"
        script_hashes: dict[str, list[str]] = _load_json(folder / "csp.json", {})
        routes: list[str] = _load_json(folder / "routes.json", ["/*"])
        self._routes = re.compile("|".join(map(_route_pattern, [*routes, "/admin", "/admin/*"])))
        self._files = {
            f"/{path.relative_to(folder).as_posix()}": _load_file(
                path, folder, script_hashes, texts, fragments or {}
            )
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not _is_build_metadata(path.relative_to(folder))
        }

    def is_known(self, path: str) -> bool:
        """Return whether a file or a screen of the application has this path."""
        return path in self._files or self._routes.fullmatch(path.rstrip("/") or "/") is not None

    def find_file(self, path: str, *, has_session: bool) -> StaticFile:
        """Return the file at a path, or the page for the caller.

        Raises NotFoundError for an unknown asset: it may belong to another release, and must not
        be answered by a page.
        """
        if path.startswith("/assets/") and path not in self._files:
            raise NotFoundError
        pages = [self._fallback]
        segment = path.split("/", 2)[1]
        if not has_session or segment in SHARED_PREFIXES:
            pages.insert(0, f"{path.rstrip('/')}/index.html")
            if segment not in APPLICATION_PREFIXES:
                pages.insert(1, f"/{LANDING_PAGE}")
        for candidate in (path, *pages):
            if candidate in self._files:
                return self._files[candidate]
        raise NotFoundError


def _is_build_metadata(path: Path) -> bool:
    metadata = {".vite", "csp.json", "routes.json"}
    return path.parts[0] in metadata or path.suffix in ENCODINGS.values()


def _load_json(file: Path, default: Any) -> Any:
    """Return what the build wrote for the server, or `default` for a build without it."""
    return msgspec.json.decode(file.read_bytes()) if file.is_file() else default


def _route_pattern(path: str) -> str:
    """Return a pattern for a path such as `/panel/drivers/:driverId`, or `/admin/*`."""
    return re.sub(r":\w+", "[^/]+", path).replace("*", ".*")


def fill_placeholders(page: str, values: Mapping[str, str]) -> str:
    """Return the page with the values of its placeholders, escaped for HTML and XML or for JSON."""

    def fill(text: str, escape: Callable[[str], str]) -> str:
        for name, value in values.items():
            text = text.replace(f"__{name}__", escape(value))
        return text

    parts = _JSON_SCRIPT.split(page)  # markup and JSON in turn
    return "".join(
        fill(part, _escape_json if index % 2 else html.escape) for index, part in enumerate(parts)
    )


def _escape_json(text: str) -> str:
    """Return the text for a JSON string inside a script element."""
    return json.dumps(text)[1:-1].replace("<", "\\u003c")


def _load_file(
    path: Path,
    folder: Path,
    script_hashes: dict[str, list[str]],
    texts: Mapping[str, str],
    fragments: Mapping[str, str],
) -> StaticFile:
    name = path.relative_to(folder).as_posix()
    body = path.read_bytes()
    if path.suffix in TEMPLATE_SUFFIXES:
        body = fill_placeholders(body.decode(), texts).encode()
    headers = {"Cache-Control": CACHE_IMMUTABLE if name.startswith("assets/") else CACHE_REVALIDATE}
    if path.suffix == ".html":
        body = replace_placeholders(body.decode(), fragments).encode()
        headers["Content-Security-Policy"] = _content_security_policy(script_hashes.get(name, []))
    elif name == SERVICE_WORKER:
        headers["Content-Security-Policy"] = SERVICE_WORKER_POLICY
    encoded = _load_encoded(path, body)
    if encoded:
        headers["Vary"] = "Accept-Encoding, Cookie" if path.suffix == ".html" else "Accept-Encoding"
    media_type = _MEDIA_TYPES.guess_type(path.name)[0] or "application/octet-stream"
    return StaticFile(body, encoded, hashlib.sha256(body).hexdigest()[:32], media_type, headers)


def _load_encoded(path: Path, body: bytes) -> dict[str, bytes]:
    """Return the file by content encoding: as the build prepared it, else compressed here."""
    prepared = {
        encoding: path.with_name(path.name + suffix) for encoding, suffix in ENCODINGS.items()
    }
    encoded = {name: file.read_bytes() for name, file in prepared.items() if file.is_file()}
    if not encoded and path.suffix in COMPRESSED_SUFFIXES:
        return {"gzip": gzip.compress(body, 9, mtime=0)}
    return encoded


def replace_placeholders(page: str, placeholders: Mapping[str, str]) -> str:
    """Return the page with its placeholders replaced; what replaces one is not searched again."""
    if not placeholders:
        return page
    pattern = "|".join(map(re.escape, placeholders))
    return re.sub(pattern, lambda found: placeholders[found[0]], page)


def _content_security_policy(script_hashes: list[str]) -> str:
    scripts = " ".join(["'self'", *(f"'{digest}'" for digest in script_hashes)])
    return (
        f"default-src 'self'; script-src {scripts}; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self'; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    )


def create_site_handler(site: StaticSite, session_cookie_name: str) -> HTTPRouteHandler:
    """Return the route for all paths without a route of their own."""

    @get(
        ["/", "/{path:path}"],
        include_in_schema=False,
        sync_to_thread=False,
        opt={SHARED_BODY: True},
    )
    def serve_site(request: Request[Any, Any, Any]) -> Response[bytes | None]:
        path = request.scope["path"]
        if path.split("/", 2)[1] in RESERVED_PREFIXES:
            raise NotFoundError
        file = site.find_file(path, has_session=bool(request.cookies.get(session_cookie_name)))
        if path.rstrip("/") in LINK_PAGES:
            file = msgspec.structs.replace(file, headers={**file.headers, **LINK_HEADERS})
        return create_file_response(request, file, is_missing=not site.is_known(path))

    return serve_site


def create_file_response(
    request: Request[Any, Any, Any], file: StaticFile, *, is_missing: bool = False
) -> Response[bytes | None]:
    """Return a file in an encoding that the browser accepts, or 304 for a current copy.

    With `is_missing` the file is the page that tells of a missing one, with status 404.
    """
    accepted = ",".join(request.headers.getall("accept-encoding", []))
    encoding = negotiate_encoding(accepted, tuple(file.encoded))
    entity_tag = f'"{file.entity_tag}-{encoding}"' if encoding else f'"{file.entity_tag}"'
    # Also on 304: the browser stores the headers anew, and without its own Content-Security-
    # Policy a page would get the one of data.
    headers = {**file.headers, "ETag": entity_tag}
    is_current = _matches_entity_tag(request.headers.get("if-none-match", ""), entity_tag)
    if is_current and not is_missing:
        return Response(b"", status_code=304, headers=headers, media_type=file.media_type)
    if encoding:
        headers["Content-Encoding"] = encoding
    body = file.encoded[encoding] if encoding else file.body
    return Response(
        body,
        status_code=404 if is_missing else 200,
        media_type=file.media_type,
        headers=headers,
    )


def _matches_entity_tag(if_none_match: str, entity_tag: str) -> bool:
    """Whether the browser's copy is current (RFC 9110, section 13.1.2: a weak comparison)."""
    tags = {tag.strip().removeprefix("W/") for tag in if_none_match.split(",")}
    return entity_tag in tags or "*" in tags
