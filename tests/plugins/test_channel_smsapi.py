"""The SMSAPI channel, against a fake of SMSAPI on a real socket."""

from collections.abc import AsyncIterator, Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from smsapi.sms.api import sms_parameters

from prawko.hooks.channels import DeliveryError, DeliveryReportKind, Recipient, ReportingChannel
from prawko.hooks.environment import Environment, SettingsError
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.webhooks import WebhookRequest
from prawko.kit.clock import utc_now
from prawko_channel_smsapi import channels
from prawko_channel_smsapi.channel import SmsApiChannel
from prawko_channel_smsapi.gsm7 import fit_one_segment
from prawko_channel_smsapi.message_index import decode_index, encode_index
from prawko_testing.channel_contract import sample_message
from prawko_testing.delivery_report_contract import DeliveryReportContract
from support.servers.carriers import (
    REPORTS_KEY,
    REPORTS_URL,
    FakeSmsApi,
    ServerChannelContract,
    smsapi_index,
    smsapi_query,
)

ANNA = Recipient(email=None, phone="+48600100200")
NOBODY = Recipient(email=None, phone="+48600000000")

pytestmark = pytest.mark.anyio


def create_channel(server: FakeSmsApi, **settings: str) -> SmsApiChannel:
    variables = {"URL": server.url, "TOKEN": "token", **settings}
    new_channels = channels(
        Environment({f"CHANNEL_SMSAPI_{key}": value for key, value in variables.items()})
    )
    return new_channels[0]


@pytest.fixture
async def server() -> AsyncIterator[FakeSmsApi]:
    fake = FakeSmsApi()
    async with fake.serve():
        yield fake


@pytest.fixture
async def channel(server: FakeSmsApi) -> AsyncIterator[SmsApiChannel]:
    new_channel = create_channel(server)
    yield new_channel
    await new_channel.close()


class TestContract(ServerChannelContract):
    """The contract of every channel that talks to a server."""

    create_channel = staticmethod(create_channel)
    module = "prawko_channel_smsapi.channel"
    bad_setting = ("TOKEN", "revoked")
    secret_values = "token", "revoked"
    recipients = ANNA, NOBODY

    @pytest.fixture
    def received(self, server) -> Callable[[], str]:
        return lambda: "".join(form["message"] for form in server.forms)


def webhook_request(query: dict[str, str]) -> WebhookRequest:
    return WebhookRequest(headers={}, query=query, body=b"", received_at=utc_now())


class TestReports(DeliveryReportContract):
    """The contract of every channel with delivery reports."""

    @pytest.fixture
    def channel(self) -> SmsApiChannel:
        return create_channel(FakeSmsApi(), URL="https://api.smsapi.pl", REPORTS=REPORTS_URL)

    @pytest.fixture
    def valid_request(self) -> WebhookRequest:
        return webhook_request(
            smsapi_query(
                ("601", 404, smsapi_index("contract:one")),
                ("602", 404, smsapi_index("contract:two")),
            )
        )

    @pytest.fixture
    def forged_requests(self, valid_request) -> list[WebhookRequest]:
        without_key = {name: value for name, value in valid_request.query.items() if name != "key"}
        return [
            webhook_request(without_key),
            *(
                webhook_request({**without_key, "key": key})
                for key in ("", "ą", REPORTS_KEY[:-1], "K" * 40)
            ),
        ]

    @pytest.fixture
    def malformed_requests(self) -> list[WebhookRequest]:
        return [
            webhook_request({"key": REPORTS_KEY}),
            webhook_request(smsapi_query(("", 404, "x"))),
            webhook_request(smsapi_query(("x" * 101, 404, "x"))),
            webhook_request({**smsapi_query(("601", 404, "x")), "status": "DELIVERED"}),
            webhook_request({**smsapi_query(("601", 404, "x")), "status": "٤٠٤"}),
            webhook_request(smsapi_query(*(("601", 404, "x"),) * 101)),
        ]

    @pytest.fixture
    def ignored_requests(self) -> list[WebhookRequest]:
        ours = smsapi_index("k")
        return [
            *(
                webhook_request(smsapi_query(("601", status, ours)))
                for status in (403, 409, 410, 999)
            ),
            webhook_request(smsapi_query(("601", 404, ""))),
            webhook_request(smsapi_query(("601", 404, "theirs-1"))),
        ]

    @pytest.mark.parametrize(
        ("status", "kind"),
        [(404, DeliveryReportKind.DELIVERED)]
        + [(status, DeliveryReportKind.FAILED) for status in (401, 402, 405, 406, 407, 408)],
    )
    def test_each_status_has_its_kind_of_report(self, channel, status, kind) -> None:
        [report] = channel.parse_webhook(
            webhook_request(smsapi_query(("601", status, smsapi_index("k"))))
        )

        assert (report.kind, report.carrier_ref) == (kind, "601")
        assert report.event_id == f"601:{status}:{smsapi_index('k')}"

    def test_a_report_without_a_time_has_the_time_of_arrival(self, channel) -> None:
        query = smsapi_query(("601", 404, smsapi_index("k")))
        callback = webhook_request({**query, "donedate": ""})

        [report] = channel.parse_webhook(callback)

        assert report.occurred_at == callback.received_at


async def test_an_sms_is_one_segment_with_a_checked_index(server) -> None:
    channel = create_channel(server, SENDER="Prawko", REPORTS=REPORTS_URL)
    reference = await channel.send(sample_message(), ANNA, idempotency_key="notice:7")
    await channel.close()

    assert reference == "60B1"
    assert server.forms == [
        {
            "to": "48600100200", "message": "Prawko: zazolc gesla jazn",
            "idx": smsapi_index("notice:7"), "check_idx": "1", "encoding": "utf-8",
            "max_parts": "1", "format": "json", "from": "Prawko", "notify_url": REPORTS_URL,
        }
    ]  # fmt: skip


async def test_a_retry_is_not_sent_twice(server, channel) -> None:
    assert await channel.send(sample_message(), ANNA, idempotency_key="notice:7") == "60B1"
    assert await channel.send(sample_message(), ANNA, idempotency_key="notice:7") is None

    assert len(server.forms) == 1


async def test_a_retry_after_a_lost_response_sends_nothing_twice(server, channel) -> None:
    server.drops_responses = True
    with pytest.raises(DeliveryError):
        await channel.send(sample_message(), ANNA, idempotency_key="notice:7")
    server.recover()

    assert await channel.send(sample_message(), ANNA, idempotency_key="notice:7") is None
    assert len(server.forms) == 1


async def test_the_test_mode_is_requested(server) -> None:
    channel = create_channel(server, TEST="true")
    await channel.send(sample_message(), ANNA, idempotency_key="k")
    await channel.close()

    assert server.forms[0]["test"] == "1"


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (8, "again"), (11, "again"), (12, "again"), (13, "permanent"), (33, "permanent"),
        (14, "account"), (52, "again"), (202, "again"),
        (70, "account"), (94, "again"), (101, "account"), (102, "account"), (103, "account"),
        (105, "account"), (110, "account"), (201, "again"), (666, "again"), (999, "again"),
        (1000, "account"), (1001, "account"), ("103", "account"), (53, "taken"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("status", [200, 400, 500])
async def test_each_code_has_its_error_whatever_the_status(
    server, channel, status, code, error
) -> None:
    server.respond_with(status, {"error": code, "message": "words"})

    if error == "taken":
        assert await channel.send(sample_message(), ANNA, idempotency_key="k") is None
        return
    with pytest.raises((DeliveryError, ProviderAccountError)) as refused:
        await channel.send(sample_message(), ANNA, idempotency_key="k")
    if error == "account":
        assert isinstance(refused.value, ProviderAccountError)
    else:
        assert isinstance(refused.value, DeliveryError)
        assert refused.value.permanent is (error == "permanent")
    assert f"{code} words" in str(refused.value)


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (200, "OK:60B1:0.16", DeliveryError),
        (200, "", DeliveryError),
        (200, "null", DeliveryError),
        (200, "[]", DeliveryError),
        (200, {"count": 0, "list": []}, DeliveryError),
        (200, {"count": 2, "list": [{"id": "1"}, {"id": "2"}]}, DeliveryError),
        (200, {"count": 1, "list": [{"status": "QUEUE"}]}, DeliveryError),
        (200, {"count": 1, "list": [{"id": "1", "error": 103}]}, ProviderAccountError),
        (302, "", DeliveryError),
        (
            401,
            {"error": "authorization_failed", "message": "Authorization failed"},
            ProviderAccountError,
        ),
        (401, "<html>", ProviderAccountError),
        (404, "", DeliveryError),
        (429, "", DeliveryError),
        (503, "<html>", DeliveryError),
    ],
)
async def test_only_one_named_message_is_a_success(server, channel, status, body, error) -> None:
    server.respond_with(status, body if isinstance(body, str) and body else (body or " "))

    with pytest.raises(error) as refused:
        await channel.send(sample_message(), ANNA, idempotency_key="k")
    assert not getattr(refused.value, "permanent", False)


def test_polish_letters_and_quotation_marks_become_gsm_characters() -> None:
    assert fit_one_segment("Zażółć gęślą jaźń „ŁÓDŹ” \u2013 5 € […] Müller-Ångström ß") == (
        'Zazolc gesla jazn "LODZ" - 5 EUR (...) Muller-Angstrom ss'
    )


def test_a_character_without_an_equivalent_becomes_a_question_mark() -> None:
    assert fit_one_segment("\u041f\u0440\u200b\u0430 \ue000\n\tx\x00y") == "Pra ? xy"


def test_a_long_text_is_cut_at_a_word() -> None:
    shortened = fit_one_segment("słowo " * 40)

    assert len(shortened) <= 160
    assert shortened.endswith("slowo...")
    assert fit_one_segment("x" * 161) == "x" * 157 + "..."
    assert fit_one_segment("x" * 160) == "x" * 160


@given(st.text(max_size=400))
def test_any_text_fits_one_segment_of_basic_characters(line) -> None:
    text = fit_one_segment(line)

    assert len(text) <= 160
    assert text.isascii()
    assert not set(text) & set("^{}\\[~]|`\n\r\t")


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=150))
def test_an_index_is_lower_case_and_decodes_to_its_key(key) -> None:
    index = encode_index(key)

    assert index.isalnum()
    assert index == index.lower()
    assert len(index) <= 255
    assert decode_index(index) == key


@pytest.mark.parametrize("index", ["1", "0189", "ą", "a" * 7 + "!", "zzzzzzzz"])
def test_another_index_has_no_key(index) -> None:
    assert decode_index(index) is None


def channel_environment(**variables: str) -> Environment:
    return Environment(
        {f"CHANNEL_SMSAPI_{key}": value for key, value in {"TOKEN": "token", **variables}.items()}
    )


def test_it_is_absent_without_settings() -> None:
    assert channels(Environment({})) == []


@pytest.mark.parametrize(
    ("variables", "variable"),
    [
        ({"TOKEN": "", "SENDER": "Prawko"}, "CHANNEL_SMSAPI_TOKEN"),
        ({"SENDER": "a name too long"}, "CHANNEL_SMSAPI_SENDER"),
        ({"URL": "http://sms.example"}, "CHANNEL_SMSAPI_URL"),
        ({"REPORTS": "here"}, "CHANNEL_SMSAPI_REPORTS"),
        ({"REPORTS": REPORTS_URL.replace("https", "http")}, "CHANNEL_SMSAPI_REPORTS"),
        ({"REPORTS": REPORTS_URL[:-10]}, "CHANNEL_SMSAPI_REPORTS"),
        ({"REPORTS": REPORTS_URL.replace("smsapi", "sendgrid")}, "CHANNEL_SMSAPI_REPORTS"),
        ({"REPORTS": "http://[::1"}, "CHANNEL_SMSAPI_REPORTS"),
    ],
)
def test_an_incomplete_configuration_names_the_variable(variables, variable) -> None:
    with pytest.raises(SettingsError) as refused:
        channels(channel_environment(**variables))
    assert refused.value.variable == variable
    assert REPORTS_KEY not in str(refused.value)


def test_without_the_report_url_it_does_not_parse_reports() -> None:
    [channel] = channels(channel_environment())

    assert not isinstance(channel, ReportingChannel)


def test_the_contracts_message_fits_one_segment() -> None:
    sms_text = msgspec.structs.replace(sample_message(), sms_text="Prawko: zażółć").sms_text

    assert fit_one_segment(sms_text) == "Prawko: zazolc"


def test_smsapis_client_accepts_every_parameter_we_send() -> None:
    """It silently drops unlisted ones; without check_idx an SMS could be sent twice."""
    [channel] = channels(channel_environment(SENDER="Prawko", REPORTS=REPORTS_URL, TEST="true"))

    parameters = channel.build_parameters("text", "+48600100200", "notice:7")

    assert {"idx", "check_idx", "max_parts", "notify_url", "test", "from_"} <= set(parameters)
    assert set(parameters) <= {*sms_parameters, "to"}


async def test_a_redirect_is_not_followed(server, channel) -> None:
    other_server = FakeSmsApi()
    async with other_server.serve():
        server.respond_with(307, Location=f"{other_server.url}/sms.do")
        with pytest.raises(DeliveryError, match="307"):
            await channel.send(sample_message(), ANNA, idempotency_key="k")

    assert other_server.calls == 0


async def test_a_response_that_is_too_long_is_not_read(server, channel) -> None:
    server.respond_with(200, "x" * 100_000)

    with pytest.raises(DeliveryError, match="too long"):
        await channel.send(sample_message(), ANNA, idempotency_key="k")


@pytest.mark.parametrize("body", ["null", "[1]", '{"list": [1]}', '{"list": {"a": 1}}', "7"])
async def test_json_of_another_structure_is_not_a_success(server, channel, body) -> None:
    server.respond_with(200, body)

    with pytest.raises(DeliveryError):
        await channel.send(sample_message(), ANNA, idempotency_key="k")


async def test_a_check_asks_for_the_credit(server, channel) -> None:
    assert await channel.check() == "95.08 points left"
    assert server.forms == []


@pytest.mark.parametrize("points", [0, "0.0000", -1.5])
async def test_a_check_without_credit_is_about_our_account(server, channel, points) -> None:
    server.points = points
    with pytest.raises(ProviderAccountError, match="no points"):
        await channel.check()


@pytest.mark.parametrize("points", [None, "many", {}])
async def test_a_check_with_an_unreadable_credit_fails(server, channel, points) -> None:
    server.points = points
    with pytest.raises(DeliveryError, match="names no credit"):
        await channel.check()


async def test_a_check_with_a_revoked_token_is_about_our_account(server) -> None:
    channel = create_channel(server, TOKEN="revoked")
    with pytest.raises(ProviderAccountError):
        await channel.check()
    await channel.close()
