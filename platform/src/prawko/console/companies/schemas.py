"""JSON of companies."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta

from prawko.console.schemas import Reason
from prawko.kit.http.schemas import RequestModel, ResponseModel

MAX_EXTENSION_DAYS = 366


class CompanyOut(ResponseModel):
    """A company with its current subscription; `email` is its owner's.

    `status` is the effective one, `none` without a subscription; `suspended`: closed by an
    operator.
    """

    id: UUID
    name: str
    tax_id: str
    email: str | None
    created_at: datetime
    status: str
    driver_limit: int
    drivers_count: int
    end_date: datetime | None
    is_trial: bool
    cancelled: bool
    suspended: bool


class ExtensionIn(RequestModel):
    """By how many days the subscription is extended."""

    days: Annotated[int, Meta(ge=1, le=MAX_EXTENSION_DAYS)]
    reason: Reason | None = None


class ErasedCompanyOut(ResponseModel):
    """The erased company, and how many accounts were erased with it."""

    id: UUID
    people: int
