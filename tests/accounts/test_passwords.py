"""Reset and change of passwords: exact texts, single-use links, nothing revealed."""

import asyncio
import time
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

from prawko import limits
from prawko.accounts.passwords import hashing, reset
from prawko.kit import constant_time
from support.database import count_rows, execute_as_owner, fetch_rows
from support.people import PASSWORD, Person, deliver_outbox

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("_short_padding")]

NEW = "Nowe0haslo"
PADDING_SECONDS = constant_time.PADDING_INTERVAL_SECONDS
REQUESTED_TEXT = {
    "pl": "Jeśli istnieje konto z tym adresem, wysłaliśmy na niego link do ustawienia nowego"
    " hasła.",
    "en": "If an account with this address exists, we have sent it a link to set a new password.",
}
REPLACED_TEXT = {
    "pl": "Hasło zostało zmienione. Zaloguj się nowym hasłem.",
    "en": "Your password has been changed. Log in with the new one.",
}
BAD_LINK_TEXT = {
    "pl": "Link jest nieprawidłowy albo wygasł. Poproś o nowy.",
    "en": "This link is invalid or has expired. Please request a new one.",
}


@pytest.fixture
def _short_padding(monkeypatch) -> None:
    """Shorten the padding; one test alone measures it."""
    monkeypatch.setattr(constant_time, "PADDING_INTERVAL_SECONDS", 0.001)


async def request_reset(browser, email: str, language: str = "pl"):
    return await browser.post(
        "/api/request-password-reset", json={"email": email}, headers={"Accept-Language": language}
    )


async def fetch_reset_link(person: Person, browser, worker, mailbox) -> str:
    """Request a reset link and return it from the mail."""
    assert (await request_reset(browser, person.email)).status_code == 200
    await deliver_outbox(worker)
    return mailbox.messages_to(person.email)[-1].link


def parse_link_token(link: str) -> str:
    return parse_qs(urlsplit(link).fragment)["token"][0]


async def submit_reset(browser, token: str, new=NEW, confirmed=None, language="pl"):
    body = {"token": token, "newPassword": new, "confirmPassword": confirmed or new}
    return await browser.post(
        "/api/reset-password", json=body, headers={"Accept-Language": language}
    )


async def check_link(browser, token: str, language="pl"):
    return await browser.post(
        "/api/reset-password/check", json={"token": token}, headers={"Accept-Language": language}
    )


async def log_in(browser, email: str, password: str) -> int:
    answer = await browser.post("/api/login", json={"email": email, "password": password})
    return answer.status_code


async def submit_password_change(person, current=PASSWORD, new=NEW, confirmed=None, **options):
    body = {
        "currentPassword": current,
        "newPassword": new,
        "confirmPassword": new if confirmed is None else confirmed,
    }
    return await person.post("/api/user/change-password", body, **options)


async def test_a_reset_link_works_once_and_revokes_every_session(
    new_browser, anna, worker, mailbox
) -> None:
    browser = new_browser()
    link = await fetch_reset_link(anna, browser, worker, mailbox)
    assert link.startswith("http://127.0.0.1:8000/auth/reset-password#token=")

    answer = await submit_reset(browser, parse_link_token(link))

    assert (answer.status_code, answer.json()) == (
        200,
        {"ok": True, "message": REPLACED_TEXT["pl"]},
    )
    assert (await anna.get("/api/user")).status_code == 401
    assert await log_in(new_browser(), anna.email, PASSWORD) == 401
    assert await log_in(new_browser(), anna.email, NEW) == 200
    reused = await submit_reset(browser, parse_link_token(link), "Inne0haslo")
    assert (reused.status_code, reused.json()) == (
        400,
        {"error": "invalid_reset_link", "message": BAD_LINK_TEXT["pl"]},
    )


async def test_a_reset_link_clears_a_reported_address(
    new_browser, anna, worker, mailbox, logins
) -> None:
    browser = new_browser()
    await execute_as_owner(
        logins, "UPDATE user_account SET email_state = 'spam', email_state_reason = 'complaint'"
    )
    link = await fetch_reset_link(anna, browser, worker, mailbox)

    assert (await submit_reset(browser, parse_link_token(link))).status_code == 200

    [address] = await fetch_rows(
        logins,
        "SELECT email_state, email_state_reason, email_trusted_at IS NOT NULL AS trusted"
        " FROM user_account",
    )
    assert tuple(address.values()) == ("ok", None, True)


async def test_mail_and_answers_of_a_reset_are_in_both_languages(
    new_browser, anna, worker, mailbox
) -> None:
    browser = new_browser()
    assert (await request_reset(browser, anna.email)).json()["message"] == REQUESTED_TEXT["pl"]
    await deliver_outbox(worker)
    polish = mailbox.messages_to(anna.email)[-1]
    await anna.put("/api/user/language", {"language": "en"})
    assert (await request_reset(browser, anna.email, "en")).json()["message"] == REQUESTED_TEXT[
        "en"
    ]
    await deliver_outbox(worker)
    english = mailbox.messages_to(anna.email)[-1]

    assert polish.subject == "Ustaw nowe hasło"
    assert english.subject == "Set a new password"
    for mail, sentence in (
        (polish, "Link jest ważny 60 minut i działa tylko raz."),
        (english, "The link is valid for 60 minutes and works once."),
    ):
        assert sentence in mail.text
        assert sentence in mail.html.replace("\xa0", " ")  # its words are tied
        assert mail.link in mail.text
        assert mail.link in mail.html
    rejected = await submit_reset(browser, "x", language="en")
    assert rejected.json()["message"] == BAD_LINK_TEXT["en"]
    accepted = await submit_reset(browser, parse_link_token(english.link), language="en")
    assert accepted.json()["message"] == REPLACED_TEXT["en"]


async def test_a_reset_link_expires_after_an_hour_and_only_the_newest_is_valid(
    new_browser, anna, worker, mailbox, clock
) -> None:
    browser = new_browser()
    first = parse_link_token(await fetch_reset_link(anna, browser, worker, mailbox))
    second = parse_link_token(await fetch_reset_link(anna, browser, worker, mailbox))
    assert (await submit_reset(browser, first)).status_code == 400
    clock.forward(minutes=60)
    assert (await submit_reset(browser, second)).status_code == 400
    third = parse_link_token(await fetch_reset_link(anna, browser, worker, mailbox))
    clock.forward(minutes=59, seconds=59)
    assert (await submit_reset(browser, third)).status_code == 200


async def test_of_two_concurrent_uses_of_a_link_one_succeeds(
    new_browser, anna, worker, mailbox
) -> None:
    token = parse_link_token(await fetch_reset_link(anna, new_browser(), worker, mailbox))

    answers = await asyncio.gather(
        submit_reset(new_browser(), token, "Pierwsze0haslo"),
        submit_reset(new_browser(), token, "Drugie0haslo"),
    )

    assert sorted(answer.status_code for answer in answers) == [200, 400]


async def test_concurrent_reset_requests_and_uses_leave_one_password(
    new_browser, anna, worker, mailbox
) -> None:
    token = parse_link_token(await fetch_reset_link(anna, new_browser(), worker, mailbox))

    answers = await asyncio.gather(
        request_reset(new_browser(), anna.email), submit_reset(new_browser(), token),
        submit_password_change(anna, new="Inne0haslo"),
        request_reset(new_browser(), anna.email), submit_reset(new_browser(), token),
    )  # fmt: skip

    assert {answer.status_code for answer in answers} <= {200, 400, 401}
    logins_tried = [
        await log_in(new_browser(), anna.email, password)
        for password in (PASSWORD, NEW, "Inne0haslo")
    ]
    assert sorted(logins_tried) == [200, 401, 401]
    assert logins_tried[0] == 401


async def test_a_check_of_a_reset_link_says_what_the_reset_would_and_leaves_it_unused(
    new_browser, anna, worker, mailbox, clock, logins
) -> None:
    browser = new_browser()
    first = parse_link_token(await fetch_reset_link(anna, browser, worker, mailbox))
    token = parse_link_token(await fetch_reset_link(anna, browser, worker, mailbox))
    code_id = reset.parse_reset_token(token)
    assert code_id is not None
    stored = "SELECT to_jsonb(code) AS code FROM one_time_code AS code ORDER BY id"
    events = "SELECT count(*) FROM user_activity"
    before = await fetch_rows(logins, stored), await fetch_rows(logins, events)

    for replaced in (first, "x", reset.new_reset_token(code_id)):
        refused = await check_link(browser, replaced)
        assert (refused.status_code, refused.content) == (
            400,
            (await submit_reset(browser, "x")).content,
        )
    for _ in range(12):  # more than the tries of a code
        accepted = await check_link(browser, token)
        assert (accepted.status_code, accepted.json()) == (200, {"ok": True})

    assert (await fetch_rows(logins, stored), await fetch_rows(logins, events)) == before
    assert (await check_link(browser, first, "en")).json()["message"] == BAD_LINK_TEXT["en"]
    clock.forward(minutes=60)
    assert (await check_link(browser, token)).status_code == 400
    clock.forward(minutes=-1)
    assert (await submit_reset(browser, token)).status_code == 200
    assert (await check_link(browser, token)).status_code == 400  # it has been used


@pytest.mark.parametrize("token", ["", "x", "=" * 64, "A" * 64, "A" * 63, "ż" * 64, "A" * 4000])
async def test_malformed_reset_tokens_get_the_same_refusal(new_browser, token) -> None:
    answer = await submit_reset(new_browser(), token)

    assert answer.status_code == 400
    assert answer.json() == {"error": "invalid_reset_link", "message": BAD_LINK_TEXT["pl"]}


async def test_a_link_of_the_right_row_with_another_secret_is_refused(
    new_browser, anna, worker, mailbox
) -> None:
    token = parse_link_token(await fetch_reset_link(anna, new_browser(), worker, mailbox))
    code_id = reset.parse_reset_token(token)
    assert code_id is not None

    assert (await submit_reset(new_browser(), reset.new_reset_token(code_id))).status_code == 400
    assert (await submit_reset(new_browser(), token)).status_code == 200


async def test_a_link_with_another_secret_takes_no_slot_of_hashing_and_is_limited(
    new_browser, anna, worker, mailbox, monkeypatch
) -> None:
    """Else one link of one's own keeps the slots busy, in the line of users."""
    token = parse_link_token(await fetch_reset_link(anna, new_browser(), worker, mailbox))
    code_id = reset.parse_reset_token(token)
    assert code_id is not None
    forged, browser = reset.new_reset_token(code_id), new_browser()
    with monkeypatch.context() as full:
        full.setattr(hashing, "queue", hashing.HashQueue(slots=0))  # a slot would be waited for
        full.setattr(hashing, "MAX_WAIT_SECONDS", 0.5)

        answers = [
            (await submit_reset(browser, forged)).status_code
            for _ in range(limits.RESETS_PER_NETWORK.max_tries + 1)
        ]
    assert (set(answers[:-2]), answers[-1]) == ({400}, 429)

    assert (await submit_reset(browser, token)).status_code == 200


async def test_a_refused_password_does_not_consume_the_link(
    new_browser, anna, worker, mailbox
) -> None:
    browser = new_browser()
    token = parse_link_token(await fetch_reset_link(anna, browser, worker, mailbox))
    table = [
        ("Krotk1", None, "newPassword", "Hasło musi mieć co najmniej 8 znaków."),
        ("bezwielkiej1", None, "newPassword", "Hasło musi zawierać wielką literę."),
        ("BezCyfryTutaj", None, "newPassword", "Hasło musi zawierać cyfrę."),
        ("Haslo123!", None, "newPassword", "To hasło jest zbyt popularne. Wybierz inne."),
        (NEW, "Inne0haslo", "confirmPassword", "Hasła nie są takie same"),
    ]
    for new, confirmed, field, sentence in table:
        answer = await submit_reset(browser, token, new, confirmed)
        assert answer.status_code == 422
        assert answer.json() == {
            "error": "invalid_password", "message": sentence, "fields": {field: sentence},
        }  # fmt: skip
    assert (await submit_reset(browser, token)).status_code == 200


async def test_a_reset_request_does_not_reveal_whether_an_account_exists(
    new_browser, anna, worker, mailbox, logins, monkeypatch
) -> None:
    monkeypatch.setattr(constant_time, "PADDING_INTERVAL_SECONDS", PADDING_SECONDS)
    deliveries = await count_rows(logins, "delivery")
    observed = []
    for email in ("nikt@acme.test", anna.email, "ANNA@acme.test"):
        started = time.monotonic()
        answer = await request_reset(new_browser(), email)
        elapsed = time.monotonic() - started
        unlike = {"date", "x-request-id"}
        headers = {name: value for name, value in answer.headers.items() if name not in unlike}
        observed.append((answer.status_code, answer.content, headers))
        assert elapsed >= PADDING_SECONDS  # whatever the work took, the answer is padded

    assert observed[0] == observed[1] == observed[2]
    assert await count_rows(logins, "delivery") == deliveries + 2
    stored = await fetch_rows(logins, "SELECT code_hash FROM one_time_code WHERE kind = 'reset'")
    token = parse_link_token(await fetch_reset_link(anna, new_browser(), worker, mailbox)).encode()
    assert all(token not in row["code_hash"] for row in stored)


@pytest.mark.parametrize("email", ["", "anna", "anna@acme", "an na@acme.test"])
@pytest.mark.parametrize(
    ("language", "sentence"),
    [("pl", "Podaj prawidłowy adres e-mail."), ("en", "Please enter a valid email address")],
)
async def test_a_malformed_address_is_refused_at_its_field(
    new_browser, email, language, sentence
) -> None:
    answer = await request_reset(new_browser(), email, language)

    assert answer.status_code == 422
    assert answer.json() == {
        "error": "invalid_email", "message": sentence, "fields": {"email": sentence},
    }  # fmt: skip


async def test_a_failed_login_takes_as_long_for_an_account_as_for_none(
    new_browser, anna, monkeypatch
) -> None:
    monkeypatch.setattr(constant_time, "PADDING_INTERVAL_SECONDS", PADDING_SECONDS)
    for email in (anna.email, "nikt@acme.test", "a\0@b.pl"):
        started = time.monotonic()
        assert await log_in(new_browser(), email, "Zle0haslo") == 401
        assert time.monotonic() - started >= PADDING_SECONDS


async def test_reset_requests_are_limited_alike_for_every_address(new_browser, anna) -> None:
    answers = {}
    for email in (anna.email, "nikt@acme.test"):
        codes = [(await request_reset(new_browser(), email)).status_code for _ in range(6)]
        assert codes == [200] * 5 + [429]
        answers[email] = (await request_reset(new_browser(), email)).json()
    assert answers[anna.email] == answers["nikt@acme.test"]


async def test_a_forged_host_does_not_change_the_link(new_browser, anna, worker, mailbox) -> None:
    forged_tokens = {
        "Host": "evil.test", "X-Forwarded-Host": "evil.test", "Forwarded": "host=evil.test",
        "X-Forwarded-Proto": "https",
    }  # fmt: skip
    await new_browser().post(
        "/api/request-password-reset", json={"email": anna.email}, headers=forged_tokens
    )
    await deliver_outbox(worker)

    mail = mailbox.messages_to(anna.email)[-1]
    assert mail.link.startswith("http://127.0.0.1:8000/auth/")
    assert "evil" not in mail.text + mail.html


async def test_a_reset_clears_the_login_limit_of_the_account(
    context, anna, worker, mailbox, browser_for_app
) -> None:
    other_network = browser_for_app(context, "203.0.113.9")
    for _ in range(limits.WRONG_SIGN_INS.max_tries):
        assert await log_in(other_network, anna.email, "Zle0haslo") == 401
    assert await log_in(other_network, anna.email, PASSWORD) == 429
    third_network = browser_for_app(context, "198.51.100.7")
    assert await log_in(third_network, anna.email, PASSWORD) == 429
    token = parse_link_token(await fetch_reset_link(anna, third_network, worker, mailbox))
    assert (await submit_reset(third_network, token)).status_code == 200
    assert await log_in(third_network, anna.email, NEW) == 200


async def test_a_password_change_revokes_all_other_sessions_and_renews_this_one(
    new_browser, anna
) -> None:
    other = Person(anna.email, new_browser())
    await other.sign_in()
    before = anna.browser.cookies["prawko"]

    answer = await submit_password_change(anna)

    assert (answer.status_code, answer.json()) == (
        200,
        {"ok": True, "message": "Hasło zostało zmienione"},
    )
    assert anna.browser.cookies["prawko"] != before
    assert (await anna.get("/api/user")).status_code == 200
    assert (await other.get("/api/user")).status_code == 401
    anna.browser.cookies.set("prawko", before, domain="127.0.0.1", path="/")
    assert await log_in(new_browser(), anna.email, PASSWORD) == 401
    assert await log_in(new_browser(), anna.email, NEW) == 200


async def test_a_session_from_before_the_change_is_invalid(new_browser, anna) -> None:
    stolen_session = new_browser()
    stolen_session.cookies.set("prawko", anna.browser.cookies["prawko"])
    assert (await stolen_session.get("/api/user")).status_code == 200

    await submit_password_change(anna)

    assert (await stolen_session.get("/api/user")).status_code == 401


@pytest.mark.parametrize(
    ("current", "new", "confirmed", "fields"),
    [
        ("abc", "def", "ghi", {"currentPassword", "newPassword", "confirmPassword"}),
        (PASSWORD, "Abc1", "Abc1", {"newPassword", "confirmPassword"}),
        ("12345", NEW, NEW, {"currentPassword"}),
        (PASSWORD, NEW, "", {"confirmPassword"}),
    ],
)
async def test_fields_shorter_than_six_characters_are_refused_first(
    anna, current, new, confirmed, fields
) -> None:
    for language, sentence in (
        ("pl", "Hasło musi mieć minimum 6 znaków"),
        ("en", "Password must be at least 6 characters"),
    ):
        await anna.put("/api/user/language", {"language": language})
        answer = await submit_password_change(anna, current, new, confirmed)
        assert answer.status_code == 422
        assert answer.json() == {
            "error": "invalid_password", "message": sentence,
            "fields": dict.fromkeys(fields, sentence),
        }  # fmt: skip


async def test_then_the_passwords_must_match_and_then_the_rules_apply(anna) -> None:
    table = [
        ("Nowe0haslo", "Nowe0has1o", "confirmPassword", "Hasła nie są takie same",
         "Passwords do not match"),
        ("Krotk1", "Krotk1", "newPassword", "Hasło musi mieć co najmniej 8 znaków.",
         "The password must be at least 8 characters long."),
        ("bezwielkiej1", "bezwielkiej1", "newPassword", "Hasło musi zawierać wielką literę.",
         "The password must contain a capital letter."),
        ("BezCyfryTutaj", "BezCyfryTutaj", "newPassword", "Hasło musi zawierać cyfrę.",
         "The password must contain a digit."),
        ("Qwerty123", "Qwerty123", "newPassword", "To hasło jest zbyt popularne. Wybierz inne.",
         "This password is too common. Choose another one."),
        ("Aa1" + "x" * 4500, "Aa1" + "x" * 4500, "newPassword", "Hasło jest za długie.",
         "The password is too long."),
    ]  # fmt: skip
    for index, language in enumerate(("pl", "en")):
        await anna.put("/api/user/language", {"language": language})
        for new, confirmed, field, *sentences in table:
            answer = await submit_password_change(anna, "Zle0haslo", new, confirmed)
            assert answer.status_code == 422
            assert answer.json()["message"] == sentences[index]
            assert answer.json()["fields"] == {field: sentences[index]}
    assert (await anna.get("/api/user")).status_code == 200


async def test_a_wrong_current_password_is_refused_and_limited(new_browser, anna) -> None:
    for language, sentence in (
        ("pl", "Obecne hasło jest nieprawidłowe."),
        ("en", "The current password is incorrect."),
    ):
        await anna.put("/api/user/language", {"language": language})
        answer = await submit_password_change(anna, "Zle0haslo")
        assert answer.status_code == 400
        assert answer.json() == {
            "error": "wrong_password", "message": sentence,
            "fields": {"currentPassword": sentence},
        }  # fmt: skip
    codes = [(await submit_password_change(anna, "Zle0haslo")).status_code for _ in range(9)]
    assert codes == [400] * 8 + [429]
    changed = await submit_password_change(anna)
    assert changed.status_code == 429
    assert changed.json()["error"] == "too_many_requests"
    assert 0 < int(changed.headers["Retry-After"]) <= 900
    assert await log_in(new_browser(), anna.email, PASSWORD) == 200


async def test_long_passwords_are_not_truncated_by_change_and_reset(
    new_browser, anna, worker, mailbox
) -> None:
    long_password = "Aa1" + "ż" * 500
    assert (await submit_password_change(anna, PASSWORD, long_password)).status_code == 200
    assert await log_in(new_browser(), anna.email, long_password[:-1]) == 401
    assert await log_in(new_browser(), anna.email, long_password) == 200
    token = parse_link_token(await fetch_reset_link(anna, new_browser(), worker, mailbox))
    assert (await submit_reset(new_browser(), token, long_password + "x")).status_code == 200
    assert await log_in(new_browser(), anna.email, long_password) == 401
    assert await log_in(new_browser(), anna.email, long_password + "x") == 200


async def test_a_password_change_invalidates_reset_links(
    new_browser, anna, worker, mailbox
) -> None:
    token = parse_link_token(await fetch_reset_link(anna, new_browser(), worker, mailbox))
    await submit_password_change(anna)

    assert (await submit_reset(new_browser(), token, "Inne0haslo")).status_code == 400


async def test_the_rival_cannot_change_annas_password_with_a_link_of_its_own(
    new_browser, anna, celina, worker, mailbox
) -> None:
    token = parse_link_token(await fetch_reset_link(celina, new_browser(), worker, mailbox))
    await submit_reset(new_browser(), token)

    assert (await anna.get("/api/user")).status_code == 200
    assert await log_in(new_browser(), anna.email, PASSWORD) == 200
    assert await log_in(new_browser(), celina.email, NEW) == 200


async def test_common_passwords_are_refused_at_sign_up_and_reported_to_the_checklist(
    new_browser,
) -> None:
    browser = new_browser()
    body = {"email": "dorota@nowa.test", "password": "Polska2026!"}
    answer = await browser.post("/api/register", json=body)
    assert answer.status_code == 422
    assert answer.json()["fields"] == {"password": "To hasło jest zbyt popularne. Wybierz inne."}

    table = {
        "Polska2026!": (["common"], True),
        "Krotk1": (["too_short"], True),
        "": (["too_short", "no_capital", "no_digit"], True),
        "Nowe0haslo": ([], False),
    }
    for password, (issues, refused) in table.items():
        response = await browser.post("/api/check-password", json={"password": password})
        assert response.json() == {"faults": issues, "refused": refused}


async def test_a_common_password_is_only_a_warning_where_the_setting_is_off(
    context, browser_for_app
) -> None:
    lenient_settings = msgspec.structs.replace(context.settings, refuse_common_passwords=False)
    browser = browser_for_app(context, settings=lenient_settings)

    response = await browser.post("/api/check-password", json={"password": "Haslo123"})
    assert response.json() == {"faults": ["common"], "refused": False}
    body = {"email": "dorota@nowa.test", "password": "Haslo123"}
    assert (await browser.post("/api/register", json=body)).status_code == 201
