"""Writes down who was turned away, for whoever watches the logs; ids and paths alone."""

from litestar.types import Message, Scope

from prawko.base import logs

TURNED_AWAY = frozenset({401, 403, 429})
ASKS_WHO_IT_IS = "/api/user"  # every visitor's browser asks; its 401 is no event

log = logs.logger(__name__)


async def note_refusals(message: Message, scope: Scope) -> None:
    """The hook that notes refused rights, failed logins and used up limits."""
    if message["type"] != "http.response.start" or message["status"] not in TURNED_AWAY:
        return
    path, status = scope["path"], message["status"]
    if status == 401 and path == ASKS_WHO_IT_IS:
        return
    identity = scope.get("user")
    log.info(
        "request_refused",
        status=status,
        verb=scope.get("method"),
        path=path,
        user_id=str(identity.user_id) if identity else None,
        session_id=str(identity.session_id) if identity else None,
    )
