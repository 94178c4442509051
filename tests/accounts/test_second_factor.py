"""Two-step verification: set-up, sign-in, recovery codes, replay, limits."""

import asyncio
import re
from datetime import UTC, datetime, timedelta

import pyotp
import pytest
import segno

from prawko.accounts.passwords import hashing
from prawko.accounts.second_factor import service, verification
from prawko.accounts.second_factor.codes import draw_qr_code, find_step, new_recovery_codes
from prawko.kit.clock import utc_now
from support.database import age_tries, count_rows, execute_as_owner, fetch_rows
from support.people import PASSWORD, Person, deliver_outbox, make_impersonated

pytestmark = pytest.mark.anyio

SECOND_FACTOR = "/api/user/second-factor"
LOGIN = "/api/login/second-factor"
# RFC 6238, appendix B: SHA-1, the last six of eight digits.
RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
RFC_CODES = {59: "287082", 1111111109: "081804", 1234567890: "005924", 20000000000: "353130"}


class Telephone:
    """An authenticator app, whose clock and the server's the test moves together."""

    def __init__(self, monkeypatch) -> None:
        self.secret = ""
        self._shift = timedelta(0)
        for module in (service, verification):
            monkeypatch.setattr(module, "utc_now", self.now)

    def now(self) -> datetime:
        return utc_now() + self._shift

    def code(self) -> str:
        """Return the code of a step that was not used before."""
        self._shift += timedelta(seconds=30)
        return self.shown_code()

    def shown_code(self) -> str:
        return pyotp.TOTP(self.secret).at(self.now())


class PausedVerification:
    """Pauses the first comparison of a password after it."""

    def __init__(self, compare) -> None:
        self._compare = compare
        self.paused = True
        self.reached, self.proceed = asyncio.Event(), asyncio.Event()

    async def __call__(self, *args, **options) -> bool:
        result = await self._compare(*args, **options)
        if self.paused:
            self.reached.set()
            await self.proceed.wait()
        return result


def verification_of_passwords(monkeypatch) -> PausedVerification:
    paused = PausedVerification(hashing.verify_password)
    monkeypatch.setattr(hashing, "verify_password", paused)
    return paused


@pytest.fixture
def telephone(monkeypatch) -> Telephone:
    return Telephone(monkeypatch)


async def set_up(person: Person, telephone: Telephone) -> list[str]:
    """Switch the second factor on; return the recovery codes."""
    answer = await person.post(SECOND_FACTOR, {"password": PASSWORD})
    assert answer.status_code == 200, answer.text
    telephone.secret = answer.json()["secret"]
    answer = await person.post(f"{SECOND_FACTOR}/confirm", {"code": telephone.code()})
    assert answer.status_code == 200, answer.text
    return answer.json()["recoveryCodes"]


async def begin_login(person: Person, visitor) -> Person:
    """Pass the first step in another browser."""
    elsewhere = Person(person.email, visitor())
    await elsewhere.sign_in()
    return elsewhere


async def begin_login_status(person: Person):
    answer = await person.post("/api/login", {"email": person.email, "password": PASSWORD})
    return answer.json()


async def consent(person: Person, path: str, method: str, **fields: str):
    return await person.browser.request(method, path, json={"password": PASSWORD, **fields})


def list_activities(logins):
    return fetch_rows(logins, "SELECT activity_type AS kind FROM user_activity ORDER BY created_at")


async def test_a_step_that_a_wrong_clock_has_recorded_locks_no_user_out(
    anna, telephone, new_browser, logins
) -> None:
    await set_up(anna, telephone)
    elsewhere = await begin_login(anna, new_browser)
    code = telephone.code()
    ahead = "UPDATE second_factor SET last_step = last_step + $1"
    await execute_as_owner(logins, ahead, 3)
    refused = await elsewhere.post(LOGIN, {"code": code})
    assert refused.status_code == 400, refused.text
    await execute_as_owner(logins, ahead, 2880)  # a day

    answer = await elsewhere.post(LOGIN, {"code": code})

    assert answer.status_code == 200, answer.text
    again = await begin_login(anna, new_browser)
    answer = await again.post(LOGIN, {"code": code})
    assert answer.status_code == 400


@pytest.mark.parametrize(("seconds", "code"), RFC_CODES.items())
def test_codes_are_those_of_the_standard(seconds, code) -> None:
    assert find_step(RFC_SECRET, code, datetime.fromtimestamp(seconds, UTC)) == seconds // 30


def test_a_telephone_may_be_half_a_minute_off_and_no_more() -> None:
    at = datetime(2026, 11, 22, 12, 0, 15, tzinfo=UTC)
    steps = [int(at.timestamp()) // 30 + offset for offset in range(-2, 3)]
    codes = [pyotp.TOTP(RFC_SECRET).generate_otp(step) for step in steps]

    assert [find_step(RFC_SECRET, code, at) for code in codes] == [None, *steps[1:4], None]


def test_recovery_codes_are_ten_different_ones() -> None:
    codes = {*new_recovery_codes(), *new_recovery_codes()}

    assert len(codes) == 20
    assert all(len(code) == 14 for code in codes)


def test_the_path_of_a_qr_code_has_exactly_its_dark_modules() -> None:
    uri = "otpauth://totp/Prawko:anna@acme.test?secret=ABC&issuer=Prawko"

    code = draw_qr_code(uri)

    drawn = [[0] * code.size for _ in range(code.size)]
    for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", code.path):
        drawn[int(y)][int(x) : int(x) + int(length)] = [1] * int(length)
    assert drawn == [[int(one) for one in row] for row in segno.make_qr(uri, error="m").matrix]


async def test_without_a_second_factor_signing_in_is_as_before(anna, new_browser) -> None:
    answer = await new_browser().post(
        "/api/login", json={"email": anna.email, "password": PASSWORD}
    )

    assert answer.json() == {"ok": True, "emailVerified": True}
    assert (await anna.get(SECOND_FACTOR)).json() == {
        "enabled": False, "enabledAt": None, "recoveryCodesLeft": 0, "required": False,
    }  # fmt: skip


async def test_the_set_up_shows_secret_address_and_qr_code(anna, logins) -> None:
    answer = (await anna.post(SECOND_FACTOR, {"password": PASSWORD})).json()

    assert pyotp.parse_uri(answer["uri"]).secret == answer["secret"]
    assert pyotp.parse_uri(answer["uri"]).name == anna.email
    assert pyotp.parse_uri(answer["uri"]).issuer == "Prawko"
    assert set(answer["qrCode"]) == {"size", "path"}
    stored = (await fetch_rows(logins, "SELECT secret FROM second_factor"))[0]["secret"]
    assert answer["secret"].encode() not in stored
    assert (await anna.get(SECOND_FACTOR)).json()["enabled"] is False, "nothing is confirmed yet"


async def test_the_set_up_takes_the_password(anna, logins) -> None:
    answer = await anna.post(SECOND_FACTOR, {"password": "Inne0haslo"})

    assert (answer.status_code, answer.json()["error"]) == (400, "wrong_password")
    assert answer.json()["fields"].keys() == {"password"}
    assert await count_rows(logins, "second_factor") == 0


async def test_a_wrong_code_switches_nothing_on(anna, telephone) -> None:
    telephone.secret = (await anna.post(SECOND_FACTOR, {"password": PASSWORD})).json()["secret"]
    wrong = f"{(int(telephone.code()) + 1) % 1_000_000:06}"

    answer = await anna.post(f"{SECOND_FACTOR}/confirm", {"code": wrong})

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_second_factor")
    assert (await anna.get(SECOND_FACTOR)).json()["enabled"] is False
    assert (await begin_login_status(anna)) == {"ok": True, "emailVerified": True}


async def test_switching_on_ends_other_sessions_and_mails_the_person(
    anna, new_browser, telephone, worker, mailbox, logins
) -> None:
    other = await begin_login(anna, new_browser)

    recovery_codes = await set_up(anna, telephone)

    assert len(recovery_codes) == 10
    assert (await other.get("/api/user")).status_code == 401
    status = (await anna.get(SECOND_FACTOR)).json()
    assert (status["enabled"], status["recoveryCodesLeft"]) == (True, 10)
    await deliver_outbox(worker)
    assert mailbox.messages_to(anna.email)[-1].subject == "Weryfikacja dwuetapowa jest włączona"
    assert {"kind": "second_factor_enabled"} in await list_activities(logins)
    stored = str(await fetch_rows(logins, "SELECT * FROM recovery_code"))
    assert not any(code in stored or code.replace("-", "") in stored for code in recovery_codes)


async def test_the_password_alone_opens_nothing(anna, new_browser, telephone, logins) -> None:
    await set_up(anna, telephone)

    browser = new_browser()
    answer = await browser.post("/api/login", json={"email": anna.email, "password": PASSWORD})

    assert (answer.status_code, answer.json()) == (200, {"ok": True, "secondFactorRequired": True})
    thief = Person(anna.email, browser)
    for refused in (
        await thief.get("/api/user"),
        await thief.get("/api/drivers"),
        await thief.get(SECOND_FACTOR),
        await thief.post("/api/sessions/revoke-others"),
        await thief.post("/api/user/change-password", {}),
    ):
        assert (refused.status_code, refused.json()["error"]) == (401, "auth_required")
    assert len((await anna.get("/api/sessions")).json()) == 1, "no session is listed for it"
    assert (await list_activities(logins))[-1] == {"kind": "second_factor_requested"}


async def test_a_code_finishes_the_sign_in_under_a_new_token(
    anna, new_browser, telephone, logins
) -> None:
    await set_up(anna, telephone)
    elsewhere = await begin_login(anna, new_browser)
    first_token = elsewhere.browser.cookies["prawko"]

    answer = await elsewhere.post(
        LOGIN, {"code": f" {telephone.code()[:3]} {telephone.shown_code()[3:]}"}
    )

    assert (answer.status_code, answer.json()) == (200, {"ok": True, "emailVerified": True})
    assert elsewhere.browser.cookies["prawko"] != first_token
    assert (await elsewhere.get("/api/user")).status_code == 200
    thief = Person(anna.email, new_browser())
    thief.browser.cookies.set("prawko", first_token)
    assert (await thief.get("/api/user")).status_code == 401
    assert (await thief.post(LOGIN, {"code": telephone.code()})).status_code == 401
    rows = await fetch_rows(
        logins, "SELECT second_factor_at FROM login_session WHERE revoked_at IS NULL"
    )
    assert all(row["second_factor_at"] is not None for row in rows)


async def test_no_code_is_accepted_twice(anna, new_browser, telephone) -> None:
    await set_up(anna, telephone)
    code = telephone.code()
    first, second = await begin_login(anna, new_browser), await begin_login(anna, new_browser)

    assert (await first.post(LOGIN, {"code": code})).status_code == 200
    answer = await second.post(LOGIN, {"code": code})

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_second_factor")
    assert (await second.post(LOGIN, {"code": telephone.code()})).status_code == 200


async def test_the_code_of_the_set_up_does_not_sign_in(anna, new_browser, telephone) -> None:
    await set_up(anna, telephone)
    elsewhere = await begin_login(anna, new_browser)

    assert (await elsewhere.post(LOGIN, {"code": telephone.shown_code()})).status_code == 400


async def test_of_concurrent_sign_ins_with_one_code_one_succeeds(
    anna, new_browser, telephone
) -> None:
    await set_up(anna, telephone)
    code = telephone.code()
    browsers = [await begin_login(anna, new_browser) for _ in range(3)]

    answers = await asyncio.gather(*(one.post(LOGIN, {"code": code}) for one in browsers))

    assert sorted(answer.status_code for answer in answers) == [200, 400, 400]


async def test_a_recovery_code_works_once(
    anna, new_browser, telephone, worker, mailbox, logins
) -> None:
    code = (await set_up(anna, telephone))[3]
    first, second = await begin_login(anna, new_browser), await begin_login(anna, new_browser)

    typed = code.lower().replace("-", " ")
    assert (await first.post(LOGIN, {"code": typed})).status_code == 200
    assert (await second.post(LOGIN, {"code": code})).status_code == 400

    assert (await first.get(SECOND_FACTOR)).json()["recoveryCodesLeft"] == 9
    assert {"kind": "recovery_code_used"} in await list_activities(logins)
    await deliver_outbox(worker)
    assert mailbox.messages_to(anna.email)[-1].subject == "Zalogowano kodem zapasowym"


async def test_a_recovery_code_works_only_for_its_own_user(
    anna, celina, new_browser, monkeypatch
) -> None:
    codes = await set_up(anna, Telephone(monkeypatch))
    await set_up(celina, Telephone(monkeypatch))
    elsewhere = await begin_login(celina, new_browser)

    assert (await elsewhere.post(LOGIN, {"code": codes[0]})).status_code == 400


async def test_new_recovery_codes_replace_the_earlier_ones(anna, new_browser, telephone) -> None:
    earlier = await set_up(anna, telephone)

    answer = await consent(anna, f"{SECOND_FACTOR}/recovery-codes", "POST", code=telephone.code())
    codes = answer.json()["recoveryCodes"]

    assert (len(codes), set(codes) & set(earlier)) == (10, set())
    elsewhere = await begin_login(anna, new_browser)
    assert (await elsewhere.post(LOGIN, {"code": earlier[0]})).status_code == 400
    assert (await elsewhere.post(LOGIN, {"code": codes[0]})).status_code == 200


async def test_tries_are_limited_and_recorded(anna, new_browser, telephone, logins) -> None:
    await set_up(anna, telephone)
    elsewhere = await begin_login(anna, new_browser)

    statuses = [(await elsewhere.post(LOGIN, {"code": "000000"})).status_code for _ in range(6)]

    assert statuses == [400] * 5 + [429]
    assert (await elsewhere.post(LOGIN, {"code": telephone.code()})).status_code == 429
    refused = [one for one in await list_activities(logins) if one["kind"].endswith("_refused")]
    assert len(refused) == 5


@pytest.fixture
def stranger_of(context, browser_for_app):
    """Returns somebody who knows a person's password, at an address of nobody's."""

    async def sign_in(person: Person) -> Person:
        stranger = Person(person.email, browser_for_app(context, "198.51.100.7"))
        await stranger.sign_in()
        return stranger

    return sign_in


async def test_the_pause_grows_with_every_further_wrong_code(
    anna, telephone, logins, stranger_of
) -> None:
    await set_up(anna, telephone)

    async def guess(rounds: int) -> int:
        """Try six codes every 16 minutes; return how many were compared."""
        compared = 0
        for _ in range(rounds):
            stranger = await stranger_of(anna)
            for _ in range(6):
                answer = await stranger.post(LOGIN, {"code": "000000"})
                compared += answer.status_code == 400
            await age_tries(logins, minutes=16)
        return compared

    assert await guess(3) == 10  # within the hour
    await age_tries(logins, hours=1)
    assert await guess(3) == 10
    await age_tries(logins, hours=2)
    stranger = await stranger_of(anna)
    assert (await stranger.post(LOGIN, {"code": telephone.code()})).status_code == 429
    await age_tries(logins, days=1)
    assert (await stranger.post(LOGIN, {"code": telephone.code()})).status_code == 200


async def test_a_stranger_does_not_use_up_the_tries_of_the_known_browser(
    anna, telephone, stranger_of
) -> None:
    await set_up(anna, telephone)
    stranger = await stranger_of(anna)
    for _ in range(6):
        await stranger.post(LOGIN, {"code": "000000"})

    answers = [
        await consent(anna, SECOND_FACTOR, "DELETE", code="000000"),
        await consent(
            anna, f"{SECOND_FACTOR}/recovery-codes", "POST", code=telephone.code()
        ),
        await consent(anna, SECOND_FACTOR, "DELETE", code=telephone.code()),
    ]  # fmt: skip

    assert [answer.status_code for answer in answers] == [400, 200, 200]


async def test_a_reset_gives_no_new_tries_and_resets_are_limited(
    anna, telephone, new_browser, worker, mailbox
) -> None:
    """Each reset makes another browser known; what it may do is counted with the others'."""
    await set_up(anna, telephone)
    known, statuses, links = anna.browser, list[int](), 0
    for _ in range(7):
        asked = await known.post("/api/request-password-reset", json={"email": anna.email})
        if asked.status_code == 429:
            break
        links += 1
        await deliver_outbox(worker)
        token = mailbox.messages_to(anna.email)[-1].link.partition("#token=")[2]
        body = {"token": token, "newPassword": PASSWORD, "confirmPassword": PASSWORD}
        known = new_browser()
        assert (await known.post("/api/reset-password", json=body)).status_code == 200
        await Person(anna.email, known).sign_in()
        tries = [await known.post(LOGIN, json={"code": "000000"}) for _ in range(3)]
        statuses += [answer.status_code for answer in tries]

    assert (links, statuses.count(400)) == (5, 5)


async def test_the_calls_of_the_account_share_their_tries_with_the_sign_in(anna, telephone) -> None:
    await set_up(anna, telephone)
    for _ in range(3):
        await consent(anna, SECOND_FACTOR, "DELETE", code="000000")
    await anna.sign_in()

    statuses = [(await anna.post(LOGIN, {"code": "000000"})).status_code for _ in range(3)]

    assert statuses == [400, 400, 429]


async def test_five_refused_codes_in_a_row_are_mailed_once_a_day(
    anna, new_browser, telephone, logins, worker, mailbox, clock
) -> None:
    await set_up(anna, telephone)
    await anna.browser.put("/api/user/language", json={"language": "en"})

    async def guess(times: int) -> int:
        """Try wrong codes; return how many mails warned of them."""
        await execute_as_owner(logins, "DELETE FROM throttle")
        elsewhere = await begin_login(anna, new_browser)
        for _ in range(times):
            assert (await elsewhere.post(LOGIN, {"code": "000000"})).status_code == 400
        await deliver_outbox(worker)
        subjects = [message.subject for message in mailbox.messages_to(anna.email)]
        return subjects.count("Somebody is trying to sign in to your account")

    async def sign_in() -> None:
        elsewhere = await begin_login(anna, new_browser)
        assert (await elsewhere.post(LOGIN, {"code": telephone.code()})).status_code == 200

    assert await guess(4) == 0
    await sign_in()
    assert await guess(4) == 0
    assert await guess(1) == 1
    assert await guess(5) == 1
    clock.forward(days=1)
    assert await guess(4) == 1
    assert await guess(1) == 2


async def test_a_sign_in_waits_ten_minutes(anna, new_browser, telephone, logins) -> None:
    await set_up(anna, telephone)
    elsewhere = await begin_login(anna, new_browser)
    await execute_as_owner(
        logins,
        "UPDATE login_session SET expires_at = expires_at - interval '10 minutes'"
        " WHERE second_factor_pending",
    )

    answer = await elsewhere.post(LOGIN, {"code": telephone.code()})

    assert (answer.status_code, answer.json()["error"]) == (401, "auth_required")


async def test_signing_out_abandons_a_waiting_sign_in(anna, new_browser, telephone) -> None:
    await set_up(anna, telephone)
    elsewhere = await begin_login(anna, new_browser)
    token = elsewhere.browser.cookies["prawko"]

    assert (await elsewhere.post("/api/logout")).status_code == 200

    elsewhere.browser.cookies.set("prawko", token)
    assert (await elsewhere.post(LOGIN, {"code": telephone.code()})).status_code == 401


async def test_resetting_the_password_leaves_the_second_factor_on(
    anna, new_browser, telephone, worker, mailbox
) -> None:
    await set_up(anna, telephone)
    waiting = await begin_login(anna, new_browser)
    visitor = Person(anna.email, new_browser())
    await visitor.post("/api/request-password-reset", {"email": anna.email})
    await deliver_outbox(worker)
    text = mailbox.messages_to(anna.email)[-1].text
    token = text.split("token=")[1].split()[0]

    answer = await visitor.post(
        "/api/reset-password",
        {"token": token, "newPassword": "Nowe0haslo", "confirmPassword": "Nowe0haslo"},
    )

    assert answer.status_code == 200, answer.text
    assert (await waiting.post(LOGIN, {"code": telephone.code()})).status_code == 401
    answer = await visitor.post("/api/login", {"email": anna.email, "password": "Nowe0haslo"})
    assert answer.json() == {"ok": True, "secondFactorRequired": True}
    assert (await visitor.get("/api/user")).status_code == 401


async def test_changing_the_password_keeps_the_confirmed_session(anna, telephone, logins) -> None:
    await set_up(anna, telephone)

    answer = await anna.post(
        "/api/user/change-password",
        {"currentPassword": PASSWORD, "newPassword": "Nowe0haslo", "confirmPassword": "Nowe0haslo"},
    )

    assert answer.status_code == 200
    rows = await fetch_rows(
        logins, "SELECT second_factor_at FROM login_session WHERE revoked_at IS NULL"
    )
    assert [row["second_factor_at"] is not None for row in rows] == [True]


async def test_switching_off_takes_password_and_code(
    anna, new_browser, telephone, worker, mailbox, logins
) -> None:
    await set_up(anna, telephone)

    for wrong in (
        await anna.browser.request(
            "DELETE", SECOND_FACTOR, json={"password": "Inne0haslo", "code": telephone.code()}
        ),
        await consent(anna, SECOND_FACTOR, "DELETE", code="000000"),
    ):
        assert wrong.status_code == 400
    assert (await anna.get(SECOND_FACTOR)).json()["enabled"] is True

    answer = await consent(anna, SECOND_FACTOR, "DELETE", code=telephone.code())

    assert (answer.status_code, answer.json()) == (200, {"ok": True})
    assert (await anna.get(SECOND_FACTOR)).json()["enabled"] is False
    assert await count_rows(logins, "recovery_code") == 0
    await deliver_outbox(worker)
    assert mailbox.messages_to(anna.email)[-1].subject == "Weryfikacja dwuetapowa jest wyłączona"
    assert await begin_login_status(anna) == {"ok": True, "emailVerified": True}
    again = await consent(anna, SECOND_FACTOR, "DELETE", code=telephone.code())
    assert (again.status_code, again.json()["error"]) == (409, "second_factor_disabled")


async def test_a_second_set_up_needs_the_first_switched_off(anna, telephone) -> None:
    await set_up(anna, telephone)

    answer = await anna.post(SECOND_FACTOR, {"password": PASSWORD})

    assert (answer.status_code, answer.json()["error"]) == (409, "second_factor_enabled")


async def test_an_impersonating_operator_cannot_touch_it(anna, telephone, logins) -> None:
    await set_up(anna, telephone)
    await make_impersonated(logins.owner)

    for answer in (
        await anna.get(SECOND_FACTOR),
        await anna.post(SECOND_FACTOR, {"password": PASSWORD}),
        await anna.post(f"{SECOND_FACTOR}/confirm", {"code": "000000"}),
        await consent(anna, f"{SECOND_FACTOR}/recovery-codes", "POST", code=telephone.code()),
        await consent(anna, SECOND_FACTOR, "DELETE", code=telephone.code()),
    ):
        assert (answer.status_code, answer.json()["error"]) == (403, "auth_forbidden")


async def test_a_sign_in_that_races_with_the_set_up_is_no_way_around_it(
    anna, new_browser, telephone, monkeypatch
) -> None:
    """The password was compared before the set-up, the session is opened after it."""
    thief = Person(anna.email, new_browser())
    verify = verification_of_passwords(monkeypatch)
    login = asyncio.create_task(
        thief.browser.post("/api/login", json={"email": anna.email, "password": PASSWORD})
    )
    await verify.reached.wait()
    verify.paused = False
    await set_up(anna, telephone)
    verify.proceed.set()

    assert (await login).json() == {"ok": True, "secondFactorRequired": True}
