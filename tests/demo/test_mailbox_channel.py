"""The mailbox fulfils the contract of a channel and lists its messages."""

import asyncio
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from prawko.hooks.channels import Medium, Message, Recipient
from prawko.hooks.environment import Environment
from prawko.kit.clock import utc_now
from prawko_demo.mailbox import Mailbox, channels
from prawko_demo.mailbox.channel import MailboxChannel
from prawko_testing.channel_contract import ChannelContract

ANNA = Recipient(email="anna@acme.test", phone="+48600100200")
MESSAGE = Message(
    subject="Tytuł", text="Pełna treść.\n", html="<p>Pełna treść.</p>", sms_text="Jedna linia",
    code="ABC234", link="https://panel.test/",
)  # fmt: skip

pytestmark = pytest.mark.anyio


class _MailboxContract(ChannelContract):
    medium = Medium.EMAIL

    @pytest.fixture
    def channel(self, tmp_path: Path) -> MailboxChannel:
        return MailboxChannel(Mailbox(tmp_path / "mailbox"), self.medium)

    @pytest.fixture
    def recipient(self) -> Recipient:
        return ANNA

    @pytest.fixture
    def unreachable_channel(self, tmp_path: Path) -> MailboxChannel:
        return MailboxChannel(Mailbox(tmp_path / "no such folder" / "mailbox"), self.medium)


class TestMailContract(_MailboxContract):
    """As an e-mail channel."""


class TestSmsContract(_MailboxContract):
    """As an SMS channel."""

    medium = Medium.SMS


@pytest.fixture
def mailbox(tmp_path: Path) -> Mailbox:
    return Mailbox(tmp_path / "mailbox")


async def test_messages_are_listed_newest_first_with_the_text_of_their_medium(mailbox) -> None:
    before = utc_now()
    await MailboxChannel(mailbox, Medium.EMAIL).send(MESSAGE, ANNA, idempotency_key="a")
    await MailboxChannel(mailbox, Medium.SMS).send(MESSAGE, ANNA, idempotency_key="b")

    sms, mail = mailbox.list_messages()

    assert (mail.id, mail.channel, mail.to) == ("a", "email", "anna@acme.test")
    assert (mail.subject, mail.text) == ("Tytuł", "Pełna treść.\n")
    assert (sms.id, sms.channel, sms.to) == ("b", "sms", "+48600100200")
    assert (sms.subject, sms.text) == ("", "Jedna linia")
    assert (mail.code, mail.link) == ("ABC234", "https://panel.test/")
    assert before <= mail.created_at <= sms.created_at <= utc_now()


async def test_a_repeated_key_is_stored_once_even_after_clearing(mailbox) -> None:
    channel = MailboxChannel(mailbox, Medium.EMAIL)
    await channel.send(MESSAGE, ANNA, idempotency_key="a")
    await channel.send(MESSAGE, ANNA, idempotency_key="a")
    assert len(mailbox.list_messages()) == 1

    mailbox.clear()
    await channel.send(MESSAGE, ANNA, idempotency_key="a")
    assert mailbox.list_messages() == []


async def test_concurrent_messages_are_all_stored(mailbox) -> None:
    channel = MailboxChannel(mailbox, Medium.EMAIL)
    await asyncio.gather(*(channel.send(MESSAGE, ANNA, idempotency_key=str(n)) for n in range(40)))

    assert {message.id for message in mailbox.list_messages()} == {str(n) for n in range(40)}


async def test_the_mailbox_is_shared_between_processes(mailbox, tmp_path) -> None:
    program = (
        "import asyncio, sys; from pathlib import Path\n"
        "from prawko.hooks.channels import Medium, Message, Recipient\n"
        "from prawko_demo.mailbox import Mailbox\n"
        "from prawko_demo.mailbox.channel import MailboxChannel\n"
        "channel = MailboxChannel(Mailbox(Path(sys.argv[1])), Medium.EMAIL)\n"
        "message = Message(subject='t', text='x', html='', sms_text='')\n"
        "recipient = Recipient(email='anna@acme.test', phone=None)\n"
        "asyncio.run(channel.send(message, recipient, idempotency_key='there'))\n"
    )
    await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", program, str(tmp_path / "mailbox")], check=True
    )

    assert [message.id for message in mailbox.list_messages()] == ["there"]


async def test_the_mailbox_is_readable_by_its_owner_only(mailbox, tmp_path) -> None:
    await MailboxChannel(mailbox, Medium.EMAIL).send(MESSAGE, ANNA, idempotency_key="a")

    assert stat.S_IMODE((tmp_path / "mailbox").stat().st_mode) == 0o600


def test_the_channels_are_offered_when_configured(tmp_path) -> None:
    offered = channels(Environment({"CHANNEL_MAILBOX_FILE": str(tmp_path / "mailbox")}))

    assert [(channel.name, channel.medium) for channel in offered] == [
        ("mailbox-email", Medium.EMAIL),
        ("mailbox-sms", Medium.SMS),
    ]
    assert channels(Environment({})) == []
