"""The public service over JSON."""

import json

import pytest

from prawko.hooks.environment import Environment, SettingError
from prawko.hooks.licence_register import LicenceQuery, RegisterError, RegisterTrouble
from prawko.hooks.register_connection import Reply
from prawko.testing.register_contract import RegisterContract
from prawko_demo.register.documents import Document, search_hash
from prawko_register_public import licence_registers
from prawko_register_public.answer import read_answer
from prawko_register_public.search_key import search_key

pytestmark = pytest.mark.anyio

VECTORS = [
    ("Testosław", "Przykładowski", "AA000001", "E638695264C8D532BA70DFA7F2DBA1E9"),
    ("Świętożyr", "Ćmiąk-Żółwiński", "ZZ999999", "BEA6B1FA927CFA2C980A0499B0C859DA"),
    ("Anna Maria", "Wymyślona", "ab 123456", "8349FD00449ACE0BF4566848CB4BCC19"),
    ("Zażółć", "Gęślą-Jaźń", "Z0000003", "54BB8F8E509B820796619DAE752137D2"),
    ("Jürgen", "Müßter", "XX000002", "74F965285EACFD71B045C43814361A58"),
]
NO_DATA = {"code": "DICT501_UKG_1", "message": "Brak danych"}


class TestContract(RegisterContract):
    """The public service's adapter keeps every promise of a register."""

    @pytest.fixture
    def register(self, public):
        return public


def reply(content, *, status=200, media_type="application/json"):
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    return Reply(status=status, media_type=media_type, body=body)


def stating(words):
    state = b'{"stanDokumentu": {"stanDokumentu": {"kod": "K", ' + words + b"}}}"
    return b'{"dokumentPotwierdzajacyUprawnienia": ' + state + b"}"


def trouble_of(answer):
    with pytest.raises(RegisterError) as failure:
        read_answer(answer, asked="AB123456")
    return failure.value.trouble


@pytest.mark.parametrize(("first_name", "last_name", "number", "key"), VECTORS)
async def test_the_key_is_the_one_that_others_compute(first_name, last_name, number, key):
    assert search_key(first_name, last_name, number) == key
    assert search_hash(first_name, last_name, number) == key  # the simulator's own routine


async def test_the_key_is_cut_before_it_is_cleaned():
    assert search_key("A" * 499, "-B", "") == search_key("A" * 499, "", "")
    assert search_key("A" * 499, "B", "C") == search_key("A" * 499, "B", "")


@pytest.mark.parametrize(("first_name", "last_name", "number", "key"), VECTORS)
async def test_the_same_facts_read_the_same_through_both_services(
    upki, public, simulator, first_name, last_name, number, key
):
    number = number.replace(" ", "").upper()
    simulator.shelf.put(number, Document(first_name, last_name))
    query = LicenceQuery(first_name, last_name, number)

    assert await public.look_up(query) == await upki.look_up(query)


async def test_a_withheld_document_is_the_same_answer_through_both_services(upki, public, withheld):
    assert await public.look_up(withheld) == await upki.look_up(withheld)


async def test_no_data_alone_is_none():
    assert read_answer(reply({"errors": [NO_DATA]}, status=400), asked="AB123456") is None
    assert read_answer(reply({"errors": [NO_DATA] * 2}, status=400), asked="AB123456") is None


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
async def test_every_other_400_is_a_question_refused(content):
    assert trouble_of(reply(content, status=400)) is RegisterTrouble.REFUSED


async def test_an_error_page_that_mentions_no_data_is_not_believed():
    page = reply({"errors": [NO_DATA]}, status=400, media_type="text/html")

    assert trouble_of(page) is RegisterTrouble.REFUSED


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
        stating(b'"wartosc": "Zatrzymany", "wartosc": "Wydany"'),
        stating(b'"wartosc": "Wydany\\u0000"'),
        stating(b'"wartosc": "Wydany\\ud800"'),
        stating(b'"wartosc": NaN'),
    ],
)
async def test_what_is_no_such_document_is_garbage(content):
    assert trouble_of(reply(content)) is RegisterTrouble.GARBAGE


async def test_a_page_is_garbage_whatever_it_holds():
    good = stating(b'"wartosc": "Wydany"')

    assert read_answer(reply(good), asked="AB123456").state.text == "Wydany"
    assert trouble_of(reply(good, media_type="text/html")) is RegisterTrouble.GARBAGE


async def test_variables_alone_connect_it(simulator, issued):
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

    assert failure.value.trouble is RegisterTrouble.UNAVAILABLE


async def test_it_takes_no_part_until_it_is_configured():
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
async def test_a_setting_that_cannot_be_used_stops_the_start_and_is_named(name, value):
    variables = {"REGISTER_PUBLIC_URL": "https://moj.gov.pl", f"REGISTER_PUBLIC_{name}": value}

    with pytest.raises(SettingError) as failure:
        licence_registers(Environment(variables))

    assert failure.value.variable == f"REGISTER_PUBLIC_{name}"
