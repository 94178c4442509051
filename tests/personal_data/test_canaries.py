"""Unmistakable words walk the main path; then everything that may not hold them is searched."""

import io
import logging
from collections.abc import Iterator

import pytest
import redis.asyncio
from sqlalchemy import text

from fleet import overseen
from persons import PASSWORD, Person, deliver, founded
from prawko.base.jobs import Tools
from prawko.hooks.channels import DeliveryError
from prawko.hooks.failures import AccountError
from prawko.hooks.licence_register import RegisterError, RegisterTrouble
from prawko.personal_data.erasure import erase_company
from prawko.support.jobs import pass_on_messages
from prawko.testing.fakes import answer, withheld
from prawko_tenants.engine import Database
from prawko_tenants.ids import TenantId

pytestmark = pytest.mark.anyio

EMAIL = "kanarek@gzegzolka.test"
DRIVER = {"firstName": "Gżegżółka", "lastName": "Brzęczyszczykiewicz", "licenseNumber": "QX918273"}
RENAMED = {"lastName": "Chrząszczyżewoszyc", "licenseNumber": "QX918274"}
NOTES = "Decyzja numer KANAREK-77"
TICKET = {"subject": "Szmaragdowy temat", "message": "Szmaragdowa treść zgłoszenia.",
          "userInfo": {"email": "inny@gzegzolka.test", "companyName": "Ptaszarnia"}}  # fmt: skip
CONTACT = {"name": "Kunegunda Wróblewska", "email": EMAIL, "company": "Gołębnik Sp. z o.o.",
           "driversCount": 3, "message": "Turkusowa wiadomość ze strony."}  # fmt: skip
OF_THE_DRIVER = [*DRIVER.values(), *RENAMED.values(), NOTES]
OF_THE_COMPANY = ["gzegzolka.test", "Szmaragdow", "Kunegunda", "Gołębnik", "Turkusowa",
                  "Ptaszarnia", "Kanarkowo"]  # fmt: skip


class Everywhere:
    """All that the product leaves behind, as text."""

    def __init__(self, lines: io.StringIO, servers, logins, redis_url: str) -> None:
        self._lines = lines
        self._servers = servers
        self._logins = logins
        self._redis_url = redis_url

    def logs(self) -> str:
        return self._lines.getvalue()

    async def database(self) -> str:
        """Each row of each table; what is stored as bytes, in hexadecimal."""
        said = []
        async with overseen(self._servers, self._logins) as whole:
            tables = await whole.admin.fetch(
                "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition"
                " AND relnamespace = 'public'::regnamespace"
            )
            for (table,) in tables:
                rows = await whole.admin.fetch(f"SELECT t::text AS row FROM {table} AS t")
                said += [f"{table}: {row['row']}" for row in rows]
        return "\n".join(said)

    async def redis(self) -> str:
        """Each key with its value, the queue's jobs among them."""
        client = redis.asyncio.from_url(self._redis_url)
        readers = {
            b"string": client.get,
            b"list": lambda key: client.lrange(key, 0, -1),
            b"zset": lambda key: client.zrange(key, 0, -1),
            b"set": client.smembers,
            b"hash": client.hgetall,
            b"stream": client.xrange,
        }
        said = []
        async for key in client.scan_iter("*"):
            kind = await client.type(key)
            if kind != b"none":
                said.append(f"{key!r} {await readers[kind](key)!r}")
        await client.aclose()
        return "\n".join(said)


def spellings(word: str) -> list[str]:
    """How a word may stand in text: plainly, as JSON or Python escape it, and in bytes."""
    raw = word.encode()
    return [word, word.encode("unicode_escape").decode(), raw.hex(), repr(raw)[2:-1]]


def found(words: list[str], where: str) -> list[str]:
    lowered = where.lower()
    return [w for w in words if any(spelled.lower() in lowered for spelled in spellings(w))]


@pytest.fixture
def lines(tools: Tools, worker: Tools) -> Iterator[io.StringIO]:
    """Every line of the log from here on, at the most talkative level."""
    kept = io.StringIO()
    root = logging.getLogger()
    [handler] = [h for h in root.handlers if type(h) is logging.StreamHandler]
    before, level = handler.setStream(kept), root.level
    root.setLevel(logging.DEBUG)
    yield kept
    root.setLevel(level)
    handler.setStream(before)


@pytest.fixture
def everywhere(lines, servers, logins, variables) -> Everywhere:
    return Everywhere(lines, servers, logins, variables["REDIS_URL"])


@pytest.fixture
async def kanarek(everywhere, visitor, worker, mailbox) -> Person:
    """The owner of the company whose words are looked for."""
    return await founded("Kanarek", EMAIL, "5260250274", visitor(), worker, mailbox)


@pytest.fixture
async def walked(
    kanarek, visitor, worker, tools, mailbox, register, run_daily_check, monkeypatch
) -> str:
    """The main path, with everything that may go wrong on it; returns the driver's id."""
    register.says["QX918273"] = answer("QX918273", notes=(NOTES,))
    async with tools.database.tenant(TenantId(await kanarek.tenant_id(worker))) as session:
        await session.execute(text("UPDATE tenant SET company_name = 'Kanarkowo'"))
    driver = await kanarek.adds("QX918273", DRIVER["firstName"], DRIVER["lastName"])
    twice = await kanarek.post("/api/drivers", DRIVER)
    assert twice.status_code == 409
    await run_daily_check()
    await kanarek.put(f"/api/drivers/{driver}", RENAMED)
    register.says["QX918274"] = RegisterError(
        RegisterTrouble.UNAVAILABLE, f"no answer about {RENAMED}"
    )
    refused = await kanarek.post(f"/api/drivers/{driver}/verify")
    assert refused.status_code in {502, 503}
    await run_daily_check()
    register.says["QX918274"] = RuntimeError(f"a bug about {RENAMED}")
    await kanarek.post(f"/api/drivers/{driver}/verify")
    register.says["QX918274"] = withheld("QX918274")
    for broken in (
        DeliveryError(f"no mailbox {EMAIL}"),
        AccountError(f"no credit to write to {EMAIL}"),
        RuntimeError(f"a bug with {EMAIL} about {DRIVER}"),
    ):
        mailbox.broken = broken
        await kanarek.post("/api/verify-email/send")
        await deliver(worker)
    mailbox.broken = None
    assert (await kanarek.post(f"/api/drivers/{driver}/verify")).status_code == 200
    await deliver(worker)
    stranger = visitor()
    wrong = {"email": EMAIL, "password": "Nie0to0haslo"}
    assert (await stranger.post("/api/login", json=wrong)).status_code == 401
    await stranger.post("/api/register", json={**wrong, "language": "pl"})
    await stranger.post("/api/request-password-reset", json={"email": EMAIL})
    assert (await kanarek.post("/api/help/ticket", TICKET)).status_code == 201
    assert (await stranger.post("/api/contact", json=CONTACT)).status_code == 201
    for path in ("/api/user", "/api/drivers", "/api/notifications", "/api/company/export"):
        assert (await kanarek.get(path)).status_code == 200
    await pass_on_messages(worker)
    await deliver(worker)
    # A database that fails in mid-request: its message quotes the row.
    with monkeypatch.context() as patched:
        patched.setattr(
            "prawko.drivers.service.sort_key", lambda *names: 1 / len([]) if names else None
        )
        assert await kanarek.post("/api/drivers", {**DRIVER, "licenseNumber": "QX918275"})
    return driver


async def test_logs_and_redis_hold_ids_alone(walked, kanarek, worker, everywhere) -> None:
    words = [*OF_THE_DRIVER, *OF_THE_COMPANY, PASSWORD]
    logs, rings = everywhere.logs(), await everywhere.redis()

    assert "delivery_" in logs  # the path was talkative
    assert "request_failed" in logs
    assert "deliver_pending" in rings
    assert found(words, logs) == []
    assert found(words, rings) == []
    assert str(await kanarek.tenant_id(worker)) not in rings


async def test_nothing_of_a_removed_driver_is_left_anywhere(walked, kanarek, everywhere) -> None:
    told = set(found(OF_THE_DRIVER, await everywhere.database()))
    assert told == set(OF_THE_DRIVER) - {NOTES} | ({NOTES} & told)
    assert {"Gżegżółka", "QX918273", "QX918274"} <= told

    assert (await kanarek.delete(f"/api/drivers/{walked}")).status_code == 200

    assert found(OF_THE_DRIVER, await everywhere.database()) == []
    assert (await kanarek.get("/api/notifications")).json() == []
    assert found(OF_THE_DRIVER, everywhere.logs() + await everywhere.redis()) == []


async def test_a_message_about_a_removed_driver_does_not_leave(
    walked, kanarek, worker, register, mailbox, run_daily_check
) -> None:
    mailbox.broken = DeliveryError("later")
    register.says["QX918274"] = answer("QX918274")
    await kanarek.post(f"/api/drivers/{walked}/verify")  # the licence is back
    await deliver(worker)
    mailbox.broken = None
    mailbox.sent.clear()
    async with worker.database.system() as session:
        await session.execute(text("UPDATE delivery SET next_try_at = now() - interval '1 hour'"))
        waiting = await session.scalar(
            text("SELECT count(*) FROM delivery WHERE state = 'pending' AND kind = 'notice'")
        )
    assert waiting

    await kanarek.delete(f"/api/drivers/{walked}")
    await deliver(worker)

    assert found(OF_THE_DRIVER, str(mailbox.sent)) == []


async def test_nothing_of_an_erased_company_is_left_anywhere(
    walked, kanarek, celina, worker, logins, everywhere, tools
) -> None:
    await celina.adds("CC777777", "Cezary", "Rywal")
    company = await kanarek.tenant_id(worker)
    before = await everywhere.database()
    words = [*OF_THE_DRIVER, *OF_THE_COMPANY, str(company)]
    assert {*OF_THE_COMPANY, str(company)} <= set(found(words, before))
    rivals = [line for line in before.split("\n") if str(await celina.tenant_id(worker)) in line]
    assert len(rivals) > 3

    owner = Database(logins.owner, pool_size=1)
    async with owner.tenant(TenantId(company)) as session:
        erased = await erase_company(session)
    await owner.close()

    assert erased.people == 1
    after = await everywhere.database()
    assert found(words, after) == []
    assert [line for line in after.split("\n") if line in rivals] == rivals
    assert "trial_claim: " in after  # the digests stay, nobody's now
    assert found(words[:-1], everywhere.logs() + await everywhere.redis()) == []
    assert (await kanarek.get("/api/user")).status_code == 401
    again = await kanarek.post("/api/login", {"email": EMAIL, "password": PASSWORD})
    assert again.status_code == 401


async def test_a_person_of_two_companies_stays_when_one_is_erased(
    kanarek, celina, worker, logins, servers
) -> None:
    acme, rival = await kanarek.tenant_id(worker), await celina.tenant_id(worker)
    async with overseen(servers, logins) as whole:
        await whole.admin.execute("""
            INSERT INTO membership (tenant_id, user_id, role, created_at)
            SELECT $1, user_id, 'member', now() FROM membership WHERE tenant_id = $2
        """, rival, acme)  # fmt: skip
    owner = Database(logins.owner, pool_size=1)
    async with owner.tenant(TenantId(acme)) as session:
        assert (await erase_company(session)).people == 0
    await owner.close()

    await kanarek.signs_in()
    assert (await kanarek.get("/api/user")).json()["email"] == EMAIL


async def test_who_founds_the_business_anew_has_had_the_trial(
    kanarek, visitor, worker, mailbox, logins, tools
) -> None:
    owner = Database(logins.owner, pool_size=1)
    async with owner.tenant(TenantId(await kanarek.tenant_id(worker))) as session:
        await erase_company(session)
    await owner.close()

    again = Person(EMAIL, visitor())
    await again.signs_up()
    await again.verifies(worker, mailbox)
    refused = await again.post("/api/subscription/start-trial", {"taxId": "5260250274"})

    assert refused.status_code == 409
    assert refused.json()["error"] == "trial_used"
