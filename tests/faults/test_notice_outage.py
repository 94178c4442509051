"""Two hours without the carriers of mail and SMS: every notice arrives once, to everybody."""

import dataclasses
from collections import Counter
from datetime import UTC, date, datetime, timedelta

import asyncpg
import msgspec
import pytest
from sqlalchemy import text

from fleet import overseen
from prawko.base.clock import WARSAW
from prawko.base.plugins import Plugins
from prawko.deliveries.sending import deliver_due
from prawko.hooks.channels import DeliveryError, Medium
from prawko.hooks.failures import AccountError
from prawko.notifications.announcing import Announcement, announce
from prawko.notifications.fanout import Rules
from prawko.notifications.kinds import (
    MEDIA,
    TOLD_TOGETHER,
    CompanyFacts,
    DriverFacts,
    Expiry,
    ExpiryFacts,
    NoticeKind,
    PaymentFacts,
    SubscriptionFacts,
)
from prawko.testing.fakes import RecordingChannel
from prawko.worker.wiring import correspondence
from prawko_tenants.ids import TenantId
from stored import look

pytestmark = pytest.mark.anyio

AT = datetime(2026, 11, 23, 9, tzinfo=WARSAW).astimezone(UTC)
STEP = timedelta(minutes=10)
OUTAGE = timedelta(hours=2)


def news(kind: NoticeKind, number: int) -> Announcement:
    name = {"first_name": "Jan", "last_name": f"Nr {number}", "license_number": "AA123456"}
    driver = DriverFacts(**name, checked_at=AT, state="Zatrzymany")
    ending = SubscriptionFacts(ends_at=AT, driver_limit=20, days=2)
    facts = {
        NoticeKind.EXPIRING: ExpiryFacts(
            **name, checked_at=AT, day=AT.date(), expiries=(Expiry(date(2026, 12, 23), "", 30),)
        ),
        NoticeKind.RESULTS_STALE: CompanyFacts(drivers=3, since=AT),
        NoticeKind.CHECKING_STOPPED: CompanyFacts(drivers=3, since=AT),
        NoticeKind.PAYMENT_FAILED: PaymentFacts(gross=18327, tried_at=AT, ends_at=AT),
        NoticeKind.PAYMENT_CONSENT: PaymentFacts(gross=18327, tried_at=AT, ends_at=AT),
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
    return Announcement(kind=kind, dedup=f"{kind} {number}", facts=facts)


class Carriers:
    """Mail and SMS of a worker, both at the test's mercy."""

    def __init__(self, worker) -> None:
        self.mail, self.sms = RecordingChannel(), RecordingChannel(Medium.SMS)
        self.sms.name = "recording-sms"
        channels = {one.name: one for one in (self.mail, self.sms)}
        self.worker = dataclasses.replace(
            worker,
            plugins=Plugins((), {}, channels),
            settings=msgspec.structs.replace(
                worker.settings, mail_channel=self.mail.name, sms_channel=self.sms.name
            ),
        )

    def fail_with(self, error: Exception | None) -> None:
        self.mail.broken = self.sms.broken = error

    async def deliver(self) -> int:
        return await deliver_due(self.worker, correspondence(self.worker))

    async def time_passes(self, clock, span: timedelta) -> None:
        """Everything that waits for a time comes nearer to it, by both clocks."""
        clock.forward(seconds=span.total_seconds())
        async with self.worker.database.system() as session:
            await session.execute(
                text(
                    "UPDATE delivery SET next_try_at = next_try_at - CAST(:by AS interval),"
                    " lease_until = lease_until - CAST(:by AS interval) WHERE state = 'pending'"
                ),
                {"by": span},
            )


@pytest.fixture
async def carriers(anna, bartek, worker, clock, servers, logins) -> Carriers:
    """Anna has mail and SMS on, Bartek mail alone and a phone that nobody verified."""
    clock.set(AT)
    async with overseen(servers, logins) as fleet:
        await fleet.admin.execute("DELETE FROM delivery")
        await _phones(fleet.admin)
    return Carriers(worker)


async def _phones(admin: asyncpg.Connection) -> None:
    await admin.execute(
        "UPDATE user_account SET sms_notifications_enabled = true,"
        " phone_number = CASE email_key WHEN 'anna@acme.test' THEN '+48600100200'"
        " ELSE '+48600100201' END, phone_verified = email_key = 'anna@acme.test'"
    )


@pytest.mark.parametrize(
    "trouble",
    [DeliveryError("503 try later"), AccountError("no credits left"), TimeoutError()],
    ids=["down", "account", "silent"],
)
async def test_two_hours_without_carriers_lose_and_double_nothing(
    carriers, anna, clock, logins, trouble
) -> None:
    carriers.fail_with(trouble)
    tenant_id = TenantId(await anna.tenant_id(carriers.worker))
    kinds = [kind for kind in NoticeKind if MEDIA[kind]]
    waited, number, tries = timedelta(0), 0, 0
    while waited < OUTAGE:
        if waited % timedelta(minutes=30) == timedelta(0):
            async with carriers.worker.database.tenant(tenant_id) as session:
                told = [news(kind, number + n) for kind in kinds for n in range(2)]
                rules = Rules.of(carriers.worker.settings)
                await announce(session, tenant_id, told, rules=rules, now=clock.now())
            number += 2
        assert await carriers.deliver() == 0
        tries += 1
        await carriers.time_passes(clock, STEP)
        waited += STEP
    carriers.fail_with(None)
    while waited < OUTAGE * 2:
        await carriers.deliver()
        await carriers.time_passes(clock, STEP)
        waited += STEP

    rounds = number // 2
    each = {kind: rounds * (1 if kind in TOLD_TOGETHER else 2) for kind in kinds}
    by_sms = {kind: each[kind] for kind in kinds if Medium.SMS in MEDIA[kind]}
    rows = await look(
        logins,
        "SELECT d.state, d.channel_medium AS medium, coalesce(n.kind, 'expiring') AS kind, d.key"
        "  FROM delivery d LEFT JOIN notice n ON n.id = d.notice_id WHERE d.kind = 'notice'",
    )
    assert {row["state"] for row in rows} == {"sent"}
    sent = Counter((row["medium"], row["kind"]) for row in rows)
    assert sent == Counter(
        {("email", kind): 2 * many for kind, many in each.items()}
        | {("sms", kind): many for kind, many in by_sms.items()}
    )
    handed = [one for one in (*carriers.mail.sent, *carriers.sms.sent) if "notice:" in one.key]
    assert sorted(one.key for one in handed) == sorted(row["key"] for row in rows), "each once"
    assert {one.recipient.phone for one in carriers.sms.sent} == {"+48600100200"}
    assert all(len(one.notice.line) <= 160 for one in carriers.sms.sent)
    assert tries == OUTAGE // STEP
