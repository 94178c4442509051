"""A forgotten password and a changed one: messages to the letter, links once, no hints."""

import asyncio
import dataclasses
import time
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

from persons import PASSWORD, Person, deliver
from prawko.accounts import beat, reset_links
from prawko.web.app import create_app
from stored import count, look, write

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("_quick_beat")]

NEW = "Nowe0haslo"
BEAT = beat.BEAT_SECONDS
ASKED = {
    "pl": "Jeśli istnieje konto z tym adresem, wysłaliśmy na niego link do ustawienia nowego"
    " hasła.",
    "en": "If an account with this address exists, we have sent it a link to set a new password.",
}
REPLACED = {
    "pl": "Hasło zostało zmienione. Zaloguj się nowym hasłem.",
    "en": "Your password has been changed. Log in with the new one.",
}
BAD_LINK = {
    "pl": "Link jest nieprawidłowy albo wygasł. Poproś o nowy.",
    "en": "This link is invalid or has expired. Please request a new one.",
}


@pytest.fixture
def _quick_beat(monkeypatch) -> None:
    """Answers come at once: how long they take is the theme of one test alone."""
    monkeypatch.setattr(beat, "BEAT_SECONDS", 0.001)


async def asks(browser, email: str, language: str = "pl"):
    return await browser.post(
        "/api/request-password-reset", json={"email": email}, headers={"Accept-Language": language}
    )


async def link_of(person: Person, browser, worker, mailbox) -> str:
    """Ask for a link and take it from the mail."""
    assert (await asks(browser, person.email)).status_code == 200
    await deliver(worker)
    return mailbox.to(person.email)[-1].link


def token_of(link: str) -> str:
    return parse_qs(urlsplit(link).query)["token"][0]


async def resets(browser, token: str, new=NEW, confirmed=None, language="pl"):
    body = {"token": token, "newPassword": new, "confirmPassword": confirmed or new}
    return await browser.post(
        "/api/reset-password", json=body, headers={"Accept-Language": language}
    )


async def logs_in(browser, email: str, password: str) -> int:
    answer = await browser.post("/api/login", json={"email": email, "password": password})
    return answer.status_code


async def changes(person, current=PASSWORD, new=NEW, confirmed=None, **options):
    body = {
        "currentPassword": current,
        "newPassword": new,
        "confirmPassword": new if confirmed is None else confirmed,
    }
    return await person.post("/api/user/change-password", body, **options)


async def test_the_mails_link_lets_a_new_password_in_once_and_ends_every_session(
    visitor, anna, worker, mailbox
) -> None:
    browser = visitor()
    link = await link_of(anna, browser, worker, mailbox)
    assert link.startswith("http://127.0.0.1:8000/auth/reset-password?token=")

    answer = await resets(browser, token_of(link))

    assert (answer.status_code, answer.json()) == (200, {"ok": True, "message": REPLACED["pl"]})
    assert (await anna.get("/api/user")).status_code == 401
    assert await logs_in(visitor(), anna.email, PASSWORD) == 401
    assert await logs_in(visitor(), anna.email, NEW) == 200
    again = await resets(browser, token_of(link), "Inne0haslo")
    assert (again.status_code, again.json()) == (
        400,
        {"error": "invalid_reset_link", "message": BAD_LINK["pl"]},
    )


async def test_the_link_proves_that_a_reported_address_works(
    visitor, anna, worker, mailbox, logins
) -> None:
    browser = visitor()
    await write(
        logins, "UPDATE user_account SET email_state = 'spam', email_state_reason = 'complaint'"
    )
    link = await link_of(anna, browser, worker, mailbox)

    assert (await resets(browser, token_of(link))).status_code == 200

    [address] = await look(
        logins,
        "SELECT email_state, email_state_reason, email_trusted_at IS NOT NULL AS trusted"
        " FROM user_account",
    )
    assert tuple(address.values()) == ("ok", None, True)


async def test_both_languages_say_it_in_the_mail_and_in_the_answers(
    visitor, anna, worker, mailbox
) -> None:
    browser = visitor()
    assert (await asks(browser, anna.email)).json()["message"] == ASKED["pl"]
    await deliver(worker)
    polish = mailbox.to(anna.email)[-1]
    await anna.put("/api/user/language", {"language": "en"})
    assert (await asks(browser, anna.email, "en")).json()["message"] == ASKED["en"]
    await deliver(worker)
    english = mailbox.to(anna.email)[-1]

    assert polish.title == "Ustaw nowe hasło"
    assert english.title == "Set a new password"
    for mail, sentence in (
        (polish, "Link jest ważny 60 minut i działa tylko raz."),
        (english, "The link is valid for 60 minutes and works once."),
    ):
        assert sentence in mail.text
        assert sentence in mail.html
        assert mail.link in mail.text
        assert mail.link in mail.html
    wrong = await resets(browser, "x", language="en")
    assert wrong.json()["message"] == BAD_LINK["en"]
    done = await resets(browser, token_of(english.link), language="en")
    assert done.json()["message"] == REPLACED["en"]


async def test_a_link_lives_an_hour_and_only_the_newest_counts(
    visitor, anna, worker, mailbox, clock
) -> None:
    browser = visitor()
    first = token_of(await link_of(anna, browser, worker, mailbox))
    second = token_of(await link_of(anna, browser, worker, mailbox))
    assert (await resets(browser, first)).status_code == 400
    clock.forward(minutes=60)
    assert (await resets(browser, second)).status_code == 400
    third = token_of(await link_of(anna, browser, worker, mailbox))
    clock.forward(minutes=59, seconds=59)
    assert (await resets(browser, third)).status_code == 200


async def test_of_two_who_use_a_link_at_once_one_is_let_in(visitor, anna, worker, mailbox) -> None:
    token = token_of(await link_of(anna, visitor(), worker, mailbox))

    answers = await asyncio.gather(
        resets(visitor(), token, "Pierwsze0haslo"), resets(visitor(), token, "Drugie0haslo")
    )

    assert sorted(answer.status_code for answer in answers) == [200, 400]


async def test_links_asked_for_used_and_overtaken_at_once_leave_one_password(
    visitor, anna, worker, mailbox
) -> None:
    token = token_of(await link_of(anna, visitor(), worker, mailbox))

    answers = await asyncio.gather(
        asks(visitor(), anna.email), resets(visitor(), token), changes(anna, new="Inne0haslo"),
        asks(visitor(), anna.email), resets(visitor(), token),
    )  # fmt: skip

    assert {answer.status_code for answer in answers} <= {200, 400, 401}
    right = [await logs_in(visitor(), anna.email, one) for one in (PASSWORD, NEW, "Inne0haslo")]
    assert sorted(right) == [200, 401, 401]
    assert right[0] == 401


@pytest.mark.parametrize("token", ["", "x", "=" * 64, "A" * 64, "A" * 63, "ż" * 64, "A" * 4000])
async def test_what_is_no_link_of_ours_is_refused_alike(visitor, token) -> None:
    answer = await resets(visitor(), token)

    assert answer.status_code == 400
    assert answer.json() == {"error": "invalid_reset_link", "message": BAD_LINK["pl"]}


async def test_a_link_of_the_right_row_with_another_secret_is_refused(
    visitor, anna, worker, mailbox
) -> None:
    token = token_of(await link_of(anna, visitor(), worker, mailbox))
    code_id = reset_links.code_of(token)
    assert code_id is not None

    assert (await resets(visitor(), reset_links.new_token(code_id))).status_code == 400
    assert (await resets(visitor(), token)).status_code == 200


async def test_a_refused_password_leaves_the_link_good(visitor, anna, worker, mailbox) -> None:
    browser = visitor()
    token = token_of(await link_of(anna, browser, worker, mailbox))
    table = [
        ("Krotk1", None, "newPassword", "Hasło musi mieć co najmniej 8 znaków."),
        ("bezwielkiej1", None, "newPassword", "Hasło musi zawierać wielką literę."),
        ("BezCyfryTutaj", None, "newPassword", "Hasło musi zawierać cyfrę."),
        ("Haslo123!", None, "newPassword", "To hasło jest zbyt popularne. Wybierz inne."),
        (NEW, "Inne0haslo", "confirmPassword", "Hasła nie są takie same"),
    ]
    for new, confirmed, field, sentence in table:
        answer = await resets(browser, token, new, confirmed)
        assert answer.status_code == 422
        assert answer.json() == {
            "error": "invalid_password", "message": sentence, "fields": {field: sentence},
        }  # fmt: skip
    assert (await resets(browser, token)).status_code == 200


async def test_asking_tells_nobody_whether_an_account_exists(
    visitor, anna, worker, mailbox, logins, monkeypatch
) -> None:
    monkeypatch.setattr(beat, "BEAT_SECONDS", BEAT)
    deliveries = await count(logins, "delivery")
    told = []
    for email in ("nikt@acme.test", anna.email, "ANNA@acme.test"):
        began = time.monotonic()
        answer = await asks(visitor(), email)
        spent = time.monotonic() - began
        headers = {name: value for name, value in answer.headers.items() if name != "date"}
        told.append((answer.status_code, answer.content, headers))
        assert spent >= BEAT  # whatever the work took, the answer waits for the beat

    assert told[0] == told[1] == told[2]
    assert await count(logins, "delivery") == deliveries + 2
    stored = await look(logins, "SELECT code_hash FROM one_time_code WHERE kind = 'reset'")
    token = token_of(await link_of(anna, visitor(), worker, mailbox)).encode()
    assert all(token not in row["code_hash"] for row in stored)


@pytest.mark.parametrize("email", ["", "anna", "anna@acme", "an na@acme.test"])
@pytest.mark.parametrize(
    ("language", "sentence"),
    [("pl", "Podaj prawidłowy adres e-mail."), ("en", "Please enter a valid email address")],
)
async def test_what_is_no_address_is_said_at_its_field(visitor, email, language, sentence) -> None:
    answer = await asks(visitor(), email, language)

    assert answer.status_code == 422
    assert answer.json() == {
        "error": "invalid_email", "message": sentence, "fields": {"email": sentence},
    }  # fmt: skip


async def test_a_failed_login_takes_as_long_for_an_account_as_for_none(
    visitor, anna, monkeypatch
) -> None:
    monkeypatch.setattr(beat, "BEAT_SECONDS", BEAT)
    for email in (anna.email, "nikt@acme.test", "a\0@b.pl"):
        began = time.monotonic()
        assert await logs_in(visitor(), email, "Zle0haslo") == 401
        assert time.monotonic() - began >= BEAT


async def test_asking_too_often_is_refused_for_any_address_alike(visitor, anna) -> None:
    answers = {}
    for email in (anna.email, "nikt@acme.test"):
        codes = [(await asks(visitor(), email)).status_code for _ in range(6)]
        assert codes == [200] * 5 + [429]
        answers[email] = (await asks(visitor(), email)).json()
    assert answers[anna.email] == answers["nikt@acme.test"]


async def test_a_forged_host_does_not_move_the_link(visitor, anna, worker, mailbox) -> None:
    forged = {
        "Host": "evil.test", "X-Forwarded-Host": "evil.test", "Forwarded": "host=evil.test",
        "X-Forwarded-Proto": "https",
    }  # fmt: skip
    await visitor().post("/api/request-password-reset", json={"email": anna.email}, headers=forged)
    await deliver(worker)

    mail = mailbox.to(anna.email)[-1]
    assert mail.link.startswith("http://127.0.0.1:8000/auth/")
    assert "evil" not in mail.text + mail.html


async def test_who_locked_an_account_by_guessing_locks_out_nobody_who_reads_its_mail(
    tools, visitor, anna, worker, mailbox, visitor_of
) -> None:
    stranger = visitor_of(create_app(tools), "203.0.113.9")
    for _ in range(tools.settings.login_tries_per_account):
        assert await logs_in(stranger, anna.email, "Zle0haslo") == 401
    assert await logs_in(stranger, anna.email, PASSWORD) == 429
    # From where Anna has signed in before, her own password still opens.
    assert await logs_in(visitor(), anna.email, PASSWORD) == 200
    elsewhere = visitor_of(create_app(tools), "198.51.100.7")
    assert await logs_in(elsewhere, anna.email, PASSWORD) == 429
    token = token_of(await link_of(anna, elsewhere, worker, mailbox))
    assert (await resets(elsewhere, token)).status_code == 200
    assert await logs_in(elsewhere, anna.email, NEW) == 200


async def test_a_changed_password_ends_all_other_sessions_and_renames_this_one(
    visitor, anna
) -> None:
    other = Person(anna.email, visitor())
    await other.signs_in()
    before = anna.browser.cookies["prawko"]

    answer = await changes(anna)

    assert (answer.status_code, answer.json()) == (
        200,
        {"ok": True, "message": "Hasło zostało zmienione"},
    )
    assert anna.browser.cookies["prawko"] != before
    assert (await anna.get("/api/user")).status_code == 200
    assert (await other.get("/api/user")).status_code == 401
    anna.browser.cookies.set("prawko", before, domain="127.0.0.1", path="/")
    assert await logs_in(visitor(), anna.email, PASSWORD) == 401
    assert await logs_in(visitor(), anna.email, NEW) == 200


async def test_a_session_of_before_the_change_is_worth_nothing(visitor, anna) -> None:
    stolen = visitor()
    stolen.cookies.set("prawko", anna.browser.cookies["prawko"])
    assert (await stolen.get("/api/user")).status_code == 200

    await changes(anna)

    assert (await stolen.get("/api/user")).status_code == 401


@pytest.mark.parametrize(
    ("current", "new", "confirmed", "fields"),
    [
        ("abc", "def", "ghi", {"currentPassword", "newPassword", "confirmPassword"}),
        (PASSWORD, "Abc1", "Abc1", {"newPassword", "confirmPassword"}),
        ("12345", NEW, NEW, {"currentPassword"}),
        (PASSWORD, NEW, "", {"confirmPassword"}),
    ],
)
async def test_shorter_than_six_characters_is_said_first(
    anna, current, new, confirmed, fields
) -> None:
    for language, sentence in (
        ("pl", "Hasło musi mieć minimum 6 znaków"),
        ("en", "Password must be at least 6 characters"),
    ):
        await anna.put("/api/user/language", {"language": language})
        answer = await changes(anna, current, new, confirmed)
        assert answer.status_code == 422
        assert answer.json() == {
            "error": "invalid_password", "message": sentence,
            "fields": dict.fromkeys(fields, sentence),
        }  # fmt: skip


async def test_then_the_two_must_match_and_then_our_own_rules_speak(anna) -> None:
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
    for at, language in enumerate(("pl", "en")):
        await anna.put("/api/user/language", {"language": language})
        for new, confirmed, field, *sentences in table:
            answer = await changes(anna, "Zle0haslo", new, confirmed)
            assert answer.status_code == 422
            assert answer.json()["message"] == sentences[at]
            assert answer.json()["fields"] == {field: sentences[at]}
    assert (await anna.get("/api/user")).status_code == 200


async def test_a_wrong_present_password_is_refused_and_throttled(visitor, anna) -> None:
    for language, sentence in (
        ("pl", "Obecne hasło jest nieprawidłowe."),
        ("en", "The current password is incorrect."),
    ):
        await anna.put("/api/user/language", {"language": language})
        answer = await changes(anna, "Zle0haslo")
        assert answer.status_code == 400
        assert answer.json() == {
            "error": "wrong_password", "message": sentence,
            "fields": {"currentPassword": sentence},
        }  # fmt: skip
    codes = [(await changes(anna, "Zle0haslo")).status_code for _ in range(9)]
    assert codes == [400] * 8 + [429]
    right = await changes(anna)
    assert right.status_code == 429
    assert right.json()["error"] == "too_many_requests"
    assert 0 < int(right.headers["Retry-After"]) <= 900
    assert await logs_in(visitor(), anna.email, PASSWORD) == 200


async def test_long_passwords_are_changed_and_reset_uncut(visitor, anna, worker, mailbox) -> None:
    long = "Aa1" + "ż" * 500
    assert (await changes(anna, PASSWORD, long)).status_code == 200
    assert await logs_in(visitor(), anna.email, long[:-1]) == 401
    assert await logs_in(visitor(), anna.email, long) == 200
    token = token_of(await link_of(anna, visitor(), worker, mailbox))
    assert (await resets(visitor(), token, long + "x")).status_code == 200
    assert await logs_in(visitor(), anna.email, long) == 401
    assert await logs_in(visitor(), anna.email, long + "x") == 200


async def test_a_changed_password_makes_links_under_way_worthless(
    visitor, anna, worker, mailbox
) -> None:
    token = token_of(await link_of(anna, visitor(), worker, mailbox))
    await changes(anna)

    assert (await resets(visitor(), token, "Inne0haslo")).status_code == 400


async def test_the_rival_cannot_change_annas_password_with_a_link_of_its_own(
    visitor, anna, celina, worker, mailbox
) -> None:
    token = token_of(await link_of(celina, visitor(), worker, mailbox))
    await resets(visitor(), token)

    assert (await anna.get("/api/user")).status_code == 200
    assert await logs_in(visitor(), anna.email, PASSWORD) == 200
    assert await logs_in(visitor(), celina.email, NEW) == 200


async def test_common_passwords_are_refused_at_sign_up_and_named_to_the_checklist(visitor) -> None:
    browser = visitor()
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
    for password, (faults, refused) in table.items():
        seen = await browser.post("/api/check-password", json={"password": password})
        assert seen.json() == {"faults": faults, "refused": refused}


async def test_where_the_setting_is_off_a_common_password_is_a_warning_only(
    tools, visitor_of
) -> None:
    lenient = msgspec.structs.replace(tools.settings, refuse_common_passwords=False)
    browser = visitor_of(create_app(dataclasses.replace(tools, settings=lenient)))

    seen = await browser.post("/api/check-password", json={"password": "Haslo123"})
    assert seen.json() == {"faults": ["common"], "refused": False}
    body = {"email": "dorota@nowa.test", "password": "Haslo123"}
    assert (await browser.post("/api/register", json=body)).status_code == 201
