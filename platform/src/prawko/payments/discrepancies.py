"""Discrepancies: stored once, reported to the operators, resolved by one of them."""

from datetime import datetime
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base import logs
from prawko.hooks.payments import Money, PaymentRef
from prawko.incidents.service import close_incident, open_incident
from prawko.payments.models import DiscrepancyKind
from prawko_tenants.ids import TenantId, new_id

log = logs.get_logger(__name__)

# Without a conflict target, because the panel's login may insert here and select nothing.
_INSERT = text("""
    INSERT INTO payment_discrepancy (id, kind, provider, reference, provider_ref, grosze, currency,
                                     tenant_id, detail, detected_at)
    VALUES (:id, :kind, :provider, :reference, :provider_ref, :grosze, :currency, :tenant_id,
            :detail, :now)
    ON CONFLICT DO NOTHING
""")
_COLUMNS = """
    id, kind, provider, reference, provider_ref, grosze, currency, tenant_id, detail, detected_at,
    resolved_at, resolution_note
"""
_UNREPORTED = text(f"""
    SELECT {_COLUMNS} FROM payment_discrepancy
     WHERE reported_at IS NULL AND resolved_at IS NULL
     ORDER BY detected_at, id LIMIT 100 FOR UPDATE SKIP LOCKED
""")  # noqa: S608
_MARK_REPORTED = text("UPDATE payment_discrepancy SET reported_at = :now WHERE id = :id")
_LIST = text(f"""
    SELECT {_COLUMNS} FROM payment_discrepancy
     WHERE :include_resolved OR resolved_at IS NULL
     ORDER BY detected_at, id
""")  # noqa: S608
_WITH_REFUND = text(f"""
    SELECT {_COLUMNS}, refunded_grosze FROM payment_discrepancy
     WHERE id = :id AND provider = :provider AND refunded_grosze IS NOT NULL
""")  # noqa: S608
_RESOLVE = text(f"""
    UPDATE payment_discrepancy SET resolved_at = :now, resolution_note = :note
     WHERE id = :id AND resolved_at IS NULL
    RETURNING {_COLUMNS}
""")  # noqa: S608


class NewDiscrepancy(msgspec.Struct, frozen=True, kw_only=True):
    """A discrepancy to report. `detail` contains no personal data."""

    kind: DiscrepancyKind
    provider: str
    ref: PaymentRef
    money: Money
    detail: str
    tenant_id: TenantId | None = None


class Discrepancy(msgspec.Struct, frozen=True, kw_only=True):
    """A row of `payment_discrepancy`. `reference` and `provider_ref` are a payment's ids."""

    id: UUID
    kind: DiscrepancyKind
    provider: str
    reference: str
    provider_ref: str
    grosze: int
    currency: str
    tenant_id: TenantId | None
    detail: str
    detected_at: datetime
    resolved_at: datetime | None
    resolution_note: str | None

    @property
    def incident_key(self) -> str:
        """The key of its incident."""
        return str(self.id)

    @property
    def summary(self) -> str:
        """One line for operators, without personal data."""
        money = f"{self.grosze / 100:.2f} {self.currency}"
        names = f"{self.provider} {self.reference}"
        if self.provider_ref:
            names = f"{names} ({self.provider_ref})"
        return f"{names}, {money}: {self.detail}"


async def report_discrepancy(
    session: AsyncSession, discrepancy: NewDiscrepancy, now: datetime
) -> None:
    """Store a discrepancy, unless the same one is stored already."""
    ref, kind = discrepancy.ref, discrepancy.kind
    await session.execute(
        _INSERT,
        {
            "id": new_id(),
            "kind": kind.value,
            "provider": discrepancy.provider,
            "reference": ref.reference,
            "provider_ref": ref.provider_ref or "",
            "grosze": discrepancy.money.grosze,
            "currency": discrepancy.money.currency,
            "tenant_id": discrepancy.tenant_id,
            "detail": discrepancy.detail,
            "now": now,
        },
    )
    log.error(
        "payment_discrepancy_reported",
        kind=kind.value,
        provider=discrepancy.provider,
        reference=ref.reference,
    )


async def open_discrepancy_incidents(
    session: AsyncSession, now: datetime, system_now: datetime
) -> int:
    """Open the incidents of new discrepancies and return their number.

    Needs a session of the worker's login. Incidents are dated by the system clock.
    """
    rows = (await session.execute(_UNREPORTED)).mappings().all()
    for discrepancy in (msgspec.convert(dict(row), Discrepancy) for row in rows):
        await open_incident(
            session,
            kind=discrepancy.kind.value,
            key=discrepancy.incident_key,
            detail=discrepancy.summary,
            now=system_now,
        )
        await session.execute(_MARK_REPORTED, {"id": discrepancy.id, "now": now})
    return len(rows)


async def list_discrepancies(session: AsyncSession, *, include_resolved: bool) -> list[Discrepancy]:
    """Return the discrepancies, oldest first."""
    rows = await session.execute(_LIST, {"include_resolved": include_resolved})
    return [msgspec.convert(dict(row), Discrepancy) for row in rows.mappings()]


async def get_with_refund(
    session: AsyncSession, provider: str, discrepancy_id: UUID
) -> tuple[Discrepancy, int] | None:
    """Return a discrepancy with the grosze of its requested refund; None without a refund."""
    values = {"id": discrepancy_id, "provider": provider}
    row = (await session.execute(_WITH_REFUND, values)).mappings().one_or_none()
    if row is None:
        return None
    return msgspec.convert(dict(row), Discrepancy), row["refunded_grosze"]


async def resolve_discrepancy(
    session: AsyncSession, discrepancy_id: UUID, note: str, now: datetime, system_now: datetime
) -> Discrepancy | None:
    """Resolve a discrepancy with a note and close its incident; None if it is not open."""
    values = {"id": discrepancy_id, "note": note, "now": now}
    row = (await session.execute(_RESOLVE, values)).mappings().one_or_none()
    if row is None:
        return None
    discrepancy = msgspec.convert(dict(row), Discrepancy)
    await close_incident(
        session, kind=discrepancy.kind.value, key=discrepancy.incident_key, now=system_now
    )
    return discrepancy
