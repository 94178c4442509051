"""What is told of a renewal's charges, and what a renewal orders."""

from datetime import UTC, datetime, timedelta

import pytest

from prawko.base.texts import Language
from prawko.billing.ends import checked_until, end_name
from prawko.billing.models import RenewalStep, Subscription
from prawko.billing.order_repository import lines_of
from prawko.billing.ordering import Line
from prawko.billing.price import period_price
from prawko.billing.renewal_news import news_of_charge, news_of_the_last_end
from prawko.billing.renewal_orders import renewal_order, renewal_title
from prawko.billing.renewals import Step, timetable
from prawko.hooks.payments import Method, Money
from prawko.invoices.sale import LineKind
from prawko.notifications.kinds import NoticeKind
from prawko.payments.purchase import PaymentView
from prawko.payments.settling import State
from prawko_tenants.company import Tenant
from prawko_tenants.ids import new_id

END = datetime(2026, 11, 28, 14, 30, tzinfo=UTC)
TIMES = timetable(END)
URL = "https://pay.test/consent"


def subscription(**fields) -> Subscription:
    given = {"is_trial": False, "mandate_id": new_id(), "end_date": END, "driver_limit": 20}
    made = Subscription(id=new_id(), company_name="Acme", **{**given, **fields})
    made.checked_until = checked_until(made)
    return made


def charge(step: Step = Step.FIRST_CHARGE) -> RenewalStep:
    return RenewalStep(step=step, taken_at=TIMES[step], order_id=new_id(), end_date=END)


def payment(state: State, url: str | None = None, grosze: int = 36_777) -> PaymentView:
    return PaymentView(
        id=new_id(), order_id=new_id(), state=state, method=Method.CARD, provider="fake",
        money=Money(grosze), url=url, transfer=None, mandate_id=new_id(), reason=None,
        open_until=None, created_at=END, settled_at=None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("paid", "kind"),
    [
        (None, NoticeKind.PAYMENT_FAILED),  # there was no mandate to charge
        (payment(State.FAILED), NoticeKind.PAYMENT_FAILED),
        (payment(State.EXPIRED), NoticeKind.PAYMENT_FAILED),
        (payment(State.EXPIRED, URL), NoticeKind.PAYMENT_FAILED),
        (payment(State.OPEN, URL), NoticeKind.PAYMENT_CONSENT),
        (payment(State.OPEN), None),  # an app asks for the consent, or the bank takes its time
        (payment(State.STARTING), None),
        (payment(State.PAID), None),
        (payment(State.REFUNDED), None),
        (payment(State.MISMATCH), None),
    ],
)
def test_a_charge_that_came_to_nothing_or_needs_consent_is_told(paid, kind) -> None:
    done = {Step.FIRST_CHARGE: TIMES[Step.FIRST_CHARGE]}

    told = news_of_charge(subscription(), charge(), paid, done)

    assert (told and told.kind) is kind
    if told:
        assert told.facts.url == (URL if kind is NoticeKind.PAYMENT_CONSENT else "")


def test_a_refusal_names_the_sum_the_end_and_the_next_try() -> None:
    ending, done = subscription(), {}
    for step, following in (
        (Step.FIRST_CHARGE, END - timedelta(hours=18)),
        (Step.SECOND_CHARGE, END - timedelta(hours=6)),
        (Step.THIRD_CHARGE, None),
    ):
        done[step] = TIMES[step]
        told = news_of_charge(ending, charge(step), payment(State.FAILED), done)
        assert told.dedup == f"{end_name(ending.id, END)} {step}", "each try is told"
        facts = told.facts
        assert (facts.gross, facts.tried_at, facts.ends_at) == (36_777, TIMES[step], END)
        assert (facts.next_try_at, facts.company) == (following, "Acme")


def test_without_a_payment_the_price_is_the_next_periods() -> None:
    ending = subscription(next_limit=5, next_limit_at=END)

    told = news_of_charge(ending, charge(), None, {})

    assert told.facts.gross == period_price(5).gross


def test_the_end_of_the_grace_says_since_when_nobody_checks() -> None:
    told = news_of_the_last_end(subscription())

    assert told.kind is NoticeKind.CHECKING_STOPPED
    assert told.facts.since == END + timedelta(days=3)


@pytest.mark.parametrize(
    ("fields", "limit"),
    [
        ({}, 20),
        ({"next_limit": 5, "next_limit_at": END}, 5),
        ({"next_limit": 30, "next_limit_at": END - timedelta(days=10)}, 30),  # paid ahead
    ],
)
def test_a_renewal_orders_the_next_period_at_its_own_limit(fields, limit) -> None:
    order = renewal_order(subscription(**fields), Tenant(company_name=""), Method.CARD, END)

    price = period_price(limit)
    assert (order.kind, order.state, order.driver_limit) == ("renewal", "open", limit)
    assert (order.net, order.vat, order.end_date) == (price.net, price.vat, END)
    assert lines_of(order) == (Line(kind=LineKind.PERIOD, net=price.net, vat=price.vat),)


def test_a_renewals_invoice_names_the_company_of_today() -> None:
    ordered = subscription(tax_id="5260250274", street="Stara 1")
    empty = Tenant(company_name="", tax_id="", street="")
    moved = Tenant(
        company_name="Acme", tax_id="5260250274", street="Nowa 2", postal_code="00-950",
        city="Warszawa",
    )  # fmt: skip

    assert renewal_order(ordered, empty, Method.CARD, END).street == "Stara 1"
    assert renewal_order(ordered, moved, Method.CARD, END).street == "Nowa 2"


@pytest.mark.parametrize("language", Language)
def test_the_payer_reads_what_is_renewed(language) -> None:
    order = renewal_order(subscription(), Tenant(company_name=""), Method.CARD, END)

    title = renewal_title(order, "Prawko", language)

    assert title.startswith("Prawko")
    assert "20" in title
