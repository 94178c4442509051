"""Providers' calls: a reason to ask, whatever they say, whenever they come."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from random import Random
from urllib.parse import urlsplit

import asyncpg
import msgspec
import pytest
from sqlalchemy import text

from payments_shop import ANNA, PRICE, Shop, ends, told
from prawko.base.clock import machine_now
from prawko.deliveries.inbox import Arrived, Inbox
from prawko.hooks.failures import AccountError
from prawko.hooks.payments import (
    EventKind,
    Method,
    Money,
    Order,
    PaymentError,
    PaymentRef,
    PaymentState,
)
from prawko.payments.buyers import Verdict
from prawko.testing.fake_payments import FakeProvider
from stored import look, write

pytestmark = pytest.mark.anyio


async def test_a_call_is_kept_sealed_and_believed_only_when_asked(shop: Shop, fake) -> None:
    payment_id, redirect = await shop.buys()
    call = await fake.pay(redirect)
    assert [await shop.hears("fake", call) for _ in range(5)] == [200] * 5

    [kept] = await shop.inbox()
    assert kept["worked_at"] is None
    assert redirect.ref.key.encode() not in kept["body"]
    assert await shop.state(payment_id) == "open"

    assert await shop.works() == 1
    assert await shop.works() == 0
    [worked] = await shop.inbox()
    assert (worked["outcome"], worked["body"]) == ("applied", None)
    assert await shop.state(payment_id) == "paid"
    assert await shop.told(payment_id) == ["sold"]
    assert fake.payments[redirect.ref.key].state is PaymentState.PAID, "the money was taken"


async def test_one_call_is_taken_at_a_time_however_it_is_planned(tools, worker, logins) -> None:
    now = machine_now()
    async with tools.database.system() as session:
        await Inbox(session).keep("fake", [Arrived("a", b"{}")], tools.vault, now)
    await write(logins, "ANALYZE webhook_event")  # of one row, it is joined in another order
    async with tools.database.system() as session:
        more = [Arrived("b", b"{}"), Arrived("c", b"{}")]
        await Inbox(session).keep("fake", more, tools.vault, now)
    async with worker.database.system() as session:
        for plan in ("hashjoin", "mergejoin", "material", "indexscan", "bitmapscan"):
            await session.execute(text(f"SET LOCAL enable_{plan} = off"))
        taken = [await Inbox(session).claim({"fake"}, now, timedelta(minutes=1)) for _ in range(4)]

    assert [event and event.event_id for event in taken] == ["a", "b", "c", None]


async def test_what_a_call_says_is_not_believed(shop: Shop, fake) -> None:
    payment_id, redirect = await shop.buys()
    await shop.hears("fake", told(fake, redirect.ref.key, EventKind.PAID, "lie"))
    await shop.works()

    assert await shop.state(payment_id) == "open"
    assert await shop.told(payment_id) == []
    [kept] = await shop.inbox()
    assert kept["worked_at"] is None, "it may be early: the provider is asked again"


async def test_nothing_of_a_forged_call_is_kept(shop: Shop, fake) -> None:
    payment_id, redirect = await shop.buys()
    call = await fake.pay(redirect)
    forged = [
        msgspec.structs.replace(call, headers={}),
        msgspec.structs.replace(call, headers={"x-fake-signature": "00" * 32}),
        msgspec.structs.replace(call, body=call.body + b" "),
        FakeProvider(b"another secret").call(call.body),
    ]

    assert [await shop.hears("fake", one) for one in forged] == [401] * 4
    assert await shop.inbox() == []
    await shop.works()
    assert await shop.state(payment_id) == "open"


async def test_nothing_of_a_call_that_cannot_be_read_is_kept(shop: Shop, fake) -> None:
    _, redirect = await shop.buys()
    key = redirect.ref.key
    garbled = [
        fake.call(b"{}"),
        fake.call(b"[1"),
        told(fake, key, EventKind.PAID, "x" * 401),
        told(fake, key, EventKind.PAID, "a\x00b"),
        told(fake, key, EventKind.PAID, "much", Money(2**53 + 1)),
    ]

    assert [await shop.hears("fake", one) for one in garbled] == [400] * 5
    assert await shop.inbox() == []


async def test_whatever_the_order_of_four_calls_there_is_one_end(shop: Shop, fake) -> None:
    async def script(redirect):
        key = redirect.ref.key
        await fake.fail(redirect)
        paid = await fake.pay(redirect)
        return [
            told(fake, key, EventKind.FAILED, "first"),
            paid,
            told(fake, key, EventKind.REFUND_REFUSED, "refund"),
            told(fake, key, EventKind.PAID, "again"),
        ]

    assert await ends(shop, fake, Method.CARD, script) == {("paid", ("sold",), ())}


async def test_whatever_the_order_a_refund_ends_it(shop: Shop, fake) -> None:
    paid = {}

    async def first(redirect):
        paid[redirect.ref.key] = await fake.pay(redirect)
        return [paid[redirect.ref.key]]

    async def script(redirect):
        key = redirect.ref.key
        await fake.refund(PaymentRef(key), PRICE, key=f"back{key}")
        return [
            paid[key],
            told(fake, key, EventKind.REFUND_REFUSED, "partly"),
            told(fake, key, EventKind.REFUNDED, "back"),
            told(fake, key, EventKind.FAILED, "first"),
        ]

    assert await ends(shop, fake, Method.CARD, script, first=first) == {
        ("refunded", ("sold", "taken back"), ("refunded_elsewhere",))
    }


async def test_calls_that_come_while_things_happen_end_the_same(shop: Shop, fake) -> None:
    for seed in range(20):
        await at_random(shop, fake, Random(seed))


async def at_random(shop: Shop, fake: FakeProvider, random: Random) -> None:
    """The truth goes on between the calls; each may be early, late, or there again."""
    payment_id, redirect = await shop.buys()
    key = redirect.ref.key
    waiting = []
    for happened in ("fail", "pay", "refund"):
        match happened:
            case "fail":
                waiting.append(await fake.fail(redirect))
            case "pay":
                waiting.append(await fake.pay(redirect))
            case "refund":
                while fake.payments[key].state is not PaymentState.PAID:
                    await shop.hears("fake", waiting[1])
                    await shop.works()
                await fake.refund(PaymentRef(key), PRICE, key=f"back{key}")
                waiting.append(told(fake, key, EventKind.REFUNDED, "back"))
        for _ in range(random.randrange(4)):
            await shop.hears("fake", random.choice(waiting))
            if random.random() < 0.5:
                await shop.works()
    for call in random.sample(waiting, 3):
        await shop.hears("fake", call)
    await shop.works()

    assert await shop.state(payment_id) == "refunded"
    heard = await shop.told(payment_id)
    assert heard[-2:] == ["sold", "taken back"]
    assert len(heard) == len(set(heard))


async def test_a_payment_that_was_paid_twice_is_flagged_and_counts_once(shop: Shop, fake) -> None:
    order = shop.purchase().order_id
    first, one = await shop.buys(order_id=order)
    second, two = await shop.buys(Method.BLIK, order_id=order)
    for redirect in (one, two):
        await shop.hears("fake", await fake.pay(redirect))
    await shop.works()

    assert [await shop.state(payment) for payment in (first, second)] == ["paid", "paid"]
    assert sorted([*await shop.told(first), *await shop.told(second)]) == ["sold"]
    [finding] = await shop.found()
    assert (finding["kind"], finding["grosze"]) == ("paid_twice", 18327)
    assert finding["tenant_id"] == shop.tenant_id
    assert await shop.incidents() == ["paid_twice"]


async def test_another_payment_under_the_same_key_is_a_second_one(shop: Shop, fake) -> None:
    payment_id, redirect = await shop.buys(Method.TRANSFER)
    key = redirect.ref.key
    await shop.hears("fake", await fake.pay(redirect))
    await shop.works()
    for _ in range(3):
        fake.payments[key] = msgspec.structs.replace(
            fake.payments[key], ref=PaymentRef(key, "another line of the statement")
        )
        await shop.hears("fake", told(fake, key, EventKind.PAID, f"line {_}"))
        await shop.works()

    assert await shop.told(payment_id) == ["sold"]
    assert [one["kind"] for one in await shop.found()] == ["paid_twice"]


@pytest.mark.parametrize(
    ("money", "kind"),
    [
        (Money(18326), "wrong_amount"),
        (Money(18328), "wrong_amount"),
        (Money(18327, "EUR"), "wrong_currency"),
    ],
    ids=str,
)
async def test_another_sum_is_flagged_and_starts_nothing(shop: Shop, fake, money, kind) -> None:
    payment_id, redirect = await shop.buys()
    call = await fake.pay(redirect, money)
    for _ in range(3):
        await shop.hears("fake", call)
        await shop.works()
        await shop.asks()

    assert await shop.state(payment_id) == "mismatched"
    assert await shop.told(payment_id) == []
    [finding] = await shop.found()
    assert (finding["kind"], finding["grosze"], finding["currency"]) == (
        kind, money.grosze, money.currency,
    )  # fmt: skip
    assert await shop.incidents() == [kind]
    assert fake.payments[redirect.ref.key].state is PaymentState.CLAIMED, "it was not taken"


async def test_money_that_nobody_asked_for_is_flagged(shop: Shop, fake) -> None:
    purchase = shop.purchase()
    stranger = Order(
        key="STRANGER0001", money=PRICE, method=Method.CARD, title="x", payer=purchase.payer,
        return_url=purchase.return_url,
    )  # fmt: skip
    redirect = await fake.start(stranger)
    call = await fake.pay(redirect)
    for _ in range(3):
        assert await shop.hears("fake", call) == 200
        await shop.works()

    [kept] = await shop.inbox()
    assert kept["outcome"] == "unknown"
    [finding] = await shop.found()
    assert (finding["kind"], finding["key"], finding["tenant_id"]) == (
        "unknown_payment", "STRANGER0001", None,
    )  # fmt: skip
    assert await shop.incidents() == ["unknown_payment"]
    assert fake.payments["STRANGER0001"].state is PaymentState.CLAIMED


@pytest.mark.parametrize("verdict", ["paid_twice", "void", "suspended"])
async def test_what_billing_cannot_give_is_flagged(shop: Shop, fake, verdict) -> None:
    shop.buyers.verdict = Verdict(verdict)
    payment_id, redirect = await shop.buys()
    await shop.hears("fake", await fake.pay(redirect))
    await shop.works()

    kind = "void_order" if verdict == "void" else verdict
    assert await shop.state(payment_id) == "paid"
    assert [one["kind"] for one in await shop.found()] == [kind]
    assert await shop.incidents() == [kind]


async def test_a_provider_that_is_down_for_hours_loses_no_call(shop: Shop, fake) -> None:
    payment_id, redirect = await shop.buys()
    await shop.hears("fake", await fake.pay(redirect))
    fake.broken = PaymentError("too many", retry_after=1800.0)
    await shop.works()
    [waiting] = await shop.inbox()
    assert waiting["next_try_at"] > machine_now() + timedelta(minutes=29), "as it asked for"
    await look_again(shop)
    fake.broken = PaymentError("nobody is there")
    for _ in range(29):
        await shop.works()
        await look_again(shop)
    [waiting] = await shop.inbox()
    assert (waiting["worked_at"], waiting["attempts"]) == (None, 30)
    assert await shop.incidents() == ["payments_waiting"]
    assert await shop.state(payment_id) == "open"

    fake.broken = None
    await shop.works()
    assert await shop.state(payment_id) == "paid"
    assert await shop.told(payment_id) == ["sold"]
    assert await shop.incidents() == []


async def look_again(shop: Shop) -> None:
    """Whatever waits for its time need not wait: events, payments, providers that rest."""
    await write(shop.logins, "UPDATE webhook_event SET next_try_at = now() - interval '1 s'")
    await write(shop.logins, "UPDATE payment_pause SET paused_until = now() - interval '1 s'")


async def test_a_refused_account_rests_and_operators_are_told_at_once(
    shop: Shop, fake, rings
) -> None:
    payment_id, redirect = await shop.buys()
    await shop.hears("fake", await fake.pay(redirect))
    fake.broken = AccountError("the key was refused, anna@acme.test waits")
    await shop.works()
    assert await shop.incidents() == ["payments_refused"]
    [incident] = await look(shop.logins, "SELECT detail FROM incident")
    assert incident["detail"] == "the key was refused, … waits"
    asked = shop.worker.clock
    asked.forward(minutes=20)
    assert (await shop.works(), await shop.asks()) == (0, 0), "it is left alone"

    await look_again(shop)
    await shop.works()
    assert await shop.incidents() == ["payments_refused"], "one mail, however often"
    fake.broken = None
    await look_again(shop)
    await shop.works()
    assert await shop.state(payment_id) == "paid"
    assert await shop.incidents() == []


async def test_a_crash_between_the_answer_and_the_writing_costs_nothing(shop: Shop, fake) -> None:
    payment_id, redirect = await shop.buys()
    await shop.hears("fake", await fake.pay(redirect))
    shop.buyers.broken = RuntimeError("the power is off")
    await shop.works()
    assert fake.payments[redirect.ref.key].state is PaymentState.PAID, "the provider has it"
    assert await shop.state(payment_id) == "open"
    assert await shop.told(payment_id) == []

    await look_again(shop)
    await shop.works()
    assert await shop.state(payment_id) == "paid"
    assert await shop.told(payment_id) == ["sold"]


FAILS_AT_ITS_COMMIT = """
    CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE 'there is no space left'; END
    $$;
    CREATE CONSTRAINT TRIGGER fails AFTER UPDATE ON payment
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fails();
    CREATE CONSTRAINT TRIGGER fails AFTER INSERT ON payment_finding
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fails()
"""


async def test_an_event_is_finished_with_what_came_of_it_or_not_at_all(shop: Shop, fake) -> None:
    payment_id, redirect = await shop.buys()
    await shop.hears("fake", await fake.pay(redirect))
    purchase = shop.purchase()
    stranger = Order(
        key="STRANGER0001", money=PRICE, method=Method.CARD, title="x", payer=purchase.payer,
        return_url=purchase.return_url,
    )  # fmt: skip
    await shop.hears("fake", await fake.pay(await fake.start(stranger)))
    await write(shop.logins, FAILS_AT_ITS_COMMIT)
    await shop.works()
    assert shop.buyers.asked == {payment_id: 1}
    assert [row["worked_at"] for row in await shop.inbox()] == [None, None]
    assert (await shop.state(payment_id), await shop.found()) == ("open", [])

    await write(shop.logins, "DROP FUNCTION fails CASCADE")
    await look_again(shop)
    await shop.works()
    assert {row["outcome"] for row in await shop.inbox()} == {"applied", "unknown"}
    assert await shop.told(payment_id) == ["sold"]
    assert [one["kind"] for one in await shop.found()] == ["unknown_payment"]


async def test_a_worker_that_dies_leaves_its_event_to_the_next(shop: Shop, fake) -> None:
    payment_id, redirect = await shop.buys()
    await shop.hears("fake", await fake.pay(redirect))
    asked = asyncio.Event()
    confirm = fake.confirm

    async def never(*_, **__):
        asked.set()
        await asyncio.Event().wait()

    fake.confirm = never
    dying = asyncio.create_task(shop.works())
    await asked.wait()
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)
    fake.confirm = confirm
    assert await shop.works() == 0, "its lease has not ended"

    await look_again(shop)
    assert await shop.works() == 1
    assert await shop.told(payment_id) == ["sold"]


async def test_many_workers_at_once_write_it_once(shop: Shop, fake) -> None:
    bought = [await shop.buys() for _ in range(4)]
    for _, redirect in bought:
        call = await fake.pay(redirect)
        await shop.hears("fake", call)
        again = told(fake, redirect.ref.key, EventKind.PAID, "again")
        await shop.hears("fake", again)
    shop.worker.clock.forward(minutes=20)

    await asyncio.gather(*(shop.works() for _ in range(3)), *(shop.asks() for _ in range(3)))

    for payment_id, _ in bought:
        assert await shop.state(payment_id) == "paid"
        assert await shop.told(payment_id) == ["sold"]
    assert {row["outcome"] for row in await shop.inbox()} <= {"applied", "repeated"}


async def test_who_heard_the_same_at_once_writes_it_once(shop: Shop, fake, monkeypatch) -> None:
    payment_id, redirect = await shop.buys()
    await shop.hears("fake", await fake.pay(redirect))
    await shop.hears("fake", told(fake, redirect.ref.key, EventKind.PAID, "again"))
    shop.worker.clock.forward(minutes=20)
    together, confirm, status = asyncio.Barrier(3), fake.confirm, fake.status

    async def confirmed(event, **how):
        said = await confirm(event, **how)
        if not event.event_id.startswith("asked:"):  # whoever goes round has waited already
            await together.wait()
        return said

    async def known(ref):
        said = await status(ref)
        await together.wait()
        return said

    monkeypatch.setattr(fake, "confirm", confirmed)
    monkeypatch.setattr(fake, "status", known)
    await asyncio.wait_for(asyncio.gather(shop.works(), shop.works(), shop.asks()), 20)

    assert await shop.state(payment_id) == "paid"
    assert shop.buyers.asked == {payment_id: 1}


@pytest.fixture
async def open_transactions(servers, logins) -> AsyncIterator[Callable[[], Awaitable[int]]]:
    """Counts the transactions that wait for their process, as only a superuser sees them."""
    connection = await asyncpg.connect(servers.servers.admin_url)
    database = urlsplit(logins.app).path.removeprefix("/")

    async def count() -> int:
        return await connection.fetchval(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = $1"
            " AND state LIKE 'idle in transaction%'",
            database,
        )

    yield count
    await connection.close()


async def test_no_transaction_is_open_while_a_provider_is_asked(
    shop: Shop, fake, monkeypatch, open_transactions
) -> None:
    seen: dict[str, list[int]] = {}
    for name in ("available", "start", "confirm", "status", "cancel", "charge"):
        asked = getattr(fake, name)

        async def watched(*args, name=name, asked=asked, **kwargs):
            seen.setdefault(name, []).append(await open_transactions())
            return await asked(*args, **kwargs)

        monkeypatch.setattr(fake, name, watched)

    await shop.payments.available(PRICE)
    _, redirect = await shop.buys(save=True)
    await shop.hears("fake", await fake.pay(redirect))
    await shop.works()
    [mandate] = await look(shop.logins, "SELECT id FROM payment_mandate")
    async with shop.tools.database.tenant(shop.tenant_id) as session:
        assert await session.scalar(text("SELECT count(*) FROM payment")) == 1
        assert await open_transactions() == 1, "an open one is seen"
        about = (shop.purchase().order_id, PRICE, mandate["id"], "Prawko, 30 dni", ANNA)
        charge = await shop.payments.prepare_charge(session, *about)
    await shop.payments.charge(shop.tenant_id, charge)
    await shop.buys()
    shop.worker.clock.forward(minutes=20)
    await shop.asks()

    assert seen.keys() == {"available", "start", "confirm", "status", "cancel", "charge"}
    assert {sum(counts) for counts in seen.values()} == {0}


async def test_an_event_that_breaks_each_time_is_handed_to_the_operators(shop: Shop, fake) -> None:
    _, redirect = await shop.buys()
    await shop.hears("fake", await fake.pay(redirect))
    fake.broken = ValueError("a bug")
    await shop.works()
    assert await shop.incidents() == []
    await write(
        shop.logins, "UPDATE webhook_event SET received_at = $1, next_try_at = received_at",
        machine_now() - timedelta(days=4),
    )  # fmt: skip
    await shop.works()

    [kept] = await shop.inbox()
    assert kept["outcome"] == "given_up"
    assert await shop.incidents() == ["payment_event_lost"]


async def test_who_takes_no_payments_is_not_there(shop: Shop) -> None:
    nothing = await shop.browser.get("/api/nothing")
    answer = await shop.browser.post("/api/webhooks/przelewy24", json={})
    assert (answer.status_code, answer.content) == (404, nothing.content)
