"""A process that sends what is due and is killed at the line a test names.

It is told the line, a file and a medium; the file gets the key of each message handed over.
A carrier is the name of a real channel, set up by variables, to hand over to instead.
The lines: deciding (the transaction of the decision is open), decided (it stands, nobody was
rung), claimed, composed, handed over, marked. Up to the second it decides itself.
"""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path

from prawko.base.jobs import Tools
from prawko.base.start import open_tools
from prawko.deliveries import marking
from prawko.deliveries.composing import Correspondence, Due, Message
from prawko.deliveries.orders import Order
from prawko.deliveries.outbox import enqueue
from prawko.deliveries.repository import Claimed
from prawko.deliveries.sending import deliver_due
from prawko.hooks.channels import Channel, Medium, Notice, Recipient
from prawko.testing.fakes import FakeRegister, RecordingChannel, fake_plugin
from prawko_tenants.ids import DeliveryId
from preloaded import begin, end_of


class Postman:
    """Everything that happens to a message, and where the process dies."""

    def __init__(self, line: str, taken: Path) -> None:
        self._line = line
        self._taken = taken

    def reach(self, line: str) -> None:
        if line == self._line:
            os.kill(os.getpid(), signal.SIGKILL)

    async def compose(self, tools: Tools, due: Sequence[Due]) -> Mapping[DeliveryId, Message]:
        self.reach("claimed")
        notice = Notice(title="t", text="x", html="x", line="x")
        recipient = Recipient(email="anna@acme.test", phone="+48600100200")
        return {one.id: Message(notice, recipient) for one in due}

    async def take(self, key: str) -> None:
        self.reach("composed")
        with self._taken.open("a") as file:
            file.write(f"{key}\n")
        self.reach("handed over")


class _Channel(RecordingChannel):
    def __init__(self, medium: Medium, postman: Postman) -> None:
        super().__init__(medium)
        self.name = f"dying-{medium}"
        self._postman = postman

    async def deliver(self, notice: Notice, recipient: Recipient, *, key: str) -> None:
        await self._postman.take(key)


def watched(channel: Channel, postman: Postman) -> None:
    """Let the process die before or after the carrier has taken a message."""
    hand_over = channel.deliver

    async def deliver(notice: Notice, recipient: Recipient, *, key: str) -> str | None:
        postman.reach("composed")
        reference = await hand_over(notice, recipient, key=key)
        postman.reach("handed over")
        return reference

    channel.deliver = deliver


class _Nobody:
    async def allows(self, session: object, due: Due, recipient: Recipient) -> bool:
        return True

    async def reached(self, session: object, due: Due) -> None:
        pass

    async def refused(self, session: object, due: Due, reason: str) -> None:
        pass

    async def given_up(self, session: object, due: Due) -> None:
        pass


async def dies_at(
    line: str, variables: Mapping[str, str], folder: Path, medium: Medium, carrier: str = ""
) -> None:
    """Let a process send what is due, with the tests' variables, until it is killed there."""
    process = begin(
        _send, line, folder / "taken", medium, carrier, variables=variables, into=folder
    )
    code = await asyncio.to_thread(end_of, process)
    assert code == -signal.SIGKILL, (folder / "err").read_text()


def _send(*about: object) -> None:
    asyncio.run(_work(*about))


async def _work(line: str, taken: Path, medium: Medium, carrier: str) -> None:
    postman = Postman(line, taken)
    mark = marking.Marks.sent

    async def sent(self: marking.Marks, row: Claimed, *about: object) -> None:
        await mark(self, row, *about)
        postman.reach("marked")

    marking.Marks.sent = sent
    plugin = fake_plugin(FakeRegister(), RecordingChannel(), _Channel(medium, postman))
    setting = {Medium.EMAIL: "MAIL_CHANNEL", Medium.SMS: "SMS_CHANNEL"}[medium]
    chosen = carrier or f"dying-{medium}"
    tools = open_tools({**os.environ, setting: chosen}, extra_plugins={"fakes": plugin})
    if line.startswith("decid"):
        async with tools.database.system() as session:
            await enqueue(session, [Order(kind="test", medium=medium, key="a")])
            postman.reach("deciding")
        postman.reach("decided")
    if carrier:
        watched(tools.plugins.channels[carrier], postman)
    await deliver_due(tools, Correspondence({"test": postman.compose}, _Nobody()))
