"""Incidents: one mail when one begins and one when it ends, whatever happens in between."""

import asyncio
from datetime import timedelta

import asyncpg
import pytest

from prawko.kit.clock import utc_now
from prawko.kit.deliveries import jobs
from prawko.kit.deliveries.delivery_results import DeliveryResults
from prawko.kit.deliveries.jobs import mail_incident_ends
from prawko.kit.deliveries.monitoring import watch_waiting_messages
from prawko.kit.incidents.repository import IncidentRepository
from prawko.kit.incidents.service import REOPENING_PERIOD, set_incident
from support.crashes import CrashPoint, killed_at
from support.database import count_rows, fetch_rows
from support.people import deliver_outbox

pytestmark = pytest.mark.anyio

OPERATOR = "operator@prawko.test"
BEGIN, END = "Prawko: zdarzenie wymaga uwagi ({})", "Prawko: zdarzenie się skończyło ({})"
MINUTE = timedelta(minutes=1)


class Watch:
    """A condition that a job watches; the test says whether it holds, and when it is."""

    def __init__(self, worker, mailbox, logins) -> None:
        self.now = utc_now() - timedelta(days=1)
        self._worker, self._mailbox, self._logins = worker, mailbox, logins

    async def see(self, *, failing: bool, kind: str = "run_late", key: str = "x") -> None:
        async with self._worker.database.system() as session:
            await set_incident(
                session, kind=kind, key=key, is_active=failing, detail="3/7", now=self.now
            )

    async def later(self, minutes: float) -> None:
        """Let time pass; the job about ends runs at its end."""
        self.now += minutes * MINUTE
        async with self._worker.database.system() as session:
            await jobs.report_ended_incidents(session, self.now)

    async def subjects(self) -> list[str]:
        await deliver_outbox(self._worker)
        return [message.subject for message in self._mailbox.messages_to(OPERATOR)]

    async def rows(self):
        return await fetch_rows(self._logins, "SELECT * FROM incident ORDER BY opened_at")


@pytest.fixture
def watch(worker, mailbox, logins, enqueued_jobs) -> Watch:
    return Watch(worker, mailbox, logins)


async def test_a_mail_when_it_begins_and_one_when_it_ends(watch) -> None:
    for _ in range(3):
        await watch.see(failing=True)
        await watch.later(1)
    assert await watch.subjects() == [BEGIN.format("run_late")]

    for _ in range(3):
        await watch.see(failing=False)
        await watch.later(5)
        await watch.later(6)

    assert await watch.subjects() == [BEGIN.format("run_late"), END.format("run_late")]
    [row] = await watch.rows()
    assert row["mailed_at"] is not None
    assert row["end_reported_at"] >= row["closed_at"] + REOPENING_PERIOD


async def test_what_comes_back_within_ten_minutes_is_the_same_incident(watch) -> None:
    for _ in range(20):
        await watch.see(failing=True)
        await watch.later(1)
        await watch.see(failing=False)
        await watch.later(9)
    await watch.later(2)

    assert await watch.subjects() == [BEGIN.format("run_late"), END.format("run_late")]
    assert len(await watch.rows()) == 1


async def test_what_comes_back_after_its_end_was_mailed_is_another_incident(watch) -> None:
    for _ in range(2):
        await watch.see(failing=True)
        await watch.later(1)
        await watch.see(failing=False)
        await watch.later(10)

    assert await watch.subjects() == [BEGIN.format("run_late"), END.format("run_late")] * 2
    assert len(await watch.rows()) == 2, "the earlier one is kept"


async def test_several_incidents_of_a_minute_are_separate_mails(watch) -> None:
    keys = [("run_late", "x"), ("run_late", "y"), ("mass_change", "x")]
    for kind, key in keys:
        await watch.see(failing=True, kind=kind, key=key)
    assert len(await watch.subjects()) == 3
    for kind, key in keys:
        await watch.see(failing=False, kind=kind, key=key)
    await watch.later(11)

    assert len(await watch.subjects()) == 6


async def test_an_incident_over_before_its_mail_left_is_mailed_all_the_same(watch) -> None:
    await watch.see(failing=True)
    await watch.see(failing=False)
    await watch.later(11)

    assert sorted(await watch.subjects()) == [END.format("run_late"), BEGIN.format("run_late")]


async def test_concurrent_jobs_open_one_incident_and_mail_one_end(watch) -> None:
    await asyncio.gather(*(watch.see(failing=True) for _ in range(5)))
    assert len(await watch.rows()) == 1
    await asyncio.gather(*(watch.see(failing=False) for _ in range(5)))
    await watch.later(1)
    await asyncio.gather(*(watch.see(failing=True) for _ in range(5)))
    await watch.see(failing=False)
    watch.now += 11 * MINUTE
    await asyncio.gather(*(watch.later(0) for _ in range(5)))

    assert sorted(await watch.subjects()) == [END.format("run_late"), BEGIN.format("run_late")]
    assert len(await watch.rows()) == 1


@pytest.mark.parametrize("after", [False, True])
async def test_a_worker_killed_while_it_reports_an_end_mails_it_once(
    watch, monkeypatch, after
) -> None:
    await watch.see(failing=True)
    await watch.see(failing=False)
    with killed_at(monkeypatch, CrashPoint(IncidentRepository, "mark_ends_reported", after=after)):
        await watch.later(11)
    assert [row["end_reported_at"] for row in await watch.rows()] == [None]
    with killed_at(monkeypatch, CrashPoint(DeliveryResults, "mark_sent", after=True)):
        await watch.later(1)
        await watch.subjects()

    for _ in range(2):
        await watch.later(1)
    subjects = await watch.subjects()

    assert sorted(subjects) == [END.format("run_late"), BEGIN.format("run_late")]


async def test_the_job_mails_the_ends_of_either_clock(worker, clock, mailbox, logins) -> None:
    clock.forward(days=40)
    async with worker.database.system() as session:
        for key, now in (("machine", utc_now()), ("product", clock.now())):
            for active in (True, False):
                await set_incident(
                    session, kind="run_late", key=key, is_active=active, detail="",
                    now=now - timedelta(minutes=11),
                )  # fmt: skip

    await mail_incident_ends(worker)
    await deliver_outbox(worker)

    subjects = [message.subject for message in mailbox.messages_to(OPERATOR)]
    assert subjects.count(END.format("run_late")) == 2


async def test_messages_that_wait_too_long_are_an_incident_of_their_medium(
    anna, worker, mailbox, logins
) -> None:
    await anna.post("/api/request-password-reset", {"email": anna.email})
    await watch_waiting_messages(worker)
    assert await count_rows(logins, "incident") == 0
    age = "UPDATE delivery SET created_at = now() - interval '{}', next_try_at = 'infinity'"
    await set_waiting(logins, age.format("119 minutes"))
    await watch_waiting_messages(worker)
    assert await count_rows(logins, "incident") == 0

    await set_waiting(logins, age.format("121 minutes"))
    await watch_waiting_messages(worker)

    [incident] = await fetch_rows(logins, "SELECT kind, key, detail, closed_at FROM incident")
    assert (incident["kind"], incident["key"]) == ("messages_waiting", "email")
    assert incident["detail"].startswith("1, ")
    await set_waiting(logins, "UPDATE delivery SET state = 'failed' WHERE kind <> 'operator'")
    await watch_waiting_messages(worker)
    assert (await fetch_rows(logins, "SELECT closed_at FROM incident"))[0]["closed_at"]


async def set_waiting(logins, statement: str) -> None:
    connection = await asyncpg.connect(logins.worker)
    await connection.execute(statement)
    await connection.close()
