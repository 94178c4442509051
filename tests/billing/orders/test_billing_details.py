"""Billing details (docs/rules.md P3, P4)."""

import pytest

from support.orders import ACME_DETAILS, fetch_subscription

pytestmark = pytest.mark.anyio

PATH = "/api/user/billing-details"


async def test_details_are_saved_normalised_and_shared_by_the_company(anna, bartek, celina) -> None:
    raw = {**ACME_DETAILS, "companyName": "  Acme   Sp. z o.o. ", "street": "Prosta  5/7"}

    answer = await anna.put(PATH, raw)

    assert (answer.status_code, answer.json()) == (200, ACME_DETAILS)
    assert (await fetch_subscription(bartek))["user"] == ACME_DETAILS
    assert (await fetch_subscription(celina))["user"]["companyName"] == ""
    assert (await fetch_subscription(anna))[
        "companyDetails"
    ] != ACME_DETAILS  # those of the trial stay


FIELD_ERRORS = (
    ("companyName", "", "Nazwa firmy jest wymagana"),
    ("companyName", "   ", "Nazwa firmy jest wymagana"),
    ("taxId", "", "Nieprawidłowy format NIP"),
    ("taxId", "526025027", "Nieprawidłowy format NIP"),
    ("taxId", "526-025-02-74", "Nieprawidłowy format NIP"),
    ("street", "", "Podaj ulicę i numer"),
    ("street", "Prosta", "Podaj ulicę i numer"),
    ("street", "5", "Podaj ulicę i numer"),
    ("postalCode", "00950", "Nieprawidłowy format kodu pocztowego"),
    ("postalCode", "00 950", "Nieprawidłowy format kodu pocztowego"),
    ("city", "", "Miasto jest wymagane"),
)


async def test_each_field_has_its_own_error_message(anna) -> None:
    before = await fetch_subscription(anna)
    for field, value, sentence in FIELD_ERRORS:
        answer = await anna.put(PATH, {**ACME_DETAILS, field: value})

        assert answer.status_code == 422
        assert answer.json() == {
            "error": "invalid_billing_details",
            "message": sentence,
            "fields": {field: sentence},
        }
    assert await fetch_subscription(anna) == before


async def test_all_errors_are_returned_at_once_in_the_users_language(anna) -> None:
    await anna.put("/api/user/language", {"language": "en"})

    answer = await anna.put(PATH, {})

    assert answer.json()["fields"] == {
        "companyName": "Company name is required",
        "taxId": "Invalid tax ID format",
        "street": "Enter the street and number",
        "postalCode": "Invalid postal code format",
        "city": "City is required",
    }


async def test_a_wrong_check_digit_is_saved_without_strict_tax_ids(anna) -> None:
    assert (await anna.put(PATH, {**ACME_DETAILS, "taxId": "1234567890"})).status_code == 200


class TestStrictTaxId:
    @pytest.fixture
    def variables(self, variables):
        return {**variables, "STRICT_TAX_ID": "true"}

    async def test_an_order_whose_invoice_could_not_be_issued_is_refused(self, anna, fake) -> None:
        invalid = {**ACME_DETAILS, "taxId": "1234567890"}
        assert (await anna.put(PATH, invalid)).status_code == 200

        answer = await anna.post("/api/subscription/create-checkout-session", {"driverLimit": 5})

        assert (answer.status_code, answer.json()["error"]) == (422, "invalid_tax_id")
        assert [*answer.json()["fields"]] == ["taxId"]
        assert fake.requests == {}
