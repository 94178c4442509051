"""A saved card is charged once, whoever asks and however often."""

import asyncio
import dataclasses
from uuid import UUID, uuid4

import msgspec
import pytest
from sqlalchemy import text

from payments_shop import ANNA, PRICE, Shop
from prawko.base.secrets import Vault
from prawko.hooks.payments import Method, PaymentError, PaymentState
from prawko.payments.buyers import Verdict
from prawko.payments.errors import PaymentUnavailableError
from prawko.payments.service import Payments
from prawko.payments.telling import tell_of_payments
from prawko.personal_data.erasure import erase_company
from stored import look

pytestmark = pytest.mark.anyio


@pytest.fixture
async def mandate(shop: Shop, fake) -> UUID:
    """A card that Anna has saved."""
    payment_id, redirect = await shop.buys(save=True)
    await shop.hears("fake", await fake.pay(redirect))
    await shop.works()
    [sold] = await look(
        shop.logins, "SELECT params::jsonb->>'mandate' AS id FROM notice WHERE dedup = $1",
        str(payment_id),
    )  # fmt: skip
    return UUID(sold["id"])


async def prepared(shop: Shop, mandate: UUID, order_id: UUID | None = None) -> UUID:
    async with shop.tools.database.tenant(shop.tenant_id) as session:
        return await shop.payments.prepare_charge(
            session, order_id or uuid4(), PRICE, mandate, "Prawko, 30 dni", ANNA
        )


def charges(fake, key: str) -> int:
    return fake._charged[key]


async def test_a_saved_card_is_kept_sealed_and_shown_by_its_label(shop, fake, mandate) -> None:
    [row] = await look(shop.logins, "SELECT * FROM payment_mandate")
    assert (row["id"], row["provider"], row["method"]) == (mandate, "fake", "card")
    assert next(iter(fake.orders)).encode() not in row["token"]
    async with shop.tools.database.tenant(shop.tenant_id) as session:
        shown = await shop.payments.mandate(session, mandate)
    assert shown is not None
    assert shown.label == "•••• 4242"


async def test_who_does_not_ask_for_it_saves_nothing(shop, fake) -> None:
    _, redirect = await shop.buys()
    await shop.hears("fake", await fake.pay(redirect))
    await shop.works()

    assert await look(shop.logins, "SELECT * FROM payment_mandate") == []


async def test_a_charge_is_made_once_however_often_it_is_asked_for(shop, fake, mandate) -> None:
    payment_id = await prepared(shop, mandate)
    row = await shop.row(payment_id)
    assert b"anna@acme.test" not in row["sealed"]

    views = await asyncio.gather(
        *(shop.payments.charge(shop.tenant_id, payment_id) for _ in range(3))
    )
    again = await shop.payments.charge(shop.tenant_id, payment_id)

    assert {view.state for view in (*views, again)} == {"paid"}
    assert charges(fake, row["key"]) == 1
    assert await shop.told(payment_id) == ["sold"]
    assert (await shop.row(payment_id))["sealed"] is None
    [one] = await look(
        shop.logins, "SELECT params::jsonb->>'mandate' AS id FROM notice WHERE dedup = $1",
        str(payment_id),
    )  # fmt: skip
    assert UUID(one["id"]) == mandate


async def test_the_panel_writes_down_what_it_may_not_read(shop, fake, mandate) -> None:
    shop.buyers.verdict = Verdict.SUSPENDED
    payment_id = await prepared(shop, mandate)
    await shop.payments.charge(shop.tenant_id, payment_id)

    assert [one["kind"] for one in await shop.found()] == ["suspended"]
    assert await shop.incidents() == []
    await tell_of_payments(shop.worker)
    assert await shop.incidents() == ["suspended"]


async def test_a_card_that_is_refused_has_failed(shop, fake, mandate) -> None:
    payment_id = await prepared(shop, mandate)
    fake.refuses = True
    view = await shop.payments.charge(shop.tenant_id, payment_id)

    assert (view.state, view.reason) == ("failed", "the card was refused")
    assert await shop.told(payment_id) == ["failed"]
    fake.refuses = False
    again = await shop.payments.charge(shop.tenant_id, payment_id)
    assert again.state == "failed", "another try is another payment"


async def test_a_charge_that_nobody_got_to_is_made_when_it_is_asked_for(
    shop, fake, mandate
) -> None:
    payment_id = await prepared(shop, mandate)
    shop.worker.clock.forward(minutes=16)
    await asyncio.gather(shop.asks(), shop.asks())

    assert await shop.state(payment_id) == "paid"
    assert charges(fake, (await shop.row(payment_id))["key"]) == 1


async def test_a_crash_between_the_charge_and_the_writing_charges_once(shop, fake, mandate) -> None:
    payment_id = await prepared(shop, mandate)
    shop.buyers.broken = RuntimeError("the power is off")
    with pytest.raises(RuntimeError):
        await shop.payments.charge(shop.tenant_id, payment_id)
    assert await shop.state(payment_id) == "starting"

    shop.worker.clock.forward(minutes=16)
    await shop.asks()
    assert await shop.state(payment_id) == "paid"
    assert charges(fake, (await shop.row(payment_id))["key"]) == 1
    assert await shop.told(payment_id) == ["sold"]


async def test_nobody_knows_of_a_charge_without_an_answer_until_it_is_asked_for(
    shop, fake, mandate
) -> None:
    payment_id = await prepared(shop, mandate)
    charge = fake.charge

    async def lost(*about):
        await charge(*about)
        raise PaymentError("no answer")

    fake.charge = lost
    with pytest.raises(PaymentUnavailableError):
        await shop.payments.charge(shop.tenant_id, payment_id)
    assert await shop.state(payment_id) == "starting"
    fake.charge = charge
    shop.worker.clock.forward(hours=7)  # too late to charge: it is only asked for
    await shop.asks()

    assert await shop.state(payment_id) == "paid"


async def test_an_old_charge_that_never_got_there_is_not_made_up_for(shop, fake, mandate) -> None:
    payment_id = await prepared(shop, mandate)
    shop.worker.clock.forward(hours=7)
    await shop.asks()

    assert (await shop.state(payment_id), await shop.told(payment_id)) == ("failed", ["failed"])
    assert charges(fake, (await shop.row(payment_id))["key"]) == 0


async def test_a_charge_may_wait_for_the_payers_consent(shop, fake, mandate) -> None:
    payment_id = await prepared(shop, mandate)
    charge = fake.charge

    async def asks(*about):
        paid = await charge(*about)
        url = "https://pay.test/consent"
        waits = msgspec.structs.replace(paid, state=PaymentState.OPEN, url=url)
        fake.payments[paid.ref.key] = waits
        return waits

    fake.charge = asks
    view = await shop.payments.charge(shop.tenant_id, payment_id)
    assert (view.state, view.url) == ("open", "https://pay.test/consent")
    unwanted = await prepared(shop, mandate)
    await shop.payments.charge(shop.tenant_id, unwanted)
    shop.buyers.wants = False
    view = await shop.payments.charge(shop.tenant_id, unwanted)
    assert view.state == "failed", "its page is closed"
    key = (await shop.row(payment_id))["key"]
    fake.payments[key] = msgspec.structs.replace(fake.payments[key], state=PaymentState.PAID)
    shop.worker.clock.forward(minutes=16)
    await shop.asks()

    assert await shop.state(payment_id) == "paid"


async def test_a_mandate_that_has_ended_is_not_charged(shop, fake, mandate) -> None:
    payment_id = await prepared(shop, mandate)
    async with shop.tools.database.tenant(shop.tenant_id) as session:
        await shop.payments.end_mandate(session, mandate)
    [row] = await look(shop.logins, "SELECT * FROM payment_mandate")
    assert row["token"] == b"", "what is not needed is not kept"
    with pytest.raises(PaymentUnavailableError):
        await prepared(shop, mandate)
    view = await shop.payments.charge(shop.tenant_id, payment_id)

    assert view.state == "failed"
    assert charges(fake, (await shop.row(payment_id))["key"]) == 0


async def test_what_is_no_longer_wanted_is_not_charged(shop, fake, mandate) -> None:
    at_once, later, unsaid = [await prepared(shop, mandate) for _ in range(3)]
    shop.buyers.wants = False
    view = await shop.payments.charge(shop.tenant_id, at_once)
    assert (view.state, view.reason) == ("failed", "what it was to buy is no longer wanted")
    shop.buyers.wants = RuntimeError("nobody can say")
    with pytest.raises(RuntimeError):
        await shop.payments.charge(shop.tenant_id, unsaid)
    assert await shop.state(unsaid) == "starting"
    shop.buyers.wants = False
    shop.worker.clock.forward(minutes=16)
    await shop.asks()

    for payment_id in (at_once, later, unsaid):
        assert await shop.told(payment_id) == ["failed"]
        assert charges(fake, (await shop.row(payment_id))["key"]) == 0
    shop.buyers.wants = True
    again = await shop.payments.charge(shop.tenant_id, at_once)
    assert again.state == "failed", "another try is another payment"


@pytest.mark.parametrize("why", ["unwanted", "its mandate has ended", "its company is gone"])
async def test_what_may_have_been_charged_is_asked_for_before_it_is_let_go(
    shop, fake, mandate, why
) -> None:
    payment_id = await prepared(shop, mandate)
    shop.buyers.broken = RuntimeError("the worker dies behind the bank")
    with pytest.raises(RuntimeError):
        await shop.payments.charge(shop.tenant_id, payment_id)
    async with shop.worker.database.tenant(shop.tenant_id) as session:
        if why == "its mandate has ended":
            await shop.payments.end_mandate(session, mandate)
        elif why == "its company is gone":
            await erase_company(session)
    gone = why == "its company is gone"
    shop.buyers.wants = LookupError("who asks?") if gone else why != "unwanted"
    fake.broken = PaymentError("away")
    with pytest.raises(PaymentUnavailableError):
        await shop.payments.charge(shop.tenant_id, payment_id)
    assert await shop.state(payment_id) == "starting", "silence is no word"
    fake.broken = None
    shop.worker.clock.forward(minutes=20)
    await shop.asks()

    assert await shop.state(payment_id) == "paid"
    assert charges(fake, (await shop.row(payment_id))["key"]) == 1
    assert [one["kind"] for one in await shop.found()] == (["void_order"] if gone else [])


async def test_a_mandate_whose_key_is_lost_is_not_charged(shop, fake, mandate) -> None:
    payment_id = await prepared(shop, mandate)
    tools = dataclasses.replace(shop.tools, vault=Vault(b"another secret" * 3))
    view = await Payments(tools, shop.buyers).charge(shop.tenant_id, payment_id)

    assert view.state == "failed"


async def test_another_companys_mandate_is_not_there(shop, fake, mandate, logins, visitor) -> None:
    rival = Shop(shop.tools, shop.worker, logins, visitor())
    await rival.opens()

    with pytest.raises(PaymentUnavailableError):
        await prepared(rival, mandate)
    async with rival.tools.database.tenant(rival.tenant_id) as session:
        assert await rival.payments.mandate(session, mandate) is None
        assert (await session.execute(text("SELECT * FROM payment"))).all() == []


async def test_a_method_that_cannot_be_charged_again_saves_nothing(shop, fake) -> None:
    payment_id, _ = await shop.buys(Method.BLIK, save=True)

    assert (await shop.row(payment_id))["save"] is False
