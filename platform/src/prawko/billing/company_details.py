"""Keeps what a company says of itself for its invoices."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from prawko.accounts.schemas import CompanyDetails
from prawko.base.settings import Settings
from prawko.billing.details import Details, check_digit_problem, problems, tidy
from prawko.billing.errors import (
    BillingDetailsRequiredError,
    InvalidBillingDetailsError,
    InvalidTaxIdError,
)
from prawko.billing.models import Subscription, SubscriptionOrder
from prawko_tenants.company import Tenant

# Our name of a field → its name in a request.
_TOLD = {
    "company_name": "companyName",
    "tax_id": "taxId",
    "street": "street",
    "postal_code": "postalCode",
    "city": "city",
}


def stored_details(row: Tenant | Subscription | SubscriptionOrder) -> Details:
    """The details that a row carries."""
    return msgspec.convert(row, Details, from_attributes=True)


def details_out(details: Details) -> CompanyDetails:
    """The details as the API tells them."""
    return msgspec.convert(details, CompanyDetails, from_attributes=True)


def read_details(typed: Details) -> Details:
    """The details made fit to be kept. Raises InvalidBillingDetailsError, by field."""
    found = problems(typed)
    if found:
        raise InvalidBillingDetailsError(fields=_told(found))
    return tidy(typed)


def details_to_order(
    company: Tenant, given: Mapping[str, str | None], settings: Settings
) -> Details:
    """Those that an order needs: what is given, else what is stored (reading R28).

    Raises BillingDetailsRequiredError where nobody has said yet what is asked for,
    InvalidBillingDetailsError, and, where check digits count, InvalidTaxIdError: such an
    invoice could never be issued (reading R17).
    """
    said = {name: text for name, text in given.items() if text is not None}
    merged = msgspec.structs.replace(stored_details(company), **said)
    if any(name not in said and not getattr(merged, name) for name in _TOLD):
        raise BillingDetailsRequiredError
    details = read_details(merged)
    wrong = check_digit_problem(details) if settings.strict_tax_id else {}
    if wrong:
        raise InvalidTaxIdError(fields=_told(wrong))
    return details


def keep_details(company: Tenant, details: Details, now: datetime) -> None:
    """Write them down as the company's own."""
    if stored_details(company) == details:
        return
    for name, text in msgspec.structs.asdict(details).items():
        setattr(company, name, text)
    company.updated_at = now


def _told(found: Mapping[str, str]) -> dict[str, str]:
    return {_TOLD[name]: text for name, text in found.items()}
