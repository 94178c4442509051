"""Przelewy24 from the checkout to the order handler, by HTTP on real sockets."""

from collections.abc import AsyncIterator

import pytest

from prawko.hooks.payments import Money, PaymentMethod, PaymentProvider, PaymentRef
from prawko.payments.errors import PaymentDeclinedError
from support.payments import SELLER_VARIABLES, PaymentScenario, final_states
from support.servers.przelewy24 import (
    API_KEY,
    CRC_KEY,
    EVENTS_URL,
    MERCHANT,
    FakePrzelewy24,
    payment_webhook,
    refund_webhook,
)

pytestmark = pytest.mark.anyio

NAME = "przelewy24"


@pytest.fixture
async def p24() -> AsyncIterator[FakePrzelewy24]:
    fake = FakePrzelewy24()
    async with fake.serve():
        yield fake


@pytest.fixture
def providers() -> list[PaymentProvider]:
    """The installed plugin is found as in production."""
    return []


@pytest.fixture
def variables(variables, p24) -> dict[str, str]:
    return {
        **variables,
        **SELLER_VARIABLES,
        "PAYMENT_PROVIDERS": NAME,
        "PAYMENTS_PRZELEWY24_MERCHANT": str(MERCHANT),
        "PAYMENTS_PRZELEWY24_KEY": API_KEY,
        "PAYMENTS_PRZELEWY24_CRC": CRC_KEY,
        "PAYMENTS_PRZELEWY24_EVENTS": EVENTS_URL,
        "PAYMENTS_PRZELEWY24_URL": p24.url,
        "PAYMENTS_PRZELEWY24_BLIK_CODES": "true",
        "PAYMENTS_PRZELEWY24_TRANSFERS": "true",
    }


async def test_a_payment_on_its_page_counts_once_verified(scenario: PaymentScenario, p24) -> None:
    payment_id, action = await scenario.start_payment(PaymentMethod.PRZELEWY24)
    assert action.url is not None
    assert action.url.startswith(f"{p24.url}/trnRequest/")
    call = await p24.pay(action)
    assert p24.verified_sessions == []

    assert [await scenario.post_webhook(NAME, call) for _ in range(5)] == [200] * 5
    await scenario.process_webhooks()

    assert await scenario.payment_state(payment_id) == "paid"
    assert await scenario.handler_events(payment_id) == ["sold"]
    assert p24.verified_sessions == [action.ref.reference]


async def test_a_blik_code_and_a_transfer_are_verified_too(scenario: PaymentScenario, p24) -> None:
    code, action = await scenario.start_payment(PaymentMethod.BLIK, blik_code="777123")
    assert action.url is None
    scenario.worker.clock.forward(minutes=16)
    await scenario.poll_open()
    assert await scenario.payment_state(code) == "paid", "nobody called, so it was asked for"

    transfer, action = await scenario.start_payment(PaymentMethod.TRANSFER)
    assert action.transfer is not None
    assert action.transfer.iban == "61109010140000071219812874"
    await scenario.post_webhook(NAME, await p24.pay(action))
    await scenario.process_webhooks()
    assert await scenario.payment_state(transfer) == "paid"


async def test_a_wrong_blik_code_declines_the_payment(scenario: PaymentScenario, p24) -> None:
    request = scenario.make_request(PaymentMethod.BLIK, blik_code="123456")
    payment_id = await scenario.create_payment(request)
    with pytest.raises(PaymentDeclinedError):
        await scenario.payments.start(scenario.tenant_id, payment_id, request)

    assert await scenario.handler_events(payment_id) == ["failed"]


async def test_forged_webhooks_have_no_effect(scenario: PaymentScenario, p24) -> None:
    payment_id, action = await scenario.start_payment(PaymentMethod.PRZELEWY24)
    await p24.pay(action)
    key = action.ref.reference
    forged_requests = [
        payment_webhook("another crc", sessionId=key),
        payment_webhook(sessionId=key, sign="00" * 48),
    ]

    assert [await scenario.post_webhook(NAME, forged) for forged in forged_requests] == [401, 401]
    assert await scenario.webhook_events() == []
    await scenario.process_webhooks()
    assert await scenario.payment_state(payment_id) == "open"


async def test_another_amount_is_not_verified_and_reported(scenario: PaymentScenario, p24) -> None:
    payment_id, action = await scenario.start_payment(PaymentMethod.PRZELEWY24)
    await scenario.post_webhook(NAME, await p24.pay(action, 100))
    await scenario.process_webhooks()

    assert await scenario.payment_state(payment_id) == "mismatched"
    assert p24.verified_sessions == []
    [discrepancy] = await scenario.discrepancies()
    assert (discrepancy["kind"], discrepancy["grosze"]) == ("wrong_amount", 100)
    assert await scenario.open_incidents() == ["wrong_amount"]


async def test_any_order_of_its_four_webhooks_has_the_same_result(
    scenario: PaymentScenario, p24
) -> None:
    async def script(action):
        key = action.ref.reference
        paid = await p24.pay(action)
        number = p24.transactions[key]["orderId"]
        fields = {"sessionId": key, "orderId": number}
        return [
            paid,
            payment_webhook(**{**fields, "orderId": number + 10**6}),  # an earlier try of its payer
            refund_webhook(**fields, refundsUuid=f"A{key}", status=1),
            refund_webhook(**fields, refundsUuid=f"B{key}", status=1),
        ]

    provider = scenario.context.plugins.payments[NAME]
    assert await final_states(scenario, provider, PaymentMethod.PRZELEWY24, script) == {
        ("paid", ("sold",), ())
    }


async def test_a_refund_in_its_dashboard_is_reported(scenario: PaymentScenario, p24) -> None:
    payment_id, action = await scenario.start_payment(PaymentMethod.PRZELEWY24)
    key = action.ref.reference
    await scenario.post_webhook(NAME, await p24.pay(action))
    await scenario.process_webhooks()
    provider = scenario.context.plugins.payments[NAME]
    await provider.refund(PaymentRef(key), Money(18327), refund_reference=f"R{key}")
    p24.transactions[key]["status"] = 3
    number = p24.transactions[key]["orderId"]
    refund_event = refund_webhook(
        sessionId=key, orderId=number, refundsUuid=f"R{key}", amount=18327
    )
    for _ in range(3):
        await scenario.post_webhook(NAME, refund_event)
        await scenario.process_webhooks()

    assert await scenario.payment_state(payment_id) == "refunded"
    assert await scenario.handler_events(payment_id) == ["sold", "taken back"]
    assert await scenario.open_incidents() == ["refunded_elsewhere"]


async def test_nothing_is_lost_while_its_server_is_down_or_refuses_us(
    scenario: PaymentScenario, p24
) -> None:
    payment_id, action = await scenario.start_payment(PaymentMethod.PRZELEWY24)
    await scenario.post_webhook(NAME, await p24.pay(action))
    p24.respond_with(503)
    await scenario.process_webhooks()
    scenario.worker.clock.forward(minutes=16)
    await scenario.poll_open()
    assert (await scenario.payment_state(payment_id), await scenario.open_incidents()) == (
        "open",
        [],
    )

    p24.respond_with(401, {"error": "Incorrect authentication", "code": 401})
    scenario.worker.clock.forward(minutes=16)
    await scenario.poll_open()
    assert (await scenario.payment_state(payment_id), await scenario.open_incidents()) == (
        "open",
        ["payments_refused"],
    )
