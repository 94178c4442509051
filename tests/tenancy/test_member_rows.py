"""Members and their activity: the panel sees those of the bound company, and all without one."""

import asyncpg
import pytest

from prawko_tenants.ids import new_id
from prawko_tenants.policies import MEMBER_TABLES

pytestmark = pytest.mark.anyio

ADD_EVENT = """
    INSERT INTO user_activity (id, user_id, tenant_id, activity_type, created_at)
    VALUES ($1, $2, $3, 'signed_in', now())
"""


@pytest.fixture
async def panel(open_connection, acme, rival):
    """The panel's connection; both companies have a member and an event."""
    connection = await open_connection("app")
    for company in (acme, rival):
        await connection.execute(ADD_EVENT, new_id(), company.user, company.id)
    return connection


async def list_companies(connection, table: str, bound: object = "") -> set:
    async with connection.transaction():
        await connection.execute("SELECT set_config('app.tenant_id', $1, true)", str(bound))
        return {row[0] for row in await connection.fetch(f"SELECT tenant_id FROM {table}")}


@pytest.mark.parametrize("table", sorted(MEMBER_TABLES))
async def test_a_session_of_a_company_sees_its_members_alone(panel, acme, rival, table):
    assert await list_companies(panel, table, acme.id) == {acme.id}
    assert await list_companies(panel, table, rival.id) == {rival.id}
    assert {acme.id, rival.id} <= await list_companies(panel, table)


@pytest.mark.parametrize("login", ["worker", "operator"])
@pytest.mark.parametrize("table", sorted(MEMBER_TABLES))
async def test_an_erasure_sees_who_belongs_to_another_company_too(
    panel, open_connection, acme, rival, table, login
):
    connection = await open_connection(login)

    assert {acme.id, rival.id} <= await list_companies(connection, table, acme.id)


async def test_nothing_is_written_about_another_companys_members(panel, acme, rival):
    await panel.execute("SELECT set_config('app.tenant_id', $1, false)", str(acme.id))

    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="row-level security"):
        await panel.execute(ADD_EVENT, new_id(), rival.user, rival.id)
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="row-level security"):
        await panel.execute(
            "INSERT INTO membership (tenant_id, user_id, role, created_at)"
            " VALUES ($1, $2, 'owner', now())",
            rival.id,
            acme.user,
        )
