"""The tasks of a check run, each with its query, and what became of them."""

from datetime import date, datetime
from functools import cached_property
from typing import Any

import msgspec

from prawko.hooks.licence_register import LicenceAnswer, LicenceQuery, RegisterError
from prawko.kit.clock import utc_now, warsaw_date
from prawko.kit.providers.evidence import FailedCall
from prawko_tenants.ids import DriverId, TenantId


class DocumentQuery(msgspec.Struct, frozen=True, kw_only=True):
    """A query about a version of a driver's document. `is_known`: it was answered before."""

    tenant_id: TenantId
    driver_id: DriverId
    document_version: int
    query: LicenceQuery
    is_known: bool = False


class CheckTask(DocumentQuery, frozen=True, kw_only=True):
    """A leased check item of a run with the query to send.

    The lease is lost once the item's fence differs. `lease_until` is the system clock's: after it
    another worker may lease the item, unless the lease was renewed.
    """

    fence: int
    attempts: int
    lease_until: datetime


class SentQuery(DocumentQuery, frozen=True, kw_only=True, dict=True):
    """A query that was sent to the register.

    `asked_at` is the product clock's. `asked_at_system` is the same moment by the system clock,
    which is never moved: it decides which of two queries is the newer one.
    """

    asked_at: datetime
    asked_at_system: datetime = msgspec.field(default_factory=utc_now)

    @cached_property
    def day(self) -> date:
        """Warsaw date of the query, by which expiry is decided."""
        return warsaw_date(self.asked_at)


class AnsweredTask(msgspec.Struct, frozen=True):
    """A task with the register's answer; `answer` is None if it has no such document.

    `trace_link` is the span of the query, if there is one.
    """

    task: CheckTask
    sent_query: SentQuery
    answer: LicenceAnswer | None
    trace_link: Any = None


class FailedTask(msgspec.Struct, frozen=True):
    """A task without an answer: RegisterError, ProviderAccountError or a bug of the adapter.

    `is_put_aside`: our account was refused for this document alone.
    """

    task: CheckTask
    error: Exception
    is_put_aside: bool = False

    @property
    def error_kind(self) -> str:
        """Name of the error for storage; never its message, which may contain personal data."""
        if isinstance(self.error, RegisterError):
            return self.error.kind.value
        return type(self.error).__name__

    def to_failed_call(self) -> FailedCall:
        """Return the failed query, as the rate limiter records it."""
        task = self.task
        return FailedCall(
            error=self.error,
            tenant_id=task.tenant_id,
            subject_id=task.driver_id,
            is_known=task.is_known,
        )


class SkippedTask(msgspec.Struct, frozen=True):
    """A task that was not sent, because the breaker opened or its lease is about to end."""

    task: CheckTask


TaskResult = AnsweredTask | FailedTask | SkippedTask
