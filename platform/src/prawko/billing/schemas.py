"""The JSON of the subscription."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta

from prawko.accounts.schemas import CompanyDetails
from prawko.base.schemas import Incoming, Outgoing
from prawko.billing.order_schemas import OrderOut, TaxIdText
from prawko.billing.status import Status

StatusText = Annotated[str, Meta(extra_json_schema={"extra": {"enum": list(Status)}})]


class TrialIn(Incoming):
    """The business that asks for its one trial."""

    tax_id: TaxIdText = ""


class TrialOut(Outgoing):
    """The company's trial, running or over."""

    start_date: datetime
    end_date: datetime
    days_left: int
    ended: bool


class SubscriptionOut(Outgoing):
    """The current subscription as it stands now (reading R26), and the company's own details.

    `company_details` is the snapshot the subscription was ordered with, `user` what the company
    says of itself today. `cancelled`: access lasts until `end_date` and is not renewed.
    `price_net` is the next period's, in grosze; 0 where nothing was ever ordered. `next_limit`
    holds from `next_limit_at` on. `renews`: the next period is charged to `mandate_label`.
    Until `grace_until` drivers are checked after a renewal that failed.
    """

    status: StatusText
    driver_limit: int
    end_date: datetime | None
    days_left: int
    company_details: CompanyDetails
    user: CompanyDetails
    cancelled: bool
    is_trial: bool
    trial: TrialOut | None
    price_net: int
    drivers: int
    next_limit: int | None
    next_limit_at: datetime | None
    renews: bool
    mandate_label: str | None
    grace_until: datetime | None
    open_order: OrderOut | None


class LimitChangedOut(Outgoing):
    """The subscription, and where to go on where the change waits for its payment."""

    url: str | None
    order_id: UUID | None
    subscription: SubscriptionOut


class CancelledOut(Outgoing):
    """Cancelled; access lasts until `ends_at` (reading R5)."""

    status: StatusText
    cancelled: bool
    ends_at: datetime
