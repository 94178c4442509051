"""The subscription and the trial (docs/rules.md R3, R4, R17, R26)."""

import asyncio
from datetime import timedelta

import asyncpg
import pytest

from prawko.accounts.roles import Role
from support.database import count_rows, fetch_rows, insert_subscription
from support.orders import fetch_subscription, parse_instant
from support.people import Person, create_verified

pytestmark = pytest.mark.anyio

NO_DETAILS = {"companyName": "", "taxId": "", "street": "", "postalCode": "", "city": ""}
INACTIVE_SUBSCRIPTION = {
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
    "nextPriceNet": 0,
    "drivers": 0,
    "nextLimit": None,
    "nextLimitAt": None,
    "renews": False,
    "mandateLabel": None,
    "refusedRenewal": None,
    "graceUntil": None,
    "openOrder": None,
    "monitoredSince": None,
}
NIP = "5260250274"
OTHER_NIP = "7740001454"


async def start_trial(person: Person, tax_id=NIP):
    return await person.post("/api/subscription/start-trial", {"taxId": tax_id})


async def test_a_company_without_a_subscription_sees_an_inactive_one(newcomer) -> None:
    assert await fetch_subscription(newcomer) == INACTIVE_SUBSCRIPTION
    assert (await newcomer.get("/api/user")).json()["subscriptions"] == []


async def test_a_trial_is_active_for_seven_days_and_five_drivers(newcomer, clock) -> None:
    clock.set(parse_instant("2026-10-20T12:00:00+02:00"))  # the clocks go back on the 25th

    answer = await start_trial(newcomer)

    assert answer.status_code == 200
    trial = answer.json()
    assert trial["status"] == "active"
    assert trial["isTrial"] is True
    assert trial["cancelled"] is False
    assert trial["driverLimit"] == 5
    assert trial["daysLeft"] == 7
    assert trial["priceNet"] == 0
    assert trial["companyDetails"]["taxId"] == trial["user"]["taxId"] == NIP
    start, end = (
        parse_instant(trial["trial"]["startDate"]),
        parse_instant(trial["trial"]["endDate"]),
    )
    assert end - start == timedelta(days=7, hours=1)
    assert trial["endDate"] == trial["trial"]["endDate"]
    assert (trial["trial"]["daysLeft"], trial["trial"]["ended"]) == (7, False)
    assert await fetch_subscription(newcomer) == trial


async def test_drivers_are_monitored_since_the_first_subscription(bartek, worker, clock) -> None:
    first = parse_instant((await fetch_subscription(bartek))["monitoredSince"])
    clock.forward(days=40)
    await insert_subscription(bartek, worker)

    assert parse_instant((await fetch_subscription(bartek))["monitoredSince"]) == first


async def test_the_user_carries_the_current_subscription(anna) -> None:
    user = (await anna.get("/api/user")).json()
    subscription = await fetch_subscription(anna)

    assert user["subscriptions"] == [
        {key: subscription[key] for key in ("status", "driverLimit", "endDate", "companyDetails")}
    ]


async def test_a_colleague_shares_the_subscription_and_a_rival_does_not(
    anna, bartek, newcomer
) -> None:
    assert await fetch_subscription(bartek) == await fetch_subscription(anna)
    assert await fetch_subscription(newcomer) == INACTIVE_SUBSCRIPTION


@pytest.mark.parametrize(
    "tax_id",
    ["", "123456789", "12345678901", "526025027a", "526-025-02-74", "5260250274\n", "\uff15" * 10],
)
async def test_a_malformed_tax_id_is_refused_with_its_message(newcomer, tax_id) -> None:
    answer = await start_trial(newcomer, tax_id)

    assert answer.status_code == 422
    assert answer.json() == {
        "error": "invalid_tax_id",
        "message": "Nieprawidłowy format NIP",
        "fields": {"taxId": "Nieprawidłowy format NIP"},
    }
    assert await fetch_subscription(newcomer) == INACTIVE_SUBSCRIPTION


@pytest.mark.parametrize("body", [{}, {"taxId": None}, {"taxId": 5260250274}, [], {"nip": NIP}])
async def test_a_malformed_body_is_refused_as_an_invalid_tax_id(newcomer, body) -> None:
    answer = await newcomer.post("/api/subscription/start-trial", body)

    assert answer.status_code == 422
    assert answer.json()["error"] == "invalid_tax_id"


async def test_a_wrong_check_digit_is_accepted_where_the_setting_is_off(newcomer) -> None:
    assert (await start_trial(newcomer, "1234567890")).status_code == 200


class TestStrictTaxId:
    @pytest.fixture
    def variables(self, variables):
        return {**variables, "STRICT_TAX_ID": "true"}

    async def test_a_wrong_check_digit_is_refused_where_the_setting_is_on(self, newcomer) -> None:
        refused = await start_trial(newcomer, "1234567890")

        assert refused.status_code == 422
        assert "cyfra kontrolna" in refused.json()["fields"]["taxId"]
        assert (await start_trial(newcomer)).status_code == 200


async def test_the_trial_is_once_per_company(anna, accountant) -> None:
    before = await fetch_subscription(anna)

    for person in (anna, accountant):
        answer = await start_trial(person, OTHER_NIP)
        assert answer.status_code == 409
        assert answer.json() == {
            "error": "trial_used",
            "message": "Bezpłatny okres próbny został już wykorzystany.",
        }
    assert await fetch_subscription(anna) == before


async def test_the_trial_is_once_per_tax_id(anna, newcomer) -> None:
    assert (await start_trial(newcomer, NIP)).json()["error"] == "trial_used"
    assert await fetch_subscription(newcomer) == INACTIVE_SUBSCRIPTION
    assert (
        await start_trial(newcomer, OTHER_NIP)
    ).status_code == 200  # the refused call claimed nothing


async def store_tax_id(person: Person, tax_id: str) -> None:
    details = {**NO_DETAILS, "companyName": "Nowa", "taxId": tax_id, "street": "Prosta 5"}
    changed = {**details, "postalCode": "00-950", "city": "Warszawa"}
    assert (await person.put("/api/user/billing-details", changed)).status_code == 200


async def test_a_stored_tax_id_that_may_be_a_strangers_is_not_claimed(
    newcomer, new_browser, worker, mailbox
) -> None:
    await store_tax_id(newcomer, OTHER_NIP)
    assert (await start_trial(newcomer, NIP)).json()["companyDetails"]["taxId"] == OTHER_NIP
    other_person = await create_verified("ewa@inna.test", new_browser(), worker, mailbox)

    assert (await start_trial(other_person, NIP)).json()["error"] == "trial_used"
    assert (await start_trial(other_person, OTHER_NIP)).status_code == 200


async def test_a_tax_id_that_the_company_has_paid_under_is_claimed_with_the_given_one(
    newcomer, new_browser, worker, mailbox, logins
) -> None:
    await store_tax_id(newcomer, OTHER_NIP)
    await insert_paid_order(logins, await newcomer.tenant_id(worker), OTHER_NIP)
    assert (await start_trial(newcomer, NIP)).status_code == 200
    other_person = await create_verified("ewa@inna.test", new_browser(), worker, mailbox)

    for tax_id in (NIP, OTHER_NIP):
        assert (await start_trial(other_person, tax_id)).json()["error"] == "trial_used"


async def insert_paid_order(logins, tenant_id, tax_id: str) -> None:
    connection = await asyncpg.connect(logins.app)
    try:
        await connection.execute("SELECT set_config('app.tenant_id', $1, false)", str(tenant_id))
        await connection.execute(
            """
            INSERT INTO subscription_order (
                tenant_id, id, kind, state, driver_limit, lines, net, vat, method, company_name,
                tax_id, street, postal_code, city, created_at, paid_at)
            VALUES ($1, gen_random_uuid(), 'period', 'paid', 5, '[]', 14900, 3427, 'card', '',
                    $2, '', '', '', now(), now())
            """,
            tenant_id,
            tax_id,
        )
    finally:
        await connection.close()


async def test_a_person_asks_for_few_tax_ids_a_day(anna, new_browser, worker, mailbox) -> None:
    """Or a refusal would tell of any number of businesses whether they are customers."""
    nosy = await create_verified("ewa@inna.test", new_browser(), worker, mailbox)
    answers = [await start_trial(nosy, NIP) for _ in range(6)]

    assert [answer.status_code for answer in answers] == [409] * 5 + [429]
    assert (await start_trial(nosy, OTHER_NIP)).status_code == 429


async def test_a_network_begins_few_trials_a_day(
    new_browser, worker, mailbox, context, browser_for_app
) -> None:
    limits = {"trial_address": 2}
    statuses = []
    for number, ip in enumerate(("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2")):
        person = await create_verified(
            f"e{number}@inna.test", browser_for_app(context, ip, max_tries=limits), worker, mailbox
        )
        statuses.append((await start_trial(person, f"{number}" * 10)).status_code)

    assert statuses == [200, 200, 429, 200]


async def test_the_trial_is_once_per_email_address_also_after_erasure(
    anna, logins, new_browser, worker, mailbox
) -> None:
    connection = await asyncpg.connect(logins.owner)
    await connection.execute("DELETE FROM user_account")
    await connection.close()
    returned = await create_verified("ANNA@acme.test", new_browser(), worker, mailbox)

    assert (await start_trial(returned, OTHER_NIP)).json()["error"] == "trial_used"


async def test_the_trial_cannot_be_repeated_after_its_end(anna, clock) -> None:
    clock.forward(days=400)

    assert (await start_trial(anna, OTHER_NIP)).json()["error"] == "trial_used"


async def test_claims_hold_no_tax_id_and_no_address(anna, logins) -> None:
    claims = await fetch_rows(logins, "SELECT kind, digest FROM trial_claim ORDER BY kind")

    assert [claim["kind"] for claim in claims] == ["email", "tax_id"]
    assert all(len(claim["digest"]) == 32 for claim in claims)


@pytest.fixture
def many_trials(context) -> None:
    context.max_tries["trial_person"] = 100


async def test_twenty_parallel_starts_of_one_company_start_one_trial(
    newcomer, logins, many_trials
) -> None:
    await asyncio.gather(
        *(fetch_subscription(newcomer) for _ in range(20))
    )  # opens the connections

    answers = await asyncio.gather(*(start_trial(newcomer) for _ in range(20)))

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19
    assert await count_rows(logins, "subscription") == 1
    assert await count_rows(logins, "subscription_history") == 1


async def test_colleagues_who_start_at_once_with_two_tax_ids_start_one_trial(
    newcomer, new_browser, logins, many_trials
) -> None:
    colleague = await newcomer.add_colleague(
        "ewa@nowa.test", new_browser(), logins.owner, Role.ACCOUNTANT
    )
    await asyncio.gather(
        *(fetch_subscription(newcomer) for _ in range(20))
    )  # opens the connections

    answers = await asyncio.gather(
        *(start_trial(newcomer, NIP) for _ in range(5)),
        *(start_trial(colleague, OTHER_NIP) for _ in range(5)),
    )

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 9
    assert await count_rows(logins, "subscription") == 1


async def test_parallel_starts_with_one_tax_id_give_one_company_the_trial(
    new_browser, worker, mailbox, logins, many_trials
) -> None:
    rivals = [
        await create_verified(f"szef{n}@firma.test", new_browser(), worker, mailbox)
        for n in range(4)
    ]

    await asyncio.gather(
        *(fetch_subscription(rivals[0]) for _ in range(20))
    )  # opens the connections

    answers = await asyncio.gather(*(start_trial(rival) for rival in rivals for _ in range(5)))

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19
    assert await count_rows(logins, "subscription") == 1
    assert await count_rows(logins, "trial_claim") == 2


async def test_a_running_subscription_is_not_replaced_by_a_trial(newcomer, worker) -> None:
    await insert_subscription(newcomer, worker, driver_limit=50)

    answer = await start_trial(newcomer)

    assert answer.status_code == 409
    assert answer.json()["error"] == "already_subscribed"
    assert (await fetch_subscription(newcomer))["driverLimit"] == 50
    assert (await fetch_subscription(newcomer))["trial"] is None


async def test_no_trial_reopens_a_subscription_closed_by_an_operator(newcomer, worker) -> None:
    for status in ("inactive", "cancelled"):
        await insert_subscription(newcomer, worker, status=status)

        answer = await start_trial(newcomer)

        assert (answer.status_code, answer.json()["error"]) == (409, "subscription_suspended")
        assert (await fetch_subscription(newcomer))["status"] == status


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
async def test_every_read_has_the_effective_status(
    newcomer, worker, clock, stored, cancelled, forward, status, days_left
) -> None:
    clock.set(parse_instant("2026-11-02T12:00:00+01:00"))
    await insert_subscription(newcomer, worker, status=stored, cancelled=cancelled)
    clock.forward(seconds=forward.total_seconds())

    subscription = await fetch_subscription(newcomer)

    assert subscription["status"] == status
    assert subscription["daysLeft"] == days_left
    assert subscription["cancelled"] is cancelled
    assert (await newcomer.get("/api/user")).json()["subscriptions"][0]["status"] == status


async def test_a_trial_replaced_by_a_paid_subscription_has_ended(anna, worker) -> None:
    await insert_subscription(anna, worker, driver_limit=20)

    subscription = await fetch_subscription(anna)

    assert (subscription["driverLimit"], subscription["isTrial"]) == (20, False)
    assert (subscription["trial"]["ended"], subscription["trial"]["daysLeft"]) == (True, 0)
