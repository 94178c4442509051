"""Changes the billing details of a company."""

from datetime import datetime

from prawko.billing.billing_details import BillingDetails, save_details, validate_details
from prawko.billing.subscription.repository import SubscriptionRepository
from prawko_tenants.sessions import TenantSession


async def change_details(
    session: TenantSession, raw: BillingDetails, now: datetime
) -> BillingDetails:
    """Save the details of future invoices, normalised. Raises InvalidBillingDetailsError."""
    details = validate_details(raw)
    company = await SubscriptionRepository(session).lock_company()
    save_details(company, details, now)
    return details
