"""Canary words pass through the product; then logs, queue and database are searched for them."""

import io
import logging
from collections.abc import Iterator

import pytest
import redis.asyncio
from sqlalchemy import text

from prawko.hooks.channels import DeliveryError
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import RegisterError, RegisterErrorKind
from prawko.kit.context import AppContext
from prawko.personal_data.erasure import erase_company
from prawko.support.jobs import forward_to_operators
from prawko_tenants.engine import Database
from prawko_tenants.ids import TenantId
from prawko_testing.fakes import licence_answer, withheld_licence
from support.database import execute_as_owner
from support.fleet import open_fleet
from support.people import PASSWORD, Person, create_owner, deliver_outbox

pytestmark = pytest.mark.anyio

EMAIL = "kanarek@gzegzolka.test"
PHONE = "+48698127345"
DRIVER = {"firstName": "Gżegżółka", "lastName": "Brzęczyszczykiewicz", "licenseNumber": "QX918273"}
RENAMED = {"lastName": "Chrząszczyżewoszyc", "licenseNumber": "QX918274"}
NOTES = "Decyzja numer KANAREK-77"
TICKET = {"subject": "Szmaragdowy temat", "message": "Szmaragdowa treść zgłoszenia.",
          "userInfo": {"email": "inny@gzegzolka.test", "companyName": "Ptaszarnia"}}  # fmt: skip
CONTACT = {"name": "Kunegunda Wróblewska", "email": EMAIL, "company": "Gołębnik Sp. z o.o.",
           "driversCount": 3, "message": "Turkusowa wiadomość ze strony."}  # fmt: skip
OF_THE_DRIVER = [*DRIVER.values(), *RENAMED.values(), NOTES]
OF_THE_COMPANY = ["gzegzolka.test", "Szmaragdow", "Kunegunda", "Gołębnik", "Turkusowa",
                  "Ptaszarnia", "Kanarkowo", PHONE]  # fmt: skip


REFUSE_DRIVERS = """
CREATE FUNCTION refuse_driver() RETURNS trigger LANGUAGE plpgsql AS
  $$BEGIN RAISE EXCEPTION 'no room for %', NEW; END$$;
CREATE TRIGGER refuse_drivers BEFORE INSERT ON driver
  FOR EACH ROW EXECUTE FUNCTION refuse_driver();
"""


class StoredTraces:
    """Everything that the product stores, as text."""

    def __init__(self, lines: io.StringIO, servers, logins, redis_url: str) -> None:
        self._lines = lines
        self._servers = servers
        self._logins = logins
        self._redis_url = redis_url

    def logs(self) -> str:
        return self._lines.getvalue()

    async def database(self) -> str:
        """Return each row of each table; bytes in hexadecimal."""
        rows_text = []
        async with open_fleet(self._servers, self._logins) as fleet:
            tables = await fleet.admin.fetch(
                "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition"
                " AND relnamespace = 'public'::regnamespace"
            )
            for (table,) in tables:
                rows = await fleet.admin.fetch(f"SELECT t::text AS row FROM {table} AS t")
                rows_text += [f"{table}: {row['row']}" for row in rows]
        return "\n".join(rows_text)

    async def redis(self) -> str:
        """Return each key with its value, including the jobs of the queue."""
        client = redis.asyncio.from_url(self._redis_url)
        queries = {
            b"string": client.get,
            b"list": lambda key: client.lrange(key, 0, -1),
            b"zset": lambda key: client.zrange(key, 0, -1),
            b"set": client.smembers,
            b"hash": client.hgetall,
            b"stream": client.xrange,
        }
        entries = []
        async for key in client.scan_iter("*"):
            kind = await client.type(key)
            if kind != b"none":
                entries.append(f"{key!r} {await queries[kind](key)!r}")
        await client.aclose()
        return "\n".join(entries)


def spellings(text: str) -> list[str]:
    """Return the forms of a word in text: plain, escaped by JSON or Python, and as bytes."""
    raw = text.encode()
    return [text, text.encode("unicode_escape").decode(), raw.hex(), repr(raw)[2:-1]]


def find_words(texts: list[str], haystack: str) -> list[str]:
    lower_haystack = haystack.lower()
    return [
        text
        for text in texts
        if any(spelling.lower() in lower_haystack for spelling in spellings(text))
    ]


@pytest.fixture
def log_lines(
    context: AppContext, worker: AppContext, console: AppContext
) -> Iterator[io.StringIO]:
    """Capture the log from here on, at level DEBUG."""
    lines = io.StringIO()
    root = logging.getLogger()
    [handler] = [handler_ for handler_ in root.handlers if type(handler_) is logging.StreamHandler]
    before, level = handler.setStream(lines), root.level
    root.setLevel(logging.DEBUG)
    yield lines
    root.setLevel(level)
    handler.setStream(before)


@pytest.fixture
def traces(log_lines, servers, logins, variables) -> StoredTraces:
    return StoredTraces(log_lines, servers, logins, variables["REDIS_URL"])


@pytest.fixture
async def canary_owner(traces, new_browser, worker, mailbox) -> Person:
    """The owner of the company with the canary words."""
    return await create_owner(EMAIL, "5260250274", new_browser(), worker, mailbox)


@pytest.fixture
async def canary_driver_id(
    canary_owner, new_browser, worker, context, mailbox, register, run_daily_check, logins
) -> str:
    """Pass the canary words through the main calls and their failures; return the driver's id."""
    register.answers["QX918273"] = licence_answer("QX918273", notes=(NOTES,))
    async with context.database.tenant(TenantId(await canary_owner.tenant_id(worker))) as session:
        await session.execute(text("UPDATE tenant SET company_name = 'Kanarkowo'"))
        await session.execute(
            text("UPDATE user_account SET phone_number = :phone WHERE email_key = :email"),
            {"phone": PHONE, "email": EMAIL},
        )
    await canary_owner.post("/api/notifications/send-verification-sms", {"phoneNumber": PHONE})
    driver = await canary_owner.add_driver("QX918273", DRIVER["firstName"], DRIVER["lastName"])
    duplicate = await canary_owner.post("/api/drivers", DRIVER)
    assert duplicate.status_code == 409
    await run_daily_check()
    await canary_owner.put(f"/api/drivers/{driver}", RENAMED)
    register.answers["QX918274"] = RegisterError(
        RegisterErrorKind.UNAVAILABLE, f"no answer about {RENAMED}"
    )
    refused = await canary_owner.post(f"/api/drivers/{driver}/verify")
    assert refused.status_code in {502, 503}
    await run_daily_check()
    register.answers["QX918274"] = RuntimeError(f"a bug about {RENAMED}")
    await canary_owner.post(f"/api/drivers/{driver}/verify")
    register.answers["QX918274"] = withheld_licence("QX918274")
    for failure in (
        DeliveryError(f"no mailbox {EMAIL}"),
        ProviderAccountError(f"no credit to write to {EMAIL}"),
        RuntimeError(f"a bug with {EMAIL} about {DRIVER}"),
    ):
        mailbox.failure = failure
        await canary_owner.post("/api/verify-email/send")
        await deliver_outbox(worker)
    mailbox.failure = None
    assert (await canary_owner.post(f"/api/drivers/{driver}/verify")).status_code == 200
    await deliver_outbox(worker)
    visitor = new_browser()
    wrong_login = {"email": EMAIL, "password": "Nie0to0haslo"}
    assert (await visitor.post("/api/login", json=wrong_login)).status_code == 401
    await visitor.post("/api/register", json={**wrong_login, "language": "pl"})
    await visitor.post("/api/request-password-reset", json={"email": EMAIL})
    assert (await canary_owner.post("/api/help/ticket", TICKET)).status_code == 201
    assert (await visitor.post("/api/contact", json=CONTACT)).status_code == 201
    for path in ("/api/user", "/api/drivers", "/api/notifications", "/api/company/export"):
        assert (await canary_owner.get(path)).status_code == 200
    await forward_to_operators(worker)
    await deliver_outbox(worker)
    await execute_as_owner(logins, REFUSE_DRIVERS)  # the error quotes the row
    failed = await canary_owner.post("/api/drivers", {**DRIVER, "licenseNumber": "QX918275"})
    assert failed.status_code == 500
    await execute_as_owner(logins, "ALTER TABLE driver DISABLE TRIGGER refuse_drivers")
    return driver


async def test_logs_and_redis_hold_only_ids(canary_driver_id, traces) -> None:
    texts = [*OF_THE_DRIVER, *OF_THE_COMPANY, PASSWORD]
    logs, queue = traces.logs(), await traces.redis()

    assert "delivery_" in logs  # the log has lines of the deliveries
    assert "request_failed" in logs
    assert "deliver_pending" in queue
    assert find_words(texts, logs) == []
    assert find_words(texts, queue) == []


async def test_no_data_of_a_removed_driver_or_an_erased_company_is_left(
    canary_driver_id, canary_owner, celina, worker, logins, traces
) -> None:
    await celina.add_driver("CC777777", "Cezary", "Rywal")
    before = await traces.database()
    assert set(find_words(OF_THE_DRIVER, before)) == {*DRIVER.values(), *RENAMED.values(), NOTES}

    assert (await canary_owner.delete(f"/api/drivers/{canary_driver_id}")).status_code == 200

    assert find_words(OF_THE_DRIVER, await traces.database()) == []
    assert (await canary_owner.get("/api/notifications")).json() == []

    company = await canary_owner.tenant_id(worker)
    texts = [*OF_THE_DRIVER, *OF_THE_COMPANY, str(company)]
    assert set(find_words(texts, before)) == set(texts)
    rival = str(await celina.tenant_id(worker))
    rivals = [line for line in before.split("\n") if rival in line]
    assert len(rivals) > 3

    assert await erase_as_operator(logins, company) == 1

    after = await traces.database()
    assert find_words(texts, after) == []
    assert [line for line in after.split("\n") if line in rivals] == rivals
    assert "trial_claim: " in after  # the digests stay, without the company
    assert find_words(texts[:-1], traces.logs() + await traces.redis()) == []
    assert (await canary_owner.get("/api/user")).status_code == 401
    login_answer = await canary_owner.post("/api/login", {"email": EMAIL, "password": PASSWORD})
    assert login_answer.status_code == 401


async def test_a_message_about_a_removed_driver_is_not_sent(
    anna, worker, register, mailbox, run_daily_check
) -> None:
    register.answers["QX918273"] = withheld_licence("QX918273")
    driver = await anna.add_driver("QX918273", DRIVER["firstName"], DRIVER["lastName"])
    mailbox.failure = DeliveryError("later")
    await run_daily_check()
    mailbox.failure = None
    async with worker.database.system() as session:
        pending = await session.scalars(
            text(
                "UPDATE delivery SET next_try_at = now() - interval '1 hour'"
                " WHERE state = 'pending' AND kind = 'notice' RETURNING id"
            )
        )
        assert pending.all()

    await anna.delete(f"/api/drivers/{driver}")
    await deliver_outbox(worker)

    assert find_words(OF_THE_DRIVER, str(mailbox.sent)) == []


async def erase_as_operator(logins, company) -> int:
    """Erase a company with the owner's login; return the number of deleted accounts."""
    owner = Database(logins.owner, pool_size=1)
    async with owner.tenant(TenantId(company)) as session:
        result = await erase_company(session)
    await owner.close()
    return result.people


async def test_a_person_of_two_companies_stays_when_one_is_erased(
    canary_owner, celina, worker, logins, servers, traces
) -> None:
    acme, rival = await canary_owner.tenant_id(worker), await celina.tenant_id(worker)
    async with open_fleet(servers, logins) as opened_fleet:
        await opened_fleet.admin.execute("""
            INSERT INTO membership (tenant_id, user_id, role, created_at)
            SELECT $1, user_id, 'manager', now() FROM membership WHERE tenant_id = $2
        """, rival, acme)  # fmt: skip
    assert await erase_as_operator(logins, acme) == 0

    assert str(acme) not in await traces.database()
    await canary_owner.sign_in()
    assert (await canary_owner.get("/api/user")).json()["email"] == EMAIL


async def test_signing_up_again_after_erasure_gives_no_second_trial(
    canary_owner, new_browser, worker, mailbox, logins, context
) -> None:
    await erase_as_operator(logins, await canary_owner.tenant_id(worker))

    returned_owner = Person(EMAIL, new_browser())
    await returned_owner.sign_up()
    await returned_owner.verify_email(worker, mailbox)
    refused = await returned_owner.post("/api/subscription/start-trial", {"taxId": "5260250274"})

    assert refused.status_code == 409
    assert refused.json()["error"] == "trial_used"
