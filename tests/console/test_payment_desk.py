"""Payments, discrepancies and bank statements in the console."""

import asyncio
import base64
from uuid import UUID, uuid4

import msgspec
import pytest
from sqlalchemy import update

from prawko.hooks.payments import (
    Money,
    Payer,
    PaymentMethod,
    PaymentProvider,
    PaymentRef,
    PaymentRequest,
    PaymentState,
    ProviderPayment,
)  # fmt: skip
from prawko.payments.jobs import make_requested_refund, make_requested_refunds
from prawko.payments.models import new_reference
from prawko.payments.order_handler import FulfilmentResult, OrderHandler
from prawko.payments.service import PaymentService
from prawko.payments.webhook_processing import process_events
from prawko_payments_transfer import TransferProvider
from prawko_payments_transfer.settings import TransferSettings
from prawko_tenants.ids import TenantId
from prawko_tenants.models import Tenant
from prawko_testing.fake_payments import FakePaymentProvider
from support.bank_statements import PEKAO, PKO_BUSINESS, camt, camt_details, camt_entry
from support.database import execute_as_owner, fetch_rows
from support.order_handlers import use_order_handler
from support.people import Person
from support.statements import record_statements

pytestmark = pytest.mark.anyio

GROSS = Money(18327)
PREVIEW, BOOK = "/api/admin/statements/preview", "/api/admin/statements/book"
TITLE = "PRAWKO 7F3K 9QX2 ABCD"


class SellingOrderHandler(OrderHandler):
    """Sells whatever is paid."""

    async def on_paid(self, session, payment, mandate_id) -> FulfilmentResult:
        return FulfilmentResult.FULFILLED

    async def on_failed(self, session, payment) -> None:
        """Nobody waits for it."""

    async def on_refunded(self, session, payment) -> None:
        """Nobody waits for it."""

    async def on_disputed(self, session, payment) -> None:
        """Nobody waits for it."""


@pytest.fixture
def card() -> FakePaymentProvider:
    return FakePaymentProvider()


@pytest.fixture
def providers(card) -> list[PaymentProvider]:
    account = TransferSettings(iban="", owner="Prawko sp. z o.o.", address="ul. Prosta 1, Warszawa")
    return [TransferProvider(account, "PL61109010140000071219812874"), card]


@pytest.fixture
def variables(variables: dict[str, str]) -> dict[str, str]:
    return {**variables, "PAYMENT_PROVIDERS": "transfer,fake"}


@pytest.fixture(autouse=True)
def order_handler(worker) -> None:
    use_order_handler(worker, SellingOrderHandler())


@pytest.fixture(autouse=True)
async def company(worker, anna: Person) -> TenantId:
    tenant_id = TenantId(await anna.tenant_id(worker))
    async with worker.database.tenant(tenant_id) as session:
        await session.execute(update(Tenant).values(company_name="Acme"))
    return tenant_id


def payment_request(payer: Person, method: PaymentMethod) -> PaymentRequest:
    return PaymentRequest(
        reference=new_reference(), money=GROSS, method=method,
        description="Prawko: 10 kierowców", payer=Payer(email=payer.email, name="Acme"),
        return_url="http://127.0.0.1:8000/panel/subscription/success",
    )  # fmt: skip


@pytest.fixture
async def transfer_title(context, worker, company: TenantId, anna: Person) -> str:
    """The title of Anna's open transfer."""
    tenant_id = company
    request = payment_request(anna, PaymentMethod.TRANSFER)
    payments = PaymentService(context)
    async with context.database.tenant(tenant_id) as session:
        payment_id = await payments.create(session, uuid4(), request, ["transfer"])
    started = await payments.start(tenant_id, payment_id, request)
    assert started.transfer is not None
    return started.transfer.title


def statement(*titles_and_amounts: tuple[str, str, str]) -> dict[str, object]:
    """The file of the bank with these titles, amounts and ids."""
    header, credit = PEKAO.splitlines()[:2]
    rows = [
        credit.replace(TITLE, title).replace("183,27", amount).replace("0DC0000112030", bank_id)
        for title, amount, bank_id in titles_and_amounts
    ]
    content = "\n".join([header, *rows]).encode("cp1250")
    return {"contentBase64": base64.b64encode(content).decode(), "filename": "historia.csv"}


async def preview(olga: Person, file: dict[str, object]) -> list[tuple[str, object, object]]:
    answer = await olga.post(PREVIEW, file)
    assert answer.status_code == 200, answer.text
    assert answer.json()["format"] == "pekao"
    return [
        (line["outcome"], line["companyName"], line["expectedGrosze"])
        for line in answer.json()["lines"]
    ]


async def list_actions(logins) -> list[tuple[str, str | None, object]]:
    rows = await fetch_rows(
        logins, "SELECT action_type, reason, details FROM admin_action ORDER BY sequence"
    )
    return [
        (row["action_type"], row["reason"], msgspec.json.decode(row["details"] or "null"))
        for row in rows
    ]


async def test_a_statement_is_previewed_booked_and_booked_again(
    olga, transfer_title, worker, logins
) -> None:
    file = statement(
        (transfer_title.lower(), "183,27", "ID-0000001"),
        (transfer_title, "183,26", "ID-0000002"),
        ("faktura 11/2026", "10,00", "ID-0000003"),
        ("czynsz", "-10,00", "ID-0000004"),
    )
    assert await preview(olga, file) == [
        ("match", "Acme", 18327), ("amount_differs", "Acme", 18327), ("unknown", None, None),
        ("outgoing", None, None),
    ]  # fmt: skip

    body = {**file, "lines": [0, 2, 3, 99], "reason": "wyciąg z piątku"}
    booked = await olga.post(BOOK, body)
    assert booked.status_code == 200, booked.text
    references = [line["reference"] for line in (await olga.post(PREVIEW, file)).json()["lines"]]
    assert [one[:10] for one in references] == [f"ID-000000{number}" for number in (1, 2, 3, 4)]
    assert booked.json()["booked"] == [
        {"index": 0, "reference": references[0], "result": "recorded"},
        {"index": 2, "reference": references[2], "result": "unmatched"},
    ]
    assert booked.json()["refused"] == [
        {"index": 3, "outcome": "outgoing"}, {"index": 99, "outcome": "missing"},
    ]  # fmt: skip

    assert [line[0] for line in await preview(olga, file)] == [
        "duplicate", "amount_differs", "duplicate", "outgoing",
    ]  # fmt: skip
    again = await olga.post(BOOK, body)
    assert (again.json()["booked"], [one["outcome"] for one in again.json()["refused"]]) == (
        [], ["duplicate", "duplicate", "outgoing", "missing"],
    )  # fmt: skip
    await process_events(worker)
    await olga.post(BOOK, body)
    await process_events(worker)

    [payment] = (await olga.get("/api/admin/payments")).json()
    assert (payment["state"], payment["companyName"], payment["amountGrosze"]) == (
        "paid", "Acme", 18327,
    )  # fmt: skip
    [discrepancy] = (await olga.get("/api/admin/discrepancies")).json()
    assert (discrepancy["kind"], discrepancy["amountGrosze"]) == ("unknown_payment", 1000)
    assert [line[0] for line in await preview(olga, file)] == [
        "duplicate", "already_paid", "duplicate", "outgoing",
    ]  # fmt: skip
    assert await list_actions(logins) == [
        ("statement_booked", "wyciąg z piątku",
         {"format": "pekao", "lines": 4, "recorded": recorded, "unmatched": unmatched})
        for recorded, unmatched in ((1, 1), (0, 0), (0, 0))
    ]  # fmt: skip


async def test_a_line_that_was_booked_from_another_format_is_shown_as_such(
    olga, transfer_title, worker, logins
) -> None:
    def line_of(answer) -> dict[str, object]:
        assert answer.status_code == 200, answer.text
        return answer.json()["lines"][0]

    first = statement((transfer_title, "183,27", "ID-0000001"))
    other_day = PKO_BUSINESS.replace("20.11.2026", "21.11.2026")
    [same, moved, twice] = [
        {"contentBase64": base64.b64encode(content.replace(TITLE, title).encode()).decode()}
        for content, title in (
            (PKO_BUSINESS, transfer_title), (other_day, transfer_title),
            (PKO_BUSINESS, f"opłata  {transfer_title.lower()}"),
        )
    ]  # fmt: skip
    assert line_of(await olga.post(PREVIEW, same))["outcome"] == "match"
    booked = await olga.post(BOOK, {**first, "lines": [0], "reason": "wyciąg"})
    [reference] = [one["reference"] for one in booked.json()["booked"]]

    for file in (same, twice):
        line = line_of(await olga.post(PREVIEW, file))
        assert (line["outcome"], line["bookable"]) == ("probably_booked", True)
        assert (line["earlierReference"], line["matchedReference"] is not None) == (reference, True)
        assert line["earlierBookedAt"] is not None
        assert line["reference"] != reference
    for file, outcome in ((moved, "match"), (first, "duplicate")):
        line = line_of(await olga.post(PREVIEW, file))
        assert (line["outcome"], line["earlierReference"]) == (outcome, None)
    rows = await fetch_rows(logins, "SELECT * FROM booked_entry")
    assert [row["reference"] for row in rows] == [reference]
    assert transfer_title.encode() not in rows[0]["fingerprint"]


async def test_two_equal_transfers_of_a_day_are_two_when_the_file_shows_both(
    olga, transfer_title
) -> None:
    both = statement(("czynsz", "5,00", "ID-0000001"), ("czynsz", "5,00", "ID-0000002"))
    await olga.post(BOOK, {**both, "lines": [0], "reason": "wyciąg"})

    assert [line[0] for line in await preview(olga, both)] == ["duplicate", "unknown"]


async def test_a_line_is_a_duplicate_even_after_its_event_was_purged(
    olga, transfer_title, worker, logins
) -> None:
    file = statement((transfer_title, "183,27", "ID-0000001"), ("czynsz", "5,00", "ID-0000002"))
    await olga.post(BOOK, {**file, "lines": [0, 1], "reason": "wyciąg"})
    await process_events(worker)
    await execute_as_owner(logins, "DELETE FROM webhook_event")

    assert [line[0] for line in await preview(olga, file)] == ["duplicate", "duplicate"]


async def test_concurrent_bookings_book_a_line_once(olga, transfer_title, logins) -> None:
    file = statement((transfer_title, "183,27", "ID-0000001"))
    body = {**file, "lines": [0], "reason": "wyciąg"}
    answers = await asyncio.gather(*(olga.post(BOOK, body) for _ in range(4)))

    assert {answer.status_code for answer in answers} == {200}
    assert sum(len(answer.json()["booked"]) for answer in answers) == 1
    assert len(await fetch_rows(logins, "SELECT id FROM webhook_event")) == 1


@pytest.mark.parametrize("path", [PREVIEW, BOOK])
async def test_what_cannot_be_read_is_refused_with_line_and_reason(olga, logins, path) -> None:
    lines = {"lines": [0], "reason": "wyciąg"} if path == BOOK else {}
    unreadable = base64.b64encode(PEKAO.replace("183,27", "dużo").encode()).decode()
    refused = await olga.post(path, {"contentBase64": unreadable, "filename": "a.csv", **lines})
    assert (refused.status_code, refused.json()["error"]) == (422, "unreadable_statement")
    assert refused.json()["message"] == "Wiersz 2: tej kwoty nie da się odczytać."
    for body in ({"contentBase64": "?!", **lines}, {"contentBase64": 7, **lines}, {}):
        refused = await olga.post(path, body)
        assert (refused.status_code, refused.json()["error"]) == (422, "invalid_statement"), body
    assert await list_actions(logins) == []


async def test_a_large_statement_is_read_and_a_larger_one_refused(olga) -> None:
    rows = [("czynsz", "1,00", f"ID-{number:07}") for number in range(9_000)]
    answer = await olga.post(PREVIEW, statement(*rows))
    assert (answer.status_code, len(answer.json()["lines"])) == (200, 9_000)
    too_large = base64.b64encode(b"a" * (4 * 1024 * 1024 + 1)).decode()
    refused = await olga.post(PREVIEW, {"contentBase64": too_large})
    assert (refused.status_code, refused.json()["error"]) == (422, "unreadable_statement")


async def insert_discrepancy(logins, anna, worker, provider: str, **changes: object) -> str:
    values = {
        "id": uuid4(), "kind": "paid_twice", "provider": provider, "reference": new_reference(),
        "provider_ref": "p1", "grosze": 18327, "currency": "PLN",
        "tenant_id": UUID(str(await anna.tenant_id(worker))), "detail": "it was paid before",
        **changes,
    }  # fmt: skip
    names = ", ".join(values)
    numbers = ", ".join(f"${number}" for number in range(1, len(values) + 1))
    await execute_as_owner(
        logins,
        f"INSERT INTO payment_discrepancy ({names}, detected_at) VALUES ({numbers}, now())",
        *values.values(),
    )
    return str(values["id"])


async def test_a_discrepancy_is_resolved_once_with_a_note(olga, anna, worker, logins) -> None:
    path = f"/api/admin/discrepancies/{await insert_discrepancy(logins, anna, worker, 'transfer')}"
    before = (await olga.get(path)).json()
    assert (before["companyName"], before["refundable"], before["resolvedAt"]) == (
        "Acme", False, None,
    )  # fmt: skip
    resolved = await olga.post(f"{path}/resolve", {"note": "oddano przelewem"})
    assert resolved.status_code == 200, resolved.text
    assert resolved.json()["resolutionNote"] == "oddano przelewem"
    again = await olga.post(f"{path}/resolve", {"note": "jeszcze raz"})
    assert (again.status_code, again.json()["error"]) == (409, "discrepancy_resolved")
    assert [action[:2] for action in await list_actions(logins)] == [
        ("discrepancy_resolved", "oddano przelewem")
    ]
    counts = {'{"open":true}': 0, '{"open":false}': 1, '{"kind":"suspended"}': 0}
    for filters, count in counts.items():
        answer = await olga.get("/api/admin/discrepancies", params={"filter": filters})
        assert len(answer.json()) == count, filters


async def insert_paid_discrepancy(logins, anna, worker, card) -> str:
    """Insert the discrepancy of a payment that the card provider knows, and return its id."""
    reference = new_reference()
    ref = PaymentRef(reference, "p1")
    card.payments[reference] = ProviderPayment(ref=ref, state=PaymentState.PAID, money=GROSS)
    return await insert_discrepancy(logins, anna, worker, "fake", reference=reference)


async def test_a_refund_is_stored_at_once_and_made_by_the_worker(
    olga, anna, worker, logins, card
) -> None:
    id_ = await insert_paid_discrepancy(logins, anna, worker, card)
    path = f"/api/admin/discrepancies/{id_}/refund"
    for amount, text in ((18328, "więcej"), (10**12, "więcej")):
        refused = await olga.post(path, {"amountGrosze": amount, "reason": "zwrot"})
        assert (refused.status_code, refused.json()["error"]) == (409, "refund_refused")
        assert text in refused.json()["message"]
    requested = await olga.post(path, {"amountGrosze": 18000, "reason": "zwrot"})
    assert (requested.status_code, requested.json()["refundedGrosze"]) == (200, 18000)
    [refund] = (await olga.get("/api/admin/refunds")).json()
    assert (refund["state"], refund["amountGrosze"], refund["companyName"]) == (
        "requested", 18000, "Acme",
    )  # fmt: skip
    other = await olga.post(path, {"amountGrosze": 17000, "reason": "zwrot"})
    assert other.status_code == 409

    await make_requested_refund(worker, discrepancy_id=UUID(id_))
    await make_requested_refund(worker, discrepancy_id=UUID(id_))

    [refund] = (await olga.get("/api/admin/refunds")).json()
    assert refund["state"] == "refunded"
    assert [amount.grosze for _, amount in card.refunds.values()] == [18000]
    assert [action[0] for action in await list_actions(logins)] == ["refund_requested"]


async def test_a_discrepancy_with_a_requested_refund_is_resolved_by_it_alone(
    olga, anna, worker, logins, card
) -> None:
    id_ = await insert_paid_discrepancy(logins, anna, worker, card)
    path = f"/api/admin/discrepancies/{id_}"
    await olga.post(f"{path}/refund", {"amountGrosze": 18000, "reason": "zwrot"})

    refused = await olga.post(f"{path}/resolve", {"note": "zrobione"})
    assert (refused.status_code, refused.json()["error"]) == (409, "refund_pending")
    await make_requested_refund(worker, discrepancy_id=UUID(id_))

    assert [amount.grosze for _, amount in card.refunds.values()] == [18000]
    assert (await olga.get(path)).json()["resolvedAt"] is not None
    assert [action[0] for action in await list_actions(logins)] == ["refund_requested"]


async def test_a_requested_refund_of_a_removed_provider_is_left_to_be_resolved(
    olga, anna, worker, logins
) -> None:
    id_ = await insert_discrepancy(logins, anna, worker, "gone", refunded_grosze=18000)
    await make_requested_refunds(worker)
    path = f"/api/admin/discrepancies/{id_}"
    assert (await olga.get(path)).json()["refundedGrosze"] is None
    assert (await olga.post(f"{path}/resolve", {"note": "przelew"})).status_code == 200


async def test_the_worker_alone_updates_the_payment_of_a_refund(
    olga, anna, context, worker, company, logins, card
) -> None:
    request = payment_request(anna, PaymentMethod.CARD)
    async with context.database.tenant(company) as session:
        await PaymentService(context).create(session, uuid4(), request, ["fake"])
    reference = request.reference
    card.payments[reference] = ProviderPayment(
        ref=PaymentRef(reference), state=PaymentState.PAID, money=GROSS
    )
    id_ = await insert_discrepancy(
        logins, anna, worker, "fake", reference=reference, provider_ref=""
    )
    with record_statements() as statements:
        requested = await olga.post(
            f"/api/admin/discrepancies/{id_}/refund", {"amountGrosze": 18000, "reason": "zwrot"}
        )
    assert requested.status_code == 200, requested.text
    updates = [one.split()[1] for one in statements if one.startswith("UPDATE payment")]
    assert updates == ["payment_discrepancy"]
    query = "SELECT refunded_grosze FROM payment"
    assert [row["refunded_grosze"] for row in await fetch_rows(logins, query)] == [0]
    for _ in range(2):
        await make_requested_refund(worker, discrepancy_id=UUID(id_))
        assert [row["refunded_grosze"] for row in await fetch_rows(logins, query)] == [18000]


async def test_a_bank_id_that_is_used_again_is_another_transfer(olga, worker) -> None:
    def file(grosze: str, day: str) -> dict[str, object]:
        entry = camt_entry(grosze, "CRDT", camt_details("czynsz", "A"), reference="000001")
        content = camt(entry.replace("2026-11-20", day))
        return {"contentBase64": base64.b64encode(content).decode()}

    first, second = file("10.00", "2026-11-20"), file("9999.00", "2026-11-21")
    for body in (first, second):
        booked = await olga.post(BOOK, {**body, "lines": [0], "reason": "wyciąg"})
        assert [one["result"] for one in booked.json()["booked"]] == ["unmatched"], booked.text
        again = await olga.post(BOOK, {**body, "lines": [0], "reason": "wyciąg"})
        assert again.json()["refused"] == [{"index": 0, "outcome": "duplicate"}]
    await process_events(worker)
    found = (await olga.get("/api/admin/discrepancies")).json()
    assert sorted(one["amountGrosze"] for one in found) == [1000, 999900]


async def test_a_refund_that_the_provider_refuses_is_noted_and_may_be_requested_again(
    olga, anna, worker, logins
) -> None:
    id_ = await insert_discrepancy(logins, anna, worker, "fake")
    body = {"amountGrosze": 18000, "reason": "zwrot"}
    await olga.post(f"/api/admin/discrepancies/{id_}/refund", body)
    await make_requested_refunds(worker)

    after = (await olga.get(f"/api/admin/discrepancies/{id_}")).json()
    assert (after["resolvedAt"], after["refundedGrosze"]) == (None, None)
    assert after["detail"]["en"].endswith("its refund failed: nothing was paid")
    again = await olga.post(f"/api/admin/discrepancies/{id_}/refund", body)
    assert again.status_code == 200


async def test_a_provider_without_refunds_is_named(olga, anna, worker, logins) -> None:
    id_ = await insert_discrepancy(logins, anna, worker, "transfer")
    refused = await olga.post(
        f"/api/admin/discrepancies/{id_}/refund", {"amountGrosze": 1, "reason": "zwrot"}
    )
    assert (refused.status_code, refused.json()["error"]) == (409, "refund_refused")
    assert "przelewem" in refused.json()["message"]


async def test_payments_are_filtered_and_sorted(olga, transfer_title) -> None:
    reference = transfer_title.removeprefix("PRAWKO ").replace(" ", "")
    for filters, count in (
        ('{"open":true}', 1), ('{"open":false}', 0), (f'{{"q":"{reference.lower()}"}}', 1),
        ('{"state":"paid"}', 0), ('{"provider":"transfer"}', 1),
    ):  # fmt: skip
        answer = await olga.get("/api/admin/payments", params={"filter": filters})
        assert len(answer.json()) == count, filters
    for parameters in ({"filter": '{"state":"none"}'}, {"sort": '["title","ASC"]'}):
        refused = await olga.get("/api/admin/payments", params=parameters)
        assert (refused.status_code, refused.json()["error"]) == (400, "invalid_list_query")


async def test_who_is_no_operator_learns_nothing(anna, celina, new_browser, logins, worker) -> None:
    id_ = await insert_discrepancy(logins, anna, worker, "fake")
    visitor = Person("", new_browser())
    for path in (PREVIEW, BOOK, f"/api/admin/discrepancies/{id_}/refund",
                 f"/api/admin/discrepancies/{id_}/resolve"):  # fmt: skip
        for person, status in ((visitor, 401), (anna, 403), (celina, 403)):
            assert (await person.post(path, {})).status_code == status
    for path in ("payments", "refunds", "discrepancies", f"discrepancies/{id_}"):
        for person, status in ((visitor, 401), (anna, 403), (celina, 403)):
            assert (await person.get(f"/api/admin/{path}")).status_code == status
    assert await list_actions(logins) == []
