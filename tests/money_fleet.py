"""Companies that buy, pay, change their minds and are renewed, on every method, by a seeded chance.

The worker is killed at random points, the bank fails and refuses, its calls get lost, come late,
and come more than once. All choices come from one `Random`, and nothing runs at the same time, so
a seed tells one story.
"""

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

from prawko.accounts.activity import Origin
from prawko.accounts.identity import Identity
from prawko.base.clock import machine_now
from prawko.base.errors import AppError
from prawko.base.jobs import Tools
from prawko.base.texts import Language
from prawko.billing import fulfilment, renewal_jobs
from prawko.billing.cancelling import Cancelling
from prawko.billing.checkout import Checkout
from prawko.billing.desk import Desk
from prawko.billing.fulfilment import Fulfilment
from prawko.billing.jobs import close_ended_subscriptions, tell_of_near_ends
from prawko.billing.limit_changes import LimitChange
from prawko.billing.order_repository import OrderRepository
from prawko.billing.order_schemas import ChangeLimitIn, CheckoutIn
from prawko.billing.renewal_jobs import apply_next_limits, renew_subscriptions
from prawko.billing.renewal_repository import RenewalRepository
from prawko.billing.service import SubscriptionService
from prawko.drivers.head_count import DriversCounted
from prawko.hooks.callbacks import Callback
from prawko.hooks.payments import (
    Mandate,
    Method,
    Money,
    Order,
    Payment,
    PaymentError,
    PaymentEvent,
    PaymentRef,
    PaymentState,
    Redirect,
)
from prawko.payments import rounds, service
from prawko.payments.events import keep, work_on_events
from prawko.payments.keys import ALPHABET, LENGTH
from prawko.payments.recording import Recorder
from prawko.payments.rounds import ask_due
from prawko.payments.service import Payments
from prawko.payments.telling import tell_of_payments
from prawko.testing.fakes import MovableClock
from prawko_tenants.ids import TenantId, UserId, new_id
from renewing_bank import Bank, Killed

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
TITLE_SECONDS = 7 * 24 * 3600
LIMITS = (5, 10, 15, 20)
DETAILS = {
    "company_name": "Acme", "tax_id": "5260250274", "street": "Prosta 5",
    "postal_code": "00-950", "city": "Warszawa",
}  # fmt: skip
_COMPANY = """
    WITH company AS (INSERT INTO tenant (id, created_at, updated_at) VALUES ($1, $4, $4)),
         person AS (INSERT INTO user_account (id, email, email_key, password_hash,
                                              email_verified, terms_version, created_at,
                                              updated_at)
                    VALUES ($2, $5, $5, '', true, '2026', $4, $4)),
         member AS (INSERT INTO membership (tenant_id, user_id, role, created_at)
                    VALUES ($1, $2, 'owner', $4))
    INSERT INTO login_session (id, token_hash, user_id, tenant_id, created_at, last_seen_at,
                               expires_at, ip, agent)
    VALUES ($3, uuid_send($3), $2, $1, now(), now(), now() + interval '1 day', '', '')
"""
_NOW = """
    SELECT status, end_date, driver_limit, mandate_id, cancelled_at FROM subscription
     WHERE tenant_id = $1 ORDER BY id DESC LIMIT 1
"""
_PAYMENT = """
    SELECT key, provider_ref FROM payment WHERE order_id = $1 ORDER BY id DESC LIMIT 1
"""
# A process that died holds what it had taken until its lease ends; machine time stands still here.
_LEASES_END = (
    "UPDATE payment SET lease_until = NULL WHERE lease_until IS NOT NULL",
    "UPDATE webhook_event SET next_try_at = now() WHERE worked_at IS NULL",
)


class StillClock(MovableClock):
    """The product's clock, standing still until it is moved."""

    def __init__(self, at: datetime) -> None:
        super().__init__()
        self._at = at

    def now(self) -> datetime:
        return self._at

    def offset(self) -> timedelta:
        return self._at - datetime.now(UTC)

    def set(self, instant: datetime) -> None:
        self._at = instant

    def forward(self, **amount: float) -> None:
        self._at += timedelta(**amount)


class Chance:
    """What happens, and how often it did. Once `calm`, nothing bad does."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        self.happened: Counter[str] = Counter()
        self.calm = False

    def of(self, what: str, share: float) -> bool:
        """Whether something happens this time."""
        if self.calm or self.random.random() >= share:
            return False
        self.happened[what] += 1
        return True


class ChancyBank(Bank):
    """A bank that is away, refuses, and asks for consent, as it happens."""

    def __init__(self, chance: Chance) -> None:
        super().__init__()
        self.chance = chance
        self._refusals: Counter[str] = Counter()

    async def start(self, order: Order) -> Redirect:
        redirect = await super().start(order)
        self._die("killed after the bank knew the order")
        if order.method is Method.TRANSFER:  # a title stays open
            return msgspec.structs.replace(redirect, url=None, open_seconds=TITLE_SECONDS)
        return redirect

    async def confirm(self, event: PaymentEvent, *, expected: Money) -> Payment | None:
        confirmed = await super().confirm(event, expected=expected)
        self._die("killed after the bank confirmed")
        return confirmed

    async def charge(self, mandate: Mandate, order: Order) -> Payment:
        known = order.key in self.payments
        self.refuses = not known and self._refuses(mandate.token)
        self.asks = not self.refuses and self.chance.of("asked for consent", 0.25)
        charged = await super().charge(mandate, order)
        self._die("killed after the bank charged", 0.1)
        return charged

    def _refuses(self, card: str) -> bool:
        """Some cards are refused once, some through all tries about an end."""
        if self._refusals[card] > 0:
            self._refusals[card] -= 1
            return not self.chance.calm
        refused = self.chance.of("refused a charge", 0.2)
        if refused and self.chance.of("refused a card for days", 0.5):
            self._refusals[card] = 2
        return refused

    def _ask(self) -> None:
        if self.chance.of("the bank was away", 0.03):
            raise PaymentError("away")

    def _die(self, where: str, share: float = 0.03) -> None:
        if self.chance.of(where, share):
            raise Killed


class Company:
    """One customer, who pays in one way, mostly."""

    def __init__(self, world: "World", method: Method, number: int) -> None:
        self.world, self.method = world, method
        self.tenant_id, self.user_id, self.session_id = TenantId(new_id()), new_id(), new_id()
        self.email = f"owner{number}@fleet.test"
        self.plans: list[tuple[datetime, Callable[[], Awaitable[None]]]] = []

    @property
    def who(self) -> Identity:
        return Identity(
            session_id=self.session_id, user_id=UserId(self.user_id), tenant_id=self.tenant_id,
            email_verified=True, is_admin=False, language=Language.PL,
            last_seen_at=machine_now(), impersonator_id=None,
        )  # fmt: skip

    @property
    def desk(self) -> Desk:
        return Desk(self.world.panel, self.world.payments, DriversCounted(), self.who, ORIGIN)

    async def lives(self) -> None:
        """Do what was planned, and perhaps something new."""
        now = self.world.clock.now()
        due = [plan for at, plan in self.plans if at <= now]
        self.plans = [(at, plan) for at, plan in self.plans if at > now]
        for plan in due:
            await self.world.survives(plan)
        if self.world.chance.of("a customer came by", 0.35):
            await self.world.survives(self._decides)

    async def _decides(self) -> None:
        chance, now = self.world.chance, self.world.clock.now()
        if self.plans and not chance.of("ordered while another order waited", 0.1):
            return None
        row = await self.world.admin.fetchrow(_NOW, self.tenant_id)
        if row is None or row["status"] != "active" or row["end_date"] <= now:
            return await self._orders()
        renews = row["mandate_id"] is not None and row["cancelled_at"] is None
        if not renews and row["end_date"] - now < 6 * DAY:
            return await self._orders()
        if chance.of("ordered early", 0.02):
            return await self._orders()
        if chance.of("changed the limit", 0.05):
            return await self._changes_the_limit()
        if row["cancelled_at"] is None and chance.of("cancelled", 0.03):
            await self._ends().cancel()
        elif row["cancelled_at"] is not None and chance.of("resumed", 0.3):
            async with self.world.panel.database.tenant(self.tenant_id) as session:
                await self._ends().resume(session)
        return None

    def _ends(self) -> Cancelling:
        return Cancelling(self.desk)

    async def _orders(self) -> None:
        chance = self.world.chance
        method = self.method
        if chance.of("paid another way", 0.15):
            method = chance.random.choice(list(Method))
        shop = Checkout(self.desk)
        wanted = CheckoutIn(driver_limit=self._limit(), method=method.value, **DETAILS)
        for _ in range(1 + chance.of("ordered twice", 0.07)):
            with suppress(AppError):
                self._will_pay((await shop.order(wanted)).order_id, method)

    async def _changes_the_limit(self) -> None:
        change = LimitChange(self.desk)
        with suppress(AppError):
            changed = await change.change(ChangeLimitIn(driver_limit=self._limit()))
            if changed.order_id is not None and changed.url is not None:
                self._will_pay(changed.order_id, self.method)

    def _limit(self) -> int:
        return self.world.chance.random.choice(LIMITS)

    def _will_pay(self, order_id: UUID, method: Method) -> None:
        """Pay in a while, in vain, wrongly, or never."""
        chance = self.world.chance
        if chance.of("paid never", 0.07):
            return
        longest = 6 * DAY if method is Method.TRANSFER else 20 * HOUR
        wait = longest * chance.random.random() ** 3  # most of them at once
        self.plans.append((self.world.clock.now() + wait, lambda: self._pays(order_id)))

    async def _pays(self, order_id: UUID) -> None:
        world = self.world
        row = await world.admin.fetchrow(_PAYMENT, order_id)
        payment = world.bank.payments[row["key"]]
        if payment.state is not PaymentState.OPEN:
            world.chance.happened["came too late to the page"] += 1
            return
        redirect = Redirect(ref=PaymentRef(row["key"], row["provider_ref"]))
        if payment.url is not None:
            await world.bank.consents(row["key"])
        elif world.chance.of("the bank refused a payer", 0.08):
            world.hears(await world.bank.fail(redirect))
        elif world.chance.of("paid another sum", 0.05):
            world.hears(await world.bank.pay(redirect, Money(payment.money.grosze - 1)))
        else:
            world.hears(await world.bank.pay(redirect))


class World:
    """The product, its bank and its customers, on one clock."""

    def __init__(
        self, panel: Tools, worker: Tools, bank: ChancyBank, clock: StillClock,
        admin: asyncpg.Connection,
    ) -> None:  # fmt: skip
        self.panel, self.worker, self.bank, self.clock = panel, worker, bank, clock
        self.admin = admin
        self.chance = bank.chance
        self.payments = Payments(panel, Fulfilment(panel))
        self.companies: list[Company] = []
        self._calls: list[tuple[datetime, Callback]] = []
        self._told = clock.now()

    async def opens(self, companies: int) -> None:
        """Found so many companies for each method."""
        for number, method in enumerate(list(Method) * companies):
            company = Company(self, method, number)
            await self.admin.execute(
                _COMPANY, company.tenant_id, company.user_id, company.session_id,
                self.clock.now(), company.email,
            )  # fmt: skip
            self.companies.append(company)

    async def runs(self, days: int) -> None:
        """Let days go by."""
        until = self.clock.now() + timedelta(days=days)
        while self.clock.now() < until:
            hours = self.chance.random.randint(2, 44)
            if self.chance.of("the worker was down for days", 0.02):
                hours = self.chance.random.randint(24, 100)
            self.clock.forward(hours=hours, minutes=self.chance.random.randint(0, 59))
            for company in self.companies:
                await company.lives()
            await self._consents()
            await self.works()

    async def settles(self) -> None:
        """Let a time go by in which everything works, and nobody does anything."""
        self.chance.calm = True
        self.bank.refuses = self.bank.asks = False
        until = self.clock.now() + timedelta(days=33)
        while self.clock.now() < until:
            self.clock.forward(hours=36)
            await self.works()

    async def works(self) -> None:
        """What the worker does by its timetable, or some of it; killed, another one goes on."""
        await self._delivers_calls()
        buyers = Fulfilment(self.worker)
        jobs = [
            lambda: work_on_events(self.worker, buyers),
            lambda: ask_due(self.worker, buyers),
            lambda: apply_next_limits(self.worker),
            lambda: renew_subscriptions(self.worker),
            lambda: close_ended_subscriptions(self.worker),
        ]
        jobs = [job for job in jobs if not self.chance.of("a job came late", 0.5)]
        if self.clock.now() > self._told + 10 * DAY:
            self._told = self.clock.now()
            jobs += [lambda: tell_of_near_ends(self.worker), lambda: tell_of_payments(self.worker)]
        for job in jobs:
            while not await self.survives(job):
                pass

    async def survives(self, act: Callable[[], Awaitable[object]]) -> bool:
        """Do something; False when the process was killed over it, and its leases ran out."""
        try:
            with suppress(AppError):
                await act()
        except Killed:
            self.chance.happened["killed"] += 1
            for statement in _LEASES_END:
                await self.admin.execute(statement)
            return False
        return True

    def hears(self, call: Callback) -> None:
        """The bank calls us, or the call gets lost, or it comes late, and again."""
        if self.chance.of("lost a call", 0.25):
            return
        for _ in range(1 + 2 * self.chance.of("called three times", 0.2)):
            late = 30 * HOUR * self.chance.random.random() ** 4
            self._calls.append((self.clock.now() + late, call))

    async def _delivers_calls(self) -> None:
        now = self.clock.now()
        for _, call in [one for one in self._calls if one[0] <= now]:
            event = self.bank.read_event(call)
            assert event is not None
            async with self.panel.database.system() as session:
                await keep(session, self.panel.vault, self.bank.name, [event])
        self._calls = [one for one in self._calls if one[0] > now]

    async def _consents(self) -> None:
        """Some payers consent to charges that wait, some never do."""
        for key, payment in list(self.bank.payments.items()):
            if payment.url is None or payment.state is not PaymentState.OPEN:
                continue
            if self.chance.of("consented", 0.5):
                await self.bank.consents(key)
            elif self.chance.of("refused to consent", 0.1):
                self.bank.refuse(key)


ORIGIN = Origin(ip="127.0.0.1", agent="")


async def _one_by_one(*questions: Coroutine) -> list[object]:
    """Ask in turn; who dies over a question leaves the others' leases behind."""
    waiting = deque(questions)
    try:
        return [await waiting.popleft() for _ in questions]
    finally:
        for question in waiting:
            question.close()


def _keys() -> Iterator[str]:
    """Keys that a seed's story always has."""
    for number in count():
        digits = [number // 32**place % 32 for place in range(LENGTH)]
        yield "".join(ALPHABET[digit] for digit in digits)


def arrange(monkeypatch: pytest.MonkeyPatch, chance: Chance) -> None:
    """Make chance rule over the product: keys by number, one thing at a time, sudden deaths."""
    keys = _keys()
    monkeypatch.setattr(service, "new_key", lambda: next(keys))
    monkeypatch.setattr(rounds, "asyncio", SimpleNamespace(gather=_one_by_one))
    for whose, name, share in (
        (Payments, "charge", 0.02),
        (Payments, "start", 0.01),
        (Payments, "prepare_charge", 0.03),
        (Recorder, "record", 0.04),
        (Recorder, "refuse", 0.03),
        (RenewalRepository, "take", 0.02),
        (OrderRepository, "replace_unpaid", 0.03),
        (SubscriptionService, "close_ended", 0.03),
        (fulfilment, "issue_invoice", 0.03),
        (renewal_jobs, "begin_next_limit", 0.05),
    ):
        _make_deadly(monkeypatch, chance, whose, name, share)


def _make_deadly(
    monkeypatch: pytest.MonkeyPatch, chance: Chance, whose: object, name: str, share: float
) -> None:
    """Before it or after it, still inside the caller's transaction, the process may die."""
    method = getattr(whose, name)

    async def deadly(*args: object, **named: object) -> object:
        if chance.of(f"killed before {name}", share):
            raise Killed
        done = await method(*args, **named)
        if chance.of(f"killed after {name}", share):
            raise Killed
        return done

    monkeypatch.setattr(whose, name, deadly)
