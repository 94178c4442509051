"""HAProxy with the configuration that compose.yaml mounts; only addresses and limits differ.

HAPROXY names another program than the installed one.
"""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import httpx
import pytest

from ops.server_process import ServerProcess
from support.processes import free_port
from support.waiting import poll

CONFIGURATION = Path(__file__).parents[2] / "platform" / "deploy" / "haproxy.cfg"
HAPROXY = os.environ.get("HAPROXY") or shutil.which(
    "haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin"
)

requires_haproxy = pytest.mark.skipif(
    HAPROXY is None, reason="HAProxy is not installed (the package haproxy of Debian has it)"
)


class Proxy(ServerProcess):
    """A proxy on free ports."""

    def __init__(self, folder: Path, **variables: str) -> None:
        certificate = write_certificate(folder)
        http_port, https_port = free_port(), free_port()
        self.plain_url = f"http://127.0.0.1:{http_port}"
        environment = {
            "PROXY_HTTP": f"127.0.0.1:{http_port}",
            "PROXY_HTTPS": f"127.0.0.1:{https_port}",
            "PROXY_CERTIFICATE": str(certificate),
            "PROXY_CONNECTIONS": "400",  # each takes two open files
            "PROXY_FIRST_LOOKUP": "none",  # the machine's resolver does not know the names
            **variables,
        }
        super().__init__(
            [str(HAPROXY), "-W", "-db", "-f", str(CONFIGURATION)],
            environment,
            folder / "proxy.log",
            f"https://127.0.0.1:{https_port}",
        )

    def stop(self) -> int | None:
        """Let it finish its requests: with HAProxy SIGTERM would cut them."""
        if self._process is not None:
            self._process.send_signal(signal.SIGUSR1)
        return super().stop(terminate=False)

    def wait_until_listening(self) -> None:
        def listens() -> bool:
            try:
                return httpx.get(f"{self.plain_url}/proxy/live", trust_env=False).is_success
            except httpx.TransportError:
                return False

        poll(listens)

    def open_client(self, **options: object) -> httpx.AsyncClient:
        """Return a browser of the site, which does not verify the certificate."""
        return httpx.AsyncClient(
            base_url=self.url, verify=False, trust_env=False, timeout=30, **options
        )


def write_certificate(folder: Path) -> Path:
    """Write a self-signed certificate with its key, as the proxy reads it."""
    certificate = folder / "site.pem"
    key = folder / "site.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-days", "2", "-subj", "/CN=prawko.test", "-keyout", key, "-out", certificate],
        check=True, capture_output=True, env={"PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    certificate.write_bytes(certificate.read_bytes() + key.read_bytes())
    return certificate
