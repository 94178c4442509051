"""Permissions of every operation of the OpenAPI document, for every kind of caller.

A new operation fails here until PERMISSIONS lists who may call it.
"""

import re
import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from prawko.accounts.guards import requires_login, requires_right, requires_verified_email
from prawko.accounts.roles import ACT, CompanyAct, Role, may_do
from prawko.apps.web.openapi import format_roles
from prawko.invoices.jobs import build_due_invoices
from prawko.kit.clock import warsaw_date
from prawko_testing.fakes import RecordingPushChannel, withheld_licence
from support.applications import get_app
from support.database import fetch_rows, insert_order
from support.invoices import issue_sale
from support.openapi import read_operations, read_paths
from support.people import Person

pytestmark = pytest.mark.anyio

DRIVER = {"firstName": "Ewa", "lastName": "Nowak", "licenseNumber": "ZZ654321"}
ENTRY = {"since": "2026-11-22T05:10:00Z", "note": "Auto oddane"}
ENTRIES = {"episodes": [{"driverId": str(uuid.UUID(int=1)), "since": ENTRY["since"]}]}
CREDENTIALS = {"email": "kto@nikt.test", "password": "Nieznane0haslo"}

TICKET = {"subject": "Pytanie", "message": "Jak dodać kierowcę do listy?"}
CONTACT = {"name": "Ewa Nowak", "email": "ewa@nowak.test", "company": "Nowak", "driversCount": 7,
           "message": "Proszę o ofertę."}  # fmt: skip

DETAILS = {"companyName": "", "taxId": "1", "street": "", "postalCode": "", "city": ""}

NEW_PASSWORD = {"token": "x", "newPassword": "Nowe0haslo", "confirmPassword": "Nowe0haslo"}
CHANGE = {
    "currentPassword": "Nie0moje",
    "newPassword": "Nowe0haslo",
    "confirmPassword": "Nowe0haslo",
}

RECIPIENT = {"name": "Nocna zmiana", "email": "nocna@nowak.test"}

CONSENT = {"password": "Nie0moje", "code": "000000"}

BROWSER = {"endpoint": "https://push.test/1", "p256dh": "BA", "auth": "AA"}

CHOSEN = {"driverIds": [str(uuid.UUID(int=1))]}

# No current version: nothing to accept.
ACCEPTANCE = {"documents": [{"document": "terms", "version": "2020-01-01"}]}

# Fields that no call may write (mass assignment).
UNKNOWN_FIELDS = {
    "isAdmin": True,
    "tenantId": "x",
    "id": "x",
    "emailVerified": True,
    "status": "active",
}

# operation: body, then the status for a visitor, an unverified person, one without a
# subscription, and the rival who asks for Anna's rows.
PERMISSIONS: dict[str, tuple[Any, int, int, int, int]] = {
    "takeEvents": (None, 404, 404, 404, 404),
    "takeReport": (None, 404, 404, 404, 404),
    "isLive": (None, 200, 200, 200, 200),
    "isReady": (None, 200, 200, 200, 200),
    "getUser": (None, 401, 200, 200, 200),
    "login": (CREDENTIALS, 401, 401, 401, 401),
    "loginSecondFactor": ({"code": "000000"}, 401, 401, 401, 401),
    "logout": (None, 200, 200, 200, 200),
    "register": ({**CREDENTIALS, "password": "zle"}, 422, 422, 422, 422),
    "sendEmailCode": (None, 401, 200, 200, 200),
    "verifyEmail": ({"token": "222222"}, 401, 400, 200, 200),
    "requestPasswordReset": ({"email": "zle"}, 422, 422, 422, 422),
    "resetPassword": (NEW_PASSWORD, 400, 400, 400, 400),
    "checkResetLink": ({"token": "x"}, 400, 400, 400, 400),
    "changePassword": (CHANGE, 401, 403, 400, 400),
    "checkPassword": ({"password": "Haslo123"}, 200, 200, 200, 200),
    "listSessions": (None, 401, 403, 200, 200),
    "revokeSession": (None, 401, 403, 404, 404),
    "revokeOtherSessions": (None, 401, 403, 200, 200),
    "leaveImpersonation": (None, 401, 403, 403, 403),
    "listMembers": (None, 401, 403, 200, 200),
    "changeMember": ({"role": "manager"}, 401, 403, 404, 404),
    "removeMember": (None, 401, 403, 404, 404),
    "getSecondFactor": (None, 401, 403, 200, 200),
    "startSecondFactor": ({"password": "Nie0moje"}, 401, 403, 400, 400),
    "confirmSecondFactor": ({"code": "000000"}, 401, 403, 409, 409),
    "disableSecondFactor": (CONSENT, 401, 403, 400, 400),
    "replaceRecoveryCodes": (CONSENT, 401, 403, 400, 400),
    "acceptDocuments": (ACCEPTANCE, 401, 403, 409, 409),
    "getDataProcessingAgreement": (None, 401, 403, 200, 200),
    "getSampleAgreement": (None, 200, 200, 200, 200),
    "setLanguage": ({"language": "pl"}, 401, 200, 200, 200),
    "setListView": ({"pageSize": 50, "denseRows": True}, 401, 200, 200, 200),
    "exportCompany": (None, 401, 403, 200, 200),
    "eraseCompany": ({"password": "Nie0moje"}, 401, 403, 400, 400),
    "exportDriver": (None, 401, 403, 404, 404),
    "sendTicket": (TICKET, 401, 403, 201, 201),
    "sendContactMessage": (CONTACT, 201, 201, 201, 201),
    "getSubscription": (None, 401, 403, 200, 200),
    "listInvoices": (None, 401, 403, 200, 200),
    "getInvoicePdf": (None, 401, 403, 404, 404),
    "startTrial": ({"taxId": "bad"}, 401, 403, 422, 422),
    "quoteOrder": (None, 401, 403, 422, 422),
    "listPaymentMethods": (None, 401, 403, 200, 200),
    "createCheckoutSession": ({"driverLimit": 4}, 401, 403, 422, 422),
    "changeLimit": ({"driverLimit": 10}, 401, 403, 409, 409),
    "cancelSubscription": (None, 401, 403, 409, 200),
    "resumeSubscription": (None, 401, 403, 409, 409),
    "getOrder": (None, 401, 403, 404, 404),
    "setBillingDetails": (DETAILS, 401, 403, 422, 422),
    "listDrivers": (None, 401, 403, 200, 200),
    "addDriver": (DRIVER, 401, 403, 403, 201),
    "updateDriver": ({"firstName": "Ewa"}, 401, 403, 403, 404),
    "removeDriver": (None, 401, 403, 404, 404),
    "acknowledgeDriver": (ENTRY, 401, 403, 404, 404),
    "acknowledgeDrivers": (ENTRIES, 401, 403, 200, 200),
    "withdrawAcknowledgement": (None, 401, 403, 404, 404),
    "setNeededCategories": ({**CHOSEN, "neededCategories": []}, 401, 403, 403, 200),
    "exportDrivers": (CHOSEN, 401, 403, 200, 200),
    "confirmDrivers": (CHOSEN, 401, 403, 200, 200),
    "removeDrivers": ({"ids": [str(uuid.UUID(int=1))]}, 401, 403, 200, 200),
    "previewDriverImport": ({"text": "Jan;Nowak;AB000001"}, 401, 403, 403, 200),
    "importDrivers": ({"text": "Jan;Nowak;AB000001", "rows": [1]}, 401, 403, 403, 201),
    "getDriverImportTemplate": (None, 401, 403, 200, 200),
    "exportDriverList": (None, 401, 403, 200, 200),
    "getDriver": (None, 401, 403, 404, 404),
    "getDriverSummary": (None, 401, 403, 200, 200),
    "listDriverNotices": (None, 401, 403, 404, 404),
    "listChanges": (None, 401, 403, 404, 404),
    "listCheckedDays": (None, 401, 403, 404, 404),
    "confirmCheck": (None, 401, 403, 404, 404),
    "confirmPeriod": (None, 401, 403, 400, 400),
    "confirmDay": (None, 401, 403, 200, 200),
    "checkDriver": (None, 401, 403, 403, 404),
    "listVerifications": (None, 401, 403, 404, 404),
    "getCheckSummary": (None, 401, 403, 200, 200),
    "getCheckVersion": (None, 401, 403, 200, 200),
    "listNotifications": (None, 401, 403, 200, 200),
    "readNotification": (None, 401, 403, 404, 404),
    "readAllNotifications": (None, 401, 403, 200, 200),
    "removeNotification": (None, 401, 403, 404, 404),
    "sendTestAlert": (None, 401, 403, 200, 200),
    "getPushSettings": (None, 401, 403, 200, 200),
    "subscribePush": (BROWSER, 401, 403, 201, 201),
    "renewPush": ({"endpoint": "https://push.test/anna"}, 401, 403, 404, 404),
    "removePushBrowser": (None, 401, 403, 404, 404),
    "setNotificationSettings": ({"emailEnabled": True, "smsEnabled": True}, 401, 403, 422, 422),
    "listAlertRecipients": (None, 401, 403, 200, 200),
    "changeOwnAlerts": ({"groups": ["status"]}, 401, 403, 200, 200),
    "addAlertRecipient": (RECIPIENT, 401, 403, 201, 201),
    "changeAlertRecipient": ({"name": "Ewa"}, 401, 403, 404, 404),
    "inviteAlertRecipient": (None, 401, 403, 404, 404),
    "removeAlertRecipient": (None, 401, 403, 404, 404),
    "viewAlertLink": ({"token": "x"}, 400, 400, 400, 400),
    "confirmAlerts": ({"token": "x"}, 400, 400, 400, 400),
    "stopAlerts": ({"token": "x"}, 400, 400, 400, 400),
    "resumeAlerts": ({"token": "x"}, 400, 400, 400, 400),
    "viewAcknowledgementLink": ({"token": "x"}, 400, 400, 400, 400),
    "acknowledgeByLink": ({"token": "x"}, 400, 400, 400, 400),
    "sendPhoneCode": ({"phoneNumber": "bad"}, 401, 403, 422, 422),
    "verifyPhone": ({"code": "000000"}, 401, 403, 400, 400),
}

# operation: the roles that may use it, by their first letters. Written by hand: the application's
# table is compared with it.
ROLES = {
    **dict.fromkeys(
        ("listDrivers", "getDriver", "getDriverSummary", "listDriverNotices", "listVerifications",
         "listChanges", "listCheckedDays", "getCheckVersion", "getCheckSummary", "checkDriver",
         "acknowledgeDriver", "acknowledgeDrivers", "withdrawAcknowledgement", "addDriver",
         "updateDriver", "setNeededCategories", "previewDriverImport", "importDrivers",
         "getDriverImportTemplate"),
        "omd",
    ),
    **dict.fromkeys(
        ("removeDriver", "removeDrivers", "exportDriver", "exportDrivers", "exportDriverList",
         "confirmDay", "confirmDrivers", "confirmCheck", "confirmPeriod", "addAlertRecipient",
         "changeAlertRecipient", "inviteAlertRecipient", "removeAlertRecipient",
         "getDataProcessingAgreement"),
        "om",
    ),
    **dict.fromkeys(
        ("startTrial", "quoteOrder", "listPaymentMethods", "createCheckoutSession", "changeLimit",
         "cancelSubscription", "resumeSubscription", "getOrder", "setBillingDetails",
         "listInvoices", "getInvoicePdf"),
        "oa",
    ),
    "getSubscription": "omda",
    **dict.fromkeys(("listMembers", "changeMember", "exportCompany", "eraseCompany"), "o"),
}  # fmt: skip
# About the caller's own account, for every role.
ROLELESS = {
    "getUser", "setLanguage", "setListView", "sendEmailCode", "verifyEmail", "changePassword",
    "listSessions", "revokeSession", "revokeOtherSessions", "leaveImpersonation",
    "getSecondFactor", "startSecondFactor", "confirmSecondFactor", "disableSecondFactor",
    "replaceRecoveryCodes", "acceptDocuments", "sendPhoneCode", "verifyPhone",
    "listNotifications", "readNotification", "readAllNotifications", "removeNotification",
    "sendTestAlert", "setNotificationSettings", "getPushSettings", "subscribePush", "renewPush",
    "removePushBrowser", "listAlertRecipients", "changeOwnAlerts", "sendTicket",
    "removeMember",
}  # fmt: skip


async def call_operation(person: Person, operation: str, ids: dict[str, str]):
    verb, path = read_operations()[operation]
    for name, value in ids.items():
        path = path.replace(f"{{{name}}}", value)
    assert "{" not in path, path
    return await person.browser.request(verb, path, json=PERMISSIONS[operation][0])


@pytest.fixture
def push_inbox() -> RecordingPushChannel:
    """A push channel that records its messages."""
    return RecordingPushChannel()


@pytest.fixture
async def callers(new_browser, unverified, newcomer, celina) -> list[Person]:
    """A visitor, an unverified person, one without a subscription, and the rival."""
    return [Person("", new_browser()), unverified, newcomer, celina]


@pytest.fixture
async def existing_ids(anna, worker, register, run_daily_check) -> dict[str, str]:
    """Ids of rows that exist, of another company than any caller's."""
    register.answers["AA123456"] = withheld_licence("AA123456")
    driver = await anna.add_driver("AA123456")
    await run_daily_check()
    [withheld] = await anna.list_drivers()
    entry = {"since": withheld["episode"]["since"], "note": "Auto oddane"}
    acknowledged = await anna.post(f"/api/drivers/{driver}/acknowledgements", entry)
    notifications = (await anna.get("/api/notifications")).json()
    session = (await anna.get("/api/sessions")).json()[0]["id"]
    subscription = {**BROWSER, "endpoint": "https://push.test/anna"}
    browser = (await anna.post("/api/notifications/push", subscription)).json()
    recipient = (await anna.post("/api/alert-recipients", RECIPIENT)).json()
    [member] = (await anna.get("/api/members")).json()
    return {
        "driver_id": driver,
        "verification_id": withheld["verifications"][0]["id"],
        "acknowledgement_id": acknowledged.json()["episode"]["acknowledgement"]["id"],
        "order_id": await insert_order(anna, worker),
        "invoice_id": str(await issue_sale(worker, await anna.tenant_id(worker))),
        "notification_id": notifications[0]["id"],
        "recipient_id": recipient["id"],
        "member_id": member["id"],
        "provider": "nobody",
        "session_id": session,
        "browser_id": browser["id"],
    }


def test_the_table_covers_every_operation() -> None:
    assert set(read_operations()) == set(PERMISSIONS)


# What changes nothing, reads and refused calls, shares one company; the others have theirs.
HARMLESS = [
    operation
    for operation, (_, *statuses) in PERMISSIONS.items()
    if read_operations()[operation][0] == "GET" or min(statuses) >= 400
]
OTHERS = [operation for operation in PERMISSIONS if operation not in HARMLESS]


async def test_each_caller_gets_the_status_of_the_table(callers, existing_ids) -> None:
    for operation in HARMLESS:
        answers = [await call_operation(person, operation, existing_ids) for person in callers]
        statuses = tuple(answer.status_code for answer in answers)
        assert (operation, *statuses) == (operation, *PERMISSIONS[operation][1:])


@pytest.mark.parametrize("operation", OTHERS)
async def test_each_caller_gets_the_status_of_a_call_that_is_obeyed(operation, callers) -> None:
    answers = [await call_operation(person, operation, {}) for person in callers]

    assert tuple(answer.status_code for answer in answers) == PERMISSIONS[operation][1:]


def test_each_operation_of_a_company_names_its_act_and_is_guarded_by_it(context) -> None:
    named, guarded, signed_in = {}, set(), set()
    for route in get_app(context).routes:
        for handler in getattr(route, "route_handlers", ()):
            operation, guards = handler.operation_id, handler.resolve_guards()
            if operation is None:  # an answer to OPTIONS
                continue
            if ACT in handler.opt:
                named[operation] = handler.opt[ACT]
            if requires_right in guards:
                guarded.add(operation)
            elif {requires_login, requires_verified_email} & {*guards}:
                signed_in.add(operation)

    assert set(named) == guarded == set(ROLES)
    assert signed_in == ROLELESS
    for operation, act in named.items():
        assert "".join(role[0] for role in Role if may_do(role, act)) == ROLES[operation], operation
    assert set(named.values()) == set(CompanyAct)


@pytest.mark.parametrize("role", Role)
async def test_each_role_may_call_what_its_acts_allow(
    role, anna, new_browser, logins, existing_ids
) -> None:
    colleague = anna
    if role is not Role.OWNER:
        email = f"{role}@acme.test"
        colleague = await anna.add_colleague(email, new_browser(), logins.owner, role)
    user = (await colleague.get("/api/user")).json()
    for operation in [*ROLELESS, *ROLES]:
        # Nothing that a later call needs is removed.
        is_removal = read_operations()[operation][0] == "DELETE"
        ids = dict.fromkeys(existing_ids, str(uuid.UUID(int=1))) if is_removal else existing_ids
        answer = await call_operation(colleague, operation, ids)
        key = answer.json()["error"] if answer.status_code >= 400 else ""
        if role[0] in ROLES.get(operation, role):
            assert key not in {"role_forbidden", "auth_required"}, (operation, answer.text)
        else:
            assert (operation, answer.status_code, key) == (operation, 403, "role_forbidden")
    assert user["role"] == role
    assert user["acts"] == [act for act in CompanyAct if may_do(role, act)]


async def test_a_refusal_names_who_can_do_it(accountant) -> None:
    polish = (await accountant.post("/api/drivers", DRIVER)).json()["message"]
    report = (await accountant.get("/api/company/confirmation")).json()["message"]
    await accountant.put("/api/user/language", {"language": "en"})
    english = (await accountant.post("/api/drivers", DRIVER)).json()["message"]

    assert polish.endswith(" pozwala. Może to zrobić właściciel, kierownik lub dyspozytor.")
    assert english.endswith(" allow this. The owner, manager, or dispatcher can do it.")
    assert report.endswith("Może to zrobić właściciel lub kierownik.")


def test_the_page_of_roles_is_current() -> None:
    page = (Path(__file__).parents[2] / "docs/roles.md").read_text(encoding="utf-8")
    table = page.partition("<!-- roles -->\n")[2].partition("<!-- /roles -->\n")[0].strip()

    assert table == format_roles(), "run `make roles`"


FOREIGN = (
    "updateDriver", "removeDriver", "checkDriver", "acknowledgeDriver", "withdrawAcknowledgement",
    "listVerifications", "getDriver", "listChanges", "confirmCheck", "exportDriver", "getOrder",
    "readNotification", "removePushBrowser", "changeAlertRecipient", "inviteAlertRecipient",
    "removeAlertRecipient", "revokeSession", "changeMember", "removeMember",
)  # fmt: skip


async def test_foreign_and_missing_rows_get_identical_responses(celina, existing_ids) -> None:
    missing_ids = dict.fromkeys(existing_ids, str(uuid.uuid4()))
    malformed_ids = dict.fromkeys(existing_ids, "no-id-at-all")
    for operation in FOREIGN:
        foreign, missing, malformed = [
            await call_operation(celina, operation, ids)
            for ids in (existing_ids, missing_ids, malformed_ids)
        ]
        assert {one.status_code for one in (foreign, missing, malformed)} == {404}, operation
        assert foreign.content == missing.content == malformed.content, operation
        assert foreign.json() == {"error": "not_found", "message": "Nie znaleziono."}, operation


async def test_each_download_names_its_type_and_its_charset_once(
    anna, worker, existing_ids
) -> None:
    await build_due_invoices(worker)
    expected = {"/api/drivers/export?format=csv": "text/csv; charset=utf-8"}
    for path, verbs in read_paths().items():
        content = verbs.get("get", {"responses": {}})["responses"].get("200", {}).get("content")
        if content and "application/json" not in content and not path.startswith("/api/webhooks"):
            [expected[path]] = content
    today = warsaw_date(worker.clock.now())
    period = "/api/drivers/{driver_id}/confirmation"
    expected[f"{period}?from={today - timedelta(days=1)}&to={today}"] = expected.pop(period)
    expected = {path.format(**existing_ids): kind for path, kind in expected.items()}

    seen = {path: (await anna.get(path)).headers["content-type"] for path in expected}

    assert seen == expected
    assert len(seen) == 11


async def test_an_unknown_field_rejects_the_whole_call(anna, logins) -> None:
    bodies = {name: row[0] for name, row in PERMISSIONS.items() if isinstance(row[0], dict)}
    accounts = "SELECT is_admin, email_verified, password_hash FROM user_account ORDER BY id"
    before = await fetch_rows(logins, accounts)
    for name, body in bodies.items():
        verb, path = read_operations()[name]
        path = re.sub(r"{\w+}", "00000000-0000-0000-0000-000000000000", path)
        for field, value in UNKNOWN_FIELDS.items():
            if field in body or (name == "createCheckoutSession" and field == "driverLimit"):
                continue
            answer = await anna.browser.request(verb, path, json={**body, field: value})
            assert 400 <= answer.status_code < 429, (name, field, answer.text)
    assert await fetch_rows(logins, accounts) == before
