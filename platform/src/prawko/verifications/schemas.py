"""Response models of the verification endpoints."""

from datetime import datetime
from typing import Any

from prawko.base.schemas import ResponseModel
from prawko.drivers.schemas import VerificationOut


class HistoryEntryOut(VerificationOut):
    """A verification with the raw register answer; null if its encryption key is lost."""

    verification_response: dict[str, Any] | None


class CheckSummaryOut(ResponseModel):
    """Freshness of the company's results (docs/rules.md R12b).

    `checkingStopped` is true when the subscription does not cover checks any more.
    """

    oldest_verified_at: datetime | None
    stale_count: int
    checking_stopped: bool
