"""The demo's provider from the checkout to the order handler, with any order of webhooks."""

from pathlib import Path

import msgspec
import pytest

from prawko.hooks.payments import PaymentMethod, PaymentProvider, PaymentState
from prawko.hooks.webhooks import WebhookRequest
from prawko.kit.clock import utc_now
from prawko_demo.payments import events
from prawko_demo.payments.provider import PageButton, SandboxProvider
from prawko_demo.payments.store import SandboxPayment, SandboxStore
from support.payments import SELLER_VARIABLES, PaymentScenario, final_states

pytestmark = pytest.mark.anyio

SECRET = b"what events are signed with"


@pytest.fixture
def sandbox(tmp_path: Path) -> SandboxProvider:
    return SandboxProvider(
        SandboxStore(tmp_path / "sandbox.sqlite"), "http://127.0.0.1:8000", SECRET
    )


@pytest.fixture
def providers(sandbox) -> list[PaymentProvider]:
    return [sandbox]


@pytest.fixture
def variables(variables) -> dict[str, str]:
    return {**variables, **SELLER_VARIABLES, "PAYMENT_PROVIDERS": SandboxProvider.name}


def signed_webhook(payment: SandboxPayment, state: PaymentState) -> WebhookRequest:
    """The call that was made when the payment stood so."""
    now = utc_now()
    body = events.encode_event(msgspec.structs.replace(payment, state=state), now)
    headers = events.signature_headers(body, SECRET, now)
    return WebhookRequest(headers=headers, query={}, body=body, received_at=now)


async def test_any_order_of_its_four_webhooks_has_the_same_result(
    scenario: PaymentScenario, sandbox
) -> None:
    async def script(action):
        payment = await sandbox.press_button(action.ref.reference, PageButton.PAID)
        states = (PaymentState.OPEN, PaymentState.FAILED, PaymentState.PAID, PaymentState.REFUNDED)
        return [signed_webhook(payment, state) for state in states]

    assert await final_states(scenario, sandbox, PaymentMethod.CARD, script) == {
        ("paid", ("sold",), ())
    }


async def test_forged_and_old_webhooks_have_no_effect(scenario: PaymentScenario, sandbox) -> None:
    payment_id, action = await scenario.start_payment()
    payment = await sandbox.press_button(action.ref.reference, PageButton.PAID)
    call = signed_webhook(payment, PaymentState.PAID)
    hours_ago = utc_now().replace(year=2020)
    malformed = [
        {},
        events.signature_headers(call.body, b"another secret", utc_now()),
        events.signature_headers(call.body, SECRET, hours_ago),
    ]
    for headers in malformed:
        forged_request = msgspec.structs.replace(call, headers=headers)
        assert await scenario.post_webhook("sandbox", forged_request) == 401
    await scenario.process_webhooks()

    assert await scenario.webhook_events() == []
    assert await scenario.payment_state(payment_id) == "open"
