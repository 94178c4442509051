"""Verification history of a driver and freshness of a company's results."""

from datetime import datetime

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import aliased

from prawko.drivers.models import Driver
from prawko.drivers.queries import STALE_AFTER
from prawko.drivers.repository import DriverRepository
from prawko.kit.crypto import KeyRing
from prawko.kit.database import Pagination
from prawko.kit.errors import BadRequestError, NotFoundError
from prawko.verifications.models import RegisterAnswer, Verification
from prawko.verifications.results.answers import (
    decrypt_answer,
    is_answer_of,
    stored_verification_out,
)
from prawko.verifications.schemas import CheckSummaryOut, HistoryEntryOut
from prawko_tenants.ids import AnswerId, DriverId
from prawko_tenants.sessions import TenantSession


class TimeSpan(msgspec.Struct, frozen=True):
    """The time from one instant to another, both included; None means open.

    Raises BadRequestError for a time without a zone or one that PostgreSQL cannot hold.
    """

    since: datetime | None = None
    until: datetime | None = None

    def __post_init__(self) -> None:
        for instant in (self.since, self.until):
            if instant is not None and (instant.tzinfo is None or not 1 < instant.year < 9999):
                raise BadRequestError


async def list_history(
    session: TenantSession,
    key_ring: KeyRing,
    driver_id: DriverId,
    pagination: Pagination,
    span: TimeSpan = TimeSpan(),  # noqa: B008  # frozen
) -> tuple[list[HistoryEntryOut], int]:
    """A page of the driver's verifications in a span, newest first, and their total.

    Includes verifications of earlier documents. Raises NotFoundError.
    """
    await require_driver(session, driver_id)
    is_listed = [Verification.driver_id == driver_id]
    if span.since is not None:
        is_listed.append(Verification.verified_at >= span.since)
    if span.until is not None:
        is_listed.append(Verification.verified_at <= span.until)
    total = (await session.scalars(select(func.count()).where(*is_listed))).one()
    newest_first = select(Verification).where(*is_listed).order_by(Verification.verified_at.desc())
    page = newest_first.limit(pagination.size).offset(pagination.offset).subquery()
    verification = aliased(Verification, page)
    rows = await session.execute(
        select(verification, RegisterAnswer)
        .join(RegisterAnswer, is_answer_of(verification))
        .order_by(verification.verified_at.desc())
    )
    return [_to_history_entry(key_ring, *row) for row in rows], total


async def require_driver(session: TenantSession, driver_id: DriverId) -> None:
    """Raise NotFoundError unless the driver is the company's."""
    if await session.scalar(select(Driver.id).where(Driver.id == driver_id)) is None:
        raise NotFoundError


async def load_summary(session: TenantSession, now: datetime, limit: int | None) -> CheckSummaryOut:
    """Freshness of the company's results.

    `limit` is the number of monitored drivers, None if the company is not monitored; then every
    result is stale. Drivers beyond the limit are left out: they are marked one by one.
    """
    freshness = await DriverRepository(session).load_freshness(limit, now - STALE_AFTER)
    return CheckSummaryOut(
        oldest_verified_at=freshness.oldest,
        stale_count=freshness.checked if limit is None else freshness.stale,
        checking_stopped=limit is None,
    )


def _to_history_entry(
    key_ring: KeyRing, verification: Verification, answer: RegisterAnswer
) -> HistoryEntryOut:
    content = stored_verification_out(verification, answer)
    return HistoryEntryOut(
        **msgspec.structs.asdict(content),
        verification_response=decrypt_answer(
            key_ring, AnswerId(answer.id), answer.key_id, answer.raw
        ),
    )
