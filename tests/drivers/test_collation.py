import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.drivers.validation import sort_key
from prawko.kit.text.letters import TABLE

CASES = json.loads(Path(__file__).parents[1].joinpath("kit/typed_text.json").read_text("utf-8"))
POLISH = st.text(alphabet=TABLE.alphabet, min_size=1, max_size=6)


def encoded_key(name, first="Jan"):
    return sort_key(first, name).encode()  # COLLATE "C" compares the bytes


def sort_names(names):
    return sorted(names, key=encoded_key)


def test_names_sort_in_polish_alphabetical_order():
    assert sort_names(reversed(CASES["ordered"])) == CASES["ordered"]


@pytest.mark.parametrize(
    ("written", "spelled", "next_name"),
    [
        ("nowak", "Nowak", "Nowaka"),
        ("Nowak-Kowalska", "Nowak Kowalska", "NowakKowalskaa"),
        ("De Luca", "Deluca", "Deluga"),
        ("O'Neill", "Oneill", "Oneills"),
        ("ŻABA", "żaba", "żabaa"),
    ],
)
def test_case_and_hyphens_do_not_move_a_name(written, spelled, next_name):
    assert max(encoded_key(written), encoded_key(spelled)) < encoded_key(next_name)
    assert encoded_key(written) != encoded_key(spelled)


def test_the_first_name_decides_between_equal_last_names():
    jan, adam = sort_key("Jan", "Nowak"), sort_key("Adam", "Nowak")
    assert adam < jan < sort_key("Adam", "Nowakowski")


@given(POLISH, POLISH, POLISH, POLISH)
def test_keys_compare_like_positions_in_the_alphabet(last, first, other_last, other_first):
    def positions(*names):
        return [[TABLE.alphabet.index(character) for character in name] for name in names]

    position, other_position = positions(last, first), positions(other_last, other_first)
    key, other_key = sort_key(first, last).encode(), sort_key(other_first, other_last).encode()
    assert (key < other_key) == (position < other_position)
    assert (key == other_key) == (position == other_position)


@given(st.text(max_size=20), st.text(max_size=20))
def test_the_key_is_deterministic_for_any_text(first, last):
    assert sort_key(first, last) == sort_key(first, last)
    assert "\n" not in sort_key("", "\n" + last.replace("\n", "")).split(" ", 1)[0]
