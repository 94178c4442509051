"""Every right of every login on a table is one that a statement of the product needs.

Which these are is derived from all statements that the product sends in a run of all tests
(`make drills`, `--unused-rights`; support/rights_check); here is what derives it.
"""

import pytest
from sqlalchemy import text

from prawko.accounts.repository import AccountRepository
from prawko_tenants.engine import Database
from support.used_rights import StatementRecorder, derive_rights, fetch_granted, find_unused

pytestmark = pytest.mark.anyio

# A statement, and what its login needs: verb, table, column.
NEEDS = {
    "SELECT id FROM driver WHERE license_number = $1": {
        ("SELECT", "driver", "id"), ("SELECT", "driver", "license_number"),
    },
    "SELECT count(*) FROM notice": {("SELECT", "notice", "")},
    "SELECT id FROM tenant FOR UPDATE": {("SELECT", "tenant", "id"), ("UPDATE", "tenant", "")},
    "DELETE FROM throttle WHERE key = $1": {
        ("DELETE", "throttle", ""), ("SELECT", "throttle", "key"),
    },
    "INSERT INTO throttle VALUES ($1, now(), 1) ON CONFLICT (key) DO UPDATE SET count = 2": {
        ("INSERT", "throttle", "key"), ("INSERT", "throttle", "window_started_at"),
        ("INSERT", "throttle", "count"), ("SELECT", "throttle", "key"),
        ("UPDATE", "throttle", "count"), ("SELECT", "throttle", ""),
    },
    "WITH gone AS (DELETE FROM notice RETURNING driver_id) SELECT (SELECT count(id) FROM driver)": {
        ("DELETE", "notice", ""), ("SELECT", "notice", "driver_id"), ("SELECT", "driver", "id"),
    },
    "SELECT is_operator_password($1, $2)": {("EXECUTE", "is_operator_password(uuid,text)", "")},
}  # fmt: skip


@pytest.fixture
def admin_url(servers) -> str:
    return servers.urls.admin_url.replace("/postgres?", "/tenancy?")


@pytest.mark.parametrize("statement", NEEDS)
async def test_what_a_statement_needs_is_asked_of_postgresql(admin_url, tenancy_logins, statement):
    used = await derive_rights(admin_url, [("app", statement)])

    assert used == {("app", *right) for right in NEEDS[statement]}


async def test_a_view_needs_the_rights_on_its_tables(admin_url, tenancy_logins):
    used = await derive_rights(admin_url, [("app", "SELECT * FROM ranked_driver")])

    assert {"driver", "ranked_driver"} <= {table for _, _, table, _ in used}


async def test_a_trigger_needs_its_rights_from_the_login_that_writes(admin_url, tenancy_logins):
    statement = "INSERT INTO admin_action (id, action_type, created_at) VALUES ($1, 'x', now())"
    used = await derive_rights(admin_url, [("operator", statement)])

    assert ("operator", "EXECUTE", "admin_action_hash(admin_action)", "") in used
    assert ("operator", "SELECT", "admin_action", "") in used


async def test_a_function_is_named_whole_however_many_arguments_it_has(admin_url, tenancy_logins):
    """PostgreSQL's own names end after 63 letters: such a right would never be used."""
    functions = [one for _, verb, one, _ in await fetch_granted(admin_url) if verb == "EXECUTE"]

    assert max(map(len, functions)) > 63
    assert all(function.endswith(")") for function in functions)


async def test_every_right_that_no_statement_needs_is_found(admin_url, tenancy_logins):
    granted = await fetch_granted(admin_url)
    assert len(granted) > 300
    assert find_unused(granted, granted) == []

    for login, verb, table, _ in sorted(granted)[::20]:
        of_it = {right for right in granted if right[:3] == (login, verb, table)}
        found = find_unused(granted, granted - of_it)
        assert len(found) == len(of_it)
        assert all(f"{login}: {verb}" in sentence and table in sentence for sentence in found)


async def test_statements_of_the_product_are_recorded_and_not_those_of_tests(
    tenancy_logins, logins
):
    for url in (tenancy_logins.app, logins.app):  # a connection of its own, and a kept one
        recorder = StatementRecorder()
        end = recorder.install()
        database = Database(url, pool_size=1)
        try:
            async with database.system() as session:
                await session.execute(text("SELECT 1 AS of_the_test"))
                await AccountRepository(session).find_by_email("anna@acme.test")
        finally:
            await database.close()
            end()

        recorded = [statement for login, statement in recorder.sent if login == "app"]
        assert any("email_key" in statement for statement in recorded)
        assert not any("of_the_test" in statement for statement in recorded)
