"""Security headers of every response, errors included."""

from typing import cast

from litestar.types import BeforeMessageSendHookHandler, Message, Scope

from prawko.kit.observability.request_ids import current_request_id
from prawko.kit.settings import Settings

COMMON_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"strict-origin-when-cross-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"x-frame-options", b"DENY"),
    # Pages set their own policy; any other response may load nothing when opened directly.
    (
        b"content-security-policy",
        b"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
)
HSTS = (b"strict-transport-security", b"max-age=31536000; includeSubDomains")
NO_STORE = (b"cache-control", b"no-store")
REQUEST_ID_HEADER = b"x-request-id"
STATUS = "prawko_status"  # of the response, noted in the scope of its request
UNCACHED_PREFIXES = frozenset({"api", "dev", "health"})


def security_headers_hook(settings: Settings) -> BeforeMessageSendHookHandler:
    """Return a `before_send` hook that adds the headers which a response does not set itself.

    A hook instead of middleware, because it also sees responses to requests without a route.
    It notes the status, too.
    """
    page_headers = [*COMMON_HEADERS, HSTS] if settings.is_https else [*COMMON_HEADERS]
    data_headers = [*page_headers, NO_STORE]
    known_names = frozenset(name for name, _ in data_headers)

    async def add_headers(message: Message, scope: Scope) -> None:
        if message["type"] != "http.response.start":
            return
        is_data = scope["path"].lstrip("/").partition("/")[0] in UNCACHED_PREFIXES
        added = data_headers if is_data else page_headers
        present = list(message.get("headers", ()))
        if overridden := {name.lower() for name, _ in present} & known_names:
            added = [header for header in added if header[0] not in overridden]
        request_id = (REQUEST_ID_HEADER, current_request_id().encode())
        message["headers"] = [*present, *added, request_id]
        cast("dict[str, object]", scope)[STATUS] = str(message["status"])

    return add_headers
