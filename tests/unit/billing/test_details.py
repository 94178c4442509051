"""Billing details: what fits, and what is kept of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.base.texts import Language, say
from prawko.billing.details import Details, check_digit_problem, problems, tidy

FIT = Details(
    company_name="Acme", tax_id="5260250274", street="Prosta 5", postal_code="00-950", city="Łódź"
)


def fault(**fields: str) -> dict[str, str]:
    return problems(Details(**{name: fields.get(name, getattr(FIT, name)) for name in NAMES}))


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
    assert fault(street=street) == {}


@pytest.mark.parametrize("street", ["", " ", "Prosta", "5", "5 Prosta", "Prosta5", "- 5", "..., 7"])
def test_what_is_no_street_with_a_number(street) -> None:
    assert fault(street=street) == {"street": "billing.details.street"}


@pytest.mark.parametrize("code", ["00-950", "99-999"])
def test_a_postal_code(code) -> None:
    assert fault(postal_code=code) == {}


@pytest.mark.parametrize("code", ["", "00950", "0-0950", "00-95", "00-9500", "\uff10\uff10-950"])
def test_what_is_no_postal_code(code) -> None:
    assert fault(postal_code=code) == {"postal_code": "billing.details.postal_code"}


@pytest.mark.parametrize("name", NAMES)
def test_nothing_that_cannot_be_seen_is_kept(name) -> None:
    value = getattr(FIT, name)
    for hidden in ("\n", "\t", "\u200b", "\u202e", "\x00"):
        assert fault(**{name: value + hidden}) == {name: "billing.details.characters"}


def test_a_name_fills_no_page() -> None:
    assert fault(company_name="a" * 200) == {}
    assert fault(company_name="a" * 201) == {"company_name": "billing.details.too_long"}


def test_blanks_around_and_doubled_are_not_kept() -> None:
    typed = Details(company_name=" A  B ", tax_id="1", street=" X  1 ", postal_code="2", city=" C ")

    assert tidy(typed) == Details(
        company_name="A B", tax_id="1", street="X 1", postal_code="2", city="C"
    )


def test_the_check_digit_is_a_matter_of_its_own() -> None:
    assert fault(tax_id="1234567890") == {}
    assert check_digit_problem(FIT) == {}
    assert check_digit_problem(Details(tax_id="1234567890")) == {
        "tax_id": "billing.tax_id.checksum"
    }


def test_empty_details_are_incomplete() -> None:
    assert not Details().complete
    assert FIT.complete
    assert [*problems(Details())] == [*NAMES]


@given(st.builds(Details, **dict.fromkeys(NAMES, st.text(max_size=20))))
def test_whatever_is_typed_has_a_sentence_or_is_kept_as_it_reads(typed) -> None:
    for name, text in problems(typed).items():
        assert name in NAMES
        assert all(say(text, language) for language in Language)
    assert tidy(tidy(typed)) == tidy(typed)
