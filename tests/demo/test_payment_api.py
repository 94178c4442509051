"""Orders paid with the sandbox: on the hosted page, through the dev API, and by transfer."""

import re
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from demo.mailbox import deliver_and_read_mails
from prawko.apps.web.console_site import SiteDispatcher
from prawko_tenants.logins import Logins
from support.database import execute_as_owner, fetch_rows
from support.orders import ACME_DETAILS
from support.people import Person
from support.waiting import wait_until

pytestmark = pytest.mark.anyio

PRICE_OF_TEN_DRIVERS = 24477  # 199.00 net and 23 % of VAT, in grosze


@pytest.fixture
async def operator(dev_app: SiteDispatcher, browser_for_app, logins: Logins) -> Person:
    """An operator of the product, in another browser."""
    person = Person("boss@prawko.test", browser_for_app(dev_app))
    await person.sign_up()
    promote = "UPDATE user_account SET is_admin = true WHERE email_key = $1"
    await execute_as_owner(logins, promote, person.email)
    return person


def statement_line(title: str) -> dict[str, object]:
    """Return a line of the bank statement for an order of ten drivers."""
    return {"title": title, "amount": PRICE_OF_TEN_DRIVERS, "reference": "1/2026", "reason": "1"}


async def place_order(company: Person, method: str = "card", **options: object) -> tuple[str, str]:
    """Order ten drivers; return the URL of the next step and the order's id."""
    answer = await company.post(
        "/api/subscription/create-checkout-session",
        {"driverLimit": 10, **ACME_DETAILS, "method": method, **options},
    )
    assert answer.status_code in {200, 201}, answer.text
    return answer.json()["url"], answer.json()["orderId"]


async def order_state(company: Person, order_id: str) -> str:
    return (await company.get(f"/api/orders/{order_id}")).json()["state"]


async def press_button(dev: Person, url: str, result: str, repeat: int = 1) -> httpx.Response:
    return await dev.post("/dev/payments", {"url": url, "result": result, "times": repeat})


async def fetch_limit_and_days(company: Person) -> tuple[int, int]:
    subscription = (await company.get("/api/subscription")).json()
    return subscription["driverLimit"], subscription["daysLeft"]


async def test_a_payment_with_repeated_webhooks_is_activated_once(
    dev_client: Person, company: Person, logins: Logins
) -> None:
    url, order_id = await place_order(company)
    assert re.search(r"/dev/pay/[0-9A-Z]{12}$", url)
    assert await order_state(company, order_id) == "open"

    response = await press_button(dev_client, url, "paid", 3)

    assert response.status_code == 200
    assert response.json()["answers"] == [200, 200, 200]
    assert response.json()["state"] == "paid"
    assert await order_state(company, order_id) == "paid"
    assert await fetch_limit_and_days(company) == (10, 37)  # the rest of the trial is added
    await press_button(dev_client, url, "paid", 2)
    await dev_client.post("/dev/jobs")
    assert await fetch_limit_and_days(company) == (10, 37)
    assert len(await fetch_rows(logins, "SELECT id FROM subscription WHERE NOT is_trial")) == 1
    assert len(await fetch_rows(logins, "SELECT id FROM invoice")) == 1
    assert await fetch_rows(logins, "SELECT id FROM payment_discrepancy") == []


@pytest.mark.parametrize("result", ["failed", "abandoned"])
async def test_an_unpaid_order_changes_nothing_and_can_be_repeated(
    dev_client: Person, company: Person, result: str
) -> None:
    before = await fetch_limit_and_days(company)
    url, order_id = await place_order(company, "przelewy24")
    response = await press_button(dev_client, url, result, 2)

    assert (response.json()["state"], response.json()["answers"]) == ("failed", [200, 200])
    assert await order_state(company, order_id) == "failed"
    assert await fetch_limit_and_days(company) == before
    repeated = await press_button(dev_client, url, "paid")
    assert (repeated.status_code, repeated.json()["error"]) == (422, "not_understood")

    url, order_id = await place_order(company, "przelewy24")
    await press_button(dev_client, url, "paid")
    assert await order_state(company, order_id) == "paid"


async def test_the_hosted_page_needs_no_session_and_ends_the_payment(
    dev_app: SiteDispatcher, dev_client: Person, company: Person, browser_for_app
) -> None:
    url, order_id = await place_order(company)
    anonymous = browser_for_app(dev_app)
    page = await anonymous.get(url)

    assert page.status_code == 200
    assert '<html lang="pl">' in page.text
    assert "10 kierowców" in page.text
    assert "244,77\N{NO-BREAK SPACE}zł" in page.text
    buttons = re.findall(r'formaction="/dev/pay/\w{12}/(\w+)"', page.text)
    assert buttons == ["paid", "failed", "abandoned"]
    assert "form-action 'self'" in page.headers["content-security-policy"]
    assert not re.search(r"<style|style=|<script| on[a-z]+=", page.text)

    response = await anonymous.post(f"{url}/paid")
    assert response.status_code == 303
    assert response.headers["location"] == (
        f"http://127.0.0.1:8000/panel/subscription/success?order={order_id}"
    )
    await dev_client.post("/dev/jobs")
    assert await order_state(company, order_id) == "paid"

    repeated = await anonymous.post(f"{url}/failed")
    assert (repeated.status_code, repeated.headers["location"]) == (303, url)
    page = await anonymous.get(url)
    assert "<form" not in page.text
    assert "Płatność przyjęta" in page.text
    for unknown in (
        await anonymous.get(f"{url}X"),
        await anonymous.post(f"{url}X/paid"),
        await anonymous.post(f"{url}/stolen"),
    ):
        assert (unknown.status_code, unknown.json()["error"]) == (404, "not_found")


async def test_a_blik_code_of_777_pays_and_every_other_is_refused(
    dev_client: Person, company: Person
) -> None:
    refused = await company.post(
        "/api/subscription/create-checkout-session",
        {"driverLimit": 10, **ACME_DETAILS, "method": "blik", "blikCode": "123456"},
    )
    assert (refused.status_code, refused.json()["error"]) == (422, "payment_refused")

    url, order_id = await place_order(company, "blik", blikCode="777123")
    assert url == f"/panel/subscription/success?order={order_id}"

    async def is_paid() -> bool:
        await dev_client.post("/dev/jobs")
        return await order_state(company, order_id) == "paid"

    await wait_until(is_paid)
    assert (await fetch_limit_and_days(company))[0] == 10


async def test_the_result_of_the_next_charges_can_be_set(dev_client: Person) -> None:
    charges = (await dev_client.get("/dev/payments/charges")).json()
    assert charges == {"result": "paid", "times": None}
    for result in ("refused", "consent", "silent", "paid"):
        choice = {"result": result, "times": 2}
        assert (await dev_client.put("/dev/payments/charges", choice)).json() == choice
        assert (await dev_client.get("/dev/payments/charges")).json() == choice
    for invalid in ({"result": "perhaps"}, {"result": "paid", "times": 0}, {"other": 1}):
        assert (await dev_client.put("/dev/payments/charges", invalid)).status_code == 400


INVALID_REQUESTS = [
    ({"url": "http://127.0.0.1:8000/dev/pay/000000000000", "result": "paid"}, 422),
    ({"url": "/panel/subscription?order=1", "result": "paid"}, 422),
    ({"url": "http://[", "result": "paid"}, 422),
    ({"url": "", "result": "stolen"}, 400),
    ({"url": "", "result": "paid", "times": 0}, 400),
    ({"url": "", "result": "paid", "times": 101}, 400),
    ({"result": "paid"}, 400),
]


async def test_invalid_payment_requests_are_rejected(dev_client: Person) -> None:
    for body, status in INVALID_REQUESTS:
        refused = await dev_client.post("/dev/payments", body)
        assert refused.status_code == status, body
        assert set(refused.json()) == {"error", "message"}


async def test_a_transfer_is_shown_mailed_and_booked_by_an_operator(
    dev_client: Person, company: Person, operator: Person, logins: Logins
) -> None:
    await dev_client.delete("/dev/mailbox")
    url, order_id = await place_order(company, "transfer")
    assert url == f"/panel/subscription?order={order_id}"
    order = (await company.get(f"/api/orders/{order_id}")).json()
    transfer = order["transfer"]
    assert transfer["iban"] == "PL91999900000000202611210001"
    assert re.fullmatch(r"PRAWKO( [0-9A-Z]{4}){3}", transfer["title"])

    for _ in range(2):
        sent = [
            mail for mail in await deliver_and_read_mails(dev_client) if mail["to"] == company.email
        ]
    (mail,) = sent
    assert mail["subject"] == "Prawko: dane do przelewu"
    for text in (
        transfer["title"], transfer["owner"], "PL91 9999 0000 0000 2026 1121 0001",
        "244,77 zł", "199,00 zł", "45,77 zł", "10 kierowców", f"order%3D{order_id}",
    ):  # fmt: skip
        assert text in mail["text"], text

    booking = statement_line(transfer["title"].lower())
    refused = await company.post("/api/admin/transfers", booking)
    assert (refused.status_code, refused.json()["error"]) == (403, "auth_forbidden")
    for _ in range(2):
        assert (await operator.post("/api/admin/transfers", booking)).status_code == 200
        await dev_client.post("/dev/jobs")

    assert await order_state(company, order_id) == "paid"
    assert (await fetch_limit_and_days(company))[0] == 10
    assert await fetch_rows(logins, "SELECT id FROM payment_discrepancy") == []
    assert len(await fetch_rows(logins, "SELECT id FROM invoice")) == 1


async def renew_with_result(dev: Person, company: Person, result: str) -> datetime:
    """Save a card, set the result of its next charge, and run the renewal; return the old end."""
    url, _ = await place_order(company)
    await press_button(dev, url, "paid")
    await dev.put("/dev/payments/charges", {"result": result, "times": 1})
    end = datetime.fromisoformat((await company.get("/api/subscription")).json()["endDate"])
    await run_jobs_at(dev, end - timedelta(hours=23))
    assert (await fetch_limit_and_days(company))[1] == 1
    return end


async def run_jobs_at(dev: Person, now: datetime) -> None:
    await dev.put("/dev/clock", {"now": now.isoformat()})
    assert (await dev.post("/dev/jobs")).status_code == 200


async def charge_counts(dev: Person) -> list[int]:
    return [payment["charges"] for payment in (await dev.get("/dev/payments")).json()]


async def test_a_refused_renewal_is_notified_and_charged_again(
    dev_client: Person, company: Person
) -> None:
    end = await renew_with_result(dev_client, company, "refused")
    assert any(
        "płatno" in mail["subject"].lower() for mail in await deliver_and_read_mails(dev_client)
    )
    assert await charge_counts(dev_client) == [0, 0]

    await run_jobs_at(dev_client, end - timedelta(hours=16))

    assert await fetch_limit_and_days(company) == (10, 31)
    assert await charge_counts(dev_client) == [1, 0, 0]


async def test_a_charge_with_a_lost_response_is_made_once(
    dev_client: Person, company: Person
) -> None:
    end = await renew_with_result(dev_client, company, "silent")

    await run_jobs_at(dev_client, end - timedelta(hours=22))

    assert await fetch_limit_and_days(company) == (10, 31)
    assert await charge_counts(dev_client) == [1, 0]


async def test_a_charge_can_require_consent_on_the_hosted_page(
    dev_client: Person, company: Person
) -> None:
    await renew_with_result(dev_client, company, "consent")
    pending = (await dev_client.get("/dev/payments")).json()[0]
    texts = [mail["text"] for mail in await deliver_and_read_mails(dev_client)]
    assert any(pending["url"] in text or "/panel/subscription" in text for text in texts)

    await press_button(dev_client, pending["url"], "paid")

    assert (await fetch_limit_and_days(company))[1] > 30


async def test_a_transfer_for_an_expired_order_is_applied(
    dev_client: Person, company: Person, operator: Person
) -> None:
    _, order_id = await place_order(company, "transfer")
    title = (await company.get(f"/api/orders/{order_id}")).json()["transfer"]["title"]
    after_trial = datetime.now(UTC) + timedelta(days=15)
    await dev_client.put("/dev/clock", {"now": after_trial.isoformat()})
    await dev_client.post("/dev/jobs")
    assert await order_state(company, order_id) == "expired"

    await operator.post("/api/admin/transfers", statement_line(title))
    await dev_client.post("/dev/jobs")

    assert await order_state(company, order_id) == "paid"
    assert await fetch_limit_and_days(company) == (10, 30)


async def test_the_dev_api_lists_payments(dev_client: Person, company: Person) -> None:
    assert (await dev_client.get("/dev/payments")).json() == []
    url, _ = await place_order(company)
    (payment,) = (await dev_client.get("/dev/payments")).json()
    assert (payment["url"], payment["gross"], payment["state"]) == (
        url,
        PRICE_OF_TEN_DRIVERS,
        "open",
    )
