"""Decides whether a register answer takes effect, and when a query without one is repeated.

Rules R10 and R11 of docs/rules.md.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import cached_property
from typing import Any

import msgspec

from prawko.drivers.models import UNKNOWN, Outcome
from prawko.drivers.needed_categories import (
    Category,
    CategoryProblem,
    Validity,
    continued_until,
    entitled_until,
    find_category_problems,
)
from prawko.drivers.schemas import VerificationOut
from prawko.drivers.status_notices import new_problems, stored_categories
from prawko.hooks.licence_register import RegisterErrorKind
from prawko.kit.backoff import Backoff, bounded_delay
from prawko.kit.clock import MAX_CLOCK_SKEW, utc_now
from prawko.verifications.answers import (
    AnswerContent,
    NormalisedAnswer,
    to_verification_out,
)
from prawko.verifications.register.check_tasks import SentQuery
from prawko_tenants.ids import AnswerId, VerificationId, new_id

BACKOFF = Backoff(timedelta(seconds=30), timedelta(minutes=30))
# The register, or a firewall before it, rejected the query: somebody has to correct the driver
# first.
REJECTED_DELAY = timedelta(hours=1)
# A missing document is queried again before it counts (R11).
RECHECK_MISSING_AFTER = timedelta(hours=1)
# A longer Retry-After is kept by the rate limiter, not by the item.
MAX_DELAY = timedelta(hours=1)


class Decision(StrEnum):
    """Effect of an answer."""

    EFFECTIVE = "effective"  # it becomes the driver's status
    OVERTAKEN = "overtaken"  # a newer query was answered: history only
    RECHECK = "recheck"  # the document is missing for the first time: query it again
    QUARANTINE = "quarantine"  # effective if the run turns out to be no mass change


class CheckResult(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The result of a check about a driver whose row is locked.

    `unsaved_answer` is the canonical JSON of an answer that is not stored yet under `answer_id`,
    else None. `needed_categories` are those of the locked row, so that a check in flight cannot
    miss a change of them; `previous_categories` those of the verification before.
    """

    sent_query: SentQuery
    previous_status: str
    outcome: Outcome
    decision: Decision
    answer: AnswerContent
    answer_id: AnswerId
    unsaved_answer: bytes | None = None
    needed_categories: Sequence[str] = ()
    previous_categories: Sequence[Category] = ()
    previous_valid_until: date | None = None
    verification_id: VerificationId = msgspec.field(
        default_factory=lambda: VerificationId(new_id())
    )

    @property
    def is_effective(self) -> bool:
        """Whether the result becomes the driver's status, not only a row of the history."""
        return self.decision is Decision.EFFECTIVE

    @property
    def category_problems(self) -> tuple[CategoryProblem, ...]:
        """The needed categories that do not entitle; of a valid document only (rule R9a)."""
        if not self.needed_categories or self.outcome is not Outcome.VALID:
            return ()
        return find_category_problems(
            self.needed_categories, self.answer.valid_days, self.sent_query.day
        )

    @property
    def previous_problems(self) -> tuple[CategoryProblem, ...]:
        """The category problems of the verification before, on the day of this one."""
        if not self.needed_categories or self.previous_status != Outcome.VALID:
            return ()
        return find_category_problems(
            self.needed_categories, self.previous_categories, self.sent_query.day
        )

    @property
    def new_category_problems(self) -> tuple[CategoryProblem, ...]:
        """The category problems that the result before did not have."""
        return new_problems(self.category_problems, self.previous_problems)

    @cached_property
    def valid_until(self) -> date | None:
        """The `valid_until` to store, if the result is effective."""
        until = entitled_until(
            self.answer.expiry_date, self.needed_categories, self.answer.valid_days
        )
        return continued_until(self._before, Validity(self.outcome, until), self.sent_query.day)

    @property
    def is_over(self) -> bool:
        """Whether the document is valid and entitles no longer on the day of the check."""
        return Validity(self.outcome, self.valid_until).is_over(self.sent_query.day)

    @property
    def loses_category(self) -> bool:
        """Whether a needed category is newly lost, or all categories of a valid document are."""
        return bool(self.new_category_problems) or (self.is_over and not self.was_over)

    @property
    def was_over(self) -> bool:
        """Whether the document was valid before the check, and entitles no longer on its day."""
        return self._before.is_over(self.sent_query.day)

    @property
    def _before(self) -> Validity:
        return Validity(self.previous_status, self.previous_valid_until)

    def to_verification_out(self) -> VerificationOut:
        """Response model of the verification."""
        return to_verification_out(
            self.answer,
            verification_id=self.verification_id,
            driver_id=self.sent_query.driver_id,
            outcome=self.outcome,
            verified_at=self.sent_query.asked_at,
            license_number=self.sent_query.query.number,
        )


class LockedDriver(msgspec.Struct, frozen=True):
    """The locked row of a driver.

    `answer_id` is that of the same answer if it is stored already. `latest` matters only where
    categories are needed. A struct, because the columns of a row take ten times as long to read.
    """

    document_version: int
    status: str
    valid_until: date | None
    asked_at_system: datetime | None
    needed_categories: Sequence[str]
    answer_id: AnswerId | None
    latest: dict[str, Any] | str | None


def decide_result(
    query: SentQuery,
    outcome: Outcome,
    answer: NormalisedAnswer,
    driver: LockedDriver,
    *,
    missing_since: datetime | None,
    quarantines: bool,
) -> CheckResult:
    """The result of a query about the driver's current document."""
    result = CheckResult(
        sent_query=query,
        previous_status=driver.status,
        outcome=outcome,
        decision=Decision.EFFECTIVE,
        answer=answer,
        answer_id=driver.answer_id or AnswerId(new_id()),
        unsaved_answer=answer.canonical if driver.answer_id is None else None,
        needed_categories=driver.needed_categories,
        previous_categories=stored_categories(driver.latest if driver.needed_categories else None),
        previous_valid_until=driver.valid_until,
    )
    effect = decide_effect(
        query,
        outcome,
        previous_status=driver.status,
        newest_asked_at=driver.asked_at_system,
        missing_since=missing_since,
        quarantines=quarantines,
        loses_category=result.loses_category,
        system_now=utc_now(),
    )
    return result if effect is result.decision else msgspec.structs.replace(result, decision=effect)


def decide_effect(
    query: SentQuery,
    outcome: Outcome,
    *,
    previous_status: str,
    newest_asked_at: datetime | None,
    missing_since: datetime | None,
    quarantines: bool,
    loses_category: bool = False,
    system_now: datetime,
) -> Decision:
    """Decide about an answer that concerns the driver's current document.

    `newest_asked_at` is the system time of the driver's latest effective query, `missing_since`
    the time of the first query since which the document has been missing, None for this one.
    A manual check quarantines nothing, because a member sees its answer. A valid document that
    loses a category (`loses_category`) is quarantined like a change to attention.
    """
    if is_overtaken(query, newest_asked_at, system_now):
        return Decision.OVERTAKEN
    if went_missing(previous_status, outcome) and (
        missing_since is None or query.asked_at - missing_since < RECHECK_MISSING_AFTER
    ):
        return Decision.RECHECK
    if quarantines and (loses_category or is_suspicious(previous_status, outcome)):
        return Decision.QUARANTINE
    return Decision.EFFECTIVE


def is_overtaken(query: SentQuery, newest_asked_at: datetime | None, system_now: datetime) -> bool:
    """Whether a query sent later has taken effect already.

    A time in the future was set by a wrong clock and is ignored; it would hold up every answer.
    """
    if newest_asked_at is None or newest_asked_at > system_now + MAX_CLOCK_SKEW:
        return False
    return newest_asked_at > query.asked_at_system


def went_missing(previous_status: str, outcome: Outcome) -> bool:
    """Whether the register does not have a document any more that it had before."""
    return outcome is Outcome.NOT_FOUND and previous_status not in {UNKNOWN, Outcome.NOT_FOUND}


def is_suspicious(previous_status: str, outcome: Outcome) -> bool:
    """Whether the change from a driver's status to this outcome may be part of a mass change.

    A change to `invalid` never is: delaying a true alert would cost more than a false one.
    """
    return previous_status != outcome and outcome in {Outcome.ATTENTION, Outcome.NOT_FOUND}


def still_missing_since(
    not_found_since: datetime | None, verified_at: datetime | None
) -> datetime | None:
    """`not_found_since`, unless the document was found in between (`verified_at` is later)."""
    if not_found_since is None or (verified_at is not None and verified_at > not_found_since):
        return None
    return not_found_since


def retry_delay(
    error_kind: RegisterErrorKind | None, attempts: int, *, retry_after: float | None = None
) -> timedelta:
    """Delay after `attempts` tries without an answer, with exponential back-off.

    `error_kind` is None if the register rejected our account or its adapter failed; `retry_after`
    is the register's Retry-After in seconds.
    """
    if error_kind is RegisterErrorKind.INVALID_QUERY:
        return REJECTED_DELAY
    requested = bounded_delay(retry_after, longest=MAX_DELAY)
    return BACKOFF.delay(attempts, requested=requested)
