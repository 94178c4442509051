"""Webhooks of a payment provider that reach both panels, come again, or never come."""

import asyncio
from datetime import timedelta

import pytest

from ops.proxy import requires_haproxy
from ops.topology import COMPANIES, DRIVERS, Topology, open_topology
from prawko.kit.clock import utc_now
from prawko.payments.state_machine import POLL_INTERVAL
from support.orders import ACME_DETAILS
from support.payments import SELLER_VARIABLES, post_webhook
from support.servers.stripe import (
    SECRET_KEY,
    WEBHOOK_SECRET,
    FakeStripe,
    event_webhook,
    public_fields,
    signed_webhook,
    stripe_event,
)

pytestmark = [pytest.mark.anyio, requires_haproxy]

PROCESSED_SECONDS = 20.0
LIMIT = DRIVERS // COMPANIES
UNPAID = """
    DELETE FROM subscription WHERE tenant_id IN
           (SELECT tenant_id FROM membership m JOIN user_account u ON u.id = m.user_id
             WHERE u.email = $1)
"""
STATE = """
    SELECT (SELECT array_agg(status) FROM subscription s WHERE s.tenant_id = m.tenant_id),
           (SELECT array_agg(new_status) FROM subscription_history h
             WHERE h.tenant_id = m.tenant_id),
           (SELECT array_agg(state) FROM payment p WHERE p.tenant_id = m.tenant_id)
      FROM membership m JOIN user_account u ON u.id = m.user_id WHERE u.email = $1
"""
PAID = (["active"], ["active"], ["paid"])


@pytest.fixture
async def stripe():
    fake = FakeStripe()
    async with fake.serve():
        yield fake


@pytest.fixture
async def topology(servers, logins, topology_variables, tmp_path, stripe):
    variables = {
        **topology_variables, **SELLER_VARIABLES,
        "PAYMENT_PROVIDERS": "stripe", "PAYMENTS_STRIPE_SECRET_KEY": SECRET_KEY,
        "PAYMENTS_STRIPE_WEBHOOK_SECRET": WEBHOOK_SECRET, "PAYMENTS_STRIPE_URL": stripe.url,
    }  # fmt: skip
    async with open_topology(
        servers, logins, variables, tmp_path, has_movable_clocks=True
    ) as opened:
        yield opened


async def order(topology: Topology) -> None:
    """Order a period as the owner."""
    browser = await topology.sign_in()
    body = {"driverLimit": LIMIT, "method": "card", **ACME_DETAILS}
    answer = await browser.post("/api/subscription/create-checkout-session", json=body)
    assert answer.status_code == 200, answer.text
    await browser.aclose()


async def wait_until_paid(topology: Topology, email: str) -> None:
    await topology.wait_for_count(
        f"SELECT count(*) FROM subscription_history h JOIN membership m USING (tenant_id)"
        f"  JOIN user_account u ON u.id = m.user_id WHERE u.email = '{email}'",
        1, PROCESSED_SECONDS,
    )  # fmt: skip


async def test_a_payment_activates_once_however_its_webhooks_come(topology, stripe) -> None:
    email = topology.owner_email
    await topology.fleet.admin.execute(UNPAID, email)
    for worker in topology.workers:
        worker.start()
    await order(topology)
    [session] = stripe.sessions
    paid = stripe.complete_session(session)
    values = stripe_event("checkout.session.completed", public_fields(stripe.sessions[session]))
    refused = [
        signed_webhook(paid.body, secret="whsec_of_a_stranger"),
        signed_webhook({**values, "id": "evt_of_yesterday"}, age=timedelta(days=1).total_seconds()),
    ]
    expired = event_webhook(
        "checkout.session.expired",
        {
            **public_fields(stripe.sessions[session]),
            "status": "expired",
            "payment_status": "unpaid",
        },
    )
    async with topology.proxy.open_client() as provider:
        for webhook in refused:
            assert await post_webhook(provider, "stripe", webhook) in {400, 401}
        # What the provider says of the end comes before and after the payment, to both panels.
        sent = [post_webhook(provider, "stripe", one) for one in [expired, *[paid] * 5, expired]]
        assert set(await asyncio.gather(*sent)) == {200}
        await wait_until_paid(topology, email)
        assert await post_webhook(provider, "stripe", paid) == 200
    unprocessed = "SELECT count(*) = 0 FROM webhook_event WHERE processed_at IS NULL"
    await topology.wait_for_count(f"SELECT ({unprocessed})::int", 1, PROCESSED_SECONDS)

    assert tuple(await topology.fleet.admin.fetchrow(STATE, email)) == PAID
    assert await topology.fleet.fetch_value("SELECT count(*) FROM webhook_event") == 2
    assert max(topology.count_sent_mails().values(), default=1) == 1


async def test_a_lost_webhook_is_made_up_for_by_a_question(topology, stripe) -> None:
    email = topology.owner_email
    await topology.fleet.admin.execute(UNPAID, email)
    await order(topology)
    [session] = stripe.sessions
    stripe.complete_session(session)

    topology.product_clock.set_time(utc_now() + POLL_INTERVAL)
    for worker in topology.workers:
        worker.start()
    await wait_until_paid(topology, email)

    assert tuple(await topology.fleet.admin.fetchrow(STATE, email)) == PAID
    assert await topology.fleet.fetch_value("SELECT count(*) FROM webhook_event") == 0
