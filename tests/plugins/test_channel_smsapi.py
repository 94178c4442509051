"""The SMSAPI channel keeps every promise of a channel, against its fake on a real socket."""

from collections.abc import AsyncIterator

import msgspec
import pytest
from hypothesis import given as for_any
from hypothesis import strategies as st

from carriers import (
    REPORT_KEY,
    REPORTS,
    CarrierContract,
    FakeSmsApi,
    smsapi_index,
    smsapi_query,
)
from prawko.base.clock import machine_now
from prawko.hooks.callbacks import Callback
from prawko.hooks.channels import DeliveryError, Recipient, ReportingChannel, ReportKind
from prawko.hooks.environment import Environment, SettingError
from prawko.hooks.failures import AccountError
from prawko.testing.channel_contract import notice
from prawko.testing.report_contract import ReportContract
from prawko_channel_smsapi import SmsApiChannel, channels
from prawko_channel_smsapi.index import index_of, key_of
from prawko_channel_smsapi.words import one_part

ANNA = Recipient(email=None, phone="+48600100200")
NOBODY = Recipient(email=None, phone="+48600000000")

pytestmark = pytest.mark.anyio


def channel_to(server: FakeSmsApi, **settings: str) -> SmsApiChannel:
    given = {"URL": server.url, "TOKEN": "token", **settings}
    made = channels(Environment({f"CHANNEL_SMSAPI_{k}": v for k, v in given.items()}))
    return made[0]


@pytest.fixture
async def server() -> AsyncIterator[FakeSmsApi]:
    fake = FakeSmsApi()
    async with fake.listening():
        yield fake


@pytest.fixture
async def channel(server: FakeSmsApi) -> AsyncIterator[SmsApiChannel]:
    made = channel_to(server)
    yield made
    await made.close()


class TestContract(CarrierContract):
    """The promises of every channel that talks to a server."""

    made = staticmethod(channel_to)
    refused = ("TOKEN", "revoked")

    @pytest.fixture
    def recipient(self) -> Recipient:
        return ANNA

    @pytest.fixture
    def rejected(self) -> Recipient:
        return NOBODY


def called(query: dict[str, str]) -> Callback:
    return Callback(headers={}, query=query, body=b"", received_at=machine_now())


class TestReports(ReportContract):
    """The promises of every channel whose carrier reports."""

    @pytest.fixture
    def channel(self) -> SmsApiChannel:
        return channel_to(FakeSmsApi(), URL="https://api.smsapi.pl", REPORTS=REPORTS)

    @pytest.fixture
    def genuine(self) -> Callback:
        return called(
            smsapi_query(
                ("601", 404, smsapi_index("contract:one")),
                ("602", 404, smsapi_index("contract:two")),
            )
        )

    @pytest.fixture
    def forged(self, genuine) -> list[Callback]:
        without = {name: value for name, value in genuine.query.items() if name != "key"}
        return [
            called(without),
            *(called({**without, "key": key}) for key in ("", "ą", REPORT_KEY[:-1], "K" * 40)),
        ]

    @pytest.fixture
    def garbled(self) -> list[Callback]:
        return [
            called({"key": REPORT_KEY}),
            called(smsapi_query(("", 404, "x"))),
            called(smsapi_query(("x" * 101, 404, "x"))),
            called({**smsapi_query(("601", 404, "x")), "status": "DELIVERED"}),
            called({**smsapi_query(("601", 404, "x")), "status": "٤٠٤"}),
            called(smsapi_query(*(("601", 404, "x"),) * 101)),
        ]

    @pytest.fixture
    def of_no_interest(self) -> list[Callback]:
        ours = smsapi_index("k")
        return [
            *(called(smsapi_query(("601", status, ours))) for status in (403, 409, 410, 999)),
            called(smsapi_query(("601", 404, ""))),
            called(smsapi_query(("601", 404, "theirs-1"))),
        ]

    @pytest.mark.parametrize(
        ("status", "kind"),
        [(404, ReportKind.DELIVERED)]
        + [(status, ReportKind.FAILED) for status in (401, 402, 405, 406, 407, 408)],
    )
    def test_a_status_says_whether_it_arrived(self, channel, status, kind) -> None:
        [report] = channel.read_reports(called(smsapi_query(("601", status, smsapi_index("k")))))

        assert (report.kind, report.carrier_ref) == (kind, "601")
        assert report.event_id == f"601:{status}:{smsapi_index('k')}"

    def test_a_report_without_a_time_has_ours(self, channel) -> None:
        query = smsapi_query(("601", 404, smsapi_index("k")))
        callback = called({**query, "donedate": ""})

        [report] = channel.read_reports(callback)

        assert report.at == callback.received_at


async def test_an_sms_is_one_part_under_an_index_that_is_checked(server) -> None:
    channel = channel_to(server, SENDER="Prawko", REPORTS=REPORTS)
    reference = await channel.deliver(notice(), ANNA, key="notice:7")
    await channel.close()

    assert reference == "60B1"
    assert server.forms == [
        {
            "to": "48600100200", "message": "Prawko: zazolc gesla jazn",
            "idx": smsapi_index("notice:7"), "check_idx": "1", "encoding": "utf-8",
            "max_parts": "1", "format": "json", "from": "Prawko", "notify_url": REPORTS,
        }
    ]  # fmt: skip


async def test_a_retry_is_not_sent_twice(server, channel) -> None:
    assert await channel.deliver(notice(), ANNA, key="notice:7") == "60B1"
    assert await channel.deliver(notice(), ANNA, key="notice:7") is None

    assert len(server.forms) == 1


async def test_a_lost_answer_is_asked_for_again_and_nothing_is_doubled(server, channel) -> None:
    server.loses_its_answers = True
    with pytest.raises(DeliveryError):
        await channel.deliver(notice(), ANNA, key="notice:7")
    server.works()

    assert await channel.deliver(notice(), ANNA, key="notice:7") is None
    assert len(server.forms) == 1


async def test_the_test_mode_is_asked_for(server) -> None:
    channel = channel_to(server, TEST="true")
    await channel.deliver(notice(), ANNA, key="k")
    await channel.close()

    assert server.forms[0]["test"] == "1"


@pytest.mark.parametrize(
    ("code", "means"),
    [
        (8, "again"), (11, "again"), (12, "again"), (13, "permanent"), (33, "permanent"),
        (14, "account"), (52, "again"), (202, "again"),
        (70, "account"), (94, "again"), (101, "account"), (102, "account"), (103, "account"),
        (105, "account"), (110, "account"), (201, "again"), (666, "again"), (999, "again"),
        (1000, "account"), (1001, "account"), ("103", "account"), (53, "taken"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("status", [200, 400, 500])
async def test_each_code_has_its_word_whatever_the_status(
    server, channel, status, code, means
) -> None:
    server.says(status, {"error": code, "message": "words"})

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
    assert f"{code} words" in str(refused.value)


@pytest.mark.parametrize(
    ("status", "body", "means"),
    [
        (200, "OK:60B1:0.16", DeliveryError),
        (200, "", DeliveryError),
        (200, "null", DeliveryError),
        (200, "[]", DeliveryError),
        (200, {"count": 0, "list": []}, DeliveryError),
        (200, {"count": 2, "list": [{"id": "1"}, {"id": "2"}]}, DeliveryError),
        (200, {"count": 1, "list": [{"status": "QUEUE"}]}, DeliveryError),
        (200, {"count": 1, "list": [{"id": "1", "error": 103}]}, AccountError),
        (302, "", DeliveryError),
        (401, {"error": "authorization_failed", "message": "Authorization failed"}, AccountError),
        (401, "<html>", AccountError),
        (404, "", DeliveryError),
        (429, "", DeliveryError),
        (503, "<html>", DeliveryError),
    ],
)
async def test_only_one_named_message_is_a_success(server, channel, status, body, means) -> None:
    server.says(status, body if isinstance(body, str) and body else (body or " "))

    with pytest.raises(means) as refused:
        await channel.deliver(notice(), ANNA, key="k")
    assert not getattr(refused.value, "permanent", False)


def test_polish_letters_and_quotation_marks_become_plain_ones() -> None:
    assert one_part("Zażółć gęślą jaźń „ŁÓDŹ” \u2013 5 € […] Müller-Ångström ß") == (
        'Zazolc gesla jazn "LODZ" - 5 EUR (...) Muller-Angstrom ss'
    )


def test_what_has_no_plain_letter_leaves_a_mark() -> None:
    assert one_part("\u041f\u0440\u200b\u0430 🚚\n\tx\x00y") == "??? ? xy"


def test_a_long_line_is_cut_at_a_word() -> None:
    cut = one_part("słowo " * 40)

    assert len(cut) <= 160
    assert cut.endswith("slowo...")
    assert one_part("x" * 161) == "x" * 157 + "..."
    assert one_part("x" * 160) == "x" * 160


@for_any(st.text(max_size=400))
def test_any_line_is_one_part_of_letters_that_cost_one(line) -> None:
    words = one_part(line)

    assert len(words) <= 160
    assert words.isascii()
    assert not set(words) & set("^{}\\[~]|`\n\r\t")


@for_any(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=150))
def test_an_index_is_small_letters_and_digits_and_leads_back(key) -> None:
    index = index_of(key)

    assert index.isalnum()
    assert index == index.lower()
    assert len(index) <= 255
    assert key_of(index) == key


@pytest.mark.parametrize("index", ["1", "0189", "ą", "a" * 7 + "!", "zzzzzzzz"])
def test_another_index_leads_nowhere(index) -> None:
    assert key_of(index) is None


def settings(**given: str) -> Environment:
    return Environment({f"CHANNEL_SMSAPI_{k}": v for k, v in {"TOKEN": "token", **given}.items()})


def test_without_variables_it_takes_no_part() -> None:
    assert channels(Environment({})) == []


@pytest.mark.parametrize(
    ("given", "variable"),
    [
        ({"TOKEN": "", "SENDER": "Prawko"}, "CHANNEL_SMSAPI_TOKEN"),
        ({"SENDER": "a name too long"}, "CHANNEL_SMSAPI_SENDER"),
        ({"URL": "http://sms.example"}, "CHANNEL_SMSAPI_URL"),
        ({"REPORTS": "here"}, "CHANNEL_SMSAPI_REPORTS"),
        ({"REPORTS": REPORTS.replace("https", "http")}, "CHANNEL_SMSAPI_REPORTS"),
        ({"REPORTS": REPORTS[:-10]}, "CHANNEL_SMSAPI_REPORTS"),
        ({"REPORTS": REPORTS.replace("smsapi", "sendgrid")}, "CHANNEL_SMSAPI_REPORTS"),
        ({"REPORTS": "http://[::1"}, "CHANNEL_SMSAPI_REPORTS"),
        ({"DEADLINE": "0"}, "CHANNEL_SMSAPI_DEADLINE"),
    ],
)
def test_half_a_configuration_names_the_variable(given, variable) -> None:
    with pytest.raises(SettingError) as refused:
        channels(settings(**given))
    assert refused.value.variable == variable
    assert REPORT_KEY not in str(refused.value)


def test_without_their_address_it_reads_no_reports() -> None:
    [channel] = channels(settings())

    assert not isinstance(channel, ReportingChannel)


def test_the_contracts_notice_fits_as_it_is() -> None:
    line = msgspec.structs.replace(notice(), line="Prawko: zażółć").line

    assert one_part(line) == "Prawko: zazolc"
