"""Logs rejected requests, with ids and paths only."""

from litestar.types import Message, Scope

from prawko.kit.observability import logs

LOGGED_STATUSES = frozenset({401, 403, 429})
CURRENT_USER_PATH = "/api/user"  # the browser of every visitor requests it: its 401 is normal

log = logs.get_logger(__name__)


async def log_rejections(message: Message, scope: Scope) -> None:
    """Log 401, 403 and 429 responses (a `before_send` hook)."""
    if message["type"] != "http.response.start" or message["status"] not in LOGGED_STATUSES:
        return
    path, status = scope["path"], message["status"]
    if status == 401 and path == CURRENT_USER_PATH:
        return
    identity = scope.get("user")
    log.info(
        "request_rejected",
        status=status,
        verb=scope.get("method"),
        path=path,
        user_id=str(identity.user_id) if identity else None,
        session_id=str(identity.session_id) if identity else None,
    )
