"""Two hours without a carrier lose nothing and double nothing: the real plugins, simulated time.

SMSAPI knows a message by its index, so a retry is never a second SMS. SendGrid and mail servers
cannot tell: a mail whose answer was lost leaves again, under the same Message-ID.
"""

import dataclasses
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import timedelta

import msgspec
import pytest
from sqlalchemy import text

from carriers import Carrier, FakeSendGrid, FakeSmsApi, smsapi_index
from faults.dying_postman import dies_at
from mail_server import Server
from prawko.base.jobs import Tools
from prawko.base.plugins import Plugins
from prawko.deliveries import incidents
from prawko.deliveries.composing import Correspondence, Due, Message
from prawko.deliveries.operator_mail import compose_operator_mail
from prawko.deliveries.orders import Order
from prawko.deliveries.outbox import enqueue
from prawko.deliveries.sending import deliver_due
from prawko.hooks.channels import Medium, Notice, Recipient
from prawko.hooks.environment import Environment
from prawko_channel_sendgrid import channels as sendgrid_channels
from prawko_channel_smsapi import channels as smsapi_channels
from prawko_channel_smtp import channels as smtp_channels
from prawko_tenants.ids import DeliveryId
from stored import look

pytestmark = pytest.mark.anyio

NOTICE = Notice(title="Tytuł", text="Treść", html="<p>Treść</p>", line="Prawko: treść")
ANNA = Recipient(email="anna@acme.test", phone="+48600100200")
EACH = 6  # messages of each medium, before the outage and in the middle of it
STEP = timedelta(minutes=10)
LINES = ("claimed", "composed", "handed over", "marked")


async def write(tools: Tools, due: Sequence[Due]) -> Mapping[DeliveryId, Message]:
    return {one.id: Message(NOTICE, ANNA) for one in due}


class Everybody:
    """Addresses that are all good."""

    async def allows(self, session, due: Due, recipient: Recipient) -> bool:
        return True

    async def reached(self, session, due: Due) -> None:
        """Nobody doubted it."""


class Outbox:
    """The worker's outbox, emptied by the carriers' real plugins; SendGrid has the mails."""

    def __init__(
        self, worker: Tools, logins, sendgrid: FakeSendGrid, smsapi: FakeSmsApi, server: Server
    ) -> None:
        self.sendgrid, self.smsapi, self.server, self.logins = sendgrid, smsapi, server, logins
        self.variables = {
            "CHANNEL_SENDGRID_URL": sendgrid.url, "CHANNEL_SENDGRID_KEY": "SG.key",
            "CHANNEL_SENDGRID_SENDER": "a@prawko.test", "CHANNEL_SENDGRID_DEADLINE": "0.3",
            "CHANNEL_SMSAPI_URL": smsapi.url, "CHANNEL_SMSAPI_TOKEN": "token",
            "CHANNEL_SMSAPI_DEADLINE": "0.3",
            "CHANNEL_SMTP_HOST": "127.0.0.1", "CHANNEL_SMTP_PORT": str(server.port),
            "CHANNEL_SMTP_SENDER": "a@prawko.test", "CHANNEL_SMTP_TLS": "none",
        }  # fmt: skip
        environment = Environment(self.variables)
        offered = (sendgrid_channels, smsapi_channels, smtp_channels)
        self.channels = {one.name: one for offer in offered for one in offer(environment)}
        plugins = Plugins((), {}, self.channels)
        self.tools = dataclasses.replace(worker, plugins=plugins)
        self.choose("sendgrid", "smsapi")
        composers = {"test": write, incidents.OPERATOR_MAIL: compose_operator_mail}
        self.correspondence = Correspondence(composers, Everybody())

    def choose(self, *names: str) -> None:
        """Send through these from now on."""
        settings = self.tools.settings
        for name in names:
            medium = "mail" if self.channels[name].medium is Medium.EMAIL else "sms"
            settings = msgspec.structs.replace(settings, **{f"{medium}_channel": name})
        self.tools = dataclasses.replace(self.tools, settings=settings)

    def ids(self, name: str) -> list[str]:
        """What tells one message of this carrier's from another, of each that it took."""
        return {
            "sendgrid": [mail["headers"]["Message-ID"] for mail in self.sendgrid.mails],
            "smtp": [mail["Message-ID"] for mail in self.server.mails],
            "smsapi": [form["idx"] for form in self.smsapi.forms],
        }[name]

    async def order(self, name: str) -> None:
        orders = [
            Order(kind="test", medium=medium, key=f"{name}:{medium}:{number}")
            for medium in Medium
            for number in range(EACH)
        ]
        async with self.tools.database.system() as session:
            await enqueue(session, orders)

    async def deliver(self) -> int:
        return await deliver_due(self.tools, self.correspondence)

    async def time_passes(self, by: timedelta) -> None:
        async with self.tools.database.system() as session:
            await session.execute(
                text(
                    "UPDATE delivery SET lease_until = lease_until - CAST(:by AS interval),"
                    " next_try_at = next_try_at - CAST(:by AS interval) WHERE state = 'pending'"
                ),
                {"by": by},
            )

    async def states(self) -> Counter[str]:
        rows = await look(self.logins, "SELECT state FROM delivery WHERE kind = 'test'")
        return Counter(row["state"] for row in rows)


@pytest.fixture
async def outbox(worker: Tools, logins) -> AsyncIterator[Outbox]:
    sendgrid, smsapi, server = FakeSendGrid(), FakeSmsApi(), Server()
    async with sendgrid.listening(), smsapi.listening(), server.listening():
        made = Outbox(worker, logins, sendgrid, smsapi, server)
        yield made
        for channel in made.channels.values():
            await channel.close()


def goes_wrong(carrier: Carrier, step: int) -> None:
    """Two hours of everything that can be wrong with a carrier, ten minutes each."""
    carrier.works()
    match step % 6:
        case 0:
            carrier.says(503, "<html>")
        case 1:
            carrier.silent = True
        case 2:
            carrier.says(429, Retry_After="60")
        case 3:
            carrier.says(200, "OK, but of somebody else's server")
        case 4:
            carrier.says(500, {"error": 999, "message": "internal"})
        case 5:
            carrier.loses_its_answers = True


async def test_two_hours_of_outage_lose_nothing_and_double_no_sms(outbox) -> None:
    await outbox.order("before")
    for step in range(12):
        for carrier in (outbox.sendgrid, outbox.smsapi):
            # "OK" from a stranger is no success for an SMS; SendGrid's word is the status alone.
            goes_wrong(carrier, 4 if carrier is outbox.sendgrid and step % 6 == 3 else step)
        if step == 6:
            await outbox.order("meanwhile")
        await outbox.deliver()
        await outbox.time_passes(STEP)
    assert "failed" not in await outbox.states()

    outbox.sendgrid.works()
    outbox.smsapi.works()
    for _ in range(3):
        await outbox.deliver()
        await outbox.time_passes(timedelta(hours=1))

    wanted = {
        medium: {f"{name}:{medium}:{n}" for name in ("before", "meanwhile") for n in range(EACH)}
        for medium in Medium
    }
    assert await outbox.states() == Counter({"sent": 4 * EACH})
    sms = Counter(form["idx"] for form in outbox.smsapi.forms)
    assert sms == Counter({smsapi_index(key): 1 for key in wanted[Medium.SMS]})
    assert max(outbox.smsapi.seen.values()) > 1, "retries did come, and were refused"
    assert set(outbox.sendgrid.keys) == wanted[Medium.EMAIL]
    by_key = {}
    for key, mail in zip(outbox.sendgrid.keys, outbox.sendgrid.mails, strict=True):
        by_key.setdefault(key, set()).add(mail["headers"]["Message-ID"])
    assert all(len(ids) == 1 for ids in by_key.values()), "what came twice came with one id"


async def test_an_account_without_credits_loses_nothing_and_operators_learn_at_once(
    outbox,
) -> None:
    outbox.smsapi.says(200, {"error": 103, "message": "Not enough credits"})
    await outbox.order("all")
    for _ in range(12):
        await outbox.deliver()
        await outbox.time_passes(STEP)

    told = [mail for mail in outbox.sendgrid.mails if "Not enough" in mail["content"][0]["value"]]
    assert len(told) == 1
    assert told[0]["personalizations"][0]["to"] == [{"email": "operator@prawko.test"}]
    assert outbox.smsapi.calls <= 12 * 8, "the channel rests between tries"
    rows = await look(
        outbox.logins,
        "SELECT DISTINCT state, attempts FROM delivery WHERE channel_medium = 'sms'",
    )
    assert rows == [{"state": "pending", "attempts": 0}], "nothing is counted against a message"

    outbox.smsapi.works()
    await outbox.deliver()
    assert Counter(form["idx"] for form in outbox.smsapi.forms) == Counter(
        {smsapi_index(f"all:sms:{n}"): 1 for n in range(EACH)}
    )
    [incident] = await look(outbox.logins, "SELECT * FROM incident")
    assert (incident["kind"], incident["key"]) == ("channel_refused", "smsapi")
    assert incident["closed_at"] is not None


@pytest.mark.parametrize("carrier", ["sendgrid", "smtp", "smsapi"])
@pytest.mark.parametrize("line", LINES)
async def test_a_process_that_dies_anywhere_sends_one_message_or_one_id(
    outbox, variables, tmp_path, line, carrier
) -> None:
    medium = outbox.channels[carrier].medium
    outbox.choose(carrier)
    async with outbox.tools.database.system() as session:
        await enqueue(session, [Order(kind="test", medium=medium, key="a")])
    environment = {**variables, **outbox.variables, "DATABASE_URL": outbox.logins.worker}
    await dies_at(line, environment, tmp_path, medium, carrier)

    await outbox.time_passes(timedelta(minutes=4))
    await outbox.deliver()

    # Between the carrier's word and our mark a mail can leave twice: what takes it for two
    # messages has not looked at its id. SMSAPI looks.
    in_the_window = line == "handed over" and medium is Medium.EMAIL
    taken = outbox.ids(carrier)
    assert len(taken) == 1 + in_the_window
    assert len(set(taken)) == 1
    assert await outbox.states() == Counter({"sent": 1})


@pytest.mark.parametrize("carrier", ["sendgrid", "smtp"])
async def test_a_mail_whose_answer_was_lost_leaves_again_under_its_id(outbox, carrier) -> None:
    outbox.choose(carrier)
    theirs = outbox.sendgrid if carrier == "sendgrid" else outbox.server
    theirs.loses_its_answers = True
    await outbox.order("lost")
    await outbox.deliver()
    first = outbox.ids(carrier)
    assert len(set(first)) == EACH
    assert (await outbox.states())["pending"] == EACH

    theirs.loses_its_answers = False
    await outbox.time_passes(timedelta(hours=1))
    await outbox.deliver()

    assert Counter(outbox.ids(carrier)) == Counter(dict.fromkeys(first, 2))
    assert await outbox.states() == Counter({"sent": 2 * EACH})
