"""Answers and errors of plugins are validated on entry: a bad one costs one driver or message."""

import asyncio
import math
import time
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import msgspec
import pytest
from sqlalchemy import update

from faults.test_deliveries import MAIL, SMS, DeliveryScenario
from prawko.apps.web import webhooks
from prawko.hooks.channels import DeliveryError
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import CodedText, RegisterError, RegisterErrorKind
from prawko.hooks.payments import Money, NextAction, PaymentMethod, PaymentRef
from prawko.hooks.webhooks import MAX_EVENT_ID_LENGTH
from prawko.kit.backoff import MAX_ATTEMPTS
from prawko.kit.deliveries import channel_sender, delivery_results, send_slots
from prawko.kit.deliveries.senders import ChannelSenders, deliver_due
from prawko.kit.incidents.plugin_faults import PLUGIN_FAILING
from prawko.kit.outbox.models import Delivery
from prawko.kit.outbox.repository import DeliveryRepository
from prawko.kit.providers import calls
from prawko.kit.work import leased_work as work
from prawko.payments.errors import PaymentUnavailableError
from prawko_testing.fake_payments import FakePaymentProvider
from prawko_testing.fakes import licence_answer
from support.database import fetch_rows
from support.fleet import licence_numbers
from support.payments import PaymentScenario

pytestmark = pytest.mark.anyio


class Shout(str):
    """A text whose methods say that it is valid."""

    __slots__ = ()

    def __str__(self) -> str:
        return "Wydany"

    lower = casefold = strip = __str__


HEALTHY_SECONDS = 5.0
LICENCES = licence_numbers(6)
ODD = LICENCES[2]
ANSWER = licence_answer(ODD)
ODD_ANSWERS = {
    "a state that is text": msgspec.structs.replace(ANSWER, state="Wydany"),
    "raw that is no JSON": msgspec.structs.replace(ANSWER, raw={"x": object()}),
    "NUL characters": msgspec.structs.replace(ANSWER, issuing_authority="Star\x00osta"),
    "a date that is text": msgspec.structs.replace(ANSWER, expires="soon"),
    "a date with a time": msgspec.structs.replace(ANSWER, expires=datetime.now(UTC)),
    "a state of a class derived from str": msgspec.structs.replace(
        ANSWER, state=CodedText("W", Shout("Zatrzymany"))
    ),
    "reasons that are a generator": msgspec.structs.replace(ANSWER, reasons=iter(())),
    "a code that is a number": msgspec.structs.replace(
        ANSWER, state=CodedText(code=True, text="Wydany")
    ),
    "a number": 7,
    "an odd kind of error": RegisterError("broken", "x"),
    "an error without a delay": RegisterError(
        RegisterErrorKind.UNAVAILABLE, "x", retry_after=math.nan
    ),
    "an error with an endless delay": RegisterError(
        RegisterErrorKind.UNAVAILABLE, "x", retry_after=math.inf
    ),
    "an error with a decimal delay": RegisterError(
        RegisterErrorKind.UNAVAILABLE, "x", retry_after=Decimal("NaN")
    ),
    "an error with a negative delay": RegisterError(
        RegisterErrorKind.UNAVAILABLE, "x", retry_after="-5"
    ),
}


@pytest.mark.parametrize("answer", ODD_ANSWERS.values(), ids=ODD_ANSWERS)
async def test_a_wrong_answer_costs_one_driver(
    fleet, clock, register, run_daily_check, anna, answer
) -> None:
    await fleet.add_companies(LICENCES, clock.now(), companies=2)
    register.answers[ODD] = answer
    driver = await anna.add_driver("AA123456")
    register.answers["AA123456"] = answer

    await run_daily_check()
    checked = await anna.post(f"/api/drivers/{driver}/verify")

    statuses = await fleet.statuses()
    assert {number for number, status in statuses.items() if status == "unknown"} == {
        ODD, "AA123456",
    }  # fmt: skip
    item = (await fleet.latest_items())[ODD]
    assert (item["state"], item["attempts"]) == ("due", 1)
    assert item["error_kind"] in {"invalid_response", "unavailable"}
    assert clock.now() < item["next_try_at"] <= clock.now() + timedelta(hours=1)
    assert checked.status_code in {502, 503}
    assert checked.json()["error"] == "verification_failed"

    register.answers.clear()
    clock.forward(hours=1)
    await run_daily_check()
    assert set((await fleet.statuses()).values()) == {"valid"}


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"expires": date.min}, "attention"),
        ({"expires": date.max}, "valid"),
        ({"state": CodedText("W", " Wydany ")}, "valid"),
        ({"state": CodedText("W", "wydany")}, "valid"),
    ],
    ids=["year 1", "year 9999", "blanks", "other case"],
)
async def test_an_odd_answer_is_read_to_the_letter(
    fleet, clock, register, run_daily_check, anna, changes, status
) -> None:
    await fleet.add_companies(LICENCES, clock.now(), companies=2)
    driver = await anna.add_driver("AA123456")
    register.answers["AA123456"] = msgspec.structs.replace(licence_answer("AA123456"), **changes)

    await run_daily_check()

    statuses = await fleet.statuses()
    assert statuses.pop("AA123456") == status
    assert set(statuses.values()) == {"valid"}
    for page in (f"/api/drivers/{driver}", "/api/drivers", "/api/drivers/summary"):
        assert (await anna.get(page)).status_code == 200


async def test_an_answer_that_cannot_be_written_costs_one_driver(
    fleet, clock, run_daily_check
) -> None:
    await fleet.add_companies(LICENCES, clock.now(), companies=2)
    await fleet.admin.execute(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " IF NEW.license_number = TG_ARGV[0] THEN RAISE EXCEPTION 'no'; END IF;"
        " RETURN NEW; END $$"
    )
    await fleet.admin.execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON register_answer"
        f" FOR EACH ROW EXECUTE FUNCTION refuse('{ODD}')"
    )
    try:
        await run_daily_check()
    finally:
        await fleet.admin.execute("DROP TRIGGER refuse ON register_answer; DROP FUNCTION refuse()")

    statuses = await fleet.statuses()
    assert {number for number, status in statuses.items() if status == "unknown"} == {ODD}
    assert (await fleet.latest_items())[ODD]["error_kind"] is not None


async def test_one_refused_document_pauses_no_query_and_is_put_aside(
    fleet, clock, register, run_daily_check, anna
) -> None:
    await fleet.add_companies(LICENCES, clock.now(), companies=2)
    for number in LICENCES[::2]:  # of one company
        register.answers[number] = ProviderAccountError("the server answered 403")

    await run_daily_check()

    statuses = await fleet.statuses()
    assert {number for number, status in statuses.items() if status == "valid"} == set(
        LICENCES[1::2]
    )
    limiter = "SELECT count(*) FROM register_limiter WHERE account_error IS NOT NULL"
    assert await fleet.fetch_value(limiter) == 0
    items = await fleet.latest_items()
    for number in LICENCES[::2]:
        assert (items[number]["state"], items[number]["attempts"]) == ("due", 0)
        assert items[number]["next_try_at"] >= clock.now() + timedelta(minutes=59)
    checked = await anna.post(f"/api/drivers/{await anna.add_driver('AA123456')}/verify")
    assert checked.status_code == 200, "nobody else waits"


@pytest.fixture
def outbox(worker, logins) -> DeliveryScenario:
    return DeliveryScenario(worker, logins)


@pytest.mark.parametrize(
    ("returned", "stored"),
    [
        (7, None),
        (b"ref", None),
        ("a\x00b", "ab"),
        ("x" * 100_000, "x" * MAX_EVENT_ID_LENGTH),
    ],
    ids=["number", "bytes", "NUL", "long"],
)
async def test_a_message_is_sent_once_whatever_the_channel_returns(
    outbox, monkeypatch, returned, stored
) -> None:
    async def send(message, recipient, *, idempotency_key):
        outbox.mail.attempted_keys.append(idempotency_key)
        return returned

    monkeypatch.setattr(outbox.mail, "send", send)
    await outbox.enqueue_messages("a", "b")

    await outbox.deliver()
    await outbox.deliver()

    attempts = Counter(outbox.mail.attempted_keys)
    assert (attempts["a"], attempts["b"]) == (1, 1)
    row = await outbox.delivery_row("a")
    assert (row["state"], row["attempts"], row["carrier_ref"]) == ("sent", 1, stored)
    incidents = await fetch_rows(outbox.logins, "SELECT kind, key, detail FROM incident")
    [incident] = incidents
    assert (incident["kind"], incident["key"]) == (PLUGIN_FAILING, "channel carrier-email")
    assert "send returned" in incident["detail"]


@pytest.mark.parametrize("attempts", [1, MAX_ATTEMPTS])
async def test_what_was_handed_over_is_not_sent_again_when_it_could_not_be_recorded(
    outbox, monkeypatch, attempts
) -> None:
    mark_sent = DeliveryRepository.mark_sent

    async def fail(self, *arguments):
        raise ConnectionError

    monkeypatch.setattr(DeliveryRepository, "mark_sent", fail)
    monkeypatch.setattr(channel_sender, "LONGEST_LEASE", timedelta(seconds=32))
    monkeypatch.setattr(channel_sender, "SEND_SECONDS", 30.0)
    monkeypatch.setattr(delivery_results, "retry_write", lambda _ends, write, **_options: write())
    await outbox.enqueue_messages("a")
    assert await outbox.deliver() == 0
    assert (await outbox.delivery_row("a"))["state"] == "pending"

    monkeypatch.setattr(DeliveryRepository, "mark_sent", mark_sent)
    async with outbox.context.database.system() as session:
        await session.execute(update(Delivery).values(attempts=attempts))
    await outbox.advance_time(minutes=10)
    await outbox.deliver()

    assert outbox.mail.attempted_keys == ["a"]
    row = await outbox.delivery_row("a")
    assert (row["state"], row["carrier_ref"]) == ("sent", "ref-a")


async def test_a_channel_that_hangs_delays_no_other_and_rests(outbox, monkeypatch) -> None:
    monkeypatch.setattr(channel_sender, "SEND_SECONDS", 1.0)
    hung = asyncio.Event()

    async def hang(key: str) -> None:
        hung.set()
        await asyncio.Event().wait()

    outbox.sms.behaviour = hang
    senders = ChannelSenders()
    await outbox.enqueue_messages(*(f"sms{n}" for n in range(10)), medium=SMS)
    hanging = asyncio.create_task(senders.run(outbox.context, outbox.registry))
    async with asyncio.timeout(30):
        await hung.wait()

    await outbox.enqueue_messages("mail", medium=MAIL)
    await senders.run(outbox.context, outbox.registry)
    assert outbox.mail.delivered_keys == ["mail"]
    assert not hanging.done()

    await hanging
    attempted = len(outbox.sms.attempted_keys)
    assert attempted == send_slots.MAX_CONCURRENCY
    await senders.run(outbox.context, outbox.registry)
    assert len(outbox.sms.attempted_keys) == attempted, "it rests"
    states = await fetch_rows(
        outbox.logins, "SELECT DISTINCT state FROM delivery WHERE key ~ 'sms'"
    )
    assert [row["state"] for row in states] == ["pending"]
    [incident] = await fetch_rows(
        outbox.logins, "SELECT key, detail FROM incident WHERE kind = $1", PLUGIN_FAILING
    )
    assert incident["key"] == "channel carrier-sms"
    assert incident["detail"].endswith("it did not end within 1 s")


@pytest.mark.parametrize("number", [1, 7])
async def test_messages_that_hang_delay_no_other_of_their_channel(
    outbox, monkeypatch, number
) -> None:
    monkeypatch.setattr(channel_sender, "SEND_SECONDS", 14.0)
    hung = asyncio.Semaphore(0)
    released = asyncio.Event()

    async def hang(key: str) -> None:
        if key.startswith("slow"):
            hung.release()
            await released.wait()

    outbox.sms.behaviour = hang
    senders = ChannelSenders()
    await outbox.enqueue_messages(*(f"slow{n}" for n in range(number)), medium=SMS)
    hanging = asyncio.create_task(senders.run(outbox.context, outbox.registry))
    for _ in range(number):
        await hung.acquire()

    started_at = time.monotonic()
    for key in ("next", "last"):
        await outbox.enqueue_messages(*(f"{key}{n}" for n in range(20)), medium=SMS)
        await senders.run(outbox.context, outbox.registry)  # as the job of these messages does
        async with asyncio.timeout(20):
            while len([one for one in outbox.sms.delivered_keys if one.startswith(key)]) < 20:  # noqa: ASYNC110
                await asyncio.sleep(0.05)

    waited = time.monotonic() - started_at
    assert waited < HEALTHY_SECONDS, f"{waited:.1f} s"
    assert not hanging.done()
    assert len(set(outbox.sms.attempted_keys)) == len(outbox.sms.attempted_keys)
    released.set()
    await hanging
    assert len(outbox.sms.delivered_keys) == number + 40


async def test_a_channel_claims_no_more_than_it_can_send_within_the_lease(
    outbox, monkeypatch
) -> None:
    released = asyncio.Event()

    async def hang(key: str) -> None:
        await released.wait()

    monkeypatch.setattr(work, "CLAIM_SECONDS", 0.1)
    outbox.sms.behaviour = hang
    await outbox.enqueue_messages(*(f"sms{n}" for n in range(40)), medium=SMS)
    sending = asyncio.create_task(deliver_due(outbox.context, outbox.registry))
    await asyncio.sleep(1.0)

    [row] = await fetch_rows(
        outbox.logins, "SELECT count(*) AS claimed FROM delivery WHERE carrier IS NOT NULL"
    )
    assert row["claimed"] == channel_sender.BATCH_SIZE
    assert len(outbox.sms.attempted_keys) == send_slots.MAX_CONCURRENCY
    released.set()
    assert await sending == 40


@pytest.mark.parametrize("retry_after", [0, -1, math.nan, "now"])
async def test_a_carrier_that_names_no_delay_is_not_asked_again_at_once(
    outbox, retry_after
) -> None:
    outbox.mail.fail_with(DeliveryError("429", retry_after=retry_after))
    await outbox.enqueue_messages("a")
    await outbox.deliver()
    await outbox.deliver()

    assert outbox.mail.attempted_keys == ["a"]
    assert (await outbox.delivery_row("a"))["state"] == "pending"


@pytest.fixture
def providers() -> list[FakePaymentProvider]:
    return [FakePaymentProvider()]


@pytest.fixture
def variables(variables) -> dict[str, str]:
    return {**variables, "PAYMENT_PROVIDERS": "fake"}


REF = PaymentRef("a" * 35, "ref")


@pytest.mark.parametrize(
    "answer",
    [
        None,
        7,
        NextAction(ref=REF, url="javascript:alert(1)"),
        NextAction(ref=REF, url="javascript://pay.test/%0aalert(1)"),
        NextAction(ref=PaymentRef("no reference"), url="https://pay.test/"),
        NextAction(ref=PaymentRef("a", "\x00"), url="https://pay.test/"),
        NextAction(ref=REF, url=7),
        NextAction(ref=REF, url="https://pay.test/", expires_in_seconds="soon"),
        NextAction(ref=REF, url="http://pay.test/"),
        NextAction(ref=PaymentRef("another"), url="https://pay.test/"),
    ],
    ids=[
        "none", "number", "script", "script with host", "reference", "NUL", "url", "time",
        "unencrypted", "another payment",
    ],
)  # fmt: skip
async def test_a_wrong_next_step_makes_a_payment_unavailable(
    worker, context, logins, new_browser, providers, monkeypatch, answer
) -> None:
    scenario = PaymentScenario(context, worker, logins, new_browser())
    await scenario.create_company()

    async def create_payment(request):
        # All but two answers are wrong about the right payment.
        is_ours = isinstance(answer, NextAction) and answer.ref == REF
        ref = PaymentRef(request.reference, "ref")
        return msgspec.structs.replace(answer, ref=ref) if is_ours else answer

    monkeypatch.setattr(providers[0], "create_payment", create_payment)
    with pytest.raises(PaymentUnavailableError):
        await scenario.start_payment(PaymentMethod.CARD)


@pytest.mark.parametrize("error", [RecursionError, SystemExit, ValueError])
async def test_a_webhook_that_its_plugin_cannot_parse_is_malformed(
    new_browser, providers, monkeypatch, error
) -> None:
    def parse_webhook(request):
        raise error

    monkeypatch.setattr(providers[0], "parse_webhook", parse_webhook)
    assert (await new_browser().post("/api/webhooks/fake", json={})).status_code == 400


async def test_a_webhook_that_blocks_and_fails_is_one_incident(
    new_browser, providers, monkeypatch
) -> None:
    def parse_webhook(request):
        raise ValueError

    faults = []
    monkeypatch.setattr(webhooks, "record_fault", lambda *call, **_: faults.append(call))
    monkeypatch.setattr(calls, "BLOCK_SECONDS", 0.0)
    monkeypatch.setattr(providers[0], "parse_webhook", parse_webhook)
    assert (await new_browser().post("/api/webhooks/fake", json={})).status_code == 400
    assert not faults  # the block is


@pytest.mark.parametrize("event", [7, Money(1), "paid"])
async def test_a_webhook_parsed_into_nonsense_is_malformed(
    new_browser, providers, monkeypatch, event
) -> None:
    monkeypatch.setattr(providers[0], "parse_webhook", lambda _: event)
    assert (await new_browser().post("/api/webhooks/fake", json={})).status_code == 400
