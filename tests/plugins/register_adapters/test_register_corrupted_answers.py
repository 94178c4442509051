"""A damaged answer never has another state than the one that was sent."""

import json
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from prawko.hooks.http_client import HttpResponse
from prawko.hooks.licence_register import RegisterError
from prawko_demo.register import public, soap
from prawko_demo.register.generated_documents import generate_document
from prawko_register_public.response import parse_response as read_public
from prawko_register_upki.response import parse_response as read_upki

SERIAL = "AB123459"
WITHHELD = generate_document(SERIAL)
XML = soap.encode_soap(WITHHELD).encode()
FAULT = soap.no_data_fault().body
JSON = public.encode_json(WITHHELD)
NO_DATA = public.no_data_reply().body

MANY_EXAMPLES = settings(max_examples=400, deadline=None)


def read_state(read, *arguments):
    """Return the parsed state: None for an error, "no data" for an unknown document."""
    try:
        answer = read(*arguments, expected_number=SERIAL)
    except RegisterError:
        return None
    return "no data" if answer is None else (answer.number, answer.state.text)


def read_upki_state(body):
    return read_state(read_upki, body)


def read_public_state(body, status=200):
    return read_state(read_public, HttpResponse(status, {"content-type": "application/json"}, body))


SENT_STATE = (SERIAL, "Zatrzymany")


@st.composite
def damaged(draw, body):
    """Cut out, double, overwrite or insert a few bytes."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(body)))
        end = draw(st.integers(start, min(len(body), start + 200)))
        replacement = draw(
            st.one_of(
                st.just(b""),
                st.binary(max_size=8),
                st.just(body[start:end] * 2),
                st.sampled_from([b"<", b">", b"</", b'"', b"{", b"}", b"[", b"]", b",", b"&amp;"]),
            )
        )
        body = body[:start] + replacement + body[end:]
    return body


@st.composite
def rearranged_xml(draw, body):
    """Remove, double, rename, empty or move one element."""
    root = etree.fromstring(body)
    elements = [element for element in root.iter() if element is not root]
    element = draw(st.sampled_from(elements))
    match draw(st.sampled_from(["remove", "double", "rename", "empty", "fill", "nil"])):
        case "remove":
            element.getparent().remove(element)
        case "double":
            element.addnext(deepcopy(element))
        case "rename":
            element.tag = draw(
                st.sampled_from([other_element.tag for other_element in elements] + ["inny"])
            )
        case "empty":
            for child in list(element):
                element.remove(child)
            element.text = None
        case "fill":
            element.text = draw(st.sampled_from(["Wydany", " ", "0"])) if len(element) else None
        case "nil":
            element.set("{http://www.w3.org/2001/XMLSchema-instance}nil", "true")
    return etree.tostring(root)


@st.composite
def rearranged_json(draw, body):
    """Replace one value by something of another kind, or take it away."""
    content = json.loads(body)
    places = list(_places(content))
    holder, key = draw(st.sampled_from(places))
    other_value = draw(
        st.sampled_from([..., None, True, 0, 1.5, "", " ", [], {}, [[]], [holder[key]], {"kod": 1}])
    )
    if other_value is ...:
        del holder[key]
    else:
        holder[key] = other_value
    return json.dumps(content).encode()


def _places(content):
    keys = content.keys() if isinstance(content, dict) else range(len(content))
    for key in keys:
        yield content, key
        if isinstance(content[key], dict | list):
            yield from _places(content[key])


def test_undamaged_answers_are_parsed():
    assert read_upki_state(XML) == SENT_STATE
    assert read_public_state(JSON) == SENT_STATE
    assert read_upki_state(FAULT) == "no data"
    assert read_public_state(NO_DATA, 400) == "no data"


@MANY_EXAMPLES
@given(damaged(XML))
def test_a_damaged_envelope_never_means_valid_or_not_found(body):
    state = read_upki_state(body)

    assert state != "no data"
    assert state is None or (state[0] == SERIAL and state[1] != "Wydany")


@MANY_EXAMPLES
@given(damaged(JSON), st.sampled_from([200, 400]))
def test_damaged_json_never_means_valid_or_not_found(body, status):
    state = read_public_state(body, status)

    assert state != "no data"
    assert state is None or (state[0] == SERIAL and state[1] != "Wydany")


@MANY_EXAMPLES
@given(rearranged_xml(XML))
def test_a_rearranged_envelope_has_the_same_state_or_none(body):
    assert read_upki_state(body) in {None, SENT_STATE}


@MANY_EXAMPLES
@given(rearranged_json(JSON))
def test_rearranged_json_has_the_same_state_or_none(body):
    assert read_public_state(body) in {None, SENT_STATE}


@MANY_EXAMPLES
@given(damaged(FAULT))
def test_a_damaged_fault_never_has_a_state(body):
    assert read_upki_state(body) in {None, "no data"}


@MANY_EXAMPLES
@given(damaged(NO_DATA))
def test_a_damaged_error_list_never_has_a_state(body):
    assert read_public_state(body, 200) is None
    assert read_public_state(body, 400) in {None, "no data"}


@MANY_EXAMPLES
@given(st.binary(max_size=300))
def test_noise_has_no_state(body):
    assert read_upki_state(body) is None
    assert read_public_state(body) is None
    assert read_public_state(body, 400) is None


@pytest.mark.parametrize("cut", range(0, len(XML), 7))
def test_a_truncated_envelope_has_no_state(cut):
    assert read_upki_state(XML[:cut]) is None


@pytest.mark.parametrize("cut", range(0, len(JSON), 7))
def test_truncated_json_has_no_state(cut):
    assert read_public_state(JSON[:cut]) is None
