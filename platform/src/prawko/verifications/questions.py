"""A question to the register, who it is about, and what came of asking it."""

from datetime import date, datetime

import msgspec

from prawko.base.clock import machine_now, warsaw_day
from prawko.hooks.licence_register import LicenceAnswer, LicenceQuery, RegisterError
from prawko_tenants.ids import DriverId, TenantId


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One driver of a run, leased to us while nobody else has raised the fence.

    `lease_until` is the machine's: after it somebody else may ask.
    """

    run_day: date
    tenant_id: TenantId
    driver_id: DriverId
    document_no: int
    fence: int
    attempts: int
    lease_until: datetime
    query: LicenceQuery


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked about whom, and when by the product's clock.

    `began` is the same moment by the machine's clock, which nobody moves: it says which of two
    questions is the newer.
    """

    tenant_id: TenantId
    driver_id: DriverId
    document_no: int
    query: LicenceQuery
    at: datetime
    began: datetime = msgspec.field(default_factory=machine_now)

    @property
    def day(self) -> date:
        """The Warsaw day on which it was asked: documents expire by it."""
        return warsaw_day(self.at)


class Answered(msgspec.Struct, frozen=True):
    """The register answered; None: it knows no such document."""

    question: Question
    asked: Asked
    answer: LicenceAnswer | None


class Unanswered(msgspec.Struct, frozen=True):
    """The register did not answer; `error` is a RegisterError, an AccountError or a bug."""

    question: Question
    error: Exception

    @property
    def kind(self) -> str:
        """The word that is stored of the error: never its text, which may name a person."""
        if isinstance(self.error, RegisterError):
            return self.error.trouble.value
        return type(self.error).__name__


class Unasked(msgspec.Struct, frozen=True):
    """The register closed before the question's turn came; it goes back as it was."""

    question: Question


Result = Answered | Unanswered | Unasked
