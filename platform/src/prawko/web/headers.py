"""The headers that every answer carries, pages, data, refusals and failures alike."""

from litestar.types import BeforeMessageSendHookHandler, Message, Scope

from prawko.base.settings import Settings

ALWAYS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"strict-origin-when-cross-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"x-frame-options", b"DENY"),
    # Pages bring a policy of their own; whatever else is opened by itself may do nothing.
    (
        b"content-security-policy",
        b"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
)
HSTS = (b"strict-transport-security", b"max-age=31536000; includeSubDomains")
NEVER_STORED = (b"cache-control", b"no-store")
DATA = frozenset({"api", "dev", "health"})


def security_headers(settings: Settings) -> BeforeMessageSendHookHandler:
    """The hook that adds what an answer does not bring itself; data is never stored.

    A hook and no middleware: what the router refuses before any route is found passes too.
    """
    always = [*ALWAYS, HSTS] if settings.secure else [*ALWAYS]
    data = [*always, NEVER_STORED]
    ours = frozenset(name for name, _ in data)

    async def add(message: Message, scope: Scope) -> None:
        if message["type"] != "http.response.start":
            return
        wanted = data if scope["path"].lstrip("/").partition("/")[0] in DATA else always
        brought = list(message.get("headers", ()))
        if own := {name.lower() for name, _ in brought} & ours:
            wanted = [one for one in wanted if one[0] not in own]
        message["headers"] = brought + wanted

    return add
