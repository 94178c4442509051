"""Request and response models of billing. Amounts are integer grosze."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from prawko.accounts.schemas import CompanyDetails
from prawko.billing import billing_details, price
from prawko.billing.models import OrderKind, OrderState, SubscriptionStatus
from prawko.hooks.payments import PaymentMethod
from prawko.invoices.sale import LineKind
from prawko.kit.http.schemas import RequestModel, ResponseModel, openapi_constraints
from prawko.kit.text import nip

Text = Annotated[str, Meta(max_length=5000)]
TaxIdText = Annotated[Text, openapi_constraints(pattern=nip.NIP_PATTERN, max_length=nip.NIP_LENGTH)]
PostalCodeText = Annotated[
    Text, openapi_constraints(pattern=billing_details.POSTAL_CODE_PATTERN, max_length=6)
]
MethodText = Annotated[str, openapi_constraints(enum=list(PaymentMethod))]
BlikCode = Annotated[str, openapi_constraints(pattern="^[0-9]{6}$")]
DriverLimit = Annotated[
    int,
    openapi_constraints(
        minimum=price.MIN_LIMIT, maximum=price.MAX_LIMIT, multiple_of=price.LIMIT_STEP
    ),
]


class ChangeKind(StrEnum):
    """The direction of a limit change within a period."""

    UPGRADE = "upgrade"
    DOWNGRADE = "downgrade"


class BillingDetailsIn(RequestModel):
    """The buyer on future invoices (docs/rules.md P3, P4)."""

    company_name: Text = ""
    tax_id: TaxIdText = ""
    street: Text = ""
    postal_code: PostalCodeText = ""
    city: Text = ""


class CheckoutIn(RequestModel):
    """An order of a period (R28).

    Absent billing details are the stored ones; an absent method is the page's default.
    """

    driver_limit: DriverLimit
    company_name: Text | None = None
    tax_id: TaxIdText | None = None
    street: Text | None = None
    postal_code: PostalCodeText | None = None
    city: Text | None = None
    method: MethodText | None = None
    blik_code: BlikCode | None = None


class CheckoutOut(ResponseModel):
    """The order, and the URL where the browser goes next: the provider's page or one of ours."""

    url: str
    order_id: UUID


class ChangeLimitIn(RequestModel):
    """Another limit within the paid period. Without a method, the mandate is charged."""

    driver_limit: DriverLimit
    method: MethodText | None = None
    blik_code: BlikCode | None = None


class LineOut(ResponseModel):
    """A line of an order; `days` is set for an upgrade."""

    kind: LineKind
    days: int | None
    net: int
    vat: int
    gross: int


class LimitChangeOut(ResponseModel):
    """The price of changing the limit alone, and when it would take effect."""

    kind: ChangeKind
    net: int
    vat: int
    gross: int
    starts: datetime = msgspec.field(name="from")


class QuoteOut(ResponseModel):
    """The price of an order and the end it would lead to.

    `limit_from`: when the limit would take effect; null for as soon as it is paid. `change` is
    null without an active paid period, and for the present limit.
    """

    driver_limit: int
    lines: list[LineOut]
    net: int
    vat: int
    gross: int
    new_end_date: datetime
    limit_from: datetime | None
    change: LimitChangeOut | None


class MethodOut(ResponseModel):
    """A payment method. `blik_code`: takes a BLIK code. `renews`: creates a mandate."""

    method: PaymentMethod
    blik_code: bool
    renews: bool


class TransferOut(ResponseModel):
    """The details of a bank transfer; the payment is recognised by its title."""

    title: str
    iban: str
    owner: str
    address: str


class OrderOut(ResponseModel):
    """An order and its newest payment: where to pay while it is open, or why it failed."""

    id: UUID
    kind: OrderKind
    state: OrderState
    method: MethodText
    driver_limit: int
    net: int
    vat: int
    gross: int
    created_at: datetime
    url: str | None
    transfer: TransferOut | None
    reason: str | None


StatusText = Annotated[str, openapi_constraints(enum=list(SubscriptionStatus))]


class TrialIn(RequestModel):
    """The request to start the trial."""

    tax_id: TaxIdText = ""


class TrialOut(ResponseModel):
    """The company's trial, active or ended."""

    start_date: datetime
    end_date: datetime
    days_left: int
    ended: bool


class RefusedRenewalOut(ResponseModel):
    """A refused charge for the next period; `next_try_at` is null if there is no further try."""

    tried_at: datetime
    next_try_at: datetime | None


class SubscriptionOut(ResponseModel):
    """The current subscription with its effective status (docs/rules.md R26).

    `company_details` are those the subscription was ordered with, `user` the company's present
    ones. `cancelled`: access lasts until `end_date` and is not renewed. `price_net`: what the
    present period, or the last one, was bought for, with the upgrades paid in it; 0 if it was not
    bought: a trial, or set by an operator. `next_price_net`: the present price of the next period;
    0 in a trial. Both in grosze. `next_limit` holds from `next_limit_at` on. `renews`: the next
    period is charged to `mandate_label`. `refused_renewal` is the last charge for it, if that was
    refused. After a failed renewal drivers are monitored until `grace_until`. The company's first
    trial or paid period began at `monitored_since`.
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
    next_price_net: int
    drivers: int
    next_limit: int | None
    next_limit_at: datetime | None
    renews: bool
    mandate_label: str | None
    refused_renewal: RefusedRenewalOut | None
    grace_until: datetime | None
    open_order: OrderOut | None
    monitored_since: datetime | None


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
