"""The SendGrid channel keeps every promise of a channel, against its fake on a real socket."""

import hashlib
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from yarl import URL

from carriers import CarrierContract, FakeSendGrid, event
from prawko.base.clock import machine_now
from prawko.hooks.callbacks import Callback, ForgedCallbackError
from prawko.hooks.channels import DeliveryError, Recipient, ReportingChannel, ReportKind
from prawko.hooks.environment import Environment, SettingError
from prawko.hooks.failures import AccountError
from prawko.testing.channel_contract import notice
from prawko.testing.report_contract import ReportContract
from prawko_channel_sendgrid import SendGridChannel, channels

ANNA = Recipient(email="anna@acme.test", phone=None)
NOBODY = Recipient(email="nobody@acme.test", phone=None)
SENDER = "Prawko <powiadomienia@prawko.test>"

pytestmark = pytest.mark.anyio


def channel_to(server: FakeSendGrid, **settings: str) -> SendGridChannel:
    given = {"URL": server.url, "KEY": "SG.key", "SENDER": SENDER, **settings}
    made = channels(Environment({f"CHANNEL_SENDGRID_{k}": v for k, v in given.items()}))
    return made[0]


@pytest.fixture
async def server() -> AsyncIterator[FakeSendGrid]:
    fake = FakeSendGrid()
    async with fake.listening():
        yield fake


@pytest.fixture
async def channel(server: FakeSendGrid) -> AsyncIterator[SendGridChannel]:
    made = channel_to(server)
    yield made
    await made.close()


class TestContract(CarrierContract):
    """The promises of every channel that talks to a server."""

    made = staticmethod(channel_to)
    refused = ("KEY", "SG.revoked")

    @pytest.fixture
    def recipient(self) -> Recipient:
        return ANNA

    @pytest.fixture
    def rejected(self) -> Recipient:
        return NOBODY


class TestReports(ReportContract):
    """The promises of every channel whose carrier reports."""

    @pytest.fixture
    def fake(self) -> FakeSendGrid:
        return FakeSendGrid()

    @pytest.fixture
    def channel(self, fake) -> SendGridChannel:
        return channel_to(fake, REPORT_KEY=fake.public_key)

    @pytest.fixture
    def genuine(self, fake) -> Callback:
        return fake.callback([event("contract:one"), event("contract:two")])

    @pytest.fixture
    def forged(self, fake, genuine) -> list[Callback]:
        headers = dict(genuine.headers)
        unsigned = {name: value for name, value in headers.items() if "signature" not in name}
        unstamped = {name: value for name, value in headers.items() if "timestamp" not in name}
        odd = [
            {**headers, "x-twilio-email-event-webhook-signature": value}
            for value in ("", "no base64!", "AAAA", "ą")
        ]
        later = {**headers, "x-twilio-email-event-webhook-timestamp": "99999999999999999999"}
        others = generate_private_key(SECP256R1())
        return [
            *(msgspec.structs.replace(genuine, headers=h) for h in (unsigned, unstamped, later)),
            *(msgspec.structs.replace(genuine, headers=h) for h in odd),
            msgspec.structs.replace(genuine, body=genuine.body + b" "),
            fake.callback([event("contract:one")], key=others),
            fake.callback([event("contract:one")], age=26 * 3600),
            fake.callback([event("contract:one")], age=-600),
        ]

    @pytest.fixture
    def garbled(self, fake) -> list[Callback]:
        wrong = (
            b"", b"null", b"{}", b"[1]", b'[{"event": 1', b"\xff\xfe",
            json.dumps([event("k", timestamp=1e300)]).encode(),
            json.dumps([event("k", timestamp="soon")]).encode(),
            json.dumps([event("k", prawko_delivery={"a": 1})]).encode(),
        )  # fmt: skip
        return [fake.callback(body) for body in wrong]

    @pytest.fixture
    def of_no_interest(self, fake) -> list[Callback]:
        others = event("x")
        del others["prawko_delivery"]
        passing = [
            event("k", happened)
            for happened in ("processed", "deferred", "open", "click", "unsubscribe", "tomorrow")
        ]
        return [fake.callback([]), fake.callback([others]), fake.callback(passing)]

    @pytest.mark.parametrize(
        ("happened", "kind"),
        [
            ({"happened": "delivered"}, ReportKind.DELIVERED),
            ({"happened": "bounce", "type": "bounce"}, ReportKind.BOUNCED),
            ({"happened": "bounce", "type": "blocked"}, ReportKind.FAILED),
            ({"happened": "dropped", "reason": "Bounced Address"}, ReportKind.DROPPED),
            ({"happened": "dropped", "reason": "Unsubscribed Address"}, ReportKind.DROPPED),
            ({"happened": "dropped", "reason": "Invalid"}, ReportKind.DROPPED),
            ({"happened": "dropped", "reason": "Spam Reporting Address"}, ReportKind.SPAM),
            ({"happened": "dropped", "reason": "Spam Content"}, ReportKind.FAILED),
            ({"happened": "dropped", "reason": "Invalid SMTPAPI header"}, ReportKind.FAILED),
            ({"happened": "spamreport"}, ReportKind.SPAM),
        ],
    )
    def test_only_the_address_is_blamed_for_what_is_its_fault(
        self, channel, fake, happened, kind
    ) -> None:
        [report] = channel.read_reports(fake.callback([event("k", **happened)]))

        assert report.kind is kind
        assert report.passing is (happened.get("type") == "blocked")

    def test_what_sendgrid_repeats_for_a_day_is_still_taken(self, channel, fake) -> None:
        assert channel.read_reports(fake.callback([event("k")], age=24 * 3600))

    def test_the_time_is_the_machines(self, channel, fake) -> None:
        genuine = fake.callback([event("k")])
        late = msgspec.structs.replace(genuine, received_at=machine_now() + timedelta(days=2))

        with pytest.raises(ForgedCallbackError):
            channel.read_reports(late)


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


def test_sendgrids_own_example_is_believed_when_it_was_young() -> None:
    [channel] = channels(settings(REPORT_KEY=EXAMPLE_KEY))
    body = json.dumps([EXAMPLE_EVENT], sort_keys=True, separators=(",", ":")) + "\r\n"
    example = Callback(
        headers={
            "x-twilio-email-event-webhook-signature": EXAMPLE_SIGNATURE,
            "x-twilio-email-event-webhook-timestamp": "1600112502",
        },
        query={},
        body=body.encode(),
        received_at=datetime.fromtimestamp(1600112503, UTC),
    )

    assert channel.read_reports(example) == (), "it carries no key of ours"
    with pytest.raises(ForgedCallbackError):
        channel.read_reports(msgspec.structs.replace(example, received_at=machine_now()))
    with pytest.raises(ForgedCallbackError):
        channel.read_reports(msgspec.structs.replace(example, body=body.strip().encode()))


async def test_a_mail_says_what_the_notice_says_and_nothing_counts_its_reader(
    server, channel
) -> None:
    reference = await channel.deliver(notice(), ANNA, key="notice:7")

    [mail] = server.mails
    assert reference == "msg-1"
    assert mail["personalizations"] == [
        {"to": [{"email": "anna@acme.test"}], "custom_args": {"prawko_delivery": "notice:7"}}
    ]
    assert mail["from"] == {"email": "powiadomienia@prawko.test", "name": "Prawko"}
    assert mail["subject"] == notice().title
    assert [part["value"] for part in mail["content"]] == [notice().text, notice().html]
    assert mail["tracking_settings"]["click_tracking"] == {"enable": False, "enable_text": False}
    for tracking in ("open_tracking", "subscription_tracking", "ganalytics"):
        assert mail["tracking_settings"][tracking] == {"enable": False}
    assert mail["headers"]["Auto-Submitted"] == "auto-generated"
    assert mail["mail_settings"]["sandbox_mode"] == {"enable": False}


async def test_sendgrids_own_lists_stop_no_mail(server, channel) -> None:
    await channel.deliver(notice(), ANNA, key="k")

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


async def test_a_retry_carries_the_same_id_for_readers_and_for_events(server, channel) -> None:
    await channel.deliver(notice(), ANNA, key="notice:7")
    await channel.deliver(notice(), ANNA, key="notice:7")
    await channel.deliver(notice(), ANNA, key="notice:8")

    digest = hashlib.sha256(b"notice:7").hexdigest()[:32]
    first, second, other = (mail["headers"]["Message-ID"] for mail in server.mails)
    assert first == second == f"<{digest}@prawko.test>"
    assert other != first
    assert server.keys == ["notice:7", "notice:7", "notice:8"]


async def test_a_line_break_in_a_title_becomes_a_blank(server, channel) -> None:
    broken = msgspec.structs.replace(notice(), title="One\r\nBcc: celina@rival.test")
    await channel.deliver(broken, ANNA, key="k")

    assert server.mails[0]["subject"] == "One Bcc: celina@rival.test"


async def test_the_sandbox_checks_and_sends_nothing(server) -> None:
    channel = channel_to(server, SANDBOX="true")
    assert await channel.deliver(notice(), ANNA, key="k") is None
    await channel.close()

    assert server.mails[0]["mail_settings"]["sandbox_mode"] == {"enable": True}


@pytest.mark.parametrize(
    ("status", "faults", "means"),
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
async def test_each_refusal_has_its_word(server, channel, status, faults, means) -> None:
    server.says(status, {"errors": faults} if isinstance(faults, list) else faults)

    if means == "taken":
        assert await channel.deliver(notice(), ANNA, key="k") is None
        return
    with pytest.raises((DeliveryError, AccountError)) as refused:
        await channel.deliver(notice(), ANNA, key="k")
    if means == "account":
        assert isinstance(refused.value, AccountError)
    else:
        assert isinstance(refused.value, DeliveryError)
        assert refused.value.permanent is (means == "permanent")
    assert str(status) in str(refused.value)
    assert "SG.key" not in str(refused.value)


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"X_RateLimit_Reset": str(int(machine_now().timestamp()) + 7200)}, (3600.0, 7200.0)),
        ({"X_RateLimit_Reset": "1"}, (0.0, 0.0)),
        ({"X_RateLimit_Reset": "soon"}, None),
        ({}, None),
    ],
)
async def test_a_full_allowance_is_waited_for(server, channel, headers, wait) -> None:
    server.says(429, **headers)

    with pytest.raises(DeliveryError) as refused:
        await channel.deliver(notice(), ANNA, key="k")
    if wait is None:
        assert refused.value.retry_after is None
    else:
        assert wait[0] <= refused.value.retry_after <= wait[1]


async def test_an_answer_without_end_is_not_read(server, channel) -> None:
    server.says(202, "x" * 100_000)

    with pytest.raises(DeliveryError, match="too long"):
        await channel.deliver(notice(), ANNA, key="k")


async def test_a_server_that_is_not_there_is_tried_again() -> None:
    gone = FakeSendGrid()
    async with gone.listening():
        pass
    channel = channel_to(gone)

    with pytest.raises(DeliveryError) as failed:
        await channel.deliver(notice(), ANNA, key="k")
    await channel.close()
    assert not failed.value.permanent


def settings(**given: str) -> Environment:
    least = {"KEY": "SG.key", "SENDER": SENDER}
    return Environment({f"CHANNEL_SENDGRID_{k}": v for k, v in {**least, **given}.items()})


def test_without_variables_it_takes_no_part() -> None:
    assert channels(Environment({})) == []


@pytest.mark.parametrize(
    ("given", "variable"),
    [
        ({"KEY": ""}, "CHANNEL_SENDGRID_KEY"),
        ({"SENDER": ""}, "CHANNEL_SENDGRID_SENDER"),
        ({"SENDER": "Prawko"}, "CHANNEL_SENDGRID_SENDER"),
        ({"REGION": "mars"}, "CHANNEL_SENDGRID_REGION"),
        ({"URL": "http://mail.example"}, "CHANNEL_SENDGRID_URL"),
        ({"REPORT_KEY": "no key"}, "CHANNEL_SENDGRID_REPORT_KEY"),
        ({"REPORT_KEY": "AAAA"}, "CHANNEL_SENDGRID_REPORT_KEY"),
        ({"DEADLINE": "90"}, "CHANNEL_SENDGRID_DEADLINE"),
        ({"SANDBOX": "perhaps"}, "CHANNEL_SENDGRID_SANDBOX"),
    ],
)
def test_half_a_configuration_names_the_variable(given, variable) -> None:
    with pytest.raises(SettingError) as refused:
        channels(settings(**given))
    assert refused.value.variable == variable


def test_the_region_chooses_the_host() -> None:
    [world], [europe] = channels(settings()), channels(settings(REGION="eu"))

    assert world._send == URL("https://api.sendgrid.com/v3/mail/send")
    assert europe._send == URL("https://api.eu.sendgrid.com/v3/mail/send")


def test_without_the_key_it_reads_no_reports() -> None:
    [channel] = channels(settings())

    assert not isinstance(channel, ReportingChannel)
