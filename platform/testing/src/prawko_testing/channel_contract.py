"""The contract of notification channels, as tests: subclass it and supply your channel.

    class TestContract(ChannelContract):
        @pytest.fixture
        def channel(self) -> MyChannel: ...

        @pytest.fixture
        def recipient(self) -> Recipient: ...

        @pytest.fixture
        def unreachable_channel(self) -> MyChannel: ...

A channel that calls a server subclasses `RemoteChannelContract`, which has more fixtures;
`prawko_testing.loopback_server` plays the server. Needs pytest and anyio; fixtures may be async.
"""

# ruff: noqa: S101 (tests are made of assertions)

import asyncio
import inspect
from collections.abc import Callable, Collection
from time import monotonic

import pytest

from prawko.hooks.channels import (
    MAX_REFERENCE_LENGTH,
    Channel,
    DeliveryError,
    Medium,
    Message,
    PushNote,
    Recipient,
)
from prawko.hooks.errors import ProviderAccountError
from prawko_testing.open_sockets import open_sockets, wait_until_closed
from prawko_testing.plugin_calls import call_in_time, call_plain
from prawko_testing.privacy import Contract, assert_not_quoted

UNREACHABLE = Recipient(email=None, phone=None)
# The platform ends a call after half a minute; a channel must end it earlier.
MAX_CALL_SECONDS = 30.0
# The part of the sample message that must arrive, however its Polish letters are converted.
EXPECTED_TEXT = {
    Medium.EMAIL: "Kropka sama w wierszu.",
    Medium.SMS: "Prawko: ",
    Medium.PUSH: "Zażółć gęślą jaźń: „Jan <Kowalski>",
}


def sample_message() -> Message:
    """Return a message with everything that may cause problems for a carrier."""
    text = "Zażółć gęślą jaźń, „cudzysłów”, <b>&amp;</b>, 🚚.\n\n.\nKropka sama w wierszu.\n"
    subject = "Zażółć gęślą jaźń: „Jan <Kowalski> & Syn” 🚚"
    return Message(
        subject=subject,
        text=text,
        html=f"<!doctype html><p>Zażółć gęślą jaźń &amp; 🚚</p>{'<p>długi wiersz</p>' * 200}",
        sms_text="Prawko: zażółć gęślą jaźń",
        code="ABC234",
        link="https://panel.test/panel/drivers?a=1&b=2",
        push=PushNote(subject, "/panel/drivers"),
    )


async def send_sample(channel: Channel, recipient: Recipient, key: str) -> str | None:
    """Send the sample message within the platform's deadline; return what the channel does."""
    return await call_in_time(
        channel.send, sample_message(), recipient, idempotency_key=f"contract:{key}"
    )


def assert_discreet(
    caplog: pytest.LogCaptureFixture,
    recipient: Recipient,
    error: Exception | None = None,
    secrets: Collection[str] = (),
) -> None:
    """Fail if an error or the log contains an address, a secret or the sample message."""
    message = sample_message()
    private = [recipient.email, recipient.phone, message.code, message.link, message.sms_text]
    private.append(recipient.phone and recipient.phone.removeprefix("+"))
    if (browser := recipient.push) is not None:
        private += [browser.endpoint, browser.auth, browser.p256dh]
    assert_not_quoted([*private, *secrets], caplog, error)


class ChannelContract(Contract):
    """The contract of a channel; supply the fixtures that raise NotImplementedError."""

    @pytest.fixture
    def channel(self) -> Channel:
        """A channel whose carrier accepts every message."""
        raise NotImplementedError

    @pytest.fixture
    def recipient(self) -> Recipient:
        """A recipient that the channel can reach."""
        raise NotImplementedError

    @pytest.fixture
    def unreachable_channel(self) -> Channel:
        """A channel whose carrier is unreachable."""
        raise NotImplementedError

    async def test_it_has_a_name_and_a_medium(self, channel: Channel) -> None:
        assert channel.name
        assert channel.name == channel.name.strip().lower()
        assert channel.medium in set(Medium)

    async def test_reachability_is_known_without_a_call(
        self, channel: Channel, recipient: Recipient
    ) -> None:
        assert not inspect.iscoroutinefunction(channel.can_reach)
        assert call_plain(channel.can_reach, recipient) is True
        assert call_plain(channel.can_reach, UNREACHABLE) is False

    async def test_it_returns_a_reference_or_nothing(
        self, channel: Channel, recipient: Recipient
    ) -> None:
        reference: object = await send_sample(channel, recipient, "reference")

        assert reference is None or (
            isinstance(reference, str)
            and reference.isprintable()
            and 0 < len(reference) <= MAX_REFERENCE_LENGTH
        )

    async def test_a_key_may_be_sent_twice(self, channel: Channel, recipient: Recipient) -> None:
        await send_sample(channel, recipient, "twice")
        await send_sample(channel, recipient, "twice")

    async def test_messages_can_be_sent_concurrently(
        self, channel: Channel, recipient: Recipient
    ) -> None:
        await asyncio.gather(*(
            call_in_time(
                channel.send,
                sample_message(),
                recipient,
                idempotency_key=f"contract:parallel:{number}",
            )
            for number in range(8)
        ))  # fmt: skip

    async def test_a_recipient_without_an_address_is_a_permanent_error(
        self, channel: Channel
    ) -> None:
        with pytest.raises(DeliveryError) as refused:
            await send_sample(channel, UNREACHABLE, "nobody")

        assert refused.value.permanent

    async def test_an_unreachable_carrier_is_a_temporary_error(
        self, unreachable_channel: Channel, recipient: Recipient, caplog: pytest.LogCaptureFixture
    ) -> None:
        with pytest.raises(DeliveryError) as failed:
            await send_sample(unreachable_channel, recipient, "broken")

        assert not failed.value.permanent
        assert str(failed.value).strip(), "operators are shown the error's text"
        assert_discreet(caplog, recipient, failed.value)

    async def test_the_log_names_no_recipient(
        self, channel: Channel, recipient: Recipient, caplog: pytest.LogCaptureFixture
    ) -> None:
        await send_sample(channel, recipient, "log")

        assert_discreet(caplog, recipient)

    async def test_it_can_be_closed_unused_and_twice(self, channel: Channel) -> None:
        await call_in_time(channel.close)
        await call_in_time(channel.close)


class RemoteChannelContract(ChannelContract):
    """The contract of a channel that calls a server.

    `sample_message` has what each medium's text begins with: the carrier of `channel` must get it.
    """

    @pytest.fixture
    def received(self) -> Callable[[], str]:
        """Return all that the carrier of `channel` got so far as text, its encoding undone."""
        raise NotImplementedError

    @pytest.fixture
    def secrets(self) -> tuple[str, ...]:
        """The tokens and passwords in the settings of these channels; `()` if there are none."""
        raise NotImplementedError

    @pytest.fixture
    def unauthorized_channel(self) -> Channel:
        """A channel whose carrier refuses our account."""
        raise NotImplementedError

    @pytest.fixture
    def rejected_recipient(self) -> Recipient:
        """A recipient whose address the carrier of `channel` refuses permanently."""
        raise NotImplementedError

    @pytest.fixture
    def unresponsive_channel(self) -> Channel:
        """A channel whose carrier accepts calls and never responds; its deadline is short."""
        raise NotImplementedError

    async def test_the_carrier_gets_the_text(
        self, channel: Channel, recipient: Recipient, received: Callable[[], str]
    ) -> None:
        await send_sample(channel, recipient, "text")

        assert EXPECTED_TEXT[channel.medium] in received()

    async def test_closing_leaves_no_connection_open(
        self, channel: Channel, recipient: Recipient
    ) -> None:
        before = open_sockets()
        await send_sample(channel, recipient, "close")
        await call_in_time(channel.close)

        assert await wait_until_closed(before) == set()

    async def test_a_refused_account_is_not_a_delivery_error(
        self, unauthorized_channel: Channel, recipient: Recipient
    ) -> None:
        with pytest.raises(ProviderAccountError):
            await send_sample(unauthorized_channel, recipient, "account")

    async def test_a_refused_account_is_named_without_its_secrets(
        self,
        unauthorized_channel: Channel,
        recipient: Recipient,
        secrets: tuple[str, ...],
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        with pytest.raises(ProviderAccountError) as refused:
            await send_sample(unauthorized_channel, recipient, "secret")

        assert str(refused.value).strip(), "operators are shown the error's text"
        assert_discreet(caplog, recipient, refused.value, secrets)

    async def test_an_unreachable_carrier_is_named_without_our_secrets(
        self,
        unreachable_channel: Channel,
        recipient: Recipient,
        secrets: tuple[str, ...],
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        with pytest.raises(DeliveryError) as failed:
            await send_sample(unreachable_channel, recipient, "secret")

        assert_discreet(caplog, recipient, failed.value, secrets)

    async def test_a_refused_address_is_a_permanent_error(
        self,
        channel: Channel,
        rejected_recipient: Recipient,
        secrets: tuple[str, ...],
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        with pytest.raises(DeliveryError) as refused:
            await send_sample(channel, rejected_recipient, "rejected")

        assert refused.value.permanent
        assert_discreet(caplog, rejected_recipient, refused.value, secrets)

    async def test_a_call_without_a_response_ends_at_the_deadline(
        self,
        unresponsive_channel: Channel,
        recipient: Recipient,
        secrets: tuple[str, ...],
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        started_at = monotonic()
        with pytest.raises(DeliveryError) as failed:
            await send_sample(unresponsive_channel, recipient, "silence")

        assert not failed.value.permanent
        assert monotonic() - started_at < MAX_CALL_SECONDS
        assert_discreet(caplog, recipient, failed.value, secrets)

    async def test_a_call_can_be_cancelled(
        self, unresponsive_channel: Channel, recipient: Recipient
    ) -> None:
        sending = asyncio.create_task(send_sample(unresponsive_channel, recipient, "cancelled"))
        await asyncio.sleep(0.1)
        sending.cancel()

        with pytest.raises(asyncio.CancelledError):
            await sending
