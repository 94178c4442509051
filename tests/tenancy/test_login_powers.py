"""docs/security/logins.md: what SQL with each login alone can do, found out by trying it."""

import re
from pathlib import Path

import asyncpg
import pytest

from prawko_tenants.policies import DEFINER_FUNCTIONS
from support.database import execute_as_owner, fetch_rows

pytestmark = pytest.mark.anyio

PAGE = (Path(__file__).parents[2] / "docs/security/logins.md").read_text()
LOGINS = ("app", "worker", "planner", "operator", "backup")
# Ids by name, for the statements: no login needs a right to look them up.
IDS = """
    SELECT a.id AS anna, o.id AS olga, m.tenant_id AS company, n.tenant_id AS office,
           s.id AS session
      FROM user_account a JOIN membership m ON m.user_id = a.id, user_account o
      JOIN membership n ON n.user_id = o.id JOIN login_session s ON s.user_id = o.id
     WHERE a.email_key = 'anna@acme.test' AND o.email_key = 'olga@prawko.test' LIMIT 1
"""
BIND = "SELECT set_config('app.tenant_id', '{company}', true); "
OPEN_SESSION = """
    INSERT INTO login_session (id, token_hash, user_id, tenant_id, created_at, last_seen_at,
                               expires_at)
    VALUES (gen_random_uuid(), 'mine', {0}, {1}, now(), now(), now() + interval '1 hour')
"""
ADD_OPERATOR_SESSION = """
    SELECT 1 / add_operator_session('{olga}', '', '', gen_random_uuid(), 'mine', '{office}', now(),
        now() + interval '1 hour', '', '', now(), false, NULL)::int
"""
ADD_IMPERSONATION = """
    SELECT 1 / add_impersonation(gen_random_uuid(), '{session}', 'mine', '{anna}', '{company}',
        now(), now(), '', '')::int
"""
ADD_ACT = """
    INSERT INTO admin_action (id, action_type, ip, agent, created_at)
    VALUES (gen_random_uuid(), 'history_viewed', '', '', now())
"""
TOUCH = """
    UPDATE login_session SET last_seen_at = now() WHERE user_id = {0};
    SELECT 1 / (SELECT count(*) FROM login_session WHERE user_id = {0} AND last_seen_at = now())
"""
# Each row of the page, by its first cell: what is tried. A division by zero is a refusal, too.
ATTEMPTS = {
    "read the drivers of a company that it binds": BIND + "SELECT first_name FROM driver",
    "read their names and numbers by `company_drivers()`": BIND + "SELECT * FROM company_drivers()",
    "change a user's password": "UPDATE user_account SET password_hash = '' WHERE id = '{anna}'",
    "change an operator's password": (
        "UPDATE user_account SET password_hash = '' WHERE id = '{olga}'"
    ),
    "change it by `change_operator_password()` without the present one": (
        "SELECT 1 / change_operator_password('{olga}', '', '', now())::int"
    ),
    "try passwords of operators by `is_operator_password()`": (
        "SELECT is_operator_password('{olga}', 'a guess')"
    ),
    "open a session of a user": OPEN_SESSION.format("'{anna}'", "'{company}'"),
    "open a session of an operator": OPEN_SESSION.format("'{olga}'", "'{office}'"),
    "open one by `add_operator_session()` without password or token": ADD_OPERATOR_SESSION,
    "begin an impersonation by `add_impersonation()` without the token": ADD_IMPERSONATION,
    "make a user an operator": "UPDATE user_account SET is_admin = true WHERE id = '{anna}'",
    "switch off a second factor": "DELETE FROM second_factor",
    "end a session": "UPDATE login_session SET revoked_at = now()",
    "delete a session": "DELETE FROM login_session",
    "keep a user's session from becoming idle": TOUCH.format("'{anna}'"),
    "keep an operator's session from becoming idle": TOUCH.format("'{olga}'"),
    "keep one from becoming idle by `touch_session()` with its token": "SELECT touch_session('x')",
    "delete a user": "DELETE FROM user_account WHERE id = '{anna}'",
    "delete a company": BIND + "DELETE FROM tenant",
    "request the erasure of a company that it binds, which the worker then deletes": (
        BIND + "UPDATE tenant SET erasure_requested_at = now()"
    ),
    "change the status of a driver of a company that it binds": (
        BIND + "UPDATE driver SET status = 'valid'"
    ),
    "mark a payment of a company that it binds as paid": BIND + "UPDATE payment SET state = 'paid'",
    "change or delete a stored check": BIND + "DELETE FROM verification",
    "remove a member of a company that it binds by `remove_member()`": (
        BIND + "SELECT remove_member('{anna}')"
    ),
    "add an act to the log of operators": ADD_ACT,
    "change or delete an act": "DELETE FROM admin_action",
    "delete activity of users": "DELETE FROM user_activity",
    "create months for checks by `ensure_month()`": "SELECT ensure_month(current_date)",
    "create days for the plan by `ensure_day()`": "SELECT ensure_day(current_date)",
    "drop past days of the plan by `drop_days()`": "SELECT drop_days(current_date - 9)",
    "drop today's plan": "SELECT drop_days(current_date + 2)",
    "drop months of checks older than five full years by `drop_months()`": (
        "SELECT drop_months(current_date - 2600)"
    ),
    "drop younger months of checks": "SELECT drop_months(current_date - 1000)",
    "call functions of triggers: `separate_operator_password()`, `erase_tenant_activity()`": (
        "SELECT separate_operator_password()"
    ),
    "lift its own time limits, also for later connections": (
        "ALTER ROLE CURRENT_USER SET statement_timeout = 0"
    ),
    "change its own password": "ALTER ROLE CURRENT_USER PASSWORD 'another'",
}  # fmt: skip
REFUSALS = (
    asyncpg.InsufficientPrivilegeError, asyncpg.DivisionByZeroError,
    asyncpg.InvalidParameterValueError,
)  # fmt: skip


async def list_able_logins(logins, sql: str) -> set[str]:
    able = set()
    for login in LOGINS:
        connection = await asyncpg.connect(getattr(logins, login))
        transaction = connection.transaction()
        await transaction.start()
        try:
            await connection.execute(sql)
            able.add(login)
        except REFUSALS:
            pass
        finally:
            await transaction.rollback()
            await connection.close()
    return able


async def test_the_page_says_what_each_login_can_do_alone(olga, anna, logins) -> None:
    await execute_as_owner(
        logins, "UPDATE login_session SET last_seen_at = now() - interval '1 hour'"
    )
    [ids] = await fetch_rows(logins, IDS)
    stated = dict(re.findall(r"^\| ([^|\n]+) \| ((?:app|worker|planner|operator|nobody)[^|]*) \|$",
                             PAGE, re.MULTILINE))  # fmt: skip

    found = {
        act: ", ".join(sorted(able, key=LOGINS.index)) or "nobody"
        for act, sql in ATTEMPTS.items()
        for able in [await list_able_logins(logins, sql.format(**ids))]
    }

    assert found == stated


def test_the_page_names_every_function_with_the_owners_rights() -> None:
    assert [one for one in DEFINER_FUNCTIONS if f"`{one.partition('(')[0]}()`" not in PAGE] == []
