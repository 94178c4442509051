"""References fit every provider and transfer titles."""

from prawko.hooks.payments import is_valid_reference
from prawko.payments.models import REFERENCE_ALPHABET, REFERENCE_LENGTH, new_reference


def test_a_reference_is_short_plain_and_unique() -> None:
    keys = {new_reference() for _ in range(1000)}

    assert len(keys) == 1000
    assert all(is_valid_reference(key) and len(key) == REFERENCE_LENGTH for key in keys)
    assert set("".join(keys)) == set(REFERENCE_ALPHABET)


def test_references_have_no_ambiguous_letters() -> None:
    assert not set("ILOU") & set(REFERENCE_ALPHABET)
    assert len(set(REFERENCE_ALPHABET)) == 32
