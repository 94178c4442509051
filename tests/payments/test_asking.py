"""What providers do not call of is found by asking, in the product's time."""

import asyncio
import dataclasses

import msgspec
import pytest
from sqlalchemy import text

from payments_shop import Shop
from prawko.hooks.failures import AccountError
from prawko.hooks.payments import Method, PaymentError, PaymentRef, PaymentState
from prawko.payments.errors import PaymentRefusedError, PaymentUnavailableError
from prawko.personal_data.erasure import erase_company
from stored import look, write

pytestmark = pytest.mark.anyio


async def goes_by(shop: Shop, **time: float) -> int:
    """Time goes by and the worker goes its rounds; how many payments it asked for."""
    shop.worker.clock.forward(**time)
    return await shop.asks()


async def test_a_lost_call_is_found_within_twenty_minutes(shop: Shop, fake) -> None:
    start = fake.start

    async def open_for_days(order):
        return msgspec.structs.replace(await start(order), open_seconds=None)

    fake.start = open_for_days
    payment_id, redirect = await shop.buys(Method.TRANSFER)
    await goes_by(shop, minutes=5)
    await fake.pay(redirect)
    for _ in range(4):
        await goes_by(shop, minutes=5)

    assert await shop.state(payment_id) == "paid"
    assert await shop.told(payment_id) == ["sold"]
    assert fake.payments[redirect.ref.key].state is PaymentState.PAID, "the money was taken"
    assert await goes_by(shop, hours=5) == 0, "what is settled is not asked for"


async def test_an_order_that_never_reached_its_provider_fails_after_an_hour(shop: Shop) -> None:
    payment_id = await shop.prepares(shop.purchase())
    for _ in range(3):
        assert await goes_by(shop, minutes=16) == 1
        assert await shop.state(payment_id) == "starting"
    await goes_by(shop, minutes=16)

    assert await shop.state(payment_id) == "failed"
    assert await shop.told(payment_id) == ["failed"]


async def test_an_order_whose_answer_was_lost_is_found(shop: Shop, fake) -> None:
    purchase = shop.purchase()
    payment_id = await shop.prepares(purchase)
    start = fake.start

    async def lost(order):
        await start(order)
        raise PaymentError("no answer")

    fake.start = lost
    with pytest.raises(PaymentUnavailableError):
        await shop.payments.start(shop.tenant_id, payment_id, purchase)
    assert await shop.state(payment_id) == "starting"
    await goes_by(shop, minutes=16)

    assert await shop.state(payment_id) == "open"


async def test_who_does_not_pay_in_time_is_too_late_unless_money_comes(shop: Shop, fake) -> None:
    payment_id, redirect = await shop.buys()
    assert await goes_by(shop, minutes=14) == 0
    assert await goes_by(shop, minutes=2) == 1
    assert await shop.state(payment_id) == "expired"
    assert await shop.told(payment_id) == ["expired"]
    assert fake.payments[redirect.ref.key].state is PaymentState.FAILED, "ended there, too"

    await shop.hears("fake", await fake.pay(redirect))
    await shop.works()
    assert await shop.state(payment_id) == "paid"
    assert await shop.told(payment_id) == ["expired", "sold"]


async def test_money_that_comes_late_is_found_without_a_call(shop: Shop, fake) -> None:
    payment_id, redirect = await shop.buys()
    await goes_by(shop, minutes=16)
    await fake.pay(redirect)
    await goes_by(shop, minutes=61)

    assert await shop.state(payment_id) == "paid"


async def test_a_payer_who_is_faster_than_the_end_has_paid(shop: Shop, fake) -> None:
    payment_id, redirect = await shop.buys()
    status = fake.status

    async def paid_meanwhile(ref):
        said = await status(ref)
        fake.status = status
        await fake.pay(redirect)
        return said

    fake.status = paid_meanwhile
    await goes_by(shop, minutes=16)

    assert await shop.state(payment_id) == "paid"
    assert await shop.told(payment_id) == ["sold"]


async def test_a_provider_that_is_down_for_hours_loses_nothing(shop: Shop, fake) -> None:
    bought = [await shop.buys(Method.TRANSFER) for _ in range(12)]
    prepared = await shop.prepares(shop.purchase())
    fake.broken = PaymentError("nobody is there")
    asked = 0
    for _ in range(20):
        asked = await goes_by(shop, minutes=16)
    assert 0 < asked <= 8, "after the first silence the others are spared"
    states = {await shop.state(payment_id) for payment_id, _ in bought}
    assert states == {"open"}, "silence is no word"
    assert await shop.state(prepared) == "starting"

    fake.broken = None
    for _, redirect in bought:
        await fake.pay(redirect)
    await goes_by(shop, minutes=16)
    await goes_by(shop, minutes=16)
    assert {await shop.state(payment_id) for payment_id, _ in bought} == {"paid"}
    assert await shop.state(prepared) == "failed"


async def test_operators_learn_once_that_payments_wait_in_vain(shop: Shop, fake) -> None:
    payment_id, _ = await shop.buys(Method.TRANSFER)
    fake.broken = PaymentError("nobody is there")
    told = []
    for _ in range(10):
        await goes_by(shop, minutes=16)
        told.append(await shop.incidents())
    assert told == [[]] * 7 + [["payments_waiting"]] * 3
    assert await shop.state(payment_id) == "open"

    fake.broken = None
    await goes_by(shop, minutes=16)
    assert await shop.incidents() == []


async def test_payments_of_a_provider_that_is_gone_are_noticed(shop: Shop) -> None:
    await shop.buys()
    plugins = msgspec.structs.replace(shop.worker.plugins, payments={})
    shop.worker = dataclasses.replace(shop.worker, plugins=plugins)
    assert await goes_by(shop, minutes=16) == 0

    assert await shop.incidents() == ["payments_waiting"]


async def test_one_payment_that_breaks_its_provider_holds_up_no_other(shop: Shop, fake) -> None:
    broken, first = await shop.buys(Method.TRANSFER)
    well, second = await shop.buys(Method.TRANSFER)
    status = fake.status

    async def breaks(ref):
        if ref.key == first.ref.key:
            raise ValueError("a bug")
        return await status(ref)

    fake.status = breaks
    await fake.pay(second)
    await goes_by(shop, minutes=16)

    assert (await shop.state(broken), await shop.state(well)) == ("open", "paid")
    assert (await shop.row(broken))["lease_until"] is None


async def test_a_buyer_that_breaks_holds_up_no_other_and_is_tried_again(shop: Shop, fake) -> None:
    bought = [await shop.buys(Method.TRANSFER) for _ in range(2)]
    for _, redirect in bought:
        await fake.pay(redirect)
    shop.buyers.broken = RuntimeError("the power is off")
    await goes_by(shop, minutes=16)
    assert sorted([await shop.state(payment_id) for payment_id, _ in bought]) == ["open", "paid"]

    await goes_by(shop, minutes=2)
    assert {await shop.state(payment_id) for payment_id, _ in bought} == {"paid"}


async def test_a_worker_that_dies_leaves_its_payments_to_the_next(shop: Shop, fake) -> None:
    payment_id, redirect = await shop.buys()
    await fake.pay(redirect)
    asked, status = asyncio.Event(), fake.status

    async def never(_):
        asked.set()
        await asyncio.Event().wait()

    fake.status = never
    shop.worker.clock.forward(minutes=16)
    dying = asyncio.create_task(shop.asks())
    await asked.wait()
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)
    fake.status = status
    assert await shop.asks() == 0, "its lease has not ended"

    async with shop.tools.database.tenant(shop.tenant_id) as session:
        await session.execute(text("UPDATE payment SET lease_until = now() - interval '1 s'"))
    assert await shop.asks() == 1
    assert await shop.told(payment_id) == ["sold"]


async def test_what_is_refused_for_good_has_failed_at_once(shop: Shop, fake) -> None:
    purchase = shop.purchase(Method.BLIK, blik_code="000000")
    payment_id = await shop.prepares(purchase)
    fake.broken = PaymentError("the code of anna@acme.test\x00\n is wrong", permanent=True)
    with pytest.raises(PaymentRefusedError):
        await shop.payments.start(shop.tenant_id, payment_id, purchase)

    row = await shop.row(payment_id)
    assert (row["state"], row["reason"]) == ("failed", "the code of … is wrong")
    assert await shop.told(payment_id) == ["failed"]


async def test_a_call_that_is_faster_than_the_answer_stands(shop: Shop, fake) -> None:
    purchase = shop.purchase(Method.BLIK, blik_code="777777")
    payment_id = await shop.prepares(purchase)
    start = fake.start

    async def slow(order):
        redirect = await start(order)
        await shop.hears("fake", await fake.pay(redirect))
        await shop.works()
        return redirect

    fake.start = slow
    await shop.payments.start(shop.tenant_id, payment_id, purchase)

    assert await shop.state(payment_id) == "paid"
    assert await shop.told(payment_id) == ["sold"]


async def test_a_refused_account_takes_no_new_payments_until_it_answers(shop: Shop, fake) -> None:
    purchase = shop.purchase()
    payment_id = await shop.prepares(purchase)
    fake.broken = AccountError("the key was refused")
    with pytest.raises(PaymentUnavailableError):
        await shop.payments.start(shop.tenant_id, payment_id, purchase)
    assert await shop.state(payment_id) == "starting", "nothing is lost"
    with pytest.raises(PaymentUnavailableError):
        await shop.prepares(shop.purchase())

    fake.broken = None
    await write(shop.logins, "UPDATE payment_pause SET paused_until = now() - interval '1 s'")
    await shop.buys()
    assert await look(shop.logins, "SELECT * FROM payment_pause") == []


async def test_what_is_given_up_ends_where_its_provider_can_end_it(shop: Shop, fake) -> None:
    purchase = shop.purchase()
    first, _ = await shop.buys(order_id=purchase.order_id)
    second, redirect = await shop.buys(order_id=purchase.order_id)
    await fake.pay(redirect)
    other, _ = await shop.buys()
    fake.broken = PaymentError("nobody is there")
    await shop.payments.give_up(shop.tenant_id, [purchase.order_id])
    assert await shop.state(first) == "open", "asked for later"

    fake.broken = None
    await shop.payments.give_up(shop.tenant_id, [purchase.order_id])
    assert (await shop.state(first), await shop.told(first)) == ("failed", ["failed"])
    assert await shop.state(second) == "open", "its payer was faster"
    assert await shop.state(other) == "open"
    await goes_by(shop, minutes=16)
    assert await shop.state(second) == "paid"


async def test_the_newest_payment_of_an_order_is_shown(shop: Shop, fake) -> None:
    order = shop.purchase().order_id
    await shop.buys(order_id=order)
    second, redirect = await shop.buys(Method.BLIK, order_id=order)

    async with shop.tools.database.tenant(shop.tenant_id) as session:
        shown = await shop.payments.of_order(session, order)
        nothing = await shop.payments.of_order(session, second)

    assert shown is not None
    assert (shown.id, shown.state, shown.method, shown.url) == (
        second, "open", Method.BLIK, f"https://pay.test/{redirect.ref.key}",
    )  # fmt: skip
    assert nothing is None


async def test_money_for_a_company_that_is_gone_is_kept_and_flagged(shop: Shop, fake) -> None:
    payment_id, redirect = await shop.buys(Method.TRANSFER)
    late, forgotten = await shop.buys()
    async with shop.worker.database.tenant(shop.tenant_id) as session:
        await erase_company(session)
    row = await shop.row(payment_id)
    assert (row["url"], row["transfer"], row["grosze"]) == (None, None, 18327)

    await shop.hears("fake", await fake.pay(redirect))
    await shop.works()
    await goes_by(shop, minutes=16)

    assert await shop.state(payment_id) == "paid"
    assert await shop.state(late) == "expired"
    [finding] = await shop.found()
    assert (finding["kind"], finding["tenant_id"]) == ("void_order", shop.tenant_id)
    assert await shop.incidents() == ["void_order"]
    assert forgotten.ref.key


async def test_a_sum_that_does_not_fit_is_no_reason_to_ask_for_ever(shop: Shop, fake) -> None:
    payment_id, redirect = await shop.buys()
    fake.payments[redirect.ref.key] = msgspec.structs.replace(
        fake.payments[redirect.ref.key], state=PaymentState.PAID,
        money=msgspec.structs.replace(shop.purchase().money, grosze=1),
        ref=PaymentRef(redirect.ref.key, "its line"),
    )  # fmt: skip
    await goes_by(shop, minutes=16)

    assert await shop.state(payment_id) == "mismatched"
    assert await goes_by(shop, hours=1) == 0
    [finding] = await shop.found()
    assert (finding["kind"], finding["provider_ref"], finding["grosze"]) == (
        "wrong_amount", "its line", 1,
    )  # fmt: skip
