"""Erasing waits for others' rows before it writes the log, so that no other act waits for it."""

import asyncio
from contextlib import asynccontextmanager, suppress

import asyncpg
import pytest

from prawko_tenants.ids import TenantId
from support.database import count_rows, fetch_rows
from support.people import create_operator

pytestmark = pytest.mark.anyio

REASON = {"reason": "Klient odszedł"}
COMPANIES = "/api/admin/companies"
ROWS = {
    "company": "SELECT 1 FROM tenant FOR NO KEY UPDATE",
    "driver": "SELECT 1 FROM driver FOR UPDATE",
    "account": "SELECT 1 FROM user_account WHERE email_key = 'anna@acme.test' FOR NO KEY UPDATE",
    "login session": (
        "SELECT 1 FROM login_session s JOIN user_account u ON u.id = s.user_id"
        " WHERE u.email_key = 'anna@acme.test' FOR SHARE OF s"
    ),
    "contact message": "SELECT 1 FROM contact_message FOR UPDATE",
}


@pytest.fixture
async def acme(anna, worker, logins) -> TenantId:
    """Anna's company, with a driver and a message that she wrote before she signed up."""
    await anna.add_driver("AA123456")
    connection = await asyncpg.connect(logins.owner)
    await connection.execute(
        "INSERT INTO contact_message (id, name, email, email_key, company, drivers_count, message,"
        " created_at) VALUES (gen_random_uuid(), 'Anna', $1, $1, 'Acme', 1, '?', now())",
        anna.email,
    )
    await connection.close()
    return TenantId(await anna.tenant_id(worker))


@asynccontextmanager
async def held_rows(logins, company: TenantId, statement: str):
    """A transaction of somebody else's that has locked rows of a company."""
    connection = await asyncpg.connect(logins.owner)
    try:
        async with connection.transaction():
            await connection.execute("SELECT set_config('app.tenant_id', $1, true)", str(company))
            await connection.execute(statement)
            yield connection
    finally:
        await connection.close()


async def wait_for_waiting(logins, tasks: list[asyncio.Task]) -> None:
    """Wait until each of the tasks' transactions waits for a lock."""
    async with asyncio.timeout(20):
        while await count_rows(logins, "pg_locks WHERE NOT granted") < len(tasks):
            assert not any(task.done() for task in tasks)
            await asyncio.wait(tasks, timeout=0.02)


async def user_id(logins, person) -> object:
    [row] = await fetch_rows(
        logins, "SELECT id FROM user_account WHERE email_key = $1", person.email
    )
    return row["id"]


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("erased", ["company", "person", "colleague"])
async def test_no_other_act_waits_for_an_erasure_that_waits(
    olga, acme, anna, celina, new_browser, worker, logins, row, erased
) -> None:
    if erased == "colleague":
        await anna.add_colleague("bartek@acme.test", new_browser(), logins.owner)
    ola = await create_operator("ola@prawko.test", new_browser(), logins.owner)
    rival = await celina.tenant_id(worker)
    if erased == "company":
        erasure = olga.post(f"{COMPANIES}/{acme}/erase", REASON)
    else:
        erasure = olga.delete(f"/api/admin/users/{await user_id(logins, anna)}", REASON)

    async with held_rows(logins, acme, ROWS[row]):
        waiting = asyncio.create_task(erasure)
        await wait_for_waiting(logins, [waiting])
        async with asyncio.timeout(10):
            act = await ola.post(f"{COMPANIES}/{rival}/extend", {**REASON, "days": 1})

    assert act.status_code == 200
    assert (await waiting).status_code == 200


async def test_no_other_act_waits_for_the_erasure_of_an_operator_who_impersonates(
    olga, acme, anna, celina, new_browser, worker, logins
) -> None:
    ola = await create_operator("ola@prawko.test", new_browser(), logins.owner)
    third = await create_operator("oda@prawko.test", new_browser(), logins.owner)
    ola_id, rival = await user_id(logins, ola), await celina.tenant_id(worker)
    started = await ola.post(f"/api/admin/impersonate/{await user_id(logins, anna)}", REASON)
    assert started.status_code == 200
    impersonation = "SELECT 1 FROM login_session WHERE impersonator_id IS NOT NULL FOR SHARE"

    async with held_rows(logins, acme, impersonation):
        waiting = asyncio.create_task(olga.delete(f"/api/admin/users/{ola_id}", REASON))
        await wait_for_waiting(logins, [waiting])
        async with asyncio.timeout(10):
            act = await third.post(f"{COMPANIES}/{rival}/extend", {**REASON, "days": 1})

    assert act.status_code == 200
    assert (await waiting).status_code == 200


@pytest.mark.parametrize("erased", ["company", "person"])
async def test_an_erasure_and_a_write_that_wait_for_each_other_both_succeed(
    olga, acme, anna, logins, erased
) -> None:
    """As a manual check: it has locked a driver, and then needs the company."""
    if erased == "company":
        erasure = olga.post(f"{COMPANIES}/{acme}/erase", REASON)
    else:
        erasure = olga.delete(f"/api/admin/users/{await user_id(logins, anna)}", REASON)
    # On a busy machine PostgreSQL may undo this transaction instead of the erasure's.
    with suppress(asyncpg.DeadlockDetectedError):
        async with held_rows(logins, acme, ROWS["driver"]) as connection:
            waiting = asyncio.create_task(erasure)
            await wait_for_waiting(logins, [waiting])
            await connection.execute("SELECT 1 FROM tenant FOR KEY SHARE")

    answer = await waiting

    assert answer.status_code == 200, answer.text
    assert await count_rows(logins, "driver") == 0
    acts = "admin_action WHERE action_type IN ('company_erased', 'user_deleted')"
    assert await count_rows(logins, acts) == 1


async def test_operators_who_erase_each_others_companies_wait_for_one_another(
    olga, new_browser, worker, logins, caplog
) -> None:
    ola = await create_operator("ola@prawko.test", new_browser(), logins.owner)
    companies = [await ola.tenant_id(worker), await olga.tenant_id(worker)]
    connection = await asyncpg.connect(logins.owner)
    try:
        async with connection.transaction():
            await connection.execute("SELECT 1 FROM user_account FOR NO KEY UPDATE")
            erasures = [
                asyncio.create_task(operator.post(f"{COMPANIES}/{company}/erase", REASON))
                for operator, company in zip((olga, ola), companies, strict=True)
            ]
            await wait_for_waiting(logins, erasures)
    finally:
        await connection.close()

    answers = await asyncio.gather(*erasures)

    assert sorted(answer.status_code for answer in answers) == [200, 401]
    assert "write_retried" not in caplog.text, "neither was undone for the other's sake"
