"""The OpenAPI document says what the panel does; nothing else is let in."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prawko.accounts.addresses import MAX_LENGTH, TOLD_PATTERN, parse_email
from prawko.web.document import openapi_document

pytestmark = pytest.mark.anyio

READ_WITH_GOODWILL = [
    {"emailEnabled": "true", "smsEnabled": False},
    {"emailEnabled": 1, "smsEnabled": False},
    {"emailEnabled": True, "smsEnabled": 0},
    {"emailEnabled": True, "smsEnabled": "0"},
]
NO_JSON = [
    b"", b"{", b"nothing", b"\xff\xfe", b'"\xff"', b'{"emailEnabled": true,}', b"[" * 5000,
]  # fmt: skip
UNDECLARED = [
    ("PATCH", "/api/drivers", "GET, POST"),
    ("OPTIONS", "/api/drivers", "GET, POST"),
    ("GET", "/api/login", "POST"),
    ("TRACE", "/health/live", "GET"),
    ("GET", "/api/drivers/9d1f6a3c-7a5e-4f0e-9d57-5d6d3a3b7f10", "DELETE, PUT"),
    ("OPTIONS", "/api/notifications/settings", "PUT"),
]


@pytest.fixture(scope="module")
def document():
    return openapi_document()


def bodies(document):
    """Operation id → the object it takes."""
    for verbs in document["paths"].values():
        for operation in verbs.values():
            for content in operation.get("requestBody", {}).get("content", {}).values():
                reference = content["schema"].get("$ref")
                if reference is not None:
                    name = reference.rpartition("/")[2]
                    yield operation["operationId"], document["components"]["schemas"][name]


async def test_the_panel_serves_the_document_that_the_client_is_made_from(visitor, document):
    served = await visitor().get("/api/openapi/openapi.json")

    assert served.status_code == 200
    assert served.json() == document


def test_no_body_may_bring_more_than_is_described(document) -> None:
    found = dict(bodies(document))

    assert len(found) > 10
    assert {operation for operation, body in found.items() if body["additionalProperties"]} == set()


def test_what_is_refused_when_it_is_missing_is_required(document) -> None:
    found = dict(bodies(document))

    assert found["addDriver"]["required"] == ["firstName", "lastName", "licenseNumber"]
    assert found["sendPhoneCode"]["required"] == ["phoneNumber"]
    assert found["sendTicket"]["required"] == ["message", "subject"]
    assert found["updateDriver"].get("required", []) == []


def test_every_refusal_is_described_as_a_problem(document) -> None:
    refusals = [
        (operation["operationId"], status, content["schema"])
        for verbs in document["paths"].values()
        for operation in verbs.values()
        for status, response in operation["responses"].items()
        if int(status) >= 400 and operation["operationId"] != "isReady"
        for content in response.get("content", {}).values()
    ]

    assert len(refusals) > 60
    assert [one for one in refusals if one[2] != {"$ref": "#/components/schemas/Problem"}] == []


@settings(max_examples=200)
@given(st.from_regex(TOLD_PATTERN, fullmatch=True).filter(lambda text: len(text) <= MAX_LENGTH))
def test_every_address_of_the_told_pattern_is_taken(address) -> None:
    assert parse_email(address) is not None


@settings(max_examples=200)
@given(st.emails() | st.text(alphabet='aB1.-_+@ ,;\\"', max_size=20))
def test_every_address_that_is_taken_is_of_the_told_pattern(text) -> None:
    address = parse_email(text)
    assert address is None or re.search(TOLD_PATTERN, address)


async def test_a_body_is_taken_as_it_is(anna) -> None:
    for body in READ_WITH_GOODWILL:
        answer = await anna.put("/api/notifications/settings", body)
        assert (answer.status_code, answer.json()["error"]) == (400, "bad_request"), body


async def test_what_is_no_json_is_refused(anna) -> None:
    for content in NO_JSON:
        answer = await anna.browser.put(
            "/api/notifications/settings",
            content=content,
            headers={"Content-Type": "application/json"},
        )
        assert (answer.status_code, answer.json()["error"]) == (400, "bad_request"), content


async def test_a_verb_that_no_route_takes_is_told_which_are(anna) -> None:
    for verb, path, allowed in UNDECLARED:
        answer = await anna.browser.request(verb, path)
        assert (answer.status_code, answer.json()["error"]) == (405, "not_found"), (verb, path)
        assert answer.headers["Allow"] == allowed, (verb, path)
