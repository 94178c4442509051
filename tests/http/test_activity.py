"""Every act that matters for safety is kept, with the address and the program, and no names."""

import json
import re
from pathlib import Path

import pytest

from buying import ACME, TAKES_MONEY
from persons import PASSWORD, Person, deliver
from prawko.accounts.activity import Act
from prawko.accounts.reset_links import code_of, new_token
from prawko.hooks.payments import PaymentProvider
from prawko.testing.fake_payments import FakeProvider
from stored import look, subscribed, write

pytestmark = pytest.mark.anyio

AGENT = "Mozilla/5.0 (Test)"
NEW = "Nowe0haslo"
# Parts of the product that have tests of their own for what they note.
ELSEWHERE = {
    Act.PHONE_CODE_SENT, Act.PHONE_CODE_REFUSED, Act.PHONE_VERIFIED, Act.SETTINGS_CHANGED,
    Act.TICKET_SENT, Act.EXPORT_MADE, Act.TRANSFER_BOOKED,
}  # fmt: skip
BOUGHT = [
    Act.BILLING_DETAILS_SET, Act.ORDER_PLACED, Act.LIMIT_CHANGED, Act.SUBSCRIPTION_CANCELLED,
    Act.SUBSCRIPTION_RESUMED,
]  # fmt: skip
_ACTS = """
    SELECT a.activity_type, a.details, a.ip, a.agent, a.tenant_id
      FROM user_activity a JOIN user_account u ON u.id = a.user_id
     WHERE u.email_key = $1 ORDER BY a.id
"""


async def acts_of(logins, email: str) -> list[str]:
    return [row["activity_type"] for row in await look(logins, _ACTS, email)]


async def test_a_life_of_an_account_leaves_its_acts_in_order(
    visitor, worker, mailbox, logins
) -> None:
    dorota = Person("dorota@nowa.test", visitor())
    dorota.browser.headers["User-Agent"] = AGENT
    await dorota.signs_up()
    await dorota.post("/api/verify-email/send")
    await dorota.post("/api/verify-email", {"token": "222222"})
    await dorota.verifies(worker, mailbox)
    await dorota.post("/api/subscription/start-trial", {"taxId": "5260250274"})
    driver = await dorota.adds("AA123456")
    await dorota.put(f"/api/drivers/{driver}", {"lastName": "Nowak"})
    await dorota.put(f"/api/drivers/{driver}", {"lastName": "Nowak"})  # changes nothing
    await dorota.post(f"/api/drivers/{driver}/verify")
    await dorota.delete(f"/api/drivers/{driver}")
    await dorota.put("/api/user/language", {"language": "en"})
    await dorota.post("/api/sessions/revoke-others")
    change = {"currentPassword": "Zle0haslo", "newPassword": NEW, "confirmPassword": NEW}
    await dorota.post("/api/user/change-password", change)
    await dorota.post("/api/user/change-password", {**change, "currentPassword": PASSWORD})
    await dorota.post("/api/logout")
    await dorota.post("/api/login", {"email": dorota.email, "password": PASSWORD})
    await dorota.post("/api/login", {"email": dorota.email, "password": NEW})
    await dorota.post("/api/request-password-reset", {"email": dorota.email})
    await deliver(worker)
    token = mailbox.to(dorota.email)[-1].link.partition("token=")[2]
    reset = {"token": token, "newPassword": PASSWORD, "confirmPassword": PASSWORD}
    forged = new_token(code_of(token))
    await dorota.post("/api/reset-password", {**reset, "token": forged})
    await dorota.post("/api/reset-password", reset)

    rows = await look(logins, _ACTS, dorota.email)

    assert [row["activity_type"] for row in rows] == [
        "registered", "code_sent", "code_refused", "email_verified", "trial_started",
        "driver_added", "driver_changed", "driver_checked", "driver_removed", "language_changed",
        "sessions_revoked", "password_refused", "password_changed", "signed_out",
        "sign_in_failed", "signed_in", "password_reset_requested",
        "reset_link_refused", "password_reset",
    ]  # fmt: skip
    assert {row["activity_type"] for row in rows} | ELSEWHERE | {*BOUGHT} == set(Act)
    assert {row["ip"] for row in rows} == {"127.0.0.1"}
    assert {row["agent"] for row in rows} == {AGENT}
    assert len({row["tenant_id"] for row in rows}) == 1
    details = [json.loads(row["details"]) for row in rows if row["details"]]
    assert details == [
        {"driver": driver}, {"driver": driver}, {"driver": driver}, {"driver": driver},
        {"language": "en"}, {"count": 0},
    ]  # fmt: skip
    told = json.dumps([dict(row) for row in rows], default=str)
    secrets = ("AA123456", "Kowalski", "Nowak", dorota.email, PASSWORD, NEW, token, forged, "2222")
    for secret in secrets:
        assert secret not in told


@pytest.fixture
def providers() -> list[PaymentProvider]:
    return [FakeProvider()]


@pytest.fixture
def variables(variables) -> dict[str, str]:
    """Of a panel that takes money."""
    return {**variables, **TAKES_MONEY}


async def test_what_is_bought_leaves_its_acts(anna, worker, logins) -> None:
    await subscribed(anna, worker, driver_limit=20)
    before = len(await acts_of(logins, anna.email))
    for answer in (
        await anna.put("/api/user/billing-details", ACME),
        await anna.post("/api/subscription/create-checkout-session", {"driverLimit": 20}),
        await anna.post("/api/subscription/change-limit", {"driverLimit": 10}),
        await anna.post("/api/subscription/cancel"),
        await anna.post("/api/subscription/resume"),
    ):
        assert answer.is_success, answer.text

    rows = (await look(logins, _ACTS, anna.email))[before:]
    assert [row["activity_type"] for row in rows] == BOUGHT
    told = json.dumps([dict(row) for row in rows], default=str)
    assert [value for value in ACME.values() if value in told] == []


async def test_what_is_refused_leaves_no_act(anna, logins) -> None:
    before = await acts_of(logins, anna.email)
    driver = {"firstName": "", "lastName": "Nowak", "licenseNumber": "AA123456"}
    assert (await anna.post("/api/drivers", driver)).status_code == 422
    nowhere = "/api/drivers/00000000-0000-0000-0000-000000000000"
    assert (await anna.delete(nowhere)).status_code == 404

    assert await acts_of(logins, anna.email) == before


async def test_acts_in_somebodys_name_bear_both_ids(anna, visitor, logins) -> None:
    operator = Person(anna.email, visitor())
    operator.browser.headers["User-Agent"] = AGENT
    await operator.signs_in()
    await write(
        logins, "UPDATE login_session SET impersonator_id = user_id WHERE agent = $1", AGENT
    )

    await operator.adds("AA123456")

    row = (await look(logins, _ACTS, anna.email))[-1]
    user = (await look(logins, "SELECT id FROM user_account WHERE email_key = $1", anna.email))[0]
    assert row["activity_type"] == "driver_added"
    assert json.loads(row["details"])["impersonator"] == str(user["id"])


async def test_guessing_codes_does_not_fill_the_log(visitor, worker, mailbox, logins) -> None:
    dorota = Person("dorota@nowa.test", visitor())
    await dorota.signs_up()
    for _ in range(15):
        answer = await dorota.post("/api/verify-email", {"token": "222222"})
        assert answer.status_code == 400

    assert (await acts_of(logins, dorota.email)).count("code_refused") == 10


async def test_guessing_links_does_not_fill_the_log(visitor, anna, worker, mailbox, logins) -> None:
    await anna.post("/api/request-password-reset", {"email": anna.email})
    await deliver(worker)
    code_id = code_of(mailbox.to(anna.email)[-1].link.partition("token=")[2])
    for _ in range(15):
        forged = {"token": new_token(code_id), "newPassword": NEW, "confirmPassword": NEW}
        answer = await visitor().post("/api/reset-password", json=forged)
        assert answer.status_code == 400

    assert (await acts_of(logins, anna.email)).count("reset_link_refused") == 10


def test_the_list_in_the_documentation_is_whole() -> None:
    listed = (Path(__file__).parents[2] / "docs" / "activities.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in listed.splitlines() if line.startswith("| `")]

    assert re.findall(r"`(\w+)`", " ".join(rows)) == [act.value for act in Act]
