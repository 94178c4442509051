"""One request is one transaction: a rejected request changes nothing and enqueues nothing."""

import asyncio
import json

import pytest
from litestar import post
from litestar.di import NamedDependency
from sqlalchemy import text

from prawko.accounts.guards import requires_login
from prawko.apps.web.app import create_app
from prawko.kit.context import AppContext
from prawko.kit.http.schemas import OkOut
from prawko.kit.work.jobs import job
from prawko_tenants.sessions import TenantSession
from support.database import count_rows, execute_as_owner
from support.people import PASSWORD, Person

pytestmark = pytest.mark.anyio

RENAME = text("UPDATE tenant SET company_name = 'Renamed'")


class Gate:
    """Blocks a request inside its transaction until the test opens the gate."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.open = asyncio.Event()


@job(timeout=5)
async def enqueued_job(context: AppContext) -> None:
    """Does nothing."""


def slow_rename(gate: Gate, fail: bool = False):
    @post("/api/test/rename", guards=[requires_login], status_code=200)
    async def rename(
        session: NamedDependency[TenantSession], context: NamedDependency[AppContext]
    ) -> OkOut:
        await session.execute(RENAME)
        context.enqueue_on_commit(session, enqueued_job)
        context.enqueue_on_commit(session, enqueued_job)  # equal jobs are enqueued once
        gate.reached.set()
        await gate.open.wait()
        if fail:
            raise RuntimeError("on purpose")
        return OkOut(ok=True)

    return rename


@pytest.fixture
def gate() -> Gate:
    return Gate()


async def fetch_company_name(person: Person) -> str:
    return (await person.get("/api/user")).json()["companyName"]


async def sign_up_at_slow_route(context, browser_for_app, gate, fail=False) -> Person:
    """Sign up Anna at an application with the slow route."""
    person = Person(
        "anna@acme.test",
        browser_for_app(create_app(context, extra_handlers=[slow_rename(gate, fail)])),
    )
    await person.sign_up()
    return person


async def test_a_session_revoked_meanwhile_rolls_the_write_back(
    context, browser_for_app, gate
) -> None:
    anna = await sign_up_at_slow_route(context, browser_for_app, gate)
    second = Person(anna.email, browser_for_app(context))
    await second.sign_in()

    pending = asyncio.create_task(anna.post("/api/test/rename"))
    await gate.reached.wait()
    async with context.database.system() as session:
        await session.execute(
            text(
                "UPDATE login_session SET revoked_at = now() WHERE token_hash = "
                "(SELECT token_hash FROM login_session ORDER BY id LIMIT 1)"
            )
        )
    gate.open.set()
    answer = await pending

    assert answer.status_code == 401
    assert answer.json()["error"] == "auth_required"
    assert await fetch_company_name(second) == ""


async def test_a_session_revoked_while_the_body_arrives_stores_nothing_in_a_global_table(
    anna, logins
) -> None:
    message = {"name": "Anna", "email": "anna@acme.test", "company": "Acme", "driversCount": 5,
               "message": "Proszę o ofertę."}  # fmt: skip

    async def revoke_in_between():
        body = json.dumps(message).encode()
        yield body[:5]
        await execute_as_owner(logins, "UPDATE login_session SET revoked_at = now()")
        yield body[5:]

    answer = await anna.browser.post(
        "/api/contact", content=revoke_in_between(), headers={"Content-Type": "application/json"}
    )

    assert (answer.status_code, answer.json()["error"]) == (401, "auth_required")
    assert await count_rows(logins, "contact_message") == 0


async def test_a_failure_saves_nothing_and_enqueues_nothing(
    context, browser_for_app, gate, enqueued_jobs
) -> None:
    anna = await sign_up_at_slow_route(context, browser_for_app, gate, fail=True)
    before = len(enqueued_jobs)
    gate.open.set()

    answer = await anna.post("/api/test/rename")

    assert answer.status_code == 500
    assert answer.json() == {
        "error": "server_error",
        "message": "Wystąpił błąd serwera. Spróbuj ponownie później.",
    }
    assert await fetch_company_name(anna) == ""
    assert len(enqueued_jobs) == before


async def test_a_job_is_enqueued_after_the_commit(
    context, browser_for_app, gate, enqueued_jobs
) -> None:
    anna = await sign_up_at_slow_route(context, browser_for_app, gate)
    before = len(enqueued_jobs)
    pending = asyncio.create_task(anna.post("/api/test/rename"))
    await gate.reached.wait()
    assert len(enqueued_jobs) == before

    gate.open.set()
    await pending

    assert [name for name, _ in enqueued_jobs[before:]] == [enqueued_job.name]
    assert await fetch_company_name(anna) == "Renamed"


async def test_an_unreachable_database_is_answered_with_503(
    context, browser_for_app, servers
) -> None:
    person = Person("anna@acme.test", browser_for_app(context))
    await person.sign_up()

    await asyncio.to_thread(servers.restart_postgres, immediate=True)
    answers = [await person.get("/api/user") for _ in range(3)]

    assert {answer.status_code for answer in answers} <= {200, 503}
    for answer in answers:
        if answer.status_code == 503:
            assert answer.json()["error"] == "unavailable"
            assert int(answer.headers["Retry-After"]) > 0
    login = {"email": person.email, "password": PASSWORD}
    assert (await person.post("/api/login", login)).status_code in {200, 503}
    assert (await person.get("/api/user")).status_code == 200
