"""Permissions of every call of the console, for every kind of caller.

A new call fails here until CALLS lists it. Who is no operator gets the same bytes from all of them,
whatever exists.
"""

import base64
import uuid
from typing import Any

import pytest

from prawko.apps.web.console_app import create_console_app
from support.applications import get_app
from support.bank_statements import PEKAO
from support.database import execute_as_owner, fetch_rows
from support.openapi import CONSOLE, read_operations
from support.people import Person, create_operator
from support.revoked_requests import (
    list_unsafe_operations,
    read_everything,
    request_while_revoked,
    token_of,
)

pytestmark = pytest.mark.anyio

REASON = {"reason": "Klient prosił"}
STATEMENT = {
    "contentBase64": base64.b64encode(PEKAO.encode()).decode(), "filename": "historia.csv",
}  # fmt: skip
TRANSFER = {"title": "PRAWKO 7F3K 9QX2 ABCD", "amount": 18327, "reference": "2026/11/21/1"}

# operation: body, and the status for an operator who asks for rows that exist.
CALLS: dict[str, tuple[Any, int]] = {
    "getStats": (None, 200),
    "getOperatorSession": (None, 200),
    "listUsers": (None, 200),
    "findUser": (None, 200),
    "getUserHistory": (None, 200),
    "changeUser": ({"driverLimit": 10, **REASON}, 200),
    "deleteUser": (REASON, 200),
    "impersonateUser": (REASON, 200),
    "bookTransfer": (TRANSFER, 409),
    "listCompanies": (None, 200),
    "getCompany": (None, 200),
    "suspendCompany": (REASON, 200),
    "resumeCompany": (REASON, 409),
    "extendCompany": ({"days": 7, **REASON}, 200),
    "exportCompany": (REASON, 200),
    "eraseCompany": (REASON, 200),
    "listCheckRuns": (None, 200),
    "getCheckRun": (None, 404),
    "pauseDailyCheck": (REASON, 200),
    "resumeDailyCheck": (REASON, 409),
    "retryCheckRun": (REASON, 404),
    "listQuarantinedChanges": (None, 200),
    "approveChanges": (REASON, 409),
    "rejectChanges": (REASON, 409),
    "listDeliveries": (None, 200),
    "getDelivery": (None, 200),
    "getDeliverySummary": (None, 200),
    "resendDelivery": (REASON, 409),
    "listPayments": (None, 200),
    "listRefunds": (None, 200),
    "listDiscrepancies": (None, 200),
    "getDiscrepancy": (None, 200),
    "resolveDiscrepancy": ({"note": "Oddano przelewem", **REASON}, 200),
    "refundDiscrepancy": ({"amountGrosze": 1, **REASON}, 409),
    "previewStatement": (STATEMENT, 409),
    "bookStatement": ({**STATEMENT, "lines": [0], **REASON}, 409),
    "listTickets": (None, 200),
    "getTicket": (None, 200),
    "answerTicket": ({"text": "Już sprawdzamy.", **REASON}, 200),
    "closeTicket": (REASON, 200),
    "reopenTicket": (REASON, 409),
    "listContactMessages": (None, 200),
    "getContactMessage": (None, 200),
    "answerContactMessage": ({"text": "Już piszemy.", **REASON}, 200),
    "closeContactMessage": (REASON, 200),
    "reopenContactMessage": (REASON, 409),
    "listPlugins": (None, 200),
    "checkPlugins": (None, 200),
    "listIncidents": (None, 200),
    "getIncident": (None, 200),
    "closeIncident": (REASON, 200),
    "listAdminActions": (None, 200),
    "verifyAdminActions": (None, 200),
    "getCharts": (None, 200),
}
CONTACT = {
    "name": "Jan", "email": "jan@example.com", "company": "Trans", "driversCount": 1,
    "message": "Ile to kosztuje?",
}  # fmt: skip
INCIDENT = """
    INSERT INTO incident (id, kind, key, opened_at, detail)
    VALUES ($1, 'run_late', '2026-11-22', now(), '')
"""
DISCREPANCY = """
    INSERT INTO payment_discrepancy (id, kind, provider, reference, provider_ref, grosze, currency,
                                     detail, detected_at)
    VALUES ($1, 'unknown_payment', 'none', '', '1', 100, 'PLN', '', now())
"""
# Operations that answer with rows of an id, 404 without one.
NO_ROUTES = (
    ("GET", "/api/admin"), ("GET", "/api/admin/"), ("GET", "/api/admin/no/such/call"),
    ("PATCH", "/api/admin/users"), ("DELETE", "/api/admin/stats"), ("OPTIONS", "/api/admin/users"),
    ("GET", "/api/admin/openapi/openapi.json"), ("POST", "/api/admin/users/x/history"),
)  # fmt: skip


OPERATIONS = {
    name: (verb, path)
    for name, (verb, path) in read_operations(CONSOLE).items()
    if path.startswith("/api/admin/")
}
WRITES = [name for name in CALLS if OPERATIONS[name][0] != "GET"]
HARMLESS = [name for name, (_, status) in CALLS.items() if name not in WRITES or status >= 400]


def filled_path(path: str, ids: dict[str, str]) -> str:
    """The path with the id of its resource's record, or its person."""
    resource = path.removeprefix("/api/admin/").partition("/")[0]
    return path.format(**ids, record_id=ids.get(resource, ""))


async def call_operation(person: Person, operation: str, ids: dict[str, str]):
    verb, path = OPERATIONS[operation]
    return await person.browser.request(verb, filled_path(path, ids), json=CALLS[operation][0])


@pytest.fixture
async def existing_ids(anna, worker, logins) -> dict[str, str]:
    """Ids of rows that exist."""
    [row] = await fetch_rows(logins, "SELECT id FROM user_account WHERE email_key = $1", anna.email)
    await anna.post("/api/help/ticket", {"subject": "Pytanie", "message": "Gdzie jest faktura?"})
    await anna.post("/api/contact", CONTACT)
    incident, discrepancy = uuid.uuid4(), uuid.uuid4()
    for sql, id_ in ((INCIDENT, incident), (DISCREPANCY, discrepancy)):
        await execute_as_owner(logins, sql, id_)
    others = {
        name: str((await fetch_rows(logins, f"SELECT id FROM {table} ORDER BY id"))[0]["id"])
        for name, table in (
            ("deliveries", "delivery"), ("tickets", "support_ticket"),
            ("contact-messages", "contact_message"),
        )
    }  # fmt: skip
    return {
        "user_id": str(row["id"]), "users": str(row["id"]),
        "companies": str(await anna.tenant_id(worker)), "check-runs": "2026-11-22",
        "incidents": str(incident), "discrepancies": str(discrepancy),
        **others,
    }  # fmt: skip


@pytest.fixture
async def callers(
    new_browser, olga, anna, bartek, celina, unverified, newcomer, logins, existing_ids
) -> dict[str, Person]:
    """Everybody who is no operator."""
    impersonator = await create_operator("ola@prawko.test", new_browser(), logins.owner)
    answer = await impersonator.post(f"/api/admin/impersonate/{existing_ids['user_id']}", REASON)
    assert answer.status_code == 200
    return {
        "visitor": Person("", new_browser()), "unverified": unverified,
        "unsubscribed": newcomer, "rival": celina, "owner": anna, "member": bartek,
        "impersonator": impersonator,
    }  # fmt: skip


def test_the_table_covers_every_call() -> None:
    assert set(OPERATIONS) == set(CALLS)


async def test_who_is_no_operator_learns_nothing(callers, existing_ids, logins) -> None:
    tables = (
        "user_account", "subscription", "subscription_history", "webhook_event", "delivery",
        "support_ticket", "contact_message", "payment_discrepancy", "incident", "check_pause",
    )  # fmt: skip
    before = [await fetch_rows(logins, f"SELECT * FROM {table} ORDER BY 1, 2") for table in tables]
    missing_ids = dict.fromkeys(existing_ids, str(uuid.uuid4()))
    malformed_ids = dict.fromkeys(existing_ids, "no-id-at-all")
    for name, person in callers.items():
        expected = (401, "auth_required") if name == "visitor" else (403, "auth_forbidden")
        answers = [
            await call_operation(person, operation, ids)
            for operation in CALLS
            for ids in (existing_ids, missing_ids, malformed_ids)
        ]
        answers += [await person.browser.request(verb, path) for verb, path in NO_ROUTES]
        assert {(answer.status_code, answer.json()["error"]) for answer in answers} == {expected}
        assert len({answer.content for answer in answers}) == 1, name
        for answer in answers:
            assert answer.headers["cache-control"] == "no-store"
            assert "content-range" not in answer.headers
            assert "allow" not in answer.headers

    after = [await fetch_rows(logins, f"SELECT * FROM {table} ORDER BY 1, 2") for table in tables]
    assert after == before


# What changes nothing, reads and refused calls, shares one company; the others have theirs.
@pytest.mark.parametrize(
    "group", [HARMLESS, *([name] for name in CALLS if name not in HARMLESS)], ids=lambda one: one[0]
)
async def test_an_operator_is_answered(group, olga, existing_ids) -> None:
    for operation in group:
        answer = await call_operation(olga, operation, existing_ids)

        assert answer.status_code == CALLS[operation][1], (operation, answer.text)
        if operation == "exportCompany":
            assert answer.headers["content-type"] == "application/zip"
        else:
            assert answer.json() is not None, operation


@pytest.mark.parametrize("operation", WRITES)
async def test_a_session_revoked_while_the_body_arrives_does_nothing(
    operation, olga, existing_ids, logins, monkeypatch
) -> None:
    verb, path = OPERATIONS[operation]
    token = token_of(olga)
    before = await read_everything(logins, token)

    answer = await request_while_revoked(
        olga, logins, verb, filled_path(path, existing_ids), CALLS[operation][0], monkeypatch
    )

    if CALLS[operation][1] == 200:
        assert (answer.status_code, answer.json()["error"]) == (401, "auth_required")
    assert answer.status_code >= 400
    assert await read_everything(logins, token) == before


async def test_every_route_that_may_change_something_is_among_the_calls(console) -> None:
    unsafe = list_unsafe_operations(get_app(console, create_console_app))

    assert set(unsafe) == set(WRITES)


async def test_an_operator_learns_which_methods_a_path_has(olga) -> None:
    answer = await olga.browser.request("PATCH", "/api/admin/users")

    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.test"}], ids=str
)
async def test_another_sites_page_acts_for_no_operator(olga, anna, existing_ids, headers) -> None:
    path = f"/api/admin/users/{existing_ids['user_id']}"

    answer = await olga.browser.request("DELETE", path, json=REASON, headers=headers)

    assert (answer.status_code, answer.json()["error"]) == (403, "foreign_site")
    assert (await anna.get("/api/user")).status_code == 200
