"""The SendGrid channel, against a fake of SendGrid on a real socket."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from yarl import URL

from prawko.hooks.channels import DeliveryError, DeliveryReportKind, Recipient, ReportingChannel
from prawko.hooks.environment import Environment, SettingsError
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.webhooks import WebhookRequest, WebhookVerificationError
from prawko.kit.clock import utc_now
from prawko_channel_sendgrid import SendGridChannel, channels
from prawko_testing.channel_contract import sample_message
from prawko_testing.delivery_report_contract import DeliveryReportContract
from prawko_testing.loopback_server import Response, run_server
from support.servers.carriers import FakeSendGrid, ServerChannelContract, sendgrid_event

ANNA = Recipient(email="anna@acme.test", phone=None)
NOBODY = Recipient(email="nobody@acme.test", phone=None)
SENDER = "Prawko <powiadomienia@prawko.test>"

pytestmark = pytest.mark.anyio


def create_channel(server: FakeSendGrid, **settings: str) -> SendGridChannel:
    variables = {"URL": server.url, "KEY": "SG.key", "SENDER": SENDER, **settings}
    new_channels = channels(
        Environment({f"CHANNEL_SENDGRID_{key}": value for key, value in variables.items()})
    )
    return new_channels[0]


@pytest.fixture
async def server() -> AsyncIterator[FakeSendGrid]:
    fake = FakeSendGrid()
    async with fake.serve():
        yield fake


@pytest.fixture
async def channel(server: FakeSendGrid) -> AsyncIterator[SendGridChannel]:
    new_channel = create_channel(server)
    yield new_channel
    await new_channel.close()


class TestContract(ServerChannelContract):
    """The contract of every channel that talks to a server."""

    create_channel = staticmethod(create_channel)
    module = "prawko_channel_sendgrid.channel"
    bad_setting = ("KEY", "SG.revoked")
    secret_values = "SG.key", "SG.revoked"
    recipients = ANNA, NOBODY

    @pytest.fixture
    def received(self, server) -> Callable[[], str]:
        return lambda: "".join(part["value"] for mail in server.mails for part in mail["content"])


class TestReports(DeliveryReportContract):
    """The contract of every channel with delivery reports."""

    @pytest.fixture
    def fake(self) -> FakeSendGrid:
        return FakeSendGrid()

    @pytest.fixture
    def channel(self, fake) -> SendGridChannel:
        return create_channel(fake, REPORT_KEY=fake.public_key)

    @pytest.fixture
    def valid_request(self, fake) -> WebhookRequest:
        return fake.webhook_request(
            [sendgrid_event("contract:one"), sendgrid_event("contract:two")]
        )

    @pytest.fixture
    def forged_requests(self, fake, valid_request) -> list[WebhookRequest]:
        headers = dict(valid_request.headers)
        unsigned = {name: value for name, value in headers.items() if "signature" not in name}
        unstamped = {name: value for name, value in headers.items() if "timestamp" not in name}
        malformed_headers = [
            {**headers, "x-twilio-email-event-webhook-signature": value}
            for value in ("", "no base64!", "AAAA", "ą")
        ]
        future = {**headers, "x-twilio-email-event-webhook-timestamp": "99999999999999999999"}
        other_key = generate_private_key(SECP256R1())
        return [
            *(
                msgspec.structs.replace(valid_request, headers=headers_)
                for headers_ in (unsigned, unstamped, future)
            ),
            *(
                msgspec.structs.replace(valid_request, headers=headers_)
                for headers_ in malformed_headers
            ),
            msgspec.structs.replace(valid_request, body=valid_request.body + b" "),
            fake.webhook_request([sendgrid_event("contract:one")], key=other_key),
            fake.webhook_request([sendgrid_event("contract:one")], age=26 * 3600),
            fake.webhook_request([sendgrid_event("contract:one")], age=-600),
        ]

    @pytest.fixture
    def malformed_requests(self, fake) -> list[WebhookRequest]:
        malformed = (
            b"", b"null", b"{}", b"[1]", b'[{"event": 1', b"\xff\xfe",
            json.dumps([sendgrid_event("k", timestamp=1e300)]).encode(),
            json.dumps([sendgrid_event("k", timestamp="soon")]).encode(),
            json.dumps([sendgrid_event("k", prawko_delivery={"a": 1})]).encode(),
        )  # fmt: skip
        return [fake.webhook_request(body) for body in malformed]

    @pytest.fixture
    def ignored_requests(self, fake) -> list[WebhookRequest]:
        other_event = sendgrid_event("x")
        del other_event["prawko_delivery"]
        intermediate = [
            sendgrid_event("k", event)
            for event in ("processed", "deferred", "open", "click", "unsubscribe", "tomorrow")
        ]
        return [
            fake.webhook_request([]),
            fake.webhook_request([other_event]),
            fake.webhook_request(intermediate),
        ]

    @pytest.mark.parametrize(
        ("event", "kind"),
        [
            ({"event": "delivered"}, DeliveryReportKind.DELIVERED),
            ({"event": "bounce", "type": "bounce"}, DeliveryReportKind.BOUNCED),
            ({"event": "bounce", "type": "blocked"}, DeliveryReportKind.FAILED),
            ({"event": "dropped", "reason": "Bounced Address"}, DeliveryReportKind.DROPPED),
            ({"event": "dropped", "reason": "Unsubscribed Address"}, DeliveryReportKind.DROPPED),
            ({"event": "dropped", "reason": "Invalid"}, DeliveryReportKind.DROPPED),
            ({"event": "dropped", "reason": "Spam Reporting Address"}, DeliveryReportKind.SPAM),
            ({"event": "dropped", "reason": "Spam Content"}, DeliveryReportKind.FAILED),
            (
                {"event": "dropped", "reason": "Invalid SMTPAPI header"},
                DeliveryReportKind.FAILED,
            ),
            ({"event": "spamreport"}, DeliveryReportKind.SPAM),
        ],
    )
    def test_each_event_has_its_kind_of_report(self, channel, fake, event, kind) -> None:
        [report] = channel.parse_webhook(fake.webhook_request([sendgrid_event("k", **event)]))

        assert report.kind is kind
        assert report.transient is (event.get("type") == "blocked")

    def test_an_event_repeated_for_a_day_is_accepted(self, channel, fake) -> None:
        assert channel.parse_webhook(fake.webhook_request([sendgrid_event("k")], age=24 * 3600))

    def test_the_age_of_a_webhook_is_measured_by_the_system_clock(self, channel, fake) -> None:
        genuine = fake.webhook_request([sendgrid_event("k")])
        delayed = msgspec.structs.replace(genuine, received_at=utc_now() + timedelta(days=2))

        with pytest.raises(WebhookVerificationError):
            channel.parse_webhook(delayed)


# SendGrid's own example of a signed call, from the tests of its SDK.
EXAMPLE_KEY = (
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw"
    "+2fNNRaINXvVpiglSI8eNEc6wEA3F+g=="
)
EXAMPLE_SIGNATURE = (
    "MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtE"
    "ZtM="
)
EXAMPLE_EVENT = {
    "email": "hello@world.com",
    "event": "dropped",
    "reason": "Bounced Address",
    "sg_event_id": "ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA",
    "sg_message_id": ("LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0"),
    "smtp-id": "<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>",
    "timestamp": 1600112492,
}


def test_sendgrids_own_example_is_verified_within_its_time() -> None:
    [channel] = channels(channel_environment(REPORT_KEY=EXAMPLE_KEY))
    body = json.dumps([EXAMPLE_EVENT], sort_keys=True, separators=(",", ":")) + "\r\n"
    example = WebhookRequest(
        headers={
            "x-twilio-email-event-webhook-signature": EXAMPLE_SIGNATURE,
            "x-twilio-email-event-webhook-timestamp": "1600112502",
        },
        query={},
        body=body.encode(),
        received_at=datetime.fromtimestamp(1600112503, UTC),
    )

    assert channel.parse_webhook(example) == (), "it carries no key of ours"
    with pytest.raises(WebhookVerificationError):
        channel.parse_webhook(msgspec.structs.replace(example, received_at=utc_now()))
    with pytest.raises(WebhookVerificationError):
        channel.parse_webhook(msgspec.structs.replace(example, body=body.strip().encode()))


async def test_a_mail_has_the_messages_content_and_no_tracking(server, channel) -> None:
    reference = await channel.send(sample_message(), ANNA, idempotency_key="notice:7")

    [mail] = server.mails
    assert reference == "msg-1"
    assert mail["personalizations"] == [
        {"to": [{"email": "anna@acme.test"}], "custom_args": {"prawko_delivery": "notice:7"}}
    ]
    assert mail["from"] == {"email": "powiadomienia@prawko.test", "name": "Prawko"}
    assert mail["subject"] == sample_message().subject
    assert [part["value"] for part in mail["content"]] == [
        sample_message().text,
        sample_message().html,
    ]
    assert mail["tracking_settings"]["click_tracking"] == {"enable": False, "enable_text": False}
    for setting in ("open_tracking", "subscription_tracking", "ganalytics"):
        assert mail["tracking_settings"][setting] == {"enable": False}
    assert mail["headers"]["Auto-Submitted"] == "auto-generated"
    assert mail["mail_settings"]["sandbox_mode"] == {"enable": False}


async def test_sendgrids_suppression_lists_are_bypassed(server, channel) -> None:
    await channel.send(sample_message(), ANNA, idempotency_key="k")

    bypasses = {
        name: setting
        for name, setting in server.mails[0]["mail_settings"].items()
        if name.startswith("bypass_")
    }
    assert bypasses == {
        "bypass_bounce_management": {"enable": True},
        "bypass_spam_management": {"enable": True},
        "bypass_unsubscribe_management": {"enable": True},
    }


async def test_a_retry_has_the_same_message_id_and_delivery_argument(server, channel) -> None:
    await channel.send(sample_message(), ANNA, idempotency_key="notice:7")
    await channel.send(sample_message(), ANNA, idempotency_key="notice:7")
    await channel.send(sample_message(), ANNA, idempotency_key="notice:8")

    digest = hashlib.sha256(b"notice:7").hexdigest()[:32]
    first, second, other = (mail["headers"]["Message-ID"] for mail in server.mails)
    assert first == second == f"<{digest}@prawko.test>"
    assert other != first
    assert server.delivery_keys == ["notice:7", "notice:7", "notice:8"]


async def test_a_line_break_in_a_subject_becomes_a_space(server, channel) -> None:
    unsafe = msgspec.structs.replace(sample_message(), subject="One\r\nBcc: celina@rival.test")
    await channel.send(unsafe, ANNA, idempotency_key="k")

    assert server.mails[0]["subject"] == "One Bcc: celina@rival.test"


async def test_the_sandbox_validates_and_sends_nothing(server) -> None:
    channel = create_channel(server, SANDBOX="true")
    assert await channel.send(sample_message(), ANNA, idempotency_key="k") is None
    await channel.close()

    assert server.mails[0]["mail_settings"]["sandbox_mode"] == {"enable": True}


@pytest.mark.parametrize(
    ("status", "errors", "means"),
    [
        (400, [{"message": "no", "field": "personalizations.0.to.0.email"}], "permanent"),
        (400, [{"message": "no", "field": "from.email"}], "account"),
        (400, [{"message": "no", "field": "content.0.value"}], "again"),
        (400, [{"message": "no", "field": None}], "again"),
        (400, "not JSON", "again"),
        (401, [{"message": "Maximum credits exceeded", "field": None}], "account"),
        (402, [], "account"),
        (403, [{"message": "the from address does not match", "field": "from"}], "account"),
        (404, [], "again"),
        (413, [], "again"),
        (500, [], "again"),
        (302, [], "again"),
        (200, [], "taken"),
    ],
)
async def test_each_error_response_has_its_error(server, channel, status, errors, means) -> None:
    server.respond_with(status, {"errors": errors} if isinstance(errors, list) else errors)

    if means == "taken":
        assert await channel.send(sample_message(), ANNA, idempotency_key="k") is None
        return
    with pytest.raises((DeliveryError, ProviderAccountError)) as refused:
        await channel.send(sample_message(), ANNA, idempotency_key="k")
    if means == "account":
        assert isinstance(refused.value, ProviderAccountError)
    else:
        assert isinstance(refused.value, DeliveryError)
        assert refused.value.permanent is (means == "permanent")
    assert str(status) in str(refused.value)
    assert "SG.key" not in str(refused.value)


@pytest.mark.parametrize(
    ("headers", "delay"),
    [
        ({"X_RateLimit_Reset": str(int(utc_now().timestamp()) + 7200)}, (3600.0, 7200.0)),
        ({"X_RateLimit_Reset": "1"}, (0.0, 0.0)),
        ({"X_RateLimit_Reset": "soon"}, None),
        ({}, None),
    ],
)
async def test_an_exceeded_quota_names_the_delay(server, channel, headers, delay) -> None:
    server.respond_with(429, **headers)

    with pytest.raises(DeliveryError) as refused:
        await channel.send(sample_message(), ANNA, idempotency_key="k")
    if delay is None:
        assert refused.value.retry_after is None
    else:
        assert delay[0] <= refused.value.retry_after <= delay[1]


async def test_an_endless_response_is_not_read(server, channel) -> None:
    server.respond_with(400, "x" * 100_000)

    with pytest.raises(DeliveryError, match="too long"):
        await channel.send(sample_message(), ANNA, idempotency_key="k")


@pytest.mark.parametrize("failure", ["drip", "huge"])
async def test_a_mail_that_was_accepted_is_sent_whatever_else_is_answered(failure) -> None:
    """SendGrid has it: an error would have it sent twice."""
    async with run_server(lambda _: Response(202, b"x" * 60)) as server, asyncio.timeout(10):
        server.inject_failure(failure)
        channel = create_channel(server)
        assert await channel.send(sample_message(), ANNA, idempotency_key="k") is None
        await channel.close()


async def test_an_unreachable_server_is_temporary() -> None:
    stopped_server = FakeSendGrid()
    async with stopped_server.serve():
        pass
    channel = create_channel(stopped_server)

    with pytest.raises(DeliveryError) as failed:
        await channel.send(sample_message(), ANNA, idempotency_key="k")
    await channel.close()
    assert not failed.value.permanent


def channel_environment(**variables: str) -> Environment:
    required = {"KEY": "SG.key", "SENDER": SENDER}
    return Environment(
        {f"CHANNEL_SENDGRID_{key}": value for key, value in {**required, **variables}.items()}
    )


def test_it_is_absent_without_settings() -> None:
    assert channels(Environment({})) == []


@pytest.mark.parametrize(
    ("variables", "variable"),
    [
        ({"KEY": ""}, "CHANNEL_SENDGRID_KEY"),
        ({"SENDER": ""}, "CHANNEL_SENDGRID_SENDER"),
        ({"SENDER": "Prawko"}, "CHANNEL_SENDGRID_SENDER"),
        ({"REGION": "mars"}, "CHANNEL_SENDGRID_REGION"),
        ({"URL": "http://mail.example"}, "CHANNEL_SENDGRID_URL"),
        ({"REPORT_KEY": "no key"}, "CHANNEL_SENDGRID_REPORT_KEY"),
        ({"REPORT_KEY": "AAAA"}, "CHANNEL_SENDGRID_REPORT_KEY"),
        ({"SANDBOX": "perhaps"}, "CHANNEL_SENDGRID_SANDBOX"),
    ],
)
def test_an_incomplete_configuration_names_the_variable(variables, variable) -> None:
    with pytest.raises(SettingsError) as refused:
        channels(channel_environment(**variables))
    assert refused.value.variable == variable


def test_the_region_selects_the_host() -> None:
    [default], [eu] = channels(channel_environment()), channels(channel_environment(REGION="eu"))

    assert default.send_url == URL("https://api.sendgrid.com/v3/mail/send")
    assert eu.send_url == URL("https://api.eu.sendgrid.com/v3/mail/send")


def test_without_the_key_it_does_not_parse_reports() -> None:
    [channel] = channels(channel_environment())

    assert not isinstance(channel, ReportingChannel)


async def test_a_check_asks_whether_the_key_may_send(server, channel) -> None:
    assert await channel.check() == "the key may send mail"
    assert server.mails == []

    server.scopes = ["stats.read"]
    with pytest.raises(ProviderAccountError, match="no scope"):
        await channel.check()

    server.respond_with(200, "<html>")
    with pytest.raises(DeliveryError, match="cannot be parsed"):
        await channel.check()

    server.respond_with(503)
    with pytest.raises(DeliveryError, match="503"):
        await channel.check()


async def test_a_check_with_a_revoked_key_is_about_our_account(server) -> None:
    channel = create_channel(server, KEY="SG.revoked")
    with pytest.raises(ProviderAccountError):
        await channel.check()
    await channel.close()
