"""Signing up, the code in the mail, signing in and out, as the spec's section 7 has them."""

import asyncio
import re
import time
from datetime import timedelta

import asyncpg
import pytest

from persons import PASSWORD, Person, deliver
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.notifications.announcing import Announcement, announce
from prawko.notifications.fanout import Rules
from prawko.notifications.kinds import CompanyFacts, NoticeKind
from prawko.web.app import create_app
from prawko_tenants.ids import TenantId
from stored import count, look, write

pytestmark = pytest.mark.anyio

ANNA = {"email": "anna@acme.test"}
WAITING = """
    SELECT count(*) FROM pg_locks WHERE relation = 'user_account'::regclass AND NOT granted
"""
BOUNCED = "UPDATE user_account SET email_state = 'bounced', email_state_reason = '550 full'"
ADDRESS = """
    SELECT email_state AS state, email_state_reason AS reason,
           email_trusted_at IS NOT NULL AS trusted FROM user_account
"""
TEN_KEYS = {
    "email", "phoneNumber", "phoneVerified", "emailNotificationsEnabled",
    "smsNotificationsEnabled", "companyName", "isAdmin", "emailVerified", "createdAt",
    "subscriptions",
}  # fmt: skip


async def signed_up(visitor, email="anna@acme.test") -> Person:
    person = Person(email, visitor())
    await person.signs_up()
    return person


async def newest_code(person: Person, worker: Tools, mailbox) -> str:
    await deliver(worker)
    return mailbox.to(person.email)[-1].code


async def test_a_visitor_is_told_to_sign_in(visitor) -> None:
    answer = await visitor().get("/api/user")

    assert answer.status_code == 401
    assert answer.json() == {
        "error": "auth_required",
        "message": "Musisz się zalogować, aby wykonać tę czynność.",
    }


async def test_a_refusal_speaks_the_browsers_language(visitor) -> None:
    answer = await visitor().get("/api/user", headers={"Accept-Language": "en-GB,pl;q=0.5"})

    assert answer.json()["message"] == "You must be logged in to perform this action."


async def test_signing_up_signs_in_and_sends_a_code(visitor, worker, mailbox) -> None:
    anna = await signed_up(visitor)

    user = (await anna.get("/api/user")).json()
    code = await newest_code(anna, worker, mailbox)

    assert user.keys() >= TEN_KEYS
    assert user["email"] == "anna@acme.test"
    assert user["emailVerified"] is False
    assert user["emailNotificationsEnabled"] is True
    assert user["smsNotificationsEnabled"] is False
    assert user["companyName"] == ""
    assert user["subscriptions"] == []
    assert re.fullmatch("[2-9A-HJ-NP-Z]{6}", code)
    assert code in mailbox.to(anna.email)[-1].text


async def test_the_code_verifies_the_address_however_it_is_typed(visitor, worker, mailbox) -> None:
    anna = await signed_up(visitor)
    code = await newest_code(anna, worker, mailbox)

    answer = await anna.post("/api/verify-email", {"token": f" {code[:3].lower()} {code[3:]} "})

    assert (answer.status_code, answer.json()) == (200, {"ok": True})
    assert (await anna.get("/api/user")).json()["emailVerified"] is True


async def test_only_the_newest_code_counts(visitor, worker, mailbox) -> None:
    anna = await signed_up(visitor)
    first = await newest_code(anna, worker, mailbox)
    await anna.post("/api/verify-email/send")
    second = await newest_code(anna, worker, mailbox)

    assert (await anna.post("/api/verify-email", {"token": first})).status_code == 400
    assert (await anna.post("/api/verify-email", {"token": second})).status_code == 200


async def test_a_new_installation_knows_nobody(logins) -> None:
    assert await count(logins, "user_account") == await count(logins, "tenant") == 0


async def test_a_code_lives_a_quarter_of_an_hour(visitor, worker, mailbox, clock) -> None:
    anna = await signed_up(visitor)
    code = await newest_code(anna, worker, mailbox)
    clock.forward(minutes=15, seconds=1)

    answer = await anna.post("/api/verify-email", {"token": code})

    assert answer.status_code == 400
    assert answer.json()["error"] == "invalid_code"


async def test_the_tenth_wrong_try_wears_the_code_out(visitor, worker, mailbox) -> None:
    anna = await signed_up(visitor)
    code = await newest_code(anna, worker, mailbox)
    wrong = "222222" if code != "222222" else "333333"
    for _ in range(10):
        assert (await anna.post("/api/verify-email", {"token": wrong})).status_code == 400

    assert (await anna.post("/api/verify-email", {"token": code})).status_code == 400


async def test_signing_up_keeps_which_terms_were_accepted_when_and_from_where(
    tools, visitor_of, clock, logins
) -> None:
    app = create_app(tools)
    kept = "SELECT terms_version, terms_accepted_at, terms_ip FROM user_account"
    before = clock.now()
    await Person("anna@acme.test", visitor_of(app, ip="198.51.100.7")).signs_up()
    (first,) = await look(logins, kept)
    clock.forward(hours=1)
    # Nobody has proved the address: who signs up with it now has accepted the terms anew.
    await Person("anna@acme.test", visitor_of(app, ip="203.0.113.9")).signs_up()
    (second,) = await look(logins, kept)

    assert {first["terms_version"], second["terms_version"]} == {tools.settings.terms_version}
    assert before <= first["terms_accepted_at"] < before + timedelta(minutes=1)
    later = second["terms_accepted_at"] - first["terms_accepted_at"]
    assert timedelta(hours=1) <= later < timedelta(hours=1, minutes=1)
    assert (str(first["terms_ip"]), str(second["terms_ip"])) == ("198.51.100.7", "203.0.113.9")


async def test_a_code_of_one_person_verifies_nobody_else(visitor, worker, mailbox) -> None:
    anna = await signed_up(visitor)
    celina = await signed_up(visitor, "celina@rival.test")
    code = await newest_code(anna, worker, mailbox)

    assert (await celina.post("/api/verify-email", {"token": code})).status_code == 400


async def test_a_taken_address_is_refused_without_regard_to_case(visitor, anna) -> None:
    answer = await visitor().post(
        "/api/register", json={"email": "ANNA@Acme.test", "password": PASSWORD}
    )

    assert answer.status_code == 409
    assert answer.json()["error"] == "email_taken"


async def test_an_unverified_account_does_not_hold_its_address(visitor, worker, mailbox) -> None:
    squatter = await signed_up(visitor)
    old_code = await newest_code(squatter, worker, mailbox)
    owner = Person("Anna@acme.test", visitor())

    answer = await owner.post("/api/register", {"email": owner.email, "password": "Inne0haslo"})

    assert answer.status_code == 201
    assert (await squatter.get("/api/user")).status_code == 401
    assert (await owner.post("/api/verify-email", {"token": old_code})).status_code == 400
    login = {"email": "anna@acme.test", "password": PASSWORD}
    assert (await visitor().post("/api/login", json=login)).status_code == 401


async def test_the_code_proves_that_a_reported_address_works(
    visitor, worker, mailbox, logins
) -> None:
    anna = await signed_up(visitor)
    code = await newest_code(anna, worker, mailbox)
    await write(logins, BOUNCED)

    assert (await anna.post("/api/verify-email", {"token": code})).status_code == 200

    assert (await anna.get("/api/user")).json()["emailProblem"] is None
    assert await look(logins, ADDRESS) == [{"state": "ok", "reason": None, "trusted": True}]
    tenant_id = TenantId(await anna.tenant_id(worker))
    news = Announcement(kind=NoticeKind.RESULTS_STALE, dedup="1", facts=CompanyFacts())
    rules = Rules.of(worker.settings)
    async with worker.database.batch() as session:
        await session.bind(tenant_id)
        await announce(session, tenant_id, [news], rules=rules, now=worker.clock.now())
    assert await deliver(worker) == 1


async def test_who_signs_up_anew_begins_with_a_good_address_and_the_old_session_ends_now(
    visitor, logins, clock
) -> None:
    await signed_up(visitor)
    await write(logins, BOUNCED)
    await write(logins, "UPDATE user_account SET email_trusted_at = now()")
    clock.forward(days=3)

    await signed_up(visitor)

    assert await look(logins, ADDRESS) == [{"state": "ok", "reason": None, "trusted": False}]
    ended = "SELECT revoked_at FROM login_session WHERE revoked_at IS NOT NULL"
    [session] = await look(logins, ended)
    assert session["revoked_at"] <= machine_now()


async def test_of_two_who_sign_up_at_once_the_later_one_has_the_address(visitor, logins) -> None:
    passwords = ("Sezamie0twórz", "Inne0haslo")
    browsers = [visitor(), visitor()]
    holder = await asyncpg.connect(logins.owner)
    async with holder.transaction():  # both find the address free before either has it
        await holder.execute("LOCK TABLE user_account IN SHARE MODE")
        calls = [
            asyncio.create_task(browser.post("/api/register", json={**ANNA, "password": password}))
            for browser, password in zip(browsers, passwords, strict=True)
        ]
        too_long = time.monotonic() + 20
        while await holder.fetchval(WAITING) < len(calls):
            assert time.monotonic() < too_long
            await asyncio.sleep(0.02)
    answers = await asyncio.gather(*calls)
    await holder.close()

    assert [answer.status_code for answer in answers] == [201, 201]
    signed_in = [(await browser.get("/api/user")).status_code == 200 for browser in browsers]
    logs_in = [
        (await visitor().post("/api/login", json={**ANNA, "password": password})).status_code == 200
        for password in passwords
    ]
    assert sorted(signed_in) == [False, True]
    assert logs_in == signed_in
    assert await count(logins, "user_account") == 1
    assert await count(logins, "tenant") == 1


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
    visitor, email, password, field
) -> None:
    answer = await visitor().post("/api/register", json={"email": email, "password": password})

    assert answer.status_code == 422
    assert answer.json()["error"] == "invalid_registration"
    assert list(answer.json()["fields"]) == [field]
    assert answer.json()["message"] == answer.json()["fields"][field]


async def test_unknown_fields_give_nobody_more_rights(visitor) -> None:
    answer = await visitor().post(
        "/api/register",
        json={"email": "anna@acme.test", "password": PASSWORD, "isAdmin": True},
    )

    assert answer.status_code == 422


async def test_long_passwords_are_never_cut(visitor) -> None:
    long = "Aa1" + "ż" * 500
    browser = visitor()
    await browser.post("/api/register", json={"email": "anna@acme.test", "password": long})

    almost = {"email": "anna@acme.test", "password": long[:-1]}
    assert (await visitor().post("/api/login", json=almost)).status_code == 401
    exact = {"email": "anna@acme.test", "password": long}
    assert (await visitor().post("/api/login", json=exact)).status_code == 200


async def test_a_wrong_password_and_an_unknown_address_look_the_same(visitor, anna) -> None:
    wrong = await visitor().post("/api/login", json={"email": anna.email, "password": "Zle0haslo"})
    unknown = await visitor().post(
        "/api/login", json={"email": "nikt@acme.test", "password": "Zle0haslo"}
    )

    assert wrong.status_code == unknown.status_code == 401
    assert wrong.content == unknown.content
    assert wrong.json()["message"] == "Nieprawidłowy e-mail lub hasło."


@pytest.mark.parametrize(
    ("email", "password"),
    [("a\0@b.pl", "x"), ("\0", PASSWORD), ("anna@acme.test", f"{PASSWORD}\0"), ("", "")],
)
async def test_what_no_account_can_have_is_a_wrong_password(visitor, anna, email, password) -> None:
    answer = await visitor().post("/api/login", json={"email": email, "password": password})

    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_credentials")


async def test_nothing_else_of_accounts_stumbles_over_a_nul(visitor, anna) -> None:
    browser, new = visitor(), {"newPassword": PASSWORD, "confirmPassword": PASSWORD}
    unverified = await signed_up(visitor, "dorota@nowa.test")
    for asked in (
        browser.post("/api/register", json={"email": "a\0@b.pl", "password": PASSWORD}),
        browser.post("/api/request-password-reset", json={"email": "a\0@b.pl"}),
        browser.post("/api/reset-password", json={"token": "a\0" * 32, **new}),
        unverified.post("/api/verify-email", {"token": "ABC\0DE"}),
    ):
        assert (await asked).status_code in {400, 422}


async def test_too_many_wrong_passwords_close_the_account_for_a_while(visitor, anna, tools) -> None:
    for _ in range(tools.settings.login_tries_per_account):
        await visitor().post("/api/login", json={"email": anna.email, "password": "Zle0haslo"})

    right = {"email": anna.email, "password": PASSWORD}
    answer = await visitor().post("/api/login", json=right)

    assert answer.status_code == 429
    assert answer.json()["error"] == "too_many_requests"
    assert 0 < int(answer.headers["Retry-After"]) <= timedelta(minutes=15).total_seconds()
    assert (await anna.get("/api/user")).status_code == 200  # who is inside stays inside


async def test_login_opens_a_session_of_a_new_name(visitor, anna) -> None:
    browser = visitor()
    browser.cookies.set("prawko", "an-id-that-somebody-chose")
    answer = await browser.post("/api/login", json={"email": anna.email, "password": PASSWORD})

    cookie = answer.headers["set-cookie"]
    assert "an-id-that-somebody-chose" not in cookie
    assert cookie.startswith("prawko=")
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    assert answer.json() == {"ok": True, "emailVerified": True}


async def test_a_session_that_was_left_is_worth_nothing(anna) -> None:
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


async def test_a_body_that_is_not_json_is_refused(visitor, anna) -> None:
    answer = await visitor().post("/api/login", data={"email": anna.email, "password": PASSWORD})

    assert answer.status_code == 400
    assert answer.json()["error"] == "bad_request"


async def test_the_accounts_language_is_kept_and_spoken(anna) -> None:
    answer = await anna.put("/api/user/language", {"language": "en"})

    assert answer.json() == {"language": "en"}
    assert (await anna.get("/api/user")).json()["language"] == "en"
    refusal = await anna.get("/api/nothing", headers={"Accept-Language": "pl"})
    assert refusal.status_code == 404
    assert (await anna.put("/api/user/language", {"language": "de"})).status_code == 400


async def test_what_does_not_exist_is_json_too(visitor) -> None:
    for path in ("/api/nothing", "/api/drivers/none/at/all", "/dev", "/dev/mailbox"):
        answer = await visitor().get(path)
        assert (path, answer.status_code) == (path, 404)
        assert answer.json() == {"error": "not_found", "message": "Nie znaleziono."}


async def test_the_api_is_never_stored_and_never_framed(visitor) -> None:
    answer = await visitor().get("/api/user")

    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["referrer-policy"] == "strict-origin-when-cross-origin"
