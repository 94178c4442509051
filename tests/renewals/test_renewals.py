"""Renewals by our own timetable: charged once, tried again, told, and given up in the end."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import text

from persons import deliver
from prawko.base.clock import WARSAW
from prawko.billing import renewal_jobs
from prawko.billing.jobs import close_ended_subscriptions
from prawko.billing.next_limit import begin_next_limit
from prawko.billing.order_repository import OrderRepository
from prawko.billing.periods import days_later
from prawko.billing.price import period_price
from prawko.billing.renewal_jobs import apply_next_limits, renew_subscriptions
from prawko.billing.renewal_repository import RenewalRepository
from prawko.billing.renewing import Renewing
from prawko.billing.repository import SubscriptionRepository
from prawko.hooks.failures import AccountError
from prawko.hooks.payments import PaymentError
from prawko.payments.charging import UNWANTED
from prawko.payments.errors import PaymentUnavailableError
from prawko.payments.jobs import ask_open_payments
from prawko.payments.recording import Recorder
from prawko.payments.service import Payments
from prawko_tenants.ids import new_id
from renewing_bank import Bank, Killed, dying
from stored import count, look

pytestmark = pytest.mark.anyio

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ONE = period_price(5).gross
MINUTE = timedelta(minutes=1)
SUSPEND = text("UPDATE subscription SET status = 'inactive'")


async def walk(work, clock, *instants) -> None:
    """Let the worker work at each of these instants."""
    for instant in instants:
        clock.set(instant)
        await work()


async def test_the_next_period_is_charged_the_day_before_and_begins_at_the_end(
    acme, bank, work, clock
) -> None:
    end = await acme.end()
    await walk(work, clock, days_later(end, -1) - MINUTE)
    assert await acme.end() == end, "not a minute early"
    assert bank.charged == []

    for _ in range(3):
        await walk(work, clock, days_later(end, -1) + MINUTE)

    now = await acme.subscription()
    assert (now["status"], now["end_date"]) == ("active", days_later(end, 30))
    assert now["checked_until"] == days_later(end, 33)
    assert bank.charged == [1]
    assert await acme.invoices() == [ONE, ONE]
    assert await acme.history() == ["Opłacono pierwszy okres", "Opłacono kolejny okres"]
    assert await acme.told() == [], "who renews is neither reminded nor warned"
    await walk(work, clock, end + HOUR)
    assert (await acme.person.get("/api/subscription")).json()["status"] == "active"


async def test_a_year_of_renewals_loses_no_day(acme, bank, work, clock) -> None:
    end = await acme.end()
    for _ in range(12):
        await walk(work, clock, days_later(end, -1) + HOUR)
        end = days_later(end, 30)
        assert await acme.end() == end
    assert bank.charged == [1] * 12
    assert await acme.invoices() == [ONE] * 13
    assert await acme.told() == []


async def test_a_refused_charge_is_tried_again_and_told_and_given_up_at_last(
    acme, bank, work, clock, worker, logins, mailbox
) -> None:
    end = await acme.end()
    bank.refuses = True
    failed, said = "payment_failed", []
    for at, expected in (
        (days_later(end, -1) + MINUTE, [failed]),
        (end - 19 * HOUR, [failed]),
        (end - 17 * HOUR, [failed] * 2),
        (end - 6 * HOUR, [failed] * 2),
        (end - 4 * HOUR, [failed] * 3),
        (end - MINUTE, [failed] * 3),
        (end + MINUTE, [failed] * 3 + ["grace_started"]),
        (days_later(end, 3) - MINUTE, [failed] * 3 + ["grace_started"]),
        (days_later(end, 3), [failed] * 3 + ["grace_started", "checking_stopped"]),
        (days_later(end, 30), [failed] * 3 + ["grace_started", "checking_stopped"]),
    ):
        for _ in range(2):
            await walk(work, clock, at)
        await deliver(worker)
        said.append(await acme.told())
        assert said[-1] == expected, at - end
    assert await acme.steps() == [
        "first_charge", "second_charge", "third_charge", "closing", "grace_end",
    ]  # fmt: skip
    now = await acme.subscription()
    assert (now["status"], now["end_date"]) == ("expired", end)
    assert await acme.invoices() == [ONE]
    assert (await acme.history())[-1] == "Nie udało się pobrać opłaty za kolejny okres"
    [incident] = await look(logins, "SELECT * FROM incident")
    assert (incident["kind"], incident["detail"]) == ("renewal_given_up", str(acme.tenant_id))
    titles = [mail.title for mail in mailbox.to(acme.person.email)][-5:]
    assert titles == [
        "Płatność się nie powiodła",
        "Płatność się nie powiodła",
        "Płatność się nie powiodła, subskrypcja się nie odnowi",
        "Subskrypcja nie została opłacona, panel jest zamknięty",
        "Codzienne sprawdzanie jest wstrzymane",
    ]
    first = mailbox.to(acme.person.email)[-5]
    again = (days_later(end, -1) + MINUTE + 6 * HOUR).astimezone(WARSAW)
    assert f"Następna próba: {again:%d.%m.%Y, %H:%M}" in first.text
    assert "183,27 zł" in first.text
    assert [mail.title for mail in mailbox.to("operator@prawko.test")] == [
        "Prawko: zdarzenie wymaga uwagi (renewal_given_up)"
    ]


async def test_the_second_charge_may_succeed(acme, bank, work, clock) -> None:
    end = await acme.end()
    bank.refuses = True
    await walk(work, clock, days_later(end, -1) + MINUTE)
    bank.refuses = False
    await walk(work, clock, end - 17 * HOUR, end - 5 * HOUR, end + HOUR)

    assert await acme.end() == days_later(end, 30)
    assert bank.charged == [1]
    assert await acme.told() == ["payment_failed"]
    assert await acme.steps() == ["first_charge", "second_charge"]


async def test_a_payment_in_the_grace_begins_a_period_then(acme, bank, work, clock) -> None:
    end = await acme.end()
    bank.refuses = True
    await walk(work, clock, days_later(end, -1), end - 17 * HOUR, end - 4 * HOUR, end + MINUTE)
    paid_at = days_later(end, 2)
    clock.set(paid_at)
    await acme.pays(await acme.orders(method="blik"))
    await work()

    now = await acme.subscription()
    assert now["status"] == "active"
    assert abs(now["end_date"] - days_later(paid_at, 30)) < MINUTE
    assert await acme.invoices() == [ONE, ONE]
    assert "Opłacono po końcu okresu" in (await acme.history())[-1]
    bank.refuses = False
    await walk(work, clock, days_later(end, 4))
    assert "checking_stopped" not in await acme.told()
    assert await count(acme.logins, "incident") == 0
    await walk(work, clock, days_later(now["end_date"], -1) + MINUTE)
    assert await acme.end() == days_later(now["end_date"], 30), "the saved card goes on"


async def test_workers_at_once_charge_once(acme, bank, work, worker, clock) -> None:
    end = await acme.end()
    clock.set(days_later(end, -1) + MINUTE)

    await asyncio.gather(*(renew_subscriptions(worker) for _ in range(4)))
    await work()

    assert bank.charged == [1]
    assert await acme.end() == days_later(end, 30)
    assert await acme.invoices() == [ONE, ONE]


DEATHS = {
    "before the step is written": (RenewalRepository, "take", False),
    "before the payment is written": (Payments, "prepare_charge", False),
    "before the step is committed": (Payments, "prepare_charge", True),
    "before the bank hears of it": (Payments, "charge", False),
    "before its answer is written": (Recorder, "record", False),
    "before its answer is committed": (Recorder, "record", True),
    "after its answer is committed": (Payments, "charge", True),
    "before the order is bought": (OrderRepository, "replace_unpaid", False),
    "when the bank has charged": None,
}


async def test_killed_at_any_point_the_charge_is_made_once_and_counted(
    acme, bank, work, worker, clock, monkeypatch
) -> None:
    for number, (death, where) in enumerate(DEATHS.items(), start=1):
        end = await acme.end()
        clock.set(days_later(end, -1) + MINUTE)
        if where is None:
            bank.kills = True
        else:
            whose, name, after = where
            dying(monkeypatch, whose, name, after=after)
        with pytest.raises(Killed):
            await renew_subscriptions(worker)

        for minutes in (2, 20, 40, 60, 6 * 60, 12 * 60):  # whoever comes next
            await walk(work, clock, days_later(end, -1) + timedelta(minutes=minutes))

        assert bank.charged == [1] * number, death
        assert list(bank.taken.values()) == [ONE] * (number + 1), death
        assert await acme.invoices() == [ONE] * (number + 1), death
        assert await acme.end() == days_later(end, 30), death
    assert await acme.told() == []
    assert await acme.findings() == []


async def test_a_bank_that_does_not_answer_is_asked_again_and_charges_once(
    acme, bank, work, clock
) -> None:
    end = await acme.end()
    bank.broken = PaymentError("away")
    await walk(work, clock, days_later(end, -1) + MINUTE, days_later(end, -1) + 20 * MINUTE)
    assert await acme.told() == [], "nobody knows yet"
    bank.broken = None
    await walk(work, clock, days_later(end, -1) + 50 * MINUTE)

    assert bank.charged == [1]
    assert await acme.end() == days_later(end, 30)


async def test_while_one_charge_is_open_no_other_is_made(acme, bank, work, clock) -> None:
    end = await acme.end()
    clock.set(days_later(end, -1) + MINUTE)
    bank.broken = PaymentError("away")
    await work()
    await walk(work, clock, end - 17 * HOUR, end - 4 * HOUR)

    assert await acme.steps() == ["first_charge", "second_charge", "third_charge"]
    assert await count(acme.logins, "payment") == 2, "the first period's, and one of the renewal"
    assert await acme.told() == []


async def test_a_charge_that_needs_consent_is_told_with_the_link_and_made_once(
    acme, bank, work, worker, clock, mailbox
) -> None:
    end = await acme.end()
    bank.asks = True
    await walk(work, clock, days_later(end, -1) + MINUTE, days_later(end, -1) + HOUR)
    [key] = [key for key, payment in bank.payments.items() if payment.url]
    assert await acme.told() == ["payment_consent"]
    await deliver(worker)
    mail = mailbox.to(acme.person.email)[-1]
    assert mail.link == f"https://bank.test/consent/{key}"
    assert mail.link in mail.text

    await walk(work, clock, end - 17 * HOUR)
    assert await acme.told() == ["payment_consent"] * 2, "reminded when the next try is due"
    await bank.consents(key)
    await walk(work, clock, end - 16 * HOUR, end - 4 * HOUR, end + HOUR)

    assert bank.charged == [1]
    assert await acme.end() == days_later(end, 30)
    assert await acme.told() == ["payment_consent"] * 2


async def test_consent_that_is_refused_makes_room_for_the_next_try(acme, bank, work, clock) -> None:
    end = await acme.end()
    bank.asks = True
    await walk(work, clock, days_later(end, -1) + MINUTE)
    [key] = [key for key, payment in bank.payments.items() if payment.url]
    bank.refuse(key)
    bank.asks = False
    await walk(work, clock, days_later(end, -1) + HOUR, end - 17 * HOUR)

    assert await acme.told() == ["payment_consent", "payment_failed"]
    assert await acme.end() == days_later(end, 30)
    assert bank.charged == [1]


async def test_what_the_customer_cancelled_is_not_charged_and_resumed_is(
    acme, bank, work, clock
) -> None:
    end = await acme.end()
    await acme.person.post("/api/subscription/cancel")
    now = await acme.subscription()
    assert now["checked_until"] == end
    await walk(work, clock, days_later(end, -1) + MINUTE)
    assert bank.charged == []
    assert await acme.told() == ["subscription_ending"], "it ends, so it is announced"

    await acme.person.post("/api/subscription/resume")
    await work()
    assert bank.charged == [1]
    assert await acme.end() == days_later(end, 30)


async def test_what_is_no_longer_wanted_is_not_charged_though_it_was_begun(
    acme, bank, work, worker, clock, monkeypatch
) -> None:
    async def begins() -> None:
        clock.set(days_later(await acme.end(), -1) + MINUTE)
        dying(monkeypatch, Bank, "charge")
        with pytest.raises(Killed):
            await renew_subscriptions(worker)

    end, order = await acme.end(), await acme.orders(limit=10)
    await begins()
    await acme.pays(order)  # on a page that was open before
    await walk(work, clock, clock.now() + 20 * MINUTE)
    assert await acme.end() == days_later(end, 30)

    await begins()
    await acme.person.post("/api/subscription/cancel")
    await walk(work, clock, clock.now() + 20 * MINUTE)
    assert bank.charged == []
    [let_go] = await acme.rows("SELECT reason FROM payment ORDER BY id DESC LIMIT 1")
    assert let_go["reason"] == UNWANTED
    await acme.person.post("/api/subscription/resume")
    await walk(work, clock, clock.now() + 20 * MINUTE, clock.now() + 6 * HOUR)
    assert bank.charged == [1], "the next step is taken again"
    assert await acme.findings() == []
    assert "payment_failed" not in await acme.told(), "nobody was charged in vain"


async def test_what_was_charged_before_it_was_cancelled_is_not_written_off(
    acme, bank, work, worker, clock
) -> None:
    clock.set(days_later(await acme.end(), -1) + MINUTE)
    bank.kills = True
    with pytest.raises(Killed):
        await renew_subscriptions(worker)
    await acme.person.post("/api/subscription/cancel")
    await walk(work, clock, clock.now() + 20 * MINUTE)

    assert bank.charged == [1]
    assert list(bank.taken.values()) == [ONE, ONE]
    assert await acme.findings() == ["void_order"], "its money is the operators' to give back"


async def test_a_charge_waits_for_who_is_about_to_cancel(
    acme, bank, work, worker, clock, monkeypatch
) -> None:
    clock.set(days_later(await acme.end(), -1) + MINUTE)
    dying(monkeypatch, Bank, "charge")
    with pytest.raises(Killed):
        await renew_subscriptions(worker)
    clock.forward(minutes=20)
    async with worker.database.tenant(acme.tenant_id) as session:
        _, current = await SubscriptionRepository(session).hold_current()
        current.cancelled_at = clock.now()
        await session.flush()
        charging = asyncio.create_task(ask_open_payments(worker))
        done, _ = await asyncio.wait({charging}, timeout=0.5)
        assert not done
    await charging

    assert bank.charged == []
    assert await acme.findings() == []


async def test_another_card_takes_the_place_of_the_one_before(acme, bank, work, clock) -> None:
    first = (await acme.subscription())["mandate_id"]
    await acme.pays(await acme.orders())
    await work()
    now = await acme.subscription()
    mandates = await acme.rows(
        "SELECT id, token, ended_at FROM payment_mandate ORDER BY created_at"
    )

    assert [one["id"] for one in mandates] == [first, now["mandate_id"]]
    assert mandates[0]["token"] == b"", "it is forgotten"
    assert clock.now() - mandates[0]["ended_at"] < MINUTE
    assert mandates[1]["ended_at"] is None
    await walk(work, clock, days_later(now["end_date"], -1) + MINUTE)
    assert bank.charged == [1], "by the card that stands"


async def test_without_a_mandate_that_stands_the_customer_is_told_and_nobody_is_charged(
    acme, bank, work, worker, clock
) -> None:
    end = await acme.end()
    mandate = (await acme.subscription())["mandate_id"]
    async with worker.database.tenant(acme.tenant_id) as session:
        await Payments(worker).end_mandate(session, mandate)
    await walk(work, clock, days_later(end, -1) + MINUTE, end - 17 * HOUR, end - 4 * HOUR)
    await walk(work, clock, end + MINUTE)

    assert bank.charged == []
    assert await acme.told() == ["payment_failed"] * 3 + ["grace_started"]


async def test_an_operator_s_word_stops_the_timetable(acme, bank, work, worker, clock) -> None:
    end = await acme.end()
    async with worker.database.tenant(acme.tenant_id) as session:
        await session.execute(SUSPEND)
    await walk(work, clock, days_later(end, -1) + MINUTE)
    # He said it after the worker had looked who is due.
    subscription_id = (await acme.subscription())["id"]
    await Renewing(worker, Payments(worker)).attend(acme.tenant_id, subscription_id)
    await walk(work, clock, end + HOUR, days_later(end, 4))

    assert bank.charged == []
    assert await acme.steps() == []


async def test_days_of_downtime_are_made_up_for_without_hurry(acme, bank, work, clock) -> None:
    end = await acme.end()
    bank.refuses = True
    clock.set(end + DAY)
    await work()
    assert await acme.steps() == ["first_charge", "closing"]
    assert await acme.told() == ["payment_failed", "grace_started"]
    await walk(work, clock, end + DAY + 5 * HOUR)
    assert len(await acme.steps()) == 2
    bank.refuses = False
    await walk(work, clock, end + DAY + 7 * HOUR)

    paid = await acme.end()
    assert abs(paid - days_later(end + DAY + 7 * HOUR, 30)) < MINUTE, "from the payment on"
    assert bank.charged == [1]


async def test_after_a_week_of_downtime_nobody_is_charged_and_one_mail_says_it_all(
    acme, bank, work, clock
) -> None:
    end = await acme.end()
    await walk(work, clock, days_later(end, 7), days_later(end, 8))

    assert bank.charged == []
    assert await acme.steps() == ["closing", "grace_end"]
    assert await acme.told() == ["checking_stopped"]
    assert (await acme.subscription())["status"] == "expired"


async def test_a_lower_limit_is_charged_for_the_next_period_and_holds_from_its_first_minute(
    acme, work, worker, clock
) -> None:
    await acme.pays(await acme.orders(20))
    await work()
    end = await acme.end()
    answer = await acme.person.post("/api/subscription/change-limit", {"driverLimit": 10})
    assert answer.status_code in {200, 201}, answer.text

    await walk(work, clock, days_later(end, -1) + MINUTE)
    assert (await acme.invoices())[-1] == period_price(10).gross
    assert (await acme.subscription())["driver_limit"] == 20, "what was paid for lasts"
    await walk(work, clock, end - MINUTE)
    async with worker.database.tenant(acme.tenant_id) as session:
        early = await begin_next_limit(session, (await acme.subscription())["id"], clock.now())
    assert early is False, "nor for a job that comes to it too early"
    assert (await acme.subscription())["driver_limit"] == 20
    await walk(work, clock, end + MINUTE, end + HOUR)

    now = await acme.subscription()
    assert (now["driver_limit"], now["next_limit"], now["next_limit_at"]) == (10, None, None)
    assert now["price_net"] * 100 == period_price(10).net
    assert (await acme.history())[-1] == "Limit kierowców od tego okresu: 10"
    await walk(work, clock, days_later(end, 29) + HOUR)
    assert (await acme.invoices())[-1] == period_price(10).gross


@pytest.mark.parametrize("status", ["cancelled", "inactive"])
async def test_the_limit_of_a_period_that_does_not_come_is_left_alone(
    acme, work, worker, clock, monkeypatch, status
) -> None:
    await acme.pays(await acme.orders(20))
    await work()
    await acme.person.post("/api/subscription/change-limit", {"driverLimit": 10})
    if status == "cancelled":
        await acme.person.post("/api/subscription/cancel")
    else:
        async with worker.database.tenant(acme.tenant_id) as session:
            await session.execute(SUSPEND)
    clock.set(await acme.end() + MINUTE)
    await close_ended_subscriptions(worker)
    now, begun = await acme.subscription(), []

    async def begin(session, subscription_id, at):
        begun.append(await begin_next_limit(session, subscription_id, at))

    async with worker.database.tenant(acme.tenant_id) as session:
        await begin(session, now["id"], clock.now())
    monkeypatch.setattr(renewal_jobs, "begin_next_limit", begin)
    await apply_next_limits(worker)

    assert begun == [False], "nor does the job try, minute by minute"
    now = await acme.subscription()
    assert (now["status"], now["driver_limit"], now["next_limit"]) == (status, 20, 10)


async def test_who_pays_by_transfer_is_reminded_and_ends(celina, customer, bank, work, clock):
    rival = await customer(celina)
    await rival.pays(await rival.orders(method="transfer"))
    await work()
    end = await rival.end()
    said = []
    for before in (8, 7, 5, 2, 1, 0):
        await walk(work, clock, days_later(end, -before))
        said.append(len(await rival.told()))

    assert said == [0, 1, 1, 2, 2, 3]
    assert await rival.told() == ["subscription_ending"] * 2 + ["subscription_ended"]
    assert bank.charged == []
    assert await rival.steps() == []


async def test_one_company_s_trouble_is_not_the_others(
    acme, bank, work, clock, celina, customer, monkeypatch
) -> None:
    rival = await customer(celina)
    await rival.pays(await rival.orders())
    await work()
    attend = Renewing.attend

    async def stumble(self, tenant_id, subscription_id):
        if tenant_id == acme.tenant_id:
            raise RuntimeError("a bug")
        return await attend(self, tenant_id, subscription_id)

    monkeypatch.setattr(Renewing, "attend", stumble)
    end = max(await acme.end(), await rival.end())
    await walk(work, clock, days_later(end, -1) + HOUR)

    assert await rival.end() > end
    assert bank.charged == [1]


async def test_after_five_unanswered_charges_the_others_wait_for_the_next_run(
    worker, monkeypatch
) -> None:
    due, asked = [(new_id(), new_id()) for _ in range(8)], []

    async def all_of_them(planner, before):
        return due

    async def unanswered(self, *subscription):
        asked.append(subscription)
        raise PaymentUnavailableError

    monkeypatch.setattr(renewal_jobs, "to_renew", all_of_them)
    monkeypatch.setattr(Renewing, "attend", unanswered)
    await renew_subscriptions(worker)

    assert asked == due[:5], "each costs a time-out"


async def test_a_provider_that_refuses_our_account_is_left_alone(acme, bank, work, clock) -> None:
    end = await acme.end()
    bank.broken = AccountError("the key is wrong")
    await walk(work, clock, days_later(end, -1) + MINUTE)

    assert await acme.steps() == ["first_charge"]
    assert await acme.told() == []
    assert await count(acme.logins, "incident") == 1
