import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.drivers.sorting import ALPHABET, sort_key

POLISH = st.text(alphabet=ALPHABET, min_size=1, max_size=6)


def key(name, first="Jan"):
    return sort_key(first, name).encode()  # COLLATE "C" compares the bytes


def in_order(names):
    return sorted(names, key=key)


@pytest.mark.parametrize(
    "names",
    [
        ["Adamski", "Ąbacki", "Bąk"],
        ["Cabaj", "Czyż", "Ćwik", "Dąb"],
        ["Ewa", "Ezop", "Ębski", "Fik"],
        ["Lis", "Lzy", "Łoś", "Mak"],
        ["Nowak", "Nyk", "Ńko", "Okoń", "Oz", "Ósmy", "Pan"],
        ["Sowa", "Szyk", "Ślusarz", "Tur"],
        ["Zając", "Zyga", "Źrebak", "Żaba"],
        ["Kos", "Kosa", "Kość"],
        ["Lás", "lasa"],
        ["Muller", "Müllera", "Mullerz"],
        ["Groß", "Grossa"],
        ["Nowak", "Nowak-Kowalska", "Nowakowski"],
        ["2Pac", "Abc"],
        ["Żyła", "Шевченко"],
    ],
)
def test_names_stand_in_the_order_of_a_polish_list(names):
    assert in_order(reversed(names)) == names


@pytest.mark.parametrize(
    ("one", "other", "behind"),
    [
        ("nowak", "Nowak", "Nowaka"),
        ("Nowak-Kowalska", "Nowak Kowalska", "NowakKowalskaa"),
        ("De Luca", "Deluca", "Deluga"),
        ("O'Neill", "Oneill", "Oneills"),
        ("ŻABA", "żaba", "żabaa"),
    ],
)
def test_case_and_hyphens_do_not_move_a_name(one, other, behind):
    assert max(key(one), key(other)) < key(behind)
    assert key(one) != key(other)


def test_the_first_name_decides_between_equal_last_names():
    jan, adam = sort_key("Jan", "Nowak"), sort_key("Adam", "Nowak")
    assert adam < jan < sort_key("Adam", "Nowakowski")


@given(POLISH, POLISH, POLISH, POLISH)
def test_keys_compare_like_places_in_the_alphabet(last, first, other_last, other_first):
    def places(*names):
        return [[ALPHABET.index(letter) for letter in name] for name in names]

    mine, theirs = places(last, first), places(other_last, other_first)
    my_key, their_key = sort_key(first, last).encode(), sort_key(other_first, other_last).encode()
    assert (my_key < their_key) == (mine < theirs)
    assert (my_key == their_key) == (mine == theirs)


@given(st.text(max_size=20), st.text(max_size=20))
def test_the_key_of_a_name_never_changes_and_takes_any_text(first, last):
    assert sort_key(first, last) == sort_key(first, last)
    assert "\n" not in sort_key("", "\n" + last.replace("\n", "")).split(" ", 1)[0]
