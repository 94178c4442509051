"""PgBouncer before PostgreSQL; PGBOUNCER names another program than the installed one."""

import os
import shutil
import socket
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

from ops.server_process import ServerProcess
from prawko_tenants.logins import Logins
from support.processes import free_port

PGBOUNCER = os.environ.get("PGBOUNCER") or shutil.which(
    "pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin"
)
requires_pgbouncer = pytest.mark.skipif(
    PGBOUNCER is None, reason="PgBouncer is not installed (the package pgbouncer of Debian)"
)
SERVER_CONNECTIONS = 4  # fewer than clients, so that they share


class Pooler(ServerProcess):
    """PgBouncer on a port of loopback; `through` leads a URL through it."""

    def __init__(self, folder: Path, server_port: int, logins: Logins, **settings: object) -> None:
        self.port = free_port()
        users = folder / "users"
        users.write_text(
            "".join(
                f'"{url.username}" "{url.password}"\n'
                for url in map(urlsplit, vars(logins).values())
            )
        )
        values = {
            "listen_addr": "127.0.0.1", "listen_port": self.port, "unix_socket_dir": "",
            "auth_type": "plain", "auth_file": users, "default_pool_size": SERVER_CONNECTIONS,
            "max_client_conn": 200, "server_tls_sslmode": "disable", **settings,
        }  # fmt: skip
        if os.getuid() == 0:
            values["user"] = "nobody"  # PgBouncer does not run as root
        configuration = folder / "pooler.ini"
        configuration.write_text(
            f"[databases]\n* = host=127.0.0.1 port={server_port}\n[pgbouncer]\n"
            + "".join(f"{name} = {value}\n" for name, value in values.items())
        )
        super().__init__([str(PGBOUNCER), str(configuration)], {}, folder / "log")

    def through(self, url: str) -> str:
        parts = urlsplit(url)
        address = f"{parts.netloc.rpartition('@')[0]}@127.0.0.1:{self.port}"
        return urlunsplit(("postgresql", address, parts.path, "", ""))

    def listens(self) -> bool:
        assert self._process.poll() is None, self.log.read_text()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0
