"""A mandate is charged once per reference, despite concurrency, crashes and repetition."""

import asyncio
import dataclasses
from uuid import UUID, uuid4

import msgspec
import pytest
from sqlalchemy import text

from prawko.hooks.payments import PaymentError, PaymentMethod, PaymentState
from prawko.kit.crypto import KeyRing
from prawko.payments.errors import PaymentUnavailableError
from prawko.payments.incidents import report_payment_incidents
from prawko.payments.order_handler import FulfilmentResult
from prawko.payments.repository import PaymentRepository
from prawko.payments.service import PaymentService
from prawko.personal_data.erasure import erase_company
from support.database import fetch_rows
from support.payments import ANNA_PAYER, PRICE, PaymentScenario

pytestmark = pytest.mark.anyio


@pytest.fixture
async def mandate(scenario: PaymentScenario, fake) -> UUID:
    """A card that Anna has saved."""
    payment_id, action = await scenario.start_payment(save_payment_method=True)
    await scenario.post_webhook("fake", await fake.pay(action))
    await scenario.process_webhooks()
    [sold] = await fetch_rows(
        scenario.logins, "SELECT params::jsonb->>'mandate' AS id FROM notice WHERE dedup_key = $1",
        str(payment_id),
    )  # fmt: skip
    return UUID(sold["id"])


async def prepare_charge(
    scenario: PaymentScenario, mandate: UUID, order_id: UUID | None = None
) -> UUID:
    async with scenario.context.database.tenant(scenario.tenant_id) as session:
        return await scenario.payments.create_charge(
            session, order_id or uuid4(), PRICE, mandate, "Prawko, 30 dni", ANNA_PAYER
        )


async def end_mandates(scenario: PaymentScenario, session) -> None:
    now = scenario.context.clock.now()
    await PaymentRepository(session).end_other_mandates(now, except_id=None)


def charge_count(fake, key: str) -> int:
    return fake.charge_counts[key]


async def test_a_saved_card_is_stored_encrypted_and_shown_by_its_label(
    scenario, fake, mandate
) -> None:
    [row] = await fetch_rows(scenario.logins, "SELECT * FROM payment_mandate")
    assert (row["id"], row["provider"], row["method"]) == (mandate, "fake", "card")
    assert next(iter(fake.requests)).encode() not in row["token"]
    async with scenario.context.database.tenant(scenario.tenant_id) as session:
        mandate_view = await scenario.payments.get_mandate(session, mandate)
    assert mandate_view is not None
    assert mandate_view.label == "•••• 4242"


async def test_a_card_is_not_saved_without_request(scenario, fake) -> None:
    _, action = await scenario.start_payment()
    await scenario.post_webhook("fake", await fake.pay(action))
    await scenario.process_webhooks()

    assert await fetch_rows(scenario.logins, "SELECT * FROM payment_mandate") == []


async def test_concurrent_and_repeated_charges_charge_once(scenario, fake, mandate) -> None:
    payment_id = await prepare_charge(scenario, mandate)
    row = await scenario.payment_row(payment_id)
    assert b"anna@acme.test" not in row["encrypted_details"]

    views = await asyncio.gather(
        *(scenario.payments.charge(scenario.tenant_id, payment_id) for _ in range(3))
    )
    repeated = await scenario.payments.charge(scenario.tenant_id, payment_id)

    assert {view.state for view in (*views, repeated)} == {"paid"}
    assert charge_count(fake, row["reference"]) == 1
    assert await scenario.handler_events(payment_id) == ["sold"]
    assert (await scenario.payment_row(payment_id))["encrypted_details"] is None
    [payment_row] = await fetch_rows(
        scenario.logins, "SELECT params::jsonb->>'mandate' AS id FROM notice WHERE dedup_key = $1",
        str(payment_id),
    )  # fmt: skip
    assert payment_row["id"] is None, "the payer gave no new one"


async def test_the_panels_login_can_report_discrepancies(scenario, fake, mandate) -> None:
    scenario.order_handler.forced_result = FulfilmentResult.SUSPENDED
    payment_id = await prepare_charge(scenario, mandate)
    await scenario.payments.charge(scenario.tenant_id, payment_id)

    assert [discrepancy["kind"] for discrepancy in await scenario.discrepancies()] == ["suspended"]
    assert await scenario.open_incidents() == []
    await report_payment_incidents(scenario.worker)
    assert await scenario.open_incidents() == ["suspended"]


async def test_a_declined_card_fails_the_payment(scenario, fake, mandate) -> None:
    payment_id = await prepare_charge(scenario, mandate)
    fake.declines_charges = True
    view = await scenario.payments.charge(scenario.tenant_id, payment_id)

    assert (view.state, view.reason) == ("failed", "the card was declined")
    assert await scenario.handler_events(payment_id) == ["failed"]
    fake.declines_charges = False
    repeated = await scenario.payments.charge(scenario.tenant_id, payment_id)
    assert repeated.state == "failed", "another try is another payment"


async def test_an_unstarted_charge_is_made_by_polling(scenario, fake, mandate) -> None:
    payment_id = await prepare_charge(scenario, mandate)
    scenario.worker.clock.forward(minutes=16)
    await asyncio.gather(scenario.poll_open(), scenario.poll_open())

    assert await scenario.payment_state(payment_id) == "paid"
    assert charge_count(fake, (await scenario.payment_row(payment_id))["reference"]) == 1


async def test_a_crash_after_the_charge_charges_once(scenario, fake, mandate) -> None:
    payment_id = await prepare_charge(scenario, mandate)
    scenario.order_handler.error_to_raise = RuntimeError("the power is off")
    with pytest.raises(RuntimeError):
        await scenario.payments.charge(scenario.tenant_id, payment_id)
    assert await scenario.payment_state(payment_id) == "starting"

    scenario.worker.clock.forward(minutes=16)
    await scenario.poll_open()
    assert await scenario.payment_state(payment_id) == "paid"
    assert charge_count(fake, (await scenario.payment_row(payment_id))["reference"]) == 1
    assert await scenario.handler_events(payment_id) == ["sold"]


async def test_a_charge_without_a_response_is_resolved_by_polling(scenario, fake, mandate) -> None:
    payment_id = await prepare_charge(scenario, mandate)
    charge = fake.charge

    async def lose_response(*args):
        await charge(*args)
        raise PaymentError("no answer")

    fake.charge = lose_response
    with pytest.raises(PaymentUnavailableError):
        await scenario.payments.charge(scenario.tenant_id, payment_id)
    assert await scenario.payment_state(payment_id) == "starting"
    fake.charge = charge
    scenario.worker.clock.forward(hours=7)  # too late to charge: its status is queried only
    await scenario.poll_open()

    assert await scenario.payment_state(payment_id) == "paid"


async def test_an_old_unstarted_charge_is_not_made(scenario, fake, mandate) -> None:
    payment_id = await prepare_charge(scenario, mandate)
    scenario.worker.clock.forward(hours=7)
    await scenario.poll_open()

    assert (
        await scenario.payment_state(payment_id),
        await scenario.handler_events(payment_id),
    ) == ("failed", ["failed"])
    assert charge_count(fake, (await scenario.payment_row(payment_id))["reference"]) == 0


async def test_a_charge_may_wait_for_the_payers_consent(scenario, fake, mandate) -> None:
    payment_id = await prepare_charge(scenario, mandate)
    charge = fake.charge

    async def require_consent(*args):
        paid = await charge(*args)
        url = "https://pay.test/consent"
        awaiting_consent = msgspec.structs.replace(paid, state=PaymentState.OPEN, url=url)
        fake.payments[paid.ref.reference] = awaiting_consent
        return awaiting_consent

    fake.charge = require_consent
    view = await scenario.payments.charge(scenario.tenant_id, payment_id)
    assert (view.state, view.url) == ("open", "https://pay.test/consent")
    void_charge = await prepare_charge(scenario, mandate)
    await scenario.payments.charge(scenario.tenant_id, void_charge)
    scenario.order_handler.chargeable = False
    view = await scenario.payments.charge(scenario.tenant_id, void_charge)
    assert view.state == "failed", "its page is closed"
    key = (await scenario.payment_row(payment_id))["reference"]
    fake.payments[key] = msgspec.structs.replace(fake.payments[key], state=PaymentState.PAID)
    scenario.worker.clock.forward(minutes=16)
    await scenario.poll_open()

    assert await scenario.payment_state(payment_id) == "paid"


async def test_a_mandate_that_has_ended_is_not_charged(scenario, fake, mandate) -> None:
    payment_id = await prepare_charge(scenario, mandate)
    async with scenario.context.database.tenant(scenario.tenant_id) as session:
        await end_mandates(scenario, session)
    [row] = await fetch_rows(scenario.logins, "SELECT * FROM payment_mandate")
    assert row["token"] == b"", "what is not needed is not kept"
    with pytest.raises(PaymentUnavailableError):
        await prepare_charge(scenario, mandate)
    view = await scenario.payments.charge(scenario.tenant_id, payment_id)

    assert view.state == "failed"
    assert charge_count(fake, (await scenario.payment_row(payment_id))["reference"]) == 0


async def test_an_order_that_is_no_longer_wanted_is_not_charged(scenario, fake, mandate) -> None:
    succeeding, pending, unanswered = [await prepare_charge(scenario, mandate) for _ in range(3)]
    scenario.order_handler.chargeable = False
    view = await scenario.payments.charge(scenario.tenant_id, succeeding)
    assert (view.state, view.reason) == ("failed", "its order is no longer wanted")
    scenario.order_handler.chargeable = RuntimeError("nobody can say")
    with pytest.raises(RuntimeError):
        await scenario.payments.charge(scenario.tenant_id, unanswered)
    assert await scenario.payment_state(unanswered) == "starting"
    scenario.order_handler.chargeable = False
    scenario.worker.clock.forward(minutes=16)
    await scenario.poll_open()

    for payment_id in (succeeding, pending, unanswered):
        assert await scenario.handler_events(payment_id) == ["failed"]
        assert charge_count(fake, (await scenario.payment_row(payment_id))["reference"]) == 0
    scenario.order_handler.chargeable = True
    repeated = await scenario.payments.charge(scenario.tenant_id, succeeding)
    assert repeated.state == "failed", "another try is another payment"


@pytest.mark.parametrize("reason", ["unwanted", "its mandate has ended", "its company is gone"])
async def test_an_abandoned_charge_is_queried_first(scenario, fake, mandate, reason) -> None:
    payment_id = await prepare_charge(scenario, mandate)
    scenario.order_handler.error_to_raise = RuntimeError("the worker dies behind the bank")
    with pytest.raises(RuntimeError):
        await scenario.payments.charge(scenario.tenant_id, payment_id)
    async with scenario.worker.database.tenant(scenario.tenant_id) as session:
        if reason == "its mandate has ended":
            await end_mandates(scenario, session)
        elif reason == "its company is gone":
            await erase_company(session)
    is_erased = reason == "its company is gone"
    scenario.order_handler.chargeable = (
        LookupError("who asks?") if is_erased else reason != "unwanted"
    )
    fake.failure = PaymentError("away")
    with pytest.raises(PaymentUnavailableError):
        await scenario.payments.charge(scenario.tenant_id, payment_id)
    assert await scenario.payment_state(payment_id) == "starting", "silence is no word"
    fake.failure = None
    scenario.worker.clock.forward(minutes=20)
    await scenario.poll_open()

    assert await scenario.payment_state(payment_id) == "paid"
    assert charge_count(fake, (await scenario.payment_row(payment_id))["reference"]) == 1
    assert [discrepancy["kind"] for discrepancy in await scenario.discrepancies()] == (
        ["void_order"] if is_erased else []
    )


async def test_a_mandate_whose_key_is_lost_is_not_charged(scenario, fake, mandate) -> None:
    payment_id = await prepare_charge(scenario, mandate)
    context = dataclasses.replace(scenario.context, key_ring=KeyRing(b"another secret" * 3))
    payment = await PaymentService(context).charge(scenario.tenant_id, payment_id)

    assert payment.state == "failed"


async def test_another_companys_mandate_does_not_exist(
    scenario, fake, mandate, logins, new_browser
) -> None:
    rival = PaymentScenario(scenario.context, scenario.worker, logins, new_browser())
    await rival.create_company()

    with pytest.raises(PaymentUnavailableError):
        await prepare_charge(rival, mandate)
    async with rival.context.database.tenant(rival.tenant_id) as session:
        assert await rival.payments.get_mandate(session, mandate) is None
        assert (await session.execute(text("SELECT * FROM payment"))).all() == []


async def test_a_method_that_is_not_recurring_saves_no_mandate(scenario, fake) -> None:
    payment_id, _ = await scenario.start_payment(PaymentMethod.BLIK, save_payment_method=True)

    assert (await scenario.payment_row(payment_id))["save_payment_method"] is False
