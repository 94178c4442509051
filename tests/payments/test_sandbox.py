"""The demo's own provider from the checkout to the buyer, in every order of its calls."""

from pathlib import Path

import msgspec
import pytest

from payments_shop import SELLER, Shop, ends
from prawko.base.clock import machine_now
from prawko.hooks.callbacks import Callback
from prawko.hooks.payments import Method, PaymentProvider, PaymentState
from prawko_demo.payments import events
from prawko_demo.payments.provider import Button, SandboxProvider
from prawko_demo.payments.store import Kept, Store

pytestmark = pytest.mark.anyio

SECRET = b"what events are signed with"


@pytest.fixture
def sandbox(tmp_path: Path) -> SandboxProvider:
    return SandboxProvider(Store(tmp_path / "sandbox.sqlite"), "http://127.0.0.1:8000", SECRET)


@pytest.fixture
def providers(sandbox) -> list[PaymentProvider]:
    return [sandbox]


@pytest.fixture
def variables(variables) -> dict[str, str]:
    return {**variables, **SELLER, "PAYMENT_PROVIDERS": SandboxProvider.name}


def told(kept: Kept, state: PaymentState) -> Callback:
    """The call that was made when the payment stood so."""
    now = machine_now()
    body = events.body_of(msgspec.structs.replace(kept, state=state), now)
    headers = events.signed(body, SECRET, now)
    return Callback(headers=headers, query={}, body=body, received_at=now)


async def test_whatever_the_order_of_its_four_calls_there_is_one_end(shop: Shop, sandbox) -> None:
    async def script(redirect):
        kept = await sandbox.press(redirect.ref.key, Button.PAID)
        states = (PaymentState.OPEN, PaymentState.FAILED, PaymentState.PAID, PaymentState.REFUNDED)
        return [told(kept, state) for state in states]

    assert await ends(shop, sandbox, Method.CARD, script) == {("paid", ("sold",), ())}


async def test_forged_and_old_calls_have_no_effect(shop: Shop, sandbox) -> None:
    payment_id, redirect = await shop.buys()
    kept = await sandbox.press(redirect.ref.key, Button.PAID)
    call = told(kept, PaymentState.PAID)
    hours_ago = machine_now().replace(year=2020)
    wrong = [
        {},
        events.signed(call.body, b"another secret", machine_now()),
        events.signed(call.body, SECRET, hours_ago),
    ]
    for headers in wrong:
        forged = msgspec.structs.replace(call, headers=headers)
        assert await shop.hears("sandbox", forged) == 401
    await shop.works()

    assert await shop.inbox() == []
    assert await shop.state(payment_id) == "open"
