"""The product as `make demo` starts it, and a browser in front of it."""

import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from chromium import launch_options
from playwright.sync_api import Browser, Page, sync_playwright

SECONDS_TO_START = 90


class Product:
    """A running demo and its doors."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.doors = httpx.Client(base_url=url, timeout=60)

    def code_for(self, email: str) -> str:
        """The code of the newest mail to this address, waiting for it to arrive."""
        for _ in range(100):
            for mail in self.doors.get("/dev/mailbox").json():
                if mail["to"] == email and mail.get("code"):
                    return mail["code"]
            threading.Event().wait(0.1)
        raise AssertionError(f"no code for {email} within ten seconds")

    def mails_to(self, email: str) -> list[dict]:
        return [mail for mail in self.doors.get("/dev/mailbox").json() if mail["to"] == email]

    def daily_check(self) -> dict:
        answer = self.doors.post("/dev/daily-check")
        assert answer.status_code in {200, 201}, answer.text
        return answer.json()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="session")
def product() -> Iterator[Product]:
    """The whole product in processes of its own; nothing runs unless a door is used."""
    port = free_port()
    home = tempfile.mkdtemp(prefix="prawko-journey-")
    command = [str(Path(sys.executable).parent / "prawko"), "demo"]
    environment = {**os.environ, "PORT": str(port), "PRAWKO_HOME": home, "TIMETABLE": "0"}
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    ready = threading.Event()
    lines: list[str] = []

    def read() -> None:
        for line in process.stdout:
            lines.append(line)
            if line.startswith("ready: "):
                ready.set()

    threading.Thread(target=read, daemon=True).start()
    started = ready.wait(SECONDS_TO_START)
    assert started, f"not ready in time: {''.join(lines)}"
    yield Product(f"http://127.0.0.1:{port}")
    process.terminate()
    process.wait(60)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser, product: Product) -> Iterator[Page]:
    """A fresh Polish browser at the product's door; an error in its console fails the test."""
    context = chromium.new_context(
        base_url=product.url, locale="pl-PL", timezone_id="Europe/Warsaw",
        viewport={"width": 1280, "height": 900},
    )  # fmt: skip
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []
