"""Push messages reach the browsers in which a member switched them on, and no others."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import text

from prawko.accounts.audit_log import AuditEvent
from prawko.hooks.channels import DeliveryError
from prawko.hooks.errors import ProviderAccountError
from prawko.kit.clock import WARSAW
from prawko.kit.incidents.plugin_faults import set_plugin_incident
from prawko.kit.providers import calls
from prawko_testing.fakes import RecordingPushChannel, withheld_licence
from support.database import count_rows, execute_as_owner, fetch_rows
from support.people import PASSWORD, Person, deliver_outbox, make_impersonated

pytestmark = pytest.mark.anyio

URL = "/api/notifications/push"
LAPTOP, PHONE, CELINAS = (f"https://push.test/{name}" for name in ("laptop", "phone", "celina"))
TITLE = "Nie może jechać. Zatrzymane uprawnienia: Jan Kowalski"
NIGHT = datetime(2026, 11, 24, 3, 0, tzinfo=WARSAW)
NOON = datetime(2026, 11, 24, 12, 0, tzinfo=WARSAW)
SUBSCRIPTIONS = "push_browser"


@pytest.fixture
def push_inbox() -> RecordingPushChannel:
    """A push channel that records its messages."""
    return RecordingPushChannel()


@pytest.fixture(autouse=True)
def at_noon(clock) -> None:
    clock.set(NOON)


def keys(endpoint: str = LAPTOP) -> dict[str, str]:
    return {"endpoint": endpoint, "p256dh": "BA", "auth": "AA"}


async def subscribe(person: Person, endpoint: str = LAPTOP) -> str:
    answer = await person.post(URL, keys(endpoint))
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def list_browsers(person: Person) -> list[dict]:
    answer = await person.get(URL)
    assert answer.status_code == 200, answer.text
    return answer.json()["browsers"]


@pytest.fixture
def check_withheld(anna, register, run_daily_check):
    """Anna's driver loses his licence, and the day's check finds it."""

    async def check() -> str:
        register.answers["AA123456"] = withheld_licence("AA123456")
        driver_id = await anna.add_driver("AA123456")
        await run_daily_check()
        return driver_id

    return check


async def test_a_withheld_licence_reaches_each_browser_once_and_opens_the_driver(
    anna, bartek, celina, check_withheld, push_inbox, worker
) -> None:
    await subscribe(anna, LAPTOP)
    await subscribe(anna, PHONE)
    await subscribe(celina, CELINAS)

    driver_id = await check_withheld()
    await deliver_outbox(worker)

    assert push_inbox.titles_to(LAPTOP) == push_inbox.titles_to(PHONE) == [TITLE]
    assert push_inbox.titles_to(CELINAS) == []
    assert {sent.message.push.path for sent in push_inbox.sent} == {f"/panel/drivers/{driver_id}"}
    assert all(len(sent.idempotency_key) <= 150 for sent in push_inbox.sent)
    assert len({sent.idempotency_key for sent in push_inbox.sent}) == 2


async def test_a_message_tells_browsers_nothing_but_name_and_state(
    anna, check_withheld, push_inbox
) -> None:
    await subscribe(anna)
    await check_withheld()

    [sent] = push_inbox.sent
    assert "AA123456" not in sent.message.push.title
    assert sent.recipient.email is None
    assert sent.recipient.phone is None


async def test_the_key_and_only_the_callers_browsers_are_listed(anna, bartek, celina) -> None:
    first = await subscribe(anna, LAPTOP)
    second = await subscribe(anna, PHONE)

    answer = (await anna.get(URL)).json()
    assert answer["serverKey"] == "test-key"
    assert [browser["id"] for browser in answer["browsers"]] == [second, first]
    assert set(answer["browsers"][0]) == {"id", "agent", "active", "createdAt"}
    assert await list_browsers(bartek) == await list_browsers(celina) == []


async def test_a_colleague_and_a_rival_can_neither_renew_nor_remove_a_browser(
    anna, bartek, celina
) -> None:
    browser = await subscribe(anna)

    for other in (bartek, celina):
        assert (await other.delete(f"{URL}/{browser}")).status_code == 404
        assert (await other.post(f"{URL}/renew", {"endpoint": LAPTOP})).status_code == 404
    assert len(await list_browsers(anna)) == 1


async def test_a_browser_that_is_switched_off_gets_nothing_more(
    anna, check_withheld, push_inbox, logins
) -> None:
    browser = await subscribe(anna)
    await subscribe(anna, PHONE)
    assert (await anna.delete(f"{URL}/{browser}")).json() == {"id": browser}

    await check_withheld()
    assert push_inbox.titles_to(LAPTOP) == []
    assert push_inbox.titles_to(PHONE) == [TITLE]
    rows = await fetch_rows(
        logins,
        "SELECT details ->> 'push' AS push FROM user_activity WHERE activity_type = "
        f"'{AuditEvent.SETTINGS_CHANGED.value}' ORDER BY id",
    )
    assert [row["push"] for row in rows] == ["true", "true", "false"]


async def test_a_browser_that_its_push_service_has_forgotten_is_removed(
    anna, bartek, check_withheld, push_inbox, logins
) -> None:
    await subscribe(anna, LAPTOP)
    await subscribe(bartek, PHONE)
    push_inbox.failure = DeliveryError("410", permanent=True)
    await check_withheld()

    assert await count_rows(logins, SUBSCRIPTIONS) == 0
    [notification] = (await anna.get("/api/notifications")).json()
    assert notification["title"] == "Zatrzymane uprawnienia: Jan Kowalski"  # of no wrong address


async def test_a_push_service_that_is_away_costs_no_browser(
    anna, check_withheld, push_inbox, worker, logins, fleet
) -> None:
    await subscribe(anna)
    push_inbox.failure = DeliveryError("503")
    await check_withheld()
    push_inbox.failure = None
    await fleet.admin.execute("UPDATE delivery SET next_try_at = now()")
    await deliver_outbox(worker)

    assert push_inbox.titles_to(LAPTOP) == [TITLE]
    assert await count_rows(logins, SUBSCRIPTIONS) == 1


async def test_a_message_that_was_given_up_raises_no_alarm(
    anna, check_withheld, push_inbox, worker, logins, fleet
) -> None:
    await subscribe(anna)
    push_inbox.failure = DeliveryError("503")
    await check_withheld()
    await fleet.admin.execute(
        "UPDATE delivery SET attempts = 99, next_try_at = now() WHERE channel_medium = 'push'"
    )
    await deliver_outbox(worker)

    assert await count_rows(logins, "delivery WHERE channel_medium = 'push' AND state = 'failed'")
    assert len((await anna.get("/api/notifications")).json()) == 1


async def test_signing_out_pauses_a_browser_until_the_next_sign_in_there(
    anna, bartek, check_withheld, push_inbox, worker
) -> None:
    await subscribe(anna, LAPTOP)
    await subscribe(bartek, PHONE)
    assert (await bartek.post("/api/logout")).status_code == 200
    await check_withheld()
    assert push_inbox.titles_to(LAPTOP) == [TITLE]
    assert push_inbox.titles_to(PHONE) == []

    await bartek.sign_in()
    assert [browser["active"] for browser in await list_browsers(bartek)] == [False]
    renewed = await bartek.post(f"{URL}/renew", {"endpoint": PHONE})
    assert (renewed.status_code, renewed.json()["active"]) == (200, True)
    assert (await bartek.post("/api/notifications/test")).status_code == 200
    await deliver_outbox(worker)
    assert push_inbox.titles_to(PHONE) == ["Próbny alert: Jan Przykładowy"]


async def test_a_message_on_its_way_does_not_reach_a_browser_that_signed_out(
    anna, push_inbox, worker, logins
) -> None:
    await subscribe(anna)
    await anna.post("/api/notifications/test")
    assert await count_rows(logins, "delivery WHERE channel_medium = 'push'") == 1

    await anna.post("/api/logout")
    await deliver_outbox(worker)
    assert push_inbox.sent == []


@pytest.mark.parametrize("expired", [False, True], ids=["active", "expired"])
async def test_a_new_password_silences_the_other_browsers(
    anna, new_browser, push_inbox, worker, logins, expired
) -> None:
    lost = Person(anna.email, new_browser())
    await lost.sign_in()
    await subscribe(lost, PHONE)
    if expired:
        await execute_as_owner(logins, "UPDATE login_session SET expires_at = now()")
        await anna.sign_in()
    change = {
        "currentPassword": PASSWORD, "newPassword": "Inne0hasło", "confirmPassword": "Inne0hasło",
    }  # fmt: skip
    assert (await anna.post("/api/user/change-password", change)).status_code == 200

    await anna.post("/api/notifications/test")
    await deliver_outbox(worker)
    assert push_inbox.titles_to(PHONE) == []


async def test_an_expired_session_silences_nothing(
    anna, check_withheld, push_inbox, logins
) -> None:
    await subscribe(anna)
    await execute_as_owner(
        logins, "UPDATE login_session SET last_seen_at = now() - interval '13 days'"
    )
    await anna.sign_in()
    await check_withheld()
    assert push_inbox.titles_to(LAPTOP) == [TITLE]


async def test_a_purged_session_takes_its_browser_along(anna, logins) -> None:
    await subscribe(anna)
    await execute_as_owner(logins, "DELETE FROM login_session")
    assert await count_rows(logins, SUBSCRIPTIONS) == 0


async def test_a_browser_of_an_earlier_key_of_ours_gets_nothing_and_is_not_renewed(
    anna, push_inbox, worker
) -> None:
    await subscribe(anna)
    push_inbox.server_key = "new-key"
    await anna.post("/api/notifications/test")
    await deliver_outbox(worker)

    assert push_inbox.sent == []
    assert (await anna.post(f"{URL}/renew", {"endpoint": LAPTOP})).status_code == 404


async def test_a_message_waits_for_the_morning_as_an_sms_does(
    anna, clock, check_withheld, push_inbox, worker
) -> None:
    await subscribe(anna)
    clock.set(NIGHT)
    await check_withheld()
    assert push_inbox.sent == []

    clock.set(NIGHT + timedelta(hours=3))
    await deliver_outbox(worker)
    assert push_inbox.titles_to(LAPTOP) == [TITLE]


async def test_a_test_alert_leaves_for_the_callers_browsers(
    anna, bartek, push_inbox, worker
) -> None:
    await subscribe(anna, LAPTOP)
    await subscribe(bartek, PHONE)
    assert (await anna.post("/api/notifications/test")).json() == {"media": ["email", "push"]}
    await deliver_outbox(worker)
    assert push_inbox.titles_to(PHONE) == []
    assert push_inbox.titles_to(LAPTOP) == ["Próbny alert: Jan Przykładowy"]


async def test_the_same_browser_again_is_one_browser(anna, logins) -> None:
    for _ in range(3):
        await subscribe(anna)
    assert len(await list_browsers(anna)) == 1


async def test_an_eleventh_browser_is_refused_and_a_known_one_is_not(anna, bartek) -> None:
    for number in range(10):
        await subscribe(anna, f"https://push.test/{number}")

    refused = await anna.post(URL, keys("https://push.test/10"))
    assert (refused.status_code, refused.json()["error"]) == (409, "push_limit_exceeded")
    assert "10" in refused.json()["message"]
    await subscribe(anna, "https://push.test/3")
    await subscribe(bartek, "https://push.test/10")


@pytest.mark.parametrize(
    "endpoint",
    ["https://evil.test/1", "http://127.0.0.1:5432/", "https://169.254.169.254/", "javascript:1"],
)
async def test_an_address_that_is_no_push_service_is_refused(anna, endpoint, logins) -> None:
    answer = await anna.post(URL, keys(endpoint))
    assert (answer.status_code, answer.json()["error"]) == (422, "invalid_push_subscription")
    assert await count_rows(logins, SUBSCRIPTIONS) == 0


@pytest.mark.parametrize(
    "body",
    [
        {}, {**keys(), "endpoint": ""}, {**keys(), "endpoint": "https://push.test/" + "x" * 1000},
        {**keys(), "auth": "x" * 101}, {**keys(), "auth": "\x00"}, {**keys(), "userId": "x"},
        {**keys(), "p256dh": None},
    ],
)  # fmt: skip
async def test_a_malformed_subscription_is_refused(anna, body) -> None:
    assert (await anna.post(URL, body)).status_code == 400


async def test_an_operator_in_somebodys_name_gets_none_of_it(anna, logins) -> None:
    browser = await subscribe(anna)
    await make_impersonated(logins.owner)
    for answer in (
        await anna.get(URL),
        await anna.post(URL, keys(PHONE)),
        await anna.post(f"{URL}/renew", {"endpoint": LAPTOP}),
        await anna.delete(f"{URL}/{browser}"),
    ):
        assert answer.status_code == 403


async def test_another_site_can_switch_nothing_on(anna, logins) -> None:
    answer = await anna.post(URL, keys(), headers={"Origin": "https://evil.test"})
    assert (answer.status_code, answer.json()["error"]) == (403, "foreign_site")
    assert await count_rows(logins, SUBSCRIPTIONS) == 0


async def test_a_row_of_the_rival_is_invisible_to_the_database_itself(anna, celina, worker) -> None:
    await subscribe(anna)
    async with worker.database.batch() as session:
        await session.switch_tenant(await celina.tenant_id(worker))
        assert await session.scalar(text("SELECT count(*) FROM push_browser")) == 0


async def test_a_refused_account_of_ours_pauses_the_channel_and_no_mail(
    anna, check_withheld, push_inbox, mailbox
) -> None:
    await subscribe(anna)
    push_inbox.failure = ProviderAccountError("the key is revoked")
    await check_withheld()
    assert [mail.subject for mail in mailbox.messages_to(anna.email) if mail.code is None] == [
        TITLE
    ]


def fail() -> None:
    raise SystemExit


@pytest.mark.parametrize("member", ["server_key", "accepts_subscription"])
@pytest.mark.parametrize("say", [fail, lambda: 7, lambda: "\x00", list])
async def test_a_broken_push_channel_is_unavailable_and_named(
    anna, bartek, enqueued_jobs, push_inbox, monkeypatch, member, say
) -> None:
    await subscribe(anna, LAPTOP)
    broken = property(lambda _: say()) if member == "server_key" else lambda *_: say()
    monkeypatch.setattr(RecordingPushChannel, member, broken)

    assert (await anna.post(URL, keys(PHONE))).status_code == 503
    renewed = await anna.post(f"{URL}/renew", {"endpoint": LAPTOP})
    assert renewed.status_code == (503 if member == "server_key" else 200)
    shown = (await anna.get(URL)).json()
    assert len(shown["browsers"]) == 1
    assert (shown["serverKey"] is None) is (member == "server_key")
    reports = [given for name, given in enqueued_jobs if name == set_plugin_incident.name]
    assert {one["plugin"] for one in reports if one["reason"]} == {f"channel {push_inbox.name}"}
    await bartek.add_driver("BB123456")  # of another company


async def test_a_push_channel_that_blocks_is_not_asked_again(anna, monkeypatch) -> None:
    monkeypatch.setattr(calls, "BLOCK_SECONDS", 0.0)
    asked = []
    monkeypatch.setattr(RecordingPushChannel, "server_key", property(asked.append))

    for _ in range(3):
        assert (await anna.post(URL, keys())).status_code == 503
    assert len(asked) == 1
