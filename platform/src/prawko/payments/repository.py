"""Stores payments and mandates, in the caller's transaction."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from uuid import UUID

import msgspec
from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base.lease import claim_rows
from prawko.hooks.payments import Money, PaymentMethod, PaymentRef, TransferInstructions
from prawko.payments.models import Payment
from prawko.payments.state_machine import PaymentRecordState
from prawko.payments.types import MandateView, PaymentView
from prawko_tenants.ids import TenantId

_COLUMNS = """
    id, tenant_id, reference, order_id, provider, method, grosze, currency, save_payment_method,
    state, provider_ref, url, transfer, mandate_id, encrypted_details, reason, expires_at, attempts,
    created_at, finished_at, refunded_grosze
"""
_INSERT = text("""
    INSERT INTO payment (id, tenant_id, reference, order_id, provider, method, grosze, currency,
                         save_payment_method, state, mandate_id, encrypted_details, next_poll_at,
                         created_at)
    VALUES (:id, :tenant_id, :reference, :order_id, :provider, :method, :grosze, :currency,
            :save_payment_method, 'starting', :mandate_id, :encrypted_details, :next_poll_at,
            :created_at)
""")
_GET = text(f"SELECT {_COLUMNS} FROM payment WHERE id = :id AND tenant_id = :tenant_id")  # noqa: S608
_LOCK = text(f"{_GET.text} FOR UPDATE")
_BY_REFERENCE = text(f"""
    SELECT {_COLUMNS} FROM payment WHERE reference = :reference AND provider = :provider
""")  # noqa: S608
_LATEST_FOR_ORDER = text(f"""
    SELECT {_COLUMNS} FROM payment
     WHERE tenant_id = :tenant_id AND order_id = :order_id ORDER BY id DESC LIMIT 1
""")  # noqa: S608
_UNFINISHED = text(f"""
    SELECT {_COLUMNS} FROM payment
     WHERE tenant_id = :tenant_id AND order_id = ANY (:order_ids)
       AND state IN ('starting', 'open')
     ORDER BY id
""")  # noqa: S608
# Without a check of the lease: the row is locked, and its state decides.
_UPDATE = text("""
    UPDATE payment
       SET state = :state, provider_ref = :provider_ref, url = :url, transfer = :transfer,
           encrypted_details = :encrypted_details, reason = :reason, expires_at = :expires_at,
           next_poll_at = :next_poll_at, finished_at = :finished_at, attempts = 0,
           lease_until = NULL
     WHERE id = :id AND tenant_id = :tenant_id
""").bindparams(bindparam("transfer", type_=JSONB(none_as_null=True)))
_RESCHEDULE = text("""
    UPDATE payment SET next_poll_at = :until, lease_until = NULL
     WHERE id = :id AND tenant_id = :tenant_id AND next_poll_at IS NOT NULL
""")
_COUNT_STUCK = text("""
    SELECT provider, count(*) AS stuck_count FROM (
        SELECT provider FROM payment
         WHERE next_poll_at IS NOT NULL AND state IN ('starting', 'open')
           AND (attempts >= :min_attempts OR provider <> ALL (:providers))
         UNION ALL
        SELECT provider FROM webhook_event
         WHERE processed_at IS NULL AND attempts >= :min_attempts AND provider = ANY (:providers)
    ) AS stuck GROUP BY provider
""")
_TENANT_EXISTS = text("SELECT EXISTS (SELECT FROM tenant WHERE id = :tenant_id)")
_INSERT_MANDATE = text("""
    INSERT INTO payment_mandate (tenant_id, id, provider, method, token, key_id, label, created_at)
    VALUES (:tenant_id, :id, :provider, :method, :token, :key_id, :label, :now)
""")
_GET_MANDATE = text("""
    SELECT id, provider, method, token, key_id, label, created_at FROM payment_mandate
     WHERE tenant_id = :tenant_id AND id = :id AND ended_at IS NULL
""")
_END_OTHER_MANDATES = text("""
    UPDATE payment_mandate SET ended_at = :now, token = ''
     WHERE tenant_id = :tenant_id AND ended_at IS NULL
       AND id IS DISTINCT FROM CAST(:except_id AS uuid)
""")


class PaymentRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A row of `payment`; see the model."""

    id: UUID
    tenant_id: TenantId
    reference: str
    order_id: UUID
    provider: str
    method: PaymentMethod
    grosze: int
    currency: str
    save_payment_method: bool
    state: PaymentRecordState = PaymentRecordState.STARTING
    provider_ref: str | None = None
    url: str | None = None
    transfer: TransferInstructions | None = None
    mandate_id: UUID | None = None
    encrypted_details: bytes | None = None
    reason: str | None = None
    expires_at: datetime | None = None
    attempts: int = 0
    created_at: datetime
    finished_at: datetime | None = None
    refunded_grosze: int = 0

    @property
    def money(self) -> Money:
        """The amount requested."""
        return Money(self.grosze, self.currency)

    @property
    def ref(self) -> PaymentRef:
        """Its ids: our reference and the provider's."""
        return PaymentRef(self.reference, self.provider_ref)

    def to_view(self) -> PaymentView:
        """Return the payment for other domains."""
        return PaymentView(
            id=self.id,
            order_id=self.order_id,
            state=self.state,
            method=self.method,
            provider=self.provider,
            money=self.money,
            url=self.url,
            transfer=self.transfer,
            mandate_id=self.mandate_id,
            reason=self.reason,
            expires_at=self.expires_at,
            created_at=self.created_at,
            finished_at=self.finished_at,
        )


class EncryptedMandate(msgspec.Struct, frozen=True, kw_only=True):
    """A mandate that has not ended; `token` is encrypted with the key `key_id`."""

    id: UUID
    provider: str
    method: PaymentMethod
    token: bytes
    key_id: str
    label: str
    created_at: datetime

    def to_view(self) -> MandateView:
        """Return the mandate as its company may see it."""
        return MandateView(
            id=self.id,
            provider=self.provider,
            method=self.method,
            label=self.label,
            created_at=self.created_at,
        )


class PaymentRepository:
    """Payments and mandates of the session's company; `claim` and `get_by_reference` of all."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def insert(self, payment: PaymentRecord, *, next_poll_at: datetime) -> None:
        """Insert a payment that is about to start."""
        row = {**msgspec.structs.asdict(payment), "method": payment.method.value}
        await self._session.execute(_INSERT, {**row, "next_poll_at": next_poll_at})

    async def get(self, tenant_id: TenantId, payment_id: UUID) -> PaymentRecord | None:
        """Return a payment."""
        return await self._fetch_one(_GET, {"id": payment_id, "tenant_id": tenant_id})

    async def lock(self, tenant_id: TenantId, payment_id: UUID) -> PaymentRecord | None:
        """Return a payment, locked until the transaction ends."""
        return await self._fetch_one(_LOCK, {"id": payment_id, "tenant_id": tenant_id})

    async def get_by_reference(self, provider: str, reference: str) -> PaymentRecord | None:
        """Return a payment by our reference; needs a session of the worker's login."""
        return await self._fetch_one(_BY_REFERENCE, {"provider": provider, "reference": reference})

    async def latest_for_order(self, tenant_id: TenantId, order_id: UUID) -> PaymentRecord | None:
        """Return the latest payment of an order."""
        return await self._fetch_one(
            _LATEST_FOR_ORDER, {"tenant_id": tenant_id, "order_id": order_id}
        )

    async def list_unfinished(
        self, tenant_id: TenantId, order_ids: Sequence[UUID]
    ) -> list[PaymentRecord]:
        """Return the payments of these orders that are not finished."""
        where = {"tenant_id": tenant_id, "order_ids": [*order_ids]}
        rows = await self._session.execute(_UNFINISHED, where)
        return [msgspec.convert(dict(row), PaymentRecord) for row in rows.mappings()]

    async def claim(
        self,
        providers: Collection[str],
        *,
        limit: int,
        now: datetime,
        product_now: datetime,
        lease: timedelta,
    ) -> list[PaymentRecord]:
        """Claim payments that are due to be polled; `now` is the system clock's."""
        statement = claim_rows(
            Payment,
            Payment.next_poll_at <= product_now,
            Payment.provider.in_(providers),
            order_by=Payment.next_poll_at,
            limit=limit,
            now=now,
            lease=lease,
        )
        rows = await self._session.scalars(statement)
        return [msgspec.convert(row, PaymentRecord, from_attributes=True) for row in rows]

    async def update(self, payment: PaymentRecord, *, next_poll_at: datetime | None) -> None:
        """Store a payment and release its lease."""
        row = msgspec.structs.asdict(payment)
        transfer = None if payment.transfer is None else msgspec.to_builtins(payment.transfer)
        row |= {"state": payment.state.value, "transfer": transfer, "next_poll_at": next_poll_at}
        await self._session.execute(_UPDATE, row)

    async def reschedule(self, payment: PaymentRecord, until: datetime) -> None:
        """Set the next poll of a payment that could not be queried, and release its lease."""
        where = {"id": payment.id, "tenant_id": payment.tenant_id}
        await self._session.execute(_RESCHEDULE, {**where, "until": until})

    async def tenant_exists(self, tenant_id: TenantId) -> bool:
        """Return whether the company exists, that is, was not erased."""
        return bool(await self._session.scalar(_TENANT_EXISTS, {"tenant_id": tenant_id}))

    async def insert_mandate(self, tenant_id: TenantId, mandate: EncryptedMandate) -> None:
        """Insert a mandate."""
        row = msgspec.structs.asdict(mandate)
        row |= {"tenant_id": tenant_id, "method": mandate.method.value}
        await self._session.execute(_INSERT_MANDATE, {**row, "now": mandate.created_at})

    async def get_mandate(self, tenant_id: TenantId, mandate_id: UUID) -> EncryptedMandate | None:
        """Return a mandate; None if it has ended."""
        where = {"tenant_id": tenant_id, "id": mandate_id}
        row = (await self._session.execute(_GET_MANDATE, where)).mappings().one_or_none()
        return None if row is None else msgspec.convert(dict(row), EncryptedMandate)

    async def end_other_mandates(
        self, tenant_id: TenantId, now: datetime, *, except_id: UUID | None
    ) -> None:
        """End all mandates of a company except one, and clear their tokens."""
        where = {"tenant_id": tenant_id, "except_id": except_id, "now": now}
        await self._session.execute(_END_OTHER_MANDATES, where)

    async def _fetch_one(self, statement: object, where: dict[str, object]) -> PaymentRecord | None:
        rows = await self._session.execute(statement, where)  # type: ignore[call-overload]
        row = rows.mappings().one_or_none()
        return None if row is None else msgspec.convert(dict(row), PaymentRecord)


async def count_stuck(
    session: AsyncSession, providers: Collection[str], min_attempts: int
) -> dict[str, int]:
    """Return the number of payments and webhook events that are stuck, by provider.

    Stuck are those with this many attempts, and payments of a provider that is not configured.
    """
    rows = await session.execute(
        _COUNT_STUCK, {"providers": [*providers], "min_attempts": min_attempts}
    )
    return {row.provider: row.stuck_count for row in rows}
