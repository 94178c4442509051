"""A carrier that answers slowly for one company's recipients delays no other company's messages."""

import asyncio
from collections import Counter
from datetime import timedelta
from time import monotonic

import pytest

from faults.test_deliveries import DeliveryScenario
from prawko.kit.deliveries import senders
from prawko.kit.deliveries.send_slots import MAX_CONCURRENCY
from prawko.kit.deliveries.senders import ChannelSenders
from prawko_tenants.ids import UserId, new_id
from support.database import fetch_rows
from support.waiting import wait_until

pytestmark = pytest.mark.anyio

IN_TIME_SECONDS = 8.0  # as beside any broken plugin
SLOW = 50


class SlowMail:
    """Mails whose keys begin with "slow" are taken when the event is set, all others at once."""

    def __init__(self, scenario: DeliveryScenario) -> None:
        self.scenario = scenario
        self.answered = asyncio.Event()
        self.senders = ChannelSenders()
        scenario.mail.behaviour = self.answer

    async def answer(self, key: str) -> None:
        if key.startswith("slow"):
            await self.answered.wait()

    async def run(self) -> bool:
        """Send as the job does that every new message enqueues."""
        return await self.senders.run(self.scenario.context, self.scenario.registry)

    async def send_alert(self, key: str, **owner) -> float:
        """Return after how many seconds an alert is handed over."""
        started_at = monotonic()
        await self.scenario.enqueue_messages(key, **owner)
        await self.run()
        await wait_until(lambda: key in self.scenario.mail.delivered_keys, seconds=60)
        return monotonic() - started_at

    def count_slow(self) -> int:
        return sum(key.startswith("slow") for key in self.scenario.mail.attempted_keys)


@pytest.fixture
def mail(worker, logins) -> SlowMail:
    return SlowMail(DeliveryScenario(worker, logins))


async def test_slow_recipients_of_one_company_delay_no_alert_of_another(
    mail, worker, anna, celina, logins
) -> None:
    scenario = mail.scenario
    acme, rival = [await person.tenant_id(worker) for person in (anna, celina)]
    slow = [f"slow{number}" for number in range(SLOW)]
    await scenario.enqueue_messages(*slow, tenant_id=acme)
    sending = asyncio.create_task(mail.run())
    await wait_until(lambda: mail.count_slow() == MAX_CONCURRENCY)

    waited = [await mail.send_alert(f"alert{number}", tenant_id=rival) for number in range(3)]

    assert max(waited) < IN_TIME_SECONDS, waited
    assert mail.count_slow() == MAX_CONCURRENCY, "the company has no more calls than before"
    mail.answered.set()
    await sending
    assert Counter(scenario.mail.attempted_keys) == Counter(
        [*slow, "alert0", "alert1", "alert2"]
    ), "each is sent once"
    rows = await fetch_rows(logins, "SELECT DISTINCT state, attempts FROM delivery")
    assert rows == [{"state": "sent", "attempts": 1}]


@pytest.mark.parametrize("seconds", [0.9, 2.5])
async def test_calls_that_end_one_after_another_delay_no_alert(
    mail, worker, anna, celina, seconds
) -> None:
    async def answer(key: str) -> None:
        if key.startswith("slow"):
            await asyncio.sleep(seconds + int(key[4:]) % 10 / 10)

    mail.scenario.mail.behaviour = answer
    slow = [f"slow{number}" for number in range(3 * SLOW)]
    await mail.scenario.enqueue_messages(*slow, tenant_id=await anna.tenant_id(worker))
    sending = asyncio.create_task(mail.run())
    await asyncio.sleep(4)

    rival = await celina.tenant_id(worker)
    assert await mail.send_alert("alert", tenant_id=rival) < IN_TIME_SECONDS
    await sending
    assert max(Counter(mail.scenario.mail.attempted_keys).values()) == 1


async def test_slow_recipients_of_three_accounts_delay_no_alert(mail, worker, celina) -> None:
    for account in range(3):
        slow = [f"slow{account}-{number}" for number in range(SLOW)]
        await mail.scenario.enqueue_messages(*slow, user_id=UserId(new_id()))
    sending = asyncio.create_task(mail.run())
    await wait_until(lambda: mail.count_slow() == 3 * MAX_CONCURRENCY)

    rival = await celina.tenant_id(worker)
    assert await mail.send_alert("alert", tenant_id=rival) < IN_TIME_SECONDS
    mail.answered.set()
    await sending


async def test_slow_calls_at_the_end_of_a_run_delay_no_alert(
    mail, worker, anna, celina, monkeypatch
) -> None:
    monkeypatch.setattr(senders, "MAX_RUN_TIME", timedelta(seconds=3))
    slow = [f"slow{number}" for number in range(SLOW)]
    await mail.scenario.enqueue_messages(*slow, tenant_id=await anna.tenant_id(worker))
    sending = asyncio.create_task(mail.run())
    await asyncio.sleep(5)

    rival = await celina.tenant_id(worker)
    assert await mail.send_alert("alert", tenant_id=rival) < IN_TIME_SECONDS
    mail.answered.set()
    assert await sending, "more is due"
    assert mail.count_slow() == MAX_CONCURRENCY, "the run has ended for the company"
