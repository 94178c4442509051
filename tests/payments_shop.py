"""A company that buys, whoever takes its money: for tests of payments and of their providers."""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from itertools import permutations
from uuid import UUID, uuid4

import httpx
import msgspec
from sqlalchemy import text

from prawko.base.jobs import Tools
from prawko.hooks.callbacks import Callback
from prawko.hooks.payments import (
    EventKind,
    Method,
    Money,
    Payer,
    PaymentProvider,
    PaymentRef,
    Redirect,
)
from prawko.payments.buyers import FailedPayment, PaidPayment, RefundedPayment, Verdict
from prawko.payments.events import keep, work_on_events
from prawko.payments.purchase import Purchase
from prawko.payments.rounds import ask_due
from prawko.payments.service import Payments
from prawko.payments.telling import tell_of_payments
from prawko.testing.fake_payments import FakeProvider
from prawko_tenants import lifecycle
from prawko_tenants.ids import TenantId, new_id
from prawko_tenants.logins import Logins
from stored import look

PRICE = Money(18327)
ANNA = Payer(email="anna@acme.test", name="Anna", ip="127.0.0.1", agent="a browser")
RETURN = "http://127.0.0.1:8000/panel/subscription/success"
SELLER = {
    "SELLER_NAME": "Prawko Sp. z o.o.",
    "SELLER_TAX_ID": "5260250274",
    "SELLER_STREET": "Prosta 1",
    "SELLER_POSTAL_CODE": "00-950",
    "SELLER_CITY": "Warszawa",
}

_NOTE = text("""
    INSERT INTO notice (tenant_id, id, kind, dedup, params, created_at)
    VALUES (:tenant_id, :id, :kind, :payment, CAST(:params AS jsonb), now())
""")
_SOLD = text("SELECT dedup, params->>'order' FROM notice WHERE kind = 'sold'")


class FakeBuyers:
    """Sells an order once, and notes in the database what it was told: undone with the rest.

    `verdict` is what it says instead; `broken` is raised after the note was written. `asked`
    counts how often it was told of a payment, whatever became of that. `wants` is whether it
    still does.
    """

    def __init__(self) -> None:
        self.asked: Counter[UUID] = Counter()
        self.verdict: Verdict | None = None
        self.broken: Exception | None = None
        self.wants: bool | Exception = True

    async def still_wanted(self, session, order_id: UUID) -> bool:
        if isinstance(self.wants, Exception):
            raise self.wants
        return self.wants

    async def paid(self, session, paid: PaidPayment) -> Verdict:
        self.asked[paid.payment_id] += 1
        sold = {row[0]: row[1] for row in await session.execute(_SOLD)}
        if str(paid.payment_id) in sold:
            return Verdict.REPEATED
        if str(paid.order_id) in sold.values():
            return Verdict.PAID_TWICE
        if self.verdict is not None:
            return self.verdict
        await self._note(session, "sold", paid, grosze=paid.money.grosze,
                         mandate=paid.mandate_id and str(paid.mandate_id))  # fmt: skip
        return Verdict.FULFILLED

    async def failed(self, session, payment: FailedPayment) -> None:
        kind = "expired" if payment.expired else "failed"
        await self._note(session, kind, payment, reason=payment.reason)

    async def refunded(self, session, payment: RefundedPayment) -> None:
        await self._note(session, "taken back", payment)

    async def _note(self, session, kind: str, payment, **more) -> None:
        params = {"order": str(payment.order_id), **more}
        await session.execute(
            _NOTE,
            {
                "tenant_id": payment.tenant_id, "id": new_id(), "kind": kind,
                "payment": str(payment.payment_id), "params": json.dumps(params),
            },
        )  # fmt: skip
        if self.broken is not None:
            broken, self.broken = self.broken, None
            raise broken


class Shop:
    """One company's purchases, with the panel, the worker and the provider's calls."""

    def __init__(
        self, tools: Tools, worker: Tools, logins: Logins, browser: httpx.AsyncClient
    ) -> None:
        self.tools, self.worker, self.logins, self.browser = tools, worker, logins, browser
        self.buyers = FakeBuyers()
        self.payments = Payments(tools, self.buyers)
        self.tenant_id = TenantId(new_id())

    async def opens(self) -> None:
        async with self.tools.database.tenant(self.tenant_id) as session:
            await lifecycle.found(session, at=self.tools.clock.now())

    def purchase(self, method: Method = Method.CARD, **changed) -> Purchase:
        return Purchase(**{
            "order_id": uuid4(), "money": PRICE, "method": method, "title": "Prawko, 30 dni",
            "payer": ANNA, "return_url": RETURN, **changed,
        })  # fmt: skip

    async def prepares(self, purchase: Purchase) -> UUID:
        async with self.tools.database.tenant(self.tenant_id) as session:
            return await self.payments.prepare(session, purchase)

    async def buys(self, method: Method = Method.CARD, **changed) -> tuple[UUID, Redirect]:
        """Start to pay for one order; the payment, and its redirect as the provider gave it."""
        purchase = self.purchase(method, **changed)
        payment_id = await self.prepares(purchase)
        started = await self.payments.start(self.tenant_id, payment_id, purchase)
        row = await self.row(payment_id)
        ref = PaymentRef(row["key"], row["provider_ref"])
        return payment_id, Redirect(ref=ref, url=started.url, transfer=started.transfer)

    async def hears(self, provider: str, callback: Callback) -> int:
        """The provider's call comes over HTTP; the status it got."""
        headers = {"content-type": "application/json", **callback.headers}
        answer = await self.browser.post(
            f"/api/webhooks/{provider}", content=callback.body, headers=headers
        )
        return answer.status_code

    async def works(self) -> int:
        """What the worker does with what came."""
        worked = await work_on_events(self.worker, self.buyers)
        await tell_of_payments(self.worker)
        return worked

    async def asks(self) -> int:
        """What the worker does with what did not come."""
        asked = await ask_due(self.worker, self.buyers)
        await tell_of_payments(self.worker)
        return asked

    async def row(self, payment_id: UUID) -> dict:
        [row] = await look(self.logins, "SELECT * FROM payment WHERE id = $1", payment_id)
        return row

    async def state(self, payment_id: UUID) -> str:
        return (await self.row(payment_id))["state"]

    async def told(self, payment_id: UUID) -> list[str]:
        """What the buyer was told of a payment, in this order."""
        notes = await look(
            self.logins, "SELECT kind FROM notice WHERE dedup = $1 ORDER BY id", str(payment_id)
        )
        return [row["kind"] for row in notes]

    async def found(self) -> list[dict]:
        return await look(self.logins, "SELECT * FROM payment_finding ORDER BY id")

    async def incidents(self) -> list[str]:
        """The kinds of the incidents that last."""
        rows = await look(
            self.logins, "SELECT kind FROM incident WHERE closed_at IS NULL ORDER BY kind"
        )
        return [row["kind"] for row in rows]

    async def inbox(self) -> list[dict]:
        return await look(self.logins, "SELECT * FROM webhook_event ORDER BY id")


def told(
    fake: FakeProvider, key: str, kind: EventKind, event_id: str,
    money: Money = PRICE, refund_key: str | None = None,
) -> Callback:  # fmt: skip
    """A call of the fake provider's, signed."""
    said = {
        "id": f"{event_id}-{key}", "kind": kind.value, "key": key,
        "money": msgspec.to_builtins(money), "refund_key": refund_key,
    }  # fmt: skip
    return fake.call(msgspec.json.encode(said))


_ENDS = """
    SELECT p.state,
           array(SELECT n.kind FROM notice n WHERE n.dedup = p.id::text ORDER BY n.id) AS told,
           array(SELECT f.kind FROM payment_finding f WHERE f.key = p.key ORDER BY f.kind) AS found
      FROM payment p WHERE p.id = ANY ($1)
"""

Script = Callable[[Redirect], Awaitable[Sequence[Callback]]]
End = tuple[str, tuple[str, ...], tuple[str, ...]]


async def ends(
    shop: Shop,
    provider: PaymentProvider,
    method: Method,
    script: Script,
    *,
    calls: int = 4,
    times: int = 5,
    first: Script | None = None,
) -> set[End]:
    """Let the calls of one payment come in every order, each of them so often.

    `script` is the payer and the provider, who make of one order all that happens to it and
    return the calls about it, `calls` of them; `first` is what came, and was worked on, before.
    Each order of them is tried on a payment of its own, and all of these side by side: what
    comes first is worked on for each of them before anything that comes second. A call comes
    over HTTP before and after it was worked on, and in between its copies crowd the inbox. The
    ends are the payments' states, what their buyers were told, and what was found.
    """
    orders = list(permutations(range(calls)))
    bought = await asyncio.gather(*(shop.buys(method) for _ in orders))
    if first is not None:
        early = [one for _, redirect in bought for one in await first(redirect)]
        await _hear(shop, provider, early)
        await shop.works()
    came = [await script(redirect) for _, redirect in bought]
    assert {len(one) for one in came} == {calls}
    for place in range(calls):
        now = [about[order[place]] for about, order in zip(came, orders, strict=True)]
        await _hear(shop, provider, now)
        await _crowd(shop, provider, now * (times - 2))
        await asyncio.gather(shop.works(), shop.works())
        await _hear(shop, provider, now)
    assert await shop.works() == 0, "a call that comes again is no other call"
    assert not [row for row in await shop.inbox() if row["worked_at"] is None]
    return await reached(shop, [payment_id for payment_id, _ in bought])


async def reached(shop: Shop, payments: Sequence[UUID]) -> set[End]:
    """The ends of these payments, each once."""
    rows = await look(shop.logins, _ENDS, payments)
    assert len(rows) == len(payments)
    return {(row["state"], tuple(row["told"]), tuple(row["found"])) for row in rows}


async def _hear(shop: Shop, provider: PaymentProvider, calls: Sequence[Callback]) -> None:
    heard = await asyncio.gather(*(shop.hears(provider.name, one) for one in calls))
    assert set(heard) == {200}


async def _crowd(shop: Shop, provider: PaymentProvider, calls: Sequence[Callback]) -> None:
    """Copies of calls that came, in one transaction: what is behind the door, and no HTTP."""
    events = [event for one in calls if (event := provider.read_event(one)) is not None]
    async with shop.tools.database.system() as session:
        await keep(session, shop.tools.vault, provider.name, events)
