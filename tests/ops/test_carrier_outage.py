"""Carriers of mail and SMS that are away for hours, on separate processes."""

import functools

import pytest

from ops.proxy import requires_haproxy
from ops.topology import DRIVERS, VERIFIED, WITHHELD, open_topology
from support.servers.carriers import FakeSmsApi
from support.waiting import wait_until

pytestmark = [pytest.mark.anyio, requires_haproxy]

HOURS = 6
PASS_HOUR = (
    "UPDATE delivery SET created_at = created_at - interval '1 hour' WHERE state = 'pending'"
)
# What a worker is writing is left out, and tried in the next round.
TRY_NOW = """
    UPDATE delivery SET next_try_at = now() - interval '1 s'
     WHERE id IN (SELECT id FROM delivery WHERE state = 'pending' AND attempts < $1
                     FOR UPDATE SKIP LOCKED)
"""
FEWEST_ATTEMPTS = "SELECT min(attempts)::int FROM delivery WHERE tenant_id IS NOT NULL"
VERIFY_PHONES = """
    UPDATE user_account u SET sms_notifications_enabled = true, phone_verified = true,
           phone_number = '+48' || 600100100 + n
      FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM user_account) AS numbered
     WHERE u.id = numbered.id
"""
OPEN_INCIDENTS = """
    SELECT count(*) FROM incident WHERE kind = 'messages_waiting' AND closed_at IS NULL
"""
SENT_TO_COMPANIES = """
    SELECT count(*) FROM delivery WHERE state = 'sent' AND channel_medium = '{}'
       AND tenant_id IS NOT NULL
"""


@pytest.fixture
async def sms_carrier():
    fake = FakeSmsApi()
    async with fake.serve():
        yield fake


async def test_carriers_that_are_away_for_hours_get_every_message_once_when_they_are_back(
    servers, logins, topology_variables, tmp_path, sms_carrier
) -> None:
    variables = {
        **topology_variables,
        "SMS_CHANNEL": "smsapi",
        "SMS_FROM_HOUR": "0",
        "CHANNEL_SMSAPI_URL": sms_carrier.url,
        "CHANNEL_SMSAPI_TOKEN": "token",
    }
    async with open_topology(
        servers, logins, variables, tmp_path, has_movable_clocks=True
    ) as topology:
        await topology.fleet.admin.execute(VERIFY_PHONES)
        topology.mail.data_reply = "451 4.3.0 try again later"
        sms_carrier.respond_with(503)
        for worker in topology.workers:
            worker.start()
        await topology.wait_for_count(f"{VERIFIED} WHERE verified_at IS NOT NULL", DRIVERS)

        async def are_tried(attempts: int) -> bool:
            await topology.fleet.admin.execute(TRY_NOW, attempts)
            return await topology.fleet.fetch_value(FEWEST_ATTEMPTS) >= attempts

        for hour in range(1, HOURS + 1):
            await topology.fleet.admin.execute(PASS_HOUR)
            await wait_until(functools.partial(are_tried, hour))
        await topology.wait_for_count(OPEN_INCIDENTS, 2)
        assert not topology.count_sent_mails()
        assert not sms_carrier.forms

        topology.mail.data_reply = "250 2.0.0 Ok"
        topology.mail.envelopes.clear()  # refused, and therefore not delivered
        sms_carrier.recover()

        async def are_sent(medium: str) -> bool:
            await topology.fleet.admin.execute(TRY_NOW, HOURS * 10)
            sent = await topology.fleet.fetch_value(SENT_TO_COMPANIES.format(medium))
            return sent >= len(WITHHELD)

        for medium in ("email", "sms"):
            await wait_until(functools.partial(are_sent, medium))
        await topology.assert_complete()
        assert len(sms_carrier.forms) == len(WITHHELD)
        assert set(sms_carrier.index_counts.values()) == {1}

        async def are_closed() -> bool:
            return await topology.fleet.fetch_value(OPEN_INCIDENTS) == 0

        await wait_until(are_closed)
