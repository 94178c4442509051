"""SQL with the console's own login can neither lessen the log nor make itself a session."""

from uuid import uuid4

import asyncpg
import pytest

from support.database import count_rows, execute_as_owner, fetch_rows
from support.people import create_operator, token_of

pytestmark = pytest.mark.anyio

REASON = {"reason": "Klient prosił"}
ADD_IMPERSONATION = """
    SELECT add_impersonation(gen_random_uuid(), $1, $2, p.id, m.tenant_id, now(),
                             now() + $4::text::interval, '', '', $5, 'a reason')
      FROM user_account p JOIN membership m ON m.user_id = p.id WHERE p.email_key = $3
"""
# As the release before calls it.
ADD_WITHOUT_TOKEN = ADD_IMPERSONATION.replace(", $5, 'a reason'", "")
FORGED_ACT = """
    INSERT INTO admin_action (id, sequence, action_type, ip, agent, created_at, previous_hash, hash)
    VALUES (gen_random_uuid(), 7, 'history_viewed', '', '', now(), 'before', 'mine')
"""


@pytest.fixture
async def operator_login(logins):
    """A connection with the login of the console."""
    connection = await asyncpg.connect(logins.operator)
    yield connection
    await connection.close()


async def is_refused(login: asyncpg.Connection, statement: str) -> bool:
    try:
        await login.execute(statement)
    except asyncpg.InsufficientPrivilegeError:
        return True
    return False


async def session_id(logins, person) -> object:
    [row] = await fetch_rows(
        logins,
        "SELECT s.id FROM login_session s JOIN user_account u ON u.id = s.user_id"
        " WHERE u.email_key = $1 AND s.revoked_at IS NULL",
        person.email,
    )
    return row["id"]


LOG_STATEMENTS = (
    "DELETE FROM admin_action",
    "UPDATE admin_action SET reason = 'another'",
    "UPDATE admin_action SET admin_id = NULL",
    "TRUNCATE admin_action",
    "ALTER TABLE admin_action DISABLE TRIGGER USER",
    "DROP TRIGGER admin_action_append_only ON admin_action",
    "DROP FUNCTION admin_action_hash(admin_action)",
    "SET session_replication_role = replica",
    "INSERT INTO admin_action_check VALUES (now(), 0, '', NULL)",
    "UPDATE admin_action_check SET broken_at = NULL",
    "DELETE FROM admin_action_check",
    "DELETE FROM user_activity",
    "UPDATE user_activity SET activity_type = 'signed_in'",
    "UPDATE incident SET detail = '?'",
    "DELETE FROM incident",
    "UPDATE user_activity SET user_id = user_id",
)


async def test_the_log_is_not_lessened(olga, anna, operator_login) -> None:
    assert [one for one in LOG_STATEMENTS if not await is_refused(operator_login, one)] == []


SESSION_STATEMENTS = (
    "INSERT INTO login_session SELECT * FROM login_session",
    "UPDATE login_session SET expires_at = now() + interval '9 years'",
    "UPDATE login_session SET user_id = gen_random_uuid()",
    "UPDATE login_session SET impersonator_id = NULL",
    "UPDATE login_session SET signed_in_at = now()",
    "UPDATE login_session SET second_factor_at = now()",
    "UPDATE login_session SET second_factor_pending = false",
    "UPDATE login_session SET token_hash = ''",
    "DELETE FROM login_session",
    "UPDATE user_account SET is_admin = true",
    "UPDATE user_account SET email_key = 'me@prawko.test'",
    "UPDATE user_account SET password_hash = ''",
    "SELECT password_hash FROM user_account",
    "INSERT INTO user_account (id) VALUES (gen_random_uuid())",
    "INSERT INTO membership SELECT * FROM membership",
    "DELETE FROM membership",
    "SELECT * FROM one_time_code",
    "INSERT INTO one_time_code (id) VALUES (gen_random_uuid())",
    "SELECT * FROM second_factor",
    "DELETE FROM second_factor",
    "SELECT * FROM recovery_code",
)


async def test_no_session_is_made_or_prolonged(olga, anna, operator_login) -> None:
    assert [one for one in SESSION_STATEMENTS if not await is_refused(operator_login, one)] == []


async def test_a_forged_act_only_adds_a_row_to_the_chain(olga, operator_login, logins) -> None:
    await operator_login.execute(FORGED_ACT)

    [row] = await fetch_rows(logins, "SELECT * FROM admin_action")
    assert (row["sequence"], row["previous_hash"]) == (1, b"")
    assert row["hash"] != b"mine"


async def test_a_revoked_session_stays_revoked(olga, logins) -> None:
    await execute_as_owner(logins, "UPDATE login_session SET revoked_at = now()")

    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="stays revoked"):
        await execute_as_owner(logins, "UPDATE login_session SET revoked_at = NULL")
    assert (await olga.get("/api/admin/stats")).status_code == 401


async def test_an_impersonation_takes_everything_from_the_operators_own_session(
    olga, anna, operator_login, logins
) -> None:
    await execute_as_owner(
        logins, "UPDATE login_session SET signed_in_at = now() - interval '11 hours'"
    )
    own = await session_id(logins, olga)
    arguments = (own, b"t", anna.email, "1 hour", token_of(olga))

    assert await operator_login.fetchval(ADD_IMPERSONATION, *arguments)

    [added] = await fetch_rows(
        logins,
        "SELECT i.signed_in_at = o.signed_in_at AS same_sign_in, i.impersonator_id = o.user_id"
        " AS same_person, i.second_factor_at FROM login_session i, login_session o"
        " WHERE i.token_hash = 't' AND o.id = $1",
        own,
    )
    assert tuple(added.values()) == (True, True, None)
    # The function itself leaves nothing out: the operator's own session is over, the act recorded.
    assert (await olga.get("/api/admin/stats")).status_code == 401
    [act] = await fetch_rows(
        logins,
        "SELECT a.action_type, a.reason, o.email, a.hash <> '' AS is_chained,"
        " a.details->>'impersonation' = i.id::text AS names_session FROM admin_action a"
        " JOIN user_account o ON o.id = a.admin_id, login_session i WHERE i.token_hash = 't'",
    )
    assert tuple(act.values()) == (
        "impersonation_started", "a reason", olga.email, True, True,
    )  # fmt: skip
    assert not await operator_login.fetchval(ADD_IMPERSONATION, *arguments), "but once"


async def test_no_impersonation_begins_without_the_operators_token(
    olga, anna, operator_login, logins
) -> None:
    own = await session_id(logins, olga)
    hashes = await fetch_rows(logins, "SELECT encode(token_hash, 'hex') AS h FROM login_session")
    before = await count_rows(logins, "login_session")

    for token in ("", token_of(anna), *(row["h"] for row in hashes)):
        arguments = (own, b"t", anna.email, "1 hour", token)
        assert not await operator_login.fetchval(ADD_IMPERSONATION, *arguments)
    assert not await operator_login.fetchval(ADD_WITHOUT_TOKEN, *arguments[:4])

    assert await count_rows(logins, "login_session") == before
    assert (await olga.get("/api/admin/stats")).status_code == 200


async def test_the_console_keeps_no_session_from_becoming_idle(
    olga, anna, operator_login, logins
) -> None:
    seen = (
        "SELECT u.email, s.last_seen_at FROM login_session s JOIN user_account u"
        " ON u.id = s.user_id ORDER BY s.id"
    )
    age = "UPDATE login_session SET last_seen_at = last_seen_at - interval '25 minutes'"
    await execute_as_owner(logins, age)
    before = await fetch_rows(logins, seen)

    await operator_login.execute("UPDATE login_session SET last_seen_at = now()")
    await operator_login.execute("SELECT touch_session($1)", "a guess")
    assert await fetch_rows(logins, seen) == before

    # A request of the operator records itself, with the token.
    assert (await olga.get("/api/admin/stats")).status_code == 200
    [touched] = [row for row in await fetch_rows(logins, seen) if row not in before]
    assert touched["email"] == olga.email
    # What is idle stays idle, also with the token.
    await execute_as_owner(logins, age.replace("25", "31"))
    before = await fetch_rows(logins, seen)
    await operator_login.execute("SELECT touch_session($1)", token_of(olga))
    assert (await olga.get("/api/admin/stats")).status_code == 401
    assert await fetch_rows(logins, seen) == before


@pytest.mark.parametrize(
    ("change", "target", "lasts"),
    [
        ("SELECT 1", "ola@prawko.test", "1 hour"),
        ("SELECT 1", "olga@prawko.test", "1 hour"),
        ("UPDATE login_session SET revoked_at = now()", "anna@acme.test", "1 hour"),
        ("UPDATE login_session SET expires_at = now()", "anna@acme.test", "1 hour"),
        ("UPDATE login_session SET second_factor_pending = true", "anna@acme.test", "1 hour"),
        ("UPDATE user_account SET is_admin = false", "anna@acme.test", "1 hour"),
        ("SELECT 1", "anna@acme.test", "2 hours"),
        (
            "UPDATE login_session SET last_seen_at = now() - interval '31 minutes'",
            "anna@acme.test",
            "1 hour",
        ),
        (
            "UPDATE login_session SET created_at = now() - interval '721 minutes'",
            "anna@acme.test",
            "1 hour",
        ),
    ],
    ids=[
        "an operator",
        "oneself",
        "revoked",
        "expired",
        "pending",
        "no operator",
        "too long",
        "idle",
        "twelve hours",
    ],
)
async def test_any_other_impersonation_is_refused(
    olga, anna, new_browser, operator_login, logins, change, target, lasts
) -> None:
    await create_operator("ola@prawko.test", new_browser(), logins.owner)
    own = await session_id(logins, olga)
    await execute_as_owner(logins, change)
    before = await count_rows(logins, "login_session")

    for session in (own, uuid4()):
        arguments = (session, b"t", target, lasts, token_of(olga))
        assert not await operator_login.fetchval(ADD_IMPERSONATION, *arguments)

    assert await count_rows(logins, "login_session") == before


async def test_an_impersonation_begins_no_other(olga, anna, celina, operator_login, logins) -> None:
    [user] = (await olga.get(f'/api/admin/users?filter={{"email":"{anna.email}"}}')).json()
    assert (await olga.post(f"/api/admin/impersonate/{user['id']}", REASON)).status_code == 200
    [row] = await fetch_rows(
        logins, "SELECT id FROM login_session WHERE impersonator_id IS NOT NULL"
    )

    assert not await operator_login.fetchval(
        ADD_IMPERSONATION, row["id"], b"t", celina.email, "1 hour", token_of(olga)
    )


async def test_only_a_member_of_the_bound_company_is_removed(
    anna, celina, worker, operator_login, logins
) -> None:
    companies = [str(await person.tenant_id(worker)) for person in (anna, celina)]
    [row] = await fetch_rows(
        logins, "SELECT id FROM user_account WHERE email_key = $1", celina.email
    )
    for company in ("", companies[0]):
        await operator_login.execute("SELECT set_config('app.tenant_id', $1, false)", company)
        await operator_login.execute("SELECT remove_member($1)", row["id"])
    assert await count_rows(logins, "membership") == 2

    await operator_login.execute("SELECT set_config('app.tenant_id', $1, false)", companies[1])
    await operator_login.execute("SELECT remove_member($1)", row["id"])
    assert await count_rows(logins, "membership") == 1
