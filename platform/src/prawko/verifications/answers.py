"""Register answers as they are stored: encrypted canonical JSON with its hash, readable columns."""

import hashlib
from datetime import date, datetime
from typing import Any, Self
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, select

from prawko.drivers.models import Driver, Outcome
from prawko.drivers.needed_categories import Category
from prawko.drivers.schemas import CategoryOut, ReasonOut, VerificationOut
from prawko.hooks.licence_register import LicenceAnswer
from prawko.kit.clock import warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.crypto import DecryptionError, KeyRing
from prawko.kit.observability import logs
from prawko.verifications.models import RegisterAnswer, Verification
from prawko.verifications.outcome import is_expired
from prawko_tenants.ids import AnswerId, DriverId, TenantId, VerificationId

log = logs.get_logger(__name__)

REENCRYPTION_BATCH = 500


class AnswerContent(msgspec.Struct, frozen=True, kw_only=True):
    """The readable content of a register answer, and the hash that identifies it."""

    hash: bytes
    document_code: str | None = None
    document_status: str | None = None
    issuing_authority: str | None = None
    expiry_date: date | None = None
    categories: list[CategoryOut] = []
    reasons: list[ReasonOut] = []
    notes: str | None = None

    @property
    def valid_days(self) -> list[Category]:
        """The categories with their last valid days."""
        return [(category.kategoria, category.data_waznosci) for category in self.categories]

    @classmethod
    def from_row(cls, row: RegisterAnswer) -> Self:
        """The content of a stored answer."""
        return msgspec.convert(row, cls, from_attributes=True)


class NormalisedAnswer(AnswerContent, frozen=True, kw_only=True):
    """A register answer to be stored. `canonical` is the JSON whose SHA-256 is `hash`."""

    canonical: bytes


def normalise_answer(answer: LicenceAnswer | None) -> NormalisedAnswer:
    """The answer in the form in which it is stored; None (no such document) is JSON null."""
    canonical = msgspec.json.encode(None if answer is None else answer.raw, order="sorted")
    digest = hashlib.sha256(canonical).digest()
    if answer is None:
        return NormalisedAnswer(hash=digest, canonical=canonical)
    return NormalisedAnswer(
        hash=digest,
        canonical=canonical,
        document_code=answer.state.code,
        document_status=answer.state.text,
        issuing_authority=answer.issuing_authority,
        expiry_date=answer.expires,
        categories=[
            CategoryOut(kategoria=category.code, data_waznosci=category.expires)
            for category in answer.categories
        ],
        reasons=[ReasonOut(kod=reason.code, wartosc=reason.text) for reason in answer.reasons],
        notes="\n".join(answer.notes) or None,
    )


def decrypt_answer(
    key_ring: KeyRing, answer_id: AnswerId, key_id: str, raw: bytes
) -> dict[str, Any] | None:
    """The answer as received; None if its key is lost, or if there was no such document."""
    try:
        canonical = key_ring.answer_cipher.decrypt(key_id, raw, associated_data=answer_id.bytes)
    except DecryptionError:
        log.warning("answer_decryption_failed", key_id=key_id)
        return None
    return msgspec.json.decode(canonical, type=dict[str, Any] | None)


def to_verification_out(
    answer: AnswerContent,
    *,
    verification_id: VerificationId,
    driver_id: DriverId,
    outcome: Outcome,
    verified_at: datetime,
    license_number: str,
) -> VerificationOut:
    """Response model of a verification; its JSON is also stored in the driver's row."""
    return VerificationOut(
        id=verification_id,
        driver_id=driver_id,
        status=outcome,
        verified_at=verified_at,
        document_status=answer.document_status,
        document_code=answer.document_code,
        issuing_authority=answer.issuing_authority,
        expiry_date=answer.expiry_date,
        expired=is_expired(answer.expiry_date, warsaw_date(verified_at)),
        categories=answer.categories,
        reasons=answer.reasons,
        notes=answer.notes,
        last_verification_hash=answer.hash.hex(),
        license_number=license_number,
    )


def stored_verification_out(verification: Verification, answer: RegisterAnswer) -> VerificationOut:
    """Response model of a stored verification and its answer."""
    return to_verification_out(
        AnswerContent.from_row(answer),
        verification_id=verification.id,
        driver_id=verification.driver_id,
        outcome=Outcome(verification.outcome),
        verified_at=verification.verified_at,
        license_number=answer.license_number,
    )


def is_answer_of(verification: type[Verification]) -> ColumnElement[bool]:
    """Condition that joins verifications, or an alias of them, with their answers."""
    return (RegisterAnswer.driver_id == verification.driver_id) & (
        RegisterAnswer.id == verification.answer_id
    )


async def reencrypt_answers(context: AppContext) -> tuple[int, int]:
    """Re-encrypt answers stored under older keys; returns the counts of moved and lost answers.

    An answer is lost when its key is not configured any more. May be interrupted and repeated:
    each batch is one transaction.
    """
    async with context.database.planner() as planner:
        tenant_ids = (await planner.scalars(select(Driver.tenant_id).distinct())).all()
    moved = lost = 0
    for tenant_id in tenant_ids:
        after: UUID | None = UUID(int=0)
        while after is not None:
            reencrypted, skipped, after = await _reencrypt_batch(context, tenant_id, after)
            moved += reencrypted
            lost += skipped
    return moved, lost


async def _reencrypt_batch(
    context: AppContext, tenant_id: TenantId, after: UUID
) -> tuple[int, int, UUID | None]:
    """Counts of moved and lost answers after an id, and the last id; None at the end."""
    cipher = context.key_ring.answer_cipher
    lost = 0
    async with context.database.tenant(tenant_id) as session:
        statement = (
            select(RegisterAnswer)
            .where(RegisterAnswer.key_id != cipher.current_key_id, RegisterAnswer.id > after)
            .order_by(RegisterAnswer.id)
            .limit(REENCRYPTION_BATCH)
            .with_for_update()
        )
        answers = (await session.scalars(statement)).all()
        for answer in answers:
            binding = answer.id.bytes
            try:
                canonical = cipher.decrypt(answer.key_id, answer.raw, associated_data=binding)
            except DecryptionError:
                lost += 1
                continue
            answer.key_id = cipher.current_key_id
            answer.raw = cipher.encrypt(canonical, associated_data=binding)
    return len(answers) - lost, lost, answers[-1].id if answers else None
