"""One request is one transaction: what is refused leaves nothing, what waits is told so."""

import asyncio

import pytest
from litestar import post
from litestar.di import NamedDependency
from sqlalchemy import text

from persons import PASSWORD, Person
from prawko.accounts.guards import signed_in
from prawko.base.after_commit import AfterCommit
from prawko.base.jobs import Tools, job
from prawko.base.schemas import Done
from prawko.web.app import create_app
from prawko_tenants.sessions import TenantSession

pytestmark = pytest.mark.anyio

RENAME = text("UPDATE tenant SET company_name = 'Renamed'")


class Gate:
    """Holds a request inside its transaction until the test lets it go."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.open = asyncio.Event()


@job(timeout=5)
async def ringing(tools: Tools) -> None:
    """Only rung for."""


def slow_rename(gate: Gate, fail: bool = False):
    @post("/api/test/rename", guards=[signed_in], status_code=200)
    async def rename(
        session: NamedDependency[TenantSession], later: NamedDependency[AfterCommit]
    ) -> Done:
        await session.execute(RENAME)
        later.put(ringing)
        gate.reached.set()
        await gate.open.wait()
        if fail:
            raise RuntimeError("on purpose")
        return Done(ok=True)

    return rename


@pytest.fixture
def gate() -> Gate:
    return Gate()


async def company_name(person: Person) -> str:
    return (await person.get("/api/user")).json()["companyName"]


async def at_the_slow_route(tools, visitor_of, gate, fail=False) -> Person:
    """Anna at an application that has the slow route as well."""
    person = Person(
        "anna@acme.test", visitor_of(create_app(tools, extra=[slow_rename(gate, fail)]))
    )
    await person.signs_up()
    return person


async def test_a_session_revoked_meanwhile_undoes_the_write(tools, visitor_of, gate) -> None:
    anna = await at_the_slow_route(tools, visitor_of, gate)
    second = Person(anna.email, visitor_of(create_app(tools)))
    await second.signs_in()

    slow = asyncio.create_task(anna.post("/api/test/rename"))
    await gate.reached.wait()
    async with tools.database.system() as session:
        await session.execute(
            text(
                "UPDATE login_session SET revoked_at = now() WHERE token_hash = "
                "(SELECT token_hash FROM login_session ORDER BY id LIMIT 1)"
            )
        )
    gate.open.set()
    answer = await slow

    assert answer.status_code == 401
    assert answer.json()["error"] == "auth_required"
    assert await company_name(second) == ""


async def test_a_failure_keeps_nothing_and_rings_nobody(tools, visitor_of, gate, rings) -> None:
    anna = await at_the_slow_route(tools, visitor_of, gate, fail=True)
    before = len(rings)
    gate.open.set()

    answer = await anna.post("/api/test/rename")

    assert answer.status_code == 500
    assert answer.json() == {
        "error": "server_error",
        "message": "Wystąpił błąd serwera. Spróbuj ponownie później.",
    }
    assert await company_name(anna) == ""
    assert len(rings) == before


async def test_a_ring_leaves_after_the_commit(tools, visitor_of, gate, rings) -> None:
    anna = await at_the_slow_route(tools, visitor_of, gate)
    before = len(rings)
    slow = asyncio.create_task(anna.post("/api/test/rename"))
    await gate.reached.wait()
    assert len(rings) == before

    gate.open.set()
    await slow

    assert [name for name, _ in rings[before:]] == [ringing.name]
    assert await company_name(anna) == "Renamed"


async def test_a_database_that_is_away_is_said_so(tools, visitor_of, servers) -> None:
    person = Person("anna@acme.test", visitor_of(create_app(tools)))
    await person.signs_up()

    await asyncio.to_thread(servers.restart_postgres, immediate=True)
    answers = [await person.get("/api/user") for _ in range(3)]

    assert {a.status_code for a in answers} <= {200, 503}
    for answer in answers:
        if answer.status_code == 503:
            assert answer.json()["error"] == "unavailable"
            assert int(answer.headers["Retry-After"]) > 0
    login = {"email": person.email, "password": PASSWORD}
    assert (await person.post("/api/login", login)).status_code in {200, 503}
    assert (await person.get("/api/user")).status_code == 200
