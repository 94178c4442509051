"""The link that lets a forgotten password be replaced: how it looks, how long it lives (R16).

Its token carries the id of its row, so that it is found by its key, and 256 random bits.
"""

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from datetime import timedelta
from uuid import UUID

RESET_LINK_LIFE = timedelta(minutes=60)
PAGE = "/auth/reset-password"
_ID_BYTES = 16
_SECRET_BYTES = 32
_LONGEST = 100


def new_token(code_id: UUID) -> str:
    """A fresh token of the code's row: 64 characters that stand in an address as they are."""
    return urlsafe_b64encode(code_id.bytes + secrets.token_bytes(_SECRET_BYTES)).decode()


def code_of(token: str) -> UUID | None:
    """The row a token names; None when it cannot be a token of ours."""
    if len(token) > _LONGEST or not token.isascii():
        return None
    try:
        read = urlsafe_b64decode(token)
    except (Error, ValueError):
        return None
    if len(read) != _ID_BYTES + _SECRET_BYTES:
        return None
    return UUID(bytes=read[:_ID_BYTES])


def reset_url(base_url: str, token: str) -> str:
    """The address in the mail. It begins with our own, whatever Host a request named."""
    return f"{base_url.rstrip('/')}{PAGE}?token={token}"
