"""Money that came over the bank: an operator books it, its title finds the order."""

import json
from uuid import UUID, uuid4

import pytest

from persons import Person
from prawko.hooks.payments import Method, Money, Payer, PaymentProvider
from prawko.payments.buyers import Buyers, PaidPayment, Verdict
from prawko.payments.events import work_on_events
from prawko.payments.purchase import Purchase
from prawko.payments.service import Payments
from prawko_payments_transfer import TransferProvider
from prawko_payments_transfer.settings import Settings
from prawko_tenants.ids import TenantId
from stored import look, write

pytestmark = pytest.mark.anyio

GROSS = Money(18327)
REFERENCE = "2026-11-21/000017"
TAKEN = "Przelew zapisany."
UNKNOWN = "W tytule nie ma klucza zamówienia."
REPEATED = "Przelew o tym numerze był już zapisany."


class FakeBuyers(Buyers):
    """Counts what was paid for."""

    def __init__(self) -> None:
        self.fulfilled: list[UUID] = []

    async def paid(self, session, paid: PaidPayment) -> Verdict:
        again = paid.payment_id in self.fulfilled
        self.fulfilled.append(paid.payment_id)
        return Verdict.REPEATED if again else Verdict.FULFILLED

    async def failed(self, session, payment) -> None:
        """Nobody waits for it."""

    async def refunded(self, session, payment) -> None:
        """Nobody waits for it."""


@pytest.fixture
def providers() -> list[PaymentProvider]:
    account = Settings(iban="", owner="Prawko sp. z o.o.", address="ul. Prosta 1, Warszawa")
    return [TransferProvider(account, "PL61109010140000071219812874")]


@pytest.fixture
def variables(variables: dict[str, str]) -> dict[str, str]:
    return {**variables, "PAYMENT_PROVIDERS": "transfer"}


@pytest.fixture
def buyers() -> FakeBuyers:
    return FakeBuyers()


@pytest.fixture
async def operator(visitor, logins) -> Person:
    """Somebody who runs the product."""
    person = Person("operator@prawko.test", visitor())
    await person.signs_up()
    await write(
        logins, "UPDATE user_account SET is_admin = true WHERE email_key = $1", person.email
    )
    return person


@pytest.fixture
async def title(tools, worker, anna: Person) -> str:
    """What Anna types into her bank's form."""
    tenant_id = TenantId(await anna.tenant_id(worker))
    purchase = Purchase(
        order_id=uuid4(),
        money=GROSS,
        method=Method.TRANSFER,
        title="Prawko: 10 kierowców",
        payer=Payer(email=anna.email, name="Acme"),
        return_url="http://127.0.0.1:8000/panel/subscription/success",
    )
    payments = Payments(tools, FakeBuyers())
    async with tools.database.tenant(tenant_id) as session:
        payment_id = await payments.prepare(session, purchase)
    started = await payments.start(tenant_id, payment_id, purchase)
    assert started.transfer is not None
    return started.transfer.title


def line(title: str, /, **changes: object) -> dict[str, object]:
    return {"title": title, "amount": GROSS.grosze, "currency": "PLN", "reference": REFERENCE,
            **changes}  # fmt: skip


async def books(operator: Person, body: dict[str, object]) -> str:
    answer = await operator.post("/api/admin/transfers", body)
    assert answer.status_code == 200, answer.text
    assert answer.json()["ok"] is True
    return answer.json()["message"]


async def states(logins) -> list[str]:
    return [row["state"] for row in await look(logins, "SELECT state FROM payment")]


async def findings(logins) -> list[tuple[str, str, int]]:
    rows = await look(
        logins, "SELECT kind, provider_ref, grosze FROM payment_finding ORDER BY found_at, id"
    )
    return [(row["kind"], row["provider_ref"], row["grosze"]) for row in rows]


async def test_a_booked_line_pays_the_order_that_its_title_names(
    operator, title, worker, logins, buyers
) -> None:
    said = await books(operator, line(f"Zapłata: {title.lower().replace(' ', '-')} dziękuję"))
    assert await states(logins) == ["open"]  # an operator's word is worked on like any event

    await work_on_events(worker, buyers)

    assert said.startswith(TAKEN)
    assert await states(logins) == ["paid"]
    assert len(buyers.fulfilled) == 1
    assert await findings(logins) == []


async def test_the_same_line_counts_once(operator, title, worker, logins, buyers) -> None:
    await books(operator, line(title))
    assert (await books(operator, line(title))).startswith(REPEATED)
    await work_on_events(worker, buyers)
    assert (await books(operator, line(title, amount=1))).startswith(REPEATED)
    await work_on_events(worker, buyers)

    assert (await states(logins), len(buyers.fulfilled)) == (["paid"], 1)
    assert await findings(logins) == []
    acts = await look(logins, "SELECT details FROM user_activity WHERE activity_type = $1",
                      "transfer_booked")  # fmt: skip
    assert [json.loads(act["details"]) for act in acts] == [
        {"grosze": 18327, "currency": "PLN", "reference": REFERENCE}
    ]


async def test_a_line_counts_once_even_when_its_event_is_forgotten(
    operator, title, worker, logins, buyers
) -> None:
    for _ in range(2):
        await books(operator, line(title))
        await work_on_events(worker, buyers)
        await write(logins, "DELETE FROM webhook_event")

    assert (await states(logins), len(buyers.fulfilled)) == (["paid"], 1)
    assert await findings(logins) == []


async def test_another_line_with_the_same_title_is_told_and_pays_nothing_more(
    operator, title, worker, logins, buyers
) -> None:
    for reference in ("1", "2"):
        await books(operator, line(title, reference=reference))
        await work_on_events(worker, buyers)

    assert await states(logins) == ["paid"]
    assert [found[1:] for found in await findings(logins)] == [("2", 18327)]


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"amount": 18326}, "wrong_amount"),
        ({"amount": 18328}, "wrong_amount"),
        ({"currency": "EUR"}, "wrong_currency"),
    ],
)
async def test_another_sum_pays_nothing_and_is_told(
    operator, title, worker, logins, buyers, changes, kind
) -> None:
    await books(operator, line(title, **changes))
    await work_on_events(worker, buyers)

    assert buyers.fulfilled == []
    assert [found[0] for found in await findings(logins)] == [kind]

    await books(operator, line(title, reference="the rest was sent, and this is the right sum"))
    await work_on_events(worker, buyers)
    assert (await states(logins), len(buyers.fulfilled)) == (["paid"], 1)


async def test_a_title_that_names_no_order_is_kept_for_a_person(
    operator, title, worker, logins, buyers
) -> None:
    assert (await books(operator, line("faktura 11/2026"))).startswith(UNKNOWN)
    strange = line("PRAWKO 0000 1111 2222", reference="other")
    assert (await books(operator, strange)).startswith(TAKEN)
    await work_on_events(worker, buyers)

    assert await states(logins) == ["open"]
    assert sorted(await findings(logins)) == [
        ("unknown_payment", REFERENCE, 18327), ("unknown_payment", "other", 18327),
    ]  # fmt: skip
    kept = await look(logins, "SELECT * FROM payment_finding")
    assert "faktura" not in json.dumps(kept, default=str)  # a payer may have put anything into it


async def test_nobody_but_an_operator_books(anna, celina, visitor, title, logins) -> None:
    for person, status, key in (
        (Person("", visitor()), 401, "auth_required"),
        (anna, 403, "auth_forbidden"),
        (celina, 403, "auth_forbidden"),
    ):
        refused = await person.post("/api/admin/transfers", line(title))
        assert (refused.status_code, refused.json()["error"]) == (status, key)
    assert await look(logins, "SELECT id FROM webhook_event") == []


async def test_nobody_books_by_calling_as_a_bank_would(visitor, logins) -> None:
    bank = Person("", visitor())
    for body in ({}, line("PRAWKO 0000 1111 2222"), {"event_id": "booked:1", "kind": "paid"}):
        refused = await bank.post("/api/webhooks/transfer", body)
        assert (refused.status_code, refused.json()["error"]) == (401, "invalid_signature")
    assert await look(logins, "SELECT id FROM webhook_event") == []


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


async def test_a_line_that_cannot_be_booked_says_which_part(operator, logins) -> None:
    for changes, fields in MALFORMED:
        body = line("PRAWKO 0000 1111 2222", **changes)
        refused = await operator.post("/api/admin/transfers", body)

        assert (refused.status_code, refused.json()["error"]) == (422, "invalid_transfer"), changes
        assert list(refused.json().get("fields", {})) == fields, changes
    assert await look(logins, "SELECT id FROM webhook_event") == []


class TestWithoutTransfers:
    """Where nobody takes transfers there is nothing to book."""

    @pytest.fixture
    def providers(self) -> list[PaymentProvider]:
        return []

    @pytest.fixture
    def variables(self, variables: dict[str, str]) -> dict[str, str]:
        return {**variables, "PAYMENT_PROVIDERS": ""}

    async def test_booking_says_so(self, operator) -> None:
        refused = await operator.post("/api/admin/transfers", line("PRAWKO 0000 1111 2222"))
        assert (refused.status_code, refused.json()["error"]) == (409, "no_transfers")
