"""What every channel promises, as tests: subclass it and hand in your channel.

    class TestContract(ChannelContract):
        @pytest.fixture
        def channel(self) -> MyChannel: ...

        @pytest.fixture
        def recipient(self) -> Recipient: ...

        @pytest.fixture
        def broken_channel(self) -> MyChannel: ...

A channel that talks to a server subclasses `RemoteChannelContract`, which asks for more.
Needs pytest and anyio; your fixtures may be async, for every test is.
"""

# ruff: noqa: S101 (tests are made of assertions)

import asyncio
import inspect
from time import monotonic

import pytest

from prawko.hooks.channels import Channel, DeliveryError, Medium, Notice, Recipient
from prawko.hooks.failures import AccountError

NOBODY = Recipient(email=None, phone=None)
# The platform gives up on a channel after half a minute; a channel gives up earlier.
PATIENCE_SECONDS = 30.0


def notice() -> Notice:
    """A notice with everything in it that a carrier may stumble over."""
    text = "Zażółć gęślą jaźń, „cudzysłów”, <b>&amp;</b>, 🚚.\n\n.\nKropka sama w wierszu.\n"
    return Notice(
        title="Zażółć gęślą jaźń: „Jan <Kowalski> & Syn” 🚚",
        text=text,
        html=f"<!doctype html><p>Zażółć gęślą jaźń &amp; 🚚</p>{'<p>długi wiersz</p>' * 200}",
        line="Prawko: zażółć gęślą jaźń",
        code="ABC234",
        link="https://panel.test/panel/drivers?a=1&b=2",
    )


class ChannelContract:
    """Promises that every channel keeps."""

    pytestmark = pytest.mark.anyio

    @pytest.fixture
    def channel(self) -> Channel:
        """A channel whose carrier takes everything."""
        raise NotImplementedError

    @pytest.fixture
    def recipient(self) -> Recipient:
        """Somebody the channel can reach."""
        raise NotImplementedError

    @pytest.fixture
    def broken_channel(self) -> Channel:
        """A channel whose carrier is away."""
        raise NotImplementedError

    async def test_it_has_a_name_and_a_medium(self, channel: Channel) -> None:
        assert channel.name
        assert channel.name == channel.name.strip().lower()
        assert channel.medium in set(Medium)

    async def test_it_tells_whom_it_reaches_without_waiting(
        self, channel: Channel, recipient: Recipient
    ) -> None:
        assert not inspect.iscoroutinefunction(channel.reaches)
        assert channel.reaches(recipient) is True
        assert channel.reaches(NOBODY) is False

    async def test_it_returns_a_reference_or_nothing(
        self, channel: Channel, recipient: Recipient
    ) -> None:
        reference = await channel.deliver(notice(), recipient, key="contract:reference")

        assert reference is None or (reference and len(reference.splitlines()) == 1)

    async def test_the_same_key_may_come_twice(
        self, channel: Channel, recipient: Recipient
    ) -> None:
        await channel.deliver(notice(), recipient, key="contract:twice")
        await channel.deliver(notice(), recipient, key="contract:twice")

    async def test_it_carries_several_at_once(self, channel: Channel, recipient: Recipient) -> None:
        async with asyncio.TaskGroup() as group:
            for number in range(8):
                group.create_task(
                    channel.deliver(notice(), recipient, key=f"contract:parallel:{number}")
                )

    async def test_nobody_is_never_tried_again(self, channel: Channel) -> None:
        with pytest.raises(DeliveryError) as refused:
            await channel.deliver(notice(), NOBODY, key="contract:nobody")

        assert refused.value.permanent

    async def test_a_carrier_that_is_away_is_tried_again(
        self, broken_channel: Channel, recipient: Recipient
    ) -> None:
        with pytest.raises(DeliveryError) as failed:
            await broken_channel.deliver(notice(), recipient, key="contract:broken")

        assert not failed.value.permanent

    async def test_it_can_be_closed_unused_and_twice(self, channel: Channel) -> None:
        await channel.close()
        await channel.close()


class RemoteChannelContract(ChannelContract):
    """Further promises of a channel that talks to somebody's server."""

    @pytest.fixture
    def refusing_channel(self) -> Channel:
        """A channel whose carrier refuses our account."""
        raise NotImplementedError

    @pytest.fixture
    def rejected(self) -> Recipient:
        """Somebody whose address the carrier of `channel` refuses for good."""
        raise NotImplementedError

    @pytest.fixture
    def silent_channel(self) -> Channel:
        """A channel whose carrier takes the call and says nothing; its deadline is short."""
        raise NotImplementedError

    async def test_a_refused_account_is_nobodys_lost_message(
        self, refusing_channel: Channel, recipient: Recipient
    ) -> None:
        with pytest.raises(AccountError):
            await refusing_channel.deliver(notice(), recipient, key="contract:account")

    async def test_a_refused_address_is_not_tried_again(
        self, channel: Channel, rejected: Recipient
    ) -> None:
        with pytest.raises(DeliveryError) as refused:
            await channel.deliver(notice(), rejected, key="contract:rejected")

        assert refused.value.permanent

    async def test_silence_ends_at_the_deadline(
        self, silent_channel: Channel, recipient: Recipient
    ) -> None:
        began = monotonic()
        with pytest.raises(DeliveryError) as failed:
            await silent_channel.deliver(notice(), recipient, key="contract:silence")

        assert not failed.value.permanent
        assert monotonic() - began < PATIENCE_SECONDS

    async def test_it_lets_go_when_cancelled(
        self, silent_channel: Channel, recipient: Recipient
    ) -> None:
        delivering = asyncio.create_task(
            silent_channel.deliver(notice(), recipient, key="contract:cancelled")
        )
        await asyncio.sleep(0.1)
        delivering.cancel()

        with pytest.raises(asyncio.CancelledError):
            await delivering
