"""Sign-up, e-mail verification, login and logout (docs/rules.md P13)."""

import asyncio
import re
from datetime import timedelta

import asyncpg
import pytest

from prawko import limits
from prawko.billing.price import MAX_LIMIT, MIN_LIMIT
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.payloads import CompanyPayload
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko_tenants.ids import TenantId
from support.database import count_rows, execute_as_owner, fetch_rows
from support.people import PASSWORD, Person, deliver_outbox
from support.waiting import wait_until

pytestmark = pytest.mark.anyio

ANNA = {"email": "anna@acme.test"}
COUNT_LOCK_WAITERS = """
    SELECT count(*) FROM pg_locks WHERE relation = 'user_account'::regclass AND NOT granted
"""
MARK_BOUNCED = "UPDATE user_account SET email_state = 'bounced', email_state_reason = '550 full'"
SELECT_EMAIL_STATE = """
    SELECT email_state AS state, email_state_reason AS reason,
           email_trusted_at IS NOT NULL AS trusted FROM user_account
"""
USER_KEYS = {
    "email", "phoneNumber", "phoneVerified", "emailNotificationsEnabled",
    "smsNotificationsEnabled", "companyName", "isAdmin", "emailVerified", "createdAt",
    "subscriptions",
}  # fmt: skip


async def sign_up_person(visitor, email="anna@acme.test") -> Person:
    person = Person(email, visitor())
    await person.sign_up()
    return person


async def latest_code(person: Person, worker: AppContext, mailbox) -> str:
    await deliver_outbox(worker)
    return mailbox.messages_to(person.email)[-1].code


async def test_a_visitor_gets_auth_required(new_browser) -> None:
    answer = await new_browser().get("/api/user")

    assert answer.status_code == 401
    assert answer.json() == {
        "error": "auth_required",
        "message": "Musisz się zalogować, aby wykonać tę czynność.",
    }


async def test_an_error_message_is_in_the_browsers_language(new_browser) -> None:
    answer = await new_browser().get("/api/user", headers={"Accept-Language": "en-GB,pl;q=0.5"})

    assert answer.json()["message"] == "You must be logged in to perform this action."


async def test_signing_up_signs_in_and_sends_a_code(new_browser, worker, mailbox) -> None:
    anna = await sign_up_person(new_browser)

    user = (await anna.get("/api/user")).json()
    code = await latest_code(anna, worker, mailbox)

    assert user.keys() >= USER_KEYS
    assert user["email"] == "anna@acme.test"
    assert user["emailVerified"] is False
    assert user["emailNotificationsEnabled"] is True
    assert user["smsNotificationsEnabled"] is False
    assert user["companyName"] == ""
    assert user["subscriptions"] == []
    assert re.fullmatch("[2-9A-HJ-NP-Z]{6}", code)
    assert code in mailbox.messages_to(anna.email)[-1].text


async def test_the_code_verifies_the_address_however_it_is_typed(
    new_browser, worker, mailbox
) -> None:
    anna = await sign_up_person(new_browser)
    code = await latest_code(anna, worker, mailbox)

    answer = await anna.post("/api/verify-email", {"token": f" {code[:3].lower()} {code[3:]} "})

    assert (answer.status_code, answer.json()) == (200, {"ok": True})
    assert (await anna.get("/api/user")).json()["emailVerified"] is True


async def test_only_the_newest_code_counts(new_browser, worker, mailbox) -> None:
    anna = await sign_up_person(new_browser)
    first = await latest_code(anna, worker, mailbox)
    await anna.post("/api/verify-email/send")
    second = await latest_code(anna, worker, mailbox)

    assert (await anna.post("/api/verify-email", {"token": first})).status_code == 400
    assert (await anna.post("/api/verify-email", {"token": second})).status_code == 200


async def test_a_verified_address_gets_no_further_code(new_browser, worker, mailbox) -> None:
    anna = await sign_up_person(new_browser)
    code = await latest_code(anna, worker, mailbox)
    await anna.post("/api/verify-email", {"token": code})
    sent = len(mailbox.messages_to(anna.email))

    answer = await anna.post("/api/verify-email/send")

    assert (answer.status_code, answer.json()) == (
        200,
        {"ok": True, "message": "Adres e-mail jest już potwierdzony.", "emailVerified": True},
    )
    await deliver_outbox(worker)
    assert len(mailbox.messages_to(anna.email)) == sent


async def test_a_new_installation_has_no_accounts(logins) -> None:
    assert await count_rows(logins, "user_account") == await count_rows(logins, "tenant") == 0


async def test_an_email_code_expires_after_fifteen_minutes(
    new_browser, worker, mailbox, clock
) -> None:
    anna = await sign_up_person(new_browser)
    code = await latest_code(anna, worker, mailbox)
    clock.forward(minutes=15, seconds=1)

    answer = await anna.post("/api/verify-email", {"token": code})

    assert answer.status_code == 400
    assert answer.json()["error"] == "invalid_code"


async def test_an_email_code_is_invalid_after_ten_wrong_attempts(
    new_browser, worker, mailbox
) -> None:
    anna = await sign_up_person(new_browser)
    code = await latest_code(anna, worker, mailbox)
    wrong_code = "222222" if code != "222222" else "333333"
    for _ in range(10):
        assert (await anna.post("/api/verify-email", {"token": wrong_code})).status_code == 400

    assert (await anna.post("/api/verify-email", {"token": code})).status_code == 400


async def test_a_code_verifies_only_its_own_user(new_browser, worker, mailbox) -> None:
    anna = await sign_up_person(new_browser)
    celina = await sign_up_person(new_browser, "celina@rival.test")
    code = await latest_code(anna, worker, mailbox)

    assert (await celina.post("/api/verify-email", {"token": code})).status_code == 400


async def test_a_taken_address_is_refused_without_regard_to_case(new_browser, anna) -> None:
    answer = await new_browser().post(
        "/api/register", json={"email": "ANNA@Acme.test", "password": PASSWORD}
    )

    assert answer.status_code == 409
    assert answer.json()["error"] == "email_taken"


async def test_an_unverified_account_does_not_reserve_its_address(
    new_browser, worker, mailbox
) -> None:
    unverified = await sign_up_person(new_browser)
    old_code = await latest_code(unverified, worker, mailbox)
    owner = Person("Anna@acme.test", new_browser())

    answer = await owner.post("/api/register", {"email": owner.email, "password": "Inne0haslo"})

    assert answer.status_code == 201
    assert (await unverified.get("/api/user")).status_code == 401
    assert (await owner.post("/api/verify-email", {"token": old_code})).status_code == 400
    login = {"email": "anna@acme.test", "password": PASSWORD}
    assert (await new_browser().post("/api/login", json=login)).status_code == 401


async def test_an_email_code_clears_a_reported_address(
    new_browser, worker, mailbox, logins
) -> None:
    anna = await sign_up_person(new_browser)
    code = await latest_code(anna, worker, mailbox)
    await execute_as_owner(logins, MARK_BOUNCED)

    assert (await anna.post("/api/verify-email", {"token": code})).status_code == 200

    assert (await anna.get("/api/user")).json()["emailProblem"] is None
    assert await fetch_rows(logins, SELECT_EMAIL_STATE) == [
        {"state": "ok", "reason": None, "trusted": True}
    ]
    tenant_id = TenantId(await anna.tenant_id(worker))
    draft = NoticeDraft(kind=NoticeKind.RESULTS_STALE, dedup_key="1", payload=CompanyPayload())
    rules = ChannelPolicy.from_settings(worker.settings)
    async with worker.database.batch() as session:
        await session.switch_tenant(tenant_id)
        await publish_notices(session, tenant_id, [draft], policy=rules, now=worker.clock.now())
    assert await deliver_outbox(worker) == 1


async def test_signing_up_again_resets_the_address_state_and_revokes_the_old_session(
    new_browser, logins, clock
) -> None:
    await sign_up_person(new_browser)
    await execute_as_owner(logins, MARK_BOUNCED)
    await execute_as_owner(logins, "UPDATE user_account SET email_trusted_at = now()")
    clock.forward(days=3)

    await sign_up_person(new_browser)

    assert await fetch_rows(logins, SELECT_EMAIL_STATE) == [
        {"state": "ok", "reason": None, "trusted": False}
    ]
    ended = "SELECT revoked_at FROM login_session WHERE revoked_at IS NOT NULL"
    [session] = await fetch_rows(logins, ended)
    assert session["revoked_at"] <= utc_now()


async def test_of_two_concurrent_sign_ups_the_later_one_gets_the_address(
    new_browser, logins
) -> None:
    passwords = ("Sezamie0twórz", "Inne0haslo")
    browsers = [new_browser(), new_browser()]
    holder = await asyncpg.connect(logins.owner)
    async with holder.transaction():  # both find the address free before either has it
        await holder.execute("LOCK TABLE user_account IN SHARE MODE")
        calls = [
            asyncio.create_task(browser.post("/api/register", json={**ANNA, "password": password}))
            for browser, password in zip(browsers, passwords, strict=True)
        ]

        async def all_wait() -> bool:
            return await holder.fetchval(COUNT_LOCK_WAITERS) == len(calls)

        await wait_until(all_wait)
    answers = await asyncio.gather(*calls)
    await holder.close()

    assert [answer.status_code for answer in answers] == [201, 201]
    signed_in = [(await browser.get("/api/user")).status_code == 200 for browser in browsers]
    succeeded = [
        (await new_browser().post("/api/login", json={**ANNA, "password": password})).status_code
        == 200
        for password in passwords
    ]
    assert sorted(signed_in) == [False, True]
    assert succeeded == signed_in
    assert await count_rows(logins, "user_account") == 1
    assert await count_rows(logins, "tenant") == 1


@pytest.mark.parametrize(
    ("email", "password", "field"),
    [
        ("anna", PASSWORD, "email"),
        ("anna@acme", PASSWORD, "email"),
        ("an na@acme.test", PASSWORD, "email"),
        ("anna@acme.test\r\nBcc: x@y.test", PASSWORD, "email"),
        ("anna@acme.test", "Krotk1", "password"),
        ("anna@acme.test", "bezwielkiej1", "password"),
        ("anna@acme.test", "BezCyfryTutaj", "password"),
    ],
)
async def test_a_bad_address_or_password_is_refused_at_its_field(
    new_browser, email, password, field
) -> None:
    answer = await new_browser().post("/api/register", json={"email": email, "password": password})

    assert answer.status_code == 422
    assert answer.json()["error"] == "invalid_registration"
    assert list(answer.json()["fields"]) == [field]
    assert answer.json()["message"] == answer.json()["fields"][field]


async def test_unknown_fields_grant_no_rights(new_browser) -> None:
    answer = await new_browser().post(
        "/api/register", json={"email": "anna@acme.test", "password": PASSWORD, "isAdmin": True}
    )

    assert answer.status_code == 422


async def test_long_passwords_are_never_truncated(new_browser) -> None:
    long_password = "Aa1" + "ż" * 500
    browser = new_browser()
    await browser.post("/api/register", json={"email": "anna@acme.test", "password": long_password})

    truncated = {"email": "anna@acme.test", "password": long_password[:-1]}
    assert (await new_browser().post("/api/login", json=truncated)).status_code == 401
    complete = {"email": "anna@acme.test", "password": long_password}
    assert (await new_browser().post("/api/login", json=complete)).status_code == 200


async def test_a_wrong_password_and_an_unknown_address_look_the_same(new_browser, anna) -> None:
    rejected = await new_browser().post(
        "/api/login", json={"email": anna.email, "password": "Zle0haslo"}
    )
    unknown = await new_browser().post(
        "/api/login", json={"email": "nikt@acme.test", "password": "Zle0haslo"}
    )

    assert rejected.status_code == unknown.status_code == 401
    assert rejected.content == unknown.content
    assert rejected.json()["message"] == "Nieprawidłowy e-mail lub hasło."


@pytest.mark.parametrize(
    ("email", "password"),
    [("a\0@b.pl", "x"), ("\0", PASSWORD), ("anna@acme.test", f"{PASSWORD}\0"), ("", "")],
)
async def test_credentials_that_no_account_can_have_are_invalid(
    new_browser, anna, email, password
) -> None:
    answer = await new_browser().post("/api/login", json={"email": email, "password": password})

    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_credentials")


async def test_other_account_calls_accept_null_characters(new_browser, anna) -> None:
    browser, new_password = new_browser(), {"newPassword": PASSWORD, "confirmPassword": PASSWORD}
    unverified = await sign_up_person(new_browser, "dorota@nowa.test")
    for pending_answer in (
        browser.post("/api/register", json={"email": "a\0@b.pl", "password": PASSWORD}),
        browser.post("/api/request-password-reset", json={"email": "a\0@b.pl"}),
        browser.post("/api/reset-password", json={"token": "a\0" * 32, **new_password}),
        unverified.post("/api/verify-email", {"token": "ABC\0DE"}),
    ):
        assert (await pending_answer).status_code in {400, 422}


async def test_too_many_wrong_passwords_block_the_account_temporarily(
    new_browser, anna, context
) -> None:
    for _ in range(limits.WRONG_SIGN_INS.max_tries):
        await new_browser().post("/api/login", json={"email": anna.email, "password": "Zle0haslo"})

    login = {"email": anna.email, "password": PASSWORD}
    answer = await new_browser().post("/api/login", json=login)

    assert answer.status_code == 429
    assert answer.json()["error"] == "too_many_requests"
    assert 0 < int(answer.headers["Retry-After"]) <= timedelta(minutes=15).total_seconds()
    assert (await anna.get("/api/user")).status_code == 200  # who is inside stays inside


async def test_a_login_creates_a_new_session_token(new_browser, anna) -> None:
    browser = new_browser()
    browser.cookies.set("prawko", "an-id-that-somebody-chose")
    answer = await browser.post("/api/login", json={"email": anna.email, "password": PASSWORD})

    cookie = answer.headers["set-cookie"]
    assert "an-id-that-somebody-chose" not in cookie
    assert cookie.startswith("prawko=")
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    assert answer.json() == {"ok": True, "emailVerified": True}


async def test_a_session_is_invalid_after_logout(anna) -> None:
    token = anna.browser.cookies["prawko"]
    answer = await anna.post("/api/logout")
    anna.browser.cookies.set("prawko", token)

    assert (answer.status_code, answer.json()) == (200, {"ok": True})
    assert (await anna.get("/api/user")).status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.test"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.test"},
    ],
)
async def test_a_write_from_another_site_is_refused(anna, headers) -> None:
    answer = await anna.post("/api/logout", headers=headers)

    assert answer.status_code == 403
    assert answer.json()["error"] == "foreign_site"
    assert (await anna.get("/api/user")).status_code == 200


async def test_a_body_that_is_not_json_is_refused(new_browser, anna) -> None:
    answer = await new_browser().post(
        "/api/login", data={"email": anna.email, "password": PASSWORD}
    )

    assert answer.status_code == 400
    assert answer.json()["error"] == "bad_request"


async def test_the_accounts_language_is_stored_and_used(anna) -> None:
    answer = await anna.put("/api/user/language", {"language": "en"})

    assert answer.json() == {"language": "en"}
    assert (await anna.get("/api/user")).json()["language"] == "en"
    refusal = await anna.get("/api/nothing", headers={"Accept-Language": "pl"})
    assert refusal.status_code == 404
    assert (await anna.put("/api/user/language", {"language": "de"})).status_code == 400


async def test_each_person_keeps_how_lists_are_shown(anna, bartek, logins) -> None:
    view = {"pageSize": 200, "denseRows": True}
    written = "SELECT xmin::text, updated_at FROM user_account ORDER BY email"

    answer = await anna.put("/api/user/list-view", view)
    before = await fetch_rows(logins, written)
    await anna.put("/api/user/list-view", view)

    assert (answer.status_code, answer.json()) == (200, view)
    assert await fetch_rows(logins, written) == before
    assert (await anna.get("/api/user")).json()["listView"] == view
    default = {"pageSize": 10, "denseRows": False}
    assert (await bartek.get("/api/user")).json()["listView"] == default
    for body in ({"pageSize": 20, "denseRows": True}, {"pageSize": 10}, {"denseRows": None}):
        assert (await anna.put("/api/user/list-view", body)).status_code == 400, body


async def test_the_number_chosen_before_the_sign_up_is_kept(new_browser) -> None:
    registration = {"email": "ewa@nowa.test", "password": PASSWORD}
    for number in (MIN_LIMIT - 1, MAX_LIMIT + 1, 12.5, "300"):
        visitor = Person(registration["email"], new_browser())
        answer = await visitor.post("/api/register", {**registration, "plannedDrivers": number})
        assert answer.status_code == 422, number
    kept = []
    for number in ({"plannedDrivers": MAX_LIMIT}, {"plannedDrivers": MIN_LIMIT}, {}):
        visitor = Person(registration["email"], new_browser())
        answer = await visitor.post("/api/register", {**registration, **number})
        assert answer.status_code == 201, answer.text
        kept.append((await visitor.get("/api/user")).json()["plannedDrivers"])

    assert kept == [MAX_LIMIT, MIN_LIMIT, None]


async def test_an_unknown_path_is_answered_with_json(new_browser) -> None:
    for path in ("/api/nothing", "/api/drivers/none/at/all", "/dev", "/dev/mailbox"):
        answer = await new_browser().get(path)
        assert (path, answer.status_code) == (path, 404)
        assert answer.json() == {"error": "not_found", "message": "Nie znaleziono."}


async def test_api_responses_are_never_cached_and_never_framed(new_browser) -> None:
    answer = await new_browser().get("/api/user")

    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["referrer-policy"] == "strict-origin-when-cross-origin"
