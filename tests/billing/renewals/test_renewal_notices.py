"""Notices of a renewal's charges, and the order of a renewal."""

from datetime import UTC, datetime, timedelta

import pytest

from billing.renewals.step_times import step_times
from prawko.billing.billing_details import BillingDetails
from prawko.billing.models import RenewalStep, RenewalStepKind, Subscription
from prawko.billing.notices import charge_notice, final_notice, period_key
from prawko.billing.price import OrderLine, period_price
from prawko.billing.renewal_service import renewal_draft
from prawko.billing.repository import parse_order_lines
from prawko.hooks.payments import PaymentMethod
from prawko.invoices.sale import LineKind
from prawko.kit.text.i18n import Language
from prawko.notifications.catalogue import NoticeKind
from prawko.payments.models import Payment
from prawko.payments.state_machine import PaymentRecordState
from prawko_tenants.ids import new_id
from prawko_tenants.models import Tenant

END = datetime(2026, 11, 28, 14, 30, tzinfo=UTC)
TIMES = step_times(END)
URL = "https://pay.test/consent"


def make_subscription(**fields) -> Subscription:
    values = {
        "is_trial": False, "mandate_id": new_id(), "end_date": END, "driver_limit": 20,
        **BillingDetails(company_name="Acme").to_dict(),
    }  # fmt: skip
    subscription = Subscription(id=new_id(), **{**values, **fields})
    subscription.set_monitored_until(END - timedelta(days=30))
    return subscription


def make_step(step: RenewalStepKind = RenewalStepKind.FIRST_CHARGE) -> RenewalStep:
    return RenewalStep(step=step, taken_at=TIMES[step], order_id=new_id(), end_date=END)


def make_payment(
    state: PaymentRecordState, url: str | None = None, grosze: int = 36_777
) -> Payment:
    return Payment(
        id=new_id(), order_id=new_id(), state=state, method=PaymentMethod.CARD, provider="fake",
        grosze=grosze, currency="PLN", url=url, mandate_id=new_id(), created_at=END,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("paid", "kind"),
    [
        (None, NoticeKind.PAYMENT_FAILED),  # there was no mandate to charge
        (make_payment(PaymentRecordState.FAILED), NoticeKind.PAYMENT_FAILED),
        (make_payment(PaymentRecordState.EXPIRED), NoticeKind.PAYMENT_FAILED),
        (make_payment(PaymentRecordState.EXPIRED, URL), NoticeKind.PAYMENT_FAILED),
        (make_payment(PaymentRecordState.OPEN, URL), NoticeKind.PAYMENT_CONSENT),
        (
            make_payment(PaymentRecordState.OPEN),
            None,
        ),  # consent is given in an app, or the bank has not answered
        (make_payment(PaymentRecordState.STARTING), None),
        (make_payment(PaymentRecordState.PAID), None),
        (make_payment(PaymentRecordState.REFUNDED), None),
        (make_payment(PaymentRecordState.MISMATCH), None),
    ],
)
def test_a_failed_charge_and_one_that_needs_consent_have_a_notice(paid, kind) -> None:
    steps = {RenewalStepKind.FIRST_CHARGE: TIMES[RenewalStepKind.FIRST_CHARGE]}

    notice = charge_notice(make_subscription(), make_step(), paid, steps, gross=1)

    assert (notice and notice.kind) is kind
    if notice:
        assert notice.payload.url == (URL if kind is NoticeKind.PAYMENT_CONSENT else "")


def test_the_notice_of_a_failed_charge_has_the_amount_the_end_and_the_next_try() -> None:
    subscription, steps = make_subscription(), {}
    for step, next_charge in (
        (RenewalStepKind.FIRST_CHARGE, END - timedelta(hours=18)),
        (RenewalStepKind.SECOND_CHARGE, END - timedelta(hours=6)),
        (RenewalStepKind.THIRD_CHARGE, None),
    ):
        steps[step] = TIMES[step]
        notice = charge_notice(
            subscription, make_step(step), make_payment(PaymentRecordState.FAILED), steps, gross=1
        )
        assert notice.dedup_key == f"{period_key(subscription.id, END)} {step}", (
            "one notice for each charge"
        )
        payload = notice.payload
        assert (payload.gross, payload.tried_at, payload.ends_at) == (36_777, TIMES[step], END)
        assert (payload.next_try_at, payload.company) == (next_charge, "Acme")


def test_without_a_payment_the_notice_has_the_price_of_the_next_period() -> None:
    subscription = make_subscription(scheduled_limit=5, scheduled_limit_at=END)

    notice = charge_notice(
        subscription, make_step(), None, {}, gross=period_price(subscription.renewal_limit).gross
    )

    assert notice.payload.gross == period_price(5).gross


def test_the_final_notice_has_the_end_of_monitoring() -> None:
    notice = final_notice(make_subscription())

    assert notice.kind is NoticeKind.CHECKING_STOPPED
    assert notice.payload.since == END + timedelta(days=3)


@pytest.mark.parametrize(
    ("fields", "limit"),
    [
        ({}, 20),
        ({"scheduled_limit": 5, "scheduled_limit_at": END}, 5),
        ({"scheduled_limit": 30, "scheduled_limit_at": END - timedelta(days=10)}, 30),  # prepaid
    ],
)
def test_a_renewal_orders_the_next_period_at_its_own_limit(fields, limit) -> None:
    draft = renewal_draft(make_subscription(**fields), Tenant(company_name=""))
    order = draft.to_order(PaymentMethod.CARD, END)

    price = period_price(limit)
    assert (order.kind, order.state, order.driver_limit) == ("renewal", "open", limit)
    assert (order.net, order.vat, order.end_date) == (price.net, price.vat, END)
    assert parse_order_lines(order) == (
        OrderLine(kind=LineKind.PERIOD, net=price.net, vat=price.vat),
    )


def test_a_renewals_buyer_has_the_companys_present_details() -> None:
    ordered = make_subscription(tax_id="5260250274", street="Stara 1")
    unnamed = Tenant(company_name="", tax_id="", street="")
    named = Tenant(
        company_name="Acme", tax_id="5260250274", street="Nowa 2", postal_code="00-950",
        city="Warszawa",
    )  # fmt: skip

    assert renewal_draft(ordered, unnamed).details.street == "Stara 1"
    assert renewal_draft(ordered, named).details.street == "Nowa 2"


@pytest.mark.parametrize("language", Language)
def test_the_description_of_a_renewal_names_brand_and_limit(language) -> None:
    draft = renewal_draft(make_subscription(), Tenant(company_name=""))

    title = draft.payment_title("Prawko", language)

    assert title.startswith("Prawko")
    assert "20" in title
