"""Validation and normalisation of billing details."""

import time
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.billing.billing_details import (
    BillingDetails,
    find_detail_errors,
    normalise_details,
    resolve_order_details,
)
from prawko.billing.errors import InvalidTaxIdError
from prawko.kit.text.i18n import Language, translate
from prawko_tenants.models import Tenant

VALID_DETAILS = BillingDetails(
    company_name="Acme", tax_id="5260250274", street="Prosta 5", postal_code="00-950", city="Łódź"
)


def validate_with(**fields: str) -> dict[str, str]:
    return find_detail_errors(
        BillingDetails(**{name: fields.get(name, getattr(VALID_DETAILS, name)) for name in NAMES})
    )


NAMES = ("company_name", "tax_id", "street", "postal_code", "city")


@pytest.mark.parametrize(
    "street",
    [
        "Prosta 5",
        "ul. Prosta 5/7",
        "3 Maja 12a",
        "al. Jana Pawła II 15 lok. 3",
        "Zalesie 14",
        "Ł 1",
    ],
)
def test_a_street_is_a_name_followed_by_a_number(street) -> None:
    assert validate_with(street=street) == {}


def test_a_street_of_many_letters_takes_no_quadratic_time() -> None:
    began = time.process_time()
    for _ in range(20):
        assert validate_with(street="a" * 5000) == {"street": "billing.details.street"}
    assert time.process_time() - began < 2.0


@pytest.mark.parametrize("street", ["", " ", "Prosta", "5", "5 Prosta", "Prosta5", "- 5", "..., 7"])
def test_a_street_without_a_name_or_number_is_invalid(street) -> None:
    assert validate_with(street=street) == {"street": "billing.details.street"}


@pytest.mark.parametrize("code", ["00-950", "99-999"])
def test_a_valid_postal_code(code) -> None:
    assert validate_with(postal_code=code) == {}


@pytest.mark.parametrize("code", ["", "00950", "0-0950", "00-95", "00-9500", "\uff10\uff10-950"])
def test_an_invalid_postal_code(code) -> None:
    assert validate_with(postal_code=code) == {"postal_code": "billing.details.postal_code"}


@pytest.mark.parametrize(
    ("name", "text_key"),
    [
        ("company_name", "billing.details.characters"),
        ("tax_id", "billing.tax_id.format"),
        ("street", "billing.details.characters"),
        ("postal_code", "billing.details.postal_code"),
        ("city", "billing.details.characters"),
    ],
)
def test_invisible_characters_are_refused(name, text_key) -> None:
    value = getattr(VALID_DETAILS, name)
    for hidden in ("\n", "\t", "\x00", "\ue000"):
        assert validate_with(**{name: value + hidden}) == {name: text_key}


def test_a_name_has_a_maximum_length() -> None:
    assert validate_with(company_name="a" * 200) == {}
    assert validate_with(company_name="a" * 201) == {"company_name": "billing.details.too_long"}


def test_leading_trailing_and_repeated_blanks_are_removed() -> None:
    raw = BillingDetails(
        company_name=" A  B ", tax_id="1", street=" X  1 ", postal_code="2", city=" C "
    )

    assert normalise_details(raw) == BillingDetails(
        company_name="A B", tax_id="1", street="X 1", postal_code="2", city="C"
    )


def test_the_check_digit_is_validated_separately() -> None:
    assert validate_with(tax_id="1234567890") == {}
    company = Tenant(**VALID_DETAILS.to_dict())
    lenient, strict = SimpleNamespace(strict_tax_id=False), SimpleNamespace(strict_tax_id=True)

    assert resolve_order_details(company, {}, strict) == VALID_DETAILS
    assert resolve_order_details(company, {"tax_id": "1234567890"}, lenient).tax_id == "1234567890"
    with pytest.raises(InvalidTaxIdError) as refused:
        resolve_order_details(company, {"tax_id": "1234567890"}, strict)
    assert refused.value.fields == {"taxId": "billing.tax_id.checksum"}


def test_every_field_of_empty_details_is_invalid() -> None:
    assert [*find_detail_errors(BillingDetails())] == [*NAMES]


@given(st.builds(BillingDetails, **dict.fromkeys(NAMES, st.text(max_size=20))))
def test_any_input_is_valid_or_has_a_message_in_each_language(raw) -> None:
    for name, text in find_detail_errors(raw).items():
        assert name in NAMES
        assert all(translate(text, language) for language in Language)
    assert normalise_details(normalise_details(raw)) == normalise_details(raw)
