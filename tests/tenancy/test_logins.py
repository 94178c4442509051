"""Provisioning is idempotent and reveals no password."""

import asyncio

import asyncpg
import pytest

from prawko_tenants.logins import Logins, provision_database, scram_verifier
from prawko_tenants.roles import ROLE_NAMES, Roles

pytestmark = pytest.mark.anyio

PASSWORDS = {name: f"first word of {name} & 100%/@:?" for name in ROLE_NAMES}


@pytest.fixture(scope="module")
def provisioned_logins(servers) -> Logins:
    admin = servers.urls.admin_url
    return provision_database(admin, database="given", passwords=PASSWORDS, prefix="given")


def test_a_second_call_changes_nothing(servers, provisioned_logins):
    admin = servers.urls.admin_url

    assert (
        provision_database(admin, database="given", passwords=PASSWORDS, prefix="given")
        == provisioned_logins
    )


async def test_every_login_connects_with_its_password(provisioned_logins):
    for name, url in vars(provisioned_logins).items():
        connection = await asyncpg.connect(url)
        assert await connection.fetchval("SELECT current_user") == f"given_{name}"
        await connection.close()


async def test_a_wrong_password_is_rejected(provisioned_logins):
    with pytest.raises(asyncpg.InvalidPasswordError):
        await asyncpg.connect(provisioned_logins.app, password=PASSWORDS["owner"])


async def test_logins_of_another_installation_are_rejected(provisioned_logins, tenancy_logins):
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await asyncpg.connect(tenancy_logins.app, database="given")


def test_without_passwords_every_login_gets_a_new_one(servers):
    admin = servers.urls.admin_url

    first = provision_database(admin, database="drawn", prefix="drawn")
    second = provision_database(admin, database="drawn", prefix="drawn")

    assert len(set(vars(first).values()) | set(vars(second).values())) == 2 * len(ROLE_NAMES)


async def test_a_changed_role_is_reset(servers, provisioned_logins):
    admin = await asyncpg.connect(servers.urls.admin_url)
    await admin.execute("ALTER ROLE given_app BYPASSRLS CREATEROLE")
    await asyncio.to_thread(
        provision_database,
        servers.urls.admin_url,
        database="given",
        passwords=PASSWORDS,
        prefix="given",
    )

    select_rights = "SELECT rolbypassrls OR rolcreaterole FROM pg_roles WHERE rolname = 'given_app'"
    assert await admin.fetchval(select_rights) is False
    await admin.close()


async def test_logins_have_timeouts(provisioned_logins):
    connection = await asyncpg.connect(provisioned_logins.app)

    assert await connection.fetchval("SHOW statement_timeout") == "30s"
    assert await connection.fetchval("SHOW idle_in_transaction_session_timeout") == "1min"
    await connection.close()


def test_a_verifier_does_not_contain_its_password():
    verifier = scram_verifier("a password")

    assert verifier.startswith("SCRAM-SHA-256$4096:")
    assert "a password" not in verifier
    assert verifier != scram_verifier("a password")


@pytest.mark.parametrize("password", ["", "zażółć"])
def test_a_non_ascii_password_is_rejected(password):
    with pytest.raises(ValueError, match="ASCII"):
        scram_verifier(password)


@pytest.mark.parametrize("prefix", ["", "1st", "Prawko", "a-b", 'x"; DROP ROLE y; --'])
def test_a_prefix_that_is_no_identifier_is_rejected(servers, prefix):
    with pytest.raises(ValueError, match="cannot begin the name of a role"):
        provision_database(servers.urls.admin_url, database="never", prefix=prefix)


@pytest.mark.parametrize("name", ["", "owner", "_owner", "prawko_app", "prawko_owner_2"])
def test_roles_are_derived_from_an_owner_only(name):
    with pytest.raises(ValueError, match="is not the owner of an installation"):
        Roles.from_owner(name)


def test_roles_have_the_prefix_of_their_installation():
    assert Roles.from_owner("acme_owner") == Roles("acme")
    assert Roles("acme").as_dict()["planner"] == "acme_planner"
