"""Orders paid at the demo's made-up provider: by the hosted page, the door, and an operator."""

import asyncio
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from doors import mails
from persons import Person
from prawko_demo.payments import provider
from prawko_tenants.logins import Logins
from stored import look, write

pytestmark = pytest.mark.anyio

ACME = {
    "companyName": "Acme Transport sp. z o.o.",
    "taxId": "5260250274",
    "street": "ul. Prosta 1",
    "postalCode": "00-838",
    "city": "Warszawa",
}
TEN_DRIVERS = 24477  # 199.00 net and 23 % of VAT, in grosze


@pytest.fixture
async def operator(dev: Person, logins: Logins) -> AsyncIterator[Person]:
    """Somebody who runs the product, at another browser."""
    async with another_browser(dev) as browser:
        person = Person("boss@prawko.test", browser)
        await person.signs_up()
        promote = "UPDATE user_account SET is_admin = true WHERE email_key = $1"
        await write(logins, promote, person.email)
        yield person


def another_browser(dev: Person) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=dev.browser._transport, base_url=dev.browser.base_url)


def line(title: str) -> dict[str, object]:
    """What an operator reads on the bank statement."""
    return {"title": title, "amount": TEN_DRIVERS, "reference": "1/2026"}


async def orders(firm: Person, method: str = "card", **more: object) -> tuple[str, str]:
    """Order ten drivers; where to go on, and the order's id."""
    answer = await firm.post(
        "/api/subscription/create-checkout-session",
        {"driverLimit": 10, **ACME, "method": method, **more},
    )
    assert answer.status_code in {200, 201}, answer.text
    return answer.json()["url"], answer.json()["orderId"]


async def state(firm: Person, order_id: str) -> str:
    return (await firm.get(f"/api/orders/{order_id}")).json()["state"]


async def presses(dev: Person, url: str, result: str, times: int = 1) -> httpx.Response:
    return await dev.post("/dev/payments", {"url": url, "result": result, "times": times})


async def limit_and_days(firm: Person) -> tuple[int, int]:
    shown = (await firm.get("/api/subscription")).json()
    return shown["driverLimit"], shown["daysLeft"]


async def test_what_is_paid_once_and_told_thrice_is_given_once(
    dev: Person, firm: Person, logins: Logins
) -> None:
    url, order_id = await orders(firm)
    assert re.search(r"/dev/pay/[0-9A-Z]{12}$", url)
    assert await state(firm, order_id) == "open"

    pressed = await presses(dev, url, "paid", 3)

    assert pressed.status_code == 200
    assert pressed.json()["answers"] == [200, 200, 200]
    assert pressed.json()["state"] == "paid"
    assert await state(firm, order_id) == "paid"
    assert await limit_and_days(firm) == (10, 37)  # what was left of the trial is not lost
    await presses(dev, url, "paid", 2)
    await dev.post("/dev/jobs")
    assert await limit_and_days(firm) == (10, 37)
    assert len(await look(logins, "SELECT id FROM subscription WHERE NOT is_trial")) == 1
    assert len(await look(logins, "SELECT id FROM invoice")) == 1
    assert await look(logins, "SELECT id FROM payment_finding") == []


@pytest.mark.parametrize("result", ["failed", "abandoned"])
async def test_what_is_not_paid_brings_nothing_and_can_be_tried_again(
    dev: Person, firm: Person, result: str
) -> None:
    before = await limit_and_days(firm)
    url, order_id = await orders(firm, "przelewy24")
    pressed = await presses(dev, url, result, 2)

    assert (pressed.json()["state"], pressed.json()["answers"]) == ("failed", [200, 200])
    assert await state(firm, order_id) == "failed"
    assert await limit_and_days(firm) == before
    late = await presses(dev, url, "paid")
    assert (late.status_code, late.json()["error"]) == (422, "not_understood")

    url, order_id = await orders(firm, "przelewy24")
    await presses(dev, url, "paid")
    assert await state(firm, order_id) == "paid"


async def test_the_hosted_page_shows_what_is_bought_to_anybody_and_its_buttons_work(
    dev: Person, firm: Person, visitor_of
) -> None:
    url, order_id = await orders(firm)
    stranger = another_browser(dev)
    page = await stranger.get(url)

    assert page.status_code == 200
    assert '<html lang="pl">' in page.text
    assert "10 kierowców" in page.text
    assert "244,77\N{NO-BREAK SPACE}zł" in page.text
    buttons = re.findall(r'formaction="/dev/pay/\w{12}/(\w+)"', page.text)
    assert buttons == ["paid", "failed", "abandoned"]
    assert "form-action 'self'" in page.headers["content-security-policy"]
    assert not re.search(r"<style|style=|<script| on[a-z]+=", page.text)

    pressed = await stranger.post(f"{url}/paid")
    assert pressed.status_code == 303
    assert pressed.headers["location"] == (
        f"http://127.0.0.1:8000/panel/subscription/success?order={order_id}"
    )
    await dev.post("/dev/jobs")
    assert await state(firm, order_id) == "paid"

    again = await stranger.post(f"{url}/failed")
    assert (again.status_code, again.headers["location"]) == (303, url)
    page = await stranger.get(url)
    assert "<form" not in page.text
    assert "Płatność przyjęta" in page.text
    for unknown in (
        await stranger.get(f"{url}X"),
        await stranger.post(f"{url}X/paid"),
        await stranger.post(f"{url}/stolen"),
    ):
        assert (unknown.status_code, unknown.json()["error"]) == (404, "not_found")
    await stranger.aclose()


async def test_a_blik_code_of_777_pays_and_every_other_is_refused(
    dev: Person, firm: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider, "CONSENT_SECONDS", 0.0)
    refused = await firm.post(
        "/api/subscription/create-checkout-session",
        {"driverLimit": 10, **ACME, "method": "blik", "blikCode": "123456"},
    )
    assert (refused.status_code, refused.json()["error"]) == (422, "payment_refused")

    url, order_id = await orders(firm, "blik", blikCode="777123")
    assert url == f"/panel/subscription/success?order={order_id}"
    for _ in range(50):
        await dev.post("/dev/jobs")
        if await state(firm, order_id) == "paid":
            break
        await asyncio.sleep(0.02)
    assert await state(firm, order_id) == "paid"
    assert (await limit_and_days(firm))[0] == 10


async def test_a_saved_card_ends_charges_as_was_chosen(dev: Person) -> None:
    assert (await dev.get("/dev/payments/charges")).json() == {"result": "paid", "times": None}
    for result in ("refused", "consent", "silent", "paid"):
        chosen = {"result": result, "times": 2}
        assert (await dev.put("/dev/payments/charges", chosen)).json() == chosen
        assert (await dev.get("/dev/payments/charges")).json() == chosen
    for wrong in ({"result": "perhaps"}, {"result": "paid", "times": 0}, {"other": 1}):
        assert (await dev.put("/dev/payments/charges", wrong)).status_code == 400


NOT_UNDERSTOOD = [
    ({"url": "http://127.0.0.1:8000/dev/pay/000000000000", "result": "paid"}, 422),
    ({"url": "/panel/subscription?order=1", "result": "paid"}, 422),
    ({"url": "http://[", "result": "paid"}, 422),
    ({"url": "", "result": "stolen"}, 400),
    ({"url": "", "result": "paid", "times": 0}, 400),
    ({"url": "", "result": "paid", "times": 101}, 400),
    ({"result": "paid"}, 400),
]


async def test_what_the_door_cannot_do_it_says(dev: Person) -> None:
    for body, status in NOT_UNDERSTOOD:
        refused = await dev.post("/dev/payments", body)
        assert refused.status_code == status, body
        assert set(refused.json()) == {"error", "message"}


async def test_a_transfer_is_shown_mailed_and_booked_by_an_operator(
    dev: Person, firm: Person, operator: Person, logins: Logins
) -> None:
    await dev.delete("/dev/mailbox")
    url, order_id = await orders(firm, "transfer")
    assert url == f"/panel/subscription?order={order_id}"
    order = (await firm.get(f"/api/orders/{order_id}")).json()
    transfer = order["transfer"]
    assert transfer["iban"] == "PL91999900000000202611210001"
    assert re.fullmatch(r"PRAWKO( [0-9A-Z]{4}){3}", transfer["title"])

    for _ in range(2):
        sent = [mail for mail in await mails(dev) if mail["to"] == firm.email]
    (mail,) = sent
    assert mail["subject"] == "Prawko: dane do przelewu"
    for told in (
        transfer["title"], transfer["owner"], "PL91 9999 0000 0000 2026 1121 0001",
        "244,77 zł", "199,00 zł", "45,77 zł", "10 kierowców", f"order={order_id}",
    ):  # fmt: skip
        assert told in mail["text"], told

    booking = line(transfer["title"].lower())
    refused = await firm.post("/api/admin/transfers", booking)
    assert (refused.status_code, refused.json()["error"]) == (403, "auth_forbidden")
    for _ in range(2):
        assert (await operator.post("/api/admin/transfers", booking)).status_code == 200
        await dev.post("/dev/jobs")

    assert await state(firm, order_id) == "paid"
    assert (await limit_and_days(firm))[0] == 10
    assert await look(logins, "SELECT id FROM payment_finding") == []
    assert len(await look(logins, "SELECT id FROM invoice")) == 1


async def renewed_with(dev: Person, firm: Person, result: str) -> datetime:
    """Save a card, choose what its next charge ends as, and come to the day of the charge."""
    url, _ = await orders(firm)
    await presses(dev, url, "paid")
    await dev.put("/dev/payments/charges", {"result": result, "times": 1})
    end = datetime.fromisoformat((await firm.get("/api/subscription")).json()["endDate"])
    await works_at(dev, end - timedelta(hours=23))
    assert (await limit_and_days(firm))[1] == 1
    return end


async def works_at(dev: Person, now: datetime) -> None:
    await dev.put("/dev/clock", {"now": now.isoformat()})
    assert (await dev.post("/dev/jobs")).status_code == 200


async def charges(dev: Person) -> list[int]:
    return [one["charges"] for one in (await dev.get("/dev/payments")).json()]


async def test_a_refused_card_is_told_of_and_charged_again_later(dev: Person, firm: Person) -> None:
    end = await renewed_with(dev, firm, "refused")
    assert any("płatno" in mail["subject"].lower() for mail in await mails(dev))
    assert await charges(dev) == [0, 0]

    await works_at(dev, end - timedelta(hours=16))

    assert await limit_and_days(firm) == (10, 31)
    assert await charges(dev) == [1, 0, 0]


async def test_a_charge_whose_answer_was_lost_is_found_and_made_once(
    dev: Person, firm: Person
) -> None:
    end = await renewed_with(dev, firm, "silent")

    await works_at(dev, end - timedelta(hours=22))

    assert await limit_and_days(firm) == (10, 31)
    assert await charges(dev) == [1, 0]


async def test_a_charge_may_wait_for_its_payer_on_the_hosted_page(
    dev: Person, firm: Person
) -> None:
    await renewed_with(dev, firm, "consent")
    waiting = (await dev.get("/dev/payments")).json()[0]
    told = [mail["text"] for mail in await mails(dev)]
    assert any(waiting["url"] in text or "/panel/subscription" in text for text in told)

    await presses(dev, waiting["url"], "paid")

    assert (await limit_and_days(firm))[1] > 30


async def test_a_transfer_that_comes_after_its_time_still_counts(
    dev: Person, firm: Person, operator: Person
) -> None:
    _, order_id = await orders(firm, "transfer")
    title = (await firm.get(f"/api/orders/{order_id}")).json()["transfer"]["title"]
    late = datetime.now(UTC) + timedelta(days=15)
    await dev.put("/dev/clock", {"now": late.isoformat()})
    await dev.post("/dev/jobs")
    assert await state(firm, order_id) == "expired"

    await operator.post("/api/admin/transfers", line(title))
    await dev.post("/dev/jobs")

    assert await state(firm, order_id) == "paid"
    assert await limit_and_days(firm) == (10, 30)


async def test_the_door_lists_what_was_ordered(dev: Person, firm: Person) -> None:
    assert (await dev.get("/dev/payments")).json() == []
    url, _ = await orders(firm)
    (listed,) = (await dev.get("/dev/payments")).json()
    assert (listed["url"], listed["gross"], listed["state"]) == (url, TEN_DRIVERS, "open")
