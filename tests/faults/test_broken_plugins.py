"""A stranger's plugin that hangs, blocks, crashes or lies harms nobody else while it runs."""

import asyncio
import os
import time
from contextlib import asynccontextmanager
from functools import partial
from types import SimpleNamespace

import pytest
from redis.asyncio import Redis

from faults.broken_plugins import BROKEN, CALL_SECONDS, run_worker
from prawko.hooks.channels import Medium
from prawko.hooks.deadlines import HARD_LIMIT_SECONDS
from prawko.hooks.payments import Money, PaymentEvent, PaymentEventKind, PaymentRef
from prawko.kit.clock import utc_now
from prawko.kit.deliveries.jobs import deliver_pending
from prawko.kit.incidents.plugin_faults import PLUGIN_FAILING
from prawko.kit.outbox.models import OutboxMessage
from prawko.kit.outbox.service import enqueue_messages
from prawko.kit.providers.experience import FAULTS_UNTIL_REST
from prawko.kit.work.queue import SaqQueue
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.payloads import DriverPayload
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko.payments.jobs import process_payment_events
from prawko.payments.webhook_processing import store_events
from prawko_tenants.ids import TenantId
from prawko_testing.fake_payments import FakePaymentProvider
from support.fleet import licence_numbers
from support.invoices import issue_sale, with_issuer
from support.processes import start_process, wait_for_exit
from support.waiting import wait_until

pytestmark = pytest.mark.anyio

DRIVERS = licence_numbers(40)
DRAIN_SECONDS = 3.0  # of the product's 25, and of its 29 until it ends by force
MAX_STOP_SECONDS = 9.0
HEALTHY_SECONDS = 5.0  # longer on a machine that is busy with something else
TAKEN_OVER_SECONDS = 8.0
WITHHELD = DriverPayload(
    first_name="Jan", last_name="Kowalski", license_number="AB000000", checked_at=utc_now(),
    state="Zatrzymany",
)  # fmt: skip
# By each of four plugins that block: until the process is ended, until it is started again, and
# until the leases of the messages that it held are over.
BLOCKED_SECONDS = HARD_LIMIT_SECONDS + 10.0
# What the incidents say, by what the plugins do.
REASONS = {
    "hanging": "nor when cancelled",
    "blocking": "it blocked the process for 5 s, which was ended",
    "crashing": "SystemExit",
    "lying": "returned int",
    "meddling": "it changed the process: ",
    "cancelling": "the process ended within its call",
}

ENDING = {"blocking", "cancelling"}  # each of the four plugins ends the process once


class BrokenWorker:
    """A worker with broken plugins, and what the test sees of it."""

    def __init__(self, worker, panel, fleet, queue, folder) -> None:
        self.context, self._panel = worker, panel
        self.fleet, self._queue, self.folder = fleet, queue, folder

    async def send(self, medium: Medium, count: int, prefix: str) -> float:
        """Enqueue messages and return the time."""
        messages = [
            OutboxMessage(kind="test", medium=medium, key=f"{prefix}{n}") for n in range(count)
        ]
        async with self.context.database.system() as session:
            await enqueue_messages(session, messages)
        await self._queue.enqueue(deliver_pending)
        return time.monotonic()

    async def alert(self, tenant_id: TenantId, prefix: str) -> float:
        """Publish three alerts to a company, as the check of its drivers does; return the time."""
        drafts = [
            NoticeDraft(kind=NoticeKind.WITHHELD, dedup_key=f"{prefix}{n}", payload=WITHHELD)
            for n in range(3)
        ]
        policy = ChannelPolicy.from_settings(self.context.settings)
        async with self.context.database.tenant(tenant_id) as session:
            await publish_notices(session, tenant_id, drafts, policy=policy, now=utc_now())
        await self._queue.enqueue(deliver_pending)
        return time.monotonic()

    async def report_payments(self, provider: str, count: int) -> None:
        events = [
            PaymentEvent(
                event_id=f"e{n}", kind=PaymentEventKind.PAID, ref=PaymentRef(f"p{n}", f"r{n}"),
                occurred_at=utc_now(), money=Money(100),
            )
            for n in range(count)
        ]  # fmt: skip
        async with self._panel.database.system() as session:
            await store_events(session, self.context.key_ring, provider, events)
        await self._queue.enqueue(process_payment_events)

    async def count(self, sql: str) -> int:
        return await self.fleet.fetch_value(f"SELECT count(*) FROM {sql}")

    async def incidents(self) -> dict[str, str]:
        rows = await self.fleet.admin.fetch(
            "SELECT key, detail FROM incident WHERE kind = $1 AND closed_at IS NULL", PLUGIN_FAILING
        )
        return {row["key"]: row["detail"] for row in rows}

    def output(self) -> str:
        return "\n".join((self.folder / name).read_text()[-4000:] for name in ("out", "err"))


class SupervisedWorker:
    """A worker's process, started again if it ends before it is terminated, as in production."""

    def __init__(self, start) -> None:
        self._start = start
        self._process = start()
        self._is_terminated = False
        self.starts = 1

    async def supervise(self) -> None:
        while not self._is_terminated:
            if not self._process.is_alive():
                wait_for_exit(self._process)
                self._process = self._start()
                self.starts += 1
            await asyncio.sleep(0.2)

    def terminate(self) -> None:
        self._is_terminated = True
        self._process.terminate()

    def wait_for_exit(self) -> int:
        return wait_for_exit(self._process)

    def kill(self) -> None:
        if self._process._popen is not None and self._process.is_alive():
            self._process.kill()


@pytest.fixture
async def start_worker(servers, logins, variables, worker, context, fleet, tmp_path):
    redis = Redis.from_url(servers.urls.redis_url)
    await redis.flushall()  # jobs of other tests
    await redis.aclose()
    queue = SaqQueue(servers.urls.redis_url)

    @asynccontextmanager
    async def start(mode: str, *, call_seconds: float = CALL_SECONDS):
        environment = {
            **variables,
            "DATABASE_URL": logins.worker,
            "PLANNER_DATABASE_URL": logins.planner,
            "REGISTER": f"fake,{BROKEN}",
            "REGISTER_RATE": "10",  # so that both accesses are used
            "REGISTER_DEADLINE": "1",
            "SMS_CHANNEL": BROKEN,
            "PAYMENT_PROVIDERS": f"fake,{BROKEN}-payments",
            "INVOICE_ISSUER": BROKEN,
            "DAILY_CHECK_AT": "00:00",
        }
        process = SupervisedWorker(
            partial(
                start_process, run_worker, mode, call_seconds, DRAIN_SECONDS, MAX_STOP_SECONDS,
                variables=environment, output_folder=tmp_path,
            )
        )  # fmt: skip
        supervising = asyncio.create_task(process.supervise())
        try:
            yield BrokenWorker(worker, context, fleet, queue, tmp_path), process
        finally:
            supervising.cancel()
            process.kill()

    yield start
    await queue.close()


@pytest.mark.parametrize("mode", REASONS)
async def test_one_broken_plugin_of_each_kind_harms_no_other(start_worker, fleet, mode) -> None:
    await fleet.add_companies(DRIVERS, utc_now(), companies=2)
    async with start_worker(mode) as (broken, process):
        await broken.send(Medium.SMS, FAULTS_UNTIL_REST + 3, "sms")
        await broken.report_payments(f"{BROKEN}-payments", FAULTS_UNTIL_REST)
        [tenant_id, other_id] = [
            row["id"] for row in await fleet.admin.fetch("SELECT id FROM tenant")
        ]
        issuing = with_issuer(broken.context, SimpleNamespace(name=BROKEN))
        for _ in range(FAULTS_UNTIL_REST):
            await issue_sale(issuing, tenant_id, now=utc_now())
        await wait_until(lambda: broken.count("heartbeat WHERE kind = 'worker'"))
        await wait_until(lambda: broken.count("delivery WHERE kind = 'test' AND attempts > 0"))

        # Alerts of the other company leave at once by the healthy channel, again and again.
        limit = HEALTHY_SECONDS * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
        limit += 4 * BLOCKED_SECONDS if mode in ENDING else 0
        for number in range(3):
            published_at = await broken.alert(other_id, f"alert{number}-")
            expected = 3 * (number + 1)
            await wait_until(lambda n=expected: _has_sent(broken, n, "notice"))
            assert time.monotonic() - published_at < limit, broken.output()

        # The healthy provider's events are processed, the run ends, and the invoices have PDFs.
        await broken.report_payments(FakePaymentProvider.name, 3)
        processed = "webhook_event WHERE provider = 'fake' AND processed_at IS NOT NULL"
        await wait_until(lambda: _has_count(broken, processed, 3), limit)
        await wait_until(lambda: _is_run_done(broken))
        pdfs = "invoice_file WHERE kind = 'pdf'"
        await wait_until(lambda: _has_count(broken, pdfs, FAULTS_UNTIL_REST))

        # Operators read which plugin fails, and why.
        expected_keys = {
            f"channel {BROKEN}", f"payment provider {BROKEN}-payments", f"invoice issuer {BROKEN}",
            f"register {BROKEN}",
        }  # fmt: skip
        try:
            await wait_until(lambda: _has_incidents(broken, expected_keys), 20)
        except AssertionError:
            raise AssertionError(f"{await broken.incidents()}\n{broken.output()}") from None
        for key, detail in (await broken.incidents()).items():
            assert detail.startswith(f"{key}: "), detail
            assert REASONS[mode] in detail, detail

        assert process.starts == (5 if mode in ENDING else 1), broken.output()
        terminated_at = time.monotonic()
        process.terminate()
        assert await asyncio.to_thread(process.wait_for_exit) == 0, broken.output()
        assert time.monotonic() - terminated_at < MAX_STOP_SECONDS
        if mode == "lying":  # the carrier has them: a wrong reference is no reason to send again
            once = "delivery WHERE channel_medium = 'sms' AND state = 'sent' AND attempts = 1"
            assert await broken.count(once) == FAULTS_UNTIL_REST + 3


async def test_mails_that_a_blocked_worker_held_leave_by_another_at_once(start_worker) -> None:
    held = [OutboxMessage(kind="test", medium=medium, key=medium) for medium in Medium][:2]
    async with (
        start_worker("blocking", call_seconds=30.0) as (broken, _),
        start_worker("blocking", call_seconds=30.0),
    ):
        await wait_until(lambda: _has_count(broken, "heartbeat WHERE kind = 'worker'", 2))
        async with broken.context.database.system() as session:
            await enqueue_messages(session, held)
        sent_at = await broken.send(Medium.EMAIL, 3, "of-others-")
        await wait_until(lambda: _has_sent(broken, 4))

        waited = time.monotonic() - sent_at
        mails = "delivery WHERE channel_medium = 'email' AND attempts = 2"
        assert await broken.count(mails), "the worker that blocked held one"
        assert waited < TAKEN_OVER_SECONDS * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


@pytest.mark.parametrize(("mode", "code"), [("hanging", 0), ("holding", 1), ("leaking", 1)])
async def test_a_worker_ends_in_time_whatever_a_plugin_holds(start_worker, mode, code) -> None:
    async with start_worker(mode, call_seconds=60.0) as (broken, process):
        await broken.send(Medium.SMS, 1, "sms")
        await wait_until(lambda: broken.count("heartbeat WHERE kind = 'worker'"))
        await broken.send(Medium.SMS, 1, "again")
        await wait_until(lambda: broken.count("delivery WHERE kind = 'test' AND attempts > 0"))

        terminated_at = time.monotonic()
        process.terminate()
        assert await asyncio.to_thread(process.wait_for_exit) == code, broken.output()
        assert time.monotonic() - terminated_at < MAX_STOP_SECONDS + 2
        if code:
            assert "worker_stopped_by_force" in broken.output()


async def _has_count(broken: BrokenWorker, sql: str, expected: int) -> bool:
    return await broken.count(sql) == expected


async def _has_sent(broken: BrokenWorker, expected: int, kind: str = "test") -> bool:
    mails = f"delivery WHERE kind = '{kind}' AND channel_medium = 'email' AND state = 'sent'"
    return await _has_count(broken, mails, expected)


async def _has_incidents(broken: BrokenWorker, keys: set[str]) -> bool:
    return set(await broken.incidents()) == keys


async def _is_run_done(broken: BrokenWorker) -> bool:
    """Whether every driver is verified; those that failed need not wait for their next try."""
    await broken.fleet.admin.execute(
        "UPDATE check_item SET next_try_at = now() - interval '1 minute'"
        " WHERE state = 'due' AND next_try_at > now()"
    )
    return await _has_count(broken, "verification", len(DRIVERS))
