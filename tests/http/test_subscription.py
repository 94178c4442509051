"""The subscription and the one free trial, as the spec and readings R3, R4, R17 and R26 say."""

import asyncio
from datetime import datetime, timedelta

import asyncpg
import pytest

from persons import Person
from stored import count, look, subscribed

pytestmark = pytest.mark.anyio

NO_DETAILS = {"companyName": "", "taxId": "", "street": "", "postalCode": "", "city": ""}
WITHOUT_ANY = {
    "status": "inactive",
    "driverLimit": 0,
    "endDate": None,
    "daysLeft": 0,
    "companyDetails": NO_DETAILS,
    "user": NO_DETAILS,
    "cancelled": False,
    "isTrial": False,
    "trial": None,
    "priceNet": 0,
    "drivers": 0,
    "nextLimit": None,
    "nextLimitAt": None,
    "renews": False,
    "mandateLabel": None,
    "graceUntil": None,
    "openOrder": None,
}
NIP = "5260250274"
OTHER_NIP = "7740001454"


@pytest.fixture
async def newcomer(visitor, worker, mailbox) -> Person:
    """Somebody verified whose company has no subscription."""
    return await verified("dorota@nowa.test", visitor, worker, mailbox)


async def verified(email, visitor, worker, mailbox) -> Person:
    person = Person(email, visitor())
    await person.signs_up()
    await person.verifies(worker, mailbox)
    return person


async def starts(person: Person, tax_id=NIP):
    return await person.post("/api/subscription/start-trial", {"taxId": tax_id})


async def shown(person: Person):
    answer = await person.get("/api/subscription")
    assert answer.status_code == 200, answer.text
    return answer.json()


def instant(told: str) -> datetime:
    return datetime.fromisoformat(told)


async def test_a_company_without_a_subscription_sees_an_inactive_one(newcomer) -> None:
    assert await shown(newcomer) == WITHOUT_ANY
    assert (await newcomer.get("/api/user")).json()["subscriptions"] == []


async def test_a_trial_is_active_for_seven_days_and_five_drivers(newcomer, clock) -> None:
    clock.set(instant("2026-10-20T12:00:00+02:00"))  # the clocks go back on the 25th

    answer = await starts(newcomer)

    assert answer.status_code == 200
    trial = answer.json()
    assert trial["status"] == "active"
    assert trial["isTrial"] is True
    assert trial["cancelled"] is False
    assert trial["driverLimit"] == 5
    assert trial["daysLeft"] == 7
    assert trial["companyDetails"]["taxId"] == trial["user"]["taxId"] == NIP
    start, end = instant(trial["trial"]["startDate"]), instant(trial["trial"]["endDate"])
    assert end - start == timedelta(days=7, hours=1)
    assert trial["endDate"] == trial["trial"]["endDate"]
    assert (trial["trial"]["daysLeft"], trial["trial"]["ended"]) == (7, False)
    assert await shown(newcomer) == trial


async def test_the_user_carries_the_current_subscription(anna) -> None:
    user = (await anna.get("/api/user")).json()
    subscription = await shown(anna)

    assert user["subscriptions"] == [
        {key: subscription[key] for key in ("status", "driverLimit", "endDate", "companyDetails")}
    ]


async def test_a_colleague_shares_the_subscription_and_a_rival_does_not(
    anna, bartek, newcomer
) -> None:
    assert await shown(bartek) == await shown(anna)
    assert await shown(newcomer) == WITHOUT_ANY


@pytest.mark.parametrize(
    "tax_id",
    ["", "123456789", "12345678901", "526025027a", "526-025-02-74", "5260250274\n", "\uff15" * 10],
)
async def test_a_tax_id_of_another_form_is_refused_with_the_sentence_of_the_spec(
    newcomer, tax_id
) -> None:
    answer = await starts(newcomer, tax_id)

    assert answer.status_code == 422
    assert answer.json() == {
        "error": "invalid_tax_id",
        "message": "Nieprawidłowy format NIP",
        "fields": {"taxId": "Nieprawidłowy format NIP"},
    }
    assert await shown(newcomer) == WITHOUT_ANY


@pytest.mark.parametrize("body", [{}, {"taxId": None}, {"taxId": 5260250274}, [], {"nip": NIP}])
async def test_a_body_that_does_not_fit_is_refused_as_an_invalid_tax_id(newcomer, body) -> None:
    answer = await newcomer.post("/api/subscription/start-trial", body)

    assert answer.status_code == 422
    assert answer.json()["error"] == "invalid_tax_id"


async def test_a_wrong_check_digit_passes_where_the_setting_is_off(newcomer) -> None:
    assert (await starts(newcomer, "1234567890")).status_code == 200


class TestStrict:
    @pytest.fixture
    def variables(self, variables):
        return {**variables, "STRICT_TAX_ID": "true"}

    async def test_a_wrong_check_digit_is_refused_where_the_setting_is_on(self, newcomer) -> None:
        wrong = await starts(newcomer, "1234567890")

        assert wrong.status_code == 422
        assert "cyfra kontrolna" in wrong.json()["fields"]["taxId"]
        assert (await starts(newcomer)).status_code == 200


async def test_the_trial_is_had_once_by_a_company(anna, bartek) -> None:
    before = await shown(anna)

    for person in (anna, bartek):
        answer = await starts(person, OTHER_NIP)
        assert answer.status_code == 409
        assert answer.json() == {
            "error": "trial_used",
            "message": "Bezpłatny okres próbny został już wykorzystany.",
        }
    assert await shown(anna) == before


async def test_the_trial_is_had_once_by_a_tax_id(anna, newcomer) -> None:
    assert (await starts(newcomer, NIP)).json()["error"] == "trial_used"
    assert await shown(newcomer) == WITHOUT_ANY
    assert (await starts(newcomer, OTHER_NIP)).status_code == 200  # the refusal used nothing up


async def test_the_trial_is_had_once_by_each_tax_id_that_a_company_says_is_its_own(
    newcomer, visitor, worker, mailbox
) -> None:
    details = {**NO_DETAILS, "companyName": "Nowa", "taxId": OTHER_NIP, "street": "Prosta 5"}
    given = {**details, "postalCode": "00-950", "city": "Warszawa"}
    assert (await newcomer.put("/api/user/billing-details", given)).status_code == 200
    assert (await starts(newcomer, NIP)).json()["companyDetails"]["taxId"] == OTHER_NIP
    other = await verified("ewa@inna.test", visitor, worker, mailbox)

    for tax_id in (NIP, OTHER_NIP):
        assert (await starts(other, tax_id)).json()["error"] == "trial_used"


async def test_the_trial_is_had_once_by_an_address_also_after_the_account_is_deleted(
    anna, logins, visitor, worker, mailbox
) -> None:
    connection = await asyncpg.connect(logins.owner)
    await connection.execute("DELETE FROM user_account")
    await connection.close()
    again = await verified("ANNA@acme.test", visitor, worker, mailbox)

    assert (await starts(again, OTHER_NIP)).json()["error"] == "trial_used"


async def test_the_trial_is_had_once_also_when_it_is_over(anna, clock) -> None:
    clock.forward(days=400)

    assert (await starts(anna, OTHER_NIP)).json()["error"] == "trial_used"


async def test_claims_hold_no_tax_id_and_no_address(anna, logins) -> None:
    claims = await look(logins, "SELECT kind, digest FROM trial_claim ORDER BY kind")

    assert [claim["kind"] for claim in claims] == ["email", "tax_id"]
    assert all(len(claim["digest"]) == 32 for claim in claims)


async def test_twenty_parallel_starts_of_one_company_start_one_trial(newcomer, logins) -> None:
    await asyncio.gather(*(shown(newcomer) for _ in range(20)))  # opens the connections

    answers = await asyncio.gather(*(starts(newcomer) for _ in range(20)))

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19
    assert await count(logins, "subscription") == 1
    assert await count(logins, "subscription_history") == 1


async def test_colleagues_who_start_at_once_with_two_tax_ids_start_one_trial(
    newcomer, visitor, logins
) -> None:
    colleague = await newcomer.colleague("ewa@nowa.test", visitor(), logins.owner)
    await asyncio.gather(*(shown(newcomer) for _ in range(20)))  # opens the connections

    answers = await asyncio.gather(
        *(starts(newcomer, NIP) for _ in range(5)),
        *(starts(colleague, OTHER_NIP) for _ in range(5)),
    )

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 9
    assert await count(logins, "subscription") == 1


async def test_parallel_starts_with_one_tax_id_give_one_company_the_trial(
    visitor, worker, mailbox, logins
) -> None:
    rivals = [await verified(f"szef{n}@firma.test", visitor, worker, mailbox) for n in range(4)]

    await asyncio.gather(*(shown(rivals[0]) for _ in range(20)))  # opens the connections

    answers = await asyncio.gather(*(starts(rival) for rival in rivals for _ in range(5)))

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19
    assert await count(logins, "subscription") == 1
    assert await count(logins, "trial_claim") == 2


async def test_a_running_subscription_is_not_replaced_by_a_trial(newcomer, worker) -> None:
    await subscribed(newcomer, worker, driver_limit=50)

    answer = await starts(newcomer)

    assert answer.status_code == 409
    assert answer.json()["error"] == "already_subscribed"
    assert (await shown(newcomer))["driverLimit"] == 50
    assert (await shown(newcomer))["trial"] is None


async def test_no_trial_opens_what_an_operator_has_closed(newcomer, worker) -> None:
    for status in ("inactive", "cancelled"):
        await subscribed(newcomer, worker, status=status)

        answer = await starts(newcomer)

        assert (answer.status_code, answer.json()["error"]) == (409, "subscription_suspended")
        assert (await shown(newcomer))["status"] == status


@pytest.mark.parametrize(
    ("stored", "cancelled", "forward", "status", "days_left"),
    [
        ("active", False, timedelta(days=29), "active", 1),
        ("active", True, timedelta(days=29), "active", 1),
        ("active", False, timedelta(days=30), "expired", 0),
        ("active", True, timedelta(days=30), "cancelled", 0),
        ("inactive", False, timedelta(0), "inactive", 30),
        ("cancelled", False, timedelta(0), "cancelled", 30),
        ("trial", False, timedelta(0), "trial", 30),
    ],
)
async def test_every_read_answers_the_status_of_the_moment(
    newcomer, worker, clock, stored, cancelled, forward, status, days_left
) -> None:
    clock.set(instant("2026-11-02T12:00:00+01:00"))
    await subscribed(newcomer, worker, status=stored, cancelled=cancelled)
    clock.forward(seconds=forward.total_seconds())

    subscription = await shown(newcomer)

    assert subscription["status"] == status
    assert subscription["daysLeft"] == days_left
    assert subscription["cancelled"] is cancelled
    assert (await newcomer.get("/api/user")).json()["subscriptions"][0]["status"] == status


async def test_a_trial_under_a_paid_subscription_is_over(anna, worker) -> None:
    await subscribed(anna, worker, driver_limit=20)

    subscription = await shown(anna)

    assert (subscription["driverLimit"], subscription["isTrial"]) == (20, False)
    assert (subscription["trial"]["ended"], subscription["trial"]["daysLeft"]) == (True, 0)
