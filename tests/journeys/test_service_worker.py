"""Journeys of the panel's service worker: without a network, and with push messages."""

import json
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from companies import CompanyClient
from playwright.sync_api import BrowserContext, CDPSession, Page, expect

WORKER_READY = "navigator.serviceWorker.ready.then((registration) => registration.active.state)"
# A browser without a desktop closes notifications as soon as they are shown.
RECORD = """() => {
    self.shown = []
    const show = registration.showNotification.bind(registration)
    registration.showNotification = (title, options) => {
        shown.push({ title, ...options })
        return show(title, options)
    }
}"""


@pytest.fixture
def company(product) -> CompanyClient:
    return product.create_company("telefon")


@pytest.fixture
def context(chromium, product, company) -> Iterator[BrowserContext]:
    """A browser with a service worker and the right to show notifications."""
    new_context = chromium.new_context(base_url=product.url, locale="pl-PL")
    new_context.grant_permissions(["notifications"])
    company.sign_in_browser(new_context)
    yield new_context
    new_context.close()


@pytest.fixture
def page(context) -> Page:
    """The panel, once its service worker is ready."""
    new_page = context.new_page()
    new_page.goto("/panel")
    expect(new_page.get_by_role("navigation").first).to_be_visible()
    assert new_page.evaluate(WORKER_READY) in {"activating", "activated"}
    return new_page


@pytest.fixture
def devtools(context, page) -> CDPSession:
    session = context.new_cdp_session(page)
    session.send("ServiceWorker.enable")
    return session


def push(devtools: CDPSession, page: Page, message: object) -> None:
    """Deliver a message as the browser does when its push service sends one."""
    found: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(one["registrationId"] for one in event["registrations"]),
    )
    devtools.send("ServiceWorker.disable")
    devtools.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(50)
    devtools.send(
        "ServiceWorker.deliverPushMessage",
        {
            "origin": page.evaluate("location.origin"),
            "registrationId": found[0],
            "data": json.dumps(message),
        },
    )


def test_without_a_network_our_page_says_so_and_from_when_the_data_is(context, page):
    page.goto("/panel/drivers")
    expect(page.get_by_text("Brak kierowców")).to_be_visible()
    page.wait_for_function("caches.match('/last-state')")

    context.set_offline(True)
    page.goto("/panel/drivers")
    expect(page.get_by_role("heading", level=1)).to_have_text("Nie masz połączenia z internetem")
    expect(page.get_by_text("Dane w panelu są z:")).to_be_visible()
    expect(page.get_by_text("You are offline")).to_be_visible()
    colour = "getComputedStyle(document.querySelector('main')).display"
    assert page.evaluate(colour) == "flex", "its style sheet is stored as well"

    context.set_offline(False)
    page.get_by_role("link", name="Spróbuj ponownie").click()
    expect(page.get_by_text("Brak kierowców")).to_be_visible()


def test_nothing_but_our_page_and_a_time_is_stored(page):
    page.wait_for_function("caches.match('/last-state')")
    stored = page.evaluate(
        """async () => {
            const names = await caches.keys()
            const requests = await Promise.all(
                names.map(async (name) => (await caches.open(name)).keys()))
            return requests.flat().map(({ url }) => new URL(url).pathname).sort()
        }"""
    )
    assert stored == ["/last-state", "/offline.css", "/offline.html"]

    page.get_by_role("button", name="Wyloguj").first.click()
    expect(page.get_by_role("textbox", name="Hasło")).to_be_visible()
    page.wait_for_function("caches.has('last-state').then((has) => !has)")


def test_a_message_is_shown_and_leads_to_the_driver(context, page, devtools, company, product):
    driver = company.add_driver("Jan", "Zatrzymany", "PO600009")
    path = f"/panel/drivers/{driver['id']}"
    message = {"title": "Zatrzymane uprawnienia: Jan Zatrzymany", "path": path, "tag": "1"}
    [worker] = context.service_workers
    worker.evaluate(RECORD)
    push(devtools, page, message)
    while not (shown := worker.evaluate("shown")):
        page.wait_for_timeout(50)

    [notification] = shown
    assert notification["title"] == message["title"]
    assert notification["data"] == {"path": path}
    # Where a click leads; no script can click a notification.
    page.goto(f"/auth/login?next={quote(path, safe='')}")
    expect(page.get_by_role("dialog", name="Jan Zatrzymany")).to_be_visible()
