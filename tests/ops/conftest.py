"""Variables of the product's processes with real servers, mail and register included."""

import base64
import hashlib
import os
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from ops.pooler import Pooler
from ops.topology import open_topology
from support.operator_details import OPERATOR
from support.silent_proxy import SilentProxy
from support.waiting import wait_until

SCRIPT = "console.log('Prawko');"
SECRET_KEY = base64.urlsafe_b64encode(hashlib.sha256(b"the servers").digest()).decode()


@pytest.fixture
def product_variables(servers, logins) -> dict[str, str]:
    """Variables of the panel alone: nothing is sent and no register is asked."""
    return {
        **OPERATOR,
        "DATABASE_URL": logins.app,
        "REDIS_URL": servers.urls.redis_url,
        "SECRET_KEY": SECRET_KEY,
        "REGISTER": "public",
        "REGISTER_PUBLIC_URL": "http://127.0.0.1:9",
        "MAIL_CHANNEL": "smtp",
        "CHANNEL_SMTP_HOST": "127.0.0.1",
        "CHANNEL_SMTP_PORT": "9",
        "CHANNEL_SMTP_TLS": "none",
        "CHANNEL_SMTP_SENDER": "Prawko <prawko@prawko.test>",
        "FRONTEND_DIR": "none",
        "CONSOLE_DIR": "none",
        "LOG_LEVEL": "WARNING",
    }


@pytest.fixture
def site_folder(tmp_path) -> Path:
    """A small site as a build leaves it."""
    folder = tmp_path / "site"
    (folder / "assets").mkdir(parents=True)
    for page in ("index.html", "__spa-fallback.html"):
        (folder / page).write_text(f"<title>{page}</title>")
    (folder / "assets" / "app.js").write_text(SCRIPT)
    (folder / "assets" / "app.js.br").write_bytes(b"as the build compressed it")
    return folder


@pytest.fixture
def topology_variables(product_variables, site_folder) -> dict[str, str]:
    """Variables of all processes, with the site."""
    site = str(site_folder)
    return {**product_variables, "FRONTEND_DIR": site, "CONSOLE_DIR": site}


@pytest.fixture
async def topology(servers, logins, topology_variables, tmp_path):
    """The whole product, without workers."""
    async with open_topology(servers, logins, topology_variables, tmp_path) as opened:
        yield opened


@pytest.fixture
async def database_proxy(logins):
    """A TCP proxy before PostgreSQL that a test lets fall silent."""
    async with SilentProxy(logins.app) as proxy:
        yield proxy


@pytest.fixture
async def start_pooler(database_proxy, logins):
    """Starts PgBouncer with these settings."""
    started = []
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)  # noqa: PTH101 (blocking, and short)
        folder = Path(name)

        async def start(**settings: object) -> Pooler:
            # PgBouncer may not enter the folder of the server's socket.
            server_port = urlsplit(database_proxy.url).port
            pooler = Pooler(folder, server_port, logins, **settings)
            started.append(pooler.start())
            await wait_until(pooler.listens)
            return pooler

        yield start
        for pooler in started:
            pooler.kill()
