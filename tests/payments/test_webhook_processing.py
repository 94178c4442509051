"""Webhooks of payment providers are verified, stored, and applied only after a query."""

import asyncio
from datetime import timedelta
from random import Random
from uuid import uuid4

import msgspec
import pytest
from sqlalchemy import text

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.payments import (
    Money,
    PaymentError,
    PaymentEventKind,
    PaymentMethod,
    PaymentRef,
    PaymentState,
)
from prawko.kit.clock import utc_now
from prawko.kit.webhooks.repository import NewEvent, WebhookEventRepository
from prawko.payments.order_handler import FulfilmentResult
from prawko_testing.fake_payments import FakePaymentProvider
from support.database import age_tries, execute_as_owner, fetch_rows
from support.payments import (
    ANNA_PAYER,
    PRICE,
    PaymentScenario,
    final_states,
    run_as_in_several_processes,
    signed_webhook,
)

pytestmark = pytest.mark.anyio


async def test_a_webhook_is_stored_encrypted_and_applied_after_a_query(
    scenario: PaymentScenario, fake
) -> None:
    payment_id, action = await scenario.start_payment()
    call = await fake.pay(action)
    assert [await scenario.post_webhook("fake", call) for _ in range(5)] == [200] * 5

    [stored] = await scenario.webhook_events()
    assert stored["processed_at"] is None
    assert action.ref.reference.encode() not in stored["body"]
    assert await scenario.payment_state(payment_id) == "open"

    assert await scenario.process_webhooks() == 1
    assert await scenario.process_webhooks() == 0
    [processed] = await scenario.webhook_events()
    assert (processed["outcome"], processed["body"]) == ("applied", None)
    assert await scenario.payment_state(payment_id) == "paid"
    assert await scenario.handler_events(payment_id) == ["sold"]
    assert fake.payments[action.ref.reference].state is PaymentState.PAID, "the money was taken"


async def test_one_event_is_claimed_at_a_time_in_any_query_plan(context, worker, logins) -> None:
    now = utc_now()
    async with context.database.system() as session:
        await WebhookEventRepository(session).insert(
            "fake", [NewEvent("a", b"{}")], context.key_ring, now
        )
    await execute_as_owner(
        logins, "ANALYZE webhook_event"
    )  # of one row, it is joined in another order
    async with context.database.system() as session:
        new_events = [NewEvent("b", b"{}"), NewEvent("c", b"{}")]
        await WebhookEventRepository(session).insert("fake", new_events, context.key_ring, now)
    async with worker.database.system() as session:
        for plan in ("hashjoin", "mergejoin", "material", "indexscan", "bitmapscan"):
            await session.execute(text(f"SET LOCAL enable_{plan} = off"))
        claimed = [
            event.event_id
            for _ in range(4)
            for event in await WebhookEventRepository(session).claim({"fake"}, now)
        ]

    assert claimed == ["a", "b", "c"]


async def test_the_content_of_a_webhook_is_not_trusted(scenario: PaymentScenario, fake) -> None:
    payment_id, action = await scenario.start_payment()
    await scenario.post_webhook(
        "fake", signed_webhook(fake, action.ref.reference, PaymentEventKind.PAID, "lie")
    )
    await scenario.process_webhooks()

    assert await scenario.payment_state(payment_id) == "open"
    assert await scenario.handler_events(payment_id) == []
    [stored] = await scenario.webhook_events()
    assert stored["processed_at"] is None, "it may be early: the provider is asked again"


async def test_a_forged_webhook_is_not_stored(scenario: PaymentScenario, fake) -> None:
    payment_id, action = await scenario.start_payment()
    call = await fake.pay(action)
    forged_requests = [
        msgspec.structs.replace(call, headers={}),
        msgspec.structs.replace(call, headers={"x-fake-signature": "00" * 32}),
        msgspec.structs.replace(call, body=call.body + b" "),
        FakePaymentProvider(b"another secret").signed_request(call.body),
    ]

    assert [await scenario.post_webhook("fake", forged) for forged in forged_requests] == [401] * 4
    assert await scenario.webhook_events() == []
    await scenario.process_webhooks()
    assert await scenario.payment_state(payment_id) == "open"


async def test_ten_refused_webhooks_within_an_hour_are_an_incident(
    scenario: PaymentScenario, fake, logins
) -> None:
    _, action = await scenario.start_payment()
    call = await fake.pay(action)
    forged = msgspec.structs.replace(call, headers={})
    for _ in range(9):
        await scenario.post_webhook("fake", forged)
    await scenario.process_webhooks()
    assert await scenario.open_incidents() == []
    assert [await scenario.post_webhook("fake", forged) for _ in range(5)] == [401] * 5

    await scenario.process_webhooks()
    assert await scenario.open_incidents() == ["webhooks_refused"]

    await age_tries(logins, minutes=61)
    await scenario.process_webhooks()
    assert await scenario.open_incidents() == []
    assert await scenario.post_webhook("fake", call) == 200, "a right one is accepted all along"


async def test_a_malformed_webhook_is_not_stored(scenario: PaymentScenario, fake) -> None:
    _, action = await scenario.start_payment()
    key = action.ref.reference
    malformed = [
        fake.signed_request(b"{}"),
        fake.signed_request(b"[1"),
        signed_webhook(fake, key, PaymentEventKind.PAID, "x" * 401),
        signed_webhook(fake, key, PaymentEventKind.PAID, "a\x00b"),
        signed_webhook(fake, key, PaymentEventKind.PAID, "much", Money(2**53 + 1)),
    ]

    assert [await scenario.post_webhook("fake", request) for request in malformed] == [400] * 5
    assert await scenario.webhook_events() == []


@pytest.mark.parametrize("error", [RecursionError, ValueError, KeyError, TypeError, LookupError])
async def test_whatever_a_plugin_raises_in_parsing_is_a_malformed_webhook(
    scenario: PaymentScenario, fake, monkeypatch, error
) -> None:
    def parse_webhook(_):
        raise error("the stranger chose these bytes")

    monkeypatch.setattr(fake, "parse_webhook", parse_webhook)

    assert await scenario.post_webhook("fake", fake.signed_request(b"{}")) == 400
    assert await scenario.webhook_events() == []


async def test_any_order_of_four_webhooks_has_the_same_result(
    scenario: PaymentScenario, fake
) -> None:
    async def script(action):
        key = action.ref.reference
        await fake.fail(action)
        paid = await fake.pay(action)
        return [
            signed_webhook(fake, key, PaymentEventKind.FAILED, "first"),
            paid,
            signed_webhook(fake, key, PaymentEventKind.REFUND_FAILED, "refund"),
            signed_webhook(fake, key, PaymentEventKind.PAID, "again"),
        ]

    assert await final_states(scenario, fake, PaymentMethod.CARD, script) == {
        ("paid", ("sold",), ())
    }


async def test_any_order_of_webhooks_ends_with_the_refund(scenario: PaymentScenario, fake) -> None:
    paid = {}

    async def post_paid(action):
        paid[action.ref.reference] = await fake.pay(action)
        return [paid[action.ref.reference]]

    async def script(action):
        key = action.ref.reference
        await fake.refund(PaymentRef(key), PRICE, refund_reference=f"back{key}")
        return [
            paid[key],
            signed_webhook(fake, key, PaymentEventKind.REFUND_FAILED, "partly"),
            signed_webhook(fake, key, PaymentEventKind.REFUNDED, "back"),
            signed_webhook(fake, key, PaymentEventKind.FAILED, "first"),
        ]

    assert await final_states(scenario, fake, PaymentMethod.CARD, script, first=post_paid) == {
        ("refunded", ("sold", "taken back"), ("refunded_elsewhere",))
    }


async def test_webhooks_during_changes_have_the_same_result(
    scenario: PaymentScenario, fake
) -> None:
    for seed in range(20):
        await run_random_sequence(scenario, fake, Random(seed))


async def run_random_sequence(
    scenario: PaymentScenario, fake: FakePaymentProvider, random: Random
) -> None:
    """The payment changes between webhooks, each of which may be early, late or repeated."""
    payment_id, action = await scenario.start_payment()
    key = action.ref.reference
    webhooks = []
    for result in ("fail", "pay", "refund"):
        match result:
            case "fail":
                webhooks.append(await fake.fail(action))
            case "pay":
                webhooks.append(await fake.pay(action))
            case "refund":
                while fake.payments[key].state is not PaymentState.PAID:
                    await scenario.post_webhook("fake", webhooks[1])
                    await scenario.process_webhooks()
                await fake.refund(PaymentRef(key), PRICE, refund_reference=f"back{key}")
                webhooks.append(signed_webhook(fake, key, PaymentEventKind.REFUNDED, "back"))
        for _ in range(random.randrange(4)):
            await scenario.post_webhook("fake", random.choice(webhooks))
            if random.random() < 0.5:
                await scenario.process_webhooks()
    for call in random.sample(webhooks, 3):
        await scenario.post_webhook("fake", call)
    await scenario.process_webhooks()

    assert await scenario.payment_state(payment_id) == "refunded"
    events = await scenario.handler_events(payment_id)
    assert events[-2:] == ["sold", "taken back"]
    assert len(events) == len(set(events))


async def test_an_order_paid_twice_is_reported_and_fulfilled_once(
    scenario: PaymentScenario, fake
) -> None:
    order = uuid4()
    first, first_payment = await scenario.start_payment(order_id=order)
    second, second_payment = await scenario.start_payment(PaymentMethod.BLIK, order_id=order)
    for action in (first_payment, second_payment):
        await scenario.post_webhook("fake", await fake.pay(action))
    await scenario.process_webhooks()

    assert [await scenario.payment_state(payment) for payment in (first, second)] == [
        "paid",
        "paid",
    ]
    assert sorted(
        [*await scenario.handler_events(first), *await scenario.handler_events(second)]
    ) == ["sold"]
    [discrepancy] = await scenario.discrepancies()
    assert (discrepancy["kind"], discrepancy["grosze"]) == ("paid_twice", 18327)
    assert discrepancy["tenant_id"] == scenario.tenant_id
    assert await scenario.open_incidents() == ["paid_twice"]


async def test_another_payment_with_the_same_reference_is_reported(
    scenario: PaymentScenario, fake
) -> None:
    payment_id, action = await scenario.start_payment(PaymentMethod.TRANSFER)
    key = action.ref.reference
    await scenario.post_webhook("fake", await fake.pay(action))
    await scenario.process_webhooks()
    for _ in range(3):
        fake.payments[key] = msgspec.structs.replace(
            fake.payments[key], ref=PaymentRef(key, "another line of the statement")
        )
        await scenario.post_webhook(
            "fake", signed_webhook(fake, key, PaymentEventKind.PAID, f"line {_}")
        )
        await scenario.process_webhooks()

    assert await scenario.handler_events(payment_id) == ["sold"]
    assert [discrepancy["kind"] for discrepancy in await scenario.discrepancies()] == ["paid_twice"]


@pytest.mark.parametrize(
    ("money", "kind"),
    [
        (Money(18326), "wrong_amount"),
        (Money(18328), "wrong_amount"),
        (Money(18327, "EUR"), "wrong_currency"),
    ],
    ids=str,
)
async def test_another_amount_is_reported_and_fulfils_nothing(
    scenario: PaymentScenario, fake, money, kind
) -> None:
    payment_id, action = await scenario.start_payment()
    call = await fake.pay(action, money)
    for _ in range(3):
        await scenario.post_webhook("fake", call)
        await scenario.process_webhooks()
        await scenario.poll_open()

    assert await scenario.payment_state(payment_id) == "mismatched"
    assert await scenario.handler_events(payment_id) == []
    [discrepancy] = await scenario.discrepancies()
    assert (discrepancy["kind"], discrepancy["grosze"], discrepancy["currency"]) == (
        kind, money.grosze, money.currency,
    )  # fmt: skip
    assert await scenario.open_incidents() == [kind]
    assert fake.payments[action.ref.reference].state is PaymentState.AUTHORIZED, "it was not taken"


async def test_an_unknown_payment_is_reported(scenario: PaymentScenario, fake) -> None:
    action = await fake.create_payment(scenario.make_request(reference="STRANGER0001"))
    call = await fake.pay(action)
    for _ in range(3):
        assert await scenario.post_webhook("fake", call) == 200
        await scenario.process_webhooks()

    [stored] = await scenario.webhook_events()
    assert stored["outcome"] == "unknown"
    [discrepancy] = await scenario.discrepancies()
    assert (discrepancy["kind"], discrepancy["reference"], discrepancy["tenant_id"]) == (
        "unknown_payment", "STRANGER0001", None,
    )  # fmt: skip
    assert await scenario.open_incidents() == ["unknown_payment"]
    assert fake.payments["STRANGER0001"].state is PaymentState.AUTHORIZED


@pytest.mark.parametrize("verdict", ["paid_twice", "void", "suspended"])
async def test_a_payment_that_billing_cannot_fulfil_is_reported(
    scenario: PaymentScenario, fake, verdict
) -> None:
    scenario.order_handler.forced_result = FulfilmentResult(verdict)
    payment_id, action = await scenario.start_payment()
    await scenario.post_webhook("fake", await fake.pay(action))
    await scenario.process_webhooks()

    kind = "void_order" if verdict == "void" else verdict
    assert await scenario.payment_state(payment_id) == "paid"
    assert [discrepancy["kind"] for discrepancy in await scenario.discrepancies()] == [kind]
    assert await scenario.open_incidents() == [kind]


async def test_no_webhook_is_lost_while_a_provider_is_down(scenario: PaymentScenario, fake) -> None:
    payment_id, action = await scenario.start_payment()
    await scenario.post_webhook("fake", await fake.pay(action))
    fake.failure = PaymentError("too many", retry_after=1800.0)
    await scenario.process_webhooks()
    [stored] = await scenario.webhook_events()
    assert stored["next_try_at"] > utc_now() + timedelta(minutes=29), "as it asked for"
    await clear_waits(scenario)
    fake.failure = PaymentError("nobody is there")
    for _ in range(29):
        await scenario.process_webhooks()
        await clear_waits(scenario)
    [stored] = await scenario.webhook_events()
    assert (stored["processed_at"], stored["attempts"]) == (None, 30)
    assert await scenario.open_incidents() == ["payments_waiting"]
    assert await scenario.payment_state(payment_id) == "open"

    fake.failure = None
    await scenario.process_webhooks()
    assert await scenario.payment_state(payment_id) == "paid"
    assert await scenario.handler_events(payment_id) == ["sold"]
    assert await scenario.open_incidents() == []


async def clear_waits(scenario: PaymentScenario) -> None:
    """Whatever waits for its time need not wait: events, payments, providers that rest."""
    await execute_as_owner(
        scenario.logins,
        "UPDATE webhook_event SET next_try_at = now() - interval '1 s', lease_until = NULL",
    )
    await execute_as_owner(
        scenario.logins, "UPDATE provider_pause SET paused_until = now() - interval '1 s'"
    )


async def test_a_refused_account_pauses_the_provider_and_is_reported_at_once(
    scenario: PaymentScenario, fake, enqueued_jobs
) -> None:
    payment_id, action = await scenario.start_payment()
    await scenario.post_webhook("fake", await fake.pay(action))
    fake.failure = ProviderAccountError("the key was refused, anna@acme.test waits")
    await scenario.process_webhooks()
    assert await scenario.open_incidents() == ["payments_refused"]
    [incident] = await fetch_rows(scenario.logins, "SELECT detail FROM incident")
    assert incident["detail"] == "the key was refused, … waits"
    calls = scenario.worker.clock
    calls.forward(minutes=20)
    assert (await scenario.process_webhooks(), await scenario.poll_open()) == (0, 0), (
        "it is left alone"
    )

    await clear_waits(scenario)
    await scenario.process_webhooks()
    assert await scenario.open_incidents() == ["payments_refused"], "one mail, however often"
    fake.failure = None
    await clear_waits(scenario)
    await scenario.process_webhooks()
    assert await scenario.payment_state(payment_id) == "paid"
    assert await scenario.open_incidents() == []


async def test_a_crash_after_the_response_changes_nothing(scenario: PaymentScenario, fake) -> None:
    payment_id, action = await scenario.start_payment()
    await scenario.post_webhook("fake", await fake.pay(action))
    scenario.order_handler.error_to_raise = RuntimeError("the power is off")
    await scenario.process_webhooks()
    assert fake.payments[action.ref.reference].state is PaymentState.PAID, "the provider has it"
    assert await scenario.payment_state(payment_id) == "open"
    assert await scenario.handler_events(payment_id) == []

    await clear_waits(scenario)
    await scenario.process_webhooks()
    assert await scenario.payment_state(payment_id) == "paid"
    assert await scenario.handler_events(payment_id) == ["sold"]


FAILS_AT_ITS_COMMIT = """
    CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE 'there is no space left'; END
    $$;
    CREATE CONSTRAINT TRIGGER fails AFTER UPDATE ON payment
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fails();
    CREATE CONSTRAINT TRIGGER fails AFTER INSERT ON payment_discrepancy
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fails()
"""


async def test_an_event_is_completed_with_its_effect_or_not_at_all(
    scenario: PaymentScenario, fake
) -> None:
    payment_id, action = await scenario.start_payment()
    await scenario.post_webhook("fake", await fake.pay(action))
    unknown = await fake.create_payment(scenario.make_request(reference="STRANGER0001"))
    await scenario.post_webhook("fake", await fake.pay(unknown))
    await execute_as_owner(scenario.logins, FAILS_AT_ITS_COMMIT)
    await scenario.process_webhooks()
    assert scenario.order_handler.call_counts == {payment_id: 1}
    assert [row["processed_at"] for row in await scenario.webhook_events()] == [None, None]
    assert await scenario.payment_state(payment_id) == "open"
    assert await scenario.discrepancies() == []

    await execute_as_owner(scenario.logins, "DROP FUNCTION fails CASCADE")
    await clear_waits(scenario)
    await scenario.process_webhooks()
    assert {row["outcome"] for row in await scenario.webhook_events()} == {"applied", "unknown"}
    assert await scenario.handler_events(payment_id) == ["sold"]
    assert [discrepancy["kind"] for discrepancy in await scenario.discrepancies()] == [
        "unknown_payment"
    ]


async def test_the_event_of_a_crashed_worker_is_processed_after_the_lease(
    scenario: PaymentScenario, fake
) -> None:
    payment_id, action = await scenario.start_payment()
    await scenario.post_webhook("fake", await fake.pay(action))
    calls = asyncio.Event()
    confirm = fake.capture

    async def wait_forever(*_, **__):
        calls.set()
        await asyncio.Event().wait()

    fake.capture = wait_forever
    interrupted = asyncio.create_task(scenario.process_webhooks())
    await calls.wait()
    interrupted.cancel()
    await asyncio.gather(interrupted, return_exceptions=True)
    fake.capture = confirm
    assert await scenario.process_webhooks() == 0, "its lease has not ended"

    await clear_waits(scenario)
    assert await scenario.process_webhooks() == 1
    assert await scenario.handler_events(payment_id) == ["sold"]


async def test_concurrent_workers_apply_a_payment_once(
    scenario: PaymentScenario, fake, monkeypatch
) -> None:
    run_as_in_several_processes(monkeypatch)
    payments = [await scenario.start_payment() for _ in range(4)]
    for _, action in payments:
        call = await fake.pay(action)
        await scenario.post_webhook("fake", call)
        repeated = signed_webhook(fake, action.ref.reference, PaymentEventKind.PAID, "again")
        await scenario.post_webhook("fake", repeated)
    scenario.worker.clock.forward(minutes=20)

    await asyncio.gather(
        *(scenario.process_webhooks() for _ in range(3)), *(scenario.poll_open() for _ in range(3))
    )

    for payment_id, _ in payments:
        assert await scenario.payment_state(payment_id) == "paid"
        assert await scenario.handler_events(payment_id) == ["sold"]
    assert {row["outcome"] for row in await scenario.webhook_events()} <= {"applied", "duplicate"}


async def test_the_same_answer_is_applied_once_by_concurrent_workers(
    scenario: PaymentScenario, fake, monkeypatch
) -> None:
    run_as_in_several_processes(monkeypatch)
    payment_id, action = await scenario.start_payment()
    await scenario.post_webhook("fake", await fake.pay(action))
    await scenario.post_webhook(
        "fake", signed_webhook(fake, action.ref.reference, PaymentEventKind.PAID, "again")
    )
    scenario.worker.clock.forward(minutes=20)
    barrier, confirm, status = asyncio.Barrier(3), fake.capture, fake.query_status

    async def confirmed(event, **options):
        captured = await confirm(event, **options)
        if not event.event_id.startswith("query:"):  # polling has waited already
            await barrier.wait()
        return captured

    async def query_together(ref):
        answer = await status(ref)
        await barrier.wait()
        return answer

    fake.capture = confirmed
    fake.query_status = query_together
    await asyncio.wait_for(
        asyncio.gather(
            scenario.process_webhooks(), scenario.process_webhooks(), scenario.poll_open()
        ),
        20,
    )

    assert await scenario.payment_state(payment_id) == "paid"
    assert scenario.order_handler.call_counts == {payment_id: 1}


async def test_no_transaction_is_open_during_a_providers_call(
    scenario: PaymentScenario, fake, fleet
) -> None:
    idle_counts: dict[str, list[int]] = {}
    for name in (
        "available_methods",
        "create_payment",
        "capture",
        "query_status",
        "cancel",
        "charge",
    ):
        calls = getattr(fake, name)

        async def watched(*args, name=name, calls=calls, **kwargs):
            idle_counts.setdefault(name, []).append(await fleet.count_idle_transactions())
            return await calls(*args, **kwargs)

        setattr(fake, name, watched)

    await scenario.payments.available_methods(PRICE)
    _, action = await scenario.start_payment(save_payment_method=True)
    await scenario.post_webhook("fake", await fake.pay(action))
    await scenario.process_webhooks()
    [mandate] = await fetch_rows(scenario.logins, "SELECT id FROM payment_mandate")
    async with scenario.context.database.tenant(scenario.tenant_id) as session:
        assert await session.scalar(text("SELECT count(*) FROM payment")) == 1
        assert await fleet.count_idle_transactions() == 1, "an open one is seen"
        columns = (
            uuid4(),
            PRICE,
            mandate["id"],
            "Prawko, 30 dni",
            ANNA_PAYER,
        )
        charge = await scenario.payments.create_charge(session, *columns)
    await scenario.payments.charge(scenario.tenant_id, charge)
    await scenario.start_payment()
    scenario.worker.clock.forward(minutes=20)
    await scenario.poll_open()

    assert idle_counts.keys() == {
        "available_methods", "create_payment", "capture", "query_status", "cancel", "charge",
    }  # fmt: skip
    assert {sum(counts) for counts in idle_counts.values()} == {0}


async def test_an_event_that_always_fails_is_reported(scenario: PaymentScenario, fake) -> None:
    _, action = await scenario.start_payment()
    await scenario.post_webhook("fake", await fake.pay(action))
    fake.failure = ValueError("a bug")
    await scenario.process_webhooks()
    assert await scenario.open_incidents() == []
    await execute_as_owner(
        scenario.logins, "UPDATE webhook_event SET received_at = $1, next_try_at = received_at",
        utc_now() - timedelta(days=4),
    )  # fmt: skip
    await scenario.process_webhooks()

    [stored] = await scenario.webhook_events()
    assert stored["outcome"] == "given_up"
    assert await scenario.open_incidents() == ["payment_event_lost"]


async def test_the_webhooks_of_an_unknown_provider_do_not_exist(scenario: PaymentScenario) -> None:
    nothing = await scenario.browser.get("/api/nothing")
    answer = await scenario.browser.post("/api/webhooks/przelewy24", json={})
    assert (answer.status_code, answer.content) == (404, nothing.content)


async def test_a_payment_that_the_provider_cannot_answer_for_yet_stops_no_other(
    scenario: PaymentScenario, fake
) -> None:
    _, late = await scenario.start_payment()
    paid_id, paid = await scenario.start_payment()
    early = await fake.pay(late)
    fake.payments[late.ref.reference] = msgspec.structs.replace(  # as the provider still has it
        fake.payments[late.ref.reference], state=PaymentState.OPEN
    )
    await scenario.post_webhook("fake", early)
    await scenario.post_webhook("fake", await fake.pay(paid))

    assert await scenario.process_webhooks() == 2
    assert await scenario.payment_state(paid_id) == "paid"
    outcomes = sorted(str(event["outcome"]) for event in await scenario.webhook_events())
    assert outcomes == ["None", "applied"]


async def test_a_dispute_is_an_incident_and_keeps_the_payment(
    scenario: PaymentScenario, fake
) -> None:
    payment_id, action = await scenario.start_payment()
    await scenario.post_webhook("fake", await fake.pay(action))
    await scenario.process_webhooks()
    await scenario.post_webhook("fake", fake.dispute(action))
    await scenario.process_webhooks()

    assert await scenario.payment_state(payment_id) == "paid"
    assert await scenario.handler_events(payment_id) == ["sold", "disputed"]
    assert await scenario.open_incidents() == ["disputed"]
