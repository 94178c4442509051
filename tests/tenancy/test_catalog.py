"""The audit of the catalog passes on a migrated database and reports every deviation."""

import asyncpg
import pytest

from prawko_tenants.catalog import audit_catalog

pytestmark = pytest.mark.anyio


async def test_the_migrated_database_passes_the_audit(owner_connection, roles):
    assert await audit_catalog(owner_connection, roles) == []


MUTATIONS = {
    "a table in no list": (
        "CREATE TABLE vehicle (id uuid)",
        "table vehicle is in no list of tables",
    ),
    "a materialised view": (
        "CREATE MATERIALIZED VIEW all_drivers AS SELECT id FROM driver",
        "table all_drivers is in no list of tables",
    ),
    "a tenant table without row-level security": (
        "ALTER TABLE driver DISABLE ROW LEVEL SECURITY",
        "driver: row-level security is not enabled",
    ),
    "a tenant table whose owner is exempt": (
        "ALTER TABLE notice NO FORCE ROW LEVEL SECURITY",
        "notice: row-level security is not forced for the owner",
    ),
    "a tenant table without its policy": (
        "DROP POLICY tenant_isolation ON notification",
        "notification: the tenant isolation policy is missing",
    ),
    "a control table without its policy": (
        "DROP POLICY tenant_isolation ON delivery",
        "delivery: the tenant isolation policy is missing",
    ),
    "a partition whose owner is exempt": (
        "ALTER TABLE {month} NO FORCE ROW LEVEL SECURITY",
        "{month}: row-level security is not forced for the owner",
    ),
    "a partition without row-level security": (
        "ALTER TABLE {day} DISABLE ROW LEVEL SECURITY",
        "{day}: row-level security is not enabled",
    ),
    "a partition without its policy": (
        "DROP POLICY tenant_isolation ON {month}",
        "{month}: the tenant isolation policy is missing",
    ),
    "a partition made by hand": (
        (
            "CREATE TABLE verification_hand PARTITION OF verification"
            " FOR VALUES FROM ('1999-01-01') TO ('1999-02-01')"
        ),
        "verification_hand: row-level security is not enabled",
    ),
    "a cross-tenant policy that is not listed": (
        "CREATE POLICY for_reports ON driver FOR SELECT TO {app} USING (true)",
        "driver: policy for_reports for SELECT is not a listed cross-tenant policy",
    ),
    "a listed policy for another role": (
        "ALTER POLICY worker_all_tenants ON delivery TO {app}",
        "delivery: policy worker_all_tenants for ALL is not a listed cross-tenant policy",
    ),
    "a listed policy for more verbs": (
        (
            "DROP POLICY planner_due_rows ON driver;"
            " CREATE POLICY planner_due_rows ON driver TO {planner} USING (true)"
        ),
        "driver: policy planner_due_rows for ALL is not a listed cross-tenant policy",
    ),
    "a cross-tenant policy on a partition": (
        "CREATE POLICY worker_all_tenants ON {day} TO {worker} USING (true)",
        "{day}: policy worker_all_tenants for ALL is not a listed cross-tenant policy",
    ),
    "a widened tenant isolation": (
        "ALTER POLICY tenant_isolation ON driver USING (true)",
        "driver: policy tenant_isolation differs from tenant isolation",
    ),
    "a tenant isolation that allows any write": (
        "ALTER POLICY tenant_isolation ON driver WITH CHECK (true)",
        "driver: policy tenant_isolation differs from tenant isolation",
    ),
    "a view that runs as its owner": (
        "CREATE VIEW all_drivers AS SELECT id FROM driver",
        "view all_drivers runs with its owner's rights",
    ),
    "a definer function that is not listed": (
        (
            "CREATE FUNCTION peek() RETURNS bigint LANGUAGE sql SECURITY DEFINER"
            " SET search_path = pg_catalog, pg_temp AS 'SELECT 1::bigint'"
        ),
        "function peek() runs with its owner's rights and is not listed",
    ),
    "a definer function without a search_path": (
        "ALTER FUNCTION ensure_month(date) RESET search_path",
        "function ensure_month(date) has no fixed search_path",
    ),
    "a definer function for the wrong caller": (
        "GRANT EXECUTE ON FUNCTION drop_days(date) TO {app}",
        "function drop_days(date) must not be executable by app",
    ),
    "a definer function for PUBLIC": (
        "GRANT EXECUTE ON FUNCTION ensure_day(date) TO PUBLIC",
        "function ensure_day(date) must not be executable by operator",
    ),
    "a right on a partition": (
        "GRANT SELECT ON {month} TO {app}",
        "partition {month}: SELECT is granted to {app}",
    ),
    "a right on a column of a partition": (
        "GRANT UPDATE (state) ON {day} TO {planner}",
        "partition {day}: UPDATE is granted to {planner}",
    ),
    "a right for PUBLIC": (
        "GRANT SELECT ON user_account TO PUBLIC",
        "user_account: SELECT is granted to PUBLIC",
    ),
    "a column for PUBLIC": (
        "GRANT SELECT (email) ON user_account TO PUBLIC",
        "user_account: SELECT is granted to PUBLIC",
    ),
    "a right to truncate a table": (
        "GRANT TRUNCATE ON driver TO {worker}",
        "driver: TRUNCATE is granted to {worker}",
    ),
    "an index without its company": (
        "CREATE INDEX by_number ON driver (license_number)",
        "driver: index by_number does not begin with the company",
    ),
    "a foreign key across companies": (
        (
            "ALTER TABLE notification ADD CONSTRAINT loose FOREIGN KEY (user_id)"
            " REFERENCES user_account (id)"
        ),
        "notification: foreign key loose does not begin with the company",
    ),
    "a right to reference a column": (
        "GRANT REFERENCES (id) ON driver TO {worker}",
        "driver: REFERENCES is granted to {worker}",
    ),
    "a schema for PUBLIC": (
        "GRANT USAGE ON SCHEMA public TO PUBLIC",
        "schema public: USAGE is granted to PUBLIC",
    ),
}


@pytest.mark.parametrize(("change", "deviation"), MUTATIONS.values(), ids=MUTATIONS)
async def test_the_audit_reports_the_deviation(owner_connection, roles, change, deviation):
    names = roles.as_dict() | {
        "month": await owner_connection.fetchval(
            "SELECT to_char(now(), '\"verification_\"YYYYMM')"
        ),
        "day": await owner_connection.fetchval("SELECT to_char(now(), '\"check_item_\"YYYYMMDD')"),
    }

    await owner_connection.execute(change.format(**names))

    assert deviation.format(**names) in await audit_catalog(owner_connection, roles)


async def test_the_audit_reports_what_only_a_superuser_can_change(servers, tenancy_logins, roles):
    admin = await asyncpg.connect(servers.urls.admin_url, database="tenancy")
    transaction = admin.transaction()
    await transaction.start()
    await admin.execute(f"ALTER ROLE {roles.app} BYPASSRLS")
    await admin.execute(f"GRANT {roles.owner} TO {roles.worker}")
    await admin.execute(f"ALTER TABLE throttle OWNER TO {roles.app}")
    await admin.execute(f"ALTER ROLE {roles.app} SET app.tenant_id = 'anybody'")

    deviations = await audit_catalog(admin, roles)

    await transaction.rollback()
    await admin.close()
    assert f"{roles.app} has attributes that no login may have" in deviations
    assert f"{roles.worker} is a member of {roles.owner}" in deviations
    assert f"{roles.app} owns table throttle" in deviations
    assert f"throttle is not owned by {roles.owner}" in deviations
    assert "a setting applies to every connection: app.tenant_id=anybody" in deviations
