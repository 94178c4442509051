"""The catalog gate: what keeps companies apart is all there, and its absence is noticed."""

import asyncpg
import pytest

from prawko_tenants.catalog import complaints

pytestmark = pytest.mark.anyio


async def test_the_migrated_database_gives_no_cause_for_complaint(owner, roles):
    assert await complaints(owner, roles) == []


MUTATIONS = {
    "a table without a class": (
        "CREATE TABLE vehicle (id uuid)",
        "table vehicle stands in no class",
    ),
    "a materialised view": (
        "CREATE MATERIALIZED VIEW all_drivers AS SELECT id FROM driver",
        "table all_drivers stands in no class",
    ),
    "a tenant table without row-level security": (
        "ALTER TABLE driver DISABLE ROW LEVEL SECURITY",
        "driver: row-level security is not enabled",
    ),
    "a tenant table that does not bind its owner": (
        "ALTER TABLE notice NO FORCE ROW LEVEL SECURITY",
        "notice: row-level security does not bind the owner",
    ),
    "a tenant table without its policy": (
        "DROP POLICY own_company ON notification",
        "notification: no policy shows a company its own rows only",
    ),
    "a control table without its policy": (
        "DROP POLICY own_company ON delivery",
        "delivery: no policy shows a company its own rows only",
    ),
    "a partition that does not bind its owner": (
        "ALTER TABLE {month} NO FORCE ROW LEVEL SECURITY",
        "{month}: row-level security does not bind the owner",
    ),
    "a partition without row-level security": (
        "ALTER TABLE {day} DISABLE ROW LEVEL SECURITY",
        "{day}: row-level security is not enabled",
    ),
    "a partition without its policy": (
        "DROP POLICY own_company ON {month}",
        "{month}: no policy shows a company its own rows only",
    ),
    "a partition made by hand": (
        (
            "CREATE TABLE verification_hand PARTITION OF verification"
            " FOR VALUES FROM ('1999-01-01') TO ('1999-02-01')"
        ),
        "verification_hand: row-level security is not enabled",
    ),
    "a wide policy outside the list": (
        "CREATE POLICY for_reports ON driver FOR SELECT TO {app} USING (true)",
        "driver: policy for_reports for SELECT is not on the list of wide ones",
    ),
    "a listed policy for another role": (
        "ALTER POLICY worker_works_for_all ON delivery TO {app}",
        "delivery: policy worker_works_for_all for ALL is not on the list of wide ones",
    ),
    "a listed policy for more verbs": (
        (
            "DROP POLICY planner_sees_who_is_due ON driver;"
            " CREATE POLICY planner_sees_who_is_due ON driver TO {planner} USING (true)"
        ),
        "driver: policy planner_sees_who_is_due for ALL is not on the list of wide ones",
    ),
    "a wide policy on a partition": (
        "CREATE POLICY worker_works_for_all ON {day} TO {worker} USING (true)",
        "{day}: policy worker_works_for_all for ALL is not on the list of wide ones",
    ),
    "a widened own policy": (
        "ALTER POLICY own_company ON driver USING (true)",
        "driver: policy own_company is not the one of every table",
    ),
    "an own policy that lets anything be written": (
        "ALTER POLICY own_company ON driver WITH CHECK (true)",
        "driver: policy own_company is not the one of every table",
    ),
    "a view that acts as its owner": (
        "CREATE VIEW all_drivers AS SELECT id FROM driver",
        "view all_drivers acts with its owner's rights",
    ),
    "a definer function outside the list": (
        (
            "CREATE FUNCTION peek() RETURNS bigint LANGUAGE sql SECURITY DEFINER"
            " SET search_path = pg_catalog, pg_temp AS 'SELECT 1::bigint'"
        ),
        "function peek() acts with its owner's rights and is not on the list",
    ),
    "a definer function without a search_path": (
        "ALTER FUNCTION ensure_month(date) RESET search_path",
        "function ensure_month(date) has no fixed search_path",
    ),
    "a definer function for the wrong caller": (
        "GRANT EXECUTE ON FUNCTION drop_days(date) TO {app}",
        "function drop_days(date) is not for app to call",
    ),
    "a definer function for everybody": (
        "GRANT EXECUTE ON FUNCTION ensure_day(date) TO PUBLIC",
        "function ensure_day(date) is not for operator to call",
    ),
    "a right on a partition": (
        "GRANT SELECT ON {month} TO {app}",
        "partition {month}: SELECT is granted to {app}",
    ),
    "a right on a column of a partition": (
        "GRANT UPDATE (state) ON {day} TO {planner}",
        "partition {day}: UPDATE is granted to {planner}",
    ),
    "a right for everybody": (
        "GRANT SELECT ON user_account TO PUBLIC",
        "user_account: SELECT is granted to everybody",
    ),
    "a column for everybody": (
        "GRANT SELECT (email) ON user_account TO PUBLIC",
        "user_account: SELECT is granted to everybody",
    ),
    "a right to empty a table past its policies": (
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
        "notification: foreign key loose does not run through the company",
    ),
    "a foreign key that takes a column along": (
        "GRANT REFERENCES (id) ON driver TO {worker}",
        "driver: REFERENCES is granted to {worker}",
    ),
    "a schema for everybody": (
        "GRANT USAGE ON SCHEMA public TO PUBLIC",
        "schema public: USAGE is granted to everybody",
    ),
}


@pytest.mark.parametrize(("change", "complaint"), MUTATIONS.values(), ids=MUTATIONS)
async def test_the_gate_notices(owner, roles, change, complaint):
    words = roles.named() | {
        "month": await owner.fetchval("SELECT to_char(now(), '\"verification_\"YYYYMM')"),
        "day": await owner.fetchval("SELECT to_char(now(), '\"check_item_\"YYYYMMDD')"),
    }

    await owner.execute(change.format(**words))

    assert complaint.format(**words) in await complaints(owner, roles)


async def test_the_gate_notices_what_only_a_superuser_can_spoil(servers, own_logins, roles):
    admin = await asyncpg.connect(servers.servers.admin_url, database="tenancy")
    spoiled = admin.transaction()
    await spoiled.start()
    await admin.execute(f"ALTER ROLE {roles.app} BYPASSRLS")
    await admin.execute(f"GRANT {roles.owner} TO {roles.worker}")
    await admin.execute(f"ALTER TABLE throttle OWNER TO {roles.app}")
    await admin.execute(f"ALTER ROLE {roles.app} SET app.tenant_id = 'anybody'")

    found = await complaints(admin, roles)

    await spoiled.rollback()
    await admin.close()
    assert f"{roles.app} may do more than a login should" in found
    assert f"{roles.worker} has the rights of {roles.owner}" in found
    assert f"{roles.app} owns table throttle" in found
    assert f"throttle is not owned by {roles.owner}" in found
    assert "a setting binds whoever connects: app.tenant_id=anybody" in found
