"""The contract of a channel fails for a channel that breaks a promise quietly."""

import logging

import pytest

from prawko.hooks.channels import MAX_REFERENCE_LENGTH, DeliveryError, Medium, Recipient
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.http_client import HttpClient
from prawko.hooks.provider_client import ChannelConnection
from prawko_testing.channel_contract import RemoteChannelContract
from prawko_testing.fakes import RecordingChannel
from prawko_testing.loopback_server import LoopbackServer, run_server, unreachable_url

pytestmark = pytest.mark.anyio

PERSON = Recipient(email="anna@acme.test", phone="+48600100200")
CONTRACT = RemoteChannelContract()


@pytest.fixture(autouse=True)
def log_of_operators(caplog: pytest.LogCaptureFixture) -> None:
    """Capture what the contracts do: their tests are called without their fixtures here."""
    caplog.set_level(logging.INFO)


class CarelessChannel(RecordingChannel):
    """A channel that calls a server, and breaks the promise that a test is about."""

    def __init__(self, server: LoopbackServer) -> None:
        super().__init__(Medium.SMS)
        self._server = server
        self._client = HttpClient(deadline=5.0)
        self.reference: object = "1"
        self.text = "Prawko: x"
        self.closes = True

    async def send(self, message, recipient, *, idempotency_key):
        await self._client.request("POST", self._server.url, self.text.encode())
        return self.reference

    async def close(self) -> None:
        if self.closes:
            await self._client.close()


@pytest.fixture
async def server():
    async with run_server(lambda _: 200) as running:
        yield running


@pytest.fixture
async def channel(server):
    careless = CarelessChannel(server)
    yield careless
    careless.closes = True
    await careless.close()


@pytest.fixture
def received(server):
    return lambda: "".join(request.body.decode() for request in server.requests)


async def test_a_close_that_does_nothing_is_caught(channel) -> None:
    await CONTRACT.test_closing_leaves_no_connection_open(channel, PERSON)
    channel = CarelessChannel(channel._server)
    channel.closes = False

    with pytest.raises(AssertionError):
        await CONTRACT.test_closing_leaves_no_connection_open(channel, PERSON)
    channel.closes = True
    await channel.close()


@pytest.mark.parametrize("reference", ["", 7, "x" * (MAX_REFERENCE_LENGTH + 1), "a\nb", "a\0"])
async def test_a_reference_that_cannot_be_stored_is_caught(channel, reference) -> None:
    await CONTRACT.test_it_returns_a_reference_or_nothing(channel, PERSON)
    channel.reference = reference

    with pytest.raises(AssertionError):
        await CONTRACT.test_it_returns_a_reference_or_nothing(channel, PERSON)


async def test_an_empty_message_is_caught(channel, server, received) -> None:
    await CONTRACT.test_the_carrier_gets_the_text(channel, PERSON, received)
    channel.text = ""
    server.requests.clear()

    with pytest.raises(AssertionError):
        await CONTRACT.test_the_carrier_gets_the_text(channel, PERSON, received)


@pytest.mark.parametrize(
    "reason", ["the key SG.secret was revoked", "", "  "], ids=["secret", "empty", "blank"]
)
async def test_a_secret_and_silence_in_an_error_are_caught(reason, caplog) -> None:
    channel = RecordingChannel()
    channel.failure = ProviderAccountError(reason)
    with pytest.raises(AssertionError):
        await CONTRACT.test_a_refused_account_is_named_without_its_secrets(
            channel, PERSON, ("SG.secret",), caplog
        )
    channel.failure = ProviderAccountError("the key was revoked")
    await CONTRACT.test_a_refused_account_is_named_without_its_secrets(
        channel, PERSON, ("SG.secret",), caplog
    )


async def test_a_secret_in_a_temporary_error_is_caught(caplog) -> None:
    channel = RecordingChannel()
    channel.failure = DeliveryError("no answer from https://chat.test/hook-7f3k")
    with pytest.raises(AssertionError):
        await CONTRACT.test_an_unreachable_carrier_is_named_without_our_secrets(
            channel, PERSON, ("hook-7f3k",), caplog
        )


class QuotingError(DeliveryError):
    """An error whose text is discreet, and whose repr is not."""

    def __repr__(self) -> str:
        return f"QuotingError({PERSON})"


@pytest.mark.parametrize(
    ("error", "place"),
    [
        (DeliveryError("550 <anna@acme.test> unknown"), "text"),
        (DeliveryError("invalid number 48600100200"), "text"),
        (DeliveryError("refused: code ABC234"), "text"),
        (QuotingError("refused"), "repr"),
    ],
    ids=["address", "number", "message", "repr"],
)
async def test_an_error_that_quotes_the_recipient_or_the_message_is_caught(
    error, place, caplog
) -> None:
    channel = RecordingChannel(Medium.SMS)
    channel.failure = error
    with pytest.raises(AssertionError, match=f"the error's {place} contains"):
        await CONTRACT.test_an_unreachable_carrier_is_a_temporary_error(channel, PERSON, caplog)
    channel.failure = DeliveryError("550 unknown")
    await CONTRACT.test_an_unreachable_carrier_is_a_temporary_error(channel, PERSON, caplog)


async def test_a_log_that_names_the_recipient_is_caught(caplog) -> None:
    class TalkingChannel(RecordingChannel):
        async def send(self, message, recipient, *, idempotency_key):
            logging.getLogger("pigeon").info("to %s", recipient.phone)
            return await super().send(message, recipient, idempotency_key=idempotency_key)

    with pytest.raises(AssertionError, match="the log contains"):
        await CONTRACT.test_the_log_names_no_recipient(TalkingChannel(Medium.SMS), PERSON, caplog)


@pytest.mark.parametrize(
    ("status", "error", "is_account"),
    [(401, "401", True), (429, "429", False), (503, "503", False), (404, "404", False)],
)
async def test_a_connection_says_what_a_status_means(status, error, is_account) -> None:
    async with run_server(lambda _: status) as server:
        connection = ChannelConnection(HttpClient(deadline=5.0))
        with pytest.raises((DeliveryError, ProviderAccountError), match=error) as failed:
            await connection.call("GET", server.url)
        await connection.close()

    assert isinstance(failed.value, ProviderAccountError) is is_account
    assert getattr(failed.value, "not_taken", None) is (None if is_account else status == 429)


async def test_a_connection_that_fails_is_a_temporary_error() -> None:
    connection = ChannelConnection(HttpClient(deadline=5.0))
    with pytest.raises(DeliveryError) as failed:
        await connection.call("GET", unreachable_url())
    await connection.close()

    assert (failed.value.permanent, failed.value.not_taken) == (False, False)
