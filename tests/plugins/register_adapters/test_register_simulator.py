"""The register simulator: its documents, its faults, and who may call it."""

import json
import os
import signal
import ssl
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.hooks.licence_register import LicenceQuery, RegisterError
from prawko_demo.register import public, soap
from prawko_demo.register.faults import FaultKind
from prawko_demo.register.generated_documents import generate_document
from prawko_register_upki import UpkiRegister
from prawko_register_upki.request import HEADERS, build_request
from prawko_register_upki.settings import UpkiSettings

pytestmark = pytest.mark.anyio

JAN = LicenceQuery("Jan", "Nowak", "CC123450")
SERIALS = st.from_regex(r"[A-Z]{2}[0-9]{6}", fullmatch=True)


@pytest.fixture
async def control_client(simulator):
    async with httpx.AsyncClient(base_url=simulator.address.control_url) as client:
        yield client


@pytest.fixture
async def over_soap(simulator):
    """Post bytes to the official side, as a client of one's own would."""
    address = simulator.address
    context = ssl.create_default_context(cafile=address.ca)
    context.check_hostname = False  # this client has no separate name to verify
    _show_certificate(context, address)
    async with httpx.AsyncClient(verify=context) as client:

        async def post(body, *, path=soap.PATH, **headers):
            url = address.soap_url.replace(soap.PATH, path)
            return await client.post(url, content=body, headers=HEADERS | headers)

        yield post


def _show_certificate(context, address):
    from prawko_register_upki.credentials import load_client_certificate, load_credentials  # noqa: PLC0415

    load_client_certificate(load_credentials(Path(address.p12), address.p12_password), context)


@given(SERIALS)
def test_an_unlisted_number_always_has_the_same_generated_document(serial):
    document = generate_document(serial)

    if serial[-1] == "8":
        assert document is None
        return
    assert document == generate_document(serial)
    assert document.serial == serial
    assert document.state.wartosc == ("Zatrzymany" if serial[-1] == "9" else "Wydany")
    assert bool(document.reasons) == (serial[-1] == "9")
    assert date(2035, 1, 1) <= date.fromisoformat(document.expires) < date(2041, 1, 1)
    assert document.authority.wartosc
    assert document.categories


async def test_a_document_is_stored_queried_and_deleted(control_client, upki):
    created = await control_client.put(
        "/documents/CC123450",
        json={
            "firstName": "Jan",
            "lastName": "Nowak",
            "state": {"kod": "DICT003_COF", "wartosc": "Cofnięty"},
            "reasons": [{"kod": "DICT067_7", "wartosc": "Wyrok sądu"}],
            "expiryDate": "2031-05-06",
            "issuingAuthority": "Starosta Gryfiński",
            "categories": [{"kategoria": "T", "dataWaznosci": "2030-01-02"}],
        },
    )
    answer = await upki.look_up(JAN)

    assert created.status_code == 200
    assert (await control_client.get("/documents/CC123450")).json() == created.json()
    assert (answer.state.code, answer.state.text) == ("DICT003_COF", "Cofnięty")
    assert answer.reasons[0].text == "Wyrok sądu"
    assert answer.expires == date(2031, 5, 6)
    assert answer.issuing_authority == "Starosta Gryfiński"
    assert [(category.code, category.expires) for category in answer.categories] == [
        ("T", date(2030, 1, 2))
    ]

    assert (await control_client.delete("/documents/CC123450")).json() == {"forgotten": True}
    assert (await control_client.delete("/documents/CC123450")).json() == {"forgotten": False}
    assert (await control_client.get("/documents/CC123450")).status_code == 404
    assert (await upki.look_up(JAN)).state.text == "Wydany"


async def test_a_document_needs_names_only(control_client, upki):
    await control_client.put("/documents/CC123450", json={"firstName": "Jan", "lastName": "Nowak"})

    answer = await upki.look_up(JAN)

    assert answer.state.text == "Wydany"
    assert answer.expires.year >= 2035
    assert answer.categories


async def test_a_state_without_a_code_gets_one(control_client, upki):
    body = {"firstName": "Jan", "lastName": "Nowak", "state": {"wartosc": "Zatrzymany"}}
    await control_client.put("/documents/CC123450", json=body)

    assert (await upki.look_up(JAN)).state.code == "DICT003_ZAT"


@pytest.mark.parametrize(
    ("asked_for", "status"),
    [
        (LicenceQuery("Jan", "Nowak", "CC123450"), True),
        (LicenceQuery("JAN", "nowak", "CC123450"), True),
        (LicenceQuery("Jan Maria", "Nowak", "CC123450"), True),
        (LicenceQuery("Janusz", "Nowak", "CC123450"), False),
        (LicenceQuery("Jan", "Nowakowski", "CC123450"), False),
    ],
)
async def test_a_document_is_found_under_its_holders_name_only(
    control_client, upki, asked_for, status
):
    await control_client.put("/documents/CC123450", json={"firstName": "Jan", "lastName": "Nowak"})

    assert (await upki.look_up(asked_for) is not None) == status


async def test_a_date_with_a_zone_is_the_same_in_both_services(control_client, upki, public):
    body = {"firstName": "Jan", "lastName": "Nowak", "expiryDate": "2039-02-28+02:00"}
    await control_client.put("/documents/CC123450", json=body)

    assert (await upki.look_up(JAN)).expires == date(2039, 2, 28)
    assert await upki.look_up(JAN) == await public.look_up(JAN)


async def test_unlisted_documents_can_be_unknown(control_client, upki):
    assert (await control_client.put("/unknown", json={"mode": "not_found"})).status_code == 200
    assert await upki.look_up(JAN) is None

    await control_client.put("/unknown", json={"mode": "auto"})
    assert await upki.look_up(JAN) is not None


async def test_the_public_service_knows_listed_documents_only(control_client, public):
    assert await public.look_up(JAN) is None

    await control_client.put("/documents/CC123450", json={"firstName": "Jan", "lastName": "Nowak"})
    assert await public.look_up(JAN) is not None

    await control_client.put("/documents/CC123450", json={"firstName": "Jan", "lastName": "Inny"})
    assert await public.look_up(JAN) is None


async def test_calls_are_counted_by_number_until_reset(control_client, upki, public):
    await control_client.put("/documents/CC123450", json={"firstName": "Jan", "lastName": "Nowak"})
    await upki.look_up(JAN)
    await public.look_up(JAN)
    await public.look_up(LicenceQuery("Jan", "Nowak", "CC123451"))

    assert (await control_client.get("/calls")).json() == {"count": 3, "bySerial": {"CC123450": 2}}
    assert (await control_client.delete("/calls")).json() == {"count": 0, "bySerial": {}}
    assert (await control_client.get("/calls")).json() == {"count": 0, "bySerial": {}}


@pytest.mark.parametrize("kind", ["http_503", "refused", "cut"])
async def test_a_fault_ends_after_its_count(control_client, upki, kind):
    await upki.look_up(JAN)
    await control_client.put("/faults", json={"kind": kind, "times": 2})

    for _ in range(2):
        with pytest.raises(RegisterError):
            await upki.look_up(JAN)

    assert (await upki.look_up(JAN)).state.text == "Wydany"


async def test_a_fault_lasts_until_it_is_ended(control_client, upki):
    await control_client.put("/faults", json={"kind": "http_429", "retryAfter": 30, "times": None})
    for _ in range(3):
        with pytest.raises(RegisterError) as failure:
            await upki.look_up(JAN)
        assert failure.value.retry_after == 30

    await control_client.put("/faults", json={"kind": None})
    assert (await upki.look_up(JAN)).state.text == "Wydany"


async def test_the_control_api_works_during_faults(control_client):
    for kind in FaultKind:
        assert (await control_client.put("/faults", json={"kind": kind})).status_code == 200
        assert (await control_client.get("/calls")).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "content", "status"),
    [
        ("PUT", "/faults", {"kind": "http_418"}, 422),
        ("PUT", "/faults", {"kind": "silence", "forever": True}, 422),
        ("PUT", "/faults", {"kind": "silence", "times": 0}, 422),
        ("PUT", "/faults", {"kind": "http_429", "retryAfter": "1\r\nX: y"}, 422),
        ("PUT", "/delay", {"seconds": -1}, 422),
        ("PUT", "/documents/CC123450", {"firstName": " ", "lastName": "Nowak"}, 422),
        ("PUT", "/unknown", {"mode": "maybe"}, 422),
        ("PUT", "/documents/CC123450", {"firstName": "Jan"}, 422),
        ("PUT", "/documents/CC123450", {"firstName": "J", "lastName": "N", "stan": "x"}, 422),
        ("PUT", "/documents/", {"firstName": "Jan", "lastName": "Nowak"}, 422),
        ("PUT", "/documents/a b", {"firstName": "Jan", "lastName": "Nowak"}, 422),
        ("POST", "/faults", {"kind": None}, 404),
        ("GET", "/nothing", None, 404),
    ],
)
async def test_the_control_api_refuses_invalid_requests(
    control_client, method, path, content, status
):
    answer = await control_client.request(method, path, json=content)

    assert answer.status_code == status
    assert answer.json()["message"]


async def test_every_answer_can_be_delayed(control_client, upki, simulator):
    await control_client.put("/delay", json={"seconds": 0.2})
    started = time.monotonic()
    await upki.look_up(JAN)
    simulator.control.delay = 0.0

    assert time.monotonic() - started >= 0.2


QUESTION = build_request(JAN).decode()
SWAPPED_NAMES = QUESTION.replace(
    "<imiePierwsze>Jan</imiePierwsze><nazwisko>Nowak</nazwisko>",
    "<nazwisko>Nowak</nazwisko><imiePierwsze>Jan</imiePierwsze>",
)


@pytest.mark.parametrize(
    "body",
    [
        SWAPPED_NAMES,
        QUESTION.replace("<nazwisko>Nowak</nazwisko>", ""),
        QUESTION.replace("Nowak", " "),
        QUESTION.replace("<nazwisko>", "<upr:nazwisko>").replace("</nazw", "</upr:nazw"),
        QUESTION.replace("przewoznicy", "cek"),
        QUESTION.replace("schemas.xmlsoap.org/soap/envelope/", "www.w3.org/2003/05/soap-envelope"),
        QUESTION[:-4],
        "",
    ],
)
async def test_an_invalid_query_is_a_validation_fault(over_soap, body):
    answer = await over_soap(body)

    assert answer.status_code == 500
    assert "<kod>UPKI-1010</kod>" in answer.text


async def test_a_query_is_answered_in_another_serialisation(over_soap):
    reformatted = QUESTION.replace("><", ">\n  <").replace("upr:", "q1:").replace(":upr", ":q1")

    assert "Wydany" in (await over_soap(QUESTION)).text
    assert (await over_soap(reformatted)).text == (await over_soap(QUESTION)).text


async def test_the_headers_of_the_contract_are_required(over_soap):
    assert (await over_soap(QUESTION, path="/cepik/api/ul/Inny")).status_code == 404
    assert (await over_soap(QUESTION, **{"Content-Type": "application/json"})).status_code == 415
    assert "UPKI-1010" in (await over_soap(QUESTION, SOAPAction='"pytanie"')).text


async def test_names_are_decoded_as_xml(over_soap, control_client, upki):
    name = {"firstName": "Jan", "lastName": "O'Neill & <Syn>"}
    await control_client.put("/documents/CC123450", json=name)

    answer = await upki.look_up(LicenceQuery("Jan", "O'Neill & <Syn>", "CC123450"))

    assert answer.state.text == "Wydany"


async def test_its_secret_files_are_readable_by_their_owner_only(simulator):
    folder = Path(simulator.address.p12).parent

    modes = {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()}

    assert modes.pop("ca.pem") & 0o600
    assert modes == {"client.p12": 0o600, "register.json": 0o600}


async def test_it_runs_as_a_process_of_its_own(tmp_path):
    command = [sys.executable, "-m", "prawko_demo.register", "--home", str(tmp_path / "register")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ)  # noqa: ASYNC220
    try:
        assert process.stdout.readline() == "ready\n"
        address = json.loads((tmp_path / "register" / "register.json").read_text())
        register = UpkiRegister.from_settings(
            UpkiSettings(
                url=address["soapUrl"],
                p12=address["p12"],
                p12_password=address["p12Password"],
                ca=address["ca"],
                server_name=address["serverName"],
            )
        )
        assert (await register.look_up(JAN)).state.text == "Wydany"
        await register.close()
        async with httpx.AsyncClient() as client:
            calls = await client.get(address["controlUrl"] + "/calls")
        assert calls.json() == {"count": 1, "bySerial": {"CC123450": 1}}
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=10) == 0
        process.stdout.close()


async def test_it_listens_on_this_machine_only(simulator):
    address = simulator.address

    assert address.soap_url.startswith("https://127.0.0.1:")
    assert address.json_url.startswith("http://127.0.0.1:")
    assert public.PATH.startswith("/nforms/")
