"""The page of the developer tools; its CSP allows no inline script or style, so it is files."""

from functools import cache
from importlib.resources import files

from litestar import Controller, MediaType, Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from prawko.kit.errors import NotFoundError
from prawko_demo.tracebacks import Tracebacks

_MEDIA_TYPES = {
    "index.html": "text/html",
    "page.css": "text/css",
    "notices.css": "text/css",
    "hosted_page.css": "text/css",
    "page.js": "text/javascript",
}
_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)


class PageController(Controller):
    """The page and its files."""

    @get("/", sync_to_thread=False)
    def show_page(self) -> Response[bytes]:
        return _asset_response(
            "index.html", {"Content-Security-Policy": _SECURITY_POLICY, "Cache-Control": "no-store"}
        )

    @get("/tracebacks", media_type=MediaType.TEXT, sync_to_thread=False)
    def show_tracebacks(self, tracebacks: NamedDependency[Tracebacks]) -> str:
        """Return what plugins raised, newest last."""
        return tracebacks.read()

    @get("/page/{name:str}", sync_to_thread=False)
    def show_asset(self, name: FromPath[str]) -> Response[bytes]:
        """Return a script or a style sheet of the page."""
        if name not in _MEDIA_TYPES:
            raise NotFoundError
        return _asset_response(name, {})


def _asset_response(name: str, headers: dict[str, str]) -> Response[bytes]:
    return Response(_read_asset(name), media_type=_MEDIA_TYPES[name], headers=headers)


@cache
def _read_asset(name: str) -> bytes:
    return files("prawko_demo.dev_api").joinpath("static", name).read_bytes()
