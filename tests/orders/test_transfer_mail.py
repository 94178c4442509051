"""Who orders by transfer has a mail with what to pay: once, and whatever dies on the way."""

import msgspec
import pytest
from sqlalchemy import text

from buying import ACME, Till, shown
from persons import deliver
from prawko.billing import paying
from prawko.hooks.payments import Redirect, Transfer
from prawko.payments.recording import Recorder
from prawko.payments.service import Payments
from prawko_tenants.ids import TenantId
from renewing_bank import Killed, dying

pytestmark = pytest.mark.anyio

CHECKOUT = "/api/subscription/create-checkout-session"
BY_TRANSFER = {"driverLimit": 10, **ACME, "method": "transfer"}
SUBJECT = "Prawko: dane do przelewu"


@pytest.fixture(autouse=True)
def by_bank(fake, monkeypatch) -> None:
    start = fake.start

    async def tell(order) -> Redirect:
        transfer = Transfer(
            title=f"PRAWKO {order.key}", iban="PL61109010140000071219812874", owner="Prawko",
            address="",
        )  # fmt: skip
        return Redirect(ref=(await start(order)).ref, transfer=transfer)

    monkeypatch.setattr(fake, "start", tell)
    able = msgspec.structs.replace(fake.capabilities, cancels=False)  # nobody takes a title back
    monkeypatch.setattr(fake, "capabilities", able)


@pytest.fixture
def letters(worker, mailbox):
    """The mails with transfers that a person has, once the outbox is empty."""

    async def of(person) -> list[str]:
        await deliver(worker)
        return [mail.text for mail in mailbox.to(person.email) if mail.title == SUBJECT]

    return of


async def test_it_says_what_to_pay_to_who_ordered_alone(
    anna, bartek, celina, till: Till, letters
) -> None:
    order = await till.orders(anna, 10, method="transfer")

    [told] = await letters(anna)
    assert f"Tytuł: PRAWKO {(await till.redirect(order)).ref.key}" in told
    assert "Kwota: 244,77 zł" in told
    assert "Zapłać do: 21.12.2026" in told
    assert await letters(bartek) == await letters(celina) == []
    path = f"/api/orders/{order}"
    assert (await anna.get(path)).json()["transfer"]["title"] in told
    await till.pays(anna, order)
    assert (await anna.get(path)).json()["transfer"] is None
    assert len(await letters(anna)) == 1


async def test_what_waits_for_no_money_when_it_would_leave_is_not_sent(
    anna, till, letters, worker
) -> None:
    await till.orders(anna, 5, method="transfer")
    second = await till.orders(anna, 10, method="transfer")  # a moment later: it takes the place
    [told] = await letters(anna)
    assert (await till.redirect(second)).ref.key in told

    await till.pays(anna, await till.orders(anna, 10, method="transfer"))
    await till.orders(anna, 10, method="transfer")
    async with worker.database.tenant(TenantId(await anna.tenant_id(worker))) as session:
        await session.execute(text("UPDATE subscription_order SET created_by = NULL"))  # she left
    assert len(await letters(anna)) == 1


DEATHS = {
    "before the bank's details are written": (Recorder, "open", False, 0),
    "before the mail is ordered": (paying, "order_transfer_mail", False, 0),
    "before both are committed": (paying, "order_transfer_mail", True, 0),
    "when they are committed": (Payments, "start", True, 1),
}


async def test_killed_at_any_point_the_mail_is_sent_if_and_only_if_the_order_waits(
    newcomer, till, letters, monkeypatch
) -> None:
    sent = 0
    for death, (whose, name, after, mails) in DEATHS.items():
        dying(monkeypatch, whose, name, after=after)
        with pytest.raises(Killed):
            await newcomer.post(CHECKOUT, BY_TRANSFER)

        waits = (await shown(newcomer))["openOrder"]
        assert (waits["transfer"] is not None) is bool(mails), death
        sent += mails
        assert len(await letters(newcomer)) == sent, death
        await till.orders(newcomer, 10, method="transfer")  # who heard nothing orders again
        sent += 1
        assert len(await letters(newcomer)) == sent, death
