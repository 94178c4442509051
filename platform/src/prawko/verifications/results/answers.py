"""Stored form of a register answer: canonical JSON with its hash, and the readable columns."""

import hashlib
from datetime import date
from typing import Any

import msgspec

from prawko.base.crypto import KeyRing
from prawko.drivers.models import Outcome
from prawko.drivers.schemas import CategoryOut, ReasonOut, VerificationOut
from prawko.hooks.licence_register import LicenceAnswer
from prawko.verifications.outcome import is_expired
from prawko.verifications.register.client import SentQuery
from prawko_tenants.ids import AnswerId, VerificationId, new_id

NO_SUCH_DOCUMENT = b"null"


class StoredAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A register answer as stored. `canonical` is the JSON whose SHA-256 is `hash`."""

    hash: bytes
    canonical: bytes
    document_code: str | None = None
    document_status: str | None = None
    issuing_authority: str | None = None
    expiry_date: date | None = None
    categories: list[dict[str, Any]] = []
    reasons: list[dict[str, Any]] = []
    notes: str | None = None


def normalise_answer(answer: LicenceAnswer | None) -> StoredAnswer:
    """Stored form of an answer; None (no such document) is stored as JSON null."""
    if answer is None:
        return StoredAnswer(
            hash=hashlib.sha256(NO_SUCH_DOCUMENT).digest(), canonical=NO_SUCH_DOCUMENT
        )
    canonical = msgspec.json.encode(answer.raw, order="sorted")
    return StoredAnswer(
        hash=hashlib.sha256(canonical).digest(),
        canonical=canonical,
        document_code=answer.state.code,
        document_status=answer.state.text,
        issuing_authority=answer.issuing_authority,
        expiry_date=answer.expires,
        categories=[
            {"kategoria": category.code, "dataWaznosci": msgspec.to_builtins(category.expires)}
            for category in answer.categories
        ],
        reasons=[{"kod": reason.code, "wartosc": reason.text} for reason in answer.reasons],
        notes="\n".join(answer.notes) or None,
    )


def encrypt_answer(key_ring: KeyRing, answer_id: AnswerId, canonical: bytes) -> bytes:
    """Encrypt the canonical JSON, bound to the row with this id."""
    return key_ring.answer_cipher.encrypt(canonical, associated_data=answer_id.bytes)


def to_verification_out(
    sent_query: SentQuery, answer: StoredAnswer, outcome: Outcome, verification_id: VerificationId
) -> VerificationOut:
    """Response model of a verification; its JSON is also stored in the driver's row."""
    return VerificationOut(
        id=verification_id,
        driver_id=sent_query.driver_id,
        status=outcome,
        verified_at=sent_query.asked_at,
        document_status=answer.document_status,
        document_code=answer.document_code,
        issuing_authority=answer.issuing_authority,
        expiry_date=answer.expiry_date,
        expired=is_expired(answer.expiry_date, sent_query.day),
        categories=msgspec.convert(answer.categories, list[CategoryOut]),
        reasons=msgspec.convert(answer.reasons, list[ReasonOut]),
        notes=answer.notes,
        last_verification_hash=answer.hash.hex(),
        license_number=sent_query.query.number,
    )


def new_verification_id() -> VerificationId:
    """A new verification id."""
    return VerificationId(new_id())
