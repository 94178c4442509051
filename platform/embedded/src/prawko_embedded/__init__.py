"""PostgreSQL and Redis as child processes of the program, without configuration.

    with start_servers(Path(".prawko")) as running:
        running.urls.admin_url, running.urls.redis_url

Data, passwords and logs are in the home folder. The servers listen on Unix sockets only and, under
root, run as an unprivileged user; `home` explains how they reach folders that user cannot enter.
"""

from prawko_embedded.errors import EmbeddedError, EmbeddedUnavailableError, HomeInUseError
from prawko_embedded.servers import EmbeddedServers, ServerUrls, erase_home, start_servers

__all__ = [
    "EmbeddedError",
    "EmbeddedServers",
    "EmbeddedUnavailableError",
    "HomeInUseError",
    "ServerUrls",
    "erase_home",
    "start_servers",
]
