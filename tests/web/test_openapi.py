"""The OpenAPI document describes the panel, and requests that do not fit it are rejected."""

import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prawko.accounts.email_address import OPENAPI_PATTERN, parse_email
from prawko.apps.web.openapi import build_openapi_document
from support.email_addresses import email_addresses
from support.openapi import PANEL

pytestmark = pytest.mark.anyio

LENIENT_BODIES = [
    {"emailEnabled": "true", "smsEnabled": False},
    {"emailEnabled": 1, "smsEnabled": False},
    {"emailEnabled": True, "smsEnabled": 0},
    {"emailEnabled": True, "smsEnabled": "0"},
]
INVALID_JSON = [
    b"", b"{", b"nothing", b"\xff\xfe", b'"\xff"', b'{"emailEnabled": true,}', b"[" * 5000,
]  # fmt: skip
UNDECLARED_METHODS = [
    ("PATCH", "/api/drivers", "GET, HEAD, POST"),
    ("OPTIONS", "/api/drivers", "GET, HEAD, POST"),
    ("GET", "/api/login", "POST"),
    ("TRACE", "/health/live", "GET, HEAD"),
    ("PATCH", "/api/drivers/9d1f6a3c-7a5e-4f0e-9d57-5d6d3a3b7f10", "DELETE, GET, HEAD, PUT"),
    ("GET", "/api/notifications/9d1f6a3c-7a5e-4f0e-9d57-5d6d3a3b7f10", "DELETE"),
    ("OPTIONS", "/api/notifications/settings", "PUT"),
]


@pytest.fixture(scope="module")
def document():
    return build_openapi_document()


def request_schemas(document):
    """Yield operation ids with the schema of their body."""
    for verbs in document["paths"].values():
        for operation in verbs.values():
            for content in operation.get("requestBody", {}).get("content", {}).values():
                reference = content["schema"].get("$ref")
                if reference is not None:
                    name = reference.rpartition("/")[2]
                    yield operation["operationId"], document["components"]["schemas"][name]


async def test_the_panel_serves_the_document_that_the_client_is_generated_from(
    new_browser, document
):
    answer = await new_browser().get("/api/openapi/openapi.json")

    assert answer.status_code == 200
    assert answer.json() == document == msgspec.json.decode(PANEL.read_bytes())


def test_no_body_allows_undescribed_fields(document) -> None:
    by_operation = dict(request_schemas(document))

    assert len(by_operation) > 10
    assert {
        operation for operation, body in by_operation.items() if body["additionalProperties"]
    } == set()


def test_fields_that_are_rejected_when_missing_are_required(document) -> None:
    by_operation = dict(request_schemas(document))

    assert by_operation["addDriver"]["required"] == ["firstName", "lastName", "licenseNumber"]
    assert by_operation["sendPhoneCode"]["required"] == ["phoneNumber"]
    assert by_operation["sendTicket"]["required"] == ["message", "subject"]
    assert by_operation["updateDriver"].get("required", []) == []


def test_every_error_response_is_described_as_a_problem(document) -> None:
    refusals = [
        (operation["operationId"], status, content["schema"])
        for verbs in document["paths"].values()
        for operation in verbs.values()
        for status, response in operation["responses"].items()
        if int(status) >= 400 and operation["operationId"] != "isReady"
        for content in response.get("content", {}).values()
    ]

    assert len(refusals) > 60
    assert [
        refusal for refusal in refusals if refusal[2] != {"$ref": "#/components/schemas/Problem"}
    ] == []


@settings(max_examples=200)
@given(email_addresses())
def test_every_ordinary_address_is_documented_and_accepted(address) -> None:
    assert re.search(OPENAPI_PATTERN, address)
    assert parse_email(address) == address


@settings(max_examples=200)
@given(st.emails() | st.text(alphabet='aB1.-_+@ ,;\\"', max_size=20))
def test_every_accepted_address_is_of_the_documented_pattern(text) -> None:
    address = parse_email(text)
    assert address is None or re.search(OPENAPI_PATTERN, address)


async def test_values_of_another_json_type_are_rejected(anna) -> None:
    for body in LENIENT_BODIES:
        answer = await anna.put("/api/notifications/settings", body)
        assert (answer.status_code, answer.json()["error"]) == (400, "bad_request"), body


async def test_a_field_with_the_name_of_a_dependency_is_validated_like_others(anna) -> None:
    registration = {"email": "nowa@acme.test", "password": "Nowe0haslo", "language": 1}
    registered = await anna.post("/api/register", registration)
    changed = await anna.put("/api/user/language", {"language": 1})

    assert (registered.status_code, registered.json()["error"]) == (422, "invalid_registration")
    assert (changed.status_code, changed.json()["error"]) == (400, "bad_request")


async def test_invalid_json_is_rejected(anna) -> None:
    for content in INVALID_JSON:
        answer = await anna.browser.put(
            "/api/notifications/settings",
            content=content,
            headers={"Content-Type": "application/json"},
        )
        assert (answer.status_code, answer.json()["error"]) == (400, "bad_request"), content


async def test_an_undeclared_method_is_answered_with_the_allowed_ones(anna) -> None:
    for verb, path, allowed in UNDECLARED_METHODS:
        answer = await anna.browser.request(verb, path)
        assert (answer.status_code, answer.json()["error"]) == (405, "not_found"), (verb, path)
        assert answer.headers["Allow"] == allowed, (verb, path)
