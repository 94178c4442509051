"""The JSON of verifications."""

from datetime import datetime
from typing import Any

from prawko.base.schemas import Outgoing
from prawko.drivers.schemas import CategoryOut, ReasonOut, VerificationOut

__all__ = ["CategoryOut", "CheckSummaryOut", "HistoryEntryOut", "ReasonOut", "VerificationOut"]


class HistoryEntryOut(VerificationOut):
    """A verification with the register's answer as it came; null where its key is lost."""

    verification_response: dict[str, Any] | None


class CheckSummaryOut(Outgoing):
    """How fresh the company's results are (reading R12b).

    `checkingStopped`: nobody checks, because no subscription is active.
    """

    oldest_verified_at: datetime | None
    stale_count: int
    checking_stopped: bool
