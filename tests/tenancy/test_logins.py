"""Preparing a server: again and again with the same result, and without telling passwords."""

import asyncio

import asyncpg
import pytest

from prawko_tenants.logins import Logins, provision, scram
from prawko_tenants.roles import ROLE_NAMES, Roles

pytestmark = pytest.mark.anyio

PASSWORDS = {name: f"first word of {name} & 100%/@:?" for name in ROLE_NAMES}


@pytest.fixture(scope="module")
def given(servers) -> Logins:
    admin = servers.servers.admin_url
    return provision(admin, database="given", passwords=PASSWORDS, prefix="given")


def test_a_second_call_changes_nothing(servers, given):
    admin = servers.servers.admin_url

    assert provision(admin, database="given", passwords=PASSWORDS, prefix="given") == given


async def test_every_login_gets_in_with_its_password_and_only_there(given):
    for name, url in vars(given).items():
        connection = await asyncpg.connect(url)
        assert await connection.fetchval("SELECT current_user") == f"given_{name}"
        await connection.close()


async def test_a_wrong_password_does_not_get_in(given):
    with pytest.raises(asyncpg.InvalidPasswordError):
        await asyncpg.connect(given.app, password=PASSWORDS["owner"])


async def test_another_installations_logins_do_not_get_in(given, own_logins):
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await asyncpg.connect(own_logins.app, database="given")


def test_without_passwords_every_login_gets_a_new_one(servers):
    admin = servers.servers.admin_url

    first = provision(admin, database="drawn", prefix="drawn")
    second = provision(admin, database="drawn", prefix="drawn")

    assert len(set(vars(first).values()) | set(vars(second).values())) == 2 * len(ROLE_NAMES)


async def test_a_spoiled_role_is_brought_back(servers, given):
    admin = await asyncpg.connect(servers.servers.admin_url)
    await admin.execute("ALTER ROLE given_app BYPASSRLS CREATEROLE")
    await asyncio.to_thread(
        provision,
        servers.servers.admin_url,
        database="given",
        passwords=PASSWORDS,
        prefix="given",
    )

    more = "SELECT rolbypassrls OR rolcreaterole FROM pg_roles WHERE rolname = 'given_app'"
    assert await admin.fetchval(more) is False
    await admin.close()


async def test_logins_do_not_wait_for_ever(given):
    connection = await asyncpg.connect(given.app)

    assert await connection.fetchval("SHOW statement_timeout") == "30s"
    assert await connection.fetchval("SHOW idle_in_transaction_session_timeout") == "1min"
    await connection.close()


def test_a_verifier_does_not_contain_its_password():
    verifier = scram("a password")

    assert verifier.startswith("SCRAM-SHA-256$4096:")
    assert "a password" not in verifier
    assert verifier != scram("a password")


@pytest.mark.parametrize("password", ["", "zażółć"])
def test_a_password_that_clients_might_spell_differently_is_refused(password):
    with pytest.raises(ValueError, match="ASCII"):
        scram(password)


@pytest.mark.parametrize("prefix", ["", "1st", "Prawko", "a-b", 'x"; DROP ROLE y; --'])
def test_a_prefix_that_is_no_name_is_refused(servers, prefix):
    with pytest.raises(ValueError, match="cannot begin the name of a role"):
        provision(servers.servers.admin_url, database="never", prefix=prefix)


@pytest.mark.parametrize("name", ["", "owner", "_owner", "prawko_app", "prawko_owner_2"])
def test_roles_are_found_beside_an_owner_only(name):
    with pytest.raises(ValueError, match="is not the owner of an installation"):
        Roles.owned_by(name)


def test_roles_carry_their_installations_name():
    assert Roles.owned_by("acme_owner") == Roles("acme")
    assert Roles("acme").named()["planner"] == "acme_planner"
