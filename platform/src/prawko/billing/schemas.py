"""Request and response models of the subscription."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta

from prawko.accounts.schemas import CompanyDetails
from prawko.base.schemas import RequestModel, ResponseModel
from prawko.billing.models import SubscriptionStatus
from prawko.billing.orders.schemas import OrderOut, TaxIdText

StatusText = Annotated[str, Meta(extra_json_schema={"extra": {"enum": list(SubscriptionStatus)}})]


class TrialIn(RequestModel):
    """The request to start the trial."""

    tax_id: TaxIdText = ""


class TrialOut(ResponseModel):
    """The company's trial, active or ended."""

    start_date: datetime
    end_date: datetime
    days_left: int
    ended: bool


class SubscriptionOut(ResponseModel):
    """The current subscription with its effective status (docs/rules.md R26).

    `company_details` are those the subscription was ordered with, `user` the company's present
    ones. `cancelled`: access lasts until `end_date` and is not renewed. `price_net` is the next
    period's, in grosze; 0 without a subscription. `next_limit` holds from `next_limit_at` on.
    `renews`: the next period is charged to `mandate_label`. After a failed renewal drivers are
    monitored until `grace_until`.
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


class LimitChangedOut(ResponseModel):
    """The subscription, and where to pay if the change waits for a payment."""

    url: str | None
    order_id: UUID | None
    subscription: SubscriptionOut


class CancelledOut(ResponseModel):
    """The cancelled subscription; access lasts until `ends_at` (R5)."""

    status: StatusText
    cancelled: bool
    ends_at: datetime
