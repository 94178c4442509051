"""Steps to order and pay a subscription, and to book a transfer as an operator."""

import re

from companies import CompanyClient
from playwright.sync_api import Locator, Page, expect

from support.waiting import poll

BUYER_DETAILS = {
    "companyName": "Acme sp. z o.o.", "taxId": "5261040828", "street": "ul. Długa 5/7",
    "postalCode": "00-950", "city": "Warszawa",
}  # fmt: skip
OPERATOR_LOGIN = ("operator@prawko.test", "Operator1234")
SUBSCRIPTION, SUCCESS, FAILED = (
    "/panel/subscription", "/panel/subscription/success", "/panel/subscription/failed",
)  # fmt: skip
ACCEPTED_BLIK_CODE, REFUSED_BLIK_CODE = "777123", "123456"
PAYMENT_SECONDS = 60


def create_buyer(product, name: str) -> CompanyClient:
    """Create a company with billing details and without a subscription."""
    company = product.create_verified_company(name)
    answer = company.client.put("/api/user/billing-details", json=BUYER_DETAILS)
    assert answer.is_success, answer.text
    return company


def create_subscriber(product, name: str, drivers: int = 5) -> CompanyClient:
    """Create a company that has paid a period with a card, which is saved."""
    company = create_buyer(product, name)
    answer = company.post(
        "/api/subscription/create-checkout-session", driverLimit=drivers, method="card"
    )
    response = product.dev_api.post("/dev/payments", json={"url": answer["url"], "result": "paid"})
    assert response.is_success, response.text
    poll(lambda: company.client.get("/api/subscription").json()["status"] == "active")
    return company


def book_transfer(product, title: str, grosze: int) -> dict:
    """Book a line of the bank statement as the operator."""
    email, password = OPERATOR_LOGIN
    operator = CompanyClient(email, product.open_client())
    operator.post("/api/login", email=email, password=password)
    line = {"title": title, "amount": grosze, "reference": title, "reason": "bank statement"}
    return operator.post("/api/admin/transfers", **line)


def choose_method(page: Page, method: str) -> None:
    page.get_by_role("radio", name=method, exact=True).check()


def submit_order(page: Page) -> None:
    page.get_by_role("button", name=re.compile("Zamów subskrypcję|Przedłuż o 30 dni")).click()


def provider_page(page: Page) -> Locator:
    """Wait for the provider's hosted page and return its content."""
    page.wait_for_url(re.compile("/dev/pay/"))
    return page.get_by_role("main")


def press_provider_button(page: Page, button: str) -> None:
    provider_page(page).get_by_role("button", name=re.compile(button)).click()


def expect_paid(page: Page) -> None:
    expect(page.get_by_role("heading", name="Płatność zakończona sukcesem")).to_be_visible(
        timeout=PAYMENT_SECONDS * 1000
    )


def plan_fact(page: Page, fact: str) -> Locator:
    """Return a fact of the current plan by its label."""
    return page.locator("dl > div").filter(has=page.get_by_text(fact, exact=True)).first
