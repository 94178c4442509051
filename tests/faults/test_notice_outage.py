"""Two hours without carriers of mail and SMS: every notice is sent once to every recipient."""

import dataclasses
from collections import Counter
from datetime import UTC, date, datetime, timedelta

import asyncpg
import msgspec
import pytest
from sqlalchemy import text

from prawko.apps.composition_root import create_renderer_registry
from prawko.hooks.channels import DeliveryError, Medium
from prawko.hooks.errors import ProviderAccountError
from prawko.kit.clock import WARSAW
from prawko.kit.deliveries.senders import deliver_due
from prawko.kit.providers.experience import PluginExperience
from prawko.kit.providers.registry import Plugins
from prawko.notifications.catalogue import CATALOGUE, Bundling, NoticeKind
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.payloads import (
    CategoryPayload,
    CompanyPayload,
    DriverPayload,
    Expiry,
    ExpiryPayload,
    MonthPayload,
    PaymentPayload,
    RecipientPayload,
    SubscriptionPayload,
)
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko_tenants.ids import TenantId
from prawko_testing.fakes import RecordingChannel
from support.database import fetch_rows
from support.fleet import open_fleet

pytestmark = pytest.mark.anyio

AT = datetime(2026, 11, 23, 9, tzinfo=WARSAW).astimezone(UTC)
STEP = timedelta(minutes=10)
OUTAGE = timedelta(hours=2)


def make_draft(kind: NoticeKind, number: int) -> NoticeDraft:
    name = {"first_name": "Jan", "last_name": f"Nr {number}", "license_number": "AA123456"}
    driver = DriverPayload(**name, checked_at=AT, state="Zatrzymany")
    ending = SubscriptionPayload(ends_at=AT, driver_limit=20, days=2)
    payload = {
        NoticeKind.EXPIRING: ExpiryPayload(
            **name, checked_at=AT, day=AT.date(), expiries=(Expiry(date(2026, 12, 23), "", 30),)
        ),
        NoticeKind.EXPIRED: ExpiryPayload(
            **name, checked_at=AT, day=AT.date(), expiries=(Expiry(date(2026, 11, 22), "C", -1),)
        ),
        NoticeKind.CATEGORY_INVALID: CategoryPayload(
            **name, checked_at=AT, day=AT.date(), missing=("C",), expiries=()
        ),
        NoticeKind.RESULTS_STALE: CompanyPayload(drivers=3, since=AT),
        NoticeKind.CHECKING_STOPPED: CompanyPayload(drivers=3, since=AT),
        NoticeKind.PAYMENT_FAILED: PaymentPayload(gross=18327, tried_at=AT, ends_at=AT),
        NoticeKind.PAYMENT_CONSENT: PaymentPayload(gross=18327, tried_at=AT, ends_at=AT),
        NoticeKind.MONTH_SUMMARY: MonthPayload(
            month=date(2026, 10, 1), checks=90, alarms=1, acts=1, median_minutes=9, may_not_drive=0
        ),
        NoticeKind.RECIPIENT_STOPPED: RecipientPayload(name="Ewa", email="ewa@acme.test", at=AT),
        **dict.fromkeys(
            (
                NoticeKind.TRIAL_ENDING,
                NoticeKind.TRIAL_ENDED,
                NoticeKind.SUBSCRIPTION_ENDING,
                NoticeKind.SUBSCRIPTION_ENDED,
                NoticeKind.GRACE_STARTED,
            ),
            ending,
        ),
    }.get(kind, driver)
    return NoticeDraft(kind=kind, dedup_key=f"{kind} {number}", payload=payload)


class OutageChannels:
    """Mail and SMS of a worker, whose failures the test sets."""

    def __init__(self, worker) -> None:
        self.mail, self.sms = RecordingChannel(), RecordingChannel(Medium.SMS)
        self.sms.name = "recording-sms"
        channels = {channel.name: channel for channel in (self.mail, self.sms)}
        self.worker = dataclasses.replace(
            worker,
            plugins=Plugins((), {}, channels),
            settings=msgspec.structs.replace(
                worker.settings, mail_channel=self.mail.name, sms_channel=self.sms.name
            ),
        )

    def fail_with(self, error: Exception | None) -> None:
        self.mail.failure = self.sms.failure = error

    async def deliver(self) -> int:
        return await deliver_due(self.worker, create_renderer_registry(self.worker))

    async def advance_time(self, clock, span: timedelta) -> None:
        """Advance the product clock, and move leases, attempts and pauses back as much."""
        clock.forward(seconds=span.total_seconds())
        async with self.worker.database.system() as session:
            await session.execute(
                text(
                    "UPDATE delivery SET next_try_at = next_try_at - CAST(:by AS interval),"
                    " lease_until = lease_until - CAST(:by AS interval) WHERE state = 'pending'"
                ),
                {"by": span},
            )
            await session.execute(
                text(
                    "UPDATE provider_pause SET paused_until = paused_until - CAST(:by AS interval)"
                ),
                {"by": span},
            )


@pytest.fixture
async def channels(anna, bartek, worker, clock, servers, logins) -> OutageChannels:
    """Anna receives mail and SMS, Bartek mail only: his phone is not verified."""
    clock.set(AT)
    async with open_fleet(servers, logins) as fleet:
        await fleet.admin.execute("DELETE FROM delivery")
        await _set_phones(fleet.admin)
    return OutageChannels(worker)


async def _set_phones(admin: asyncpg.Connection) -> None:
    await admin.execute(
        "UPDATE user_account SET sms_notifications_enabled = true,"
        " phone_number = CASE email_key WHEN 'anna@acme.test' THEN '+48600100200'"
        " ELSE '+48600100201' END, phone_verified = email_key = 'anna@acme.test'"
    )


@pytest.mark.parametrize(
    "failure",
    [DeliveryError("503 try later"), ProviderAccountError("no credits left"), TimeoutError()],
    ids=["down", "account", "silent"],
)
async def test_two_hours_without_carriers_lose_and_duplicate_nothing(
    channels, anna, clock, logins, failure, monkeypatch
) -> None:
    # Its seconds are real ones; the test skips time.
    monkeypatch.setattr(PluginExperience, "rests_until", lambda _: None)
    channels.fail_with(failure)
    tenant_id = TenantId(await anna.tenant_id(channels.worker))
    kinds = [kind for kind in NoticeKind if CATALOGUE[kind].media]
    elapsed, number, attempts = timedelta(0), 0, 0
    while elapsed < OUTAGE:
        if elapsed % timedelta(minutes=30) == timedelta(0):
            async with channels.worker.database.tenant(tenant_id) as session:
                # Every second kind, the others in the next round.
                of_round = kinds[number // 2 % 2 :: 2]
                drafts = [make_draft(kind, number + n) for kind in of_round for n in range(2)]
                policy = ChannelPolicy.from_settings(channels.worker.settings)
                await publish_notices(session, tenant_id, drafts, policy=policy, now=clock.now())
            number += 2
        assert await channels.deliver() == 0
        attempts += 1
        await channels.advance_time(clock, STEP)
        elapsed += STEP
    channels.fail_with(None)
    while elapsed < OUTAGE * 2:
        await channels.deliver()
        await channels.advance_time(clock, STEP)
        elapsed += STEP

    rounds = number // 2
    expected_counts = {
        kind: rounds // 2 * (1 if CATALOGUE[kind].bundling is Bundling.KIND else 2)
        for kind in kinds
    }
    by_sms = {kind: expected_counts[kind] for kind in kinds if Medium.SMS in CATALOGUE[kind].media}
    rows = await fetch_rows(
        logins,
        "SELECT d.state, d.channel_medium AS medium, d.key, coalesce(n.kind, ("
        "           SELECT min(b.kind) FROM notice b"
        "            WHERE b.created_at = d.batch_at AND b.kind LIKE 'expir%')) AS kind"
        "  FROM delivery d LEFT JOIN notice n ON n.id = d.notice_id WHERE d.kind = 'notice'",
    )
    assert {row["state"] for row in rows} == {"sent"}
    sent = Counter((row["medium"], row["kind"]) for row in rows)
    assert sent == Counter(
        {("email", kind): 2 * count for kind, count in expected_counts.items()}
        | {("sms", kind): count for kind, count in by_sms.items()}
    )
    accepted = [
        message
        for message in (*channels.mail.sent, *channels.sms.sent)
        if "notice:" in message.idempotency_key
    ]
    assert sorted(message.idempotency_key for message in accepted) == sorted(
        row["key"] for row in rows
    ), "each is sent once"
    assert {message.recipient.phone for message in channels.sms.sent} == {"+48600100200"}
    assert all(len(message.message.sms_text) <= 160 for message in channels.sms.sent)
    assert attempts == OUTAGE // STEP
