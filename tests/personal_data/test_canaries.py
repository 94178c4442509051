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
        await session.execute(
            text("UPDATE user_account SET phone_number = :phone WHERE email_key = :email"),
            {"phone": PHONE, "email": EMAIL},
        )
    await kanarek.post("/api/notifications/send-verification-sms", {"phoneNumber": PHONE})
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


async def test_nothing_is_left_of_a_removed_driver_and_then_of_the_erased_company(
    walked, kanarek, celina, worker, logins, everywhere
) -> None:
    await celina.adds("CC777777", "Cezary", "Rywal")
    before = await everywhere.database()
    assert set(found(OF_THE_DRIVER, before)) == {*DRIVER.values(), *RENAMED.values(), NOTES}

    assert (await kanarek.delete(f"/api/drivers/{walked}")).status_code == 200

    assert found(OF_THE_DRIVER, await everywhere.database()) == []
    assert (await kanarek.get("/api/notifications")).json() == []

    company = await kanarek.tenant_id(worker)
    words = [*OF_THE_DRIVER, *OF_THE_COMPANY, str(company)]
    assert set(found(words, before)) == set(words)
    rival = str(await celina.tenant_id(worker))
    rivals = [line for line in before.split("\n") if rival in line]
    assert len(rivals) > 3

    assert await erased(logins, company) == 1

    after = await everywhere.database()
    assert found(words, after) == []
    assert [line for line in after.split("\n") if line in rivals] == rivals
    assert "trial_claim: " in after  # the digests stay, nobody's now
    assert found(words[:-1], everywhere.logs() + await everywhere.redis()) == []
    assert (await kanarek.get("/api/user")).status_code == 401
    again = await kanarek.post("/api/login", {"email": EMAIL, "password": PASSWORD})
    assert again.status_code == 401


async def test_a_message_about_a_removed_driver_does_not_leave(
    anna, worker, register, mailbox, run_daily_check
) -> None:
    register.says["QX918273"] = withheld("QX918273")
    driver = await anna.adds("QX918273", DRIVER["firstName"], DRIVER["lastName"])
    mailbox.broken = DeliveryError("later")
    await run_daily_check()
    mailbox.broken = None
    async with worker.database.system() as session:
        waiting = await session.scalars(
            text(
                "UPDATE delivery SET next_try_at = now() - interval '1 hour'"
                " WHERE state = 'pending' AND kind = 'notice' RETURNING id"
            )
        )
        assert waiting.all()

    await anna.delete(f"/api/drivers/{driver}")
    await deliver(worker)

    assert found(OF_THE_DRIVER, str(mailbox.sent)) == []


async def erased(logins, company) -> int:
    """Erase as an operator does; how many people went."""
    owner = Database(logins.owner, pool_size=1)
    async with owner.tenant(TenantId(company)) as session:
        gone = await erase_company(session)
    await owner.close()
    return gone.people


async def test_a_person_of_two_companies_stays_when_one_is_erased(
    kanarek, celina, worker, logins, servers, everywhere
) -> None:
    acme, rival = await kanarek.tenant_id(worker), await celina.tenant_id(worker)
    async with overseen(servers, logins) as whole:
        await whole.admin.execute("""
            INSERT INTO membership (tenant_id, user_id, role, created_at)
            SELECT $1, user_id, 'member', now() FROM membership WHERE tenant_id = $2
        """, rival, acme)  # fmt: skip
    assert await erased(logins, acme) == 0

    assert str(acme) not in await everywhere.database()
    await kanarek.signs_in()
    assert (await kanarek.get("/api/user")).json()["email"] == EMAIL


async def test_who_founds_the_business_anew_has_had_the_trial(
    kanarek, visitor, worker, mailbox, logins, tools
) -> None:
    await erased(logins, await kanarek.tenant_id(worker))

    again = Person(EMAIL, visitor())
    await again.signs_up()
    await again.verifies(worker, mailbox)
    refused = await again.post("/api/subscription/start-trial", {"taxId": "5260250274"})

    assert refused.status_code == 409
    assert refused.json()["error"] == "trial_used"
