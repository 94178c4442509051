"""Events that no provider should send, or not in this order: none changes an order by itself."""

from dataclasses import dataclass
from datetime import timedelta

import msgspec
import pytest

from prawko.hooks.payments import (
    Money,
    NextAction,
    PaymentEventKind,
    PaymentProvider,
    PaymentRef,
    PaymentState,
)
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.payments.incidents import report_payment_incidents
from prawko.payments.polling import poll_due
from prawko.personal_data.erasure import erase_company
from prawko_tenants.ids import TenantId
from prawko_testing.fake_payments import FakePaymentProvider
from support.database import fetch_rows
from support.fake_payments import change_abilities
from support.orders import OrderScenario
from support.payments import post_webhook, signed_webhook
from support.people import Person

pytestmark = pytest.mark.anyio

PAID, FAILED, REFUNDED = (
    PaymentEventKind.PAID,
    PaymentEventKind.FAILED,
    PaymentEventKind.REFUNDED,
)


@pytest.fixture
def other() -> FakePaymentProvider:
    provider = FakePaymentProvider(b"other")
    provider.name = "other"
    return provider


@pytest.fixture
def providers(fake, other) -> list[PaymentProvider]:
    return [fake, other]


@pytest.fixture
def variables(variables: dict[str, str]) -> dict[str, str]:
    return {**variables, "PAYMENT_PROVIDERS": "fake,other"}


@dataclass
class Odd:
    """An order of Anna's that is not paid, its payment, and both providers."""

    context: AppContext
    scenario: OrderScenario
    anna: Person
    fake: FakePaymentProvider
    other: FakePaymentProvider
    order: str
    action: NextAction

    @property
    def key(self) -> str:
        return self.action.ref.reference

    async def take(self, call, provider: str = "fake", status: int = 200) -> None:
        assert await post_webhook(self.anna.browser, provider, call) == status
        await self.scenario.process_webhooks()

    async def event(self, kind: PaymentEventKind, event_id: str) -> None:
        await self.take(signed_webhook(self.fake, self.key, kind, event_id))

    async def pay(self, money: Money | None = None) -> None:
        await self.take(await self.fake.pay(self.action, money))

    async def refund(self) -> None:
        money = self.fake.payments[self.key].money
        await self.fake.refund(PaymentRef(self.key), money, refund_reference="elsewhere")

    def change(self, state: PaymentState) -> None:
        payment = msgspec.structs.replace(self.fake.payments[self.key], state=state)
        self.fake.payments[self.key] = payment


async def send_an_unknown_kind(odd: Odd) -> None:
    body = {"id": "a", "kind": "payout", "key": odd.key, "money": {"grosze": 1}}
    await odd.take(odd.fake.signed_request(msgspec.json.encode(body)), status=400)
    await odd.pay()


async def send_as_another_provider(odd: Odd) -> None:
    action = await odd.other.create_payment(odd.fake.requests[odd.key])
    await odd.take(await odd.other.pay(action), "other")


async def pay_in_another_currency(odd: Odd) -> None:
    money = odd.fake.payments[odd.key].money
    await odd.pay(Money(money.grosze, "EUR"))


async def pay_too_little(odd: Odd) -> None:
    money = odd.fake.payments[odd.key].money
    await odd.pay(Money(money.grosze - 1))


async def pay_after_a_refund(odd: Odd) -> None:
    await odd.pay()
    await odd.refund()
    await odd.event(REFUNDED, "back")
    odd.change(PaymentState.PAID)
    await odd.event(PAID, "again")


async def refund_before_the_payment(odd: Odd) -> None:
    late = await odd.fake.pay(odd.action)
    odd.change(PaymentState.PAID)
    await odd.refund()
    await odd.event(REFUNDED, "back")
    await odd.take(late)


async def send_another_content_with_the_same_id(odd: Odd) -> None:
    await odd.event(FAILED, "same")
    await odd.fake.pay(odd.action)
    odd.change(PaymentState.PAID)
    await odd.event(PAID, "same")
    odd.scenario.worker.clock.forward(minutes=20)
    await poll_due(odd.scenario.worker)


async def pay_for_an_erased_company(odd: Odd) -> None:
    tenant_id = TenantId(await odd.anna.tenant_id(odd.scenario.worker))
    async with odd.scenario.worker.database.tenant(tenant_id) as session:
        await erase_company(session)
    await odd.pay()


async def send_with_times_that_cannot_be(odd: Odd) -> None:
    for number, days in enumerate((-365, 365)):
        call = signed_webhook(odd.fake, odd.key, FAILED, f"time {number}")
        received = utc_now() + timedelta(days=days)
        event = odd.fake.parse_webhook(msgspec.structs.replace(call, received_at=received))
        odd.fake.parse_webhook = lambda _, event=event: event
        await odd.take(call)
    del odd.fake.parse_webhook
    await odd.pay()


async def pay_a_superseded_order(odd: Odd) -> None:
    change_abilities(odd.context, can_cancel=False)
    await odd.scenario.buy(odd.anna, 10)
    await odd.pay()


@pytest.mark.parametrize(
    ("do", "payment", "order", "found"),
    [
        (send_an_unknown_kind, "paid", "paid", []),
        (send_as_another_provider, "open", "open", ["unknown_payment"]),
        (pay_in_another_currency, "mismatched", "open", ["wrong_currency"]),
        (pay_too_little, "mismatched", "open", ["wrong_amount"]),
        (pay_after_a_refund, "refunded", "paid", ["refunded_elsewhere"]),
        (refund_before_the_payment, "refunded", "failed", []),
        (send_another_content_with_the_same_id, "paid", "paid", []),
        (pay_for_an_erased_company, "paid", None, ["void_order"]),
        (send_with_times_that_cannot_be, "paid", "paid", []),
        (pay_a_superseded_order, "paid", "void", ["paid_twice"]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
async def test_an_odd_event_leaves_the_right_state_and_what_a_person_must_see(
    anna, context, scenario, fake, other, logins, do, payment, order, found
) -> None:
    placed = await scenario.place_order(anna, 5)
    odd = Odd(context, scenario, anna, fake, other, placed, await scenario.payment_redirect(placed))

    await do(odd)
    await report_payment_incidents(scenario.worker)

    [row] = await fetch_rows(logins, "SELECT state FROM payment WHERE reference = $1", odd.key)
    orders = await fetch_rows(logins, "SELECT state FROM subscription_order WHERE id = $1", placed)
    assert (row["state"], next((one["state"] for one in orders), None)) == (payment, order)
    assert await scenario.discrepancy_kinds() == found
    opened = await fetch_rows(logins, "SELECT kind FROM incident WHERE closed_at IS NULL")
    assert [one["kind"] for one in opened] == found
    waiting = await fetch_rows(
        logins, "SELECT FROM webhook_event WHERE processed_at IS NULL OR outcome IN"
        " ('given_up', 'undecryptable')"
    )  # fmt: skip
    assert waiting == [], "each is processed, and none given up"
