"""Operators are out of reach of SQL with the panel's login, unless they have a proof."""

import asyncio
from datetime import timedelta

import asyncpg
import pyotp
import pytest

from prawko.accounts.acts.operator_acts import OperatorActs
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.operators import make_operator
from prawko.accounts.passwords import hashing
from prawko.kit.clock import utc_now
from support.database import count_rows, execute_as_owner, fetch_rows, open_as_owner
from support.people import PASSWORD, Person, create_operator, deliver_outbox, token_of

pytestmark = pytest.mark.anyio

NEW_PASSWORD = "Inne0hasło"
OPEN_SESSION = """
    SELECT add_operator_session(u.id, $2, $3, gen_random_uuid(), $4, m.tenant_id, now(),
                                now() + $5::text::interval, '', '', $7, $6, NULL)
      FROM user_account u JOIN membership m ON m.user_id = u.id WHERE u.email_key = $1
"""
INSERT_SESSION = """
    INSERT INTO login_session (id, token_hash, user_id, tenant_id, created_at, last_seen_at,
                               expires_at, impersonator_id)
    SELECT gen_random_uuid(), $1, p.id, m.tenant_id, now(), now(), now() + interval '1 hour', i.id
      FROM user_account p JOIN membership m ON m.user_id = p.id
      LEFT JOIN user_account i ON i.email_key = $3 WHERE p.email_key = $2
"""


@pytest.fixture
async def panel_login(logins):
    """A connection with the login of the panel."""
    connection = await asyncpg.connect(logins.app)
    yield connection
    await connection.close()


async def open_session(
    panel_login, email: str, *, digest="", token="", lasts="1 hour", waits=False, confirmed=None
) -> bool:
    return await panel_login.fetchval(
        OPEN_SESSION, email, digest, token, b"new", lasts, waits, confirmed
    )


async def read_digest(logins) -> str:
    [row] = await fetch_rows(logins, "SELECT digest FROM operator_password")
    return row["digest"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE user_account SET password_hash = 'mine'",
        "UPDATE user_account SET password_hash = password_hash",
        "UPDATE user_account SET email = 'me@evil.test'",
        "UPDATE user_account SET email_key = 'me@evil.test'",
        "UPDATE user_account SET email_verified = false",
        "UPDATE user_account SET is_admin = true",
        "UPDATE login_session SET user_id = user_id",
        "UPDATE login_session SET token_hash = 'mine'",
        "UPDATE login_session SET expires_at = now() + interval '9 years'",
        "UPDATE login_session SET second_factor_pending = false",
        "UPDATE login_session SET second_factor_at = now()",
        "UPDATE login_session SET signed_in_at = now()",
        "UPDATE login_session SET impersonator_id = user_id",
        "SELECT digest FROM operator_password",
        "UPDATE operator_password SET digest = ''",
        "INSERT INTO operator_password SELECT id, '' FROM user_account",
        "DELETE FROM operator_password",
        "SELECT separate_operator_password()",
        "ALTER TABLE user_account DISABLE TRIGGER USER",
        "DROP TRIGGER login_session_of_operator ON login_session",
    ],
)
async def test_the_panels_login_changes_no_operator(olga, panel_login, logins, statement) -> None:
    with pytest.raises(asyncpg.PostgresError):
        await panel_login.execute(statement)

    assert (await olga.get("/api/admin/stats")).status_code == 200


async def test_the_panels_login_inserts_no_session_of_an_operator(
    olga, anna, panel_login, logins
) -> None:
    before = await count_rows(logins, "login_session")
    for person, impersonator in ((olga.email, None), (anna.email, olga.email)):
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="with a proof"):
            await panel_login.execute(INSERT_SESSION, b"mine", person, impersonator)

    await panel_login.execute(INSERT_SESSION, b"mine", anna.email, None)
    assert await count_rows(logins, "login_session") == before + 1


async def test_without_a_proof_no_session_is_opened(
    olga, anna, new_browser, panel_login, logins
) -> None:
    ola = await create_operator("ola@prawko.test", new_browser(), logins.owner)
    [row] = await fetch_rows(
        logins, "SELECT password_hash FROM user_account WHERE email_key = $1", olga.email
    )
    hashes = await fetch_rows(logins, "SELECT encode(token_hash, 'hex') AS h FROM login_session")
    forged = [
        *({"digest": digest} for digest in ("", row["password_hash"], row["password_hash"][-22:])),
        *({"token": token} for token in ("", token_of(anna), token_of(ola))),
        *({"token": one["h"]} for one in hashes),
    ]
    before = await count_rows(logins, "login_session")

    for proof in forged:
        assert not await open_session(panel_login, olga.email, **proof)

    assert await count_rows(logins, "login_session") == before


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE login_session SET revoked_at = now()",
        "UPDATE login_session SET expires_at = now()",
        "UPDATE user_account SET is_admin = false",
        "UPDATE login_session SET last_seen_at = now() - interval '31 minutes'",
        "UPDATE login_session SET created_at = now() - interval '721 minutes'",
    ],
)
async def test_the_token_of_a_session_that_ended_is_no_proof(
    olga, panel_login, logins, change
) -> None:
    assert await open_session(panel_login, olga.email, token=token_of(olga))
    await execute_as_owner(logins, "DELETE FROM login_session WHERE token_hash = 'new'")

    await execute_as_owner(logins, change)

    assert not await open_session(panel_login, olga.email, token=token_of(olga))


@pytest.mark.parametrize(
    "write",
    ["last_seen_at = now()", "revoked_at = now()", "last_seen_at = now(), revoked_at = now()"],
)
async def test_no_write_makes_the_token_of_a_signed_out_session_a_proof(
    olga, panel_login, logins, write
) -> None:
    """Only the transaction that revokes it may use it, which a row's version shows."""
    token = token_of(olga)
    await olga.post("/api/logout")
    before = await fetch_rows(logins, "SELECT * FROM login_session ORDER BY id")

    async with panel_login.transaction():
        await panel_login.execute(f"UPDATE login_session SET {write}")
        assert not await open_session(panel_login, olga.email, token=token)
    assert await fetch_rows(logins, "SELECT * FROM login_session ORDER BY id") == before

    await olga.sign_in()
    async with panel_login.transaction():
        await panel_login.execute("UPDATE login_session SET revoked_at = now()")
        assert await open_session(panel_login, olga.email, token=token_of(olga))


async def test_a_session_takes_its_times_from_the_one_that_proves_it(
    olga, panel_login, logins
) -> None:
    """What the caller says of the second factor and of the sign-in is not believed."""
    age = "UPDATE login_session SET created_at = created_at - interval '11 hours'"
    await execute_as_owner(logins, age)

    assert await open_session(panel_login, olga.email, token=token_of(olga), confirmed=utc_now())

    [added] = await fetch_rows(
        logins,
        "SELECT n.second_factor_at, n.signed_in_at = o.created_at AS is_same"
        "  FROM login_session n, login_session o"
        " WHERE n.token_hash = 'new' AND o.user_id = n.user_id AND o.id <> n.id",
    )
    assert tuple(added.values()) == (None, True)


async def test_a_detour_by_a_session_that_waits_for_the_code_adds_no_time(
    olga, panel_login, logins
) -> None:
    await execute_as_owner(
        logins,
        "INSERT INTO second_factor (user_id, secret, created_at, confirmed_at, last_step)"
        " SELECT id, '', now(), now(), 0 FROM user_account WHERE is_admin;"
        "UPDATE login_session SET created_at = created_at - interval '11 hours'",
    )
    assert await open_session(panel_login, olga.email, token=token_of(olga), waits=True)
    detour = "UPDATE login_session SET token_hash = sha256('detour') WHERE token_hash = 'new'"
    await execute_as_owner(logins, detour)

    assert await open_session(panel_login, olga.email, token="detour", confirmed=utc_now())

    begins = await fetch_rows(
        logins, "SELECT DISTINCT coalesce(signed_in_at, created_at) AS begin FROM login_session"
    )
    assert len(begins) == 1


async def test_no_open_transaction_hides_a_session_from_a_promotion(
    anna, panel_login, context, logins
) -> None:
    """A session that is not committed yet is invisible to the command that ends them all."""
    async with open_as_owner(context, logins) as owner, asyncio.TaskGroup() as tasks:
        acts = OperatorActs(owner, None, ClientInfo(ip="", user_agent=""))
        async with panel_login.transaction():
            await panel_login.execute(INSERT_SESSION, b"mine", anna.email, None)
            promotion = tasks.create_task(make_operator(owner, acts, anna.email, NEW_PASSWORD))
            await asyncio.wait([promotion], timeout=2)
    [row] = await fetch_rows(
        logins, "SELECT revoked_at FROM login_session WHERE token_hash = 'mine'"
    )
    assert row["revoked_at"] is not None


async def test_the_password_alone_opens_a_session_that_waits_for_the_code(
    olga, panel_login, logins
) -> None:
    digest = await read_digest(logins)
    assert await open_session(panel_login, olga.email, digest=digest, lasts="1 hour")
    await execute_as_owner(logins, "DELETE FROM login_session WHERE token_hash = 'new'")
    await execute_as_owner(
        logins,
        "INSERT INTO second_factor (user_id, secret, created_at, confirmed_at, last_step)"
        " SELECT id, '', now(), now(), 0 FROM user_account WHERE is_admin",
    )

    assert not await open_session(panel_login, olga.email, digest=digest)
    assert not await open_session(panel_login, olga.email, digest=digest, waits=True)
    assert await open_session(
        panel_login, olga.email, digest=digest, waits=True, lasts="10 minutes"
    )


async def test_a_session_of_years_is_refused(olga, panel_login) -> None:
    assert not await open_session(panel_login, olga.email, token=token_of(olga), lasts="16 days")


async def test_an_operator_signs_in_and_changes_the_password(olga, new_browser, logins) -> None:
    await olga.sign_in()
    wrong = {"email": olga.email, "password": NEW_PASSWORD}
    assert (await olga.post("/api/login", wrong)).status_code == 401
    before = await read_digest(logins)

    answer = await olga.post(
        "/api/user/change-password",
        {
            "currentPassword": PASSWORD, "newPassword": NEW_PASSWORD,
            "confirmPassword": NEW_PASSWORD,
        },
    )  # fmt: skip

    assert answer.status_code == 200, answer.text
    assert await read_digest(logins) != before
    assert (await olga.get("/api/admin/stats")).status_code == 200
    elsewhere = Person(olga.email, new_browser())
    assert (await elsewhere.post("/api/login", wrong)).status_code == 200
    old = {"email": olga.email, "password": PASSWORD}
    assert (await elsewhere.post("/api/login", old)).status_code == 401
    assert (await elsewhere.get("/api/admin/stats")).status_code == 200


async def test_an_operator_signs_in_with_a_code_and_replaces_the_second_factor(
    olga, new_browser, logins
) -> None:
    path = "/api/user/second-factor"
    secret = (await olga.post(path, {"password": PASSWORD})).json()["secret"]

    def code(step: int) -> str:
        return pyotp.TOTP(secret).at(utc_now() + timedelta(seconds=30 * step))

    answer = await olga.post(f"{path}/confirm", {"code": code(0)})
    assert answer.status_code == 200, answer.text
    recovery_code = answer.json()["recoveryCodes"][0]
    assert (await olga.get("/api/admin/stats")).status_code == 200
    elsewhere = Person(olga.email, new_browser())
    await elsewhere.sign_in()
    assert (await elsewhere.get("/api/admin/stats")).status_code == 401
    answer = await elsewhere.post("/api/login/second-factor", {"code": code(1)})
    assert answer.status_code == 200, answer.text
    assert (await elsewhere.get("/api/admin/stats")).status_code == 200

    answer = await elsewhere.delete(path, {"password": PASSWORD, "code": recovery_code})

    assert answer.status_code == 200, answer.text
    assert (await elsewhere.get("/api/admin/stats")).status_code == 200
    assert (await olga.get("/api/admin/stats")).status_code == 401


async def test_no_link_resets_the_password_of_an_operator(
    olga, anna, worker, mailbox, logins
) -> None:
    for person in (anna, olga):
        answer = await person.post("/api/request-password-reset", {"email": person.email})
        assert answer.status_code == 200
    await deliver_outbox(worker)
    [link] = [one.link for one in mailbox.messages_to(anna.email) if "reset" in (one.link or "")]
    assert [one for one in mailbox.messages_to(olga.email) if "reset" in (one.link or "")] == []

    token = link.partition("token=")[2]
    await execute_as_owner(
        logins, "UPDATE user_account SET is_admin = true WHERE email_key = $1", anna.email
    )
    answer = await anna.post(
        "/api/reset-password",
        {"token": token, "newPassword": NEW_PASSWORD, "confirmPassword": NEW_PASSWORD},
    )
    assert answer.status_code == 400, answer.text


async def test_who_is_no_operator_any_more_signs_in_as_before(olga, new_browser, logins) -> None:
    await execute_as_owner(logins, "UPDATE user_account SET is_admin = false")

    await Person(olga.email, new_browser()).sign_in()

    assert await count_rows(logins, "operator_password") == 0


@pytest.mark.parametrize("parameters", ["", "$argon2id$", "$argon2id$v=19$m=64,t=1,p=1$$", "no"])
async def test_a_hash_without_parameters_has_no_digest(parameters) -> None:
    assert await hashing.compute_digest(parameters, PASSWORD) == ""


async def test_the_digest_is_the_last_part_of_the_hash() -> None:
    stored = await hashing.hash_password(PASSWORD)
    parameters, _, digest = stored.rpartition("$")

    assert await hashing.compute_digest(f"{parameters}$", PASSWORD) == digest
    assert await hashing.compute_digest(f"{parameters}$", NEW_PASSWORD) not in {"", digest}
    assert await hashing.compute_digest(f"{parameters}$", "a" * 5000) == ""
