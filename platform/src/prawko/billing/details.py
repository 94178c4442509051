"""A company's billing details as its people type them, made fit for an invoice. Pure.

The rules and their sentences are those of the spec, section 5.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping

import msgspec

from prawko.base.tax_id import has_check_digit, has_tax_id_format

MAX_LENGTH = 200
POSTAL_CODE = "^[0-9]{2}-[0-9]{3}$"  # for readers of the API; here `$` would let a newline pass
_POSTAL_CODE = re.compile(r"[0-9]{2}-[0-9]{3}")
# A name, and after it a number: "ul. Prosta 5/7", "3 Maja 12a", but not "5 Prosta".
_STREET = re.compile(r"[^\W\d_].*\s\d")
# Controls, formats, surrogates, private and unassigned characters, separators of lines.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


class Details(msgspec.Struct, frozen=True, kw_only=True):
    """Who is on the invoice; empty strings where nobody has said it yet."""

    company_name: str = ""
    tax_id: str = ""
    street: str = ""
    postal_code: str = ""
    city: str = ""

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return all(msgspec.structs.astuple(self))


def tidy(details: Details) -> Details:
    """The details as they are stored: composed, without blanks around or doubled in them.

    The tax id and the postal code stay as they were typed: they fit to the letter or not.
    """
    return Details(
        company_name=_tidy(details.company_name),
        tax_id=details.tax_id,
        street=_tidy(details.street),
        postal_code=details.postal_code,
        city=_tidy(details.city),
    )


def problems(typed: Details) -> dict[str, str]:
    """The sentence of each field that is not fit, in the form's order, by our names."""
    tidied = tidy(typed)
    found = {}
    for name, (fault, fits) in _RULES.items():
        if any(unicodedata.category(character) in _UNSEEN for character in getattr(typed, name)):
            found[name] = "billing.details.characters"
        elif not fits(getattr(tidied, name)):
            found[name] = fault
        elif len(getattr(tidied, name)) > MAX_LENGTH:
            found[name] = "billing.details.too_long"
    return found


def check_digit_problem(details: Details) -> dict[str, str]:
    """What is wrong with a tax id that has the form of one (reading R17)."""
    if has_check_digit(details.tax_id):
        return {}
    return {"tax_id": "billing.tax_id.checksum"}


def _tidy(typed: str) -> str:
    return " ".join(unicodedata.normalize("NFC", typed).split())


_RULES: Mapping[str, tuple[str, Callable[[str], bool]]] = {
    "company_name": ("billing.details.company_name", bool),
    "tax_id": ("billing.tax_id.format", has_tax_id_format),
    "street": ("billing.details.street", lambda text: _STREET.search(text) is not None),
    "postal_code": (
        "billing.details.postal_code",
        lambda text: _POSTAL_CODE.fullmatch(text) is not None,
    ),
    "city": ("billing.details.city", bool),
}
