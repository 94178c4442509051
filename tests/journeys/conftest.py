"""The product as `make demo` starts it, and browser pages for it."""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest
from chromium import launch_options
from companies import DEMO_LOGIN, OPERATOR_LOGIN, PASSWORD, CompanyClient, fresh_email
from page_pool import REPORT_CSP_VIOLATIONS, PagePool
from playwright.sync_api import Browser, Page, sync_playwright

from support.processes import DEMO_COMMAND, free_port
from support.waiting import poll

START_SECONDS = 90


class DemoProduct:
    """A running demo, with its developer tools."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.clients: list[httpx.Client] = []
        self.dev_api = self.open_client()

    def open_client(self) -> httpx.Client:
        client = httpx.Client(base_url=self.url, timeout=60, trust_env=False)
        self.clients.append(client)
        return client

    def close(self) -> None:
        for client in self.clients:
            client.close()

    def wait_for_code(self, email: str, after: str | None = None) -> str:
        """Wait for a code sent to this address, newer than the code `after`, and return it."""

        def newest_code() -> str | None:
            codes = [mail["code"] for mail in self.list_mails(email) if mail.get("code")]
            return codes[0] if codes and codes[0] != after else None

        return poll(newest_code)

    def wait_for_reset_link(self, email: str) -> str:
        """Wait for a password-reset link sent to this address, and return the newest."""

        def newest_link() -> str | None:
            links = [mail.get("link") or "" for mail in self.list_mails(email)]
            return next((link for link in links if "reset-password" in link), None)

        return poll(newest_link)

    def wait_for_mail(self, email: str, subject: str) -> dict:
        """Wait for an e-mail with this text in its subject, and return the newest."""

        def newest_mail() -> dict | None:
            mails = [mail for mail in self.list_mails(email) if subject in mail["subject"]]
            return mails[0] if mails else None

        return poll(newest_mail)

    def list_mails(self, email: str) -> list[dict]:
        return [mail for mail in self.dev_api.get("/dev/mailbox").json() if mail["to"] == email]

    def run_daily_check(self) -> dict:
        answer = self.dev_api.post("/dev/daily-check")
        assert answer.status_code in {200, 201}, answer.text
        return answer.json()

    def add_document(self, serial: str, **document: object) -> None:
        """Store a document in the register."""
        answer = self.dev_api.put(f"/dev/register/documents/{serial}", json=document)
        assert answer.is_success, answer.text

    @contextmanager
    def clock_set_to(self, moment: str) -> Iterator[None]:
        """Set the product's clock, as in 2026-11-21T05:59:00+01:00, until the block ends."""
        assert self.dev_api.put("/dev/clock", json={"now": moment}).is_success
        try:
            yield
        finally:
            assert self.dev_api.put("/dev/clock", json={"now": None}).is_success

    @contextmanager
    def register_failing(self, kind: str) -> Iterator[None]:
        """Make the register fail until the block ends."""
        fault = {"kind": kind, "times": None}
        assert self.dev_api.put("/dev/register/faults", json=fault).is_success
        try:
            yield
        finally:
            assert self.dev_api.put("/dev/register/faults", json={"kind": None}).is_success

    def register_company(self, name: str) -> CompanyClient:
        """Register a company whose e-mail is not verified."""
        company = CompanyClient(fresh_email(name), self.open_client())
        company.post("/api/register", email=company.email, password=PASSWORD)
        return company

    def create_verified_company(self, name: str) -> CompanyClient:
        """Create a company with a verified e-mail and without a subscription."""
        company = self.register_company(name)
        company.post("/api/verify-email", token=self.wait_for_code(company.email))
        return company

    def create_company(self, name: str) -> CompanyClient:
        """Create a company in its trial, without drivers."""
        company = self.create_verified_company(name)
        company.start_trial()
        return company

    def log_in_demo_company(self) -> CompanyClient:
        """Log in the demo's company, whose lists are shown as at the first time again."""
        company = self._log_in(*DEMO_LOGIN)
        view = {"pageSize": 10, "denseRows": False}
        assert company.client.put("/api/user/list-view", json=view).is_success
        return company

    def log_in_operator(self) -> CompanyClient:
        return self._log_in(*OPERATOR_LOGIN)

    def _log_in(self, email: str, password: str) -> CompanyClient:
        company = CompanyClient(email, self.open_client())
        company.post("/api/login", email=email, password=password)
        return company


@pytest.fixture(scope="session")
def product() -> Iterator[DemoProduct]:
    """The demo in other processes; jobs run only through the developer tools."""
    port = free_port()
    home = tempfile.mkdtemp(prefix="prawko-journey-")
    environment = {
        **os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PORT": str(port),
        "PRAWKO_HOME": home, "TIMETABLE": "0",
    }  # fmt: skip
    lines: list[str] = []
    ready = threading.Event()
    with subprocess.Popen(
        DEMO_COMMAND, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:

        def read() -> None:
            for line in process.stdout:
                lines.append(line)
                if line.startswith("ready: "):
                    ready.set()

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        try:
            assert ready.wait(START_SECONDS), f"not ready in time: {''.join(lines)}"
            running = DemoProduct(f"http://127.0.0.1:{port}")
            yield running
            running.close()
        finally:
            process.terminate()
            process.wait(60)
            reader.join(10)
    shutil.rmtree(home, ignore_errors=True)


# One browser per module: a longer-lived event loop of Playwright would conflict with the
# asynchronous tests of other folders.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        yield browser
        browser.close()


OpenPage = Callable[..., Page]


@pytest.fixture(scope="module")
def scripts() -> list[str]:
    """Scripts that run in every page before its own."""
    return [REPORT_CSP_VIOLATIONS]


@pytest.fixture(scope="module")
def page_pool(chromium: Browser, product: DemoProduct, scripts: list[str]) -> PagePool:
    return PagePool(chromium, product.url, scripts)


@pytest.fixture
def open_page(page_pool: PagePool) -> Iterator[OpenPage]:
    """Opens clean pages. An error in a page's console fails the test."""
    yield page_pool.open
    assert page_pool.release_all() == []


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A clean page with a Polish browser."""
    return open_page()
