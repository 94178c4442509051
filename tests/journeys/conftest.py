"""The product as `make demo` starts it, and browsers in front of it."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from browsing import TELL_REFUSALS, Browsing
from chromium import launch_options
from companies import DEMO, PASSWORD, Company, fresh_email
from playwright.sync_api import Browser, Page, sync_playwright

SECONDS_TO_START = 90
SECONDS_FOR_MAIL = 10


class Product:
    """A running demo and its doors."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.clients: list[httpx.Client] = []
        self.doors = self.client()

    def client(self) -> httpx.Client:
        client = httpx.Client(base_url=self.url, timeout=60, trust_env=False)
        self.clients.append(client)
        return client

    def close(self) -> None:
        for client in self.clients:
            client.close()

    def code_for(self, email: str, after: str | None = None) -> str:
        """The newest code sent to this address, waiting for it, and for one `after` another."""
        for _ in range(SECONDS_FOR_MAIL * 10):
            codes = [mail["code"] for mail in self.mails_to(email) if mail.get("code")]
            if codes and codes[0] != after:
                return codes[0]
            threading.Event().wait(0.1)
        raise AssertionError(f"no code for {email} within {SECONDS_FOR_MAIL} seconds")

    def link_for(self, email: str) -> str:
        """The newest link for a new password sent to this address, waiting for it."""
        for _ in range(SECONDS_FOR_MAIL * 10):
            links = [mail.get("link") or "" for mail in self.mails_to(email)]
            found = [link for link in links if "reset-password" in link]
            if found:
                return found[0]
            threading.Event().wait(0.1)
        raise AssertionError(f"no link for {email} within {SECONDS_FOR_MAIL} seconds")

    def mail_about(self, email: str, words: str) -> dict:
        """The newest mail to this address with these words in its subject, waiting for it."""
        for _ in range(SECONDS_FOR_MAIL * 10):
            found = [mail for mail in self.mails_to(email) if words in mail["subject"]]
            if found:
                return found[0]
            threading.Event().wait(0.1)
        raise AssertionError(f"no mail about {words!r} within {SECONDS_FOR_MAIL} seconds")

    def mails_to(self, email: str) -> list[dict]:
        return [mail for mail in self.doors.get("/dev/mailbox").json() if mail["to"] == email]

    def daily_check(self) -> dict:
        answer = self.doors.post("/dev/daily-check")
        assert answer.status_code in {200, 201}, answer.text
        return answer.json()

    def knows(self, serial: str, **document: object) -> None:
        """Have the register know a document."""
        answer = self.doors.put(f"/dev/register/documents/{serial}", json=document)
        assert answer.is_success, answer.text

    @contextmanager
    def clock_at(self, moment: str) -> Iterator[None]:
        """Another time for a while, as in 2026-11-21T05:59:00+01:00."""
        assert self.doors.put("/dev/clock", json={"now": moment}).is_success
        try:
            yield
        finally:
            assert self.doors.put("/dev/clock", json={"now": None}).is_success

    @contextmanager
    def register_failing(self, kind: str) -> Iterator[None]:
        """A register that fails for a while."""
        fault = {"kind": kind, "times": None}
        assert self.doors.put("/dev/register/faults", json=fault).is_success
        try:
            yield
        finally:
            assert self.doors.put("/dev/register/faults", json={"kind": None}).is_success

    def registered(self, name: str) -> Company:
        """A company whose e-mail is not verified yet."""
        company = Company(fresh_email(name), self.client())
        company.post("/api/register", email=company.email, password=PASSWORD)
        return company

    def verified(self, name: str) -> Company:
        """A company behind the e-mail verification, without a subscription."""
        company = self.registered(name)
        company.post("/api/verify-email", token=self.code_for(company.email))
        return company

    def company(self, name: str) -> Company:
        """A company in its trial, without drivers."""
        company = self.verified(name)
        company.start_trial()
        return company

    def demo_company(self) -> Company:
        email, password = DEMO
        company = Company(email, self.client())
        company.post("/api/login", email=email, password=password)
        return company


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
    lines: list[str] = []
    ready = threading.Event()
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:

        def read() -> None:
            for line in process.stdout:
                lines.append(line)
                if line.startswith("ready: "):
                    ready.set()

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        try:
            assert ready.wait(SECONDS_TO_START), f"not ready in time: {''.join(lines)}"
            running = Product(f"http://127.0.0.1:{port}")
            yield running
            running.close()
        finally:
            process.terminate()
            process.wait(60)
            reader.join(10)
    shutil.rmtree(home, ignore_errors=True)


# One browser per module, no longer: Playwright's loop would stand in the way of the asynchronous
# tests of other folders.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        yield browser
        browser.close()


Browse = Callable[..., Page]


@pytest.fixture(scope="module")
def scripts() -> list[str]:
    """What every page is told before its own scripts run."""
    return [TELL_REFUSALS]


@pytest.fixture(scope="module")
def browsing(chromium: Browser, product: Product, scripts: list[str]) -> Browsing:
    return Browsing(chromium, product.url, scripts)


@pytest.fixture
def browse(browsing: Browsing) -> Iterator[Browse]:
    """Opens pages as good as new. A complaint in a page's console fails the test."""
    yield browsing.open
    assert browsing.rest() == []


@pytest.fixture
def page(browse: Browse) -> Page:
    """A fresh Polish browser at the product's door."""
    return browse()
