"""Bank transfers: operators record them, and their titles name the payment."""

import json
from uuid import UUID, uuid4

import pytest

from prawko.hooks.payments import Money, Payer, PaymentMethod, PaymentProvider, PaymentRequest
from prawko.payments.models import Payment, new_reference
from prawko.payments.order_handler import (
    FulfilmentResult,
    OrderHandler,
)
from prawko.payments.service import PaymentService
from prawko.payments.webhook_processing import process_events
from prawko_payments_transfer import TransferProvider
from prawko_payments_transfer.settings import TransferSettings
from prawko_tenants.ids import TenantId
from support.database import execute_as_owner, fetch_rows
from support.order_handlers import use_order_handler
from support.people import Person

pytestmark = pytest.mark.anyio

GROSS = Money(18327)
REFERENCE = "2026-11-21/000017"
RECORDED_TEXT = "Przelew zapisany."
UNKNOWN_TEXT = "W tytule nie ma klucza zamówienia."
REPEATED_TEXT = "Przelew o tym numerze był już zapisany."


class CountingOrderHandler(OrderHandler):
    """Counts what was paid for."""

    def __init__(self) -> None:
        self.fulfilled: list[UUID] = []

    async def on_paid(self, session, payment: Payment, mandate_id) -> FulfilmentResult:
        is_repeated = payment.id in self.fulfilled
        self.fulfilled.append(payment.id)
        return FulfilmentResult.ALREADY_APPLIED if is_repeated else FulfilmentResult.FULFILLED

    async def on_failed(self, session, payment) -> None:
        """Nobody waits for it."""

    async def on_refunded(self, session, payment) -> None:
        """Nobody waits for it."""

    async def on_disputed(self, session, payment) -> None:
        """Nobody waits for it."""


@pytest.fixture
def providers() -> list[PaymentProvider]:
    account = TransferSettings(iban="", owner="Prawko sp. z o.o.", address="ul. Prosta 1, Warszawa")
    return [TransferProvider(account, "PL61109010140000071219812874")]


@pytest.fixture
def variables(variables: dict[str, str]) -> dict[str, str]:
    return {**variables, "PAYMENT_PROVIDERS": "transfer"}


@pytest.fixture
def order_handler(worker) -> CountingOrderHandler:
    handler = CountingOrderHandler()
    use_order_handler(worker, handler)
    return handler


@pytest.fixture
async def operator(olga) -> Person:
    """Somebody who runs the product."""
    return olga


@pytest.fixture
async def transfer_title(context, worker, anna: Person) -> str:
    """The title that Anna types into her bank's form."""
    tenant_id = TenantId(await anna.tenant_id(worker))
    request = PaymentRequest(
        reference=new_reference(),
        money=GROSS,
        method=PaymentMethod.TRANSFER,
        description="Prawko: 10 kierowców",
        payer=Payer(email=anna.email, name="Acme"),
        return_url="http://127.0.0.1:8000/panel/subscription/success",
    )
    payments = PaymentService(context)
    async with context.database.tenant(tenant_id) as session:
        payment_id = await payments.create(session, uuid4(), request, ["transfer"])
    started = await payments.start(tenant_id, payment_id, request)
    assert started.transfer is not None
    return started.transfer.title


def statement_line(title: str, /, **changes: object) -> dict[str, object]:
    return {"title": title, "amount": GROSS.grosze, "currency": "PLN", "reference": REFERENCE,
            "reason": "wyciąg", **changes}  # fmt: skip


async def post_transfer(operator: Person, body: dict[str, object]) -> str:
    answer = await operator.post("/api/admin/transfers", body)
    assert answer.status_code == 200, answer.text
    assert answer.json()["ok"] is True
    return answer.json()["message"]


async def payment_states(logins) -> list[str]:
    return [row["state"] for row in await fetch_rows(logins, "SELECT state FROM payment")]


async def discrepancies(logins) -> list[tuple[str, str, int]]:
    rows = await fetch_rows(
        logins,
        "SELECT kind, provider_ref, grosze FROM payment_discrepancy ORDER BY detected_at, id",
    )
    return [(row["kind"], row["provider_ref"], row["grosze"]) for row in rows]


async def test_a_recorded_line_pays_the_order_that_its_title_names(
    operator, transfer_title, worker, logins, order_handler
) -> None:
    answer = await post_transfer(
        operator, statement_line(f"Zapłata: {transfer_title.lower().replace(' ', '-')} dziękuję")
    )
    assert await payment_states(logins) == [
        "open"
    ]  # a recorded transfer is processed like any event

    await process_events(worker)

    assert answer.startswith(RECORDED_TEXT)
    assert await payment_states(logins) == ["paid"]
    assert len(order_handler.fulfilled) == 1
    assert await discrepancies(logins) == []


async def test_the_same_line_counts_once(
    operator, transfer_title, worker, logins, order_handler
) -> None:
    await post_transfer(operator, statement_line(transfer_title))
    assert (await post_transfer(operator, statement_line(transfer_title))).startswith(REPEATED_TEXT)
    await process_events(worker)
    assert (await post_transfer(operator, statement_line(transfer_title, amount=1))).startswith(
        REPEATED_TEXT
    )
    await process_events(worker)

    assert (await payment_states(logins), len(order_handler.fulfilled)) == (["paid"], 1)
    assert await discrepancies(logins) == []
    events = await fetch_rows(
        logins,
        "SELECT details, reason FROM admin_action"
        " WHERE action_type = 'transfer_booked' ORDER BY sequence",
    )
    assert {event["reason"] for event in events} == {"wyciąg"}
    digest = worker.key_ring.digest("transfer_reference", REFERENCE).hex()[:32]
    assert [json.loads(event["details"]) for event in events] == [
        {"result": result, "grosze": grosze, "currency": "PLN", "reference_digest": digest}
        for result, grosze in (("recorded", 18327), ("duplicate", 18327), ("duplicate", 1))
    ]


async def test_a_line_without_a_reason_is_not_booked(operator, transfer_title, logins) -> None:
    for reason in (None, " "):
        line = statement_line(transfer_title, reason=reason)
        refused = await operator.post("/api/admin/transfers", line)
        assert refused.json()["error"] == "reason_required", refused.text
    assert await fetch_rows(logins, "SELECT id FROM webhook_event") == []


async def test_a_line_counts_once_even_after_its_event_was_purged(
    operator, transfer_title, worker, logins, order_handler
) -> None:
    for _ in range(2):
        await post_transfer(operator, statement_line(transfer_title))
        await process_events(worker)
        await execute_as_owner(logins, "DELETE FROM webhook_event")

    assert (await payment_states(logins), len(order_handler.fulfilled)) == (["paid"], 1)
    assert await discrepancies(logins) == []


async def test_another_line_with_the_same_title_is_reported(
    operator, transfer_title, worker, logins, order_handler
) -> None:
    for reference in ("1", "2"):
        await post_transfer(operator, statement_line(transfer_title, reference=reference))
        await process_events(worker)

    assert await payment_states(logins) == ["paid"]
    assert [discrepancy[1:] for discrepancy in await discrepancies(logins)] == [("2", 18327)]


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"amount": 18326}, "wrong_amount"),
        ({"amount": 18328}, "wrong_amount"),
        ({"currency": "EUR"}, "wrong_currency"),
    ],
)
async def test_another_amount_pays_nothing_and_is_reported(
    operator, transfer_title, worker, logins, order_handler, changes, kind
) -> None:
    await post_transfer(operator, statement_line(transfer_title, **changes))
    await process_events(worker)

    assert order_handler.fulfilled == []
    assert [discrepancy[0] for discrepancy in await discrepancies(logins)] == [kind]

    await post_transfer(
        operator,
        statement_line(transfer_title, reference="the rest was sent, and this is the right sum"),
    )
    await process_events(worker)
    assert (await payment_states(logins), len(order_handler.fulfilled)) == (["paid"], 1)


async def test_a_line_without_a_reference_is_reported(
    operator, transfer_title, worker, logins, order_handler
) -> None:
    assert (await post_transfer(operator, statement_line("faktura 11/2026"))).startswith(
        UNKNOWN_TEXT
    )
    unmatched = statement_line("PRAWKO 0000 1111 2222", reference="other")
    assert (await post_transfer(operator, unmatched)).startswith(RECORDED_TEXT)
    await process_events(worker)

    assert await payment_states(logins) == ["open"]
    assert sorted(await discrepancies(logins)) == [
        ("unknown_payment", REFERENCE, 18327), ("unknown_payment", "other", 18327),
    ]  # fmt: skip
    rows = await fetch_rows(logins, "SELECT * FROM payment_discrepancy")
    assert "faktura" not in json.dumps(rows, default=str)  # a payer may have put anything into it


async def test_only_operators_record_transfers(
    anna, celina, new_browser, transfer_title, logins
) -> None:
    for person, status, key in (
        (Person("", new_browser()), 401, "auth_required"),
        (anna, 403, "auth_forbidden"),
        (celina, 403, "auth_forbidden"),
    ):
        refused = await person.post("/api/admin/transfers", statement_line(transfer_title))
        assert (refused.status_code, refused.json()["error"]) == (status, key)
    assert await fetch_rows(logins, "SELECT id FROM webhook_event") == []


async def test_no_webhook_records_a_transfer(new_browser, logins) -> None:
    bank = Person("", new_browser())
    for body in (
        {},
        statement_line("PRAWKO 0000 1111 2222"),
        {"event_id": "transfer:1", "kind": "paid"},
    ):
        refused = await bank.post("/api/webhooks/transfer", body)
        assert (refused.status_code, refused.json()["error"]) == (401, "invalid_signature")
    assert await fetch_rows(logins, "SELECT id FROM webhook_event") == []


MALFORMED: list[tuple[dict[str, object], list[str]]] = [
    ({"title": " "}, ["title"]),
    ({"title": "x" * 501}, ["title"]),
    ({"amount": 0}, ["amount"]),
    ({"amount": -18327}, ["amount"]),
    ({"amount": 10**12 + 1}, ["amount"]),
    ({"amount": None}, ["amount"]),
    ({"currency": "zł"}, ["currency"]),
    ({"currency": "pln"}, ["currency"]),
    ({"currency": "PLN\n"}, ["currency"]),
    ({"reference": ""}, ["reference"]),
    ({"reference": "x" * 101}, ["reference"]),
    ({"reference": "a\nb"}, ["reference"]),
    ({"reference": "", "amount": 0}, ["amount", "reference"]),
    ({"amount": 183.27}, []),
    ({"amount": "18327"}, []),
    ({"title": 7}, []),
    ({"paid": True}, []),
]


async def test_an_invalid_line_names_its_fields(operator, logins) -> None:
    for changes, fields in MALFORMED:
        body = statement_line("PRAWKO 0000 1111 2222", **changes)
        refused = await operator.post("/api/admin/transfers", body)

        assert (refused.status_code, refused.json()["error"]) == (422, "invalid_transfer"), changes
        assert list(refused.json().get("fields", {})) == fields, changes
    assert await fetch_rows(logins, "SELECT id FROM webhook_event") == []


class TestWithoutTransfers:
    """Where nobody takes transfers there is nothing to book."""

    @pytest.fixture
    def providers(self) -> list[PaymentProvider]:
        return []

    @pytest.fixture
    def variables(self, variables: dict[str, str]) -> dict[str, str]:
        return {**variables, "PAYMENT_PROVIDERS": ""}

    async def test_recording_is_refused_without_a_manual_provider(self, operator) -> None:
        refused = await operator.post(
            "/api/admin/transfers", statement_line("PRAWKO 0000 1111 2222")
        )
        assert (refused.status_code, refused.json()["error"]) == (409, "no_transfers")
