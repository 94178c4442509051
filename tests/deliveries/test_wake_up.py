"""A message leaves after the commit that enqueued it: `enqueue_messages` wakes the sender."""

from contextlib import AbstractAsyncContextManager, suppress
from datetime import timedelta

import pytest
from sqlalchemy import update

from prawko.apps.worker.schedule import SCHEDULE
from prawko.hooks.channels import Medium
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.deliveries.jobs import deliver_pending, wake_sender
from prawko.kit.incidents.service import open_incident
from prawko.kit.outbox.models import Delivery, OutboxMessage
from prawko.kit.outbox.service import enqueue_messages, resend_message
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import TenantAwareSession
from prawko_testing.fakes import withheld_licence

pytestmark = pytest.mark.anyio

OPERATOR = "operator@prawko.test"
WAKE_UP = (deliver_pending.name, {})
WITHHELD = "AA123456", "AA123457", "AA123458"


@pytest.fixture
def variables(variables) -> dict[str, str]:
    return {**variables, "OPERATOR_EMAIL": OPERATOR}


def new_message(key: str, tenant_id: TenantId | None = None) -> OutboxMessage:
    return OutboxMessage(kind="test", medium=Medium.EMAIL, key=key, tenant_id=tenant_id)


def open_session(
    context: AppContext, kind: str, tenant_id: TenantId
) -> AbstractAsyncContextManager[TenantAwareSession]:
    database = context.database
    return database.tenant(tenant_id) if kind == "tenant" else getattr(database, kind)()


@pytest.mark.parametrize(
    ("process", "kind"),
    [("panel", "tenant"), ("worker", "tenant"), ("worker", "system"), ("worker", "batch")],
)
async def test_messages_of_a_transaction_wake_the_sender_once_after_the_commit(
    anna, context, worker, enqueued_jobs, kind, process
) -> None:
    opened, tenant_id = {"panel": context, "worker": worker}[process], await anna.tenant_id(worker)
    enqueued_jobs.clear()

    async with open_session(opened, kind, tenant_id) as session:
        await enqueue_messages(session, [new_message(key, tenant_id) for key in "ab"])
        await enqueue_messages(session, [new_message("c", tenant_id)])
        assert enqueued_jobs == []

    assert enqueued_jobs == [WAKE_UP]


async def test_a_rolled_back_or_repeated_message_wakes_no_sender(worker, enqueued_jobs) -> None:
    async with worker.database.system() as session:
        await enqueue_messages(session, [new_message("a")])
    enqueued_jobs.clear()

    with suppress(RuntimeError):
        async with worker.database.system() as session:
            await enqueue_messages(session, [new_message("b")])
            raise RuntimeError
    async with worker.database.system() as session:
        await enqueue_messages(session, [new_message("a")])
        await enqueue_messages(session, [])

    assert enqueued_jobs == []


async def test_a_message_leaves_without_a_wake_up_by_its_domain(worker, queue, mailbox) -> None:
    async def run(job, **arguments: object) -> None:
        await job(worker, **arguments)

    queue.handler = run
    async with worker.database.system() as session:
        await open_incident(session, kind="run_late", key="x", detail="3/7", now=utc_now())
        assert mailbox.messages_to(OPERATOR) == []

    assert len(mailbox.messages_to(OPERATOR)) == 1


async def test_a_message_that_is_sent_again_wakes_the_sender(worker, enqueued_jobs) -> None:
    message = new_message("a")
    async with worker.database.system() as session:
        await enqueue_messages(session, [message])
    enqueued_jobs.clear()

    async with worker.database.system() as session:
        assert not await resend_message(session, message.id), "it waits"
    assert enqueued_jobs == []
    async with worker.database.system() as session:
        await session.execute(update(Delivery).values(state="failed"))
    async with worker.database.system() as session:
        assert await resend_message(session, message.id)

    assert enqueued_jobs == [WAKE_UP]


async def test_the_daily_check_wakes_the_sender_once_for_a_batch(
    anna, celina, register, run_daily_check, enqueued_jobs
) -> None:
    for person in (anna, celina):
        for number in WITHHELD:
            register.answers[number] = withheld_licence(number)
            await person.add_driver(number)
    enqueued_jobs.clear()

    await run_daily_check()

    assert enqueued_jobs == [WAKE_UP]


async def test_each_minute_makes_up_for_a_wake_up_that_was_lost(worker, enqueued_jobs) -> None:
    [periodic] = [periodic for periodic in SCHEDULE if periodic.job is wake_sender]
    await periodic.job(worker)

    assert periodic.interval == timedelta(minutes=1)
    assert enqueued_jobs == [WAKE_UP]
