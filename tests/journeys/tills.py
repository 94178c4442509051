"""What people do to pay for a subscription, and the operator who books transfers."""

import re
import threading

from companies import Company
from playwright.sync_api import Locator, Page, expect

BUYER = {
    "companyName": "Acme sp. z o.o.", "taxId": "5261040828", "street": "ul. Długa 5/7",
    "postalCode": "00-950", "city": "Warszawa",
}  # fmt: skip
OPERATOR = ("operator@prawko.test", "Operator1234")
SUBSCRIPTION, SUCCESS, FAILED = (
    "/panel/subscription", "/panel/subscription/success", "/panel/subscription/failed",
)  # fmt: skip
BLIK_THAT_SUCCEEDS, BLIK_THAT_IS_REFUSED = "777123", "123456"
SECONDS_FOR_PAYMENT = 20


def buyer(product, name: str) -> Company:
    """A company without a subscription, whose billing details are known."""
    company = product.verified(name)
    answer = company.client.put("/api/user/billing-details", json=BUYER)
    assert answer.is_success, answer.text
    return company


def subscriber(product, name: str, drivers: int = 5) -> Company:
    """A company that has paid for a period by card, which is saved."""
    company = buyer(product, name)
    placed = company.post(
        "/api/subscription/create-checkout-session", driverLimit=drivers, method="card"
    )
    pressed = product.doors.post("/dev/payments", json={"url": placed["url"], "result": "paid"})
    assert pressed.is_success, pressed.text
    for _ in range(SECONDS_FOR_PAYMENT * 10):
        if company.client.get("/api/subscription").json()["status"] == "active":
            return company
        threading.Event().wait(0.1)
    raise AssertionError(f"not active within {SECONDS_FOR_PAYMENT} seconds")


def book_transfer(product, title: str, grosze: int) -> dict:
    """What an operator does with a line of the bank statement."""
    email, password = OPERATOR
    operator = Company(email, product.client())
    operator.post("/api/login", email=email, password=password)
    return operator.post("/api/admin/transfers", title=title, amount=grosze, reference=title)


def choose(page: Page, method: str) -> None:
    page.get_by_role("radio", name=method, exact=True).check()


def order(page: Page) -> None:
    page.get_by_role("button", name="Zamów subskrypcję").click()


def at_the_till(page: Page) -> Locator:
    """The provider's page."""
    page.wait_for_url(re.compile("/dev/pay/"))
    return page.get_by_role("main")


def press(page: Page, button: str) -> None:
    at_the_till(page).get_by_role("button", name=re.compile(button)).click()


def expect_paid(page: Page) -> None:
    expect(page.get_by_role("heading", name="Płatność zakończona sukcesem")).to_be_visible(
        timeout=SECONDS_FOR_PAYMENT * 1000
    )


def plan(page: Page, fact: str) -> Locator:
    """One fact of the current plan."""
    return page.locator("dl > div").filter(has=page.get_by_text(fact, exact=True)).first
