"""Answers that were damaged on their way never say something else than what was sent."""

import json
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from prawko.hooks.licence_register import RegisterError
from prawko.hooks.register_connection import Reply
from prawko_demo.register import public, soap
from prawko_demo.register.documents import automatic
from prawko_register_public.answer import read_answer as read_public
from prawko_register_upki.answer import read_answer as read_upki

SERIAL = "AB123459"
WITHHELD = automatic(SERIAL)
XML = soap.write_answer(WITHHELD).encode()
FAULT = soap.no_data().body
JSON = public.write_answer(WITHHELD)
NO_DATA = public.no_data().body

HARD = settings(max_examples=400, deadline=None)


def said(read, *arguments):
    """The state that is read: None where there is none, "no data" where it says so."""
    try:
        answer = read(*arguments, asked=SERIAL)
    except RegisterError:
        return None
    return "no data" if answer is None else (answer.serial, answer.state.text)


def said_by_upki(body):
    return said(read_upki, body)


def said_by_public(body, status=200):
    return said(read_public, Reply(status=status, media_type="application/json", body=body))


TRUTH = (SERIAL, "Zatrzymany")


@st.composite
def damaged(draw, body):
    """Cut out, double, overwrite or insert a few bytes."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(body)))
        end = draw(st.integers(start, min(len(body), start + 200)))
        piece = draw(
            st.one_of(
                st.just(b""),
                st.binary(max_size=8),
                st.just(body[start:end] * 2),
                st.sampled_from([b"<", b">", b"</", b'"', b"{", b"}", b"[", b"]", b",", b"&amp;"]),
            )
        )
        body = body[:start] + piece + body[end:]
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
            element.tag = draw(st.sampled_from([other.tag for other in elements] + ["inny"]))
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
    other = draw(
        st.sampled_from([..., None, True, 0, 1.5, "", " ", [], {}, [[]], [holder[key]], {"kod": 1}])
    )
    if other is ...:
        del holder[key]
    else:
        holder[key] = other
    return json.dumps(content).encode()


def _places(content):
    keys = content.keys() if isinstance(content, dict) else range(len(content))
    for key in keys:
        yield content, key
        if isinstance(content[key], dict | list):
            yield from _places(content[key])


def test_undamaged_answers_are_read():
    assert said_by_upki(XML) == TRUTH
    assert said_by_public(JSON) == TRUTH
    assert said_by_upki(FAULT) == "no data"
    assert said_by_public(NO_DATA, 400) == "no data"


@HARD
@given(damaged(XML))
def test_a_damaged_envelope_never_says_valid_or_not_found(body):
    state = said_by_upki(body)

    assert state != "no data"
    assert state is None or (state[0] == SERIAL and state[1] != "Wydany")


@HARD
@given(damaged(JSON), st.sampled_from([200, 400]))
def test_damaged_json_never_says_valid_or_not_found(body, status):
    state = said_by_public(body, status)

    assert state != "no data"
    assert state is None or (state[0] == SERIAL and state[1] != "Wydany")


@HARD
@given(rearranged_xml(XML))
def test_a_rearranged_envelope_says_the_same_or_nothing(body):
    assert said_by_upki(body) in {None, TRUTH}


@HARD
@given(rearranged_json(JSON))
def test_rearranged_json_says_the_same_or_nothing(body):
    assert said_by_public(body) in {None, TRUTH}


@HARD
@given(damaged(FAULT))
def test_a_damaged_fault_never_says_a_state(body):
    assert said_by_upki(body) in {None, "no data"}


@HARD
@given(damaged(NO_DATA))
def test_a_damaged_refusal_never_says_a_state(body):
    assert said_by_public(body, 200) is None
    assert said_by_public(body, 400) in {None, "no data"}


@HARD
@given(st.binary(max_size=300))
def test_noise_says_nothing(body):
    assert said_by_upki(body) is None
    assert said_by_public(body) is None
    assert said_by_public(body, 400) is None


@pytest.mark.parametrize("cut", range(0, len(XML), 7))
def test_a_cut_envelope_says_nothing(cut):
    assert said_by_upki(XML[:cut]) is None


@pytest.mark.parametrize("cut", range(0, len(JSON), 7))
def test_cut_json_says_nothing(cut):
    assert said_by_public(JSON[:cut]) is None
