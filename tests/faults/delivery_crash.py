"""A process that sends due messages and is killed at a step chosen by the test.

The steps: enqueuing (in the transaction), enqueued (after its commit), claimed, rendered, sent,
recorded. At the first two it enqueues the message itself. The keys of accepted messages are
written to a file. `carrier` is the name of a configured channel to use instead of the own one.
"""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path

from prawko.apps.composition_root import create_context
from prawko.hooks.channels import Channel, Medium, Message, Recipient
from prawko.kit.context import AppContext
from prawko.kit.deliveries import delivery_results
from prawko.kit.deliveries.senders import deliver_due
from prawko.kit.outbox.models import Delivery, OutboxMessage
from prawko.kit.outbox.rendering import DueMessage, RenderedMessage, RendererRegistry
from prawko.kit.outbox.service import enqueue_messages
from prawko_tenants.ids import DeliveryId
from prawko_testing.fakes import FakeRegister, RecordingChannel, fake_plugin
from support.processes import start_process, wait_for_exit


class CrashingSender:
    """Kills the process at one step of sending."""

    def __init__(self, step: str, accepted: Path) -> None:
        self._step = step
        self._accepted = accepted

    def crash_at(self, step: str) -> None:
        if step == self._step:
            os.kill(os.getpid(), signal.SIGKILL)

    async def render(
        self, context: AppContext, due: Sequence[DueMessage]
    ) -> Mapping[DeliveryId, RenderedMessage]:
        self.crash_at("claimed")
        content = Message(subject="t", text="x", html="x", sms_text="x")
        recipient = Recipient(email="anna@acme.test", phone="+48600100200")
        return {message.id: RenderedMessage(content, recipient) for message in due}

    async def accept(self, key: str) -> None:
        self.crash_at("rendered")
        with self._accepted.open("a") as file:
            file.write(f"{key}\n")
        self.crash_at("sent")


class _CrashingChannel(RecordingChannel):
    def __init__(self, medium: Medium, sender: CrashingSender) -> None:
        super().__init__(medium)
        self.name = f"crashing-{medium}"
        self._sender = sender

    async def send(self, message: Message, recipient: Recipient, *, idempotency_key: str) -> None:
        await self._sender.accept(idempotency_key)


def crash_on_delivery(channel: Channel, sender: CrashingSender) -> None:
    """Kill the process before or after the carrier has accepted a message."""
    original_send = channel.send

    async def send(message: Message, recipient: Recipient, *, idempotency_key: str) -> str | None:
        sender.crash_at("rendered")
        reference = await original_send(message, recipient, idempotency_key=idempotency_key)
        sender.crash_at("sent")
        return reference

    type(channel).send = property(lambda _: send)


class _NoFeedback:
    async def is_allowed(self, session: object, due: DueMessage, recipient: Recipient) -> bool:
        return True

    async def on_delivered(self, session: object, delivered: object) -> None:
        pass

    async def on_refused(self, session: object, due: DueMessage, reason: str) -> None:
        pass

    async def on_given_up(self, session: object, due: DueMessage) -> None:
        pass


async def run_until_killed_at(
    step: str, variables: Mapping[str, str], folder: Path, medium: Medium, carrier: str = ""
) -> None:
    """Run a process that sends due messages until it is killed at the step."""
    process = start_process(
        _run_process,
        step,
        folder / "accepted",
        medium,
        carrier,
        variables=variables,
        output_folder=folder,
    )
    code = await asyncio.to_thread(wait_for_exit, process)
    assert code == -signal.SIGKILL, (folder / "err").read_text()


def _run_process(*arguments: object) -> None:
    asyncio.run(_send_due(*arguments))


async def _send_due(step: str, accepted: Path, medium: Medium, carrier: str) -> None:
    sender = CrashingSender(step, accepted)
    mark_sent = delivery_results.DeliveryResults.mark_sent

    async def mark_and_crash(
        self: delivery_results.DeliveryResults, row: Delivery, *arguments: object
    ) -> None:
        await mark_sent(self, row, *arguments)
        sender.crash_at("recorded")

    delivery_results.DeliveryResults.mark_sent = mark_and_crash
    plugin = fake_plugin(FakeRegister(), RecordingChannel(), _CrashingChannel(medium, sender))
    setting = {Medium.EMAIL: "MAIL_CHANNEL", Medium.SMS: "SMS_CHANNEL"}[medium]
    name = carrier or f"crashing-{medium}"
    context = create_context({**os.environ, setting: name}, extra_plugins={"fakes": plugin})
    if step.startswith("enqueu"):
        async with context.database.system() as session:
            await enqueue_messages(session, [OutboxMessage(kind="test", medium=medium, key="a")])
            sender.crash_at("enqueuing")
        sender.crash_at("enqueued")
    if carrier:
        crash_on_delivery(context.plugins.channels[carrier], sender)
    await deliver_due(context, RendererRegistry({"test": sender.render}, _NoFeedback()))
