"""Tables of payments, mandates and discrepancies."""

import secrets
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import BigInteger, Index, TypeDecorator, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import Mapped, mapped_column

from prawko.hooks.payments import Money, PaymentMethod, PaymentRef, TransferInstructions
from prawko.kit.incidents.models import Detail, StoredFacts, from_facts, to_facts
from prawko.kit.money import format_amount
from prawko.kit.work.lease import LeasedRow
from prawko.payments.state_machine import UNFINISHED_STATES, UNKNOWN_TIMEOUT, PaymentRecordState
from prawko_tenants.base import Base, ControlTable, EnumText, GlobalTable, TenantTable, enum_check
from prawko_tenants.ids import TenantId, new_id

# Crockford's base 32: without I, L, O and U, which are misread in transfer titles.
REFERENCE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
REFERENCE_LENGTH = 12


def new_reference() -> str:
    """Return a unique reference that cannot be guessed: 60 random bits."""
    return "".join(secrets.choice(REFERENCE_ALPHABET) for _ in range(REFERENCE_LENGTH))


class TransferJson(TypeDecorator[TransferInstructions]):
    """Transfer instructions as `jsonb`."""

    impl = JSONB(none_as_null=True)
    cache_ok = True

    def process_bind_param(self, value: TransferInstructions | None, dialect: Dialect) -> Any:  # noqa: ARG002
        return msgspec.to_builtins(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> TransferInstructions | None:  # noqa: ARG002
        return msgspec.convert(value, TransferInstructions | None)


class DiscrepancyKind(StrEnum):
    """The kinds of discrepancy. Stored permanently; texts are `mails.operator.kinds.<kind>`."""

    PAID_TWICE = "paid_twice"
    WRONG_AMOUNT = "wrong_amount"
    WRONG_CURRENCY = "wrong_currency"
    UNKNOWN_PAYMENT = "unknown_payment"
    VOID_ORDER = "void_order"
    REFUNDED_ELSEWHERE = "refunded_elsewhere"
    SUSPENDED = "suspended"
    DISPUTED = "disputed"


class Payment(LeasedRow, ControlTable, Base):
    """One attempt to pay an order with one provider, which knows it by `reference`.

    It outlives its company (docs/personal-data.md), hence no foreign key. `provider_ref` is the
    provider's id; of a paid payment, that of the payment received. `mandate_id` is set if a
    mandate is charged; `encrypted_details` are then what the provider needs about the payer,
    until the payment ends. `refunded_grosze` is the sum of the operators' refunds.
    `lease_until` is by the system clock, all other times by the product's.
    """

    __tablename__ = "payment"
    __table_args__ = (
        enum_check("state", *PaymentRecordState),
        Index(None, "tenant_id", "order_id", "id"),
        Index(
            "ix_payment_next_poll",
            "next_poll_at",
            postgresql_where=text("next_poll_at IS NOT NULL"),
        ),
    )

    tenant_id: Mapped[TenantId]
    reference: Mapped[str] = mapped_column(unique=True)
    order_id: Mapped[UUID]
    provider: Mapped[str]
    method: Mapped[PaymentMethod] = mapped_column(EnumText(PaymentMethod))
    grosze: Mapped[int] = mapped_column(BigInteger)
    currency: Mapped[str]
    save_payment_method: Mapped[bool]
    state: Mapped[PaymentRecordState] = mapped_column(EnumText(PaymentRecordState))
    provider_ref: Mapped[str | None]
    url: Mapped[str | None]
    transfer: Mapped[TransferInstructions | None] = mapped_column(TransferJson)
    mandate_id: Mapped[UUID | None]
    encrypted_details: Mapped[bytes | None]
    reason: Mapped[str | None]
    expires_at: Mapped[datetime | None]
    next_poll_at: Mapped[datetime | None]
    created_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]
    refunded_grosze: Mapped[int] = mapped_column(BigInteger, default=0, server_default=text("0"))

    @property
    def money(self) -> Money:
        """The amount requested."""
        return Money(self.grosze, self.currency)

    @property
    def ref(self) -> PaymentRef:
        """Its ids: our reference and the provider's."""
        return PaymentRef(self.reference, self.provider_ref)

    def is_being_charged(self, now: datetime) -> bool:
        """Return whether a mandate is being charged and the result is unknown.

        False once the payer is asked for consent, and after an hour without a result.
        """
        is_pending = (
            self.mandate_id is not None and self.state in UNFINISHED_STATES and self.url is None
        )
        return is_pending and now < self.created_at + UNKNOWN_TIMEOUT


class PaymentMandate(TenantTable, Base):
    """A saved card or a consent. `token` is encrypted with the key `key_id`."""

    __tablename__ = "payment_mandate"

    provider: Mapped[str]
    method: Mapped[PaymentMethod] = mapped_column(EnumText(PaymentMethod))
    token: Mapped[bytes]
    key_id: Mapped[str]
    label: Mapped[str]
    created_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class BookedEntry(GlobalTable, Base):
    """An entry of a statement that was booked under a reference (system time).

    Files of another format give the same entry another reference: `fingerprint`, a keyed digest
    of what they have in common, finds it again. Nothing else of the entry is kept here.
    """

    __tablename__ = "booked_entry"
    __table_args__ = (Index(None, "fingerprint"), Index(None, "booked_at"))

    reference: Mapped[str] = mapped_column(primary_key=True)
    fingerprint: Mapped[bytes]
    booked_at: Mapped[datetime]


class PaymentDiscrepancy(GlobalTable, Base):
    """Money that does not match an order, open until an operator resolves it.

    Unique by its content, however often it is detected. Without a foreign key to the company and
    without personal data. `reported_at` is set when its incident was opened; `refunded_grosze`
    is how much of it an operator asked the provider to refund.
    """

    __tablename__ = "payment_discrepancy"
    __table_args__ = (
        enum_check("kind", *DiscrepancyKind),
        UniqueConstraint(
            "kind",
            "provider",
            "reference",
            "provider_ref",
            "grosze",
            "currency",
            name="uq_payment_discrepancy_content",
        ),
        Index(None, "detected_at", postgresql_where=text("resolved_at IS NULL")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    kind: Mapped[DiscrepancyKind] = mapped_column(EnumText(DiscrepancyKind))
    provider: Mapped[str]
    reference: Mapped[str]
    provider_ref: Mapped[str]
    grosze: Mapped[int] = mapped_column(BigInteger)
    currency: Mapped[str]
    tenant_id: Mapped[TenantId | None]
    detail: Mapped[str]
    facts: Mapped[StoredFacts | None] = mapped_column(JSONB(none_as_null=True))
    detected_at: Mapped[datetime]
    reported_at: Mapped[datetime | None]
    resolved_at: Mapped[datetime | None]
    resolution_note: Mapped[str | None]
    refunded_grosze: Mapped[int | None] = mapped_column(BigInteger)

    @property
    def incident_key(self) -> str:
        """The key of its incident."""
        return str(self.id)

    def add_detail(self, detail: Detail) -> None:
        """Add what came of it, unless it is there."""
        if str(detail) in self.detail:
            return
        self.detail = f"{self.detail}; {detail}"
        added = to_facts(detail)
        self.facts = None if self.facts is None or added is None else [*self.facts, *added]

    @property
    def summary(self) -> str:
        """One line for operators, without personal data."""
        return f"{self._names}, {self._amount}: {self.detail}"

    @property
    def incident_detail(self) -> Detail | str:
        """The same for the incident, in every language where its facts are stored."""
        if self.facts is None:
            return self.summary
        figures = {"names": self._names, "amount": self._amount}
        return Detail("money", figures, from_facts(self.facts))

    @property
    def _names(self) -> str:
        names = f"{self.provider} {self.reference}"
        return f"{names} ({self.provider_ref})" if self.provider_ref else names

    @property
    def _amount(self) -> str:
        return format_amount(self.grosze, self.currency)
