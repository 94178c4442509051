"""Real PostgreSQL and Redis with nothing configured: they start and stop with the product.

    with start(Path(".prawko")) as running:
        running.servers.admin_url, running.servers.redis_url

Data, passwords and logs live in the home folder; sockets only, no port is opened; started by
root, the servers run as an unprivileged user. `home` says how that works below a closed folder.
"""

from prawko.embedded.errors import EmbeddedError, EmbeddedUnavailable, HomeInUseError
from prawko.embedded.servers import RunningServers, Servers, erase, start

__all__ = [
    "EmbeddedError",
    "EmbeddedUnavailable",
    "HomeInUseError",
    "RunningServers",
    "Servers",
    "erase",
    "start",
]
