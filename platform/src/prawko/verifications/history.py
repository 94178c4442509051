"""A driver's history, newest first, and how fresh a company's results are."""

from datetime import datetime

import msgspec
from sqlalchemy import Row, text

from prawko.base import logs
from prawko.base.clock import warsaw_day
from prawko.base.pages import Page
from prawko.base.secrets import LostKeyError, Vault
from prawko.drivers.reading import STALE_AFTER
from prawko.drivers.schemas import CategoryOut, ReasonOut
from prawko.verifications.outcome import is_expired
from prawko.verifications.schemas import CheckSummaryOut, HistoryEntryOut
from prawko_tenants.ids import DriverId
from prawko_tenants.sessions import TenantSession

log = logs.logger(__name__)

_KNOWN = text("SELECT EXISTS (SELECT FROM driver WHERE tenant_id = :tenant_id AND id = :id)")
_COUNT = text("SELECT count(*) FROM verification WHERE tenant_id = :tenant_id AND driver_id = :id")
_PAGE = text("""
    SELECT v.id, v.verified_at, v.outcome, a.id AS answer_id, a.document_status, a.document_code,
           a.issuing_authority, a.expiry_date, a.categories, a.reasons, a.notes, a.hash,
           a.license_number, a.key_id, a.raw
      FROM (SELECT * FROM verification
             WHERE tenant_id = :tenant_id AND driver_id = :id
             ORDER BY verified_at DESC LIMIT :size OFFSET :offset) AS v
      JOIN register_answer a
        ON a.tenant_id = :tenant_id AND a.driver_id = :id AND a.id = v.answer_id
     ORDER BY v.verified_at DESC
""")
_SUMMARY = text("""
    SELECT min(verified_at) AS oldest, count(*) FILTER (WHERE verified_at < :stale) AS stale,
           count(verified_at) AS checked
      FROM (SELECT verified_at FROM driver WHERE tenant_id = :tenant_id
             ORDER BY id LIMIT CAST(:limit AS int)) AS d
""")


async def page_of_history(
    session: TenantSession, vault: Vault, driver_id: DriverId, window: Page
) -> tuple[list[HistoryEntryOut], int] | None:
    """A page of all verifications, of earlier documents too, and their number; None: no driver."""
    where = {"tenant_id": session.tenant_id, "id": driver_id}
    if not await session.scalar(_KNOWN, where):
        return None
    total = int(await session.scalar(_COUNT, where) or 0)
    rows = await session.execute(_PAGE, {**where, "size": window.size, "offset": window.offset})
    return [_entry(vault, driver_id, row) for row in rows], total


async def summary(session: TenantSession, now: datetime, limit: int | None) -> CheckSummaryOut:
    """How fresh the company's results are; where nobody checks any, all of them are stale.

    `limit` is how many drivers are checked, None where nobody checks any. Drivers beyond it are
    not, which their own chip says; they do not make the others' results look old.
    """
    checked = limit is not None
    where = {"tenant_id": session.tenant_id, "stale": now - STALE_AFTER, "limit": limit}
    row = (await session.execute(_SUMMARY, where)).one()
    return CheckSummaryOut(
        oldest_verified_at=row.oldest,
        stale_count=row.stale if checked else row.checked,
        checking_stopped=not checked,
    )


def _entry(vault: Vault, driver_id: DriverId, row: Row[tuple[object, ...]]) -> HistoryEntryOut:
    return HistoryEntryOut(
        id=row.id,
        driver_id=driver_id,
        status=row.outcome,
        verified_at=row.verified_at,
        document_status=row.document_status,
        document_code=row.document_code,
        issuing_authority=row.issuing_authority,
        expiry_date=row.expiry_date,
        expired=is_expired(row.expiry_date, warsaw_day(row.verified_at)),
        categories=msgspec.convert(row.categories, list[CategoryOut]),
        reasons=msgspec.convert(row.reasons, list[ReasonOut]),
        notes=row.notes,
        last_verification_hash=row.hash.hex(),
        license_number=row.license_number,
        verification_response=_opened(vault, row),
    )


def _opened(vault: Vault, row: Row[tuple[object, ...]]) -> dict[str, object] | None:
    try:
        plain = vault.answers.open(row.key_id, row.raw, about=row.answer_id.bytes)
    except LostKeyError:
        log.warning("answer_key_lost", key_id=row.key_id)
        return None
    opened: dict[str, object] | None = msgspec.json.decode(plain)
    return opened
