"""Polling finds payments without webhooks, by the product's clock."""

import asyncio
import dataclasses
from datetime import datetime, timedelta
from unittest.mock import AsyncMock
from uuid import uuid4

import msgspec
import pytest
from sqlalchemy import text

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.payments import (
    PaymentError,
    PaymentEventKind,
    PaymentMethod,
    PaymentRef,
    PaymentState,
)
from prawko.kit.clock import utc_now
from prawko.kit.work import lease_renewal
from prawko.payments.errors import PaymentDeclinedError, PaymentUnavailableError
from prawko.personal_data.erasure import erase_company
from support.database import execute_as_owner, fetch_rows
from support.payments import PaymentScenario, signed_webhook
from support.waiting import wait_until

pytestmark = pytest.mark.anyio


async def advance_and_poll(scenario: PaymentScenario, **time: float) -> int:
    """Move the clock and poll the due payments; return their number."""
    scenario.worker.clock.forward(**time)
    return await scenario.poll_open()


async def test_a_payment_with_a_lost_webhook_is_found_within_twenty_minutes(
    scenario: PaymentScenario, fake
) -> None:
    start = fake.create_payment

    async def open_for_days(order):
        return msgspec.structs.replace(await start(order), expires_in_seconds=None)

    fake.create_payment = open_for_days
    payment_id, action = await scenario.start_payment(PaymentMethod.TRANSFER)
    await advance_and_poll(scenario, minutes=5)
    await fake.pay(action)
    for _ in range(4):
        await advance_and_poll(scenario, minutes=5)

    assert await scenario.payment_state(payment_id) == "paid"
    assert await scenario.handler_events(payment_id) == ["sold"]
    assert fake.payments[action.ref.reference].state is PaymentState.PAID, "the money was taken"
    assert await advance_and_poll(scenario, hours=5) == 0, "what is settled is not asked for"


async def hang(*_: object, **__: object) -> None:
    await asyncio.sleep(60)


@pytest.mark.parametrize("work", ["poll", "event"])
async def test_a_payment_is_held_no_longer_than_its_holder_lives(
    scenario: PaymentScenario, fake, monkeypatch, work
) -> None:
    monkeypatch.setattr(lease_renewal, "RENEWAL_SECONDS", 0.02)
    _, action = await scenario.start_payment()
    await scenario.post_webhook("fake", await fake.pay(action))
    scenario.worker.clock.forward(minutes=16)

    fake.capture = fake.query_status = AsyncMock(side_effect=hang)
    table = "payment" if work == "poll" else "webhook_event"

    async def lease_end() -> datetime | None:
        [row] = await fetch_rows(scenario.logins, f"SELECT lease_until FROM {table}")
        return row["lease_until"]

    async def is_renewed() -> bool:
        return await lease_end() > first

    do_work = {"poll": scenario.poll_open, "event": scenario.process_webhooks}[work]
    holder = asyncio.create_task(do_work())
    await wait_until(lambda: fake.capture.called)
    first = await lease_end()
    assert first < utc_now() + timedelta(seconds=21)
    await wait_until(is_renewed)
    holder.cancel()
    await asyncio.gather(holder, return_exceptions=True)
    assert await lease_end() < utc_now() + timedelta(seconds=21)


async def test_a_locked_payment_delays_the_renewal_of_no_other(
    scenario: PaymentScenario, fake, monkeypatch
) -> None:
    monkeypatch.setattr(lease_renewal, "RENEWAL_SECONDS", 0.02)
    locked, other = [(await scenario.start_payment())[0] for _ in range(2)]
    scenario.worker.clock.forward(minutes=16)
    fake.query_status = AsyncMock(side_effect=hang)

    async def lease_end(payment_id) -> datetime:
        query = f"SELECT lease_until FROM payment WHERE id = '{payment_id}'"
        return (await fetch_rows(scenario.logins, query))[0]["lease_until"]

    async def is_renewed() -> bool:
        return await lease_end(other) > first

    async with scenario.worker.database.system() as session:
        holder = asyncio.create_task(scenario.poll_open())
        await wait_until(lambda: fake.query_status.call_count == 2)
        await session.execute(text(f"SELECT FROM payment WHERE id = '{locked}' FOR UPDATE"))
        first, end_of_locked = await lease_end(other), await lease_end(locked)
        await wait_until(is_renewed, seconds=9)  # before the lease ends
        assert await lease_end(locked) == end_of_locked
    holder.cancel()
    await asyncio.gather(holder, return_exceptions=True)


async def test_a_payment_that_never_reached_its_provider_fails_after_an_hour(
    scenario: PaymentScenario,
) -> None:
    payment_id = await scenario.create_payment(scenario.make_request())
    for _ in range(3):
        assert await advance_and_poll(scenario, minutes=16) == 1
        assert await scenario.payment_state(payment_id) == "starting"
    await advance_and_poll(scenario, minutes=16)

    assert await scenario.payment_state(payment_id) == "failed"
    assert await scenario.handler_events(payment_id) == ["failed"]


async def test_a_payment_whose_response_was_lost_is_found(scenario: PaymentScenario, fake) -> None:
    request = scenario.make_request()
    payment_id = await scenario.create_payment(request)
    start = fake.create_payment

    async def lose_response(order):
        await start(order)
        raise PaymentError("no answer")

    fake.create_payment = lose_response
    with pytest.raises(PaymentUnavailableError):
        await scenario.payments.start(scenario.tenant_id, payment_id, request)
    assert await scenario.payment_state(payment_id) == "starting"
    await advance_and_poll(scenario, minutes=16)

    assert await scenario.payment_state(payment_id) == "open"


async def test_an_unpaid_payment_expires_and_counts_if_paid_later(
    scenario: PaymentScenario, fake
) -> None:
    payment_id, action = await scenario.start_payment()
    assert await advance_and_poll(scenario, minutes=14) == 0
    assert await advance_and_poll(scenario, minutes=2) == 1
    assert await scenario.payment_state(payment_id) == "expired"
    assert await scenario.handler_events(payment_id) == ["expired"]
    assert fake.payments[action.ref.reference].state is PaymentState.FAILED, "ended there, too"

    await scenario.post_webhook("fake", await fake.pay(action))
    await scenario.process_webhooks()
    assert await scenario.payment_state(payment_id) == "paid"
    assert await scenario.handler_events(payment_id) == ["expired", "sold"]


async def test_a_late_payment_is_found_without_a_webhook(scenario: PaymentScenario, fake) -> None:
    payment_id, action = await scenario.start_payment()
    await advance_and_poll(scenario, minutes=16)
    await fake.pay(action)
    await advance_and_poll(scenario, minutes=61)

    assert await scenario.payment_state(payment_id) == "paid"


async def test_a_payment_during_expiry_counts(scenario: PaymentScenario, fake) -> None:
    payment_id, action = await scenario.start_payment()
    status = fake.query_status

    async def paid_meanwhile(ref):
        original = await status(ref)
        fake.query_status = status
        await fake.pay(action)
        return original

    fake.query_status = paid_meanwhile
    await advance_and_poll(scenario, minutes=16)

    assert await scenario.payment_state(payment_id) == "paid"
    assert await scenario.handler_events(payment_id) == ["sold"]


async def test_nothing_is_lost_while_a_provider_is_down(scenario: PaymentScenario, fake) -> None:
    payments = [await scenario.start_payment(PaymentMethod.TRANSFER) for _ in range(12)]
    prepared = await scenario.create_payment(scenario.make_request())
    fake.failure = PaymentError("nobody is there")
    calls = 0
    for _ in range(20):
        calls = await advance_and_poll(scenario, minutes=16)
    assert 0 < calls <= 8, "after the first silence the others are spared"
    states = {await scenario.payment_state(payment_id) for payment_id, _ in payments}
    assert states == {"open"}, "silence is no word"
    assert await scenario.payment_state(prepared) == "starting"

    fake.failure = None
    for _, action in payments:
        await fake.pay(action)
    await advance_and_poll(scenario, minutes=16)
    await advance_and_poll(scenario, minutes=16)
    assert {await scenario.payment_state(payment_id) for payment_id, _ in payments} == {"paid"}
    assert await scenario.payment_state(prepared) == "failed"


async def test_stuck_payments_are_reported_once(scenario: PaymentScenario, fake) -> None:
    payment_id, _ = await scenario.start_payment(PaymentMethod.TRANSFER)
    fake.failure = PaymentError("nobody is there")
    query_times = []
    for _ in range(10):
        await advance_and_poll(scenario, minutes=16)
        query_times.append(await scenario.open_incidents())
    assert query_times == [[]] * 7 + [["payments_waiting"]] * 3
    assert await scenario.payment_state(payment_id) == "open"

    fake.failure = None
    await advance_and_poll(scenario, minutes=16)
    assert await scenario.open_incidents() == []


async def test_payments_of_a_removed_provider_are_reported(scenario: PaymentScenario) -> None:
    await scenario.start_payment()
    plugins = msgspec.structs.replace(scenario.worker.plugins, payments={})
    scenario.worker = dataclasses.replace(scenario.worker, plugins=plugins)
    assert await advance_and_poll(scenario, minutes=16) == 0

    assert await scenario.open_incidents() == ["payments_waiting"]


@pytest.mark.parametrize("by_webhook", [True, False], ids=["webhook", "poll"])
async def test_an_answer_about_another_payment_pays_no_order(
    scenario: PaymentScenario, fake, by_webhook
) -> None:
    unpaid, action = await scenario.start_payment()
    paid, other = await scenario.start_payment()
    await scenario.post_webhook("fake", await fake.pay(other))
    await scenario.process_webhooks()
    query_status = fake.query_status

    async def answer_about_the_other(*args, **kwargs):
        return await query_status(other.ref)

    fake.query_status = fake.capture = answer_about_the_other
    if by_webhook:
        lie = signed_webhook(fake, action.ref.reference, PaymentEventKind.PAID, "lie")
        await scenario.post_webhook("fake", lie)
        await scenario.process_webhooks()
    else:
        await advance_and_poll(scenario, minutes=16)

    assert await scenario.payment_state(unpaid) == "open"
    assert await scenario.payment_state(paid) == "paid"
    assert await scenario.handler_events(unpaid) == []


async def test_a_payment_that_crashes_the_plugin_does_not_block_others(
    scenario: PaymentScenario, fake
) -> None:
    failing, first = await scenario.start_payment(PaymentMethod.TRANSFER)
    working, second = await scenario.start_payment(PaymentMethod.TRANSFER)
    status = fake.query_status

    async def fail_for_one(ref):
        if ref.reference == first.ref.reference:
            raise ValueError("a bug")
        return await status(ref)

    fake.query_status = fail_for_one
    await fake.pay(second)
    await advance_and_poll(scenario, minutes=16)

    assert (await scenario.payment_state(failing), await scenario.payment_state(working)) == (
        "open",
        "paid",
    )
    assert (await scenario.payment_row(failing))["lease_until"] is None


async def test_a_failing_order_handler_does_not_block_others_and_is_retried(
    scenario: PaymentScenario, fake
) -> None:
    payments = [await scenario.start_payment(PaymentMethod.TRANSFER) for _ in range(2)]
    for _, action in payments:
        await fake.pay(action)
    scenario.order_handler.error_to_raise = RuntimeError("the power is off")
    await advance_and_poll(scenario, minutes=16)
    assert sorted([await scenario.payment_state(payment_id) for payment_id, _ in payments]) == [
        "open",
        "paid",
    ]

    await advance_and_poll(scenario, minutes=2)
    assert {await scenario.payment_state(payment_id) for payment_id, _ in payments} == {"paid"}


async def test_the_payments_of_a_crashed_worker_are_polled_after_the_lease(
    scenario: PaymentScenario, fake
) -> None:
    payment_id, action = await scenario.start_payment()
    await fake.pay(action)
    calls, status = asyncio.Event(), fake.query_status

    async def wait_forever(_):
        calls.set()
        await asyncio.Event().wait()

    fake.query_status = wait_forever
    scenario.worker.clock.forward(minutes=16)
    interrupted = asyncio.create_task(scenario.poll_open())
    await calls.wait()
    interrupted.cancel()
    await asyncio.gather(interrupted, return_exceptions=True)
    fake.query_status = status
    assert await scenario.poll_open() == 0, "its lease has not ended"

    async with scenario.context.database.tenant(scenario.tenant_id) as session:
        await session.execute(text("UPDATE payment SET lease_until = now() - interval '1 s'"))
    assert await scenario.poll_open() == 1
    assert await scenario.handler_events(payment_id) == ["sold"]


async def test_a_permanent_error_fails_the_payment_at_once(scenario: PaymentScenario, fake) -> None:
    request = scenario.make_request(PaymentMethod.BLIK, blik_code="000000")
    payment_id = await scenario.create_payment(request)
    fake.failure = PaymentError("the code of anna@acme.test\x00\n is wrong", permanent=True)
    with pytest.raises(PaymentDeclinedError):
        await scenario.payments.start(scenario.tenant_id, payment_id, request)

    row = await scenario.payment_row(payment_id)
    assert (row["state"], row["reason"]) == ("failed", "the code of … is wrong")
    assert await scenario.handler_events(payment_id) == ["failed"]


async def test_a_webhook_that_overtakes_the_response_counts(
    scenario: PaymentScenario, fake
) -> None:
    request = scenario.make_request(PaymentMethod.BLIK, blik_code="777777")
    payment_id = await scenario.create_payment(request)
    start = fake.create_payment

    async def slow_create(order):
        action = await start(order)
        await scenario.post_webhook("fake", await fake.pay(action))
        await scenario.process_webhooks()
        return action

    fake.create_payment = slow_create
    await scenario.payments.start(scenario.tenant_id, payment_id, request)

    assert await scenario.payment_state(payment_id) == "paid"
    assert await scenario.handler_events(payment_id) == ["sold"]


async def test_a_paused_provider_takes_no_new_payments_until_it_answers(
    scenario: PaymentScenario, fake
) -> None:
    request = scenario.make_request()
    payment_id = await scenario.create_payment(request)
    fake.failure = ProviderAccountError("the key was refused")
    with pytest.raises(PaymentUnavailableError):
        await scenario.payments.start(scenario.tenant_id, payment_id, request)
    assert await scenario.payment_state(payment_id) == "starting", "nothing is lost"
    with pytest.raises(PaymentUnavailableError):
        await scenario.create_payment(scenario.make_request())

    fake.failure = None
    await execute_as_owner(
        scenario.logins, "UPDATE provider_pause SET paused_until = now() - interval '1 s'"
    )
    await scenario.start_payment()
    assert await fetch_rows(scenario.logins, "SELECT * FROM provider_pause") == []


async def test_cancelled_payments_end_if_the_provider_can_cancel(
    scenario: PaymentScenario, fake
) -> None:
    order_id = uuid4()
    first, _ = await scenario.start_payment(order_id=order_id)
    second, action = await scenario.start_payment(order_id=order_id)
    await fake.pay(action)
    open_payment, _ = await scenario.start_payment()
    fake.failure = PaymentError("nobody is there")
    await scenario.payments.cancel_pending(scenario.tenant_id, [order_id])
    assert await scenario.payment_state(first) == "open", "asked for later"

    fake.failure = None
    await scenario.payments.cancel_pending(scenario.tenant_id, [order_id])
    assert (await scenario.payment_state(first), await scenario.handler_events(first)) == (
        "failed",
        ["failed"],
    )
    assert await scenario.payment_state(second) == "open", "its payer was faster"
    assert await scenario.payment_state(open_payment) == "open"
    await advance_and_poll(scenario, minutes=16)
    assert await scenario.payment_state(second) == "paid"


async def test_a_payment_whose_cancellation_was_lost_is_cancelled_when_it_is_polled(
    scenario: PaymentScenario, fake
) -> None:
    create = fake.create_payment

    async def create_for_hours(request):
        return msgspec.structs.replace(await create(request), expires_in_seconds=7200)

    fake.create_payment = create_for_hours
    unwanted, _ = await scenario.start_payment()
    paid, action = await scenario.start_payment()
    await fake.pay(action)
    scenario.order_handler.chargeable = False  # superseded by another, whose process ended
    await advance_and_poll(scenario, minutes=16)
    assert await scenario.payment_state(unwanted) == "failed"
    assert await scenario.handler_events(unwanted) == ["failed"]
    assert await scenario.payment_state(paid) == "paid", "its payer was faster"


async def test_the_latest_payment_of_an_order_is_shown(scenario: PaymentScenario, fake) -> None:
    order = uuid4()
    await scenario.start_payment(order_id=order)
    second, action = await scenario.start_payment(PaymentMethod.BLIK, order_id=order)

    async with scenario.context.database.tenant(scenario.tenant_id) as session:
        latest = await scenario.payments.latest_for_order(session, order)
        missing = await scenario.payments.latest_for_order(session, second)

    assert latest is not None
    assert (latest.id, latest.state, latest.method, latest.url) == (
        second, "open", PaymentMethod.BLIK, f"https://pay.test/{action.ref.reference}",
    )  # fmt: skip
    assert missing is None


async def test_a_payment_for_an_erased_company_is_reported(scenario: PaymentScenario, fake) -> None:
    payment_id, action = await scenario.start_payment(PaymentMethod.TRANSFER)
    expired, unqueried = await scenario.start_payment()
    async with scenario.worker.database.tenant(scenario.tenant_id) as session:
        await erase_company(session)
    row = await scenario.payment_row(payment_id)
    assert (row["url"], row["transfer"], row["grosze"]) == (None, None, 18327)

    await scenario.post_webhook("fake", await fake.pay(action))
    await scenario.process_webhooks()
    await advance_and_poll(scenario, minutes=16)

    assert await scenario.payment_state(payment_id) == "paid"
    assert await scenario.payment_state(expired) == "expired"
    [discrepancy] = await scenario.discrepancies()
    assert (discrepancy["kind"], discrepancy["tenant_id"]) == ("void_order", scenario.tenant_id)
    assert await scenario.open_incidents() == ["void_order"]
    assert unqueried.ref.reference


async def test_a_mismatched_payment_is_not_polled_again(scenario: PaymentScenario, fake) -> None:
    payment_id, action = await scenario.start_payment()
    fake.payments[action.ref.reference] = msgspec.structs.replace(
        fake.payments[action.ref.reference], state=PaymentState.PAID,
        money=msgspec.structs.replace(scenario.make_request().money, grosze=1),
        ref=PaymentRef(action.ref.reference, "its line"),
    )  # fmt: skip
    await advance_and_poll(scenario, minutes=16)

    assert await scenario.payment_state(payment_id) == "mismatched"
    assert await advance_and_poll(scenario, hours=1) == 0
    [discrepancy] = await scenario.discrepancies()
    assert (discrepancy["kind"], discrepancy["provider_ref"], discrepancy["grosze"]) == (
        "wrong_amount", "its line", 1,
    )  # fmt: skip
