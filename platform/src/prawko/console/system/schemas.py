"""JSON of plugins, incidents, acts and charts."""

from datetime import date, datetime
from typing import Any
from uuid import UUID

from prawko.console.schemas import LocalizedText
from prawko.kit.http.schemas import ResponseModel


class PluginOut(ResponseModel):
    """A plugin, or what one of its hooks offers; `id` is `kind:name`.

    `configured`: it offers something under the settings; `chosen`: a setting names it.
    """

    id: str
    kind: str
    name: str
    version: str
    configured: bool
    chosen: bool
    healthy: bool
    last_error: str | None
    last_error_at: datetime | None
    paused_until: datetime | None


class PluginCheckOut(ResponseModel):
    """Whether a plugin's object works now; `passed` is null for one that cannot be asked."""

    id: str
    passed: bool | None
    text: str


class IncidentOut(ResponseModel):
    """A condition that operators must know about."""

    id: UUID
    kind: str
    key: str
    detail: LocalizedText
    opened_at: datetime
    closed_at: datetime | None
    mailed_at: datetime | None


class AdminActionOut(ResponseModel):
    """An act of an operator; the addresses are null once the accounts are deleted.

    `command` is the command that acted, and the system user that ran it; null for the console. A
    command may act without an operator's account.
    """

    id: UUID
    sequence: int
    created_at: datetime
    admin_email: str | None
    command: str | None
    target_email: str | None
    company_id: UUID | None
    company_name: str | None
    action_type: str
    reason: str | None
    details: dict[str, Any] | None


class ChainVerificationOut(ResponseModel):
    """Whether the hashes of the log hold now; `broken_at` is the first row that does not."""

    id: str
    checked_at: datetime
    rows: int
    broken_at: int | None


class DayCountOut(ResponseModel):
    """A number on a Warsaw day."""

    day: date
    count: int


class RevenueOut(ResponseModel):
    """The amount paid and not refunded in a month, which is named by its first day."""

    month: date
    grosze: int


class ChurnOut(ResponseModel):
    """Subscriptions that started and ended in a month, named by its first day."""

    month: date
    started: int
    ended: int


class OutcomesOut(ResponseModel):
    """The outcomes of a day's run."""

    day: date
    valid: int
    invalid: int
    attention: int
    not_found: int
    unresolved: int


class ChartsOut(ResponseModel):
    """The series of all charts: 90 days and 12 months."""

    sign_ups: list[DayCountOut]
    active: list[DayCountOut]
    revenue: list[RevenueOut]
    churn: list[ChurnOut]
    outcomes: list[OutcomesOut]
