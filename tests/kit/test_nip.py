# ruff: noqa: RUF001  (characters that only look like others are the point)
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.kit.text.nip import has_nip_format, has_valid_check_digit


@pytest.mark.parametrize("text", ["5260001246", "0000000000", "1234567890"])
def test_ten_digits_have_the_format(text):
    assert has_nip_format(text)


@pytest.mark.parametrize(
    "text",
    ["", "526000124", "52600012466", "526-000-12-46", "526000124a", "PL5260001246", "5260001246\n",
     " 5260001246", "５２６０００１２４６", "٥٢٦٠٠٠١٢٤٦", "526000124²"],
)  # fmt: skip
def test_any_other_text_does_not_have_the_format(text):
    assert not has_nip_format(text)


@pytest.mark.parametrize("text", ["5260001246", "1234563218", "8567346215"])
def test_a_tax_id_ends_with_its_check_digit(text):
    assert has_valid_check_digit(text)


@pytest.mark.parametrize("text", ["5260001247", "1234567890", "0000000000"])
def test_a_wrong_check_digit_is_invalid(text):
    assert not has_valid_check_digit(text)


@given(st.from_regex(r"\A[0-9]{9}\Z"))
def test_at_most_one_digit_completes_nine(digits):
    assert sum(has_valid_check_digit(f"{digits}{last}") for last in range(10)) <= 1


@given(st.integers(0, 8), st.integers(1, 9))
def test_one_mistyped_digit_is_always_detected(position, difference):
    valid = "5260001246"
    mistyped = (
        valid[:position] + str((int(valid[position]) + difference) % 10) + valid[position + 1 :]
    )
    assert not has_valid_check_digit(mistyped)
