"""Reads what a statement is compared with: payments by reference, and what was booked before."""

from collections.abc import Collection, Sequence
from datetime import datetime

import msgspec
from sqlalchemy import LargeBinary, Text, any_, literal, select, union
from sqlalchemy.dialects.postgresql import ARRAY, insert
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.hooks.payments import Money
from prawko.kit.webhooks.models import WebhookEvent
from prawko.payments.bank_statement import transfer_event_id
from prawko.payments.models import BookedEntry, Payment, PaymentDiscrepancy
from prawko.payments.state_machine import PaymentRecordState
from prawko_tenants.ids import TenantId
from prawko_tenants.models import Tenant


class KnownPayment(msgspec.Struct, frozen=True):
    """A payment that a title names, and its company; the name is empty if it was erased."""

    provider: str
    reference: str
    tenant_id: TenantId
    company_name: str
    money: Money
    state: PaymentRecordState
    provider_ref: str | None


class StatementRepository:
    """Needs a session that sees the payments of all companies."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_payments(
        self, providers: Collection[str], references: Sequence[str]
    ) -> list[KnownPayment]:
        """Return the payments with these references."""
        statement = (
            select(
                Payment.provider,
                Payment.reference,
                Payment.tenant_id,
                Tenant.company_name,
                Payment.grosze,
                Payment.currency,
                Payment.state,
                Payment.provider_ref,
            )
            .outerjoin(Tenant, Tenant.id == Payment.tenant_id)
            .where(Payment.provider.in_(providers), Payment.reference == _any_of(references))
        )
        return [
            KnownPayment(
                row.provider,
                row.reference,
                row.tenant_id,
                row.company_name or "",
                Money(row.grosze, row.currency),
                row.state,
                row.provider_ref,
            )
            for row in await self._session.execute(statement)
        ]

    async def list_booked(
        self, providers: Collection[str], references: Sequence[str]
    ) -> frozenset[str]:
        """Return those of the entries' references that were booked before.

        They are in the stored events, and once these are purged, in payments and discrepancies.
        """
        events = {transfer_event_id(reference): reference for reference in references}
        stored = select(WebhookEvent.event_id).where(
            WebhookEvent.provider.in_(providers), WebhookEvent.event_id == _any_of([*events])
        )
        paid = select(literal("transfer:").concat(Payment.provider_ref)).where(
            Payment.provider.in_(providers), Payment.provider_ref == _any_of(references)
        )
        reported = select(literal("transfer:").concat(PaymentDiscrepancy.provider_ref)).where(
            PaymentDiscrepancy.provider.in_(providers),
            PaymentDiscrepancy.provider_ref == _any_of(references),
        )
        booked = await self._session.scalars(union(stored, paid, reported))
        return frozenset(events[event_id] for event_id in booked)

    async def list_booked_entries(self, fingerprints: Sequence[bytes]) -> list[BookedEntry]:
        """Return the entries that were booked with these fingerprints, oldest first."""
        statement = (
            select(BookedEntry)
            .where(BookedEntry.fingerprint == any_(literal(list(fingerprints), ARRAY(LargeBinary))))
            .order_by(BookedEntry.booked_at, BookedEntry.reference)
        )
        return list(await self._session.scalars(statement))

    async def add_booked_entry(
        self, reference: str, fingerprint: bytes, system_now: datetime
    ) -> None:
        """Keep the fingerprint of an entry that is booked under this reference."""
        statement = insert(BookedEntry).values(
            reference=reference, fingerprint=fingerprint, booked_at=system_now
        )
        await self._session.execute(statement.on_conflict_do_nothing())


def _any_of(values: Sequence[str]):  # type: ignore[no-untyped-def]  # noqa: ANN202 (of SQLAlchemy)
    return any_(literal(list(values), ARRAY(Text)))
