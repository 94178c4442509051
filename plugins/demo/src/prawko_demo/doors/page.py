"""The page for people: the same doors with buttons. Its parts are files, as the CSP wants them."""

from functools import cache
from importlib.resources import files

from litestar import Controller, Response, get
from litestar.params import FromPath

from prawko.base.errors import NotFoundError

_MEDIA_TYPES = {
    "index.html": "text/html; charset=utf-8",
    "page.css": "text/css; charset=utf-8",
    "notices.css": "text/css; charset=utf-8",
    "pay.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)


class PageDoor(Controller):
    """The page and its files."""

    @get("/", sync_to_thread=False)
    def show(self) -> Response[bytes]:
        return _file(
            "index.html", {"Content-Security-Policy": _POLICY, "Cache-Control": "no-store"}
        )

    @get("/page/{name:str}", sync_to_thread=False)
    def part(self, name: FromPath[str]) -> Response[bytes]:
        """What the page is made of."""
        if name not in _MEDIA_TYPES:
            raise NotFoundError
        return _file(name, {})


def _file(name: str, headers: dict[str, str]) -> Response[bytes]:
    return Response(_read(name), media_type=_MEDIA_TYPES[name], headers=headers)


@cache
def _read(name: str) -> bytes:
    return files("prawko_demo.doors").joinpath("static", name).read_bytes()
