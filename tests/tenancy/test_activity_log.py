"""The panel's login can add to the activity log, and do nothing that lessens it."""

import asyncpg
import pytest

from prawko_tenants.ids import new_id
from prawko_tenants.policies import DEFINER_FUNCTIONS

pytestmark = pytest.mark.anyio

ADD_EVENT = """
    INSERT INTO user_activity (id, user_id, tenant_id, activity_type, created_at)
    VALUES ($1, $2, $3, 'signed_in', now())
"""
# Tables whose rows take others along: of the log, or of what the log hangs on.
SELECT_CASCADES = """
    WITH RECURSIVE above AS (
        SELECT 'user_activity'::regclass AS name
        UNION
        SELECT k.confrelid::regclass FROM pg_constraint k JOIN above ON k.conrelid = above.name
         WHERE k.contype = 'f' AND k.confdeltype <> 'a' AND k.confdeltype <> 'r'
    ), erasing AS (
        SELECT t.tgrelid::regclass AS name FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
         WHERE p.prosrc ~* 'delete\\s+from\\s+public.user_activity'
    )
    SELECT name::text FROM above UNION SELECT name::text FROM erasing
"""
SELECT_LESSENING = """
    SELECT format('%s on %s', verb, name) FROM unnest($2::text[]) AS name,
           unnest(ARRAY['DELETE', 'TRUNCATE', 'TRIGGER', 'REFERENCES']) AS verb
     WHERE has_table_privilege($1, name, verb)
    UNION ALL
    SELECT format('UPDATE of %s on %s', attname, name)
      FROM unnest($2::text[]) AS name
      JOIN pg_attribute a ON a.attrelid = name::regclass AND a.attnum > 0 AND NOT attisdropped
      JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary AND a.attnum = ANY (i.indkey)
     WHERE name <> 'user_activity' AND has_column_privilege($1, name, a.attname, 'UPDATE')
    UNION ALL
    SELECT format('UPDATE of %s on user_activity', attname) FROM pg_attribute
     WHERE attrelid = 'user_activity'::regclass AND attnum > 0 AND NOT attisdropped
       AND has_column_privilege($1, 'user_activity', attname, 'UPDATE')
"""
STATEMENTS = (
    "DELETE FROM user_activity",
    "DELETE FROM user_activity WHERE tenant_id = '{company}'",
    "DELETE FROM ONLY user_activity USING user_account u WHERE u.id = user_id",
    "UPDATE user_activity SET activity_type = 'signed_out'",
    "UPDATE user_activity SET user_id = '{user}'",
    "UPDATE user_activity SET created_at = '1999-01-01'",
    (
        "INSERT INTO user_activity SELECT * FROM user_activity"
        " ON CONFLICT (id) DO UPDATE SET details = NULL"
    ),
    "MERGE INTO user_activity a USING user_account u ON u.id = a.user_id WHEN MATCHED THEN DELETE",
    (
        "MERGE INTO user_activity a USING user_account u ON u.id = a.user_id"
        " WHEN MATCHED THEN UPDATE SET ip = NULL"
    ),
    "WITH gone AS (DELETE FROM user_activity RETURNING id) SELECT count(*) FROM gone",
    "TRUNCATE user_activity",
    "TRUNCATE user_account CASCADE",
    "DELETE FROM user_account WHERE id = '{user}'",
    "UPDATE user_account SET id = gen_random_uuid() WHERE id = '{user}'",
    "DELETE FROM membership WHERE user_id = '{user}'",
    "DELETE FROM tenant WHERE id = '{company}'",
    "DELETE FROM tenant",
    "ALTER TABLE user_activity DISABLE TRIGGER ALL",
    "ALTER TABLE user_activity RENAME TO old",
    "ALTER TABLE user_activity ENABLE ROW LEVEL SECURITY",
    "CREATE RULE quiet AS ON INSERT TO user_activity DO INSTEAD NOTHING",
    (
        "CREATE TRIGGER quiet BEFORE INSERT ON user_activity FOR EACH ROW"
        " EXECUTE FUNCTION suppress_redundant_updates_trigger()"
    ),
    "DROP TABLE user_activity CASCADE",
    "SET session_replication_role = replica",
)


@pytest.fixture
async def logged(open_connection, acme):
    """The panel's connection, bound to a company with an event in the log."""
    return await add_event(open_connection, acme)


async def add_event(open_connection, company):
    """Add an event of the company's user; returns the panel's connection, bound to the company."""
    panel = await open_connection("app")
    await panel.execute("SELECT set_config('app.tenant_id', $1, false)", str(company.id))
    await panel.execute(ADD_EVENT, new_id(), company.user, company.id)
    return panel


async def read_log(open_connection) -> list[tuple]:
    backup = await open_connection("backup")
    return [tuple(row) for row in await backup.fetch("SELECT * FROM user_activity ORDER BY id")]


@pytest.mark.parametrize("statement", STATEMENTS)
async def test_no_statement_of_the_panel_lessens_it(logged, open_connection, acme, statement):
    before = await read_log(open_connection)

    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await logged.execute(statement.format(company=acme.id, user=acme.user))

    assert len(before) > 0
    assert await read_log(open_connection) == before


async def test_no_table_that_takes_it_along_can_be_emptied_by_the_panel(owner_connection, roles):
    tables = [row[0] for row in await owner_connection.fetch(SELECT_CASCADES)]

    assert {"user_activity", "user_account", "tenant"} <= set(tables)
    assert [
        row[0] for row in await owner_connection.fetch(SELECT_LESSENING, roles.app, tables)
    ] == []


@pytest.mark.parametrize("function", [f for f, who in DEFINER_FUNCTIONS.items() if "app" in who])
@pytest.mark.parametrize("bound", ["own", "none"])
async def test_no_function_that_the_panel_may_call_lessens_it(
    open_connection, emptied, function, bound
):
    logged = await add_event(open_connection, emptied)
    values = {
        "uuid": f"'{emptied.user}'::uuid", "date": "current_date", "text": "'x'", "bytea": "'x'",
        "timestamp with time zone": "now()", "boolean": "false",
    }  # fmt: skip
    name, _, types = function.rstrip(")").partition("(")
    if bound == "none":
        await logged.execute("SELECT set_config('app.tenant_id', '', false)")
    before = await read_log(open_connection)

    await logged.execute(f"SELECT {name}({', '.join(values[one] for one in types.split(','))})")

    assert await read_log(open_connection) == before


@pytest.fixture
def emptied(create_company):
    """A company that the test takes rows from: the others share theirs."""
    return create_company()


async def test_a_session_that_ends_leaves_its_events(open_connection, emptied):
    logged = await add_event(open_connection, emptied)
    before = await read_log(open_connection)

    await logged.execute("UPDATE login_session SET revoked_at = now()")
    await logged.execute("DELETE FROM driver")

    assert await read_log(open_connection) == before
