"""A scenario of one company's payments, for tests of payments and of their providers."""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from itertools import permutations
from uuid import UUID, uuid4

import httpx
import msgspec
import pytest
from sqlalchemy import text

from prawko.hooks.payments import (
    Money,
    NextAction,
    Payer,
    PaymentEventKind,
    PaymentMethod,
    PaymentProvider,
    PaymentRef,
    PaymentRequest,
)
from prawko.hooks.webhooks import WebhookRequest
from prawko.kit.context import AppContext
from prawko.kit.single_flight import SingleFlights
from prawko.payments.incidents import report_payment_incidents
from prawko.payments.models import Payment, new_reference
from prawko.payments.order_handler import FulfilmentResult
from prawko.payments.polling import poll_due
from prawko.payments.service import PaymentService
from prawko.payments.state_machine import PaymentRecordState
from prawko.payments.webhook_processing import process_events, store_events
from prawko_tenants import lifecycle
from prawko_tenants.ids import TenantId, new_id
from prawko_tenants.logins import Logins
from prawko_testing.fake_payments import FakePaymentProvider
from support.database import fetch_rows
from support.order_handlers import use_order_handler

PRICE = Money(18327)
ANNA_PAYER = Payer(email="anna@acme.test", name="Anna", ip="127.0.0.1", user_agent="a browser")
RETURN_URL = "http://127.0.0.1:8000/panel/subscription/success"
SELLER_VARIABLES = {
    "SELLER_NAME": "Prawko Sp. z o.o.",
    "SELLER_TAX_ID": "5260250274",
    "SELLER_STREET": "Prosta 1",
    "SELLER_POSTAL_CODE": "00-950",
    "SELLER_CITY": "Warszawa",
}

_INSERT_NOTE = text("""
    INSERT INTO notice (tenant_id, id, kind, dedup_key, params, created_at)
    VALUES (:tenant_id, :id, :kind, :payment, CAST(:params AS jsonb), now())
""")
_SELECT_SOLD = text("SELECT dedup_key, params->>'order' FROM notice WHERE kind = 'sold'")


class RecordingOrderHandler:
    """Fulfils each order once and records its calls in the database, in the same transaction.

    `forced_result` is returned instead; `error_to_raise` is raised once, after the record was
    written. `call_counts` counts `on_paid` by payment, including calls that were rolled back.
    `chargeable` is the result of `is_chargeable`, or the exception to raise.
    """

    def __init__(self) -> None:
        self.call_counts: Counter[UUID] = Counter()
        self.forced_result: FulfilmentResult | None = None
        self.error_to_raise: Exception | None = None
        self.chargeable: bool | Exception = True

    async def is_chargeable(self, session, order_id: UUID) -> bool:
        if isinstance(self.chargeable, Exception):
            raise self.chargeable
        return self.chargeable

    async def on_paid(self, session, payment: Payment, mandate_id: UUID | None) -> FulfilmentResult:
        self.call_counts[payment.id] += 1
        sold = {row[0]: row[1] for row in await session.execute(_SELECT_SOLD)}
        if str(payment.id) in sold:
            return FulfilmentResult.ALREADY_APPLIED
        if str(payment.order_id) in sold.values():
            return FulfilmentResult.PAID_TWICE
        if self.forced_result is not None:
            return self.forced_result
        await self._save_note(session, "sold", payment, grosze=payment.money.grosze,
                         mandate=mandate_id and str(mandate_id))  # fmt: skip
        return FulfilmentResult.FULFILLED

    async def on_failed(self, session, payment: Payment) -> None:
        kind = "expired" if payment.state is PaymentRecordState.EXPIRED else "failed"
        await self._save_note(session, kind, payment, reason=payment.reason or "")

    async def on_refunded(self, session, payment: Payment) -> None:
        await self._save_note(session, "taken back", payment)

    async def on_disputed(self, session, payment: Payment) -> None:
        await self._save_note(session, "disputed", payment)

    async def _save_note(self, session, kind: str, payment, **details) -> None:
        params = {"order": str(payment.order_id), **details}
        await session.execute(
            _INSERT_NOTE,
            {
                "tenant_id": payment.tenant_id, "id": new_id(), "kind": kind,
                "payment": str(payment.id), "params": json.dumps(params),
            },
        )  # fmt: skip
        if self.error_to_raise is not None:
            error, self.error_to_raise = self.error_to_raise, None
            raise error


async def post_webhook(browser: httpx.AsyncClient, provider: str, webhook: WebhookRequest) -> int:
    """Send a webhook over HTTP; returns the status of the response."""
    headers = {"content-type": "application/json", **webhook.headers}
    response = await browser.post(
        f"/api/webhooks/{provider}", content=webhook.body, headers=headers
    )
    return response.status_code


async def latest_payment(logins: Logins, order_id: UUID | str) -> NextAction:
    """Return the newest payment of an order, as the provider knows it."""
    [row] = await fetch_rows(
        logins, "SELECT * FROM payment WHERE order_id = $1 ORDER BY id DESC LIMIT 1", order_id
    )
    return NextAction(ref=PaymentRef(row["reference"], row["provider_ref"]))


async def fetch_discrepancy_kinds(logins: Logins) -> list[str]:
    """Return the kinds of the discrepancies, in order."""
    rows = await fetch_rows(logins, "SELECT kind FROM payment_discrepancy ORDER BY id")
    return [row["kind"] for row in rows]


class PaymentScenario:
    """One company's payments, with the web process, the worker and the provider's webhooks."""

    def __init__(
        self, context: AppContext, worker: AppContext, logins: Logins, browser: httpx.AsyncClient
    ) -> None:
        self.context, self.worker, self.logins, self.browser = context, worker, logins, browser
        self.order_handler = RecordingOrderHandler()
        for process in (context, worker):
            use_order_handler(process, self.order_handler)
        self.payments = PaymentService(context)
        self.tenant_id = TenantId(new_id())

    async def create_company(self) -> None:
        async with self.context.database.tenant(self.tenant_id) as session:
            await lifecycle.create_tenant(session, at=self.context.clock.now())

    def make_request(self, method: PaymentMethod = PaymentMethod.CARD, **changed) -> PaymentRequest:
        return PaymentRequest(**{
            "reference": new_reference(), "money": PRICE, "method": method,
            "description": "Prawko, 30 dni", "payer": ANNA_PAYER, "return_url": RETURN_URL,
            **changed,
        })  # fmt: skip

    async def create_payment(self, request: PaymentRequest, order_id: UUID | None = None) -> UUID:
        offered = await self.payments.available_methods(request.money)
        names = [name for one in offered if one.method is request.method for name in one.providers]
        async with self.context.database.tenant(self.tenant_id) as session:
            return await self.payments.create(session, order_id or uuid4(), request, names)

    async def start_payment(
        self, method: PaymentMethod = PaymentMethod.CARD, order_id: UUID | None = None, **changed
    ) -> tuple[UUID, NextAction]:
        """Create and start a payment; returns its id and the payer's next action."""
        request = self.make_request(method, **changed)
        payment_id = await self.create_payment(request, order_id)
        started = await self.payments.start(self.tenant_id, payment_id, request)
        row = await self.payment_row(payment_id)
        ref = PaymentRef(row["reference"], row["provider_ref"])
        return payment_id, NextAction(ref=ref, url=started.url, transfer=started.transfer)

    async def post_webhook(self, provider: str, webhook: WebhookRequest) -> int:
        """Send a webhook over HTTP; returns the status of the response."""
        return await post_webhook(self.browser, provider, webhook)

    async def process_webhooks(self) -> int:
        """Process the stored webhooks as the worker does; returns their number."""
        processed = await process_events(self.worker)
        await report_payment_incidents(self.worker)
        return processed

    async def poll_open(self) -> int:
        """Poll the due payments as the worker does; returns their number."""
        polled = await poll_due(self.worker)
        await report_payment_incidents(self.worker)
        return polled

    async def payment_row(self, payment_id: UUID) -> dict:
        [row] = await fetch_rows(self.logins, "SELECT * FROM payment WHERE id = $1", payment_id)
        return row

    async def payment_state(self, payment_id: UUID) -> str:
        return (await self.payment_row(payment_id))["state"]

    async def handler_events(self, payment_id: UUID) -> list[str]:
        """Return the order handler's records of a payment, in order."""
        notes = await fetch_rows(
            self.logins, "SELECT kind FROM notice WHERE dedup_key = $1 ORDER BY id", str(payment_id)
        )
        return [row["kind"] for row in notes]

    async def discrepancies(self) -> list[dict]:
        return await fetch_rows(self.logins, "SELECT * FROM payment_discrepancy ORDER BY id")

    async def open_incidents(self) -> list[str]:
        """Return the kinds of the open incidents."""
        rows = await fetch_rows(
            self.logins, "SELECT kind FROM incident WHERE closed_at IS NULL ORDER BY kind"
        )
        return [row["kind"] for row in rows]

    async def webhook_events(self) -> list[dict]:
        return await fetch_rows(self.logins, "SELECT * FROM webhook_event ORDER BY id")


def signed_webhook(
    fake: FakePaymentProvider, key: str, kind: PaymentEventKind, event_id: str,
    money: Money = PRICE, refund_key: str | None = None,
) -> WebhookRequest:  # fmt: skip
    """Return a signed webhook of the fake provider."""
    body = {
        "id": f"{event_id}-{key}", "kind": kind.value, "key": key,
        "money": msgspec.to_builtins(money), "refund_key": refund_key,
    }  # fmt: skip
    return fake.signed_request(msgspec.json.encode(body))


_SELECT_FINAL_STATES = """
    SELECT p.state,
           array(SELECT n.kind FROM notice n
                  WHERE n.dedup_key = p.id::text ORDER BY n.id) AS events,
           array(SELECT d.kind FROM payment_discrepancy d
                  WHERE d.reference = p.reference ORDER BY d.kind) AS discrepancies
      FROM payment p WHERE p.id = ANY ($1)
"""

Script = Callable[[NextAction], Awaitable[Sequence[WebhookRequest]]]
FinalState = tuple[str, tuple[str, ...], tuple[str, ...]]


async def final_states(
    scenario: PaymentScenario,
    provider: PaymentProvider,
    method: PaymentMethod,
    script: Script,
    *,
    calls: int = 4,
    times: int = 5,
    first: Script | None = None,
) -> set[FinalState]:
    """Process the webhooks of a payment in every order, each `times` times; return the results.

    `script` acts as payer and provider on one payment and returns its webhooks, `calls` of them;
    those of `first` are processed before. Every permutation has a payment of its own, and all of
    them advance together: the first webhook of each is processed before any second one. A
    webhook is sent over HTTP before and after its processing, and stored as copies in between. A
    result is the payment's state, the order handler's records, and the discrepancies.
    """
    orders = list(permutations(range(calls)))
    started = await asyncio.gather(*(scenario.start_payment(method) for _ in orders))
    if first is not None:
        early_webhooks = [webhook for _, action in started for webhook in await first(action)]
        await _post_webhooks(scenario, provider, early_webhooks)
        await scenario.process_webhooks()
    webhooks = [await script(action) for _, action in started]
    assert {len(of_payment) for of_payment in webhooks} == {calls}
    for position in range(calls):
        current = [
            of_payment[order[position]] for of_payment, order in zip(webhooks, orders, strict=True)
        ]
        await _post_webhooks(scenario, provider, current)
        await _store_copies(scenario, provider, current * (times - 2))
        await asyncio.gather(scenario.process_webhooks(), scenario.process_webhooks())
        await _post_webhooks(scenario, provider, current)
    assert await scenario.process_webhooks() == 0, "a repeated webhook is not a new one"
    assert not [row for row in await scenario.webhook_events() if row["processed_at"] is None]
    return await fetch_final_states(scenario, [payment_id for payment_id, _ in started])


async def fetch_final_states(
    scenario: PaymentScenario, payments: Sequence[UUID]
) -> set[FinalState]:
    """Return the distinct results of these payments."""
    rows = await fetch_rows(scenario.logins, _SELECT_FINAL_STATES, payments)
    assert len(rows) == len(payments)
    return {(row["state"], tuple(row["events"]), tuple(row["discrepancies"])) for row in rows}


async def _post_webhooks(
    scenario: PaymentScenario, provider: PaymentProvider, webhooks: Sequence[WebhookRequest]
) -> None:
    statuses = await asyncio.gather(
        *(scenario.post_webhook(provider.name, webhook) for webhook in webhooks)
    )
    assert set(statuses) == {200}


async def _store_copies(
    scenario: PaymentScenario, provider: PaymentProvider, webhooks: Sequence[WebhookRequest]
) -> None:
    """Store copies of webhooks in one transaction, without HTTP."""
    events = [
        event for webhook in webhooks if (event := provider.parse_webhook(webhook)) is not None
    ]
    async with scenario.context.database.system() as session:
        await store_events(session, scenario.context.key_ring, provider.name, events)


def run_as_in_several_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let work overlap that one process does once at a time, as several processes do."""
    monkeypatch.setattr(SingleFlights, "run", lambda _flights, _key, work: work())
