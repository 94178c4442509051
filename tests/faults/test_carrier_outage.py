"""Two hours without a carrier lose and duplicate no message: real plugins, simulated time.

SMSAPI recognises a message by its index, so a retry is never a second SMS. SendGrid and mail
servers do not: a mail whose response was lost is sent again, with the same Message-ID.
"""

import dataclasses
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import timedelta

import msgspec
import pytest
from sqlalchemy import text

from faults.delivery_crash import run_until_killed_at
from prawko.hooks.channels import Medium, Message, Recipient
from prawko.hooks.environment import Environment
from prawko.kit.context import AppContext
from prawko.kit.deliveries.senders import deliver_due
from prawko.kit.incidents import service as incidents
from prawko.kit.incidents.operator_mail import render_operator_mails
from prawko.kit.outbox.models import OutboxMessage
from prawko.kit.outbox.rendering import DueMessage, RenderedMessage, RendererRegistry
from prawko.kit.outbox.service import enqueue_messages
from prawko.kit.providers.registry import Plugins
from prawko_channel_sendgrid import channels as sendgrid_channels
from prawko_channel_smsapi import channels as smsapi_channels
from prawko_channel_smtp import channels as smtp_channels
from prawko_tenants.ids import DeliveryId
from support.database import fetch_rows
from support.servers.carriers import FakeSendGrid, FakeServer, FakeSmsApi, smsapi_index
from support.servers.mail import FakeMailServer

pytestmark = pytest.mark.anyio

NOTICE = Message(subject="Tytuł", text="Treść", html="<p>Treść</p>", sms_text="Prawko: treść")
ANNA = Recipient(email="anna@acme.test", phone="+48600100200")
MESSAGES_PER_MEDIUM = 6  # messages of each medium, before the outage and in the middle of it
STEP = timedelta(minutes=10)
# Seconds for a call; the patient one is never reached, however busy the machine.
IMPATIENT, PATIENT = 0.3, 25.0
STEPS = ("claimed", "rendered", "sent", "recorded")


async def render_test_mail(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    return {message.id: RenderedMessage(NOTICE, ANNA) for message in due}


class AcceptAllAddresses:
    """Feedback that allows every address."""

    async def is_allowed(self, session, due: DueMessage, recipient: Recipient) -> bool:
        return True

    async def on_delivered(self, session, delivered) -> None:
        """Do nothing."""


class Outbox:
    """The outbox of a worker, sent by the plugins of the carriers; SendGrid is the mail channel."""

    def __init__(
        self,
        worker: AppContext,
        logins,
        sendgrid: FakeSendGrid,
        smsapi: FakeSmsApi,
        server: FakeMailServer,
    ) -> None:
        self.sendgrid, self.smsapi, self.server, self.logins = sendgrid, smsapi, server, logins
        self.variables = {
            "CHANNEL_SENDGRID_URL": sendgrid.url, "CHANNEL_SENDGRID_KEY": "SG.key",
            "CHANNEL_SENDGRID_SENDER": "a@prawko.test",
            "CHANNEL_SMSAPI_URL": smsapi.url, "CHANNEL_SMSAPI_TOKEN": "token",
            "CHANNEL_SMTP_HOST": "127.0.0.1", "CHANNEL_SMTP_PORT": str(server.port),
            "CHANNEL_SMTP_SENDER": "a@prawko.test", "CHANNEL_SMTP_TLS": "none",
        }  # fmt: skip
        environment = Environment(self.variables)
        offered = (sendgrid_channels, smsapi_channels, smtp_channels)
        self.channels = {
            channel.name: channel for offer in offered for channel in offer(environment)
        }
        plugins = Plugins((), {}, self.channels)
        self.context = dataclasses.replace(worker, plugins=plugins)
        self.use_channels("sendgrid", "smsapi")
        renderers = {"test": render_test_mail, incidents.OPERATOR_MAIL: render_operator_mails}
        self.registry = RendererRegistry(renderers, AcceptAllAddresses())

    def use_channels(self, *names: str) -> None:
        """Send through these channels from now on."""
        settings = self.context.settings
        for name in names:
            medium = "mail" if self.channels[name].medium is Medium.EMAIL else "sms"
            settings = msgspec.structs.replace(settings, **{f"{medium}_channel": name})
        self.context = dataclasses.replace(self.context, settings=settings)

    def message_ids(self, name: str) -> list[str]:
        """The ids by which this carrier distinguishes messages, of each accepted one."""
        return {
            "sendgrid": [mail["headers"]["Message-ID"] for mail in self.sendgrid.mails],
            "smtp": [mail["Message-ID"] for mail in self.server.mails],
            "smsapi": [form["idx"] for form in self.smsapi.forms],
        }[name]

    async def enqueue_messages(self, name: str) -> None:
        messages = [
            OutboxMessage(kind="test", medium=medium, key=f"{name}:{medium}:{number}")
            for medium in (Medium.EMAIL, Medium.SMS)
            for number in range(MESSAGES_PER_MEDIUM)
        ]
        async with self.context.database.system() as session:
            await enqueue_messages(session, messages)

    async def deliver(self) -> int:
        return await deliver_due(self.context, self.registry)

    async def advance_time(self, delta: timedelta) -> None:
        async with self.context.database.system() as session:
            await session.execute(
                text(
                    "UPDATE delivery SET lease_until = lease_until - CAST(:by AS interval),"
                    " next_try_at = next_try_at - CAST(:by AS interval) WHERE state = 'pending'"
                ),
                {"by": delta},
            )
            await session.execute(
                text(
                    "UPDATE provider_pause SET paused_until = paused_until - CAST(:by AS interval)"
                ),
                {"by": delta},
            )

    async def states(self) -> Counter[str]:
        rows = await fetch_rows(self.logins, "SELECT state FROM delivery WHERE kind = 'test'")
        return Counter(row["state"] for row in rows)


@pytest.fixture
async def outbox(
    request: pytest.FixtureRequest, worker: AppContext, logins, monkeypatch
) -> AsyncIterator[Outbox]:
    for carrier in ("sendgrid", "smsapi"):
        name = f"prawko_channel_{carrier}.channel.DEADLINE_SECONDS"
        monkeypatch.setattr(name, getattr(request, "param", IMPATIENT))
    sendgrid, smsapi, server = FakeSendGrid(), FakeSmsApi(), FakeMailServer()
    async with sendgrid.serve(), smsapi.serve(), server.serve():
        outbox = Outbox(worker, logins, sendgrid, smsapi, server)
        yield outbox
        for channel in outbox.channels.values():
            await channel.close()


def inject_fault(carrier: FakeServer, step: int) -> None:
    """Let the carrier fail in each way in turn."""
    carrier.recover()
    match step % 6:
        case 0:
            carrier.respond_with(503, "<html>")
        case 1:
            carrier.hangs = True
        case 2:
            carrier.respond_with(429, Retry_After="60")
        case 3:
            carrier.respond_with(200, "OK, but of somebody else's server")
        case 4:
            carrier.respond_with(500, {"error": 999, "message": "internal"})
        case 5:
            carrier.drops_responses = True


async def test_two_hours_of_outage_lose_nothing_and_duplicate_no_sms(outbox) -> None:
    await outbox.enqueue_messages("before")
    for step in range(12):
        for carrier in (outbox.sendgrid, outbox.smsapi):
            # A 200 of another server is no success for an SMS; for SendGrid the status is enough.
            inject_fault(carrier, 4 if carrier is outbox.sendgrid and step % 6 == 3 else step)
        if step == 6:
            await outbox.enqueue_messages("meanwhile")
        await outbox.deliver()
        await outbox.advance_time(STEP)
    assert "failed" not in await outbox.states()

    outbox.sendgrid.recover()
    outbox.smsapi.recover()
    for _ in range(3):
        await outbox.deliver()
        await outbox.advance_time(timedelta(hours=1))

    expected = {
        medium: {
            f"{name}:{medium}:{n}"
            for name in ("before", "meanwhile")
            for n in range(MESSAGES_PER_MEDIUM)
        }
        for medium in (Medium.EMAIL, Medium.SMS)
    }
    assert await outbox.states() == Counter({"sent": 4 * MESSAGES_PER_MEDIUM})
    sms = Counter(form["idx"] for form in outbox.smsapi.forms)
    assert sms == Counter({smsapi_index(key): 1 for key in expected[Medium.SMS]})
    assert max(outbox.smsapi.index_counts.values()) > 1, "retries arrived and were rejected"
    assert set(outbox.sendgrid.delivery_keys) == expected[Medium.EMAIL]
    by_key = {}
    for key, mail in zip(outbox.sendgrid.delivery_keys, outbox.sendgrid.mails, strict=True):
        by_key.setdefault(key, set()).add(mail["headers"]["Message-ID"])
    assert all(len(ids) == 1 for ids in by_key.values()), "duplicates have one id"


@pytest.mark.parametrize("outbox", [PATIENT], indirect=True)
async def test_an_account_without_credits_loses_nothing_and_operators_are_mailed_at_once(
    outbox,
) -> None:
    outbox.smsapi.respond_with(200, {"error": 103, "message": "Not enough credits"})
    await outbox.enqueue_messages("all")
    for _ in range(12):
        await outbox.deliver()
        await outbox.advance_time(STEP)

    mails = [mail for mail in outbox.sendgrid.mails if "Not enough" in mail["content"][0]["value"]]
    assert len(mails) == 1
    assert mails[0]["personalizations"][0]["to"] == [{"email": "operator@prawko.test"}]
    assert outbox.smsapi.calls <= 12 * 8, "the channel is paused between attempts"
    rows = await fetch_rows(
        outbox.logins,
        "SELECT DISTINCT state, attempts FROM delivery WHERE channel_medium = 'sms'",
    )
    assert rows == [{"state": "pending", "attempts": 0}], "nothing is counted against a message"

    outbox.smsapi.recover()
    await outbox.deliver()
    assert Counter(form["idx"] for form in outbox.smsapi.forms) == Counter(
        {smsapi_index(f"all:sms:{n}"): 1 for n in range(MESSAGES_PER_MEDIUM)}
    )
    [incident] = await fetch_rows(outbox.logins, "SELECT * FROM incident")
    assert (incident["kind"], incident["key"]) == ("channel_refused", "smsapi")
    assert incident["closed_at"] is not None


@pytest.mark.parametrize("outbox", [PATIENT], indirect=True)
@pytest.mark.parametrize("carrier", ["sendgrid", "smtp", "smsapi"])
@pytest.mark.parametrize("step", STEPS)
async def test_a_crash_at_any_step_sends_one_message_or_one_message_id(
    outbox, variables, tmp_path, step, carrier
) -> None:
    medium = outbox.channels[carrier].medium
    outbox.use_channels(carrier)
    async with outbox.context.database.system() as session:
        await enqueue_messages(session, [OutboxMessage(kind="test", medium=medium, key="a")])
    environment = {**variables, **outbox.variables, "DATABASE_URL": outbox.logins.worker}
    await run_until_killed_at(step, environment, tmp_path, medium, carrier)

    await outbox.advance_time(timedelta(minutes=4))
    await outbox.deliver()

    # A crash between the response of the carrier and the recorded result sends a mail twice, with
    # one Message-ID. SMSAPI rejects the duplicate.
    is_duplicated = step == "sent" and medium is Medium.EMAIL
    accepted = outbox.message_ids(carrier)
    assert len(accepted) == 1 + is_duplicated
    assert len(set(accepted)) == 1
    assert await outbox.states() == Counter({"sent": 1})


@pytest.mark.parametrize("outbox", [PATIENT], indirect=True)
@pytest.mark.parametrize("carrier", ["sendgrid", "smtp"])
async def test_a_mail_whose_response_was_lost_is_sent_again_with_its_id(outbox, carrier) -> None:
    outbox.use_channels(carrier)
    server = outbox.sendgrid if carrier == "sendgrid" else outbox.server
    server.drops_responses = True
    await outbox.enqueue_messages("lost")
    await outbox.deliver()
    first = outbox.message_ids(carrier)
    assert len(set(first)) == MESSAGES_PER_MEDIUM
    assert (await outbox.states())["pending"] == MESSAGES_PER_MEDIUM

    server.drops_responses = False
    await outbox.advance_time(timedelta(hours=1))
    await outbox.deliver()

    assert Counter(outbox.message_ids(carrier)) == Counter(dict.fromkeys(first, 2))
    assert await outbox.states() == Counter({"sent": 2 * MESSAGES_PER_MEDIUM})
