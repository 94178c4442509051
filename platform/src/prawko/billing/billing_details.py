"""Billing details: validation, normalisation, and reading and writing them on rows."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Self

import msgspec

from prawko.billing.errors import (
    BillingDetailsRequiredError,
    InvalidBillingDetailsError,
    InvalidTaxIdError,
)
from prawko.billing.models import Subscription, SubscriptionOrder
from prawko.billing.repository import SubscriptionRepository
from prawko.kit.settings import Settings
from prawko.kit.text.letters import is_drawable, normalise_typed
from prawko.kit.text.nip import has_nip_format, has_valid_check_digit
from prawko.kit.text.plain_text import is_far_too_long
from prawko_tenants.models import Tenant
from prawko_tenants.sessions import TenantSession

MAX_LENGTH = 200
# For the OpenAPI document: in Python `$` would accept a newline.
POSTAL_CODE_PATTERN = "^[0-9]{2}-[0-9]{3}$"
_POSTAL_CODE_REGEX = re.compile(r"[0-9]{2}-[0-9]{3}")
# A name followed by a number: "ul. Prosta 5/7", "3 Maja 12a", but not "5 Prosta". Matched from the
# first letter on, because a search would start again at each letter, in quadratic time.
_STREET_REGEX = re.compile(r"[\W\d_]*[^\W\d_].*\s\d")


class BillingDetails(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The buyer on an invoice (docs/rules.md P21); empty strings where not given."""

    company_name: str = ""
    tax_id: str = ""
    street: str = ""
    postal_code: str = ""
    city: str = ""

    @classmethod
    def of(cls, row: Tenant | Subscription | SubscriptionOrder) -> Self:
        """The billing details on a row."""
        return msgspec.convert(row, cls, from_attributes=True)

    def to_dict(self) -> dict[str, str]:
        """The details by the names of the columns."""
        return msgspec.structs.asdict(self)

    def write_to(self, row: Tenant | Subscription) -> None:
        """Set the details on a row."""
        for name, text in self.to_dict().items():
            setattr(row, name, text)


def normalise_details(details: BillingDetails) -> BillingDetails:
    """The details as stored: each as `normalise_typed` returns it."""
    return BillingDetails(
        **{name: _normalise_text(text) for name, text in details.to_dict().items()}
    )


def find_detail_errors(raw: BillingDetails) -> dict[str, str]:
    """The text key of each invalid field, by Python name, in the form's order (P3, P4)."""
    normalised = normalise_details(raw)
    errors = {}
    for name, (text_key, is_valid) in _FIELD_RULES.items():
        text = getattr(normalised, name)
        if not is_valid(text):
            errors[name] = text_key
        elif len(text) > MAX_LENGTH:
            errors[name] = "billing.details.too_long"
        elif not text.isprintable():
            errors[name] = "billing.details.characters"
        elif not is_drawable(text):
            errors[name] = "billing.details.script"
    return errors


def _normalise_text(raw: str) -> str:
    return raw if is_far_too_long(raw, MAX_LENGTH) else normalise_typed(raw)


_FIELD_RULES: Mapping[str, tuple[str, Callable[[str], bool]]] = {
    "company_name": ("billing.details.company_name", bool),
    "tax_id": ("billing.tax_id.format", has_nip_format),
    "street": ("billing.details.street", lambda text: _STREET_REGEX.match(text) is not None),
    "postal_code": (
        "billing.details.postal_code",
        lambda text: _POSTAL_CODE_REGEX.fullmatch(text) is not None,
    ),
    "city": ("billing.details.city", bool),
}


_API_NAMES = dict(
    zip(BillingDetails.__struct_fields__, BillingDetails.__struct_encode_fields__, strict=True)
)


def validate_details(raw: BillingDetails) -> BillingDetails:
    """The details, normalised. Raises InvalidBillingDetailsError with the invalid fields."""
    errors = find_detail_errors(raw)
    if errors:
        raise InvalidBillingDetailsError(
            fields={_API_NAMES[name]: text_key for name, text_key in errors.items()}
        )
    return normalise_details(raw)


def resolve_order_details(
    company: Tenant, changes: Mapping[str, str | None], settings: Settings
) -> BillingDetails:
    """The details of an order: the given ones, else the company's stored ones (R28).

    Raises BillingDetailsRequiredError for a field that is neither, InvalidBillingDetailsError,
    and with STRICT_TAX_ID InvalidTaxIdError for a wrong check digit (R17).
    """
    given = {name: text for name, text in changes.items() if text is not None}
    merged = msgspec.structs.replace(BillingDetails.of(company), **given)
    if any(name not in given and not getattr(merged, name) for name in _API_NAMES):
        raise BillingDetailsRequiredError
    details = validate_details(merged)
    if settings.strict_tax_id and not has_valid_check_digit(details.tax_id):
        raise InvalidTaxIdError(fields={"taxId": "billing.tax_id.checksum"})
    return details


def save_details(company: Tenant, details: BillingDetails, now: datetime) -> bool:
    """Save the details on the company; False when they are the present ones."""
    if BillingDetails.of(company) == details:
        return False
    details.write_to(company)
    company.updated_at = now
    return True


async def change_details(
    session: TenantSession, raw: BillingDetails, now: datetime
) -> tuple[BillingDetails, bool]:
    """Save the details of future invoices, normalised; return them and whether they changed.

    Raises InvalidBillingDetailsError.
    """
    details = validate_details(raw)
    company = await SubscriptionRepository(session).lock_company()
    return details, save_details(company, details, now)
