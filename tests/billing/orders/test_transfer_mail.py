"""The transfer mail is sent once for an order, also after a crash."""

import msgspec
import pytest
from sqlalchemy import text

from prawko.billing import checkout
from prawko.hooks.payments import NextAction, TransferInstructions
from prawko.payments.payment_updater import PaymentUpdater
from prawko.payments.service import PaymentService
from prawko_tenants.ids import TenantId
from support.crashes import CrashPoint, killed_at
from support.orders import ACME_DETAILS, OrderScenario, fetch_subscription
from support.people import deliver_outbox

pytestmark = pytest.mark.anyio

CHECKOUT = "/api/subscription/create-checkout-session"
BY_TRANSFER = {"driverLimit": 10, **ACME_DETAILS, "method": "transfer"}
SUBJECT = "Prawko: dane do przelewu"


@pytest.fixture(autouse=True)
def bank_transfers(fake) -> None:
    start = fake.create_payment

    async def with_transfer(order) -> NextAction:
        transfer = TransferInstructions(
            title=f"PRAWKO {order.reference}", iban="PL61109010140000071219812874", owner="Prawko",
            address="",
        )  # fmt: skip
        return NextAction(ref=(await start(order)).ref, transfer=transfer)

    fake.create_payment = with_transfer
    capabilities = msgspec.structs.replace(
        fake.capabilities, can_cancel=False
    )  # a transfer cannot be cancelled
    fake.capabilities = capabilities


@pytest.fixture
def transfer_mails(worker, mailbox):
    """The transfer mails of a person, after the outbox was delivered."""

    async def of(person) -> list[str]:
        await deliver_outbox(worker)
        return [mail.text for mail in mailbox.messages_to(person.email) if mail.subject == SUBJECT]

    return of


async def test_only_the_person_who_ordered_gets_the_transfer_mail(
    anna, bartek, celina, scenario: OrderScenario, transfer_mails
) -> None:
    order = await scenario.place_order(anna, 10, method="transfer")

    [mail_text] = await transfer_mails(anna)
    assert f"Tytuł: PRAWKO {(await scenario.payment_redirect(order)).ref.reference}" in mail_text
    assert "Kwota: 244,77 zł" in mail_text
    assert "Zapłać do: 21.12.2026" in mail_text
    assert await transfer_mails(bartek) == await transfer_mails(celina) == []
    path = f"/api/orders/{order}"
    assert (await anna.get(path)).json()["transfer"]["title"] in mail_text
    await scenario.pay(anna, order)
    assert (await anna.get(path)).json()["transfer"] is None
    assert len(await transfer_mails(anna)) == 1


async def test_the_mail_is_not_sent_if_the_order_is_not_awaiting_payment_any_more(
    anna, scenario, transfer_mails, worker
) -> None:
    await scenario.place_order(anna, 5, method="transfer")
    second = await scenario.place_order(anna, 10, method="transfer")  # supersedes the first one
    [mail_text] = await transfer_mails(anna)
    assert (await scenario.payment_redirect(second)).ref.reference in mail_text

    await scenario.pay(anna, await scenario.place_order(anna, 10, method="transfer"))
    await scenario.place_order(anna, 10, method="transfer")
    async with worker.database.tenant(TenantId(await anna.tenant_id(worker))) as session:
        await session.execute(
            text("UPDATE subscription_order SET created_by = NULL")
        )  # the person has left
    assert len(await transfer_mails(anna)) == 1


CRASHES = {
    "before the bank's details are written": (CrashPoint(PaymentUpdater, "mark_open"), 0),
    "before the mail is ordered": (CrashPoint(checkout, "enqueue_transfer_mail"), 0),
    "before both are committed": (CrashPoint(checkout, "enqueue_transfer_mail", after=True), 0),
    "when they are committed": (CrashPoint(PaymentService, "start", after=True), 1),
}


async def test_after_a_crash_at_any_point_the_mail_is_sent_only_for_an_order_awaiting_a_transfer(
    newcomer, scenario, transfer_mails, monkeypatch
) -> None:
    sent = 0
    for case, (point, mails) in CRASHES.items():
        with killed_at(monkeypatch, point):
            await newcomer.post(CHECKOUT, BY_TRANSFER)

        open_order = (await fetch_subscription(newcomer))["openOrder"]
        assert (open_order["transfer"] is not None) is bool(mails), case
        sent += mails
        assert len(await transfer_mails(newcomer)) == sent, case
        await scenario.place_order(newcomer, 10, method="transfer")  # the person orders again
        sent += 1
        assert len(await transfer_mails(newcomer)) == sent, case
