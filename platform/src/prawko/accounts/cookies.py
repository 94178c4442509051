"""The session's cookie."""

from litestar.datastructures import Cookie

from prawko.accounts.identity import SESSION_LIFE
from prawko.base.settings import Settings


def cookie_name(settings: Settings) -> str:
    """`__Host-` binds the cookie to https and this host; plain loopback cannot have that."""
    return "__Host-prawko" if settings.secure else "prawko"


def session_cookie(settings: Settings, token: str | None) -> Cookie:
    """The session's cookie; without a token, the one that takes it away."""
    return Cookie(
        key=cookie_name(settings),
        value=token or "",
        max_age=int(SESSION_LIFE.total_seconds()) if token else 0,
        path="/",
        secure=settings.secure,
        httponly=True,
        samesite="lax",
    )
