"""Companies in the console: the list, and what operators do about one."""

import asyncio
import json
from datetime import date, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import update

from prawko.billing.repository import SubscriptionRepository
from prawko.kit.clock import warsaw_date
from prawko.personal_data.export import DataExporter
from prawko_tenants.ids import TenantId
from prawko_tenants.models import Tenant
from support.archives import json_rows, open_archive
from support.database import count_rows, execute_as_owner, fetch_rows, insert_subscription
from support.people import Person
from support.statements import record_statements

pytestmark = pytest.mark.anyio

COMPANIES = "/api/admin/companies"
CASES = json.loads(Path(__file__).parents[1].joinpath("kit/typed_text.json").read_text("utf-8"))
REASON = {"reason": "zaległa płatność"}
DRIVER = {"firstName": "Jan", "lastName": "Kowalski", "licenseNumber": "AA123456"}


@pytest.fixture
async def acme(anna, worker) -> TenantId:
    """Anna's company, with a subscription of thirty days."""
    tenant_id = TenantId(await anna.tenant_id(worker))
    await insert_subscription(anna, worker)
    async with worker.database.tenant(tenant_id) as session:
        await session.execute(
            update(Tenant).values(company_name="Acme Sp. z o.o.", tax_id="5260250274")
        )
    return tenant_id


async def list_actions(logins) -> list[tuple[str, str | None]]:
    rows = await fetch_rows(
        logins, "SELECT action_type, reason, tenant_id FROM admin_action ORDER BY sequence"
    )
    return [(row["action_type"], row["reason"]) for row in rows]


async def act(olga: Person, id_: object, act_: str, **body: object) -> dict[str, object]:
    answer = await olga.post(f"{COMPANIES}/{id_}/{act_}", {**REASON, **body})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def refusal(olga: Person, id_: object, act_: str, body: dict[str, object]):
    answer = await olga.post(f"{COMPANIES}/{id_}/{act_}", body)
    return answer.status_code, answer.json()["error"]


async def test_companies_are_listed_found_and_sorted(olga, anna, celina, acme) -> None:
    companies = {one["id"]: one for one in (await olga.get(COMPANIES)).json()}
    company = companies[str(acme)]
    assert [company[name] for name in ("name", "taxId", "email", "status", "driverLimit")] == [
        "Acme Sp. z o.o.", "5260250274", anna.email, "active", 5,
    ]  # fmt: skip
    assert (company["driversCount"], company["suspended"], company["cancelled"]) == (
        0, False, False,
    )  # fmt: skip
    for text in ("ACME", "5260250274", anna.email.upper()):
        found = await olga.get(COMPANIES, params={"filter": f'{{"q":"{text}"}}'})
        assert [one["id"] for one in found.json()] == [str(acme)], text
    for field in ("name", "createdAt", "driversCount", "driverLimit", "endDate"):
        for direction in ("ASC", "DESC"):
            answer = await olga.get(COMPANIES, params={"sort": f'["{field}","{direction}"]'})
            assert len(answer.json()) == len(companies), field
    for status, count in (("active", 2), ("inactive", 0), ("none", len(companies) - 2)):
        answer = await olga.get(COMPANIES, params={"filter": f'{{"status":"{status}"}}'})
        assert len(answer.json()) == count
    many = await olga.get(COMPANIES, params={"filter": f'{{"id":["{acme}","{uuid4()}"]}}'})
    assert len(many.json()) == 1


async def test_companies_have_the_order_and_the_search_of_drivers(olga, logins) -> None:
    names = [name for name in CASES["ordered"] if name.isascii() or name < "Ѐ"]
    stored = json.dumps([*{*names, *CASES["found"].values()}])
    await execute_as_owner(
        logins,
        f"""
        ALTER TABLE tenant NO FORCE ROW LEVEL SECURITY;
        INSERT INTO tenant (id, company_name, created_at, updated_at)
        SELECT gen_random_uuid(), name, now(), now()
          FROM jsonb_array_elements_text($${stored}$$) AS name;
        ALTER TABLE tenant FORCE ROW LEVEL SECURITY
        """,
    )

    async def list_names(**params: str) -> list[str]:
        listed = await olga.get(COMPANIES, params={"range": "[0,99]", **params})
        return [one["name"] for one in listed.json()]

    by_name = await list_names(sort='["name","ASC"]')
    assert [name for name in by_name if name in names] == names
    for query, name in CASES["found"].items():
        assert name in await list_names(filter=json.dumps({"q": query})), query


async def test_a_list_takes_a_constant_number_of_statements(olga, new_browser) -> None:
    counts = []
    for number in range(3):
        await Person(f"person{number}@example.com", new_browser()).sign_up()
        with record_statements() as statements:
            await olga.get(COMPANIES)
        counts.append(len(statements))
    assert len(set(counts)) == 1


async def test_a_suspended_company_is_closed_until_an_operator_resumes_it(
    olga, anna, acme, logins
) -> None:
    suspended = await act(olga, acme, "suspend")
    assert (suspended["suspended"], suspended["status"]) == (True, "inactive")
    assert (await anna.post("/api/drivers", DRIVER)).status_code == 403
    assert await refusal(olga, acme, "suspend", REASON) == (409, "company_suspended")
    assert await refusal(olga, acme, "extend", {**REASON, "days": 1}) == (409, "company_suspended")
    resumed = await act(olga, acme, "resume")
    assert (resumed["suspended"], resumed["status"]) == (False, "active")
    assert (await anna.post("/api/drivers", DRIVER)).status_code == 201
    assert await refusal(olga, acme, "resume", REASON) == (409, "company_not_suspended")
    assert await list_actions(logins) == [
        ("company_suspended", REASON["reason"]), ("company_resumed", REASON["reason"]),
    ]  # fmt: skip


def last_day(company: dict[str, object]) -> date:
    return warsaw_date(datetime.fromisoformat(str(company["endDate"])))


async def test_an_extension_adds_to_a_period_that_is_paid_meanwhile(
    olga, acme, worker, logins
) -> None:
    async with worker.database.tenant(acme) as session:
        _, current = await SubscriptionRepository(session).lock_current()
        extension = asyncio.create_task(act(olga, acme, "extend", days=14))
        async with asyncio.timeout(20):
            while not await count_rows(logins, "pg_locks WHERE NOT granted"):
                await asyncio.wait([extension], timeout=0.02)
        current.end_date = paid_until = current.end_date + timedelta(days=30)

    assert last_day(await extension) == warsaw_date(paid_until) + timedelta(days=14)


async def test_a_subscription_is_extended_from_its_end_or_from_today(
    olga, acme, clock, logins
) -> None:
    before = (await olga.get(f"{COMPANIES}/{acme}")).json()
    extended = await act(olga, acme, "extend", days=14)
    assert (last_day(extended) - last_day(before)).days == 14
    clock.forward(days=100)
    assert (await olga.get(f"{COMPANIES}/{acme}")).json()["status"] == "expired"
    revived = await act(olga, acme, "extend", days=3)
    assert (revived["status"], (last_day(revived) - warsaw_date(clock.now())).days) == ("active", 3)
    for days in (0, 367, -1):
        answer = await olga.post(f"{COMPANIES}/{acme}/extend", {**REASON, "days": days})
        assert answer.status_code == 400
    assert [action for action, _ in await list_actions(logins)] == ["company_extended"] * 2


async def test_a_company_is_erased_with_its_people(olga, anna, acme, worker, logins) -> None:
    assert await refusal(olga, acme, "erase", {}) == (422, "reason_required")
    erased = await act(olga, acme, "erase")
    assert erased == {"id": str(acme), "people": 1}
    assert (await olga.get(f"{COMPANIES}/{acme}")).status_code == 404
    assert (await anna.get("/api/user")).status_code == 401
    assert await refusal(olga, acme, "erase", REASON) == (404, "not_found")
    [action] = (await olga.get("/api/admin/actions")).json()
    assert (action["actionType"], action["companyId"], action["companyName"]) == (
        "company_erased", str(acme), None,
    )  # fmt: skip


async def test_a_company_is_exported_with_its_drivers_and_no_others(
    olga, anna, celina, acme, worker, logins
) -> None:
    await anna.add_driver("AA123456", "Jan", "Kowalski")
    await celina.add_driver("CC777777", "Cezary", "Rywal")
    for company, names in ((acme, ["Jan"]), (await celina.tenant_id(worker), ["Cezary"])):
        archive = open_archive(await olga.post(f"{COMPANIES}/{company}/export", REASON))
        assert [driver["firstName"] for driver in json_rows(archive, "drivers")] == names
    empty = open_archive(
        await olga.post(f"{COMPANIES}/{await olga.tenant_id(worker)}/export", REASON)
    )
    assert json_rows(empty, "drivers") == []
    assert await list_actions(logins) == [("company_exported", REASON["reason"])] * 3


async def test_what_is_not_recorded_is_not_exported(olga, acme, logins, monkeypatch) -> None:
    read: list[object] = []
    monkeypatch.setattr(DataExporter, "export_company", lambda *_: read.append(1))
    assert await refusal(olga, acme, "export", {}) == (422, "reason_required")
    assert await refusal(olga, uuid4(), "export", REASON) == (404, "not_found")
    assert await refusal(olga, "nonsense", "export", REASON) == (404, "not_found")
    assert read == []
    assert await list_actions(logins) == []


async def test_the_last_operator_remains(olga, worker, logins) -> None:
    company = await olga.tenant_id(worker)
    assert await refusal(olga, company, "erase", REASON) == (409, "last_operator")
    assert await list_actions(logins) == []


async def test_an_act_without_a_reason_or_a_subscription_is_refused(
    olga, anna, celina, acme, worker, logins
) -> None:
    for act_, body in (("suspend", {}), ("extend", {"days": 1}), ("erase", {"reason": "  "})):
        assert await refusal(olga, acme, act_, body) == (422, "reason_required")
    rival = await olga.tenant_id(worker)
    assert (await olga.get(f"{COMPANIES}/{rival}")).json()["status"] == "none"
    assert await refusal(olga, rival, "suspend", REASON) == (409, "no_subscription")
    assert await refusal(olga, uuid4(), "suspend", REASON) == (404, "not_found")
    assert await refusal(olga, "nonsense", "suspend", REASON) == (404, "not_found")
    assert await list_actions(logins) == []


async def test_who_is_no_operator_learns_nothing(anna, celina, new_browser, acme, logins) -> None:
    visitor = Person("", new_browser())
    for person, status in ((visitor, 401), (anna, 403), (celina, 403)):
        for id_ in (acme, uuid4(), "nonsense"):
            assert (await person.get(f"{COMPANIES}/{id_}")).status_code == status
            for act_ in ("suspend", "resume", "extend", "export", "erase"):
                answer = await person.post(f"{COMPANIES}/{id_}/{act_}", REASON)
                assert answer.status_code == status, act_
        assert (await person.get(COMPANIES)).status_code == status
    assert await list_actions(logins) == []
