"""Many requests of one company at once delay that company, and no other."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from litestar import get, post
from litestar.di import NamedDependency
from sqlalchemy import text

from prawko.accounts.guards import requires_login
from prawko.apps.web.app import create_app
from prawko.kit.http.concurrency_limit import MAX_PROVIDER_REQUESTS, MAX_REQUESTS
from prawko.kit.http.schemas import OkOut
from prawko_tenants.sessions import TenantSession
from support.people import Person

pytestmark = pytest.mark.anyio

LOCK_COMPANY = text("SELECT id FROM tenant FOR NO KEY UPDATE")
# They wait for a register or a payment provider, and take no slot that other calls need.
CALLING = {"checkDriver", "createCheckoutSession", "changeLimit", "cancelSubscription"}


@asynccontextmanager
async def locked_company(worker, person):
    """Lock the rows of a person's company, as an import of many drivers does."""
    async with worker.database.tenant(await person.tenant_id(worker)) as session:
        await session.execute(LOCK_COMPANY)
        yield


async def test_requests_that_wait_for_each_other_leave_connections_to_others(
    anna, celina, worker
) -> None:
    own = {"groups": ["status"]}
    async with locked_company(worker, anna):
        waiting = [
            asyncio.create_task(anna.put("/api/alert-recipients/own", own)) for _ in range(20)
        ]
        await asyncio.sleep(0.5)
        async with asyncio.timeout(10):
            assert (await celina.put("/api/alert-recipients/own", own)).status_code == 200
            assert (await celina.get("/health/ready")).status_code == 200
        assert not any(task.done() for task in waiting)
    answers = await asyncio.gather(*waiting)

    assert {answer.status_code for answer in answers} == {200}


class Visits:
    """Requests that stay until `leave` is set."""

    def __init__(self) -> None:
        self.present = self.most = 0
        self.leave = asyncio.Event()

    async def stay(self) -> OkOut:
        self.present += 1
        self.most = max(self.most, self.present)
        await self.leave.wait()
        self.present -= 1
        return OkOut(ok=True)


@pytest.mark.parametrize(
    ("options", "most"), [({}, MAX_REQUESTS), ({"calls_provider": True}, MAX_PROVIDER_REQUESTS)]
)
async def test_a_company_has_so_many_requests_at_a_time(
    context, anna, browser_for_app, options, most
) -> None:
    visits = Visits()

    @post("/api/test/stay", guards=[requires_login], status_code=200, opt=options)
    async def stay() -> OkOut:
        return await visits.stay()

    @get("/api/test/quick", guards=[requires_login])
    async def quick(session: NamedDependency[TenantSession]) -> OkOut:
        await session.execute(text("SELECT 1"))
        return OkOut(ok=True)

    app = create_app(context, extra_handlers=[stay, quick])
    browser = browser_for_app(app)
    browser.cookies = anna.browser.cookies
    person = Person(anna.email, browser)

    requests = [asyncio.create_task(person.post("/api/test/stay")) for _ in range(9)]
    await asyncio.sleep(0.5)
    if options:  # a request that waits does not delay a colleague's screen
        assert (await person.get("/api/test/quick")).status_code == 200
    visits.leave.set()
    answers = await asyncio.gather(*requests)

    assert {answer.status_code for answer in answers} == {200}
    assert visits.most == most


async def test_a_request_that_finds_no_slot_in_time_is_refused(
    context, anna, celina, browser_for_app, monkeypatch
) -> None:
    monkeypatch.setattr("prawko.kit.http.concurrency_limit.MAX_WAIT_SECONDS", 0.3)
    visits = Visits()

    @post("/api/test/stay", guards=[requires_login], status_code=200, opt={"calls_provider": True})
    async def stay() -> OkOut:
        return await visits.stay()

    app = create_app(context, extra_handlers=[stay])

    def open_person(person: Person) -> Person:
        browser = browser_for_app(app)
        browser.cookies = person.browser.cookies
        return Person(person.email, browser)

    hanging = [
        asyncio.create_task(open_person(anna).post("/api/test/stay"))
        for _ in range(MAX_PROVIDER_REQUESTS)
    ]
    await asyncio.sleep(0.2)
    async with asyncio.timeout(5):
        third = await open_person(anna).post("/api/test/stay")
        others = asyncio.create_task(open_person(celina).post("/api/test/stay"))
        await asyncio.sleep(0.2)
    visits.leave.set()
    answers = await asyncio.gather(*hanging, others)

    assert (third.status_code, third.json()["error"]) == (503, "unavailable")
    assert third.headers["Retry-After"] == "5"
    assert {answer.status_code for answer in answers} == {200}


async def test_the_calls_that_wait_for_providers_are_marked(context) -> None:
    found = {
        handler.operation_id
        for route in create_app(context).routes
        for handler in getattr(route, "route_handlers", ())
        if handler.opt.get("calls_provider")
    }

    assert found == CALLING
