"""A session that is revoked while its request is on the way changes nothing, whatever it asks for.

The operations are those of the application's routes: one that may change something fails here
until CALLS has a request with which it succeeds, or OPEN says why it needs no session. Each of them
holds one connection to the database at a time, too.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial
from typing import Any

import httpx
import pyotp
import pytest

from prawko.accounts.authentication import hash_token
from prawko.accounts.legal_documents import VERSIONS, LegalDocument
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.incidents.plugin_faults import set_plugin_incident
from prawko_tenants.logins import Logins
from prawko_testing.fakes import RecordingChannel, RecordingPushChannel, withheld_licence
from support.applications import get_app
from support.database import execute_as_owner
from support.fake_payments import providers, variables  # noqa: F401 (fixtures)
from support.orders import ACME_DETAILS, OrderScenario
from support.people import PASSWORD, Person, deliver_outbox, make_impersonated
from support.revoked_requests import (
    count_connections,
    list_unsafe_operations,
    read_everything,
    request_while_revoked,
    restore_session,
    token_of,
)

pytestmark = pytest.mark.anyio

PHONE = "+48600100200"
RECIPIENT = {"name": "Nocna zmiana", "email": "nocna@acme.test"}
NEW_PASSWORD = "Inne0hasło"
NEW_TERMS = date(2027, 3, 1)
BROWSER = {"endpoint": "https://push.test/1", "p256dh": "BA", "auth": "AA"}
SECOND_FACTOR = "/api/user/second-factor"
# Visitors may call these: what they do takes a password, a code or a signature, or nothing.
OPEN = {
    "login", "loginSecondFactor", "logout", "register", "requestPasswordReset", "resetPassword",
    "checkResetLink", "checkPassword", "takeEvents",
    # The token of a mail is what they take.
    "viewAlertLink", "confirmAlerts", "stopAlerts", "resumeAlerts",
    "viewAcknowledgementLink", "acknowledgeByLink",
}  # fmt: skip
# These change nothing.
READS = {"previewDriverImport": {"text": "Ewa;Nowak;ZZ654321"}}


@dataclass
class Scene:
    """Anna's company, and what the requests need of it."""

    anna: Person
    new_browser: Callable[[], httpx.AsyncClient]
    worker: AppContext
    logins: Logins
    mailbox: RecordingChannel
    sms_inbox: RecordingChannel
    scenario: OrderScenario
    run_daily_check: Callable[[], Awaitable[Any]]
    ids: dict[str, str] = field(default_factory=dict)
    secret: str = ""

    async def add_unverified(self) -> Person:
        person = Person("dorota@nowa.test", self.new_browser())
        await person.sign_up()
        await deliver_outbox(self.worker)
        return person

    async def add_verified(self) -> Person:
        person = await self.add_unverified()
        await person.verify_email(self.worker, self.mailbox)
        return person

    async def start_second_factor(self) -> None:
        answer = await self.anna.post(SECOND_FACTOR, {"password": PASSWORD})
        self.secret = answer.json()["secret"]

    async def enable_second_factor(self) -> None:
        await self.start_second_factor()
        answer = await self.anna.post(f"{SECOND_FACTOR}/confirm", {"code": self.code(0)})
        assert answer.status_code == 200, answer.text

    def code(self, step: int) -> str:
        return pyotp.TOTP(self.secret).at(utc_now() + timedelta(seconds=30 * step))


# What a request needs beforehand; it returns who sends it and the body.
Preparation = Callable[[Scene], Awaitable[tuple[Person, Any]]]


async def prepare_email_code(scene: Scene):
    person = await scene.add_unverified()
    return person, {"token": scene.mailbox.messages_to(person.email)[-1].code}


async def prepare_phone_code(scene: Scene):
    path = "/api/notifications/send-verification-sms"
    assert (await scene.anna.post(path, {"phoneNumber": PHONE})).status_code == 200
    await deliver_outbox(scene.worker)
    return scene.anna, {"code": scene.sms_inbox.messages_to(PHONE)[-1].code}


async def prepare_other_session(scene: Scene):
    await Person(scene.anna.email, scene.new_browser()).sign_in()
    sessions = (await scene.anna.get("/api/sessions")).json()
    scene.ids["session_id"] = next(one["id"] for one in sessions if not one["current"])
    return scene.anna, None


async def prepare_return(scene: Scene):
    await make_impersonated(scene.logins.owner)
    return scene.anna, None


async def prepare_confirmation(scene: Scene):
    await scene.start_second_factor()
    return scene.anna, {"code": scene.code(0)}


async def prepare_consent(scene: Scene):
    await scene.enable_second_factor()
    return scene.anna, {"password": PASSWORD, "code": scene.code(1)}


async def prepare_resumption(scene: Scene):
    assert (await scene.anna.post("/api/subscription/cancel")).status_code == 200
    return scene.anna, None


async def prepare_higher_limit(scene: Scene):
    person = await scene.add_verified()
    await scene.scenario.buy(person, 10, method="transfer")
    return person, {"driverLimit": 15, "method": "przelewy24"}


async def prepare_new_code(scene: Scene):
    return await scene.add_unverified(), None


async def prepare_trial(scene: Scene):
    return await scene.add_verified(), {"taxId": "7740001454"}


async def prepare_driver(scene: Scene, body: Any = None) -> tuple[Person, Any]:
    scene.ids["driver_id"] = await scene.anna.add_driver("AA123456")
    return scene.anna, body


async def prepare_removal(scene: Scene) -> tuple[Person, Any]:
    await prepare_driver(scene)
    return scene.anna, {"ids": [scene.ids["driver_id"]]}


async def prepare_choice(scene: Scene, **rest: Any) -> tuple[Person, Any]:
    await prepare_driver(scene)
    return scene.anna, {"driverIds": [scene.ids["driver_id"]], **rest}


async def prepare_notification(scene: Scene, body: Any = None) -> tuple[Person, Any]:
    await prepare_driver(scene)
    await scene.run_daily_check()
    [notification] = (await scene.anna.get("/api/notifications")).json()
    scene.ids["notification_id"] = notification["id"]
    return scene.anna, body


async def prepare_acknowledgement(scene: Scene) -> tuple[Person, Any]:
    await prepare_notification(scene)
    [driver] = (await scene.anna.get("/api/drivers")).json()
    return scene.anna, {"since": driver["episode"]["since"], "note": "Auto przejęła Ewa"}


async def prepare_acknowledgements(scene: Scene) -> tuple[Person, Any]:
    anna, entry = await prepare_acknowledgement(scene)
    episode = {"driverId": scene.ids["driver_id"], "since": entry["since"]}
    return anna, {"episodes": [episode], "note": entry["note"]}


async def prepare_withdrawal(scene: Scene) -> tuple[Person, Any]:
    anna, entry = await prepare_acknowledgement(scene)
    path = f"/api/drivers/{scene.ids['driver_id']}/acknowledgements"
    driver = (await anna.post(path, entry)).json()
    scene.ids["acknowledgement_id"] = driver["episode"]["acknowledgement"]["id"]
    return anna, None


async def prepare_renewal(scene: Scene) -> tuple[Person, Any]:
    earlier = Person(scene.anna.email, scene.new_browser())
    await earlier.sign_in()
    assert (await earlier.post("/api/notifications/push", BROWSER)).status_code == 201
    return scene.anna, {"endpoint": BROWSER["endpoint"]}


async def prepare_browser_removal(scene: Scene) -> tuple[Person, Any]:
    browser = (await scene.anna.post("/api/notifications/push", BROWSER)).json()
    scene.ids["browser_id"] = browser["id"]
    return scene.anna, None


async def prepare_recipient(scene: Scene, body: Any) -> tuple[Person, Any]:
    added = (await scene.anna.post("/api/alert-recipients", RECIPIENT)).json()
    scene.ids["recipient_id"] = added["id"]
    return scene.anna, body


async def prepare_colleague(scene: Scene, body: Any) -> tuple[Person, Any]:
    email, browser = "ewa@acme.test", scene.new_browser()
    await scene.anna.add_colleague(email, browser, scene.logins.owner)
    members = (await scene.anna.get("/api/members")).json()
    scene.ids["member_id"] = next(one["id"] for one in members if one["email"] == email)
    return scene.anna, body


CALLS: dict[str, Any | Preparation] = {
    "sendEmailCode": prepare_new_code,
    "verifyEmail": prepare_email_code,
    "changePassword": {
        "currentPassword": PASSWORD, "newPassword": NEW_PASSWORD, "confirmPassword": NEW_PASSWORD,
    },
    "revokeSession": prepare_other_session,
    "revokeOtherSessions": prepare_other_session,
    "leaveImpersonation": prepare_return,
    "changeMember": partial(prepare_colleague, body={"role": "dispatcher"}),
    "removeMember": partial(prepare_colleague, body=None),
    "startSecondFactor": {"password": PASSWORD},
    "confirmSecondFactor": prepare_confirmation,
    "disableSecondFactor": prepare_consent,
    "replaceRecoveryCodes": prepare_consent,
    "acceptDocuments": {"documents": [{"document": "terms", "version": NEW_TERMS.isoformat()}]},
    "setLanguage": {"language": "en"},
    "setListView": {"pageSize": 50, "denseRows": True},
    "sendTicket": {"subject": "Pytanie", "message": "Jak dodać kierowcę do listy?"},
    "sendContactMessage": {
        "name": "Anna", "email": "anna@acme.test", "company": "Acme", "driversCount": 5,
        "message": "Proszę o ofertę.",
    },
    "startTrial": prepare_trial,
    "createCheckoutSession": {"driverLimit": 10, **ACME_DETAILS},
    "changeLimit": prepare_higher_limit,
    "cancelSubscription": None,
    "resumeSubscription": prepare_resumption,
    "setBillingDetails": ACME_DETAILS,
    "addDriver": {"firstName": "Ewa", "lastName": "Nowak", "licenseNumber": "ZZ654321"},
    "updateDriver": partial(prepare_driver, body={"firstName": "Ewa"}),
    "removeDriver": prepare_driver,
    "removeDrivers": prepare_removal,
    "setNeededCategories": partial(prepare_choice, neededCategories=["D"]),
    "exportDrivers": prepare_choice,
    "confirmDrivers": prepare_choice,
    "importDrivers": {"text": "Ewa;Nowak;ZZ654321", "rows": [1]},
    "acknowledgeDriver": prepare_acknowledgement,
    "acknowledgeDrivers": prepare_acknowledgements,
    "withdrawAcknowledgement": prepare_withdrawal,
    "checkDriver": prepare_notification,
    "readNotification": prepare_notification,
    "readAllNotifications": prepare_notification,
    "removeNotification": prepare_notification,
    "sendTestAlert": None,
    "setNotificationSettings": {"emailEnabled": False, "smsEnabled": False},
    "subscribePush": BROWSER,
    "renewPush": prepare_renewal,
    "removePushBrowser": prepare_browser_removal,
    "changeOwnAlerts": {"groups": ["status"]},
    "addAlertRecipient": RECIPIENT,
    "changeAlertRecipient": partial(prepare_recipient, body={"name": "Dyspozytornia"}),
    "inviteAlertRecipient": partial(prepare_recipient, body=None),
    "removeAlertRecipient": partial(prepare_recipient, body=None),
    "sendPhoneCode": {"phoneNumber": PHONE},
    "verifyPhone": prepare_phone_code,
    "eraseCompany": partial(prepare_notification, body={"password": PASSWORD}),
}  # fmt: skip


@pytest.fixture
def push_inbox() -> RecordingPushChannel:
    """A push channel that records its messages."""
    return RecordingPushChannel()


@pytest.fixture
async def scene(
    anna, new_browser, worker, logins, mailbox, sms_inbox, fake, register, run_daily_check,
    monkeypatch,
) -> Scene:  # fmt: skip
    """Anna's company; the terms have changed since she joined, and her drivers' licences, too."""
    register.default_answer = lambda query: withheld_licence(query.number)
    versions = (NEW_TERMS, *VERSIONS[LegalDocument.TERMS])
    monkeypatch.setitem(VERSIONS, LegalDocument.TERMS, versions)
    scenario = OrderScenario(worker, logins, fake)
    return Scene(
        anna, new_browser, worker, logins, mailbox, sms_inbox, scenario, run_daily_check
    )  # fmt: skip


@pytest.fixture
def operations(context) -> dict[str, tuple[str, str]]:
    return list_unsafe_operations(get_app(context))


async def prepare(scene: Scene, operation: str) -> tuple[Person, Any]:
    call = {**CALLS, **READS}[operation]
    return await call(scene) if callable(call) else (scene.anna, call)


async def test_the_tables_cover_every_route_that_may_change_something(operations) -> None:
    assert set(operations) == set(CALLS) | OPEN | set(READS)


@pytest.mark.parametrize("operation", CALLS)
async def test_a_session_revoked_on_the_way_changes_nothing(
    operation, scene, operations, servers, monkeypatch, enqueued_jobs, context
) -> None:
    person, body = await prepare(scene, operation)
    token, (verb, path) = token_of(person), operations[operation]
    path = path.format(**scene.ids)
    before, jobs = await read_everything(scene.logins, token), len(enqueued_jobs)

    answer = await request_while_revoked(person, scene.logins, verb, path, body, monkeypatch)

    assert (answer.status_code, answer.json()["error"]) == (401, "auth_required"), answer.text
    assert await read_everything(scene.logins, token) == before
    # The incident of a provider that has answered is closed after any call.
    assert {name for name, _ in enqueued_jobs[jobs:]} <= {set_plugin_incident.name}

    # The same request of a live session is obeyed.
    await restore_session(servers, scene.logins, token)
    await request_on_one_connection(person, verb, path, body, context)
    assert await read_everything(scene.logins, token) != before


DEMOTE = """
    UPDATE membership SET role = 'accountant'
     WHERE user_id = (SELECT user_id FROM login_session WHERE token_hash = $1)
"""


@pytest.mark.parametrize("operation", ["addDriver", "removeDriver", "checkDriver", "eraseCompany"])
async def test_a_role_that_is_changed_on_the_way_changes_nothing(
    operation, scene, operations, monkeypatch
) -> None:
    person, body = await prepare(scene, operation)
    token, (verb, path) = token_of(person), operations[operation]
    before = await read_everything(scene.logins, token)

    answer = await request_while_revoked(
        person, scene.logins, verb, path.format(**scene.ids), body, monkeypatch, DEMOTE
    )

    assert (answer.status_code, answer.json()["error"]) == (403, "auth_forbidden"), answer.text
    await execute_as_owner(scene.logins, DEMOTE.replace("accountant", "owner"), hash_token(token))
    assert await read_everything(scene.logins, token) == before


@pytest.mark.parametrize("operation", READS)
async def test_a_read_by_post_holds_one_connection_at_a_time(
    operation, scene, operations, context
) -> None:
    person, body = await prepare(scene, operation)
    await request_on_one_connection(person, *operations[operation], body, context)


async def request_on_one_connection(
    person: Person, verb: str, path: str, body: Any, context: AppContext
) -> None:
    """Send a request, which must not wait for a connection while it holds another."""
    with count_connections(context.database) as most:
        answer = await person.browser.request(verb, path, json=body)
    assert answer.status_code < 300, answer.text
    assert max(most) == 1
