"""The public service over JSON."""

import json

import pytest

from prawko.hooks.environment import Environment, SettingsError
from prawko.hooks.http_client import HttpResponse
from prawko.hooks.licence_register import LicenceQuery, RegisterError, RegisterErrorKind
from prawko_demo.register.documents import RegisterDocument
from prawko_demo.register.faults import FaultKind, FaultPlan
from prawko_demo.register.search_hash import compute_search_hash
from prawko_register_public import licence_registers
from prawko_register_public.response import parse_response
from prawko_register_public.search_key import compute_search_key
from prawko_testing.register_contract import RemoteRegisterContract

pytestmark = pytest.mark.anyio

VECTORS = [
    ("Testosław", "Przykładowski", "AA000001", "E638695264C8D532BA70DFA7F2DBA1E9"),
    ("Świętożyr", "Ćmiąk-Żółwiński", "ZZ999999", "BEA6B1FA927CFA2C980A0499B0C859DA"),
    ("Anna Maria", "Wymyślona", "ab 123456", "8349FD00449ACE0BF4566848CB4BCC19"),
    ("Zażółć", "Gęślą-Jaźń", "Z0000003", "54BB8F8E509B820796619DAE752137D2"),
    ("Jürgen", "Müßter", "XX000002", "74F965285EACFD71B045C43814361A58"),
]
NO_DATA = {"code": "DICT501_UKG_1", "message": "Brak danych"}


class TestContract(RemoteRegisterContract):
    """The public service's adapter fulfils the contract of a register."""

    deadline_slack = 6.0  # the machine may be busy

    @pytest.fixture
    def register(self, public):
        return public


def make_reply(content, *, status=200, media_type="application/json"):
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    return HttpResponse(status, {"content-type": f"{media_type}; charset=UTF-8"}, body)


def state_json(fields):
    state = b'{"stanDokumentu": {"stanDokumentu": {"kod": "K", ' + fields + b"}}}"
    return b'{"dokumentPotwierdzajacyUprawnienia": ' + state + b"}"


def error_kind(answer):
    with pytest.raises(RegisterError) as failure:
        parse_response(answer, expected_number="AB123456")
    return failure.value.kind


@pytest.mark.parametrize(("first_name", "last_name", "number", "key"), VECTORS)
async def test_the_search_key_matches_published_values(first_name, last_name, number, key):
    assert compute_search_key(first_name, last_name, number) == key
    assert compute_search_hash(first_name, last_name, number) == key  # the simulator's own routine


async def test_the_text_is_cut_before_it_is_normalised():
    assert compute_search_key("A" * 499, "-B", "") == compute_search_key("A" * 499, "", "")
    assert compute_search_key("A" * 499, "B", "C") == compute_search_key("A" * 499, "B", "")


@pytest.mark.parametrize(("first_name", "last_name", "number", "key"), VECTORS)
async def test_both_services_give_the_same_answer(
    upki, public, simulator, first_name, last_name, number, key
):
    number = number.replace(" ", "").upper()
    simulator.document_store.put(number, RegisterDocument(first_name, last_name))
    query = LicenceQuery(first_name, last_name, number)

    assert await public.look_up(query) == await upki.look_up(query)


async def test_both_services_give_the_same_answer_about_a_withheld_document(upki, public, withheld):
    assert await public.look_up(withheld) == await upki.look_up(withheld)


async def test_only_the_no_data_error_is_none():
    assert (
        parse_response(make_reply({"errors": [NO_DATA]}, status=400), expected_number="AB123456")
        is None
    )
    assert (
        parse_response(
            make_reply({"errors": [NO_DATA] * 2}, status=400), expected_number="AB123456"
        )
        is None
    )


@pytest.mark.parametrize(
    "content",
    [
        {"errors": [NO_DATA, {"code": "DICT500_X", "message": "Błędne dane"}]},
        {"errors": [{"code": "DICT500_X"}]},
        {"errors": []},
        {"errors": None},
        {"errors": ["DICT501_UKG_1"]},
        {"errors": NO_DATA},
        {"code": "DICT501_UKG_1"},
        [NO_DATA],
        {},
        None,
        b"",
        b"DICT501_UKG_1",
        b'{"errors": [{"code": "DICT501_UKG_1"}]',
        b'{"errors": [{"code": "X", "code": "DICT501_UKG_1"}]}',
    ],
)
async def test_every_other_400_is_an_invalid_query(content):
    assert error_kind(make_reply(content, status=400)) is RegisterErrorKind.INVALID_QUERY


async def test_an_error_page_that_mentions_no_data_is_an_error():
    page = make_reply({"errors": [NO_DATA]}, status=400, media_type="text/html")

    assert error_kind(page) is RegisterErrorKind.INVALID_QUERY


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"<html>",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"errors": [{"code": "DICT501_UKG_1"}]}',
        state_json(b'"wartosc": "Zatrzymany", "wartosc": "Wydany"'),
        state_json(b'"wartosc": "Wydany\\u0000"'),
        state_json(b'"wartosc": "Wydany\\ud800"'),
        state_json(b'"wartosc": NaN'),
    ],
)
async def test_any_other_content_is_invalid(content):
    assert error_kind(make_reply(content)) is RegisterErrorKind.INVALID_RESPONSE


async def test_a_page_is_invalid_whatever_its_content():
    state = state_json(b'"wartosc": "Wydany"')

    assert parse_response(make_reply(state), expected_number="AB123456").state.text == "Wydany"
    assert (
        error_kind(make_reply(state, media_type="text/html")) is RegisterErrorKind.INVALID_RESPONSE
    )


async def test_it_is_configured_by_variables_alone(simulator, issued):
    variables = {"REGISTER_PUBLIC_URL": simulator.address.json_url + "/"}
    (register,) = licence_registers(Environment(variables))

    assert (await register.look_up(issued)).state.text == "Wydany"
    await register.close()


async def test_the_version_in_the_path_is_a_setting(simulator, issued):
    variables = {
        "REGISTER_PUBLIC_URL": simulator.address.json_url,
        "REGISTER_PUBLIC_VERSION": "2.0.5",
    }
    (register,) = licence_registers(Environment(variables))

    with pytest.raises(RegisterError) as failure:
        await register.look_up(issued)
    await register.close()

    assert failure.value.kind is RegisterErrorKind.UNAVAILABLE


async def test_it_is_absent_without_settings():
    assert licence_registers(Environment({})) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("URL", "http://moj.gov.pl"),
        ("URL", "http://127.0.0.1.example.com"),
        ("URL", "https://user@moj.gov.pl"),
        ("URL", "https://moj.gov.pl/path"),
        ("VERSION", "2.0/../.."),
        ("DEADLINE", "-1"),
    ],
)
async def test_an_invalid_setting_names_the_variable(name, value):
    variables = {"REGISTER_PUBLIC_URL": "https://moj.gov.pl", f"REGISTER_PUBLIC_{name}": value}

    with pytest.raises(SettingsError) as failure:
        licence_registers(Environment(variables))

    assert failure.value.variable == f"REGISTER_PUBLIC_{name}"


async def test_a_check_asks_about_no_document(simulator, public) -> None:
    assert await public.check() == "answers"

    simulator.faults.plan = FaultPlan(kind=FaultKind.HTTP_503)
    with pytest.raises(RegisterError) as failure:
        await public.check()
    assert failure.value.kind is RegisterErrorKind.UNAVAILABLE
