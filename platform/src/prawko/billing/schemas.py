"""The JSON of the subscription."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from prawko.accounts.schemas import CompanyDetails
from prawko.base import tax_id
from prawko.base.schemas import Incoming, Outgoing
from prawko.billing.status import Status

# Told to the client, not enforced by the decoder, which could not name the field's sentence.
TaxIdText = Annotated[
    str,
    Meta(extra_json_schema={"extra": {"pattern": tax_id.PATTERN, "max_length": tax_id.LENGTH}}),
]

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
