"""JSON of the daily check's runs."""

from datetime import date, datetime
from uuid import UUID

from prawko.kit.http.schemas import ResponseModel


class ErrorCountOut(ResponseModel):
    """How many unresolved drivers had this error last."""

    kind: str
    count: int


class CheckRunOut(ResponseModel):
    """One day's run; `id` is its day. `unresolved` drivers have no result of that day yet."""

    id: date
    day: date
    state: str
    started_at: datetime | None
    finished_at: datetime | None
    planned: int
    done: int
    valid: int
    invalid: int
    attention: int
    not_found: int
    unresolved: int
    quarantined: int
    review_state: str | None
    errors: list[ErrorCountOut]
    rate_per_minute: float | None
    expected_end_at: datetime | None
    paused: bool
    paused_since: datetime | None
    leased: int
    active_workers: int
    last_progress_at: datetime | None
    stalled: bool


class PauseOut(ResponseModel):
    """Whether the daily check is paused, and since when."""

    id: str
    paused: bool
    paused_since: datetime | None


class CompanyChangesOut(ResponseModel):
    """A company's quarantined changes of a run, by their new outcome."""

    id: UUID
    company_id: UUID
    company_name: str
    not_found: int
    attention: int
    total: int
