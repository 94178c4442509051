"""Provisioning is idempotent and reveals no password; passwords are changed without downtime."""

import asyncio
import subprocess
from datetime import timedelta

import asyncpg
import pytest

from prawko_migrations import upgrade_database
from prawko_tenants.catalog import audit_catalog
from prawko_tenants.engine import Database
from prawko_tenants.logins import (
    Logins,
    ProvisioningError,
    provision_database,
    provision_missing,
    render_provisioning,
    rotate_login,
)
from prawko_tenants.passwords import draw_password, scram_verifier
from prawko_tenants.roles import ROLE_NAMES, Roles
from prawko_tenants.urls import to_libpq_variables
from support.database import read_login_role
from support.postgres_tools import POSTGRES_PROGRAMS
from support.waiting import wait_until

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


def test_another_database_is_refused_the_logins_of_the_first(servers, provisioned_logins):
    with pytest.raises(ProvisioningError, match="belong to the database given"):
        provision_database(servers.urls.admin_url, database="other", prefix="given")
    with pytest.raises(ProvisioningError, match="belong to the database given"):
        provision_missing(servers.urls.admin_url, database="other", prefix="given")

    assert asyncio.run(read_login_role(provisioned_logins.app)) == "given_app"


def test_logins_that_exist_keep_their_passwords_unless_named(servers):
    admin = servers.urls.admin_url
    first = provision_missing(admin, database="kept", prefix="kept")
    assert set(first) == set(ROLE_NAMES)

    assert provision_missing(admin, database="kept", prefix="kept") == {}
    assert set(provision_missing(admin, database="kept", prefix="kept", renewed=["app"])) == {"app"}

    assert asyncio.run(read_login_role(first["worker"])) == "kept_worker"
    with pytest.raises(asyncpg.InvalidPasswordError):
        asyncio.run(read_login_role(first["app"]))
    with pytest.raises(ProvisioningError, match="there is no login clerk"):
        provision_missing(admin, database="kept", prefix="kept", renewed=["clerk"])


def test_a_login_for_replication_reads_no_table(servers):
    admin = servers.urls.admin_url
    created = provision_missing(admin, database="copied", prefix="copied", replication=True)

    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        asyncio.run(read_login_role(created["replication"].replace("/postgres?", "/copied?")))
    assert provision_missing(admin, database="copied", prefix="copied", replication=True) == {}


def test_the_script_provisions_as_the_command_does(servers):
    passwords = {name: draw_password() for name in ROLE_NAMES}
    script = render_provisioning(database="scripted", prefix="scripted", passwords=passwords)
    assert not any(password in script for password in passwords.values())

    for _ in range(2):
        subprocess.run(
            [POSTGRES_PROGRAMS / "psql", "--no-psqlrc", "--quiet", "--file=-"],
            input=script,
            env=to_libpq_variables(servers.urls.admin_url),
            text=True,
            check=True,
        )

    def login(name: str) -> str:
        url = servers.urls.admin_url.replace("/postgres?", "/scripted?")
        return url.replace(url[13 : url.index("@")], f"scripted_{name}:{passwords[name]}")

    upgrade_database(login("owner"))
    assert asyncio.run(read_login_role(login("app"))) == "scripted_app"


@pytest.fixture(scope="module")
def rotated(servers) -> Logins:
    logins = provision_database(servers.urls.admin_url, database="rotated", prefix="rotated")
    upgrade_database(logins.owner)
    return logins


def rotate(servers, name: str, **overlap: float) -> str:
    return rotate_login(
        servers.urls.admin_url,
        name,
        database="rotated",
        prefix="rotated",
        overlap=timedelta(**(overlap or {"days": 1})),
    )


async def test_no_read_fails_while_a_password_is_changed(servers, rotated):
    """Connections come and go, those of the old login as those of the new one."""
    failures, reads, stop = [], 0, asyncio.Event()
    urls = {"present": rotated.app}

    async def read_on() -> None:
        nonlocal reads
        while not stop.is_set():
            database = Database(urls["present"], pool_size=1)
            try:
                for _ in range(3):
                    await database.fetch_global("SELECT count(*) FROM driver")
                    reads += 1
            except Exception as error:  # noqa: BLE001 (each is counted)
                failures.append(error)
            finally:
                await database.close()

    async with asyncio.TaskGroup() as readers:
        for _ in range(3):
            readers.create_task(read_on())
        try:
            for _ in range(3):
                await asyncio.sleep(0.3)
                new = await asyncio.to_thread(rotate, servers, "app")
                await asyncio.sleep(0.3)
                urls["present"] = new
        finally:
            stop.set()

    assert failures == []
    assert reads > 20


async def test_each_login_in_turn_has_the_rights_of_its_role(servers, rotated):
    for name in ROLE_NAMES:
        first = await asyncio.to_thread(rotate, servers, name)
        second = await asyncio.to_thread(rotate, servers, name)
        assert {await read_login_role(first), await read_login_role(second)} == {f"rotated_{name}"}
        assert {f"//rotated_{name}:" in first, f"//rotated_{name}:" in second} == {True, False}

    standby = await asyncio.to_thread(rotate, servers, "app")
    if "_b:" not in standby:
        standby = await asyncio.to_thread(rotate, servers, "app")
    connection = await asyncpg.connect(standby)
    assert await connection.fetchval("SHOW statement_timeout") == "30s"
    await connection.close()
    admin = await asyncpg.connect(servers.urls.admin_url, database="rotated")
    assert await audit_catalog(admin, Roles("rotated")) == []
    await admin.execute("GRANT rotated_owner TO given_app")
    deviations = await audit_catalog(admin, Roles("rotated"))
    await admin.execute("REVOKE rotated_owner FROM given_app")
    await admin.close()
    assert deviations == ["given_app is a member of rotated_owner"]


async def test_the_owners_second_login_migrates(servers, rotated):
    url = await asyncio.to_thread(rotate, servers, "owner")
    if "_b:" not in url:
        url = await asyncio.to_thread(rotate, servers, "owner")

    await asyncio.to_thread(upgrade_database, url)

    connection = await asyncpg.connect(url)
    await connection.execute("CREATE TABLE made_by_standby (id int)")
    owner = "SELECT tableowner FROM pg_tables WHERE tablename = 'made_by_standby'"
    assert await connection.fetchval(owner) == "rotated_owner"
    await connection.execute("DROP TABLE made_by_standby")
    await connection.close()


async def test_the_old_password_ends_with_the_overlap(servers, rotated):
    old = await asyncio.to_thread(rotate, servers, "worker")
    connection = await asyncpg.connect(old)
    new = await asyncio.to_thread(rotate, servers, "worker", seconds=0)

    with pytest.raises(asyncpg.InvalidPasswordError):
        await read_login_role(old)
    await wait_until(connection.is_closed)
    assert await read_login_role(new) == "rotated_worker"


def test_only_a_provisioned_login_is_rotated(servers):
    with pytest.raises(ProvisioningError, match="run `prawko db provision` first"):
        rotate_login(
            servers.urls.admin_url, "app", database="no", prefix="nobody", overlap=timedelta(0)
        )


async def test_each_login_of_the_backup_reads_everything_in_its_turn(servers, rotated):
    for _ in range(3):
        url = await asyncio.to_thread(rotate, servers, "backup", seconds=0)
        connection = await asyncpg.connect(url)
        assert await connection.fetchval("SELECT count(*) FROM alembic_version") == 1
        # Until PostgreSQL 15 the role says whether it inherits, from 16 on each membership.
        inherits = "SELECT rolinherit FROM pg_roles WHERE rolname = 'rotated_backup'"
        assert await connection.fetchval(inherits)
        await connection.close()


async def test_a_password_that_processes_still_use_is_not_changed(servers, rotated):
    in_use = await asyncio.to_thread(rotate, servers, "planner")
    connection = await asyncpg.connect(in_use)
    await asyncio.to_thread(rotate, servers, "planner")

    with pytest.raises(ProvisioningError, match="still signed in as rotated_planner"):
        await asyncio.to_thread(rotate, servers, "planner")

    assert await read_login_role(in_use) == "rotated_planner"
    await connection.close()
