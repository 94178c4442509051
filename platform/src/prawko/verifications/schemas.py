"""Request and response models of the verification endpoints."""

from datetime import date, datetime
from typing import Any

from prawko.drivers.schemas import ChosenDriversIn, OutcomeText, VerificationOut
from prawko.kit.http.schemas import ResponseModel
from prawko.kit.text.i18n import Language


class DriverConfirmationIn(ChosenDriversIn, kw_only=True):
    """The chosen drivers of a confirmation; without `day` it is of today."""

    day: date | None = None
    lang: Language | None = None


class HistoryEntryOut(VerificationOut):
    """A verification with the raw register answer; null if its encryption key is lost."""

    verification_response: dict[str, Any] | None


class StateChangeOut(VerificationOut):
    """Verifications one after another whose readable answer is the same: the newest of them.

    `checks` is their number, `firstVerifiedAt` the time of the oldest.
    """

    first_verified_at: datetime
    checks: int


class CheckedDayOut(ResponseModel):
    """A Warsaw day with verifications: their number, and the outcome of the last one."""

    day: date
    status: OutcomeText
    checks: int


class CheckVersionOut(ResponseModel):
    """Differs from an earlier one when drivers, results or notices have changed since."""

    version: str


class CheckSummaryOut(ResponseModel):
    """Freshness of the company's results (docs/rules.md R12b).

    `checkingStopped` is true when the subscription does not cover checks any more.
    """

    oldest_verified_at: datetime | None
    stale_count: int
    checking_stopped: bool
