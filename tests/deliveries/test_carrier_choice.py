"""Several carriers of a medium: the next one sends while the first rests, and never what it has."""

import asyncio
import dataclasses
import itertools
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import msgspec
import pytest
from sqlalchemy import select, text, update
from sqlalchemy.exc import OperationalError

from prawko.hooks.channels import DeliveryError, Medium, Message, Recipient
from prawko.hooks.errors import ProviderAccountError
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.deliveries.carrier_choice import find_carrier, find_next_carrier, is_sent_by
from prawko.kit.deliveries.senders import deliver_due
from prawko.kit.incidents import service as incidents
from prawko.kit.incidents.operator_mail import render_operator_mails
from prawko.kit.outbox.models import Delivery, OutboxMessage
from prawko.kit.outbox.rendering import RenderedMessage, RendererRegistry
from prawko.kit.outbox.repository import DeliveryRepository
from prawko.kit.outbox.service import enqueue_messages
from prawko.kit.providers.registry import Plugins
from prawko.kit.work import leased_work
from prawko_testing.fakes import RecordingChannel
from support.crashes import ProcessKilled, let_crashes_pass
from support.database import fetch_rows

ANNA = Recipient(email="anna@acme.test", phone="+48600100200")
NAMES = ("first", "second", "third")

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("held_by", "attempts", "resting", "carrier"),
    [
        (None, 0, "", "first"),
        (None, 0, "first", "second"),
        (None, 0, "first second", "third"),
        (None, 0, "first second third", None),
        ("first", 0, "first", "second"),  # the first one's account was refused: it has nothing
        ("first", 1, "", "first"),
        ("first", 1, "first", None),  # it may have the message: nobody else sends it
        ("second", 1, "", "second"),  # although the first works again
        ("second", 3, "second", None),
        ("former", 1, "", "first"),  # the settings no longer name it
        (None, 1, "", "first"),  # tried before there were several
        (None, 1, "first", None),
    ],
)
def test_the_carrier_of_a_message(held_by, attempts, resting, carrier) -> None:
    assert find_carrier(held_by, attempts, NAMES, resting.split()) == carrier


@pytest.mark.parametrize(
    ("refused_by", "names", "resting", "following"),
    [
        ("first", NAMES, "", "second"),
        ("first", NAMES, "second", "third"),
        ("third", NAMES, "", "first"),
        ("first", NAMES, "second third", "first"),
        ("first", ("first",), "", "first"),
    ],
)
def test_the_carrier_after_a_refusal(refused_by, names, resting, following) -> None:
    assert find_next_carrier(refused_by, names, resting.split()) == following


async def test_the_database_claims_by_the_same_rule(worker) -> None:
    async with worker.database.system() as session:
        message = OutboxMessage(kind="test", medium=Medium.EMAIL, key="rule")
        await enqueue_messages(session, [message])
        for held_by, attempts in itertools.product([None, "former", *NAMES], [0, 1]):
            await session.execute(update(Delivery).values(carrier=held_by, attempts=attempts))
            for count in range(len(NAMES) + 1):
                for resting in itertools.combinations(NAMES, count):
                    claiming = {
                        name
                        for name in NAMES
                        if await session.scalar(
                            select(Delivery.id).where(is_sent_by(name, NAMES, resting))
                        )
                    }
                    carrier = find_carrier(held_by, attempts, NAMES, resting)
                    assert claiming == {carrier} - {None}, (held_by, attempts, resting)


def is_message(key: str) -> bool:
    return not key.startswith("operator:")


class Carrier(RecordingChannel):
    """A mail carrier that does what the test says."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.behaviour: Callable[[], None] = lambda: None

    @property
    def keys(self) -> list[str]:
        """The keys of what was sent, without mails to the operators."""
        return [sent.idempotency_key for sent in self.sent if is_message(sent.idempotency_key)]

    async def send(self, message, recipient, *, idempotency_key):
        if is_message(idempotency_key):
            self.behaviour()
        return await super().send(message, recipient, idempotency_key=idempotency_key)


class Carriers:
    """A worker with two carriers for mail."""

    def __init__(self, worker: AppContext, logins) -> None:
        self.first, self.second = Carrier("first"), Carrier("second")
        plugins = Plugins((), {}, {"first": self.first, "second": self.second})
        names = {"mail_channel": "first, second", "sms_channel": ""}
        settings = msgspec.structs.replace(worker.settings, **names)
        self.context = dataclasses.replace(worker, plugins=plugins, settings=settings)
        renderers = {"test": self._render, incidents.OPERATOR_MAIL: render_operator_mails}
        self._registry = RendererRegistry(renderers, self)
        self._logins = logins

    async def enqueue(self, *keys: str) -> None:
        messages = [OutboxMessage(kind="test", medium=Medium.EMAIL, key=key) for key in keys]
        async with self.context.database.system() as session:
            await enqueue_messages(session, messages)

    async def deliver(self) -> None:
        await deliver_due(self.context, self._registry)

    async def wait(self, **amount: float) -> None:
        """Let what is scheduled be due."""
        times = {"delivery": ["lease_until", "next_try_at"], "provider_pause": ["paused_until"]}
        async with self.context.database.system() as session:
            for table, columns in times.items():
                earlier = ", ".join(f"{one} = {one} - CAST(:by AS interval)" for one in columns)
                statement = text(f"UPDATE {table} SET {earlier}")
                await session.execute(statement, {"by": timedelta(**amount)})

    async def carrier_of(self, key: str) -> tuple[str, str | None]:
        query = "SELECT state, carrier FROM delivery WHERE key = $1"
        [row] = await fetch_rows(self._logins, query, key)
        return row["state"], row["carrier"]

    async def _render(self, _, due):
        content = Message(subject="s", text="t", html="h", sms_text="s")
        return {message.id: RenderedMessage(content, ANNA) for message in due}

    async def is_allowed(self, *_) -> bool:
        return True

    on_delivered = on_refused = on_given_up = is_allowed


@pytest.fixture
def carriers(worker, logins) -> Carriers:
    return Carriers(worker, logins)


def raising(error: Exception) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


async def test_the_second_sends_at_once_while_the_account_of_the_first_is_refused(carriers) -> None:
    carriers.first.behaviour = raising(ProviderAccountError("no credit"))
    await carriers.enqueue("a", "b")
    await carriers.deliver()

    assert (carriers.first.keys, sorted(carriers.second.keys)) == ([], ["a", "b"])
    assert await carriers.carrier_of("a") == ("sent", "second")
    carriers.first.behaviour = lambda: None
    await carriers.wait(minutes=6)
    await carriers.enqueue("c")
    await carriers.deliver()
    assert carriers.first.keys == ["c"]


@pytest.mark.parametrize(
    "error",
    [DeliveryError("the connection broke"), TimeoutError(), KeyError("bug"), ProcessKilled()],
    ids=["broken", "silent", "bug", "crash"],
)
async def test_what_the_first_may_have_is_not_given_to_the_second(
    carriers, error, monkeypatch
) -> None:
    let_crashes_pass(monkeypatch)
    carriers.first.behaviour = raising(error)
    await carriers.enqueue("a")
    with suppress(ProcessKilled):
        await carriers.deliver()
    carriers.first.behaviour = raising(ProviderAccountError("no credit"))
    await carriers.enqueue("b")
    await carriers.deliver()
    await carriers.wait(minutes=4)
    await carriers.deliver()

    assert carriers.second.keys == ["b"]
    assert await carriers.carrier_of("a") == ("pending", "first")


async def test_what_the_first_did_not_take_is_given_to_the_second(carriers) -> None:
    carriers.first.behaviour = raising(DeliveryError("busy", not_taken=True))
    await carriers.enqueue("a")
    await carriers.deliver()
    assert await carriers.carrier_of("a") == ("pending", "second")
    await carriers.wait(minutes=2)
    await carriers.deliver()

    assert (carriers.first.keys, carriers.second.keys) == ([], ["a"])


async def test_a_message_whose_attempt_ended_without_an_answer_is_sent_last_and_alone(
    carriers, monkeypatch, logins
) -> None:
    monkeypatch.setattr(leased_work, "CLAIM_SECONDS", 0.01)
    send, held = carriers.first.send, []

    async def send_slowly(message, recipient, *, idempotency_key):
        await asyncio.sleep(0.1)  # the sender claims meanwhile
        rows = await fetch_rows(logins, "SELECT key FROM delivery WHERE lease_until > now()")
        held.append({row["key"] for row in rows})
        return await send(message, recipient, idempotency_key=idempotency_key)

    carriers.first.send = send_slowly
    await carriers.enqueue("cut off 1", "cut off 2")
    async with carriers.context.database.system() as session:
        await session.execute(update(Delivery).values(attempts=1, lease_until=utc_now()))
    await carriers.enqueue("a", "b")
    await carriers.deliver()

    assert carriers.first.keys[2:] == ["cut off 1", "cut off 2"]
    assert held[2:] == [{"cut off 1"}, {"cut off 2"}]


async def test_a_message_without_an_answer_waits_for_others_five_minutes_at_most(carriers) -> None:
    await carriers.enqueue("cut off")
    lapsed = {"attempts": 1, "lease_until": utc_now() - timedelta(minutes=5)}
    async with carriers.context.database.system() as session:
        await session.execute(update(Delivery).values(lapsed))
    await carriers.enqueue("a")
    await carriers.deliver()

    assert carriers.first.keys == ["cut off", "a"]


async def test_a_result_that_cannot_be_recorded_ends_no_run(carriers, monkeypatch) -> None:
    async def fail(*_, **__) -> None:
        raise OperationalError("UPDATE", {}, Exception("deadlock"))

    monkeypatch.setattr(leased_work, "CLAIM_SECONDS", 0.01)
    monkeypatch.setattr(DeliveryRepository, "reschedule", fail)
    tries = itertools.count()

    def break_connection() -> None:
        next(tries)
        raise DeliveryError("the connection broke")

    carriers.first.behaviour = break_connection
    await carriers.enqueue(*(f"{number:02}" for number in range(40)))  # more than one claim
    await carriers.deliver()

    assert next(tries) == 40
