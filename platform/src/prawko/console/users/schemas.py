"""Request and response models of the console's users."""

from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from prawko.console.schemas import Reason
from prawko.kit.http.schemas import ResponseModel
from prawko_tenants.ids import SubscriptionId, TenantId, UserId, VerificationId

FIRST_DAY, LAST_DAY = date(2020, 1, 1), date(2100, 1, 1)
MAX_DRIVER_LIMIT = 1_000_000

StatusBadge = Literal["active", "inactive"]
SettableStatus = Literal["active", "inactive", "cancelled"]
DriverLimit = Annotated[int, Meta(ge=0, le=MAX_DRIVER_LIMIT)]


class StatsOut(ResponseModel):
    """The console's figures; a day is the calendar day in Warsaw.

    `activeSubscriptions` counts companies, `actionsToday` what operators did.
    """

    total_users: int
    new_users_today: int
    active_subscriptions: int
    actions_today: int


class ConsoleSubscriptionOut(ResponseModel):
    """A subscription with its effective status."""

    id: SubscriptionId
    status: str
    driver_limit: int
    end_date: datetime
    is_trial: bool
    cancelled: bool


class ConsoleUserOut(ResponseModel):
    """A person with their first company's subscriptions, the newest first.

    `status` and `driverLimit` are those of the newest: "inactive" and 0 without one.
    """

    id: UserId
    email: str
    created_at: datetime
    email_verified: bool
    is_admin: bool
    language: str
    company_id: TenantId | None
    company_name: str
    subscriptions: list[ConsoleSubscriptionOut]
    status: StatusBadge
    driver_limit: int
    drivers_count: int


class ConsoleActivityOut(ResponseModel):
    """An event of the person's activity log."""

    id: UUID
    activity_type: str
    created_at: datetime
    details: dict[str, Any] | None
    ip_address: str | None


class ConsoleSubscriptionChangeOut(ResponseModel):
    """A change of the company's subscription."""

    id: UUID
    changed_at: datetime
    old_status: str | None
    new_status: str
    old_end_date: datetime | None
    new_end_date: datetime | None
    note: str | None


class ConsoleVerificationOut(ResponseModel):
    """A verification of one of the company's drivers, with the name that was queried.

    `verificationResponse` is the register's answer as received.
    """

    id: VerificationId
    verified_at: datetime
    driver_first_name: str
    driver_last_name: str
    status: str
    document_status: str | None
    categories: list[str]
    verification_response: dict[str, Any] | None


class UserHistoryOut(ResponseModel):
    """The histories of a person and their company, the newest first, at most 200 entries each."""

    id: UserId
    activity: list[ConsoleActivityOut]
    subscriptions: list[ConsoleSubscriptionChangeOut]
    verifications: list[ConsoleVerificationOut]


class UserChangeIn(msgspec.Struct, rename="camel", kw_only=True):
    """Changes of the subscription; absent or null fields stay unchanged, others are ignored.

    react-admin sends the whole record back.
    """

    driver_limit: DriverLimit | None = None
    subscription_end_date: date | None = None
    status: SettableStatus | None = None
    reason: Reason | None = None


class DeletedUserOut(ResponseModel):
    """The deleted account."""

    id: UserId


class ImpersonatedUserOut(ResponseModel):
    """The person in whose name the browser now is, and for how long."""

    id: UserId
    email: str
    seconds_left: int
