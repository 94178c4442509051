"""Rights of every login on every table, written out in a table."""

import asyncpg
import pytest
from sqlalchemy import text

pytestmark = pytest.mark.anyio

ALL = "SELECT INSERT UPDATE DELETE"
WRITE = "SELECT INSERT UPDATE"
# All columns of an account but `is_admin`: the panel's login can make nobody an operator.
WRITABLE_COLUMNS = (
    "created_at,email,email_key,email_notifications_enabled,email_state,email_state_reason,{}"
    "email_verified,{}language,password_hash,phone_number,phone_verified,"
    "sms_notifications_enabled,updated_at"
)
EXPECTED = {
    "app": {
        "alembic_version": "SELECT",
        "tenant": ALL,
        "user_account": (
            f"SELECT INSERT({WRITABLE_COLUMNS.format('', 'id,')})"
            f" UPDATE({WRITABLE_COLUMNS.format('email_trusted_at,', '')}) DELETE"
        ),
        "membership": "SELECT INSERT DELETE",
        "login_session": ALL,
        "one_time_code": ALL,
        "second_factor": ALL,
        "recovery_code": ALL,
        "throttle": ALL,
        "user_activity": "SELECT INSERT",
        "support_ticket": "SELECT INSERT",
        "legal_acceptance": "SELECT INSERT",
        "contact_message": "INSERT",
        "delivery": "SELECT INSERT",
        "webhook_event": "INSERT",
        "payment": WRITE,
        "payment_mandate": WRITE,
        "payment_discrepancy": "INSERT",
        "provider_pause": ALL,
        "subscription": WRITE,
        "monitored_company": "SELECT",
        "subscription_history": "SELECT INSERT",
        "renewal_step": "SELECT",
        "subscription_order": WRITE,
        "trial_claim": "SELECT INSERT",
        "invoice": "SELECT INSERT",
        "invoice_line": "SELECT INSERT",
        "invoice_file": "SELECT",
        "invoice_series": WRITE,
        "driver": ALL,
        "ranked_driver": "SELECT",
        "notice": "SELECT INSERT",
        "notification": ALL,
        "register_answer": "SELECT INSERT",
        "verification": "SELECT INSERT",
        "check_item": "SELECT",
        "check_run": "SELECT(day,finished_at,planned_at,started_at,state)",
        "register_limiter": WRITE,
    },
    "worker": {
        "alembic_version": "SELECT",
        "tenant": "SELECT UPDATE DELETE",
        "user_account": "SELECT UPDATE(email_state,email_state_reason,updated_at) DELETE",
        "membership": "SELECT",
        "login_session": "SELECT(expires_at,id,last_seen_at,revoked_at,tenant_id,user_id) DELETE",
        "one_time_code": "SELECT(expires_at,id,used_at,user_id) DELETE",
        "throttle": "SELECT DELETE",
        "user_activity": "SELECT(created_at,id,tenant_id,user_id) INSERT DELETE",
        "support_ticket": "SELECT UPDATE(forwarded_at) DELETE",
        "contact_message": "SELECT UPDATE(forwarded_at) DELETE",
        "invoice": (
            "SELECT INSERT UPDATE(attempts,ksef_number,next_attempt_at,reason,schema,state) DELETE"
        ),
        "invoice_line": "SELECT INSERT",
        "invoice_file": "SELECT INSERT DELETE",
        "invoice_series": WRITE,
        "delivery": ALL,
        "webhook_event": "SELECT UPDATE DELETE",
        "payment": ALL,
        "payment_mandate": WRITE,
        "payment_discrepancy": ALL,
        "provider_pause": ALL,
        "subscription": WRITE,
        "monitored_company": "SELECT",
        "subscription_history": "SELECT INSERT",
        "renewal_step": "SELECT INSERT",
        "subscription_order": WRITE,
        "driver": "SELECT UPDATE",
        "ranked_driver": "SELECT",
        "notice": "SELECT INSERT DELETE",
        "notification": "SELECT INSERT DELETE",
        "register_answer": "SELECT INSERT UPDATE(key_id,raw) DELETE",
        "verification": "SELECT INSERT",
        "check_item": ALL,
        "check_run": WRITE,
        "check_pause": "SELECT",
        "register_limiter": WRITE,
        "incident": WRITE,
        "admin_action": "SELECT",
        "admin_action_check": "SELECT INSERT",
    },
    "planner": {
        "support_ticket": "SELECT(forwarded_at,id,tenant_id)",
        "invoice": "SELECT(attempts,id,issued_on,next_attempt_at,tenant_id)",
        "driver": "SELECT(document_version,id,status,tenant_id)",
        "ranked_driver": "SELECT",
        "subscription": (
            "SELECT(cancelled_at,created_at,driver_limit,end_date,id,mandate_id,"
            "monitored_until,scheduled_limit_at,status,tenant_id)"
        ),
        "monitored_company": "SELECT",
        "renewal_step": "SELECT(end_date,step,subscription_id,tenant_id)",
        "check_item": WRITE,
        "check_run": WRITE,
    },
    "operator": {
        "alembic_version": "SELECT",
        "admin_action": "SELECT INSERT",
        "admin_action_check": "SELECT",
        "tenant": "SELECT UPDATE(updated_at) DELETE",
        "user_account": (
            "SELECT(created_at,email,email_key,email_notifications_enabled,email_state,"
            "email_verified,id,is_admin,language,phone_verified,sms_notifications_enabled,"
            "updated_at) UPDATE(updated_at) DELETE"
        ),
        "membership": "SELECT",
        "legal_acceptance": "SELECT(accepted_at,document,id,ip,tenant_id,user_id,version)",
        "login_session": "SELECT INSERT UPDATE(last_seen_at,revoked_at)",
        "user_activity": "SELECT INSERT DELETE",
        "subscription": (
            "SELECT INSERT UPDATE(cancelled_at,driver_limit,end_date,mandate_id,monitored_until,"
            "scheduled_limit,scheduled_limit_at,status,updated_at)"
        ),
        "subscription_history": "SELECT INSERT",
        "monitored_company": "SELECT",
        "subscription_order": (
            "SELECT(city,company_name,created_at,created_by,driver_limit,id,kind,lines,method,net,"
            "paid_at,postal_code,state,street,tax_id,tenant_id,vat)"
        ),
        "renewal_step": "SELECT(end_date,id,order_id,step,subscription_id,taken_at,tenant_id)",
        "invoice": (
            "SELECT(buyer_city,buyer_name,buyer_postal_code,buyer_street,buyer_tax_id,currency,"
            "gross,id,issued_at,issued_on,issuer,ksef_number,method,net,number,order_id,"
            "seller_city,seller_name,seller_postal_code,seller_street,seller_tax_id,sold_on,state,"
            "tenant_id,vat)"
        ),
        "invoice_line": "SELECT(id,invoice_id,name,net,position,tenant_id,vat,vat_percent)",
        "invoice_file": "SELECT(content,id,invoice_id,kind,tenant_id)",
        "payment_mandate": "SELECT(created_at,ended_at,id,label,method,provider,tenant_id)",
        "notice": "SELECT(created_at,driver_id,id,kind,params,tenant_id)",
        "notification": (
            "SELECT(content,created_at,id,notice_id,read,tenant_id,title,type,user_id)"
        ),
        "driver": "SELECT(created_at,document_version,id,status,tenant_id,verified_at)",
        "verification": "SELECT",
        "register_answer": "SELECT",
        "delivery": (
            "SELECT(attempts,carrier_ref,channel_medium,created_at,error,error_kind,id,key,kind,"
            "next_try_at,not_before,notice_id,report,reported_at,sent_at,state,tenant_id,user_id)"
            " INSERT"
            " UPDATE(attempts,error,error_kind,lease_until,next_try_at,report,reported_at,state)"
        ),
        "payment": (
            "SELECT(created_at,currency,expires_at,finished_at,grosze,id,method,order_id,provider,"
            "provider_ref,reason,reference,refunded_grosze,state,tenant_id)"
            " UPDATE(encrypted_details,reason,refunded_grosze,transfer,url)"
        ),
        "payment_discrepancy": ("SELECT UPDATE(refunded_grosze,resolution_note,resolved_at)"),
        "provider_pause": "SELECT",
        "webhook_event": "SELECT(event_id,id,provider) INSERT",
        "support_ticket": "SELECT UPDATE(answered_at,closed_at)",
        "contact_message": (
            "SELECT(answered_at,closed_at,company,created_at,drivers_count,email,email_key,"
            "forwarded_at,id,message,name) UPDATE(answered_at,closed_at) DELETE"
        ),
        "check_pause": "SELECT INSERT UPDATE(ended_at)",
        "check_item": "SELECT DELETE",
        "check_run": "SELECT UPDATE(retry_requested_at,review_state)",
        "register_limiter": "SELECT",
        "incident": "SELECT UPDATE(closed_at)",
    },
    "backup": {},
}

SELECT_GRANTS = """
    SELECT g.role, g.name, string_agg(g.verb || coalesce(g.columns, ''), ' ' ORDER BY
        array_position('{SELECT,INSERT,UPDATE,DELETE}', g.verb)) AS rights
    FROM (
        SELECT a.grantee::regrole::text AS role, c.relname AS name, a.privilege_type AS verb,
            NULL AS columns
        FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) AS a
        WHERE c.relnamespace = 'public'::regnamespace AND a.grantee <> c.relowner
        UNION ALL
        SELECT a.grantee::regrole::text, c.relname, a.privilege_type,
            format('(%s)', string_agg(t.attname, ',' ORDER BY t.attname))
        FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid
        CROSS JOIN LATERAL aclexplode(t.attacl) AS a
        WHERE c.relnamespace = 'public'::regnamespace
        GROUP BY 1, 2, 3
    ) AS g GROUP BY 1, 2
"""


async def test_every_login_has_the_rights_it_needs_and_no_other(owner_connection, roles):
    granted = {login: {} for login in EXPECTED}
    logins = {role: login for login, role in roles.as_dict().items()}
    for role, table, rights in await owner_connection.fetch(SELECT_GRANTS):
        granted[logins[role]][table] = rights

    for login, rights in EXPECTED.items():
        assert granted[login] == rights


@pytest.mark.parametrize("login", ["app", "worker", "planner", "operator", "backup"])
@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE mine (id int)",
        "CREATE TEMP TABLE mine (id int)",
        "CREATE SCHEMA mine",
        "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "ALTER TABLE driver DISABLE ROW LEVEL SECURITY",
        "DROP POLICY tenant_isolation ON driver",
        "TRUNCATE throttle",
        "COPY driver TO PROGRAM 'cat'",
        "SET ROLE {owner}",
        "SET SESSION AUTHORIZATION {owner}",
        "ALTER ROLE {app} BYPASSRLS",
        "CREATE EXTENSION plpgsql",
        "SELECT pg_read_file('PG_VERSION')",
    ],
)
async def test_no_login_can_extend_its_rights(open_connection, roles, login, statement):
    connection = await open_connection(login)

    with pytest.raises((asyncpg.InsufficientPrivilegeError, asyncpg.DuplicateObjectError)):
        await connection.execute(statement.format(**roles.as_dict()))


async def test_turning_row_security_off_is_an_error(open_connection):
    for login in ("app", "worker", "owner"):
        connection = await open_connection(login)
        await connection.execute("SET row_security = off")

        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="row-level security"):
            await connection.fetch("SELECT id FROM driver")


async def test_the_planner_reads_ids_and_states_of_drivers_only(open_connection, acme, rival):
    planner = await open_connection("planner")

    due = await planner.fetch("SELECT tenant_id, id, document_version, status FROM driver")
    assert {acme.id, rival.id} <= {row["tenant_id"] for row in due}
    for column in ("first_name", "last_name", "license_number", "latest", "verified_at"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await planner.fetch(f"SELECT {column} FROM driver")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await planner.execute("UPDATE driver SET status = 'valid'")


async def test_operators_read_names_of_the_bound_companys_drivers_only(
    open_connection, acme, rival
):
    operator = await open_connection("operator")
    select_companies = "SELECT DISTINCT tenant_id FROM company_drivers() WHERE first_name <> ''"

    async def read_as(company: str) -> list[object]:
        async with operator.transaction():
            await operator.execute("SELECT set_config('app.tenant_id', $1, true)", company)
            return [row["tenant_id"] for row in await operator.fetch(select_companies)]

    everywhere = await operator.fetch("SELECT DISTINCT tenant_id FROM driver")
    assert {acme.id, rival.id} <= {row["tenant_id"] for row in everywhere}
    assert await operator.fetch(select_companies) == []
    assert await read_as("") == []
    assert await read_as(str(acme.id)) == [acme.id]
    for column in ("first_name", "last_name", "license_number", "latest", "created_by"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await operator.fetch(f"SELECT {column} FROM driver")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await operator.fetch("SELECT phone_number FROM user_account")


async def test_the_planner_plans_for_all_companies_in_one_statement(
    worker_database, owner_connection
):
    plan = text("""
        INSERT INTO check_item (day, tenant_id, driver_id, document_version, next_try_at)
        SELECT current_date, d.tenant_id, d.id, d.document_version, now()
        FROM (SELECT tenant_id, id, document_version, row_number() OVER (
                  PARTITION BY tenant_id ORDER BY id) AS place FROM driver) AS d
        JOIN (SELECT DISTINCT ON (tenant_id) tenant_id, status, driver_limit, end_date
              FROM subscription ORDER BY tenant_id, id DESC) AS s USING (tenant_id)
        WHERE s.status = 'active' AND s.end_date > now() AND d.place <= s.driver_limit
        ON CONFLICT DO NOTHING
    """)
    async with worker_database.planner() as session:
        planned_count = (await session.execute(plan)).rowcount
        second_count = (await session.execute(plan)).rowcount
        await session.rollback()

    assert planned_count >= 2
    assert second_count == 0


async def test_only_the_backup_reads_every_company(open_connection, acme, rival, tmp_path):
    backup = await open_connection("backup")
    partition = await backup.fetchval(
        "SELECT to_char(now() AT TIME ZONE 'UTC', '\"verification_\"YYYYMM')"
    )

    for table in ("driver", partition):  # a dump reads partitions one by one
        copy = tmp_path / table
        await backup.copy_from_query(f"SELECT tenant_id FROM {table}", output=copy)
        assert {str(acme.id), str(rival.id)} <= set(copy.read_text().split())
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await backup.execute("UPDATE driver SET status = 'valid'")
