"""The cookies: the session, and the one by which accounts know a browser."""

from datetime import timedelta

from litestar.datastructures import Cookie

from prawko.accounts.authentication import SESSION_LIFETIME
from prawko.accounts.known_browsers import KNOWN_BROWSER_LIFETIME
from prawko.accounts.login import NewSession
from prawko.kit.settings import Settings


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


def known_browser_cookie_name(settings: Settings) -> str:
    """Return the name of the cookie by which accounts know a browser."""
    return f"{cookie_name(settings)}-browser"


def known_browser_cookie(settings: Settings, value: str) -> Cookie:
    """Return the cookie by which accounts know this browser; it outlives the session."""
    return Cookie(
        key=known_browser_cookie_name(settings),
        value=value,
        max_age=int(KNOWN_BROWSER_LIFETIME.total_seconds()),
        path="/",
        secure=settings.is_https,
        httponly=True,
        samesite="strict",
    )


def sign_in_cookies(settings: Settings, signed_in: NewSession) -> list[Cookie]:
    """Return the cookies of a new session, and of the known browser where it is one from now on."""
    cookies = [session_cookie(settings, signed_in.token)]
    if signed_in.known_browsers is not None:
        cookies.append(known_browser_cookie(settings, signed_in.known_browsers))
    return cookies
