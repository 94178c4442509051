"""What a worker holds no other one sends, whatever their clocks say; what it left another sends."""

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from datetime import datetime, timedelta

import pytest
from sqlalchemy import text

from faults.test_deliveries import MAIL, SMS, DeliveryScenario
from prawko.kit import clock
from prawko.kit.deliveries import channel_sender, delivery_results
from prawko.kit.outbox.models import Delivery
from prawko.kit.outbox.repository import DeliveryRepository
from prawko.kit.work import lease, lease_renewal
from support.waiting import wait_until

pytestmark = pytest.mark.anyio

AHEAD = ContextVar("AHEAD", default=timedelta(0))  # of the worker that the present task belongs to


@pytest.fixture
def scenario(worker, logins, monkeypatch) -> DeliveryScenario:
    for module in (channel_sender, delivery_results, lease, lease_renewal):
        monkeypatch.setattr(module, "utc_now", lambda: clock.utc_now() + AHEAD.get())
    return DeliveryScenario(worker, logins)


@pytest.fixture
def held_call(scenario) -> asyncio.Event:
    """Let the mail carrier answer the first call only when the event is set."""
    answering = asyncio.Event()

    async def answer(key: str) -> None:
        if len(scenario.mail.attempted_keys) == 1:
            await answering.wait()

    scenario.mail.behaviour = answer
    return answering


async def start_sending(scenario: DeliveryScenario) -> asyncio.Task[int]:
    """Enqueue a mail and return the worker that is calling the carrier with it."""
    await scenario.enqueue_messages("a")
    holder = asyncio.create_task(scenario.deliver())
    await wait_until(lambda: scenario.mail.attempted_keys)
    return holder


async def deliver_elsewhere(scenario: DeliveryScenario, seconds: float) -> int:
    """Deliver by a worker whose clock is ahead by so many seconds."""

    async def deliver() -> int:
        AHEAD.set(timedelta(seconds=seconds))
        return await scenario.deliver()

    return await asyncio.create_task(deliver())


async def execute(scenario: DeliveryScenario, statement: str) -> None:
    async with scenario.context.database.system() as session:
        await session.execute(text(statement))


async def claim(scenario: DeliveryScenario, now: datetime) -> Delivery:
    async with scenario.context.database.system() as session:
        [row] = await DeliveryRepository(session).claim(
            MAIL, carrier="mail", limit=1, now=now, product_now=now, longest=timedelta(minutes=3)
        )
    return row


@pytest.mark.parametrize("ahead", [8, -8])
async def test_what_is_renewed_no_worker_with_another_clock_sends(
    scenario, held_call, ahead
) -> None:
    holder = await start_sending(scenario)

    assert await deliver_elsewhere(scenario, ahead) == 0
    held_call.set()
    assert await holder == 1
    row = await scenario.delivery_row("a")
    assert (row["state"], row["fence"], scenario.mail.attempted_keys) == ("sent", 1, ["a"])


@pytest.mark.parametrize(("holder", "other"), [(0, 8), (0, -8), (8, 0), (-8, 0)])
async def test_what_a_worker_left_another_with_another_clock_sends(scenario, holder, other) -> None:
    await scenario.enqueue_messages("a")
    await execute(scenario, "UPDATE delivery SET next_try_at = now() - interval '1 minute'")
    await claim(scenario, clock.utc_now() + timedelta(seconds=holder))
    await execute(scenario, "UPDATE delivery SET lease_until = lease_until - interval '4.5 s'")

    assert await deliver_elsewhere(scenario, other) == 1


async def test_a_message_that_was_lost_while_it_waited_is_not_sent(scenario, monkeypatch) -> None:
    """The pool of connections is full: the query waits, and no lease is renewed."""

    async def fail(*_: object) -> None:
        raise TimeoutError

    async def is_allowed(*_: object) -> bool:
        await execute(scenario, "UPDATE delivery SET fence = fence + 1, lease_until = NULL")
        await asyncio.sleep(0.3)
        return True

    monkeypatch.setattr(DeliveryRepository, "renew", fail)
    monkeypatch.setattr(channel_sender, "SHORT_LEASE", timedelta(seconds=0.2))
    scenario.feedback.is_allowed = is_allowed
    await scenario.enqueue_messages("a")
    sender = asyncio.create_task(scenario.deliver())
    await wait_until(lambda: _has_fence(scenario, 2))
    await execute(scenario, "UPDATE delivery SET next_try_at = now() + interval '1 hour'")

    assert await sender == 0
    assert scenario.mail.attempted_keys == []


async def _has_fence(scenario: DeliveryScenario, fence: int) -> bool:
    return (await scenario.delivery_row("a"))["fence"] >= fence


@pytest.fixture
def create_sender(scenario) -> Callable[[], channel_sender.ChannelSender]:
    return lambda: channel_sender.ChannelSender(scenario.context, scenario.registry, scenario.mail)


async def test_a_message_claimed_again_during_a_renewal_is_renewed(
    scenario, create_sender, monkeypatch
) -> None:
    renew, renewed = DeliveryRepository.renew, []
    sender = create_sender()
    await scenario.enqueue_messages("a")

    async def release_and_claim(self, rows, **times):
        if not renewed:
            async with scenario.context.database.system() as session:
                await DeliveryRepository(session).release(rows[0])
            await sender._claim(1)
        renewed.append([row.fence for row in rows])
        return await renew(self, rows, **times)

    monkeypatch.setattr(DeliveryRepository, "renew", release_and_claim)
    await sender._claim(1)
    for _ in range(2):
        await sender._renew(clock.utc_now() + timedelta(seconds=4))

    assert renewed == [[1], [2]]


async def test_a_lease_is_renewed_while_the_result_is_recorded(
    scenario, create_sender, monkeypatch
) -> None:
    """The carrier answered late, and the database fails for minutes."""
    sender, later = create_sender(), channel_sender.LONGEST_LEASE - timedelta(seconds=1)
    await scenario.enqueue_messages("a")
    [claimed] = await sender._claim(1)
    assert claimed.due is not None

    async def renew_later(*_: object) -> None:
        AHEAD.set(2 * later)
        await sender._renew(clock.utc_now() + AHEAD.get() + timedelta(seconds=4))

    monkeypatch.setattr(delivery_results.DeliveryResults, "mark_sent", renew_later)
    before = (await scenario.delivery_row("a"))["lease_until"]
    AHEAD.set(later)
    await sender._accept(claimed.row, claimed.due, None)

    assert (await scenario.delivery_row("a"))["lease_until"] > before


async def test_newer_messages_of_a_paused_carrier_hide_no_lapsed_one(scenario) -> None:
    await scenario.enqueue_messages("a")
    await execute(scenario, "UPDATE delivery SET next_try_at = now() - interval '1 minute'")
    await claim(scenario, clock.utc_now())
    await execute(scenario, "UPDATE delivery SET lease_until = lease_until - interval '4.5 s'")
    await scenario.enqueue_messages(*(f"sms-{n}" for n in range(501)), medium=SMS)

    async with scenario.context.database.system() as session:
        assert await DeliveryRepository(session).find_lapsed(clock.utc_now(), MAIL)
