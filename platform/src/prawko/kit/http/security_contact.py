"""`/.well-known/security.txt`: where to report a vulnerability (RFC 9116)."""

from datetime import timedelta

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler

from prawko.kit.clock import utc_now
from prawko.kit.settings import Settings

PATH = "/.well-known/security.txt"
# RFC 9116 recommends less than a year; counted from the request, so that it never expires.
VALID_FOR = timedelta(days=330)


def create_security_txt_handler(settings: Settings) -> HTTPRouteHandler:
    """Return the route of security.txt."""

    @get(PATH, include_in_schema=False, media_type="text/plain", sync_to_thread=False)
    def show_security_txt() -> Response[str]:
        expires = (utc_now() + VALID_FOR).isoformat(timespec="seconds")
        body = (
            f"Contact: mailto:{settings.operator_contact_email}\n"
            f"Expires: {expires}\n"
            "Preferred-Languages: pl, en\n"
            f"Canonical: {settings.origin}{PATH}\n"
        )
        return Response(body, headers={"Cache-Control": "no-cache"}, media_type="text/plain")

    return show_security_txt
