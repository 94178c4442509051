"""Keys fit every provider and a transfer's title."""

from prawko.hooks.payments import is_key
from prawko.payments.keys import ALPHABET, LENGTH, new_key


def test_a_key_is_short_plain_and_new_each_time() -> None:
    keys = {new_key() for _ in range(1000)}

    assert len(keys) == 1000
    assert all(is_key(key) and len(key) == LENGTH for key in keys)
    assert set("".join(keys)) == set(ALPHABET)


def test_no_letter_is_taken_for_another() -> None:
    assert not set("ILOU") & set(ALPHABET)
    assert len(set(ALPHABET)) == 32
