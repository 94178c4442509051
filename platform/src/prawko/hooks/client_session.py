"""How we speak HTTP to anybody else's server: nothing is remembered, repeated or unpacked.

Both kinds of connection, to registers and to carriers, are made of this.
"""

import re
import ssl
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import aiohttp

_SECONDS = re.compile(r"[0-9]{1,9}", re.ASCII)
_IDLE_SECONDS = 4.0  # shorter than what common servers keep: nobody writes into a closing line


def client_session(
    *, connections: int, headers: Mapping[str, str], tls: ssl.SSLContext | None = None
) -> aiohttp.ClientSession:
    """Open one, inside the running loop. Whoever asks sets the deadline of each call."""
    session = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(
            limit=connections, keepalive_timeout=_IDLE_SECONDS, ssl=tls or True
        ),
        headers=headers,
        skip_auto_headers=("User-Agent", "Accept"),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
    )
    # aiohttp repeats a GET or a PUT whose kept connection broke: registers count every question,
    # and what a carrier may have taken is the outbox's to send again.
    session._retry_connection = False  # noqa: SLF001
    return session


def retry_after(header: str | None, *, now: datetime) -> float | None:
    """Seconds to wait as a Retry-After header asks for them, in either of its two forms.

    None when there is no header or it cannot be read; a moment that has passed is 0.
    """
    if header is None:
        return None
    if _SECONDS.fullmatch(header.strip()):
        return float(header)
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())
