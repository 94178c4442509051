"""SQL of payments and mandates, in the caller's transaction."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from uuid import UUID

import msgspec
from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.hooks.payments import Method, Money, PaymentRef, Transfer
from prawko.payments.purchase import MandateView, PaymentView
from prawko.payments.settling import State
from prawko_tenants.ids import TenantId

_COLUMNS = """
    id, tenant_id, key, order_id, provider, method, grosze, currency, save, state, provider_ref,
    url, transfer, mandate_id, sealed, reason, open_until, attempts, created_at, settled_at,
    given_back
"""
_ADD = text("""
    INSERT INTO payment (id, tenant_id, key, order_id, provider, method, grosze, currency, save,
                         state, mandate_id, sealed, next_ask_at, created_at)
    VALUES (:id, :tenant_id, :key, :order_id, :provider, :method, :grosze, :currency, :save,
            'starting', :mandate_id, :sealed, :next_ask_at, :created_at)
""")
_GET = text(f"SELECT {_COLUMNS} FROM payment WHERE id = :id AND tenant_id = :tenant_id")  # noqa: S608
_HOLD = text(f"{_GET.text} FOR UPDATE")
_BY_KEY = text(f"SELECT {_COLUMNS} FROM payment WHERE key = :key AND provider = :provider")  # noqa: S608
_OF_ORDER = text(f"""
    SELECT {_COLUMNS} FROM payment
     WHERE tenant_id = :tenant_id AND order_id = :order_id ORDER BY id DESC LIMIT 1
""")  # noqa: S608
_UNFINISHED = text(f"""
    SELECT {_COLUMNS} FROM payment
     WHERE tenant_id = :tenant_id AND order_id = ANY (:order_ids)
       AND state IN ('starting', 'open')
     ORDER BY id
""")  # noqa: S608
_CLAIM = text(f"""
    WITH due AS (
        SELECT id FROM payment
         WHERE next_ask_at <= :product_now AND provider = ANY (:providers)
           AND (lease_until IS NULL OR lease_until <= :now)
         ORDER BY next_ask_at, id LIMIT :most
           FOR UPDATE SKIP LOCKED
    ), claimed AS (
        UPDATE payment AS p SET lease_until = :lease_until, attempts = attempts + 1
          FROM due WHERE p.id = due.id
        RETURNING p.*
    )
    SELECT {_COLUMNS} FROM claimed ORDER BY next_ask_at, id
""")  # noqa: S608
# A lost lease is nothing to worry about here: the row is held, and its state decides.
_WRITE = text("""
    UPDATE payment
       SET state = :state, provider_ref = :provider_ref, url = :url, transfer = :transfer,
           sealed = :sealed, reason = :reason, open_until = :open_until,
           next_ask_at = :next_ask_at, settled_at = :settled_at, attempts = 0,
           lease_until = NULL
     WHERE id = :id AND tenant_id = :tenant_id
""").bindparams(bindparam("transfer", type_=JSONB(none_as_null=True)))
_PUT_OFF = text("""
    UPDATE payment SET next_ask_at = :until, lease_until = NULL
     WHERE id = :id AND tenant_id = :tenant_id AND next_ask_at IS NOT NULL
""")
_WAITING = text("""
    SELECT provider, count(*) AS many FROM (
        SELECT provider FROM payment
         WHERE next_ask_at IS NOT NULL AND state IN ('starting', 'open')
           AND (attempts >= :patience OR provider <> ALL (:providers))
         UNION ALL
        SELECT provider FROM webhook_event
         WHERE worked_at IS NULL AND attempts >= :patience AND provider = ANY (:providers)
    ) AS in_vain GROUP BY provider
""")
_COMPANY = text("SELECT EXISTS (SELECT FROM tenant WHERE id = :tenant_id)")
_ADD_MANDATE = text("""
    INSERT INTO payment_mandate (tenant_id, id, provider, method, token, key_id, label, created_at)
    VALUES (:tenant_id, :id, :provider, :method, :token, :key_id, :label, :now)
""")
_MANDATE = text("""
    SELECT id, provider, method, token, key_id, label, created_at FROM payment_mandate
     WHERE tenant_id = :tenant_id AND id = :id AND ended_at IS NULL
""")
_END_MANDATE = text("""
    UPDATE payment_mandate SET ended_at = :now, token = ''
     WHERE tenant_id = :tenant_id AND id = :id AND ended_at IS NULL
""")
_END_MANDATES = text("""
    UPDATE payment_mandate SET ended_at = :now, token = ''
     WHERE tenant_id = :tenant_id AND ended_at IS NULL
       AND id IS DISTINCT FROM CAST(:but AS uuid)
""")


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """A payment as it is stored."""

    id: UUID
    tenant_id: TenantId
    key: str
    order_id: UUID
    provider: str
    method: Method
    grosze: int
    currency: str
    save: bool
    state: State
    provider_ref: str | None
    url: str | None
    transfer: Transfer | None
    mandate_id: UUID | None
    sealed: bytes | None
    reason: str | None
    open_until: datetime | None
    attempts: int
    created_at: datetime
    settled_at: datetime | None
    given_back: int = 0

    @property
    def money(self) -> Money:
        """What was asked for."""
        return Money(self.grosze, self.currency)

    @property
    def ref(self) -> PaymentRef:
        """Its two names."""
        return PaymentRef(self.key, self.provider_ref)

    def view(self) -> PaymentView:
        """What others may see."""
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
            open_until=self.open_until,
            created_at=self.created_at,
            settled_at=self.settled_at,
        )


class SealedMandate(msgspec.Struct, frozen=True, kw_only=True):
    """A mandate that stands."""

    id: UUID
    provider: str
    method: Method
    token: bytes
    key_id: str
    label: str
    created_at: datetime

    def view(self) -> MandateView:
        """What its company may see."""
        return MandateView(
            id=self.id,
            provider=self.provider,
            method=self.method,
            label=self.label,
            created_at=self.created_at,
        )


class PaymentRepository:
    """Reads and writes payments. The session is bound to their company, but for `claim`."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, payment: Stored, *, next_ask_at: datetime) -> None:
        """Write a payment that is about to start."""
        row = {**msgspec.structs.asdict(payment), "method": payment.method.value}
        await self._session.execute(_ADD, {**row, "next_ask_at": next_ask_at})

    async def get(self, tenant_id: TenantId, payment_id: UUID) -> Stored | None:
        """A payment as it is now."""
        return await self._one(_GET, {"id": payment_id, "tenant_id": tenant_id})

    async def hold(self, tenant_id: TenantId, payment_id: UUID) -> Stored | None:
        """The same, and nobody else writes it until the transaction ends."""
        return await self._one(_HOLD, {"id": payment_id, "tenant_id": tenant_id})

    async def by_key(self, provider: str, key: str) -> Stored | None:
        """A payment by the name its provider knows; the worker's session sees every company's."""
        return await self._one(_BY_KEY, {"provider": provider, "key": key})

    async def of_order(self, tenant_id: TenantId, order_id: UUID) -> Stored | None:
        """The newest payment of an order."""
        return await self._one(_OF_ORDER, {"tenant_id": tenant_id, "order_id": order_id})

    async def unfinished(self, tenant_id: TenantId, order_ids: Sequence[UUID]) -> list[Stored]:
        """The payments of these orders that may still be paid."""
        where = {"tenant_id": tenant_id, "order_ids": [*order_ids]}
        rows = await self._session.execute(_UNFINISHED, where)
        return [msgspec.convert(dict(row), Stored) for row in rows.mappings()]

    async def claim(
        self,
        providers: Collection[str],
        *,
        most: int,
        now: datetime,
        product_now: datetime,
        lease: timedelta,
    ) -> list[Stored]:
        """Take payments that are to be asked for; nobody else does before the lease ends."""
        where = {"providers": [*providers], "most": most, "now": now, "product_now": product_now}
        rows = await self._session.execute(_CLAIM, {**where, "lease_until": now + lease})
        return [msgspec.convert(dict(row), Stored) for row in rows.mappings()]

    async def write(self, payment: Stored, *, next_ask_at: datetime | None) -> None:
        """Write what is known now, and give the payment back."""
        row = msgspec.structs.asdict(payment)
        transfer = None if payment.transfer is None else msgspec.to_builtins(payment.transfer)
        row |= {"state": payment.state.value, "transfer": transfer, "next_ask_at": next_ask_at}
        await self._session.execute(_WRITE, row)

    async def put_off(self, payment: Stored, until: datetime) -> None:
        """It could not be asked for: again then."""
        about = {"id": payment.id, "tenant_id": payment.tenant_id}
        await self._session.execute(_PUT_OFF, {**about, "until": until})

    async def company_is_there(self, tenant_id: TenantId) -> bool:
        """Whether the company has not been erased."""
        return bool(await self._session.scalar(_COMPANY, {"tenant_id": tenant_id}))

    async def add_mandate(self, tenant_id: TenantId, mandate: SealedMandate) -> None:
        """Keep a mandate."""
        row = msgspec.structs.asdict(mandate)
        row |= {"tenant_id": tenant_id, "method": mandate.method.value}
        await self._session.execute(_ADD_MANDATE, {**row, "now": mandate.created_at})

    async def mandate(self, tenant_id: TenantId, mandate_id: UUID) -> SealedMandate | None:
        """A mandate, unless it has ended."""
        where = {"tenant_id": tenant_id, "id": mandate_id}
        row = (await self._session.execute(_MANDATE, where)).mappings().one_or_none()
        return None if row is None else msgspec.convert(dict(row), SealedMandate)

    async def end_mandate(self, tenant_id: TenantId, mandate_id: UUID, now: datetime) -> None:
        """Charge it no more, and forget what it would be charged with."""
        where = {"tenant_id": tenant_id, "id": mandate_id, "now": now}
        await self._session.execute(_END_MANDATE, where)

    async def end_mandates(self, tenant_id: TenantId, now: datetime, *, but: UUID | None) -> None:
        """The same for all of a company's, but for the one that it stands on."""
        where = {"tenant_id": tenant_id, "but": but, "now": now}
        await self._session.execute(_END_MANDATES, where)

    async def _one(self, statement: object, where: dict[str, object]) -> Stored | None:
        rows = await self._session.execute(statement, where)  # type: ignore[call-overload]
        row = rows.mappings().one_or_none()
        return None if row is None else msgspec.convert(dict(row), Stored)


async def waiting(
    session: AsyncSession, providers: Collection[str], patience: int
) -> dict[str, int]:
    """How many payments and calls wait in vain, by provider: asked for so often, or nobody's."""
    rows = await session.execute(_WAITING, {"providers": [*providers], "patience": patience})
    return {row.provider: row.many for row in rows}
