"""What does not add up: written once, told to the operators, settled by one. SQL of that theme."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base import logs
from prawko.deliveries.incidents import close_incident, open_incident
from prawko.hooks.payments import Money
from prawko_tenants.ids import TenantId, new_id

log = logs.logger(__name__)


class Kind(StrEnum):
    """What is wrong. Stored for ever; the mail's words stand under `mails.operator.kinds`."""

    PAID_TWICE = "paid_twice"
    WRONG_AMOUNT = "wrong_amount"
    WRONG_CURRENCY = "wrong_currency"
    UNKNOWN_PAYMENT = "unknown_payment"
    VOID_ORDER = "void_order"
    REFUNDED_ELSEWHERE = "refunded_elsewhere"
    SUSPENDED = "suspended"


# The panel may write here and read nothing, hence no target of the conflict.
_FIND = text("""
    INSERT INTO payment_finding (id, kind, provider, key, provider_ref, grosze, currency,
                                 tenant_id, detail, found_at)
    VALUES (:id, :kind, :provider, :key, :provider_ref, :grosze, :currency, :tenant_id, :detail,
            :now)
    ON CONFLICT DO NOTHING
""")
_COLUMNS = """
    id, kind, provider, key, provider_ref, grosze, currency, tenant_id, detail, found_at,
    settled_at, settled_note
"""
_UNTOLD = text(f"""
    SELECT {_COLUMNS} FROM payment_finding WHERE told_at IS NULL AND settled_at IS NULL
     ORDER BY found_at, id LIMIT 100 FOR UPDATE SKIP LOCKED
""")  # noqa: S608
_TOLD = text("UPDATE payment_finding SET told_at = :now WHERE id = :id")
_LIST = text(f"""
    SELECT {_COLUMNS} FROM payment_finding WHERE :all OR settled_at IS NULL ORDER BY found_at, id
""")  # noqa: S608
_GIVEN_BACK = text(f"""
    SELECT {_COLUMNS}, given_back FROM payment_finding
     WHERE id = :id AND provider = :provider AND given_back IS NOT NULL
""")  # noqa: S608
_SETTLE = text(f"""
    UPDATE payment_finding SET settled_at = :now, settled_note = :note
     WHERE id = :id AND settled_at IS NULL
    RETURNING {_COLUMNS}
""")  # noqa: S608


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A finding as it is stored. `key` and `provider_ref` are a payment's two names."""

    id: UUID
    kind: Kind
    provider: str
    key: str
    provider_ref: str
    grosze: int
    currency: str
    tenant_id: TenantId | None
    detail: str
    found_at: datetime
    settled_at: datetime | None
    settled_note: str | None

    @property
    def about(self) -> str:
        """What the incident is about: the finding by its own id."""
        return str(self.id)

    @property
    def told(self) -> str:
        """One line for operators; names nobody."""
        money = f"{self.grosze / 100:.2f} {self.currency}"
        names = f"{self.provider} {self.key}"
        if self.provider_ref:
            names = f"{names} ({self.provider_ref})"
        return f"{names}, {money}: {self.detail}"


async def find(
    session: AsyncSession,
    kind: Kind,
    *,
    provider: str,
    key: str,
    provider_ref: str | None,
    money: Money,
    tenant_id: TenantId | None,
    detail: str,
    now: datetime,
) -> None:
    """Write a finding, unless it was found before. `detail` names no person."""
    await session.execute(
        _FIND,
        {
            "id": new_id(),
            "kind": kind.value,
            "provider": provider,
            "key": key,
            "provider_ref": provider_ref or "",
            "grosze": money.grosze,
            "currency": money.currency,
            "tenant_id": tenant_id,
            "detail": detail,
            "now": now,
        },
    )
    log.error("payment_finding", kind=kind.value, provider=provider, key=key)


async def tell(session: AsyncSession, now: datetime, machine_now: datetime) -> int:
    """Open the incidents of new findings; returns how many. For the worker's login."""
    rows = (await session.execute(_UNTOLD)).mappings().all()
    for finding in (msgspec.convert(dict(row), Finding) for row in rows):
        await open_incident(
            session,
            kind=finding.kind.value,
            key=finding.about,
            detail=finding.told,
            now=machine_now,
        )
        await session.execute(_TOLD, {"id": finding.id, "now": now})
    return len(rows)


async def findings(session: AsyncSession, *, settled_too: bool) -> list[Finding]:
    """What was found, oldest first."""
    rows = (await session.execute(_LIST, {"all": settled_too})).mappings()
    return [msgspec.convert(dict(row), Finding) for row in rows]


async def given_back_for(
    session: AsyncSession, provider: str, finding_id: UUID
) -> tuple[Finding, int] | None:
    """A finding that an operator asked to be given back, and how many grosze of it."""
    values = {"id": finding_id, "provider": provider}
    row = (await session.execute(_GIVEN_BACK, values)).mappings().one_or_none()
    if row is None:
        return None
    return msgspec.convert(dict(row), Finding), row["given_back"]


async def settle(
    session: AsyncSession, finding_id: UUID, note: str, now: datetime, machine_now: datetime
) -> Finding | None:
    """Note what an operator did about it, and close its incident; None when it is not open."""
    values = {"id": finding_id, "note": note, "now": now}
    row = (await session.execute(_SETTLE, values)).mappings().one_or_none()
    if row is None:
        return None
    finding = msgspec.convert(dict(row), Finding)
    await close_incident(session, kind=finding.kind.value, key=finding.about, now=machine_now)
    return finding
