"""Billing details, to the letter of the spec, section 5."""

import pytest

from buying import ACME, shown

pytestmark = pytest.mark.anyio

PATH = "/api/user/billing-details"


async def test_details_are_kept_tidied_and_shared_by_the_company(anna, bartek, celina) -> None:
    typed = {**ACME, "companyName": "  Acme   Sp. z o.o. ", "street": "Prosta  5/7"}

    answer = await anna.put(PATH, typed)

    assert (answer.status_code, answer.json()) == (200, ACME)
    assert (await shown(bartek))["user"] == ACME
    assert (await shown(celina))["user"]["companyName"] == ""
    assert (await shown(anna))["companyDetails"] != ACME  # the trial's snapshot stays


FAULTS = (
    ("companyName", "", "Nazwa firmy jest wymagana"),
    ("companyName", "   ", "Nazwa firmy jest wymagana"),
    ("taxId", "", "Nieprawidłowy format NIP"),
    ("taxId", "526025027", "Nieprawidłowy format NIP"),
    ("taxId", "526-025-02-74", "Nieprawidłowy format NIP"),
    ("street", "", "Podaj ulicę i numer"),
    ("street", "Prosta", "Podaj ulicę i numer"),
    ("street", "5", "Podaj ulicę i numer"),
    ("postalCode", "00950", "Nieprawidłowy format kodu pocztowego"),
    ("postalCode", "00-950 ", "Nieprawidłowy format kodu pocztowego"),
    ("city", "", "Miasto jest wymagane"),
)


async def test_each_field_is_refused_with_its_own_sentence(anna) -> None:
    before = await shown(anna)
    for field, value, sentence in FAULTS:
        answer = await anna.put(PATH, {**ACME, field: value})

        assert answer.status_code == 422
        assert answer.json() == {
            "error": "invalid_billing_details",
            "message": sentence,
            "fields": {field: sentence},
        }
    assert await shown(anna) == before


async def test_every_fault_is_told_at_once_in_the_readers_language(anna) -> None:
    await anna.put("/api/user/language", {"language": "en"})

    answer = await anna.put(PATH, {})

    assert answer.json()["fields"] == {
        "companyName": "Company name is required",
        "taxId": "Invalid tax ID format",
        "street": "Enter the street and number",
        "postalCode": "Invalid postal code format",
        "city": "City is required",
    }


async def test_a_wrong_check_digit_is_a_hint_on_the_screen_alone(anna) -> None:
    assert (await anna.put(PATH, {**ACME, "taxId": "1234567890"})).status_code == 200


class TestStrict:
    @pytest.fixture
    def variables(self, variables):
        return {**variables, "STRICT_TAX_ID": "true"}

    async def test_an_invoice_that_could_not_be_issued_is_not_ordered(self, anna, fake) -> None:
        wrong = {**ACME, "taxId": "1234567890"}
        assert (await anna.put(PATH, wrong)).status_code == 200

        answer = await anna.post("/api/subscription/create-checkout-session", {"driverLimit": 5})

        assert (answer.status_code, answer.json()["error"]) == (422, "invalid_tax_id")
        assert [*answer.json()["fields"]] == ["taxId"]
        assert fake.orders == {}
