"""PostgreSQL writes no data of people into its log about a provisioned database."""

import asyncpg
import pytest

from prawko_migrations import upgrade_database
from prawko_tenants.logins import provision_database
from support.people import PASSWORD, create_owner, deliver_outbox

pytestmark = pytest.mark.anyio

EMAIL = "kanarek@gzegzolka.test"
PHONE = "+48698127345"
NAMES = {"firstName": "Gżegżółka", "lastName": "Brzęczyszczykiewicz"}
NUMBER, OTHER_NUMBER = "QX918273", "QX918274"
WORDS = [EMAIL, PHONE, PASSWORD, *NAMES.values(), NUMBER, OTHER_NUMBER]
# As on a server whose administrator looks for slow and for failing statements, with all details.
LOG_ALL = """
    ALTER DATABASE logged SET log_min_duration_statement = 0;
    ALTER DATABASE logged SET log_min_error_statement = error;
    ALTER DATABASE logged SET log_error_verbosity = 'default'
"""
# The server of the tests is terse by itself.
SELECT_SETTINGS = """
    SELECT unnest(setconfig) FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
     WHERE datname = 'logged' AND setrole = 0
"""


@pytest.fixture
async def admin(servers):
    connection = await asyncpg.connect(servers.urls.admin_url)
    yield connection
    await connection.execute("DROP DATABASE logged WITH (FORCE)")
    await connection.close()


@pytest.fixture
def logins(servers):
    """Logins of a database that was provisioned as an operator does it."""
    provisioned = provision_database(servers.urls.admin_url, database="logged", prefix="logged")
    upgrade_database(provisioned.owner)
    return provisioned


@pytest.fixture
def log(servers):
    """The file of PostgreSQL's log."""
    return servers.home.logs_path / "postgres.log"


async def test_statements_are_logged_without_what_they_are_asked_with(
    admin, logins, log, new_browser, worker, mailbox, run_daily_check
) -> None:
    await admin.execute(LOG_ALL)
    begins = log.stat().st_size
    owner = await create_owner(EMAIL, "5260250274", new_browser(), worker, mailbox)
    await owner.post("/api/notifications/send-verification-sms", {"phoneNumber": PHONE})
    driver = await owner.add_driver(NUMBER, *NAMES.values())
    duplicate = {**NAMES, "licenseNumber": NUMBER}
    assert (await owner.post("/api/drivers", duplicate)).status_code == 409
    renamed = await owner.put(f"/api/drivers/{driver}", {"licenseNumber": OTHER_NUMBER})
    assert renamed.status_code == 200
    await run_daily_check()
    await deliver_outbox(worker)

    written = log.read_bytes()[begins:].decode()

    assert written.count("duration: ") > 100
    for statement in ("INSERT INTO driver", "UPDATE driver", "INSERT INTO user_account"):
        assert statement in written
    assert [word for word in WORDS if word.lower() in written.lower()] == []


async def test_a_refused_row_is_not_quoted(admin, logins, log) -> None:
    assert "log_error_verbosity=terse" in [row[0] for row in await admin.fetch(SELECT_SETTINGS)]
    begins = log.stat().st_size
    connection = await asyncpg.connect(logins.app)
    with pytest.raises(asyncpg.NotNullViolationError) as refused:
        await connection.execute(
            "INSERT INTO throttle (key, window_started_at) VALUES ($1, now())", EMAIL
        )
    await connection.close()

    assert EMAIL in refused.value.detail
    written = log.read_bytes()[begins:].decode()
    assert "null value in column" in written
    assert EMAIL not in written
