"""The demo's mailbox keeps every promise of a channel, and shows what it was given."""

import asyncio
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from prawko.base.clock import machine_now
from prawko.hooks.channels import Medium, Notice, Recipient
from prawko.hooks.environment import Environment
from prawko.testing.channel_contract import ChannelContract
from prawko_demo.mailbox import Mailbox, channels
from prawko_demo.mailbox.channel import MailboxChannel

ANNA = Recipient(email="anna@acme.test", phone="+48600100200")
NOTICE = Notice(
    title="Tytuł", text="Pełna treść.\n", html="<p>Pełna treść.</p>", line="Jedna linia",
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
    def broken_channel(self, tmp_path: Path) -> MailboxChannel:
        return MailboxChannel(Mailbox(tmp_path / "no such folder" / "mailbox"), self.medium)


class TestMailContract(_MailboxContract):
    """As a channel of mails."""


class TestSmsContract(_MailboxContract):
    """As a channel of SMS."""

    medium = Medium.SMS


@pytest.fixture
def mailbox(tmp_path: Path) -> Mailbox:
    return Mailbox(tmp_path / "mailbox")


async def test_a_mail_shows_its_text_and_an_sms_its_line_newest_first(mailbox) -> None:
    before = machine_now()
    await MailboxChannel(mailbox, Medium.EMAIL).deliver(NOTICE, ANNA, key="a")
    await MailboxChannel(mailbox, Medium.SMS).deliver(NOTICE, ANNA, key="b")

    sms, mail = mailbox.messages()

    assert (mail.id, mail.channel, mail.to) == ("a", "email", "anna@acme.test")
    assert (mail.subject, mail.text) == ("Tytuł", "Pełna treść.\n")
    assert (sms.id, sms.channel, sms.to) == ("b", "sms", "+48600100200")
    assert (sms.subject, sms.text) == ("", "Jedna linia")
    assert (mail.code, mail.link) == ("ABC234", "https://panel.test/")
    assert before <= mail.created_at <= sms.created_at <= machine_now()


async def test_a_repeated_key_is_kept_once_even_after_emptying(mailbox) -> None:
    channel = MailboxChannel(mailbox, Medium.EMAIL)
    await channel.deliver(NOTICE, ANNA, key="a")
    await channel.deliver(NOTICE, ANNA, key="a")
    assert len(mailbox.messages()) == 1

    mailbox.clear()
    await channel.deliver(NOTICE, ANNA, key="a")
    assert mailbox.messages() == []


async def test_many_at_once_lose_none(mailbox) -> None:
    channel = MailboxChannel(mailbox, Medium.EMAIL)
    await asyncio.gather(*(channel.deliver(NOTICE, ANNA, key=str(n)) for n in range(40)))

    assert {message.id for message in mailbox.messages()} == {str(n) for n in range(40)}


async def test_another_process_sees_the_same_mailbox(mailbox, tmp_path) -> None:
    program = (
        "import asyncio, sys; from pathlib import Path\n"
        "from prawko.hooks.channels import Medium, Notice, Recipient\n"
        "from prawko_demo.mailbox import Mailbox\n"
        "from prawko_demo.mailbox.channel import MailboxChannel\n"
        "channel = MailboxChannel(Mailbox(Path(sys.argv[1])), Medium.EMAIL)\n"
        "notice = Notice(title='t', text='x', html='', line='')\n"
        "recipient = Recipient(email='anna@acme.test', phone=None)\n"
        "asyncio.run(channel.deliver(notice, recipient, key='there'))\n"
    )
    await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", program, str(tmp_path / "mailbox")], check=True
    )

    assert [message.id for message in mailbox.messages()] == ["there"]


async def test_codes_are_for_their_owner_only(mailbox, tmp_path) -> None:
    await MailboxChannel(mailbox, Medium.EMAIL).deliver(NOTICE, ANNA, key="a")

    assert stat.S_IMODE((tmp_path / "mailbox").stat().st_mode) == 0o600


def test_it_takes_part_when_it_has_a_file(tmp_path) -> None:
    offered = channels(Environment({"CHANNEL_MAILBOX_FILE": str(tmp_path / "mailbox")}))

    assert [(channel.name, channel.medium) for channel in offered] == [
        ("mailbox-email", Medium.EMAIL),
        ("mailbox-sms", Medium.SMS),
    ]
    assert channels(Environment({})) == []
