"""A seeded simulation of companies that order, pay, cancel and are renewed, on every method.

The worker is killed at random points; the bank fails and declines; its webhooks are lost, late or
repeated. All choices come from one `Random` and nothing runs concurrently: a seed gives the same
run, but for the order of rows with equal times.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random
from types import SimpleNamespace
from uuid import UUID

import asyncpg
import msgspec
import pytest

from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import Identity
from prawko.accounts.roles import Role
from prawko.billing import checkout, jobs, order_handler, renewal_service
from prawko.billing.cancellation import CancellationService
from prawko.billing.checkout import CheckoutService
from prawko.billing.jobs import (
    apply_scheduled_limits,
    expire_ended_subscriptions,
    renew_subscriptions,
    send_subscription_reminders,
)
from prawko.billing.limit_change import LimitChangeService
from prawko.billing.ordering import Ordering
from prawko.billing.repository import OrderRepository, RenewalRepository
from prawko.billing.schemas import ChangeLimitIn, CheckoutIn
from prawko.drivers.repository import SqlDriverCounter
from prawko.hooks.payments import (
    Mandate,
    Money,
    NextAction,
    PaymentError,
    PaymentEvent,
    PaymentMethod,
    PaymentRef,
    PaymentRequest,
    PaymentState,
    ProviderPayment,
)
from prawko.hooks.webhooks import WebhookRequest
from prawko.kit.context import AppContext
from prawko.kit.errors import AppError
from prawko.kit.text.i18n import Language
from prawko.kit.work import leased_work as work
from prawko.payments import (
    payment_updater,
    polling,
    provider_calls,
    service,
    webhook_processing,
)
from prawko.payments.incidents import report_payment_incidents
from prawko.payments.models import REFERENCE_ALPHABET, REFERENCE_LENGTH
from prawko.payments.payment_updater import PaymentUpdater
from prawko.payments.polling import poll_due
from prawko.payments.service import PaymentService
from prawko.payments.webhook_processing import process_events, store_events
from prawko_tenants.ids import TenantId, UserId, new_id
from prawko_testing.clock import MovableClock
from prawko_testing.fake_payments import FakePaymentProvider
from support.crashes import ProcessKilled, let_crashes_pass

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
TITLE_SECONDS = 7 * 24 * 3600
LIMITS = (5, 10, 15, 20)
DETAILS = {
    "company_name": "Acme", "tax_id": "5260250274", "street": "Prosta 5",
    "postal_code": "00-950", "city": "Warszawa",
}  # fmt: skip
_INSERT_COMPANY = """
    WITH company AS (INSERT INTO tenant (id, created_at, updated_at) VALUES ($1, $4, $4)),
         person AS (INSERT INTO user_account (id, email, email_key, password_hash,
                                              email_verified, created_at, updated_at)
                    VALUES ($2, $5, $5, '', true, $4, $4)),
         member AS (INSERT INTO membership (tenant_id, user_id, role, created_at)
                    VALUES ($1, $2, 'owner', $4))
    INSERT INTO login_session (id, token_hash, user_id, tenant_id, created_at, last_seen_at,
                               expires_at, ip, agent)
    VALUES ($3, uuid_send($3), $2, $1, now(), now(), now() + interval '1 day', '', '')
"""
_SELECT_SUBSCRIPTION = """
    SELECT status, end_date, driver_limit, mandate_id, cancelled_at FROM subscription
     WHERE tenant_id = $1 ORDER BY id DESC LIMIT 1
"""
_SELECT_PAYMENT = """
    SELECT reference, provider_ref FROM payment WHERE order_id = $1 ORDER BY id DESC LIMIT 1
"""
# A killed process leaves its leases behind; the clock stands still before their end.
_EXPIRE_LEASES = (
    "UPDATE payment SET lease_until = NULL WHERE lease_until IS NOT NULL",
    """UPDATE webhook_event SET next_try_at = received_at, lease_until = NULL
        WHERE processed_at IS NULL""",
)


class FrozenClock(MovableClock):
    """A product clock that stands still until it is moved."""

    def __init__(self, now: datetime) -> None:
        super().__init__()
        self._at = now

    def now(self) -> datetime:
        return self._at

    def offset(self) -> timedelta:
        return self._at - datetime.now(UTC)

    def set(self, instant: datetime) -> None:
        self._at = instant

    def forward(self, **amount: float) -> None:
        self._at += timedelta(**amount)


class Chance:
    """Seeded random events and their counts. While `calm`, none happens."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        self.counts: Counter[str] = Counter()
        self.calm = False
        self._missed: Counter[str] = Counter()

    def happens(self, event: str, probability: float) -> bool:
        """Whether the event happens this time: with that probability, and when it is overdue.

        So each kind happens in any run, also where rows with equal times come in another order.
        """
        if self.calm:
            return False
        self._missed[event] += 1
        if self.random.random() >= probability and self._missed[event] * probability < 1.5:
            return False
        self._missed[event] = 0
        self.counts[event] += 1
        return True


class ChaosBank(FakePaymentProvider):
    """A bank that randomly fails, declines charges and requires consent."""

    def __init__(self, chance: Chance) -> None:
        super().__init__()
        self.chance = chance
        self._refusals: Counter[str] = Counter()

    async def create_payment(self, request: PaymentRequest) -> NextAction:
        redirect = await super().create_payment(request)
        self._maybe_crash("killed after the bank knew the order")
        if request.method is PaymentMethod.TRANSFER:  # a transfer stays open for days
            return msgspec.structs.replace(redirect, url=None, expires_in_seconds=TITLE_SECONDS)
        return redirect

    async def capture(self, event: PaymentEvent, *, expected: Money) -> ProviderPayment | None:
        confirmed = await super().capture(event, expected=expected)
        self._maybe_crash("killed after the bank confirmed")
        return confirmed

    async def charge(self, mandate: Mandate, request: PaymentRequest) -> ProviderPayment:
        is_known = request.reference in self.payments
        self.declines_charges = not is_known and self._is_refused(mandate.token)
        self.requires_consent = not self.declines_charges and self.chance.happens(
            "asked for consent", 0.25
        )
        charged = await super().charge(mandate, request)
        self._maybe_crash("killed after the bank charged", 0.1)
        return charged

    def _is_refused(self, card: str) -> bool:
        """Whether a charge is declined: some cards once, some at all charges for an end."""
        if self._refusals[card] > 0:
            self._refusals[card] -= 1
            return not self.chance.calm
        refused = self.chance.happens("refused a charge", 0.35)
        if refused and self.chance.happens("refused a card for days", 0.8):
            self._refusals[card] = 2
        return refused

    def _raise_failure(self) -> None:
        if self.chance.happens("the bank was away", 0.03):
            raise PaymentError("away")

    def _maybe_crash(self, point: str, probability: float = 0.03) -> None:
        if self.chance.happens(point, probability):
            raise ProcessKilled


class SimulatedCompany:
    """A customer that mostly pays with one method."""

    def __init__(self, simulation: "Simulation", method: PaymentMethod, number: int) -> None:
        self.simulation, self.method = simulation, method
        self.tenant_id, self.user_id, self.session_id = TenantId(new_id()), new_id(), new_id()
        self.email = f"owner{number}@fleet.test"
        self.plans: list[tuple[datetime, Callable[[], Awaitable[None]]]] = []

    @property
    def actor(self) -> Identity:
        return Identity(
            session_id=self.session_id, user_id=UserId(self.user_id), tenant_id=self.tenant_id,
            role=Role.OWNER, email=self.email, email_verified=True, is_admin=False,
            language=Language.PL,
            impersonator_id=None,
        )  # fmt: skip

    @property
    def ordering(self) -> Ordering:
        return Ordering(
            self.simulation.panel,
            self.simulation.payments,
            SqlDriverCounter(),
            self.actor,
            CLIENT_INFO,
        )

    async def act(self) -> None:
        """Do what is due of the planned actions, and perhaps a new one."""
        now = self.simulation.clock.now()
        due = [plan for at, plan in self.plans if at <= now]
        self.plans = [(at, plan) for at, plan in self.plans if at > now]
        for plan in due:
            await self.simulation.run_guarded(plan)
        if self.simulation.chance.happens("a customer came by", 0.35):
            await self.simulation.run_guarded(self._choose_action)

    async def _choose_action(self) -> None:
        chance, now = self.simulation.chance, self.simulation.clock.now()
        if self.plans and not chance.happens("ordered while another order waited", 0.1):
            return None
        row = await self.simulation.admin.fetchrow(_SELECT_SUBSCRIPTION, self.tenant_id)
        if row is None or row["status"] != "active" or row["end_date"] <= now:
            return await self._place_order()
        renews = row["mandate_id"] is not None and row["cancelled_at"] is None
        if not renews and row["end_date"] - now < 6 * DAY:
            return await self._place_order()
        if chance.happens("ordered early", 0.02):
            return await self._place_order()
        if chance.happens("changed the limit", 0.05):
            return await self._change_limit()
        if row["cancelled_at"] is None and chance.happens("cancelled", 0.03):
            await self._cancellation().cancel()
        elif row["cancelled_at"] is not None and chance.happens("resumed", 0.3):
            async with self.simulation.panel.database.tenant(self.tenant_id) as session:
                await self._cancellation().resume(session)
        return None

    def _cancellation(self) -> CancellationService:
        return CancellationService(
            self.simulation.panel, self.simulation.payments, self.actor, CLIENT_INFO
        )

    async def _place_order(self) -> None:
        chance = self.simulation.chance
        method = self.method
        if chance.happens("paid another way", 0.15):
            method = chance.random.choice(list(PaymentMethod))
        checkout = CheckoutService(self.ordering)
        order = CheckoutIn(driver_limit=self._random_limit(), method=method.value, **DETAILS)
        for _ in range(1 + chance.happens("ordered twice", 0.07)):
            with suppress(AppError):
                self._schedule_payment((await checkout.place_order(order)).order_id, method)

    async def _change_limit(self) -> None:
        change = LimitChangeService(self.ordering)
        with suppress(AppError):
            changed = await change.change_limit(ChangeLimitIn(driver_limit=self._random_limit()))
            if changed.order_id is not None and changed.url is not None:
                self._schedule_payment(changed.order_id, self.method)

    def _random_limit(self) -> int:
        return self.simulation.chance.random.choice(LIMITS)

    def _schedule_payment(self, order_id: UUID, method: PaymentMethod) -> None:
        """Plan the payment of an order: it may be late, fail, have another amount, or not come."""
        chance = self.simulation.chance
        if chance.happens("paid never", 0.07):
            return
        longest = 6 * DAY if method is PaymentMethod.TRANSFER else 20 * HOUR
        delay = longest * chance.random.random() ** 3  # most of them at once
        self.plans.append((self.simulation.clock.now() + delay, lambda: self._pay(order_id)))

    async def _pay(self, order_id: UUID) -> None:
        simulation = self.simulation
        row = await simulation.admin.fetchrow(_SELECT_PAYMENT, order_id)
        payment = simulation.bank.payments[row["reference"]]
        if payment.state is not PaymentState.OPEN:
            simulation.chance.counts["came too late to the page"] += 1
            return
        redirect = NextAction(ref=PaymentRef(row["reference"], row["provider_ref"]))
        if payment.url is not None:
            simulation.bank.give_consent(row["reference"])
        elif simulation.chance.happens("the bank refused a payer", 0.08):
            simulation.receive_webhook(await simulation.bank.fail(redirect))
        elif simulation.chance.happens("paid another sum", 0.05):
            simulation.receive_webhook(
                await simulation.bank.pay(redirect, Money(payment.money.grosze - 1))
            )
        else:
            simulation.receive_webhook(await simulation.bank.pay(redirect))


class Simulation:
    """The product, its bank and its customers, with one clock."""

    def __init__(
        self, panel: AppContext, worker: AppContext, bank: ChaosBank, clock: FrozenClock,
        admin: asyncpg.Connection,
    ) -> None:  # fmt: skip
        self.panel, self.worker, self.bank, self.clock = panel, worker, bank, clock
        self.admin = admin
        self.chance = bank.chance
        self.payments = PaymentService(panel)
        self.companies: list[SimulatedCompany] = []
        self._pending_webhooks: list[tuple[datetime, WebhookRequest]] = []
        self._reported_at = clock.now()

    async def create_companies(self, companies: int) -> None:
        """Create `companies` companies for each payment method."""
        for number, method in enumerate(list(PaymentMethod) * companies):
            company = SimulatedCompany(self, method, number)
            await self.admin.execute(
                _INSERT_COMPANY, company.tenant_id, company.user_id, company.session_id,
                self.clock.now(), company.email,
            )  # fmt: skip
            self.companies.append(company)

    async def run_days(self, days: int) -> None:
        """Run the simulation for so many days."""
        end = self.clock.now() + timedelta(days=days)
        while self.clock.now() < end:
            hours = self.chance.random.randint(2, 44)
            if self.chance.happens("the worker was down for days", 0.02):
                hours = self.chance.random.randint(24, 100)
            self.clock.forward(hours=hours, minutes=self.chance.random.randint(0, 59))
            for company in self.companies:
                await company.act()
            await self._answer_consents()
            await self.run_jobs()

    async def run_calm_days(self) -> None:
        """Run 33 days without failures and without customers' actions."""
        self.chance.calm = True
        self.bank.declines_charges = self.bank.requires_consent = False
        end = self.clock.now() + timedelta(days=33)
        while self.clock.now() < end:
            self.clock.forward(hours=36)
            await self.run_jobs()

    async def run_jobs(self) -> None:
        """Run the worker's jobs, randomly skipping some; repeat one whose process was killed."""
        await self._post_webhooks()
        jobs = [
            lambda: process_events(self.worker),
            lambda: poll_due(self.worker),
            lambda: apply_scheduled_limits(self.worker),
            lambda: renew_subscriptions(self.worker),
            lambda: expire_ended_subscriptions(self.worker),
        ]
        jobs = [job for job in jobs if not self.chance.happens("a job came late", 0.5)]
        if self.clock.now() > self._reported_at + 10 * DAY:
            self._reported_at = self.clock.now()
            jobs += [
                lambda: send_subscription_reminders(self.worker),
                lambda: report_payment_incidents(self.worker),
            ]
        for job in jobs:
            while not await self.run_guarded(job):
                pass

    async def run_guarded(self, action: Callable[[], Awaitable[object]]) -> bool:
        """Run an action; False if the process was killed, after its leases have expired."""
        try:
            with suppress(AppError):
                await action()
        except ProcessKilled:
            self.chance.counts["killed"] += 1
            for statement in _EXPIRE_LEASES:
                await self.admin.execute(statement)
            return False
        return True

    def receive_webhook(self, call: WebhookRequest) -> None:
        """Schedule a webhook: it may be lost, late, or sent three times."""
        if self.chance.happens("lost a call", 0.25):
            return
        for _ in range(1 + 2 * self.chance.happens("called three times", 0.2)):
            delay = 30 * HOUR * self.chance.random.random() ** 4
            self._pending_webhooks.append((self.clock.now() + delay, call))

    async def _post_webhooks(self) -> None:
        now = self.clock.now()
        for _, call in [call for call in self._pending_webhooks if call[0] <= now]:
            event = self.bank.parse_webhook(call)
            assert event is not None
            async with self.panel.database.system() as session:
                await store_events(session, self.panel.key_ring, self.bank.name, [event])
        self._pending_webhooks = [one for one in self._pending_webhooks if one[0] > now]

    async def _answer_consents(self) -> None:
        """Randomly give or refuse the consent that open charges need."""
        for key, payment in list(self.bank.payments.items()):
            if payment.url is None or payment.state is not PaymentState.OPEN:
                continue
            if self.chance.happens("consented", 0.5):
                self.bank.give_consent(key)
            elif self.chance.happens("refused to consent", 0.1):
                self.bank.refuse_consent(key)


CLIENT_INFO = ClientInfo(ip="127.0.0.1", user_agent="")


async def _gather_in_turn(*questions: Coroutine) -> list[object]:
    """Await the calls one after the other, as a deterministic `asyncio.gather`."""
    pending = deque(questions)
    try:
        return [await pending.popleft() for _ in questions]
    finally:
        for coroutine in pending:
            coroutine.close()


def _gather(*calls, return_exceptions: bool = False) -> Awaitable[list[object]]:
    if return_exceptions:  # of calls that have begun
        return asyncio.gather(*calls, return_exceptions=True)
    return asyncio.ensure_future(_gather_in_turn(*calls))


def _sequential_references() -> Iterator[str]:
    """References in a fixed order, so that a seed always gives the same run."""
    for number in count():
        digits = [number // 32**exponent % 32 for exponent in range(REFERENCE_LENGTH)]
        yield "".join(REFERENCE_ALPHABET[digit] for digit in digits)


def install_chaos(monkeypatch: pytest.MonkeyPatch, chance: Chance, clock: FrozenClock) -> None:
    """Make the product deterministic, and kill its process at random points.

    Leases and retries are by the simulated clock too: how fast the machine is changes nothing.
    """
    keys = _sequential_references()
    for module in (checkout, service):
        monkeypatch.setattr(module, "new_reference", lambda: next(keys))
    for module in (payment_updater, polling, provider_calls, service, webhook_processing):
        monkeypatch.setattr(module, "utc_now", clock.now)
    monkeypatch.setattr(work, "asyncio", SimpleNamespace(**{**vars(asyncio), "gather": _gather}))
    monkeypatch.setattr(work, "CLAIM_SECONDS", None)  # rows are claimed when those before are done
    let_crashes_pass(monkeypatch)
    for target, name, probability in (
        (PaymentService, "charge", 0.02),
        (PaymentService, "start", 0.01),
        (PaymentService, "create_charge", 0.03),
        (PaymentUpdater, "apply", 0.04),
        (PaymentUpdater, "fail", 0.03),
        (RenewalRepository, "record_step", 0.02),
        (OrderRepository, "supersede_unpaid", 0.03),
        (jobs, "close_ended_subscription", 0.03),
        (renewal_service, "close_ended_subscription", 0.03),
        (order_handler, "issue_invoice", 0.03),
        (jobs, "apply_scheduled_limit", 0.05),
    ):
        _make_crashing(monkeypatch, chance, target, name, probability)


def _make_crashing(
    monkeypatch: pytest.MonkeyPatch, chance: Chance, target: object, name: str, probability: float
) -> None:
    """Let a function raise ProcessKilled before or after its work, in the caller's transaction."""
    method = getattr(target, name)

    async def crashing(*args: object, **options: object) -> object:
        if chance.happens(f"killed before {name}", probability):
            raise ProcessKilled
        result = await method(*args, **options)
        if chance.happens(f"killed after {name}", probability):
            raise ProcessKilled
        return result

    monkeypatch.setattr(target, name, crashing)
