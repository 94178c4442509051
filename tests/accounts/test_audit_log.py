"""Security-relevant events are recorded with IP address and user agent, without names."""

import json
import re
from pathlib import Path

import pytest

from prawko.accounts.audit_log import AuditEvent
from prawko.accounts.passwords.reset import new_reset_token, parse_reset_token
from support.database import fetch_rows, insert_subscription
from support.fake_payments import providers, variables  # noqa: F401 (fixtures)
from support.orders import ACME_DETAILS
from support.people import PASSWORD, Person, deliver_outbox, make_impersonated

pytestmark = pytest.mark.anyio

USER_AGENT = "Mozilla/5.0 (Test)"
NEW = "Nowe0haslo"
# Events that are tested with the parts of the product that record them.
TESTED_ELSEWHERE = {
    AuditEvent.PHONE_CODE_SENT, AuditEvent.PHONE_CODE_REFUSED, AuditEvent.PHONE_VERIFIED,
    AuditEvent.SETTINGS_CHANGED, AuditEvent.TICKET_SENT, AuditEvent.EXPORT_MADE,
    AuditEvent.DOCUMENTS_ACCEPTED, AuditEvent.IMPERSONATION_STARTED, AuditEvent.IMPERSONATED_CALL,
    AuditEvent.IMPERSONATION_ENDED,
    AuditEvent.SECOND_FACTOR_REQUESTED, AuditEvent.SECOND_FACTOR_REFUSED,
    AuditEvent.SECOND_FACTOR_ENABLED, AuditEvent.SECOND_FACTOR_DISABLED,
    AuditEvent.RECOVERY_CODE_USED, AuditEvent.RECOVERY_CODES_REPLACED,
    AuditEvent.ERASURE_REQUESTED,
    AuditEvent.DRIVER_ACKNOWLEDGED, AuditEvent.ACKNOWLEDGEMENT_WITHDRAWN,
    AuditEvent.DRIVERS_IMPORTED,
    AuditEvent.OWN_ALERTS_CHANGED, AuditEvent.RECIPIENT_ADDED, AuditEvent.RECIPIENT_CHANGED,
    AuditEvent.RECIPIENT_INVITED, AuditEvent.RECIPIENT_REMOVED,
    AuditEvent.MEMBER_CHANGED, AuditEvent.MEMBER_REMOVED, AuditEvent.COMPANY_LEFT,
}  # fmt: skip
BILLING_EVENTS = [
    AuditEvent.BILLING_DETAILS_SET, AuditEvent.ORDER_PLACED, AuditEvent.LIMIT_CHANGED,
    AuditEvent.SUBSCRIPTION_CANCELLED, AuditEvent.SUBSCRIPTION_RESUMED,
]  # fmt: skip
_SELECT_EVENTS = """
    SELECT a.activity_type, a.details, a.ip, a.agent, a.tenant_id
      FROM user_activity a JOIN user_account u ON u.id = a.user_id
     WHERE u.email_key = $1 ORDER BY a.id
"""


async def event_types(logins, email: str) -> list[str]:
    return [row["activity_type"] for row in await fetch_rows(logins, _SELECT_EVENTS, email)]


async def test_the_events_of_an_account_are_recorded_in_order(
    new_browser, worker, mailbox, logins
) -> None:
    dorota = Person("dorota@nowa.test", new_browser())
    dorota.browser.headers["User-Agent"] = USER_AGENT
    await dorota.sign_up()
    await dorota.post("/api/verify-email/send")
    await dorota.post("/api/verify-email", {"token": "222222"})
    await dorota.verify_email(worker, mailbox)
    await dorota.post("/api/subscription/start-trial", {"taxId": "5260250274"})
    driver = await dorota.add_driver("AA123456")
    await dorota.put(f"/api/drivers/{driver}", {"lastName": "Nowak"})
    await dorota.put(f"/api/drivers/{driver}", {"lastName": "Nowak"})  # changes nothing
    await dorota.post(f"/api/drivers/{driver}/verify")
    await dorota.delete(f"/api/drivers/{driver}")
    await dorota.put("/api/user/language", {"language": "en"})
    elsewhere = new_browser()
    elsewhere.headers["User-Agent"] = USER_AGENT
    await elsewhere.post("/api/login", json={"email": dorota.email, "password": PASSWORD})
    for _ in range(2):  # the second one changes nothing
        await dorota.post("/api/sessions/revoke-others")
    change = {"currentPassword": "Zle0haslo", "newPassword": NEW, "confirmPassword": NEW}
    await dorota.post("/api/user/change-password", change)
    await dorota.post("/api/user/change-password", {**change, "currentPassword": PASSWORD})
    await dorota.post("/api/logout")
    await dorota.post("/api/login", {"email": dorota.email, "password": PASSWORD})
    await dorota.post("/api/login", {"email": dorota.email, "password": NEW})
    await dorota.post("/api/request-password-reset", {"email": dorota.email})
    await deliver_outbox(worker)
    token = mailbox.messages_to(dorota.email)[-1].link.partition("token=")[2]
    reset = {"token": token, "newPassword": PASSWORD, "confirmPassword": PASSWORD}
    forged_token = new_reset_token(parse_reset_token(token))
    await dorota.post("/api/reset-password", {**reset, "token": forged_token})
    await dorota.post("/api/reset-password", reset)

    rows = await fetch_rows(logins, _SELECT_EVENTS, dorota.email)

    assert [row["activity_type"] for row in rows] == [
        "registered", "code_sent", "code_refused", "email_verified", "trial_started",
        "driver_added", "driver_changed", "driver_checked", "driver_removed", "language_changed",
        "signed_in", "sessions_revoked", "password_refused", "password_changed", "signed_out",
        "sign_in_failed", "signed_in", "password_reset_requested",
        "reset_link_refused", "password_reset",
    ]  # fmt: skip
    assert {row["activity_type"] for row in rows} | TESTED_ELSEWHERE | {*BILLING_EVENTS} == set(
        AuditEvent
    )
    assert {row["ip"] for row in rows} == {"127.0.0.1"}
    assert {row["agent"] for row in rows} == {USER_AGENT}
    assert len({row["tenant_id"] for row in rows}) == 1
    details = [json.loads(row["details"]) for row in rows if row["details"]]
    assert details == [
        {"driver": driver}, {"driver": driver}, {"driver": driver}, {"driver": driver},
        {"language": "en"}, {"count": 1},
    ]  # fmt: skip
    dump = json.dumps([dict(row) for row in rows], default=str)
    secrets = (
        "AA123456",
        "Kowalski",
        "Nowak",
        dorota.email,
        PASSWORD,
        NEW,
        token,
        forged_token,
        "2222",
    )
    for secret in secrets:
        assert secret not in dump


async def test_billing_events_are_recorded(anna, worker, logins) -> None:
    await insert_subscription(anna, worker, driver_limit=20)
    before = len(await event_types(logins, anna.email))
    for answer in (
        await anna.put("/api/user/billing-details", ACME_DETAILS),
        await anna.post("/api/subscription/create-checkout-session", {"driverLimit": 20}),
        await anna.post("/api/subscription/change-limit", {"driverLimit": 10}),
        await anna.post("/api/subscription/cancel"),
        await anna.post("/api/subscription/resume"),
    ):
        assert answer.is_success, answer.text

    rows = (await fetch_rows(logins, _SELECT_EVENTS, anna.email))[before:]
    assert [row["activity_type"] for row in rows] == BILLING_EVENTS
    dump = json.dumps([dict(row) for row in rows], default=str)
    assert [value for value in ACME_DETAILS.values() if value in dump] == []


async def test_refused_calls_are_not_recorded(anna, logins) -> None:
    before = await event_types(logins, anna.email)
    driver = {"firstName": "", "lastName": "Nowak", "licenseNumber": "AA123456"}
    assert (await anna.post("/api/drivers", driver)).status_code == 422
    unknown_driver = "/api/drivers/00000000-0000-0000-0000-000000000000"
    assert (await anna.delete(unknown_driver)).status_code == 404

    assert await event_types(logins, anna.email) == before


async def test_events_of_an_impersonation_have_both_ids(anna, new_browser, logins) -> None:
    operator = Person(anna.email, new_browser())
    operator.browser.headers["User-Agent"] = USER_AGENT
    await operator.sign_in()
    operator_id = await make_impersonated(logins.owner, USER_AGENT)

    await operator.add_driver("AA123456")

    row = (await fetch_rows(logins, _SELECT_EVENTS, anna.email))[-1]
    assert row["activity_type"] == "driver_added"
    assert json.loads(row["details"])["impersonator"] == str(operator_id)


async def test_guessed_codes_are_recorded_only_up_to_the_limit(
    new_browser, worker, mailbox, logins
) -> None:
    dorota = Person("dorota@nowa.test", new_browser())
    await dorota.sign_up()
    for _ in range(15):
        answer = await dorota.post("/api/verify-email", {"token": "222222"})
        assert answer.status_code == 400

    assert (await event_types(logins, dorota.email)).count("code_refused") == 10


async def test_guessed_links_are_recorded_only_up_to_the_limit(
    new_browser, anna, worker, mailbox, logins
) -> None:
    await anna.post("/api/request-password-reset", {"email": anna.email})
    await deliver_outbox(worker)
    code_id = parse_reset_token(mailbox.messages_to(anna.email)[-1].link.partition("token=")[2])
    for _ in range(15):
        forged_reset = {
            "token": new_reset_token(code_id),
            "newPassword": NEW,
            "confirmPassword": NEW,
        }
        answer = await new_browser().post("/api/reset-password", json=forged_reset)
        assert answer.status_code == 400

    assert (await event_types(logins, anna.email)).count("reset_link_refused") == 10


def test_the_documentation_lists_every_event() -> None:
    page = (Path(__file__).parents[2] / "docs" / "activities.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]

    assert re.findall(r"`(\w+)`", " ".join(rows)) == [event.value for event in AuditEvent]


async def test_what_changes_nothing_is_not_recorded(anna, logins) -> None:
    invited = {"name": "Ewa Nowak", "email": "ewa@nowak.test"}
    recipient = (await anna.post("/api/alert-recipients", invited)).json()["id"]

    async def count_events() -> int:
        return len(await fetch_rows(logins, "SELECT 1 FROM user_activity"))

    for path, body in (
        ("/api/user/language", {"language": "en"}),
        ("/api/alert-recipients/own", {"groups": ["status", "expiry"]}),
        (f"/api/alert-recipients/{recipient}", {"name": "Ewa Kowal", "groups": ["expiry"]}),
        ("/api/user/billing-details", ACME_DETAILS),
    ):
        before = await count_events()
        for _ in range(3):
            answer = await anna.put(path, body)
            assert answer.status_code == 200, answer.text
        assert await count_events() == before + 1, path


async def test_changes_of_a_person_have_a_limit(anna, celina, context, browser_for_app) -> None:
    person = Person(anna.email, browser_for_app(context, max_tries={"account_change": 2}))
    await person.sign_in()

    paths = ["/api/user/language", "/api/notifications/settings", "/api/user/language"]
    bodies = [{"language": "en"}, {"emailEnabled": True, "smsEnabled": False}, {"language": "pl"}]
    answers = [await person.put(*one) for one in zip(paths, bodies, strict=True)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    setup = await person.post("/api/user/second-factor", {"password": PASSWORD})
    assert setup.status_code == 429
