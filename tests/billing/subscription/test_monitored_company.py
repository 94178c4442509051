"""Whose drivers are monitored, until when, and how many: the view (docs/rules.md R4, R5, R6)."""

from datetime import timedelta

import pytest
from sqlalchemy import select, text

from prawko.billing.models import monitored_company
from prawko.billing.state import monitored_limit
from prawko_tenants.ids import new_id
from prawko_tenants.lifecycle import create_tenant

pytestmark = pytest.mark.anyio

HOUR = timedelta(hours=1)
INSERT = text("""
    INSERT INTO subscription (tenant_id, id, status, driver_limit, start_date, end_date,
                              monitored_until, created_at, updated_at)
    VALUES (:tenant_id, :id, :status, :driver_limit, :now, :end_date, :monitored_until, :now, :now)
""")
# Case → the company's subscriptions, oldest first (status, driver limit, hours from now to the end
# and to the end of monitoring), and how many drivers are monitored.
CASES = {
    "never subscribed": ([], None),
    "active": ([("active", 5, 1, 1)], 5),
    "ended, not saved yet": ([("active", 5, 0, 0)], None),
    "ended": ([("expired", 5, -1, -1)], None),
    "renewal not paid yet": ([("active", 5, -1, 71)], 5),
    "grace period of a failed renewal": ([("expired", 5, -1, 71)], 5),
    "last instant of the grace period": ([("expired", 5, -72, 0)], None),
    "cancelled by the customer, and ended": ([("cancelled", 5, -1, -1)], None),
    "cancelled by an operator": ([("cancelled", 5, 1, 1)], None),
    "closed by an operator": ([("inactive", 5, 1, 1)], None),
    "trial replaced by a period": ([("active", 5, 2, 2), ("active", 20, 1, 1)], 20),
    "period closed after a trial": ([("active", 5, 2, 2), ("inactive", 20, 1, 1)], None),
    "period ended after a trial": ([("active", 5, 2, 2), ("expired", 20, -1, -1)], None),
    "period after one that was closed": ([("inactive", 20, 2, 2), ("active", 5, 1, 1)], 5),
}


async def test_the_newest_subscription_decides_whose_drivers_are_monitored(
    context, worker, clock
) -> None:
    now, companies = clock.now(), {}
    for case, (subscriptions, _) in CASES.items():
        companies[case] = tenant_id = new_id()
        async with context.database.tenant(tenant_id) as session:
            await create_tenant(session, at=now)
            for status, limit, end, monitored in subscriptions:
                await session.execute(
                    INSERT,
                    {
                        "tenant_id": tenant_id, "id": new_id(), "status": status,
                        "driver_limit": limit, "now": now - timedelta(days=30),
                        "end_date": now + end * HOUR, "monitored_until": now + monitored * HOUR,
                    },
                )  # fmt: skip

    async with worker.database.planner() as planner:
        rows = await planner.execute(
            select(monitored_company.c.tenant_id, monitored_company.c.driver_limit).where(
                monitored_company.c.monitored_until > now
            )
        )
    limits = {row.tenant_id: row.driver_limit for row in rows}

    for case, (_, limit) in CASES.items():
        async with worker.database.tenant(companies[case]) as session:
            assert await monitored_limit(session, now) == limit, case
        assert limits.get(companies[case]) == limit, case


async def test_a_company_sees_its_own_row_alone(anna, celina, worker) -> None:
    tenant_id = await anna.tenant_id(worker)
    async with worker.database.tenant(tenant_id) as session:
        rows = (await session.execute(select(monitored_company.c.tenant_id))).all()

    assert rows == [(tenant_id,)]
