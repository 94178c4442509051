"""Reminders before the end of a trial or subscription and a notice at it, each sent once."""

import asyncio
import dataclasses
from datetime import datetime, timedelta

import msgspec
import pytest

from prawko.billing import jobs
from prawko.billing.jobs import (
    ProcessedEnds,
    expire_ended_subscriptions,
    send_subscription_reminders,
)
from prawko.kit.clock import WARSAW
from prawko.verifications.stale_results import notify_stale_results
from support.database import fetch_rows, insert_subscription, set_subscription_end
from support.fleet import open_fleet
from support.people import deliver_outbox

pytestmark = pytest.mark.anyio

KINDS = "SELECT kind FROM notice ORDER BY created_at, kind"


@pytest.fixture
async def admin(servers, logins):
    """A superuser's connection to the database."""
    async with open_fleet(servers, logins) as fleet:
        yield fleet.admin


@pytest.fixture
def sent_notices(worker, logins):
    """Run the jobs twice, as two workers would; the kinds of all notices so far."""

    async def run() -> list[str]:
        for _ in range(2):
            worker.components.get(ProcessedEnds).day = None  # as a process that has just started
            await expire_ended_subscriptions(worker)
            await send_subscription_reminders(worker)
            await notify_stale_results(worker)
        return [row["kind"] for row in await fetch_rows(logins, KINDS)]

    return run


async def test_a_trial_has_reminders_two_days_and_one_day_before_its_end_and_a_notice_at_it(
    anna, worker, clock, mailbox, sent_notices
) -> None:
    end = datetime.fromisoformat((await anna.get("/api/subscription")).json()["endDate"])
    await anna.add_driver("AA123456")
    results = []
    for before in (
        timedelta(days=3, hours=1), timedelta(days=2), timedelta(days=1, hours=23, minutes=59),
        timedelta(days=1), timedelta(minutes=1), timedelta(0), timedelta(hours=-1),
        timedelta(days=-3),
    ):  # fmt: skip
        clock.set(end - before)
        results.append(await sent_notices())

    ending, ended = ["trial_ending"], ["trial_ended"]
    assert results[0] == []
    assert results[1] == ending
    assert results[3] == results[4] == ending * 2
    assert results[5] == results[6] == results[7] == ending * 2 + ended, (
        "one notice, also of the end of monitoring"
    )
    await deliver_outbox(worker)
    titles = [mail.subject for mail in mailbox.messages_to(anna.email) if mail.code is None]
    assert titles == [
        "Okres próbny kończy się za 2 dni",
        "Okres próbny kończy się jutro",
        "Okres próbny się skończył, sprawdzanie jest wstrzymane",
    ]
    notifications = (await anna.get("/api/notifications")).json()
    assert [row["type"] for row in notifications] == ["trial_ended", "trial_ending", "trial_ending"]


async def test_after_days_of_downtime_only_the_end_is_notified(anna, clock, sent_notices) -> None:
    clock.forward(days=9)

    assert await sent_notices() == ["trial_ended"]


async def test_a_subscription_that_does_not_renew_is_reminded_of_its_end(
    anna, worker, clock, sent_notices, mailbox
) -> None:
    await insert_subscription(anna, worker, driver_limit=20, cancelled=True)
    end = datetime.fromisoformat((await anna.get("/api/subscription")).json()["endDate"])
    results = []
    for before in (9, 7, 4, 2, 1):
        clock.set(end - timedelta(days=before))
        results.append(len(await sent_notices()))
    clock.set(end)

    assert results == [0, 1, 1, 2, 2], "the replaced trial has no notice"
    assert await sent_notices() == ["subscription_ending"] * 2 + ["subscription_ended"]
    await deliver_outbox(worker)
    mail = mailbox.messages_to(anna.email)[-1]
    assert mail.subject == "Subskrypcja się skończyła, sprawdzanie jest wstrzymane"
    assert "Limit kierowców: 20" in mail.text


async def test_a_subscription_with_a_mandate_renews_itself_and_needs_no_reminder(
    anna, worker, admin, sent_notices
) -> None:
    await insert_subscription(anna, worker, days=5)
    await admin.execute("UPDATE subscription SET mandate_id = uuidv7()")
    assert await sent_notices() == []


async def test_an_extended_subscription_has_no_notice_of_the_old_end(
    anna, worker, clock, sent_notices
) -> None:
    end = datetime.fromisoformat((await anna.get("/api/subscription")).json()["endDate"])
    clock.set(end - timedelta(days=2))
    assert await sent_notices() == ["trial_ending"]

    await set_subscription_end(anna, worker, end + timedelta(days=30))
    clock.set(end - timedelta(hours=1))
    assert await sent_notices() == ["trial_ending"]

    clock.set(end + timedelta(days=29))
    assert await sent_notices() == ["trial_ending"] * 2, "once for the new end"


async def test_a_company_with_drivers_has_one_notice_when_monitoring_ends(
    anna, clock, worker, logins
) -> None:
    await anna.add_driver("AA123456")
    end = datetime.fromisoformat((await anna.get("/api/subscription")).json()["endDate"])
    clock.set(end + timedelta(minutes=1))
    # Another worker processes stale results before the end is saved.
    await notify_stale_results(worker)
    await expire_ended_subscriptions(worker)
    clock.forward(minutes=30)
    await notify_stale_results(worker)

    assert [row["kind"] for row in await fetch_rows(logins, KINDS)] == ["trial_ended"]


async def test_a_subscription_closed_by_an_operator_has_the_notice_that_monitoring_ended(
    anna, admin, sent_notices
) -> None:
    await anna.add_driver("AA123456")
    await admin.execute("UPDATE subscription SET status = 'inactive'")

    assert await sent_notices() == ["checking_stopped"]


async def test_concurrent_workers_remind_once(anna, celina, worker, clock, logins) -> None:
    end = datetime.fromisoformat((await anna.get("/api/subscription")).json()["endDate"])
    clock.set(end - timedelta(days=1))

    await asyncio.gather(*(send_subscription_reminders(worker) for _ in range(4)))

    assert [row["kind"] for row in await fetch_rows(logins, KINDS)] == ["trial_ending"] * 2
    mails = await fetch_rows(logins, "SELECT 1 FROM delivery WHERE kind = 'notice'")
    assert len(mails) == 2


async def test_an_end_that_changes_is_processed_again_on_the_same_day(
    anna, worker, clock, logins
) -> None:
    await send_subscription_reminders(worker)
    assert await fetch_rows(logins, KINDS) == []

    await set_subscription_end(anna, worker, clock.now() + timedelta(days=2))
    await send_subscription_reminders(worker)
    await send_subscription_reminders(worker)

    assert [row["kind"] for row in await fetch_rows(logins, KINDS)] == ["trial_ending"]


async def test_a_failure_in_one_company_does_not_stop_the_reminders_of_others(
    anna, celina, worker, clock, logins, monkeypatch
) -> None:
    clock.set(
        datetime.fromisoformat((await anna.get("/api/subscription")).json()["endDate"])
        - timedelta(days=1)
    )
    failing_id = await anna.tenant_id(worker)
    publish = jobs.publish_notices

    async def fail_for_one(session, tenant_id, *args, **options):
        if tenant_id == failing_id:
            raise RuntimeError("a bug")
        return await publish(session, tenant_id, *args, **options)

    monkeypatch.setattr(jobs, "publish_notices", fail_for_one)
    await send_subscription_reminders(worker)

    [notice] = await fetch_rows(logins, "SELECT tenant_id FROM notice")
    assert notice["tenant_id"] == await celina.tenant_id(worker)
    monkeypatch.undo()
    await send_subscription_reminders(worker)
    assert len(await fetch_rows(logins, KINDS)) == 2, "the next run sends it"


async def test_an_sms_of_an_end_at_night_is_delayed_until_the_morning(
    anna, worker, clock, logins, admin
) -> None:
    await admin.execute(
        "UPDATE user_account SET phone_number = '+48600100200', phone_verified = true,"
        " sms_notifications_enabled = true",
    )
    night = datetime(2026, 11, 30, 2, 30, tzinfo=WARSAW)
    await set_subscription_end(anna, worker, night)
    clock.set(night)
    settings = msgspec.structs.replace(worker.settings, sms_channel="recording-sms")

    await expire_ended_subscriptions(dataclasses.replace(worker, settings=settings))

    rows = await fetch_rows(
        logins, "SELECT channel_medium, not_before FROM delivery WHERE kind = 'notice' ORDER BY 1"
    )
    assert [(row["channel_medium"], row["not_before"]) for row in rows] == [
        ("email", None),
        ("sms", datetime(2026, 11, 30, 6, tzinfo=WARSAW)),
    ]
