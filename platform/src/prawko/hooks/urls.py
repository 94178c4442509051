"""URLs to which secrets may be sent."""

from yarl import URL

LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
"""The names of this machine, to which a URL of plain http may lead."""


def parse_secure_url(text: str) -> URL | None:
    """Parse a URL to which secrets may be sent: by https, or within this machine.

    None for any other URL, and if it is malformed.
    """
    try:
        url = URL(text)
        host = url.host  # decoded only now
    except ValueError:
        return None
    is_https = url.scheme == "https" and host is not None
    return url if is_https or (url.scheme == "http" and host in LOOPBACK_HOSTS) else None
