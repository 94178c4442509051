"""Renewals: charged once, retried, notified, and escalated to operators (docs/rules.md T4)."""

import asyncio
from datetime import date, datetime, timedelta
from itertools import pairwise

import pytest
from sqlalchemy import text

from prawko.billing import jobs
from prawko.billing.jobs import (
    apply_scheduled_limits,
    expire_ended_subscriptions,
    renew_subscriptions,
)
from prawko.billing.limit_change import apply_scheduled_limit
from prawko.billing.models import SubscriptionStatus
from prawko.billing.price import period_price
from prawko.billing.renewal_service import RenewalService
from prawko.billing.repository import OrderRepository, RenewalRepository, SubscriptionRepository
from prawko.console.subscription_change import OperatorChange, change_subscription
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.payments import PaymentError, PaymentState
from prawko.kit.clock import WARSAW, add_days, warsaw_date
from prawko.notifications.catalogue import NoticeKind
from prawko.payments.errors import PaymentUnavailableError
from prawko.payments.jobs import poll_open_payments, process_payment_events
from prawko.payments.mandate_charges import NOT_CHARGEABLE
from prawko.payments.payment_updater import PaymentUpdater
from prawko.payments.repository import PaymentRepository
from prawko.payments.service import PaymentService
from prawko.personal_data.erasure_requests import erase_requested_companies
from prawko.verifications.month_figures import next_month
from prawko_tenants.ids import new_id
from prawko_testing.fake_payments import FakePaymentProvider
from support.crashes import CrashPoint, killed_at
from support.database import count_rows, fetch_rows
from support.payments import latest_payment, post_webhook
from support.people import PASSWORD, deliver_outbox

pytestmark = pytest.mark.anyio

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
PERIOD_PRICE = period_price(5).gross
MINUTE = timedelta(minutes=1)
SUSPEND = text("UPDATE subscription SET status = 'inactive'")


async def run_jobs_at(worker, clock, *instants) -> None:
    """Run the jobs at each of these instants."""
    for instant in instants:
        clock.set(instant)
        await worker()


async def test_the_next_period_is_charged_the_day_before_and_starts_at_the_end(
    acme, bank, run_jobs, clock
) -> None:
    end = await acme.period_end()
    await run_jobs_at(run_jobs, clock, add_days(end, -1) - MINUTE)
    assert await acme.period_end() == end, "not before the day before the end"
    assert bank.charges_per_payment == []

    for _ in range(3):
        await run_jobs_at(run_jobs, clock, add_days(end, -1) + MINUTE)

    now = await acme.subscription()
    assert (now["status"], now["end_date"]) == ("active", add_days(end, 30))
    assert now["monitored_until"] == add_days(end, 33)
    assert bank.charges_per_payment == [1]
    assert await acme.invoice_totals() == [PERIOD_PRICE, PERIOD_PRICE]
    assert await acme.history_notes() == ["Opłacono pierwszy okres", "Opłacono kolejny okres"]
    assert await acme.notice_kinds() == [], "no reminder and no warning"
    await run_jobs_at(run_jobs, clock, end + HOUR)
    assert (await acme.person.get("/api/subscription")).json()["status"] == "active"


async def test_a_year_of_renewals_has_no_gap_and_one_summary_of_each_month(
    acme, bank, run_jobs, clock, run_daily_check, mailbox
) -> None:
    await acme.person.add_driver("AA123456")
    await run_daily_check()
    end = await acme.period_end()
    for _ in range(12):
        for instant in (add_days(end, -16), add_days(end, -1) + HOUR):
            clock.set(instant)
            await run_daily_check()
            await run_jobs()
            await run_jobs()
        end = add_days(end, 30)
        assert await acme.period_end() == end
    assert bank.charges_per_payment == [1] * 12
    assert await acme.invoice_totals() == [PERIOD_PRICE] * 13
    assert {*await acme.notice_kinds()} == {NoticeKind.MONTH_SUMMARY}
    rows = await acme.fetch("SELECT dedup_key FROM notice WHERE kind = 'month_summary' ORDER BY id")
    months = [date.fromisoformat(f"{row['dedup_key']}-01") for row in rows]
    assert len(months) >= 10
    assert all(next_month(one) == following for one, following in pairwise(months))
    await run_daily_check()  # delivers
    subjects = [one.message.subject for one in mailbox.sent]
    assert sum(one.startswith("Podsumowanie miesiąca") for one in subjects) == len(months)


async def test_the_panel_shows_a_refused_charge_and_the_next_try_until_it_is_paid(
    acme, bank, run_jobs, clock
) -> None:
    end = await acme.period_end()
    first, second = add_days(end, -1) + MINUTE, end - 17 * HOUR
    bank.declines_charges = True

    async def refused_renewal():
        return (await acme.person.get("/api/subscription")).json()["refusedRenewal"]

    await run_jobs_at(run_jobs, clock, first - DAY)
    assert await refused_renewal() is None
    await run_jobs_at(run_jobs, clock, first, first)
    refused = await refused_renewal()
    tried_at, next_try_at = (datetime.fromisoformat(time) for time in refused.values())
    assert timedelta() <= tried_at - first < MINUTE
    assert next_try_at - tried_at == 6 * HOUR
    third = second + 13 * HOUR
    await run_jobs_at(run_jobs, clock, second, third)
    refused = await refused_renewal()
    assert timedelta() <= datetime.fromisoformat(refused["triedAt"]) - third < MINUTE
    assert refused["nextTryAt"] is None

    bank.declines_charges = False
    await acme.person.post("/api/subscription/cancel")
    assert await refused_renewal() is None, "nothing is charged any more"


async def test_a_refused_charge_is_forgotten_once_a_later_one_is_paid(
    acme, bank, run_jobs, clock
) -> None:
    end = await acme.period_end()
    bank.declines_charges = True
    await run_jobs_at(run_jobs, clock, add_days(end, -1) + MINUTE)
    bank.declines_charges = False
    await run_jobs_at(run_jobs, clock, end - 17 * HOUR)

    assert await acme.period_end() == add_days(end, 30)
    assert (await acme.person.get("/api/subscription")).json()["refusedRenewal"] is None


async def test_a_declined_charge_is_retried_notified_and_finally_escalated(
    acme, bank, run_jobs, clock, worker, logins, mailbox
) -> None:
    end = await acme.period_end()
    bank.declines_charges = True
    failed, results = "payment_failed", []
    for at, expected in (
        (add_days(end, -1) + MINUTE, [failed]),
        (end - 19 * HOUR, [failed]),
        (end - 17 * HOUR, [failed] * 2),
        (end - 6 * HOUR, [failed] * 2),
        (end - 4 * HOUR, [failed] * 3),
        (end - MINUTE, [failed] * 3),
        (end + MINUTE, [failed] * 3 + ["grace_started"]),
        (add_days(end, 3) - MINUTE, [failed] * 3 + ["grace_started"]),
        (add_days(end, 3), [failed] * 3 + ["grace_started", "checking_stopped"]),
        (add_days(end, 30), [failed] * 3 + ["grace_started", "checking_stopped"]),
    ):
        for _ in range(2):
            await run_jobs_at(run_jobs, clock, at)
        await deliver_outbox(worker)
        results.append(await acme.notice_kinds())
        assert results[-1] == expected, at - end
    assert await acme.steps() == [
        "first_charge", "second_charge", "third_charge", "closing", "grace_end",
    ]  # fmt: skip
    now = await acme.subscription()
    assert (now["status"], now["end_date"]) == ("expired", end)
    assert await acme.invoice_totals() == [PERIOD_PRICE]
    assert (await acme.history_notes())[-1] == "Nie udało się pobrać opłaty za kolejny okres"
    [incident] = await fetch_rows(logins, "SELECT * FROM incident")
    assert (incident["kind"], incident["detail"]) == ("renewal_given_up", str(acme.tenant_id))
    titles = [mail.subject for mail in mailbox.messages_to(acme.person.email)][-5:]
    assert titles == [
        "Płatność się nie powiodła",
        "Płatność się nie powiodła",
        "Płatność się nie powiodła, subskrypcja się nie odnowi",
        "Subskrypcja nie została opłacona, panel jest zamknięty",
        "Codzienne sprawdzanie jest wstrzymane",
    ]
    first = mailbox.messages_to(acme.person.email)[-5]
    retry_at = (add_days(end, -1) + MINUTE + 6 * HOUR).astimezone(WARSAW)
    assert f"Następna próba: {retry_at:%d.%m.%Y, %H:%M}" in first.text
    assert "183,27 zł" in first.text
    assert [mail.subject for mail in mailbox.messages_to("operator@prawko.test")] == [
        "Prawko: zdarzenie wymaga uwagi (renewal_given_up)"
    ]


async def test_the_second_charge_may_succeed(acme, bank, run_jobs, clock) -> None:
    end = await acme.period_end()
    bank.declines_charges = True
    await run_jobs_at(run_jobs, clock, add_days(end, -1) + MINUTE)
    bank.declines_charges = False
    await run_jobs_at(run_jobs, clock, end - 17 * HOUR, end - 5 * HOUR, end + HOUR)

    assert await acme.period_end() == add_days(end, 30)
    assert bank.charges_per_payment == [1]
    assert await acme.notice_kinds() == ["payment_failed"]
    assert await acme.steps() == ["first_charge", "second_charge"]


async def test_a_payment_in_the_grace_period_starts_a_period_at_the_payment(
    acme, bank, run_jobs, clock
) -> None:
    end = await acme.period_end()
    bank.declines_charges = True
    await run_jobs_at(
        run_jobs, clock, add_days(end, -1), end - 17 * HOUR, end - 4 * HOUR, end + MINUTE
    )
    paid_at = add_days(end, 2)
    clock.set(paid_at)
    await acme.pay(await acme.place_order(method="blik"))
    await run_jobs()

    now = await acme.subscription()
    assert now["status"] == "active"
    assert abs(now["end_date"] - add_days(paid_at, 30)) < MINUTE
    assert await acme.invoice_totals() == [PERIOD_PRICE, PERIOD_PRICE]
    assert "Opłacono po końcu okresu" in (await acme.history_notes())[-1]
    bank.declines_charges = False
    await run_jobs_at(run_jobs, clock, add_days(end, 4))
    assert "checking_stopped" not in await acme.notice_kinds()
    assert await count_rows(acme.logins, "incident") == 0
    await run_jobs_at(run_jobs, clock, add_days(now["end_date"], -1) + MINUTE)
    assert await acme.period_end() == add_days(now["end_date"], 30), "the mandate is charged again"


async def test_concurrent_workers_charge_once(acme, bank, run_jobs, worker, clock) -> None:
    end = await acme.period_end()
    clock.set(add_days(end, -1) + MINUTE)

    await asyncio.gather(*(renew_subscriptions(worker) for _ in range(4)))
    await run_jobs()

    assert bank.charges_per_payment == [1]
    assert await acme.period_end() == add_days(end, 30)
    assert await acme.invoice_totals() == [PERIOD_PRICE, PERIOD_PRICE]


CRASHES = {
    "before the step is written": CrashPoint(RenewalRepository, "record_step"),
    "before the payment is written": CrashPoint(PaymentService, "create_charge"),
    "before the step is committed": CrashPoint(PaymentService, "create_charge", after=True),
    "before the bank hears of it": CrashPoint(PaymentService, "charge"),
    "before its answer is written": CrashPoint(PaymentUpdater, "apply"),
    "before its answer is committed": CrashPoint(PaymentUpdater, "apply", after=True),
    "after its answer is committed": CrashPoint(PaymentService, "charge", after=True),
    "before the order is bought": CrashPoint(OrderRepository, "supersede_unpaid"),
    "when the bank has charged": CrashPoint(FakePaymentProvider, "charge", after=True),
}


async def test_after_a_crash_at_any_point_a_renewal_is_charged_once(
    acme, bank, run_jobs, worker, clock, monkeypatch
) -> None:
    for number, (case, point) in enumerate(CRASHES.items(), start=1):
        end = await acme.period_end()
        clock.set(add_days(end, -1) + MINUTE)
        with killed_at(monkeypatch, point):
            await renew_subscriptions(worker)

        for minutes in (2, 20, 40, 60, 6 * 60, 12 * 60):  # later runs
            await run_jobs_at(run_jobs, clock, add_days(end, -1) + timedelta(minutes=minutes))

        assert bank.charges_per_payment == [1] * number, case
        assert list(bank.paid_amounts.values()) == [PERIOD_PRICE] * (number + 1), case
        assert await acme.invoice_totals() == [PERIOD_PRICE] * (number + 1), case
        assert await acme.period_end() == add_days(end, 30), case
    assert await acme.notice_kinds() == []
    assert await acme.discrepancy_kinds() == []


async def test_a_charge_without_an_answer_is_polled_and_made_once(
    acme, bank, run_jobs, clock
) -> None:
    end = await acme.period_end()
    bank.failure = PaymentError("away")
    await run_jobs_at(run_jobs, clock, add_days(end, -1) + MINUTE, add_days(end, -1) + 20 * MINUTE)
    assert await acme.notice_kinds() == [], "the result is unknown"
    bank.failure = None
    await run_jobs_at(run_jobs, clock, add_days(end, -1) + 50 * MINUTE)

    assert bank.charges_per_payment == [1]
    assert await acme.period_end() == add_days(end, 30)


async def test_while_a_charge_is_open_no_other_is_made(acme, bank, run_jobs, clock) -> None:
    end = await acme.period_end()
    clock.set(add_days(end, -1) + MINUTE)
    bank.failure = PaymentError("away")
    await run_jobs()
    await run_jobs_at(run_jobs, clock, end - 17 * HOUR, end - 4 * HOUR)

    assert await acme.steps() == ["first_charge", "second_charge", "third_charge"]
    assert await count_rows(acme.logins, "payment") == 2, (
        "the first period's, and one of the renewal"
    )
    assert await acme.notice_kinds() == []


async def test_a_charge_that_needs_consent_is_notified_with_the_link_and_made_once(
    acme, bank, run_jobs, worker, clock, mailbox
) -> None:
    end = await acme.period_end()
    bank.requires_consent = True
    await run_jobs_at(run_jobs, clock, add_days(end, -1) + MINUTE, add_days(end, -1) + HOUR)
    [key] = [key for key, payment in bank.payments.items() if payment.url]
    assert await acme.notice_kinds() == ["payment_consent"]
    await deliver_outbox(worker)
    mail = mailbox.messages_to(acme.person.email)[-1]
    assert mail.link == f"https://bank.test/consent/{key}"
    assert mail.link in mail.text

    await run_jobs_at(run_jobs, clock, end - 17 * HOUR)
    assert await acme.notice_kinds() == ["payment_consent"] * 2, "again when the next charge is due"
    bank.give_consent(key)
    await run_jobs_at(run_jobs, clock, end - 16 * HOUR, end - 4 * HOUR, end + HOUR)

    assert bank.charges_per_payment == [1]
    assert await acme.period_end() == add_days(end, 30)
    assert await acme.notice_kinds() == ["payment_consent"] * 2


async def test_after_refused_consent_the_next_charge_is_made(acme, bank, run_jobs, clock) -> None:
    end = await acme.period_end()
    bank.requires_consent = True
    await run_jobs_at(run_jobs, clock, add_days(end, -1) + MINUTE)
    [key] = [key for key, payment in bank.payments.items() if payment.url]
    bank.refuse_consent(key)
    bank.requires_consent = False
    await run_jobs_at(run_jobs, clock, add_days(end, -1) + HOUR, end - 17 * HOUR)

    assert await acme.notice_kinds() == ["payment_consent", "payment_failed"]
    assert await acme.period_end() == add_days(end, 30)
    assert bank.charges_per_payment == [1]


async def end_by_operator(acme, bank, worker, clock) -> None:
    async with worker.database.tenant(acme.tenant_id) as session:
        yesterday = warsaw_date(clock.now() - DAY)
        await change_subscription(session, OperatorChange(end_day=yesterday), clock.now())


async def suspend(acme, bank, worker, clock) -> None:
    async with worker.database.tenant(acme.tenant_id) as session:
        await session.execute(SUSPEND)


async def dispute(acme, bank, worker, clock) -> None:
    [order] = await acme.fetch("SELECT id FROM subscription_order WHERE kind = 'period'")
    webhook = bank.dispute(await latest_payment(acme.logins, order["id"]))
    assert await post_webhook(acme._webhook_client, bank.name, webhook) == 200
    await process_payment_events(worker)


async def request_erasure(acme, bank, worker, clock) -> None:
    answer = await acme.person.delete("/api/company", {"password": PASSWORD})
    assert answer.status_code == 200


async def erase(acme, bank, worker, clock) -> None:
    await request_erasure(acme, bank, worker, clock)
    await erase_requested_companies(worker)


@pytest.mark.parametrize("end_it", [end_by_operator, suspend, dispute, request_erasure, erase])
async def test_a_charge_that_waits_for_consent_ends_with_what_it_would_renew(
    acme, bank, run_jobs, worker, clock, end_it
) -> None:
    end, bank.requires_consent = await acme.period_end(), True
    await run_jobs_at(run_jobs, clock, add_days(end, -1) + MINUTE)
    [key] = [key for key, payment in bank.payments.items() if payment.url]
    notices = await acme.notice_kinds()

    await end_it(acme, bank, worker, clock)
    await run_jobs_at(run_jobs, clock, add_days(end, -1) + 17 * MINUTE)

    assert bank.payments[key].state is PaymentState.FAILED
    assert await acme.fetch("SELECT id FROM payment WHERE state IN ('starting', 'open')") == []
    assert (await acme.notice_kinds())[:1] == notices[: 0 if end_it is erase else 1]


async def test_a_consent_after_the_mandate_was_dropped_buys_one_period_alone(
    acme, bank, run_jobs, worker, clock
) -> None:
    end, bank.requires_consent = await acme.period_end(), True
    await run_jobs_at(run_jobs, clock, add_days(end, -1) + MINUTE)
    [key] = [key for key, payment in bank.payments.items() if payment.url]
    await dispute(acme, bank, worker, clock)
    bank.give_consent(key)
    await run_jobs_at(run_jobs, clock, end - 23 * HOUR, add_days(end, 29) + HOUR)

    assert await acme.period_end() == add_days(end, 30)
    assert (await acme.subscription())["mandate_id"] is None
    assert bank.charges_per_payment == [1]


async def test_a_cancelled_subscription_is_not_charged_and_a_resumed_one_is(
    acme, bank, run_jobs, clock
) -> None:
    end = await acme.period_end()
    await acme.person.post("/api/subscription/cancel")
    now = await acme.subscription()
    assert now["monitored_until"] == end
    await run_jobs_at(run_jobs, clock, add_days(end, -1) + MINUTE)
    assert bank.charges_per_payment == []
    assert await acme.notice_kinds() == ["subscription_ending"], "it does not renew"

    await acme.person.post("/api/subscription/resume")
    await run_jobs()
    assert bank.charges_per_payment == [1]
    assert await acme.period_end() == add_days(end, 30)


async def test_a_company_whose_owner_has_asked_for_its_erasure_is_not_charged(
    acme, bank, run_jobs, clock
) -> None:
    """The worker that erases may have been away when the charge was due."""
    end = await acme.period_end()
    assert (await acme.person.delete("/api/company", {"password": PASSWORD})).status_code == 200
    await run_jobs_at(run_jobs, clock, add_days(end, -1) + MINUTE)
    assert (bank.charges_per_payment, await acme.steps()) == ([], [])


async def test_a_charge_that_was_saved_is_abandoned_once_its_order_is_not_chargeable(
    acme, bank, run_jobs, worker, clock, monkeypatch
) -> None:
    async def begins() -> None:
        clock.set(add_days(await acme.period_end(), -1) + MINUTE)
        with killed_at(monkeypatch, CrashPoint(FakePaymentProvider, "charge")):
            await renew_subscriptions(worker)

    end, order = await acme.period_end(), await acme.place_order(limit=10)
    await begins()
    await acme.pay(order)  # on a page opened before
    await run_jobs_at(run_jobs, clock, clock.now() + 20 * MINUTE)
    assert await acme.period_end() == add_days(end, 30)

    await begins()
    await acme.person.post("/api/subscription/cancel")
    await run_jobs_at(run_jobs, clock, clock.now() + 20 * MINUTE)
    assert bank.charges_per_payment == []
    [voided] = await acme.fetch("SELECT reason FROM payment ORDER BY id DESC LIMIT 1")
    assert voided["reason"] == NOT_CHARGEABLE
    await acme.person.post("/api/subscription/resume")
    await run_jobs_at(run_jobs, clock, clock.now() + 20 * MINUTE, clock.now() + 6 * HOUR)
    assert bank.charges_per_payment == [1], "at the next step"
    assert await acme.discrepancy_kinds() == []
    assert "payment_failed" not in await acme.notice_kinds(), "no charge has failed"


async def test_a_charge_made_before_the_cancellation_is_a_discrepancy(
    acme, bank, run_jobs, worker, clock, monkeypatch
) -> None:
    clock.set(add_days(await acme.period_end(), -1) + MINUTE)
    with killed_at(monkeypatch, CrashPoint(FakePaymentProvider, "charge", after=True)):
        await renew_subscriptions(worker)
    await acme.person.post("/api/subscription/cancel")
    await run_jobs_at(run_jobs, clock, clock.now() + 20 * MINUTE)

    assert bank.charges_per_payment == [1]
    assert list(bank.paid_amounts.values()) == [PERIOD_PRICE, PERIOD_PRICE]
    assert await acme.discrepancy_kinds() == ["void_order"], (
        "its money is the operators' to give back"
    )


async def test_a_charge_waits_for_a_concurrent_cancellation(
    acme, bank, run_jobs, worker, clock, monkeypatch
) -> None:
    clock.set(add_days(await acme.period_end(), -1) + MINUTE)
    with killed_at(monkeypatch, CrashPoint(FakePaymentProvider, "charge")):
        await renew_subscriptions(worker)
    clock.forward(minutes=20)
    async with worker.database.tenant(acme.tenant_id) as session:
        _, current = await SubscriptionRepository(session).lock_current()
        current.cancelled_at = clock.now()
        await session.flush()
        charging = asyncio.create_task(poll_open_payments(worker))
        completed, _ = await asyncio.wait({charging}, timeout=0.5)
        assert not completed
    await charging

    assert bank.charges_per_payment == []
    assert await acme.discrepancy_kinds() == []


async def test_a_new_mandate_replaces_the_one_before(acme, bank, run_jobs, clock) -> None:
    first = (await acme.subscription())["mandate_id"]
    await acme.pay(await acme.place_order())
    await run_jobs()
    now = await acme.subscription()
    mandates = await acme.fetch(
        "SELECT id, token, ended_at FROM payment_mandate ORDER BY created_at"
    )

    assert [mandate["id"] for mandate in mandates] == [first, now["mandate_id"]]
    assert mandates[0]["token"] == b"", "it is deleted"
    assert clock.now() - mandates[0]["ended_at"] < MINUTE
    assert mandates[1]["ended_at"] is None
    await run_jobs_at(run_jobs, clock, add_days(now["end_date"], -1) + MINUTE)
    assert bank.charges_per_payment == [1], "the active mandate"


async def test_without_an_active_mandate_the_customer_is_notified_and_nothing_is_charged(
    acme, bank, run_jobs, worker, clock
) -> None:
    end = await acme.period_end()
    async with worker.database.tenant(acme.tenant_id) as session:
        await PaymentRepository(session).end_other_mandates(worker.clock.now(), except_id=None)
    await run_jobs_at(run_jobs, clock, add_days(end, -1) + MINUTE, end - 17 * HOUR, end - 4 * HOUR)
    await run_jobs_at(run_jobs, clock, end + MINUTE)

    assert bank.charges_per_payment == []
    assert await acme.notice_kinds() == ["payment_failed"] * 3 + ["grace_started"]


async def test_a_subscription_closed_by_an_operator_is_not_renewed(
    acme, bank, run_jobs, worker, clock
) -> None:
    end = await acme.period_end()
    async with worker.database.tenant(acme.tenant_id) as session:
        await session.execute(SUSPEND)
    await run_jobs_at(run_jobs, clock, add_days(end, -1) + MINUTE)
    # Closed after the worker had read the due subscriptions.
    subscription_id = (await acme.subscription())["id"]
    await RenewalService(worker, PaymentService(worker)).process(acme.tenant_id, subscription_id)
    await run_jobs_at(run_jobs, clock, end + HOUR, add_days(end, 4))

    assert bank.charges_per_payment == []
    assert await acme.steps() == []


@pytest.mark.parametrize(
    ("days", "change", "charges"),
    [
        (-9, {"end_day": -1}, 0),  # ended: no grace period follows
        (2, {"end_day": -1}, 1),  # of the end before
        (2, {"end_day": 9, "status": SubscriptionStatus.ACTIVE}, 2),
        (4, {"end_day": 9, "status": SubscriptionStatus.ACTIVE}, 1),  # given up
        (4, {"more_days": 9, "status": SubscriptionStatus.ACTIVE}, 1),
    ],
)
async def test_an_operator_who_ends_or_reopens_a_subscription_causes_no_surprising_charge(
    acme, bank, run_jobs, worker, clock, days, change, charges
) -> None:
    end, bank.declines_charges = await acme.period_end(), True
    instants = (end - DAY, end - 17 * HOUR, end - 4 * HOUR, end + MINUTE, end + 4 * DAY)
    at = end + days * DAY
    await run_jobs_at(run_jobs, clock, *(one for one in instants if one <= at), at)
    if "end_day" in change:
        change = {**change, "end_day": warsaw_date(at + change["end_day"] * DAY)}

    async with worker.database.tenant(acme.tenant_id) as session:
        subscription = await change_subscription(session, OperatorChange(**change), at)

    is_open = subscription.status_at(at) is SubscriptionStatus.ACTIVE
    assert is_open is (subscription.monitored_until > at) is ("status" in change)
    await run_jobs_at(run_jobs, clock, *(at + one * DAY for one in range(12)))
    assert (await acme.steps()).count("first_charge") == charges


async def test_after_days_of_downtime_charges_keep_their_distance(
    acme, bank, run_jobs, clock
) -> None:
    end = await acme.period_end()
    bank.declines_charges = True
    clock.set(end + DAY)
    await run_jobs()
    assert await acme.steps() == ["first_charge", "closing"]
    assert await acme.notice_kinds() == ["payment_failed", "grace_started"]
    await run_jobs_at(run_jobs, clock, end + DAY + 5 * HOUR)
    assert len(await acme.steps()) == 2
    bank.declines_charges = False
    await run_jobs_at(run_jobs, clock, end + DAY + 7 * HOUR)

    paid = await acme.period_end()
    assert abs(paid - add_days(end + DAY + 7 * HOUR, 30)) < MINUTE, "counted from the payment"
    assert bank.charges_per_payment == [1]


async def test_after_a_week_of_downtime_nothing_is_charged_and_one_notice_is_sent(
    acme, bank, run_jobs, clock
) -> None:
    end = await acme.period_end()
    await run_jobs_at(run_jobs, clock, add_days(end, 7), add_days(end, 8))

    assert bank.charges_per_payment == []
    assert await acme.steps() == ["closing", "grace_end"]
    assert await acme.notice_kinds() == ["checking_stopped"]
    assert (await acme.subscription())["status"] == "expired"


async def test_a_lower_limit_is_renewed_and_applied_at_the_start_of_the_next_period(
    acme, run_jobs, worker, clock
) -> None:
    await acme.pay(await acme.place_order(20))
    await run_jobs()
    end = await acme.period_end()
    answer = await acme.person.post("/api/subscription/change-limit", {"driverLimit": 10})
    assert answer.status_code in {200, 201}, answer.text

    await run_jobs_at(run_jobs, clock, add_days(end, -1) + MINUTE)
    assert (await acme.invoice_totals())[-1] == period_price(10).gross
    assert (await acme.subscription())["driver_limit"] == 20, "until the end of the paid period"
    await run_jobs_at(run_jobs, clock, end - MINUTE)
    async with worker.database.tenant(acme.tenant_id) as session:
        applied_early = await apply_scheduled_limit(
            session, (await acme.subscription())["id"], clock.now()
        )
    assert applied_early is False, "the job does not apply it early"
    assert (await acme.subscription())["driver_limit"] == 20
    await run_jobs_at(run_jobs, clock, end + MINUTE, end + HOUR)

    now = await acme.subscription()
    assert (now["driver_limit"], now["scheduled_limit"], now["scheduled_limit_at"]) == (
        10,
        None,
        None,
    )
    view = (await acme.person.get("/api/subscription")).json()
    assert (view["driverLimit"], view["priceNet"]) == (10, period_price(10).net)
    assert (await acme.history_notes())[-1] == "Limit kierowców od tego okresu: 10"
    await run_jobs_at(run_jobs, clock, add_days(end, 29) + HOUR)
    assert (await acme.invoice_totals())[-1] == period_price(10).gross


@pytest.mark.parametrize("status", ["cancelled", "inactive"])
async def test_a_scheduled_limit_is_not_applied_without_a_next_period(
    acme, run_jobs, worker, clock, monkeypatch, status
) -> None:
    await acme.pay(await acme.place_order(20))
    await run_jobs()
    await acme.person.post("/api/subscription/change-limit", {"driverLimit": 10})
    if status == "cancelled":
        await acme.person.post("/api/subscription/cancel")
    else:
        async with worker.database.tenant(acme.tenant_id) as session:
            await session.execute(SUSPEND)
    clock.set(await acme.period_end() + MINUTE)
    await expire_ended_subscriptions(worker)
    now, applied = await acme.subscription(), []

    async def apply(session, subscription_id, at):
        applied.append(await apply_scheduled_limit(session, subscription_id, at))

    async with worker.database.tenant(acme.tenant_id) as session:
        await apply(session, now["id"], clock.now())
    monkeypatch.setattr(jobs, "apply_scheduled_limit", apply)
    await apply_scheduled_limits(worker)

    assert applied == [False], "the job does not select it"
    now = await acme.subscription()
    assert (now["status"], now["driver_limit"], now["scheduled_limit"]) == (status, 20, 10)


async def test_a_subscription_paid_by_transfer_is_reminded_and_ends(
    celina, new_customer, bank, run_jobs, clock
):
    rival = await new_customer(celina)
    await rival.pay(await rival.place_order(method="transfer"))
    await run_jobs()
    end = await rival.period_end()
    results = []
    for before in (8, 7, 5, 2, 1, 0):
        await run_jobs_at(run_jobs, clock, add_days(end, -before))
        results.append(len(await rival.notice_kinds()))

    assert results == [0, 1, 1, 2, 2, 3]
    assert await rival.notice_kinds() == ["subscription_ending"] * 2 + ["subscription_ended"]
    assert bank.charges_per_payment == []
    assert await rival.steps() == []


async def test_a_failure_in_one_company_does_not_stop_the_others(
    acme, bank, run_jobs, clock, celina, new_customer, monkeypatch
) -> None:
    rival = await new_customer(celina)
    await rival.pay(await rival.place_order())
    await run_jobs()
    process = RenewalService.process

    async def fail_for_one(self, tenant_id, subscription_id):
        if tenant_id == acme.tenant_id:
            raise RuntimeError("a bug")
        return await process(self, tenant_id, subscription_id)

    monkeypatch.setattr(RenewalService, "process", fail_for_one)
    end = max(await acme.period_end(), await rival.period_end())
    await run_jobs_at(run_jobs, clock, add_days(end, -1) + HOUR)

    assert await rival.period_end() > end
    assert bank.charges_per_payment == [1]


async def test_after_five_time_outs_the_other_companies_wait_for_the_next_run(
    worker, monkeypatch
) -> None:
    due, processed = [(new_id(), new_id()) for _ in range(8)], []

    async def all_of_them(planner, limit_at):
        return due

    async def time_out(self, *subscription):
        processed.append(subscription)
        raise PaymentUnavailableError

    monkeypatch.setattr(jobs, "due_for_renewal", all_of_them)
    monkeypatch.setattr(RenewalService, "process", time_out)
    await renew_subscriptions(worker)

    assert processed == due[:5], "each costs a time-out"


async def test_a_provider_that_rejects_our_account_is_paused(acme, bank, run_jobs, clock) -> None:
    end = await acme.period_end()
    bank.failure = ProviderAccountError("the key is wrong")
    await run_jobs_at(run_jobs, clock, add_days(end, -1) + MINUTE)

    assert await acme.steps() == ["first_charge"]
    assert await acme.notice_kinds() == []
    assert await count_rows(acme.logins, "incident") == 1
