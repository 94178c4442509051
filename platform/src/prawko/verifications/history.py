"""Verification history of a driver and freshness of a company's results."""

from datetime import datetime

import msgspec
from sqlalchemy import Row, text

from prawko.base import logs
from prawko.base.clock import warsaw_date
from prawko.base.crypto import DecryptionError, KeyRing
from prawko.base.pagination import Pagination
from prawko.drivers.queries import STALE_AFTER
from prawko.drivers.schemas import CategoryOut, ReasonOut
from prawko.verifications.outcome import is_expired
from prawko.verifications.schemas import CheckSummaryOut, HistoryEntryOut
from prawko_tenants.ids import DriverId
from prawko_tenants.sessions import TenantSession

log = logs.get_logger(__name__)

_DRIVER_EXISTS = text(
    "SELECT EXISTS (SELECT FROM driver WHERE tenant_id = :tenant_id AND id = :id)"
)
_COUNT_VERIFICATIONS = text(
    "SELECT count(*) FROM verification WHERE tenant_id = :tenant_id AND driver_id = :id"
)
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


async def list_history(
    session: TenantSession, key_ring: KeyRing, driver_id: DriverId, pagination: Pagination
) -> tuple[list[HistoryEntryOut], int] | None:
    """A page of the driver's verifications, newest first, and their total; None: no such driver.

    Includes verifications of earlier documents.
    """
    params = {"tenant_id": session.tenant_id, "id": driver_id}
    if not await session.scalar(_DRIVER_EXISTS, params):
        return None
    total = int(await session.scalar(_COUNT_VERIFICATIONS, params) or 0)
    rows = await session.execute(
        _PAGE, {**params, "size": pagination.size, "offset": pagination.offset}
    )
    return [_to_history_entry(key_ring, driver_id, row) for row in rows], total


async def load_summary(session: TenantSession, now: datetime, limit: int | None) -> CheckSummaryOut:
    """Freshness of the company's results.

    `limit` is the number of monitored drivers, None if the company is not monitored; then every
    result is stale. Drivers beyond the limit are left out: they are marked one by one.
    """
    is_monitored = limit is not None
    params = {"tenant_id": session.tenant_id, "stale": now - STALE_AFTER, "limit": limit}
    row = (await session.execute(_SUMMARY, params)).one()
    return CheckSummaryOut(
        oldest_verified_at=row.oldest,
        stale_count=row.stale if is_monitored else row.checked,
        checking_stopped=not is_monitored,
    )


def _to_history_entry(
    key_ring: KeyRing, driver_id: DriverId, row: Row[tuple[object, ...]]
) -> HistoryEntryOut:
    return HistoryEntryOut(
        id=row.id,
        driver_id=driver_id,
        status=row.outcome,
        verified_at=row.verified_at,
        document_status=row.document_status,
        document_code=row.document_code,
        issuing_authority=row.issuing_authority,
        expiry_date=row.expiry_date,
        expired=is_expired(row.expiry_date, warsaw_date(row.verified_at)),
        categories=msgspec.convert(row.categories, list[CategoryOut]),
        reasons=msgspec.convert(row.reasons, list[ReasonOut]),
        notes=row.notes,
        last_verification_hash=row.hash.hex(),
        license_number=row.license_number,
        verification_response=_decrypt(key_ring, row),
    )


def _decrypt(key_ring: KeyRing, row: Row[tuple[object, ...]]) -> dict[str, object] | None:
    try:
        plaintext = key_ring.answer_cipher.decrypt(
            row.key_id, row.raw, associated_data=row.answer_id.bytes
        )
    except DecryptionError:
        log.warning("answer_decryption_failed", key_id=row.key_id)
        return None
    answer: dict[str, object] | None = msgspec.json.decode(plaintext)
    return answer
