"""The official service over SOAP and mutual TLS."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from lxml import etree

from prawko.hooks.environment import Environment, SettingsError
from prawko.hooks.licence_register import (
    HasCertificate,
    LicenceQuery,
    RegisterError,
    RegisterErrorKind,
)
from prawko_register_upki import licence_registers
from prawko_register_upki.request import HEADERS, build_request
from prawko_register_upki.response import parse_response
from prawko_testing.register_contract import RemoteRegisterContract

pytestmark = pytest.mark.anyio

CARRIERS_NAMESPACE = "http://uprawnieniakierowcow-przewoznicy.ul.api.cepik.coi.gov.pl"
SOAP_NAMESPACE = "http://schemas.xmlsoap.org/soap/envelope/"


class TestContract(RemoteRegisterContract):
    """The official service's adapter fulfils the contract of a register."""

    deadline_slack = 6.0  # the machine may be busy

    @pytest.fixture
    def register(self, upki):
        return upki


def envelope(message, *, prolog="", extra=""):
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>{prolog}<s:Envelope xmlns:s="{SOAP_NAMESPACE}" '
        f'xmlns:n="{CARRIERS_NAMESPACE}">{extra}<s:Body>{message}</s:Body></s:Envelope>'
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


def parse_answer(body):
    return parse_response(body, expected_number="AB123456")


def error_kind(body):
    with pytest.raises(RegisterError) as failure:
        parse_answer(body)
    return failure.value.kind


async def test_the_request_matches_the_contract_of_the_service():
    request = etree.fromstring(
        build_request(LicenceQuery("Anna Maria", "Żółć & <Syn>", "AB123456"))
    )

    body = request.find(f"{{{SOAP_NAMESPACE}}}Body")
    assert request.tag == f"{{{SOAP_NAMESPACE}}}Envelope"
    assert len(request.find(f"{{{SOAP_NAMESPACE}}}Header")) == 0
    assert [child.tag for child in body] == [f"{{{CARRIERS_NAMESPACE}}}DaneDokumentuRequest"]
    assert [(child.tag, child.text) for child in body[0]] == [
        ("imiePierwsze", "Anna"),
        ("nazwisko", "Żółć & <Syn>"),
        ("seriaNumerBlankietuDruku", "AB123456"),
    ]
    assert HEADERS["SOAPAction"] == '""'
    assert HEADERS["Content-Type"].startswith("text/xml")


@pytest.mark.parametrize("name", ["Jan\x00", "Jan\x1b", "Jan\ud800", "Jan\ufffe"])
async def test_a_name_that_xml_excludes_is_refused_without_a_call(upki, request_count, name):
    with pytest.raises(RegisterError) as failure:
        await upki.look_up(LicenceQuery("Jan", name, "AB123456"))

    assert failure.value.kind is RegisterErrorKind.INVALID_QUERY
    assert request_count() == 0


@pytest.mark.parametrize(
    ("messages", "trouble"),
    [
        ([message("ERROR", "UPKI-1000")], RegisterErrorKind.UNAVAILABLE),
        ([message("ERROR", "UPKI-1010")], RegisterErrorKind.INVALID_QUERY),
        ([message("ERROR", "UPKI-1020")], RegisterErrorKind.UNAVAILABLE),
        ([message("ERROR", "UPKI-9999")], RegisterErrorKind.UNAVAILABLE),
        ([message("WARN", "UPKI-1030")], RegisterErrorKind.UNAVAILABLE),
        (
            [message("WARN", "UPKI-1030"), message("ERROR", "UPKI-1000")],
            RegisterErrorKind.UNAVAILABLE,
        ),
        (
            [message("ERROR", "UPKI-1030"), message("ERROR", "UPKI-1000")],
            RegisterErrorKind.UNAVAILABLE,
        ),
        (
            [message("ERROR", "UPKI-1030"), message("ERROR", "UPKI-1010")],
            RegisterErrorKind.INVALID_QUERY,
        ),
        ([], RegisterErrorKind.UNAVAILABLE),
        ([message("ERROR", "")], RegisterErrorKind.INVALID_RESPONSE),
        ([message("INFO", "UPKI-1030")], RegisterErrorKind.INVALID_RESPONSE),
        ([message("", "UPKI-1030")], RegisterErrorKind.INVALID_RESPONSE),
        (["<komunikaty>UPKI-1030</komunikaty>"], RegisterErrorKind.INVALID_RESPONSE),
        (["<komunikaty><kod>UPKI-1030</kod></komunikaty>"], RegisterErrorKind.INVALID_RESPONSE),
    ],
)
async def test_a_fault_is_classified_by_its_error_messages(messages, trouble):
    assert error_kind(envelope(fault(*messages))) is trouble


async def test_a_fault_with_two_explanations_is_invalid():
    first_fault = (
        f"<x:cepikException xmlns:x='urn:x'>{message('ERROR', 'UPKI-1030')}</x:cepikException>"
    )

    assert parse_answer(envelope(f"<s:Fault><detail>{first_fault}</detail></s:Fault>")) is None
    assert (
        error_kind(envelope(f"<s:Fault><detail>{first_fault * 2}</detail></s:Fault>"))
        is RegisterErrorKind.UNAVAILABLE
    )


async def test_no_data_is_none_despite_warnings():
    assert parse_answer(envelope(fault(message("ERROR", "UPKI-1030")))) is None
    assert (
        parse_answer(envelope(fault(message("WARN", "X"), message("ERROR", " UPKI-1030 ")))) is None
    )


@pytest.mark.parametrize(
    "body",
    [
        "<s:Fault><faultstring>Kody: UPKI-1030</faultstring></s:Fault>",
        f"<s:Fault><detail>{message('ERROR', 'UPKI-1030')}</detail></s:Fault>",
        f"<s:Fault><cepikException>{message('ERROR', 'UPKI-1030')}</cepikException></s:Fault>",
        "<s:Fault><detail><inny><kod>UPKI-1030</kod></inny></detail></s:Fault>",
    ],
)
async def test_a_fault_that_only_mentions_no_data_is_an_error(body):
    assert error_kind(envelope(body)) is RegisterErrorKind.UNAVAILABLE


async def test_other_prefixes_and_namespaces_change_nothing():
    message = response(ISSUED).replace("<n:", "<q:").replace("</n:", "</q:")
    other_namespace = (
        f'<Envelope xmlns="urn:soap" xmlns:q="urn:other:1.0.2"><Header><x/></Header>'
        f"<Body>{message}</Body></Envelope>"
    )

    assert (
        parse_answer(other_namespace.encode()).raw == parse_answer(envelope(response(ISSUED))).raw
    )


async def test_comments_and_processing_instructions_are_ignored():
    body = envelope(response(f"<!-- x --><?php y?>{ISSUED}")).replace(b"Wydany", b"Wy<!--x-->dany")

    assert parse_answer(body).state.text == "Wydany"


async def test_a_nil_date_is_none_and_an_empty_one_is_invalid():
    null_date = '<dataWaznosci xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>'

    assert parse_answer(envelope(response(null_date + ISSUED))).expires is None
    assert (
        error_kind(envelope(response("<dataWaznosci/>" + ISSUED)))
        is RegisterErrorKind.INVALID_RESPONSE
    )


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
async def test_any_other_envelope_is_invalid(body):
    assert error_kind(body) is RegisterErrorKind.INVALID_RESPONSE


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
async def test_a_doctype_is_invalid_in_every_encoding(prolog, encoding):
    body = envelope(response(ISSUED), prolog=prolog).decode()
    body = body.replace("UTF-8", encoding).encode(encoding)

    assert error_kind(body) is RegisterErrorKind.INVALID_RESPONSE


@pytest.mark.parametrize("kind", ["xml_bomb", "external_entity"])
async def test_entities_are_neither_expanded_nor_fetched(
    upki, issued, simulator, inject_failure, kind
):
    inject_failure(kind)

    with pytest.raises(RegisterError) as failure:
        await upki.look_up(issued)

    assert failure.value.kind is RegisterErrorKind.INVALID_RESPONSE
    assert simulator.followed_count == 0


async def test_rate_limiting_names_the_delay(upki, issued, inject_failure):
    inject_failure("http_429", retry_after=30)
    with pytest.raises(RegisterError) as failure:
        await upki.look_up(issued)
    assert failure.value.retry_after == 30

    moment = datetime.now(UTC) + timedelta(minutes=2)
    inject_failure("http_429", retry_after=moment.strftime("%a, %d %b %Y %H:%M:%S GMT"))
    with pytest.raises(RegisterError) as failure:
        await upki.look_up(issued)
    assert 60 < failure.value.retry_after <= 120


async def test_a_fault_counts_with_status_200_too(simulator, upki, unknown):
    simulator.soap.handle = _with_status(simulator.soap.handle, 200)

    assert await upki.look_up(unknown) is None


async def test_a_document_with_status_500_is_an_error(simulator, upki, issued):
    simulator.soap.handle = _with_status(simulator.soap.handle, 500)

    with pytest.raises(RegisterError):
        await upki.look_up(issued)


def _with_status(answer, status):
    return lambda request: msgspec.structs.replace(answer(request), status=status)


async def test_the_register_knows_the_expiry_of_its_certificate(upki):
    assert isinstance(upki, HasCertificate)
    assert (
        timedelta(days=364)
        < upki.certificate_expires_at() - datetime.now(UTC)
        < timedelta(days=366)
    )


def environment_with(settings, **changes):
    variables = {
        "REGISTER_UPKI_URL": settings.url,
        "REGISTER_UPKI_P12": settings.p12,
        "REGISTER_UPKI_P12_PASSWORD": settings.p12_password,
        "REGISTER_UPKI_CA": settings.ca,
        "REGISTER_UPKI_SERVER_NAME": settings.server_name,
    }
    return Environment(
        variables | {f"REGISTER_UPKI_{name}": value for name, value in changes.items()}
    )


async def test_it_is_configured_by_variables_alone(upki_settings, issued):
    (register,) = licence_registers(environment_with(upki_settings, DEADLINE="5", CONNECTIONS="2"))

    assert (await register.look_up(issued)).state.text == "Wydany"
    await register.close()


async def test_each_further_certificate_is_an_access_of_its_own(upki_settings, issued):
    registers = licence_registers(
        environment_with(
            upki_settings,
            **{"2_P12": upki_settings.p12, "2_P12_PASSWORD": upki_settings.p12_password},
            **{"7_P12": upki_settings.p12, "7_P12_PASSWORD": upki_settings.p12_password},
        )
    )

    assert [register.name for register in registers] == ["upki", "upki-2", "upki-7"]
    for register in registers:
        assert (await register.look_up(issued)).state.text == "Wydany"
        await register.close()


@pytest.mark.parametrize(
    ("changes", "variable"),
    [
        ({"2_P12": "/nowhere/client.p12", "2_P12_PASSWORD": "x"}, "REGISTER_UPKI_2_P12"),
        ({"2_P12": "/nowhere/client.p12"}, "REGISTER_UPKI_2_P12_PASSWORD"),
        ({"2_P12_PASSWORD": "x"}, "REGISTER_UPKI_2_P12"),
    ],
    ids=str,
)
async def test_an_invalid_further_certificate_names_the_variable(upki_settings, changes, variable):
    with pytest.raises(SettingsError) as failure:
        licence_registers(environment_with(upki_settings, **changes))

    assert failure.value.variable == variable


async def test_a_further_certificate_alone_stops_the_start(upki_settings):
    variables = {"REGISTER_UPKI_2_P12": "x", "REGISTER_UPKI_2_P12_PASSWORD": "x"}

    with pytest.raises(SettingsError) as failure:
        licence_registers(Environment(variables))

    assert failure.value.variable == "REGISTER_UPKI_URL"


async def test_it_is_absent_without_settings():
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
async def test_an_invalid_setting_names_the_variable(upki_settings, name, value):
    with pytest.raises(SettingsError) as failure:
        licence_registers(environment_with(upki_settings, **{name: value}))

    assert failure.value.variable == f"REGISTER_UPKI_{name}"


async def test_a_wrong_password_stops_the_start_and_is_not_quoted(upki_settings):
    with pytest.raises(SettingsError) as failure:
        licence_registers(environment_with(upki_settings, P12_PASSWORD="wrong-secret"))

    assert failure.value.variable == "REGISTER_UPKI_P12"
    assert "wrong-secret" not in str(failure.value)
