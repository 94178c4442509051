"""The session cookie."""

from datetime import timedelta

from litestar.datastructures import Cookie

from prawko.accounts.authentication import SESSION_LIFETIME
from prawko.base.settings import Settings


def cookie_name(settings: Settings) -> str:
    """Return the cookie's name. `__Host-` binds it to HTTPS and this host; HTTP cannot have it."""
    return "__Host-prawko" if settings.is_https else "prawko"


def session_cookie(
    settings: Settings, token: str | None, lifetime: timedelta = SESSION_LIFETIME
) -> Cookie:
    """Return the session cookie; without a token, an expired one that deletes it."""
    return Cookie(
        key=cookie_name(settings),
        value=token or "",
        max_age=int(lifetime.total_seconds()) if token else 0,
        path="/",
        secure=settings.is_https,
        httponly=True,
        samesite="lax",
    )
