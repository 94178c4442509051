"""The log of operators' acts: chained, append-only, and written with the act or not at all."""

import asyncio

import asyncpg
import msgspec
import pytest
from sqlalchemy import text

from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.acts.operator_acts import OperatorActs, ReasonRequiredError
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import Identity
from prawko.accounts.roles import Role
from prawko.kit.errors import AuthForbiddenError, AuthRequiredError
from prawko.kit.text.i18n import Language
from prawko_tenants.ids import SessionId, TenantId, UserId
from support.database import execute_as_owner, fetch_rows

pytestmark = pytest.mark.anyio

CLIENT = ClientInfo(ip="127.0.0.1", user_agent="a browser")
LOG = "SELECT * FROM admin_action ORDER BY sequence"
BROKEN = """
    SELECT sequence FROM (
        SELECT a.*, lag(hash, 1, ''::bytea) OVER (ORDER BY sequence) AS hash_before,
               admin_action_hash(a) AS computed
          FROM admin_action a) AS chain
     WHERE previous_hash <> hash_before OR hash <> computed ORDER BY sequence
"""


@pytest.fixture
async def identity(olga, logins) -> Identity:
    [row] = await fetch_rows(
        logins,
        "SELECT s.id, s.user_id, s.tenant_id FROM login_session s"
        " JOIN user_account u ON u.id = s.user_id WHERE u.email_key = $1",
        olga.email,
    )
    return Identity(
        session_id=SessionId(row["id"]), user_id=UserId(row["user_id"]),
        tenant_id=TenantId(row["tenant_id"]), role=Role.OWNER, email=olga.email,
        email_verified=True, is_admin=True, language=Language.PL, impersonator_id=None,
    )  # fmt: skip


@pytest.fixture
def new_log(console, identity):
    """Creates the action log of a request of Olga's."""
    return lambda: OperatorActs(console, identity, CLIENT)


async def broken_rows(logins) -> list[int]:
    """The numbers of the rows whose hash, or the one before, is not what it was."""
    connection = await asyncpg.connect(logins.operator)
    try:
        return [row["sequence"] for row in await connection.fetch(BROKEN)]
    finally:
        await connection.close()


async def record_act(log: OperatorActs, **options) -> None:
    async with log.open_system():
        await log.record(AdminActionType.USER_UPDATED, **{"reason": "a call", **options})


async def user_id_of(logins, person) -> UserId:
    [row] = await fetch_rows(
        logins, "SELECT id FROM user_account WHERE email_key = $1", person.email
    )
    return UserId(row["id"])


async def test_rows_are_numbered_and_chained(new_log, identity, anna, logins) -> None:
    target = await user_id_of(logins, anna)
    for number in range(3):
        await record_act(new_log(), target_user_id=target, number=number)

    rows = await fetch_rows(logins, LOG)

    assert [row["sequence"] for row in rows] == [1, 2, 3]
    assert [row["previous_hash"] for row in rows] == [b"", rows[0]["hash"], rows[1]["hash"]]
    assert {row["admin_id"] for row in rows} == {identity.user_id}
    assert {(row["ip"], row["agent"], row["reason"]) for row in rows} == {
        ("127.0.0.1", "a browser", "a call")
    }
    assert await broken_rows(logins) == []


async def test_concurrent_acts_make_one_chain(new_log, logins) -> None:
    await asyncio.gather(*(record_act(new_log()) for _ in range(12)))

    assert [row["sequence"] for row in await fetch_rows(logins, LOG)] == [*range(1, 13)]
    assert await broken_rows(logins) == []


async def test_the_chain_outlives_the_people_in_it(new_log, identity, anna, logins) -> None:
    await record_act(new_log(), target_user_id=await user_id_of(logins, anna))

    await execute_as_owner(logins, "DELETE FROM user_account")

    [row] = await fetch_rows(logins, LOG)
    assert (row["admin_id"], row["target_user_id"]) == (None, None)
    assert await broken_rows(logins) == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE admin_action SET reason = 'another'",
        "UPDATE admin_action SET admin_id = gen_random_uuid()",
        "UPDATE admin_action SET admin_id = NULL, action_type = 'nothing'",
        "UPDATE admin_action SET hash = ''",
        "DELETE FROM admin_action",
        "TRUNCATE admin_action",
    ],
)
async def test_not_even_the_owner_changes_a_row(new_log, logins, statement) -> None:
    await record_act(new_log())

    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="append-only"):
        await execute_as_owner(logins, statement)


@pytest.mark.parametrize("change", ["reason = 'another'", "details = '{}'", "created_at = now()"])
async def test_a_forged_row_breaks_the_chain(new_log, logins, change) -> None:
    for _ in range(3):
        await record_act(new_log(), number=1)

    await execute_as_owner(
        logins,
        "DO $$ BEGIN ALTER TABLE admin_action DISABLE TRIGGER USER;"
        f" UPDATE admin_action SET {change} WHERE sequence = 2;"
        " ALTER TABLE admin_action ENABLE TRIGGER USER; END $$",
    )

    assert await broken_rows(logins) == [2]


async def test_an_act_that_is_not_recorded_does_not_happen(new_log, anna, logins, worker) -> None:
    tenant_id = TenantId(await anna.tenant_id(worker))
    with pytest.raises(RuntimeError, match="not recorded"):
        async with new_log().open_company(tenant_id) as session:
            await session.execute(
                # The console's login may write this column of a company.
                text("UPDATE tenant SET updated_at = 'epoch'")
            )

    [row] = await fetch_rows(
        logins, "SELECT updated_at > 'epoch' AS kept FROM tenant WHERE id = $1", tenant_id
    )
    assert row["kept"]


async def test_an_act_of_a_revoked_session_does_not_happen(new_log, logins, identity) -> None:
    await execute_as_owner(
        logins, "UPDATE login_session SET revoked_at = now() WHERE id = $1", identity.session_id
    )

    with pytest.raises(AuthRequiredError):
        await record_act(new_log())
    assert await fetch_rows(logins, LOG) == []


async def test_an_act_of_a_session_that_expired_meanwhile_does_not_happen(
    new_log, logins, identity
) -> None:
    for column, age in (("expires_at", "0"), ("created_at", "12 hours")):
        await execute_as_owner(
            logins,
            "UPDATE login_session SET expires_at = now() + interval '1 hour', created_at = now()",
        )
        await execute_as_owner(
            logins, f"UPDATE login_session SET {column} = now() - interval '{age}'"
        )
        with pytest.raises(AuthRequiredError):
            await record_act(new_log())
    assert await fetch_rows(logins, LOG) == []


async def test_an_act_of_a_former_operator_does_not_happen(new_log, logins) -> None:
    await execute_as_owner(logins, "UPDATE user_account SET is_admin = false")

    with pytest.raises(AuthForbiddenError):
        await record_act(new_log())
    assert await fetch_rows(logins, LOG) == []


@pytest.mark.parametrize("reason", [None, "", "  \n", "\u200b", "\u2060\u200d", "?!"])
async def test_an_act_without_a_reason_is_refused_where_the_setting_asks_for_one(
    new_log, logins, reason
) -> None:
    with pytest.raises(ReasonRequiredError):
        await record_act(new_log(), reason=reason)
    await record_act(new_log(), reason=reason, requires_reason=False)

    [row] = await fetch_rows(logins, LOG)
    assert not any(character.isalnum() for character in row["reason"] or "")


async def test_a_reason_is_one_line_without_control_characters(new_log, logins) -> None:
    await record_act(new_log(), reason="a\x1b[31m\r\nforged \u202eabc")

    assert [row["reason"] for row in await fetch_rows(logins, LOG)] == ["a [31m forged abc"]


async def test_no_reason_is_needed_where_the_setting_is_off(console, identity, logins) -> None:
    settings = msgspec.structs.replace(console.settings, require_reasons=False)
    object.__setattr__(console, "settings", settings)

    await record_act(OperatorActs(console, identity, CLIENT), reason=None)

    assert len(await fetch_rows(logins, LOG)) == 1


async def test_the_consoles_wide_session_writes_nothing(console) -> None:
    with pytest.raises(Exception, match="read-only transaction"):
        async with console.database.operator() as session:
            await session.execute(text("UPDATE tenant SET updated_at = now()"))
