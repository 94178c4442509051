"""Przelewy24 from the checkout to the buyer: its calls over HTTP, its API on a real socket."""

from collections.abc import AsyncIterator

import pytest

from payments_shop import SELLER, Shop, ends
from prawko.hooks.payments import Method, Money, PaymentProvider, PaymentRef
from prawko.payments.errors import PaymentRefusedError
from przelewy24 import CRC, EVENTS, KEY, MERCHANT, FakePrzelewy24, paid_call, refund_call

pytestmark = pytest.mark.anyio

NAME = "przelewy24"


@pytest.fixture
async def p24() -> AsyncIterator[FakePrzelewy24]:
    fake = FakePrzelewy24()
    async with fake.listening():
        yield fake


@pytest.fixture
def providers() -> list[PaymentProvider]:
    """The installed plugin is found as in production."""
    return []


@pytest.fixture
def variables(variables, p24) -> dict[str, str]:
    return {
        **variables,
        **SELLER,
        "PAYMENT_PROVIDERS": NAME,
        "PAYMENTS_PRZELEWY24_MERCHANT": str(MERCHANT),
        "PAYMENTS_PRZELEWY24_KEY": KEY,
        "PAYMENTS_PRZELEWY24_CRC": CRC,
        "PAYMENTS_PRZELEWY24_EVENTS": EVENTS,
        "PAYMENTS_PRZELEWY24_URL": p24.url,
        "PAYMENTS_PRZELEWY24_BLIK_CODES": "true",
        "PAYMENTS_PRZELEWY24_TRANSFERS": "true",
    }


async def test_who_pays_on_its_page_has_paid_once_it_is_verified(shop: Shop, p24) -> None:
    payment_id, redirect = await shop.buys(Method.PRZELEWY24)
    assert redirect.url is not None
    assert redirect.url.startswith(f"{p24.url}/trnRequest/")
    call = await p24.pay(redirect)
    assert p24.verified == []

    assert [await shop.hears(NAME, call) for _ in range(5)] == [200] * 5
    await shop.works()

    assert await shop.state(payment_id) == "paid"
    assert await shop.told(payment_id) == ["sold"]
    assert p24.verified == [redirect.ref.key]


async def test_a_code_and_a_transfer_go_the_same_way(shop: Shop, p24) -> None:
    code, redirect = await shop.buys(Method.BLIK, blik_code="777123")
    assert redirect.url is None
    shop.worker.clock.forward(minutes=16)
    await shop.asks()
    assert await shop.state(code) == "paid", "nobody called, so it was asked for"

    transfer, redirect = await shop.buys(Method.TRANSFER)
    assert redirect.transfer is not None
    assert redirect.transfer.iban == "61109010140000071219812874"
    await shop.hears(NAME, await p24.pay(redirect))
    await shop.works()
    assert await shop.state(transfer) == "paid"


async def test_a_wrong_code_is_the_payers_fault(shop: Shop, p24) -> None:
    purchase = shop.purchase(Method.BLIK, blik_code="123456")
    payment_id = await shop.prepares(purchase)
    with pytest.raises(PaymentRefusedError):
        await shop.payments.start(shop.tenant_id, payment_id, purchase)

    assert await shop.told(payment_id) == ["failed"]


async def test_forged_calls_have_no_effect(shop: Shop, p24) -> None:
    payment_id, redirect = await shop.buys(Method.PRZELEWY24)
    await p24.pay(redirect)
    key = redirect.ref.key
    forged = [
        paid_call("another crc", sessionId=key),
        paid_call(sessionId=key, sign="00" * 48),
    ]

    assert [await shop.hears(NAME, one) for one in forged] == [401, 401]
    assert await shop.inbox() == []
    await shop.works()
    assert await shop.state(payment_id) == "open"


async def test_another_sum_is_left_with_its_payer_and_flagged(shop: Shop, p24) -> None:
    payment_id, redirect = await shop.buys(Method.PRZELEWY24)
    await shop.hears(NAME, await p24.pay(redirect, 100))
    await shop.works()

    assert await shop.state(payment_id) == "mismatched"
    assert p24.verified == []
    [finding] = await shop.found()
    assert (finding["kind"], finding["grosze"]) == ("wrong_amount", 100)
    assert await shop.incidents() == ["wrong_amount"]


async def test_whatever_the_order_of_its_four_calls_there_is_one_end(shop: Shop, p24) -> None:
    async def script(redirect):
        key = redirect.ref.key
        paid = await p24.pay(redirect)
        number = p24.transactions[key]["orderId"]
        told = {"sessionId": key, "orderId": number}
        return [
            paid,
            paid_call(**{**told, "orderId": number + 10**6}),  # an earlier try of its payer
            refund_call(**told, refundsUuid=f"A{key}", status=1),
            refund_call(**told, refundsUuid=f"B{key}", status=1),
        ]

    provider = shop.tools.plugins.payments[NAME]
    assert await ends(shop, provider, Method.PRZELEWY24, script) == {("paid", ("sold",), ())}


async def test_a_refund_in_its_panel_is_noticed(shop: Shop, p24) -> None:
    payment_id, redirect = await shop.buys(Method.PRZELEWY24)
    key = redirect.ref.key
    await shop.hears(NAME, await p24.pay(redirect))
    await shop.works()
    provider = shop.tools.plugins.payments[NAME]
    await provider.refund(PaymentRef(key), Money(18327), key=f"R{key}")
    p24.transactions[key]["status"] = 3
    number = p24.transactions[key]["orderId"]
    back = refund_call(sessionId=key, orderId=number, refundsUuid=f"R{key}", amount=18327)
    for _ in range(3):
        await shop.hears(NAME, back)
        await shop.works()

    assert await shop.state(payment_id) == "refunded"
    assert await shop.told(payment_id) == ["sold", "taken back"]
    assert await shop.incidents() == ["refunded_elsewhere"]


async def test_a_server_that_is_down_or_refuses_us_loses_nothing(shop: Shop, p24) -> None:
    payment_id, redirect = await shop.buys(Method.PRZELEWY24)
    await shop.hears(NAME, await p24.pay(redirect))
    p24.says(503)
    await shop.works()
    shop.worker.clock.forward(minutes=16)
    await shop.asks()
    assert (await shop.state(payment_id), await shop.incidents()) == ("open", [])

    p24.says(401, {"error": "Incorrect authentication", "code": 401})
    shop.worker.clock.forward(minutes=16)
    await shop.asks()
    assert (await shop.state(payment_id), await shop.incidents()) == ("open", ["payments_refused"])
