"""A dump of the last release is restored and upgraded, and the product goes on with its data."""

from collections.abc import Iterator
from datetime import datetime

import asyncpg
import pytest

from prawko.accounts.acts.jobs import verify_action_chain
from prawko.apps.composition_root import create_renderer_registry
from prawko.kit.clock import WARSAW
from prawko.verifications.daily.run_now import run_daily_check as daily_check
from prawko_migrations import read_status, upgrade_database
from prawko_tenants.catalog import audit_catalog
from prawko_tenants.logins import Logins
from prawko_tenants.roles import Roles
from prawko_testing.fakes import withheld_licence
from support.database import execute_as_owner, fetch_rows
from support.database_pool import TEMPLATE
from support.fake_payments import providers, variables  # noqa: F401 (fixtures)
from support.people import Person
from support.postgres_tools import run_program
from upgrades.release import DUMP, WITHHELD, read_head

pytestmark = pytest.mark.anyio

DATABASE = "prawko_released"


@pytest.fixture
def logins(servers, template) -> Iterator[Logins]:
    """The logins of a database that was restored from the dump and upgraded.

    The dump grants its rights to the roles of the template's logins.
    """
    url = servers.urls.admin_url.replace("/postgres?", f"/{DATABASE}?")
    run_program("createdb", DATABASE, url=servers.urls.admin_url)
    try:
        run_program("psql", "--quiet", "--set=ON_ERROR_STOP=1", "--file", DUMP, url=url)
        restored = Logins(**{
            role: login.replace(f"/{TEMPLATE}", f"/{DATABASE}", 1)
            for role, login in vars(template).items()
        })  # fmt: skip
        assert read_status(restored.owner).version == read_head()[0]
        upgrade_database(restored.owner)
        assert read_status(restored.owner).pending == ()
        yield restored
    finally:
        run_program("dropdb", "--force", DATABASE, url=servers.urls.admin_url)


@pytest.fixture
async def clock(clock, logins):
    """A product clock at the noon after the last day of the dump."""
    [last] = await fetch_rows(logins, "SELECT max(day) AS day FROM check_run")
    day = last["day"].toordinal() + 1
    clock.set(datetime.fromordinal(day).replace(hour=12, tzinfo=WARSAW))
    return clock


async def sign_in(email: str, browser) -> Person:
    person = Person(email, browser)
    await person.sign_in()
    return person


async def test_people_see_their_data(new_browser, logins) -> None:
    anna = await sign_in("anna@acme.test", new_browser())

    drivers = {driver["licenseNumber"]: driver for driver in await anna.list_drivers()}
    assert sorted(drivers) == ["AB000002", "AB000003", "AB000004", WITHHELD]
    withheld = drivers[WITHHELD]
    assert withheld["status"] == "invalid"
    assert len((await anna.get(f"/api/drivers/{withheld['id']}/verifications")).json()) > 0
    assert (await anna.get("/api/subscription")).json()["driverLimit"] == 10
    [invoice] = (await anna.get("/api/invoices")).json()
    assert invoice["number"].endswith("/000001")
    [recipient] = (await anna.get("/api/alert-recipients")).json()["recipients"]
    assert recipient["email"] == "noc@acme.test"
    notices = (await anna.get("/api/notifications")).json()
    assert any(WITHHELD in notice["content"] for notice in notices)

    celina = await sign_in("celina@rival.test", new_browser())
    assert [driver["licenseNumber"] for driver in await celina.list_drivers()] == ["AB000001"]


async def test_the_console_shows_companies_and_the_chain_of_acts_is_whole(
    new_browser, worker, logins
) -> None:
    olga = await sign_in("olga@prawko.test", new_browser())

    assert len((await olga.get("/api/admin/companies")).json()) >= 2
    await execute_as_owner(logins, "DELETE FROM admin_action_check")  # it may be tonight's
    await verify_action_chain(worker)
    [check] = await fetch_rows(logins, "SELECT rows, broken_at FROM admin_action_check")
    assert (check["rows"] > 0, check["broken_at"]) == (True, None)


async def test_the_daily_check_goes_on_without_a_second_alert(worker, register, mailbox) -> None:
    register.answers[WITHHELD] = withheld_licence(WITHHELD)
    register.answers["AB000004"] = None

    report = await daily_check(worker, create_renderer_registry(worker))

    # Celina's company is suspended.
    assert (report.planned, report.unresolved) == (4, 0)
    assert mailbox.messages_to("anna@acme.test") == []


async def test_the_upgraded_catalog_is_in_order(servers, logins) -> None:
    connection = await asyncpg.connect(
        servers.urls.admin_url.replace("/postgres?", f"/{DATABASE}?")
    )
    try:
        assert await audit_catalog(connection, Roles()) == []
    finally:
        await connection.close()
