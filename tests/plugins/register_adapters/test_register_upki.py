"""The official service over SOAP and mutual TLS."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from lxml import etree

from prawko.hooks.environment import Environment, SettingError
from prawko.hooks.licence_register import (
    HasCertificate,
    LicenceQuery,
    RegisterError,
    RegisterTrouble,
)
from prawko.testing.register_contract import RegisterContract
from prawko_register_upki import licence_registers
from prawko_register_upki.answer import read_answer
from prawko_register_upki.question import HEADERS, write_question

pytestmark = pytest.mark.anyio

CARRIERS = "http://uprawnieniakierowcow-przewoznicy.ul.api.cepik.coi.gov.pl"
SOAP = "http://schemas.xmlsoap.org/soap/envelope/"


class TestContract(RegisterContract):
    """The official service's adapter keeps every promise of a register."""

    @pytest.fixture
    def register(self, upki):
        return upki


def envelope(message, *, prolog="", extra=""):
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>{prolog}<s:Envelope xmlns:s="{SOAP}" '
        f'xmlns:n="{CARRIERS}">{extra}<s:Body>{message}</s:Body></s:Envelope>'
    ).encode()


def response(document, notes=""):
    return (
        "<n:DaneDokumentuResponse><dokumentPotwierdzajacyUprawnienia>"
        f"{document}</dokumentPotwierdzajacyUprawnienia>{notes}</n:DaneDokumentuResponse>"
    )


ISSUED = (
    "<stanDokumentu><stanDokumentu><kod>DICT003_WYD</kod><wartosc>Wydany</wartosc>"
    "</stanDokumentu></stanDokumentu>"
)


def message(kind, code):
    return f"<komunikaty><typ>{kind}</typ><kod>{code}</kod></komunikaty>"


def fault(*messages):
    return (
        "<s:Fault><faultcode>s:Server</faultcode><faultstring>Kody: UPKI-1030</faultstring>"
        '<detail><x:cepikException xmlns:x="http://exceptions.api.cepik.coi.gov.pl">'
        f"{''.join(messages)}</x:cepikException></detail></s:Fault>"
    )


def read(body):
    return read_answer(body, asked="AB123456")


def trouble_of(body):
    with pytest.raises(RegisterError) as failure:
        read(body)
    return failure.value.trouble


async def test_the_question_is_what_the_contract_of_the_service_says():
    question = etree.fromstring(
        write_question(LicenceQuery("Anna Maria", "Żółć & <Syn>", "AB123456"))
    )

    body = question.find(f"{{{SOAP}}}Body")
    assert question.tag == f"{{{SOAP}}}Envelope"
    assert len(question.find(f"{{{SOAP}}}Header")) == 0
    assert [child.tag for child in body] == [f"{{{CARRIERS}}}DaneDokumentuRequest"]
    assert [(child.tag, child.text) for child in body[0]] == [
        ("imiePierwsze", "Anna"),
        ("nazwisko", "Żółć & <Syn>"),
        ("seriaNumerBlankietuDruku", "AB123456"),
    ]
    assert HEADERS["SOAPAction"] == '""'
    assert HEADERS["Content-Type"].startswith("text/xml")


@pytest.mark.parametrize("name", ["Jan\x00", "Jan\x1b", "Jan\ud800", "Jan\ufffe"])
async def test_a_name_that_xml_cannot_carry_is_refused_without_asking(upki, asked, name):
    with pytest.raises(RegisterError) as failure:
        await upki.look_up(LicenceQuery("Jan", name, "AB123456"))

    assert failure.value.trouble is RegisterTrouble.REFUSED
    assert asked() == 0


@pytest.mark.parametrize(
    ("messages", "trouble"),
    [
        ([message("ERROR", "UPKI-1000")], RegisterTrouble.UNAVAILABLE),
        ([message("ERROR", "UPKI-1010")], RegisterTrouble.REFUSED),
        ([message("ERROR", "UPKI-1020")], RegisterTrouble.UNAVAILABLE),
        ([message("ERROR", "UPKI-9999")], RegisterTrouble.UNAVAILABLE),
        ([message("WARN", "UPKI-1030")], RegisterTrouble.UNAVAILABLE),
        (
            [message("WARN", "UPKI-1030"), message("ERROR", "UPKI-1000")],
            RegisterTrouble.UNAVAILABLE,
        ),
        (
            [message("ERROR", "UPKI-1030"), message("ERROR", "UPKI-1000")],
            RegisterTrouble.UNAVAILABLE,
        ),
        ([message("ERROR", "UPKI-1030"), message("ERROR", "UPKI-1010")], RegisterTrouble.REFUSED),
        ([], RegisterTrouble.UNAVAILABLE),
        ([message("ERROR", "")], RegisterTrouble.GARBAGE),
        ([message("INFO", "UPKI-1030")], RegisterTrouble.GARBAGE),
        ([message("", "UPKI-1030")], RegisterTrouble.GARBAGE),
        (["<komunikaty>UPKI-1030</komunikaty>"], RegisterTrouble.GARBAGE),
        (["<komunikaty><kod>UPKI-1030</kod></komunikaty>"], RegisterTrouble.GARBAGE),
    ],
)
async def test_a_fault_is_read_by_its_blocking_messages(messages, trouble):
    assert trouble_of(envelope(fault(*messages))) is trouble


async def test_a_fault_explained_twice_is_not_believed():
    one = f"<x:cepikException xmlns:x='urn:x'>{message('ERROR', 'UPKI-1030')}</x:cepikException>"

    assert read(envelope(f"<s:Fault><detail>{one}</detail></s:Fault>")) is None
    assert (
        trouble_of(envelope(f"<s:Fault><detail>{one * 2}</detail></s:Fault>"))
        is RegisterTrouble.UNAVAILABLE
    )


async def test_no_data_is_none_whatever_warnings_stand_beside():
    assert read(envelope(fault(message("ERROR", "UPKI-1030")))) is None
    assert read(envelope(fault(message("WARN", "X"), message("ERROR", " UPKI-1030 ")))) is None


@pytest.mark.parametrize(
    "body",
    [
        "<s:Fault><faultstring>Kody: UPKI-1030</faultstring></s:Fault>",
        f"<s:Fault><detail>{message('ERROR', 'UPKI-1030')}</detail></s:Fault>",
        f"<s:Fault><cepikException>{message('ERROR', 'UPKI-1030')}</cepikException></s:Fault>",
        "<s:Fault><detail><inny><kod>UPKI-1030</kod></inny></detail></s:Fault>",
    ],
)
async def test_a_fault_that_only_mentions_no_data_is_not_believed(body):
    assert trouble_of(envelope(body)) is RegisterTrouble.UNAVAILABLE


async def test_other_prefixes_and_namespaces_change_nothing():
    message = response(ISSUED).replace("<n:", "<q:").replace("</n:", "</q:")
    other = (
        f'<Envelope xmlns="urn:soap" xmlns:q="urn:other:1.0.2"><Header><x/></Header>'
        f"<Body>{message}</Body></Envelope>"
    )

    assert read(other.encode()).raw == read(envelope(response(ISSUED))).raw


async def test_comments_and_processing_instructions_are_not_read():
    body = envelope(response(f"<!-- x --><?php y?>{ISSUED}")).replace(b"Wydany", b"Wy<!--x-->dany")

    assert read(body).state.text == "Wydany"


async def test_a_nil_date_is_no_date_and_an_empty_one_is_garbage():
    nil = '<dataWaznosci xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>'

    assert read(envelope(response(nil + ISSUED))).expires is None
    assert trouble_of(envelope(response("<dataWaznosci/>" + ISSUED))) is RegisterTrouble.GARBAGE


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"Wydany",
        b"\xff\xfe\x00",
        b"<a/>",
        response(ISSUED).replace("n:", "").encode(),
        envelope(""),
        envelope("Wydany"),
        envelope("<n:DaneDokumentuResponse/>"),
        envelope("<n:DaneDokumentuRequest/>"),
        envelope(response("")),
        envelope(response(ISSUED).replace("DaneDokumentuResponse", "DaneDokumentuCekResponse")),
        envelope(response(ISSUED)).replace(b"s:Envelope", b"s:Koperta"),
        envelope(response(ISSUED) * 2),
        envelope(response(ISSUED) + fault(message("ERROR", "UPKI-1030"))),
        envelope(response(ISSUED), extra="<s:Body/>"),
        envelope(response(ISSUED * 2)),
        envelope(response(ISSUED.replace("<wartosc>Wydany</wartosc>", ""))),
        envelope(response(ISSUED.replace("<wartosc>", "<wartosc>x</wartosc><wartosc>"))),
        envelope(response(ISSUED.replace("Wydany", "<b>Wydany</b>"))),
        envelope(response(ISSUED.replace("Wydany", "Wy<b/>dany"))),
        envelope(response("Wydany" + ISSUED)),
        envelope(response(ISSUED + "Wydany")),
        envelope(response(ISSUED))[:-1],
        envelope(response(ISSUED)) + b"<more/>",
        envelope(response(ISSUED)).replace(b"UTF-8", b"UTF-77"),
        envelope(response(ISSUED)).replace(b"Wydany", b"Wydan\xf3w"),
        envelope(response(ISSUED)).replace(b"Wydany", b"Wydany&nbsp;"),
        envelope(response("<x>" * 5000 + "</x>" * 5000 + ISSUED)),
    ],
)
async def test_what_is_no_such_envelope_is_garbage(body):
    assert trouble_of(body) is RegisterTrouble.GARBAGE


@pytest.mark.parametrize(
    "prolog",
    [
        "<!DOCTYPE s:Envelope>",
        '<!DOCTYPE s:Envelope SYSTEM "http://127.0.0.1:1/x.dtd">',
        '<!DOCTYPE s:Envelope [<!ENTITY w "Wydany">]>',
        '<!DOCTYPE s:Envelope [<!ENTITY w SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE s:Envelope [<!ENTITY % p SYSTEM "file:///etc/hostname"> %p;]>',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
async def test_a_document_type_is_garbage_in_every_encoding(prolog, encoding):
    body = envelope(response(ISSUED), prolog=prolog).decode()
    body = body.replace("UTF-8", encoding).encode(encoding)

    assert trouble_of(body) is RegisterTrouble.GARBAGE


@pytest.mark.parametrize("kind", ["xml_bomb", "external_entity"])
async def test_entities_are_neither_expanded_nor_fetched(upki, issued, simulator, fail, kind):
    fail(kind)

    with pytest.raises(RegisterError) as failure:
        await upki.look_up(issued)

    assert failure.value.trouble is RegisterTrouble.GARBAGE
    assert simulator.followed == 0


async def test_throttling_says_how_long_to_wait(upki, issued, fail):
    fail("http_429", retry_after=30)
    with pytest.raises(RegisterError) as failure:
        await upki.look_up(issued)
    assert failure.value.retry_after == 30

    moment = datetime.now(UTC) + timedelta(minutes=2)
    fail("http_429", retry_after=moment.strftime("%a, %d %b %Y %H:%M:%S GMT"))
    with pytest.raises(RegisterError) as failure:
        await upki.look_up(issued)
    assert failure.value.retry_after == pytest.approx(120, abs=3)


async def test_a_fault_is_believed_with_status_200_too(simulator, upki, unknown, monkeypatch):
    monkeypatch.setattr(simulator._soap, "answer", _with_status(simulator._soap.answer, 200))

    assert await upki.look_up(unknown) is None


async def test_a_document_with_status_500_is_not_believed(simulator, upki, issued, monkeypatch):
    monkeypatch.setattr(simulator._soap, "answer", _with_status(simulator._soap.answer, 500))

    with pytest.raises(RegisterError):
        await upki.look_up(issued)


def _with_status(answer, status):
    return lambda request: msgspec.structs.replace(answer(request), status=status)


async def test_the_register_tells_when_its_certificate_ends(upki):
    assert isinstance(upki, HasCertificate)
    assert timedelta(days=364) < upki.certificate_ends() - datetime.now(UTC) < timedelta(days=366)


def variables(settings, **changes):
    given = {
        "REGISTER_UPKI_URL": settings.url,
        "REGISTER_UPKI_P12": settings.p12,
        "REGISTER_UPKI_P12_PASSWORD": settings.p12_password,
        "REGISTER_UPKI_CA": settings.ca,
        "REGISTER_UPKI_SERVER_NAME": settings.server_name,
    }
    return Environment(given | {f"REGISTER_UPKI_{name}": value for name, value in changes.items()})


async def test_variables_alone_connect_it(upki_settings, issued):
    (register,) = licence_registers(variables(upki_settings, DEADLINE="5", CONNECTIONS="2"))

    assert (await register.look_up(issued)).state.text == "Wydany"
    await register.close()


async def test_it_takes_no_part_until_it_is_configured():
    assert licence_registers(Environment({})) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("URL", ""),
        ("URL", "http://127.0.0.1/cepik"),
        ("URL", "https://127.0.0.1"),
        ("P12", "/nowhere/client.p12"),
        ("P12_PASSWORD", ""),
        ("CA", "/nowhere/ca.pem"),
        ("DEADLINE", "0"),
        ("DEADLINE", "soon"),
        ("CONNECTIONS", "0"),
        ("SIGN", "perhaps"),
    ],
)
async def test_a_setting_that_cannot_be_used_stops_the_start_and_is_named(
    upki_settings, name, value
):
    with pytest.raises(SettingError) as failure:
        licence_registers(variables(upki_settings, **{name: value}))

    assert failure.value.variable == f"REGISTER_UPKI_{name}"


async def test_a_wrong_password_stops_the_start_and_is_not_repeated(upki_settings):
    with pytest.raises(SettingError) as failure:
        licence_registers(variables(upki_settings, P12_PASSWORD="wrong-secret"))

    assert failure.value.variable == "REGISTER_UPKI_P12"
    assert "wrong-secret" not in str(failure.value)
