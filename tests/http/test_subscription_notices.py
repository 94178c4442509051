"""People are told before a trial or a subscription ends, and when it has ended; once each."""

import asyncio
import dataclasses
from datetime import datetime, timedelta

import msgspec
import pytest

from fleet import overseen
from persons import deliver
from prawko.base.clock import WARSAW
from prawko.billing import jobs
from prawko.billing.jobs import close_ended_subscriptions, tell_of_near_ends
from prawko.verifications.stale_results import tell_of_stale_results
from stored import ends_at, look, subscribed

pytestmark = pytest.mark.anyio

KINDS = "SELECT kind FROM notice ORDER BY created_at, kind"


@pytest.fixture
async def admin(servers, logins):
    """The database as only its superuser sees it."""
    async with overseen(servers, logins) as fleet:
        yield fleet.admin


@pytest.fixture
def told(worker, logins):
    """Run the jobs twice, as two workers would, and say of what was told in all."""

    async def run() -> list[str]:
        for _ in range(2):
            jobs._seen.clear()  # as a process that has just started
            await close_ended_subscriptions(worker)
            await tell_of_near_ends(worker)
            await tell_of_stale_results(worker)
        return [row["kind"] for row in await look(logins, KINDS)]

    return run


async def test_a_trial_is_announced_to_end_two_days_and_one_day_before_and_when_it_has_ended(
    anna, worker, clock, mailbox, told
) -> None:
    end = datetime.fromisoformat((await anna.get("/api/subscription")).json()["endDate"])
    await anna.adds("AA123456")
    said = []
    for before in (
        timedelta(days=3, hours=1), timedelta(days=2), timedelta(days=1, hours=23, minutes=59),
        timedelta(days=1), timedelta(minutes=1), timedelta(0), timedelta(hours=-1),
        timedelta(days=-3),
    ):  # fmt: skip
        clock.set(end - before)
        said.append(await told())

    ending, ended = ["trial_ending"], ["trial_ended"]
    assert said[0] == []
    assert said[1] == ending
    assert said[3] == said[4] == ending * 2
    assert said[5] == said[6] == said[7] == ending * 2 + ended, "one mail says that checks stop too"
    await deliver(worker)
    titles = [mail.title for mail in mailbox.to(anna.email) if mail.code is None]
    assert titles == [
        "Okres próbny kończy się za 2 dni",
        "Okres próbny kończy się jutro",
        "Okres próbny się skończył, sprawdzanie jest wstrzymane",
    ]
    listed = (await anna.get("/api/notifications")).json()
    assert [row["type"] for row in listed] == ["trial_ended", "trial_ending", "trial_ending"]


async def test_after_days_of_downtime_the_end_alone_is_told(anna, clock, told) -> None:
    clock.forward(days=9)

    assert await told() == ["trial_ended"]


async def test_a_subscription_that_will_not_renew_is_announced_to_end(
    anna, worker, clock, told, mailbox
) -> None:
    await subscribed(anna, worker, driver_limit=20, cancelled=True)
    end = datetime.fromisoformat((await anna.get("/api/subscription")).json()["endDate"])
    said = []
    for before in (9, 7, 4, 2, 1):
        clock.set(end - timedelta(days=before))
        said.append(len(await told()))
    clock.set(end)

    assert said == [0, 1, 1, 2, 2], "the trial has ended without a word meanwhile"
    assert await told() == ["subscription_ending"] * 2 + ["subscription_ended"]
    await deliver(worker)
    mail = mailbox.to(anna.email)[-1]
    assert mail.title == "Subskrypcja się skończyła, sprawdzanie jest wstrzymane"
    assert "Limit kierowców: 20" in mail.text


async def test_a_subscription_with_a_mandate_renews_itself_and_needs_no_reminder(
    anna, worker, admin, told
) -> None:
    await subscribed(anna, worker, days=5)
    await admin.execute("UPDATE subscription SET mandate_id = uuidv7()")
    assert await told() == []


async def test_who_pays_in_time_hears_nothing_of_the_end(anna, worker, clock, told) -> None:
    end = datetime.fromisoformat((await anna.get("/api/subscription")).json()["endDate"])
    clock.set(end - timedelta(days=2))
    assert await told() == ["trial_ending"]

    await ends_at(anna, worker, end + timedelta(days=30))
    clock.set(end - timedelta(hours=1))
    assert await told() == ["trial_ending"]

    clock.set(end + timedelta(days=29))
    assert await told() == ["trial_ending"] * 2, "the new end is another one"


async def test_a_company_with_drivers_is_told_by_one_mail_that_checking_stops(
    anna, clock, worker, logins
) -> None:
    await anna.adds("AA123456")
    end = datetime.fromisoformat((await anna.get("/api/subscription")).json()["endDate"])
    clock.set(end + timedelta(minutes=1))
    # Another worker looks at results before the end is written down.
    await tell_of_stale_results(worker)
    await close_ended_subscriptions(worker)
    clock.forward(minutes=30)
    await tell_of_stale_results(worker)

    assert [row["kind"] for row in await look(logins, KINDS)] == ["trial_ended"]


async def test_a_subscription_that_an_operator_closed_is_told_as_checking_that_stopped(
    anna, admin, told
) -> None:
    await anna.adds("AA123456")
    await admin.execute("UPDATE subscription SET status = 'inactive'")

    assert await told() == ["checking_stopped"]


async def test_workers_at_once_tell_once(anna, celina, worker, clock, logins) -> None:
    end = datetime.fromisoformat((await anna.get("/api/subscription")).json()["endDate"])
    clock.set(end - timedelta(days=1))

    await asyncio.gather(*(tell_of_near_ends(worker) for _ in range(4)))

    assert [row["kind"] for row in await look(logins, KINDS)] == ["trial_ending"] * 2
    mails = await look(logins, "SELECT 1 FROM delivery WHERE kind = 'notice'")
    assert len(mails) == 2


async def test_an_end_that_changes_is_looked_at_the_same_day(anna, worker, clock, logins) -> None:
    await tell_of_near_ends(worker)
    assert await look(logins, KINDS) == []

    await ends_at(anna, worker, clock.now() + timedelta(days=2))
    await tell_of_near_ends(worker)
    await tell_of_near_ends(worker)

    assert [row["kind"] for row in await look(logins, KINDS)] == ["trial_ending"]


async def test_one_companys_trouble_does_not_silence_the_others(
    anna, celina, worker, clock, logins, monkeypatch
) -> None:
    clock.set(
        datetime.fromisoformat((await anna.get("/api/subscription")).json()["endDate"])
        - timedelta(days=1)
    )
    troubled = await anna.tenant_id(worker)
    announce = jobs.announce

    async def stumble(session, tenant_id, *args, **more):
        if tenant_id == troubled:
            raise RuntimeError("a bug")
        return await announce(session, tenant_id, *args, **more)

    monkeypatch.setattr(jobs, "announce", stumble)
    await tell_of_near_ends(worker)

    [notice] = await look(logins, "SELECT tenant_id FROM notice")
    assert notice["tenant_id"] == await celina.tenant_id(worker)
    monkeypatch.undo()
    await tell_of_near_ends(worker)
    assert len(await look(logins, KINDS)) == 2, "and the next look makes up for it"


async def test_an_end_that_comes_at_night_wakes_nobody_by_sms(
    anna, worker, clock, logins, admin
) -> None:
    await admin.execute(
        "UPDATE user_account SET phone_number = '+48600100200', phone_verified = true,"
        " sms_notifications_enabled = true",
    )
    night = datetime(2026, 11, 30, 2, 30, tzinfo=WARSAW)
    await ends_at(anna, worker, night)
    clock.set(night)
    settings = msgspec.structs.replace(worker.settings, sms_channel="recording-sms")

    await close_ended_subscriptions(dataclasses.replace(worker, settings=settings))

    rows = await look(
        logins, "SELECT channel_medium, not_before FROM delivery WHERE kind = 'notice' ORDER BY 1"
    )
    assert [(row["channel_medium"], row["not_before"]) for row in rows] == [
        ("email", None),
        ("sms", datetime(2026, 11, 30, 6, tzinfo=WARSAW)),
    ]
