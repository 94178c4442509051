"""The web push channel, against a fake push service and browser on a real socket."""

import base64
import re
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from types import SimpleNamespace

import http_ece
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from yarl import URL

from prawko.hooks.channels import Channel, DeliveryError, Message, PushNote, Recipient
from prawko.hooks.environment import Environment, SettingsError
from prawko.kit.providers.validation import find_object_faults
from prawko_channel_webpush import channels, signature
from prawko_channel_webpush.address import parse_endpoint, parse_hosts
from prawko_channel_webpush.channel import WebPushChannel
from prawko_channel_webpush.crypto import encrypt_payload
from prawko_channel_webpush.messages import MAX_PAYLOAD_BYTES, build_payload
from prawko_channel_webpush.settings import DEFAULT_HOSTS
from prawko_channel_webpush.signature import TOKEN_SECONDS, TokenSigner, parse_private_key
from prawko_testing.channel_contract import sample_message
from support.servers.carriers import ServerChannelContract
from support.servers.push_service import (
    CONTACT,
    PRIVATE_KEY,
    FakeBrowser,
    FakePushService,
    read_claims,
)

pytestmark = pytest.mark.anyio

VENDORS = parse_hosts(DEFAULT_HOSTS)


def create_channel(server: FakePushService | None = None, **settings: str) -> WebPushChannel:
    variables = {"PRIVATE_KEY": PRIVATE_KEY, "CONTACT": CONTACT, "HOSTS": "127.0.0.1", **settings}
    [channel] = channels(
        Environment({f"CHANNEL_WEBPUSH_{key}": value for key, value in variables.items()})
    )
    return channel


def to_browser(channel: WebPushChannel, browser: FakeBrowser) -> Recipient:
    return Recipient(None, None, push=browser.subscription(channel.server_key))


@pytest.fixture
async def server() -> AsyncIterator[FakePushService]:
    fake = FakePushService()
    async with fake.serve():
        yield fake


@pytest.fixture
async def channel(server) -> AsyncIterator[WebPushChannel]:
    new_channel = create_channel(server)
    yield new_channel
    await new_channel.close()


@pytest.fixture
def browser(server) -> FakeBrowser:
    return server.new_browser()


class TestContract(ServerChannelContract):
    """The contract of every channel that talks to a server."""

    create_channel = staticmethod(create_channel)
    module = "prawko_channel_webpush.channel"
    secret_values = (PRIVATE_KEY,)

    @pytest.fixture
    def received(self, browser) -> Callable[[], str]:
        return lambda: "".join(message["title"] for message in browser.messages)

    @pytest.fixture
    def recipient(self, channel, browser) -> Recipient:
        return to_browser(channel, browser)

    @pytest.fixture
    def rejected_recipient(self, server, channel) -> Recipient:
        return to_browser(channel, FakeBrowser(f"{server.url}/push/unknown"))

    # Who subscribes chooses the address, so a refusal says nothing about our key.
    test_a_refused_account_is_not_a_delivery_error = None
    test_a_refused_account_is_named_without_its_secrets = None


async def test_a_browser_reads_title_path_and_tag_and_nothing_else(
    server, channel, browser
) -> None:
    await channel.send(sample_message(), to_browser(channel, browser), idempotency_key="a")

    [message] = browser.messages
    assert message == {
        "title": "Zażółć gęślą jaźń: „Jan <Kowalski> & Syn” 🚚",
        "path": "/panel/drivers",
        "tag": message["tag"],
    }
    [headers] = server.headers
    assert (headers["TTL"], headers["Urgency"]) == ("86400", "high")
    assert headers["Content-Encoding"] == "aes128gcm"
    assert headers["Topic"] == message["tag"]
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,32}", message["tag"]), "what RFC 8030 allows"
    assert b"Kowalski" not in server.bodies[0]


async def test_a_repeated_message_has_the_same_tag_and_another_key_of_encryption(
    server, channel, browser
) -> None:
    for key in ("a", "a", "b"):
        await channel.send(sample_message(), to_browser(channel, browser), idempotency_key=key)

    first, second, third = browser.messages
    assert first["tag"] == second["tag"] != third["tag"]
    assert len(set(server.bodies)) == 3


@pytest.mark.parametrize("status", [404, 410])
async def test_an_unsubscribed_browser_is_a_permanent_error(
    server, channel, browser, status
) -> None:
    server.status = status
    with pytest.raises(DeliveryError, match=str(status)) as refused:
        await channel.send(sample_message(), to_browser(channel, browser), idempotency_key="a")
    assert refused.value.permanent


@pytest.mark.parametrize("status", [301, 307, 400, 401, 402, 403, 407, 413, 429, 500, 503])
async def test_every_other_refusal_is_temporary_and_pauses_no_browser(
    server, channel, browser, status
) -> None:
    server.status = status
    with pytest.raises(DeliveryError) as refused:
        await channel.send(sample_message(), to_browser(channel, browser), idempotency_key="a")
    assert not refused.value.permanent
    assert refused.value.not_taken is (status == 429)
    assert server.calls == 1, "no redirect is followed"


async def test_a_push_service_says_when_to_try_again(server, channel, browser) -> None:
    server.respond_with(429, Retry_After="30")
    with pytest.raises(DeliveryError) as refused:
        await channel.send(sample_message(), to_browser(channel, browser), idempotency_key="a")
    assert (refused.value.retry_after, refused.value.permanent) == (30, False)


async def test_an_endpoint_is_checked_again_before_a_message_leaves(server, browser) -> None:
    strict = create_channel(server, HOSTS=DEFAULT_HOSTS)
    with pytest.raises(DeliveryError) as refused:
        await strict.send(sample_message(), to_browser(strict, browser), idempotency_key="a")
    assert refused.value.permanent
    assert server.calls == 0


async def test_a_browser_of_another_key_cannot_be_reached(server, channel, browser) -> None:
    other = Recipient(None, None, push=browser.subscription("B" + channel.server_key[1:-1] + "A"))
    assert not channel.can_reach(other)


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:APA91b-x_Y",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAAAA",
        "https://web.push.apple.com/QGuQyavXutnMH",
        "https://wns2-par02p.notify.windows.com/w/?token=BQYAAA%3d%3d",
    ],
)
def test_the_push_services_of_the_vendors_are_accepted(endpoint) -> None:
    assert str(parse_endpoint(endpoint, VENDORS)) == endpoint


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/fcm/send/x",
        "https://fcm.googleapis.com:8443/x",
        "https://fcm.googleapis.com.evil.test/x",
        "https://evil.test/fcm.googleapis.com",
        "https://fcm.googleapis.com@evil.test/x",
        "https://user:pass@fcm.googleapis.com/x",
        "https://evil.test\\@fcm.googleapis.com/x",
        "https://notify.windows.com/x",
        "https://.notify.windows.com/x",
        "https://evilnotify.windows.com/x",
        "https://127.0.0.1/x",
        "http://127.0.0.1:5432/",
        "http://localhost/",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/x",
        "https://fcm.googleapis.com\t.evil.test/x",
        "https://\uff46cm.googleapis.com/x",
        "https://a..push.apple.com/1",
        "https://xn--a.notify.windows.com/",
        "https://xn--bcher-kva.push.apple.com/x",
        "https://-a.push.apple.com/x",
        "https://a%2e.push.apple.com/x",
        "https://" + 64 * "a" + ".push.apple.com/x",
        "https://" + 5 * (60 * "a" + ".") + "push.apple.com/x",
        "file:///etc/passwd",
        "//fcm.googleapis.com/x",
        "fcm.googleapis.com/x",
        "",
    ],
)
def test_no_other_address_is_accepted(endpoint) -> None:
    assert parse_endpoint(endpoint, VENDORS) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("p256dh", ""),
        ("p256dh", "A" * 87),
        ("p256dh", base64.urlsafe_b64encode(b"\4" + bytes(64)).decode().rstrip("=")),
        ("auth", "AAAA"),
        ("auth", "no base64!"),
        ("auth", "ą" * 22),
    ],
)
def test_a_subscription_with_malformed_keys_is_refused(name, value) -> None:
    channel = create_channel()
    subscription = FakeBrowser("http://127.0.0.1:1/push").subscription(channel.server_key)
    assert channel.accepts_subscription(subscription)
    broken = msgspec.structs.replace(subscription, **{name: value})
    assert not channel.accepts_subscription(broken)


def test_the_payload_is_bounded_whatever_a_driver_is_called() -> None:
    payload = build_payload(PushNote("🚚" * 5000, "/panel/drivers"), "t" * 32)
    assert len(payload) <= MAX_PAYLOAD_BYTES
    with pytest.raises(ValueError, match="path"):
        build_payload(PushNote("x", "https://evil.test"), "t")


def test_the_example_of_rfc_8291_is_decrypted() -> None:
    """Appendix A: what our package encrypts is what the standard describes."""
    body = (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAm"
        "S6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj"
        "_Qulcy4a-fN"
    )
    number = int.from_bytes(_decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), "big")
    decrypted = http_ece.decrypt(
        _decode(body),
        private_key=ec.derive_private_key(number, ec.SECP256R1()),
        auth_secret=_decode("BTBZMqHH6r4Tts7J_aSIgg"),
        version="aes128gcm",
    )
    assert decrypted == b"When I grow up, I want to be a watermelon"


def test_each_message_is_encrypted_with_a_key_of_its_own() -> None:
    subscription = FakeBrowser("http://127.0.0.1:1/push").subscription("x")
    first, second = (encrypt_payload(b"{}", subscription) for _ in range(2))
    assert first[21:86] != second[21:86], "the sender's key"
    assert first[:16] != second[:16], "the salt"


def test_a_token_serves_half_of_its_life_and_one_push_service(monkeypatch) -> None:
    begin = time.time()
    now = SimpleNamespace(time=lambda: begin)
    monkeypatch.setattr(signature, "time", now)
    key = parse_private_key(PRIVATE_KEY)
    assert key is not None
    signer = TokenSigner(key, CONTACT)
    google, mozilla = (URL(f"https://{host}.test/{host}") for host in ("google", "mozilla"))
    first = signer.sign(google)
    assert read_claims(first)["aud"] == "https://google.test"
    assert read_claims(signer.sign(mozilla))["aud"] == "https://mozilla.test"

    now.time = lambda: begin + TOKEN_SECONDS / 2 - 1
    assert signer.sign(google) == first
    now.time = lambda: begin + TOKEN_SECONDS / 2 + 1
    assert read_claims(signer.sign(google))["exp"] == int(now.time() + TOKEN_SECONDS)


async def test_a_message_without_a_form_for_browsers_is_not_sent(channel, browser) -> None:
    message = Message(subject="x", text="x", html="x", sms_text="x")
    with pytest.raises(DeliveryError):
        await channel.send(message, to_browser(channel, browser), idempotency_key="a")


def test_it_is_off_until_it_is_configured() -> None:
    assert channels(Environment({})) == []


def test_it_keeps_the_promises_of_a_push_channel() -> None:
    assert list(find_object_faults(create_channel(), Channel)) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PRIVATE_KEY", "x"),
        ("PRIVATE_KEY", "A" * 43),
        ("PRIVATE_KEY", "_" * 43),
        ("CONTACT", "mailto:a@b.test\nx"),
        ("CONTACT", "nobody"),
        ("HOSTS", "https://fcm.googleapis.com"),
        ("HOSTS", "*"),
        ("HOSTS", "10.0.0.1"),
        ("HOSTS", ","),
    ],
)
def test_a_malformed_setting_stops_the_start_and_is_not_quoted(name, value) -> None:
    with pytest.raises(SettingsError) as refused:
        create_channel(**{name: value})
    assert refused.value.variable == f"CHANNEL_WEBPUSH_{name}"
    if name == "PRIVATE_KEY":
        assert f"'{value}'" not in str(refused.value)


def test_a_new_key_is_printed_and_accepted() -> None:
    command = [sys.executable, "-m", "prawko_channel_webpush"]
    lines = {
        subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in "ab"
    }
    assert len(lines) == 2
    for line in lines:
        name, _, key = line.strip().partition("=")
        assert name == "CHANNEL_WEBPUSH_PRIVATE_KEY"
        assert len(_decode(create_channel(PRIVATE_KEY=key).server_key)) == 65


def _decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
