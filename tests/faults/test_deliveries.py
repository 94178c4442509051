"""Every message is sent once, whatever crashes, hangs or rejects it on the way."""

import asyncio
import dataclasses
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import asyncpg
import msgspec
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from faults.delivery_crash import run_until_killed_at
from prawko.hooks.channels import DeliveryError, Medium, Message, Recipient
from prawko.hooks.errors import ProviderAccountError
from prawko.kit.backoff import MAX_ATTEMPTS
from prawko.kit.clock import WARSAW, utc_now
from prawko.kit.context import AppContext
from prawko.kit.deliveries import channel_sender, send_slots, senders
from prawko.kit.deliveries.jobs import deliver_pending
from prawko.kit.deliveries.senders import ChannelSenders, deliver_all, deliver_due
from prawko.kit.incidents import service as incidents
from prawko.kit.incidents.jobs import log_unsent_incidents
from prawko.kit.incidents.operator_mail import render_operator_mails
from prawko.kit.outbox.models import Delivery, OutboxMessage
from prawko.kit.outbox.rendering import DueMessage, RenderedMessage, RendererRegistry
from prawko.kit.outbox.repository import DeliveryRepository
from prawko.kit.outbox.service import enqueue_messages
from prawko.kit.providers.registry import Plugins
from prawko_tenants.ids import DeliveryId, UserId, new_id
from support.database import fetch_rows
from support.fleet import open_fleet
from support.waiting import wait_until

pytestmark = pytest.mark.anyio

ANNA = Recipient(email="anna@acme.test", phone="+48600100200")
MAIL, SMS = Medium.EMAIL, Medium.SMS
STEPS = ("claimed", "rendered", "sent", "recorded")  # where delivery_crash.py can crash


class ScriptedChannel:
    """A channel with a behaviour set by the test; by default it accepts every message."""

    def __init__(self, medium: Medium) -> None:
        self.medium = medium
        self.name = f"carrier-{medium.value}"
        self.delivered_keys: list[str] = []
        self.attempted_keys: list[str] = []
        self.messages: list[Message] = []
        self.behaviour: Callable[[str], Awaitable[None]] = self.accept

    async def accept(self, key: str) -> None:
        """Accept the message."""

    def fail_with(self, error: Exception) -> None:
        async def fail(key: str) -> None:
            raise error

        self.behaviour = fail

    def recover(self) -> None:
        self.behaviour = self.accept

    def can_reach(self, recipient: Recipient) -> bool:
        return (recipient.email if self.medium is MAIL else recipient.phone) is not None

    async def send(
        self, message: Message, recipient: Recipient, *, idempotency_key: str
    ) -> str | None:
        self.attempted_keys.append(idempotency_key)
        await self.behaviour(idempotency_key)
        self.delivered_keys.append(idempotency_key)
        self.messages.append(message)
        return f"ref-{idempotency_key}"

    async def close(self) -> None:
        """Do nothing: there is no connection."""


class ScriptedRenderer:
    """Renders test messages, except those of `unwanted` and `failing` subjects."""

    def __init__(self) -> None:
        self.secrets: list[str | None] = []
        self.recipient = ANNA
        self.unwanted: set[str] = set()
        self.failing: set[str] = set()

    async def __call__(
        self, context: AppContext, due: Sequence[DueMessage]
    ) -> Mapping[DeliveryId, RenderedMessage]:
        subjects = {str(message.subject_id) for message in due}
        if subjects & self.failing:
            raise RuntimeError("Anna's licence AA123456 cannot be written about")
        self.secrets += [message.secret for message in due]
        content = Message(subject="Tytuł", text="x", html="x", sms_text="x")
        return {
            message.id: RenderedMessage(content, self.recipient)
            for message in due
            if str(message.subject_id) not in self.unwanted
        }


class RecordingFeedback:
    """Records the calls of the sender."""

    def __init__(self) -> None:
        self.delivered_calls: list[DueMessage] = []
        self.refused_calls: list[tuple[DueMessage, str]] = []
        self.given_up_keys: list[str] = []
        self.forbidden: set[str] = set()

    async def is_allowed(self, session, due: DueMessage, recipient: Recipient) -> bool:
        return str(due.subject_id) not in self.forbidden

    async def on_delivered(self, session, delivered) -> None:
        self.delivered_calls.extend(delivered)

    async def on_refused(self, session, due: DueMessage, reason: str) -> None:
        self.refused_calls.append((due, reason))

    async def on_given_up(self, session, due: DueMessage) -> None:
        self.given_up_keys.append(due.key)


class DeliveryScenario:
    """The outbox of a worker with a scripted channel for each medium."""

    def __init__(self, worker: AppContext, logins) -> None:
        self.mail, self.sms = ScriptedChannel(MAIL), ScriptedChannel(SMS)
        self.renderer, self.feedback = ScriptedRenderer(), RecordingFeedback()
        channels = {self.mail.name: self.mail, self.sms.name: self.sms}
        self.context = dataclasses.replace(
            worker,
            plugins=Plugins((), {}, channels),
            settings=msgspec.structs.replace(
                worker.settings, mail_channel=self.mail.name, sms_channel=self.sms.name
            ),
        )
        renderers = {"test": self.renderer, incidents.OPERATOR_MAIL: render_operator_mails}
        self.registry = RendererRegistry(renderers, self.feedback)
        self.logins = logins

    async def enqueue_messages(
        self, *keys: str, medium: Medium = MAIL, **fields
    ) -> list[OutboxMessage]:
        messages = [
            OutboxMessage(kind="test", medium=medium, key=key, subject_id=new_id(), **fields)
            for key in keys
        ]
        async with self.context.database.system() as session:
            await enqueue_messages(session, messages)
        return messages

    async def deliver(self) -> int:
        return await deliver_due(self.context, self.registry)

    async def delivery_row(self, key: str) -> dict:
        [row] = await fetch_rows(self.logins, "SELECT * FROM delivery WHERE key = $1", key)
        return row

    async def use_attempts(self, key: str) -> None:
        """Let a message have had all its attempts."""
        used = text("UPDATE delivery SET attempts = :attempts WHERE key = :key")
        async with self.context.database.system() as session:
            await session.execute(used, {"attempts": MAX_ATTEMPTS, "key": key})

    async def advance_time(self, **amount: float) -> None:
        """Move leases, pauses, next attempts and ends of incidents back by the amount."""
        async with self.context.database.system() as session:
            await session.execute(
                text(
                    "UPDATE delivery SET lease_until = lease_until - CAST(:by AS interval),"
                    " next_try_at = next_try_at - CAST(:by AS interval) WHERE state = 'pending'"
                ),
                {"by": timedelta(**amount)},
            )
            await session.execute(
                text(
                    "UPDATE provider_pause SET paused_until = paused_until - CAST(:by AS interval)"
                ),
                {"by": timedelta(**amount)},
            )
            await session.execute(
                text("UPDATE incident SET closed_at = closed_at - CAST(:by AS interval)"),
                {"by": timedelta(**amount)},
            )


@pytest.fixture
def scenario(worker: AppContext, logins) -> DeliveryScenario:
    return DeliveryScenario(worker, logins)


async def test_a_message_is_sent_and_recorded_once(scenario) -> None:
    await scenario.enqueue_messages("a")
    await scenario.enqueue_messages("a")

    assert await scenario.deliver() == 1
    assert await scenario.deliver() == 0

    row = await scenario.delivery_row("a")
    assert scenario.mail.delivered_keys == ["a"]
    assert (row["state"], row["attempts"], row["carrier_ref"]) == ("sent", 1, "ref-a")
    assert row["sent_at"] is not None
    assert row["lease_until"] is None


async def test_a_rolled_back_transaction_sends_nothing(scenario) -> None:
    async def enqueue_and_fail() -> None:
        async with scenario.context.database.system() as session:
            await enqueue_messages(session, [OutboxMessage(kind="test", medium=MAIL, key="a")])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await enqueue_and_fail()
    assert await scenario.deliver() == 0


async def test_concurrent_processes_send_no_message_twice(scenario) -> None:
    keys = [f"k{n}" for n in range(150)]
    await scenario.enqueue_messages(*keys)

    counts = await asyncio.gather(*(scenario.deliver() for _ in range(3)))

    assert sum(counts) == len(keys)
    assert sorted(scenario.mail.delivered_keys) == sorted(keys)


async def test_no_transaction_is_open_while_a_carrier_is_called(scenario, servers) -> None:
    counts = []

    async def watch(key: str) -> None:
        for _ in range(
            20
        ):  # the other channel may be claiming; an open transaction of ours would stay
            counts.append(await fleet.count_idle_transactions())
            await asyncio.sleep(0.02)

    scenario.mail.behaviour = watch
    await scenario.enqueue_messages("a")

    async with open_fleet(servers, scenario.logins) as fleet:
        assert await scenario.deliver() == 1
    assert min(counts) == 0


async def run_until_killed(
    scenario: DeliveryScenario, variables, step: str, folder: Path, medium: Medium
) -> None:
    """Run a process that sends and is killed at this step."""
    environment = {
        **variables,
        "DATABASE_URL": scenario.logins.worker,
        "MAIL_CHANNEL": "recording",
    }
    await run_until_killed_at(step, environment, folder, medium)


@pytest.mark.parametrize("step", ["enqueuing", "enqueued"])
async def test_a_crash_around_the_commit_sends_once_after_a_repetition(
    scenario, variables, tmp_path, step
) -> None:
    await run_until_killed(scenario, variables, step, tmp_path, MAIL)
    rows = await fetch_rows(scenario.logins, "SELECT state FROM delivery")
    assert rows == ([{"state": "pending"}] if step == "enqueued" else [])

    await scenario.enqueue_messages("a")
    await scenario.deliver()

    assert scenario.mail.delivered_keys == ["a"]


@pytest.mark.parametrize("medium", [MAIL, SMS])
@pytest.mark.parametrize("step", STEPS)
async def test_a_killed_process_loses_no_message(
    scenario, variables, tmp_path, step, medium
) -> None:
    await scenario.enqueue_messages("a", medium=medium)
    accepted = tmp_path / "accepted"
    await run_until_killed(scenario, variables, step, tmp_path, medium)

    assert await scenario.deliver() == 0, "the lease of the killed process lasts"
    await scenario.advance_time(minutes=4)
    await scenario.deliver()

    before = accepted.read_text().split() if accepted.exists() else []
    # Only a crash between the response of the carrier and the recorded result sends it twice.
    duplicates = 1 if step == "sent" else 0
    carrier = {MAIL: scenario.mail, SMS: scenario.sms}[medium]
    assert [*before, *carrier.delivered_keys] == ["a"] * (1 + duplicates)
    assert (await scenario.delivery_row("a"))["state"] == "sent"


async def test_a_lost_connection_while_recording_duplicates_nothing(scenario, servers) -> None:
    async def cut_every_connection(key: str) -> None:
        connection = await asyncpg.connect(servers.urls.admin_url)
        try:
            await connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = $1 AND pid <> pg_backend_pid()",
                scenario.logins.worker.rpartition("/")[2].partition("?")[0],
            )
        finally:
            await connection.close()

    scenario.mail.behaviour = cut_every_connection
    await scenario.enqueue_messages("a")

    with suppress(DBAPIError, OSError):  # the next claim may use a closed connection too
        await scenario.deliver()

    assert scenario.mail.delivered_keys == ["a"]
    assert (await scenario.delivery_row("a"))["state"] == "sent"


async def test_recording_a_result_is_retried_during_the_lease(scenario, monkeypatch) -> None:
    """Whatever the error is: an unrecorded message would be sent again."""
    mark_sent, errors = DeliveryRepository.mark_sent, [ConnectionError(), PoolTimeoutError()]

    async def fail_twice(self, *arguments):
        if errors:
            raise errors.pop()
        return await mark_sent(self, *arguments)

    monkeypatch.setattr(DeliveryRepository, "mark_sent", fail_twice)
    await scenario.enqueue_messages("a")

    assert await scenario.deliver() == 1
    assert scenario.mail.delivered_keys == ["a"]
    assert (await scenario.delivery_row("a"))["state"] == "sent"


async def test_a_failing_follow_up_does_not_undo_the_result(scenario) -> None:
    async def fail(session, delivered) -> None:
        raise ValueError

    scenario.feedback.on_delivered = fail
    await scenario.enqueue_messages("a", "b")

    await scenario.deliver()
    await scenario.advance_time(minutes=4)
    await scenario.deliver()

    assert sorted(scenario.mail.delivered_keys) == ["a", "b"]


async def test_a_stalled_process_records_nothing_after_its_lease(scenario) -> None:
    stalled = True

    async def stall(key: str) -> None:
        nonlocal stalled
        if stalled:
            stalled = False
            await scenario.advance_time(minutes=4)
            assert await scenario.deliver() == 1

    scenario.mail.behaviour = stall
    await scenario.enqueue_messages("a")
    await scenario.deliver()

    row = await scenario.delivery_row("a")
    assert scenario.mail.delivered_keys == ["a", "a"]
    assert (row["state"], row["fence"]) == ("sent", 2)
    assert len(scenario.feedback.delivered_calls) == 1


async def test_a_holder_that_was_cut_off_from_the_database_keeps_its_message(scenario) -> None:
    called, responding = asyncio.Event(), asyncio.Event()

    async def wait_or_accept(key: str) -> None:
        called.set()
        await responding.wait()

    scenario.mail.behaviour = wait_or_accept
    await scenario.enqueue_messages("a")
    holder = asyncio.create_task(scenario.deliver())
    await called.wait()
    await scenario.advance_time(seconds=10)  # nothing could be renewed, and now it can

    assert await scenario.deliver() == 0
    responding.set()
    assert await holder == 1
    row = await scenario.delivery_row("a")
    assert (row["state"], row["fence"], scenario.mail.attempted_keys) == ("sent", 1, ["a"])


async def test_a_sender_that_lost_its_lease_changes_nothing(scenario) -> None:
    async def claim() -> Delivery:
        async with scenario.context.database.system() as session:
            now, lease = utc_now(), timedelta(minutes=3)
            [row] = await DeliveryRepository(session).claim(
                MAIL, carrier="mail", limit=1, now=now, product_now=now, longest=lease
            )
        return row

    await scenario.enqueue_messages("a")
    late = await claim()
    await scenario.advance_time(minutes=4)
    holder = await claim()

    async with scenario.context.database.system() as session:
        assert not await DeliveryRepository(session).mark_sent(late, utc_now(), None)
        assert not await DeliveryRepository(session).release(late)
        assert await DeliveryRepository(session).mark_sent(holder, utc_now(), None)


async def test_after_hours_of_outage_every_message_is_sent_once(
    scenario,
) -> None:
    keys = [f"k{n}" for n in range(20)]
    scenario.mail.fail_with(DeliveryError("421 try later"))
    await scenario.enqueue_messages(*keys)

    for tries in range(1, 6):
        assert await scenario.deliver() == 0
        row = await scenario.delivery_row("k0")
        assert (row["state"], row["attempts"], row["error_kind"]) == ("pending", tries, "transient")
        delay = row["next_try_at"] - utc_now()
        assert timedelta(0) < delay <= timedelta(seconds=30 * 2 ** (tries - 1))
        await scenario.advance_time(hours=1)

    scenario.mail.recover()
    assert await scenario.deliver() == len(keys)
    assert sorted(scenario.mail.delivered_keys) == sorted(keys)


async def test_after_three_days_of_attempts_a_message_has_failed(scenario) -> None:
    scenario.mail.fail_with(DeliveryError("421 try later"))
    await scenario.enqueue_messages("a")
    await scenario.deliver()
    async with scenario.context.database.system() as session:
        await session.execute(
            text("UPDATE delivery SET attempts = :attempts"), {"attempts": MAX_ATTEMPTS - 1}
        )
    await scenario.advance_time(hours=1)

    await scenario.deliver()

    row = await scenario.delivery_row("a")
    assert (row["state"], row["error_kind"]) == ("failed", "transient")
    assert row["error"] == "421 try later"
    assert scenario.feedback.given_up_keys == ["a"]


async def test_the_retry_after_of_a_carrier_is_honoured_by_the_sender(scenario) -> None:
    scenario.mail.fail_with(DeliveryError("429", retry_after=600.0))
    await scenario.enqueue_messages("a")

    await scenario.deliver()

    delay = (await scenario.delivery_row("a"))["next_try_at"] - utc_now()
    assert timedelta(minutes=9) < delay <= timedelta(minutes=10)


async def test_a_rejected_address_fails_at_once_and_is_not_repeated_in_the_reason(
    scenario,
) -> None:
    scenario.mail.fail_with(
        DeliveryError("550 5.1.1 <Anna@ACME.test> unknown user", permanent=True)
    )
    user_id = UserId(new_id())
    await scenario.enqueue_messages("a", user_id=user_id)

    assert await scenario.deliver() == 0

    row = await scenario.delivery_row("a")
    assert (row["state"], row["error_kind"], row["attempts"]) == ("failed", "address_rejected", 1)
    assert row["error"] == "550 5.1.1 <…> unknown user"
    [(due, reason)] = scenario.feedback.refused_calls
    assert (due.user_id, reason) == (user_id, row["error"])


async def test_a_rejected_account_costs_no_attempt_and_pauses_its_channel_only(scenario) -> None:
    scenario.mail.fail_with(ProviderAccountError("535 bad password"))
    await scenario.enqueue_messages(*(f"k{n}" for n in range(40)))
    await scenario.enqueue_messages("sms", medium=SMS)

    await scenario.deliver()

    attempts = len(scenario.mail.attempted_keys)
    assert attempts <= send_slots.MAX_CONCURRENCY
    assert scenario.sms.delivered_keys == ["sms"]
    rows = await fetch_rows(
        scenario.logins, "SELECT DISTINCT state, attempts FROM delivery WHERE key ~ 'k'"
    )
    assert rows == [{"state": "pending", "attempts": 0}]

    await scenario.enqueue_messages("later")
    await scenario.deliver()
    assert len(scenario.mail.attempted_keys) == attempts, (
        "the channel is paused, also for later messages"
    )

    scenario.mail.recover()
    await scenario.advance_time(minutes=6)
    await scenario.deliver()
    expected = {f"k{n}" for n in range(40)} | {"later"}
    assert Counter(key for key in scenario.mail.delivered_keys if "operator" not in key) == Counter(
        expected
    )


async def test_a_rejected_account_is_one_incident_and_one_mail(scenario) -> None:
    scenario.sms.fail_with(ProviderAccountError("103 no credits left"))
    await scenario.enqueue_messages("a", "b", "c", medium=SMS)
    await scenario.deliver()
    assert len(scenario.mail.messages) == 1, "operators are mailed at once"
    for _ in range(2):
        await scenario.deliver()
        await scenario.advance_time(minutes=6)

    [incident] = await fetch_rows(scenario.logins, "SELECT * FROM incident")
    assert (incident["kind"], incident["key"]) == ("channel_refused", "carrier-sms")
    assert incident["closed_at"] is None
    assert incident["mailed_at"] is not None
    [message] = scenario.mail.messages
    assert "103 no credits left" in message.text

    scenario.sms.recover()
    await scenario.advance_time(minutes=6)
    await scenario.deliver()
    [incident] = await fetch_rows(scenario.logins, "SELECT * FROM incident")
    assert incident["closed_at"] is not None
    assert sorted(scenario.sms.delivered_keys) == ["a", "b", "c"]

    scenario.sms.fail_with(ProviderAccountError("103 no credits left"))
    await scenario.advance_time(minutes=11)
    await scenario.enqueue_messages("d", medium=SMS)
    await scenario.deliver()
    assert len(scenario.mail.messages) == 2, "a new incident is a new mail"


async def test_without_an_address_of_operators_the_incident_is_stored(scenario) -> None:
    scenario.context = dataclasses.replace(
        scenario.context,
        settings=msgspec.structs.replace(scenario.context.settings, operator_email=""),
    )
    scenario.sms.fail_with(ProviderAccountError("103 no credits left"))
    await scenario.enqueue_messages("a", medium=SMS)
    await scenario.deliver()
    await scenario.deliver()

    assert scenario.mail.attempted_keys == []
    assert len(await fetch_rows(scenario.logins, "SELECT * FROM incident")) == 1


async def test_an_incident_of_the_mail_channel_is_logged(scenario, caplog) -> None:
    def logged() -> list[dict]:
        return [record.msg for record in caplog.records if record.levelname == "CRITICAL"]

    scenario.mail.fail_with(ProviderAccountError("535 bad password"))
    await scenario.enqueue_messages("a")
    await scenario.deliver()
    incident = {"kind": "channel_refused", "key": "carrier-email", "detail": "535 bad password"}
    [opened] = logged()
    assert opened.items() >= {"event": "incident_opened", **incident}.items()

    await log_unsent_incidents(scenario.context)
    assert len(logged()) == 1, "its mail may still be sent"
    async with scenario.context.database.system() as session:
        await session.execute(text("UPDATE delivery SET created_at = created_at - interval '1h'"))
    await log_unsent_incidents(scenario.context)
    await log_unsent_incidents(scenario.context)
    assert [event["event"] for event in logged()[1:]] == ["incident_unsent"] * 2
    assert all(event.items() >= incident.items() for event in logged())

    scenario.mail.recover()
    await scenario.advance_time(minutes=6)
    await scenario.deliver()
    await log_unsent_incidents(scenario.context)
    assert len(logged()) == 3, "the incident is closed"


async def test_a_bug_counts_as_an_attempt_and_its_message_is_not_stored(scenario) -> None:
    scenario.mail.fail_with(ValueError("Anna Nowak, AA123456"))
    await scenario.enqueue_messages("a")

    await scenario.deliver()

    row = await scenario.delivery_row("a")
    assert (row["state"], row["attempts"], row["error_kind"]) == ("pending", 1, "internal_error")
    assert row["error"].startswith("ValueError in fail, line ")


async def test_a_message_that_crashes_its_process_fails_in_the_end(scenario) -> None:
    await scenario.enqueue_messages("a", "b")
    await scenario.use_attempts("a")

    assert await scenario.deliver() == 1

    assert scenario.mail.attempted_keys == ["b"]
    assert (await scenario.delivery_row("a"))["state"] == "failed"
    assert scenario.feedback.given_up_keys == ["a"]


async def test_a_failing_feedback_blocks_no_other_message(scenario) -> None:
    async def fail(session, due: DueMessage) -> None:
        raise ValueError

    scenario.feedback.on_given_up = fail
    await scenario.enqueue_messages("a", "b")
    await scenario.use_attempts("a")

    assert await scenario.deliver() == 1

    assert scenario.mail.delivered_keys == ["b"]
    assert (await scenario.delivery_row("a"))["state"] == "failed"


async def test_a_message_that_cannot_be_rendered_blocks_no_other(scenario) -> None:
    messages = await scenario.enqueue_messages("a", "b", "c")
    scenario.renderer.failing = {str(messages[1].subject_id)}

    assert await scenario.deliver() == 2

    assert sorted(scenario.mail.delivered_keys) == ["a", "c"]
    row = await scenario.delivery_row("b")
    assert (row["state"], row["attempts"], row["error"]) == ("pending", 1, "RuntimeError")


async def test_a_kind_without_a_renderer_stays_pending(scenario) -> None:
    async with scenario.context.database.system() as session:
        await enqueue_messages(session, [OutboxMessage(kind="of tomorrow", medium=MAIL, key="a")])

    await scenario.deliver()

    assert (await scenario.delivery_row("a"))["state"] == "pending"


async def test_an_obsolete_message_is_dropped(scenario) -> None:
    messages = await scenario.enqueue_messages("a", "b")
    scenario.renderer.unwanted = {str(messages[0].subject_id)}

    assert await scenario.deliver() == 1

    row = await scenario.delivery_row("a")
    assert (row["state"], row["error_kind"]) == ("failed", "obsolete")


async def test_a_message_that_is_not_allowed_any_more_is_not_sent(scenario) -> None:
    messages = await scenario.enqueue_messages("a", "b")
    scenario.feedback.forbidden = {str(messages[0].subject_id)}

    assert await scenario.deliver() == 1

    assert scenario.mail.attempted_keys == ["b"]
    row = await scenario.delivery_row("a")
    assert (row["state"], row["error_kind"]) == ("failed", "obsolete")


async def test_without_an_address_nothing_is_attempted(scenario) -> None:
    scenario.renderer.recipient = Recipient(email=None, phone=None)
    await scenario.enqueue_messages("a")

    await scenario.deliver()

    assert scenario.mail.attempted_keys == []
    assert (await scenario.delivery_row("a"))["error_kind"] == "no_address"


async def test_a_hanging_carrier_times_out_and_does_not_block_the_other(
    scenario, monkeypatch
) -> None:
    monkeypatch.setattr(channel_sender, "SEND_SECONDS", 0.5)
    cancelled = []

    async def hang(key: str) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            cancelled.append(key)

    mails_sent = asyncio.Event()

    async def record(key: str) -> None:
        if key == "b":
            mails_sent.set()

    scenario.sms.behaviour, scenario.mail.behaviour = hang, record
    await scenario.enqueue_messages("slow", medium=SMS)
    await scenario.enqueue_messages("a", "b")
    delivering = asyncio.create_task(scenario.deliver())
    await mails_sent.wait()
    assert not delivering.done()

    assert await delivering == 2
    assert cancelled == ["slow"]
    row = await scenario.delivery_row("slow")
    assert (row["state"], row["attempts"], row["error_kind"]) == ("pending", 1, "timeout")


async def test_not_before_uses_the_product_clock(scenario, clock) -> None:
    morning = datetime(2026, 11, 22, 6, 0, tzinfo=WARSAW)
    clock.set(morning - timedelta(hours=3))
    await scenario.enqueue_messages("a", medium=SMS, not_before=morning)
    assert await scenario.deliver() == 0
    clock.set(morning - timedelta(minutes=1))
    assert await scenario.deliver() == 0

    clock.set(morning)
    assert await scenario.deliver() == 1


async def test_a_secret_is_stored_encrypted_and_emptied_after_sending(scenario) -> None:
    message = OutboxMessage(kind="test", medium=MAIL, key="a").with_secret(
        "ABC234", scenario.context.key_ring
    )
    async with scenario.context.database.system() as session:
        await enqueue_messages(session, [message])
    assert b"ABC234" not in (await scenario.delivery_row("a"))["encrypted"]

    assert await scenario.deliver() == 1

    assert scenario.renderer.secrets == ["ABC234"]
    assert (await scenario.delivery_row("a"))["encrypted"] is None


async def test_a_secret_decrypts_in_its_own_row_only(scenario) -> None:
    message = OutboxMessage(kind="test", medium=MAIL, key="a").with_secret(
        "ABC234", scenario.context.key_ring
    )
    moved_message = OutboxMessage(kind="test", medium=MAIL, key="b", encrypted=message.encrypted)
    async with scenario.context.database.system() as session:
        await enqueue_messages(session, [moved_message])

    assert await scenario.deliver() == 0

    row = await scenario.delivery_row("b")
    assert (row["state"], row["error_kind"], row["encrypted"]) == ("failed", "undecryptable", None)


async def test_the_secret_of_a_failed_message_is_cleared(scenario) -> None:
    scenario.mail.fail_with(DeliveryError("no such user", permanent=True))
    message = OutboxMessage(kind="test", medium=MAIL, key="a").with_secret(
        "ABC234", scenario.context.key_ring
    )
    async with scenario.context.database.system() as session:
        await enqueue_messages(session, [message])

    await scenario.deliver()

    assert (await scenario.delivery_row("a"))["encrypted"] is None


async def test_a_pause_ends_by_itself(scenario) -> None:
    scenario.mail.fail_with(ProviderAccountError("535"))
    await scenario.enqueue_messages("a")
    await scenario.deliver()
    await scenario.enqueue_messages("later")
    scenario.mail.recover()

    await scenario.advance_time(minutes=4, seconds=50)
    assert await scenario.deliver() == 0

    await scenario.advance_time(seconds=10)
    await scenario.deliver()
    assert {"a", "later"} <= set(scenario.mail.delivered_keys)
    assert await fetch_rows(scenario.logins, "SELECT * FROM provider_pause") == []


async def test_an_answer_in_flight_does_not_end_the_pause(scenario) -> None:
    rejected = asyncio.Event()

    async def reject_the_first(key: str) -> None:
        if key == "a":
            rejected.set()
            raise ProviderAccountError("535")
        await rejected.wait()
        await wait_until(lambda: fetch_rows(scenario.logins, "SELECT * FROM provider_pause"))

    scenario.mail.behaviour = reject_the_first
    await scenario.enqueue_messages("a", "in flight")
    await scenario.deliver()
    assert scenario.mail.delivered_keys == ["in flight"]

    scenario.mail.recover()
    await scenario.enqueue_messages("later")
    assert await scenario.deliver() == 0
    await scenario.advance_time(minutes=5)
    await scenario.deliver()
    assert {"a", "later"} <= set(scenario.mail.delivered_keys)


async def test_deliver_all_waits_for_other_processes(scenario) -> None:
    called, responding = asyncio.Event(), asyncio.Event()

    async def wait_or_accept(key: str) -> None:
        called.set()
        await responding.wait()

    scenario.mail.behaviour = wait_or_accept
    await scenario.enqueue_messages("a")
    other_worker = asyncio.create_task(scenario.deliver())
    await called.wait()
    waiting_worker = asyncio.create_task(deliver_all(scenario.context, scenario.registry))
    await asyncio.sleep(0.2)
    assert not waiting_worker.done()

    responding.set()
    assert await other_worker == 1
    assert await waiting_worker == 0


async def test_a_terminating_process_claims_nothing(scenario) -> None:
    await scenario.enqueue_messages("a")
    scenario.context.shutdown.set()

    assert await scenario.deliver() == 0
    assert (await scenario.delivery_row("a"))["attempts"] == 0


async def test_a_job_enqueued_during_a_run_makes_the_sender_run_again(scenario) -> None:
    senders = ChannelSenders()

    async def enqueue_after_the_mails(key: str) -> None:
        await asyncio.sleep(0.2)
        await scenario.enqueue_messages("mail")
        assert await senders.run(scenario.context, scenario.registry) is False, (
            "one at a time in a process"
        )

    scenario.sms.behaviour = enqueue_after_the_mails
    await scenario.enqueue_messages("sms", medium=SMS)

    assert await senders.run(scenario.context, scenario.registry) is False
    assert scenario.mail.delivered_keys == ["mail"]


async def test_a_long_run_ends_and_enqueues_another(scenario, monkeypatch) -> None:
    monkeypatch.setattr(senders, "MAX_RUN_TIME", timedelta(seconds=-1))
    await scenario.enqueue_messages("a")

    assert await ChannelSenders().run(scenario.context, scenario.registry) is True


async def test_the_job_has_the_name_of_its_function() -> None:
    assert deliver_pending.name == "deliver_pending"
