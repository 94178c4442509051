"""What is kept of an answer: the canonical JSON with its hash, and the columns people read."""

import hashlib
from datetime import date
from typing import Any

import msgspec

from prawko.base.secrets import Vault
from prawko.drivers.schemas import CategoryOut, ReasonOut, VerificationOut
from prawko.hooks.licence_register import LicenceAnswer
from prawko.verifications.outcome import Outcome, is_expired
from prawko.verifications.questions import Asked
from prawko_tenants.ids import AnswerId, VerificationId, new_id

NO_SUCH_DOCUMENT = b"null"


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """An answer as it is stored. `canonical` is the JSON whose SHA-256 is `hash`."""

    hash: bytes
    canonical: bytes
    document_code: str | None = None
    document_status: str | None = None
    issuing_authority: str | None = None
    expiry_date: date | None = None
    categories: list[dict[str, Any]] = []
    reasons: list[dict[str, Any]] = []
    notes: str | None = None


def kept(answer: LicenceAnswer | None) -> Kept:
    """What to keep of an answer; None, no such document, is kept as JSON's null."""
    if answer is None:
        return Kept(hash=hashlib.sha256(NO_SUCH_DOCUMENT).digest(), canonical=NO_SUCH_DOCUMENT)
    canonical = msgspec.json.encode(answer.raw, order="sorted")
    return Kept(
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


def seal(vault: Vault, answer_id: AnswerId, canonical: bytes) -> bytes:
    """The canonical JSON sealed for the row with this id."""
    return vault.answers.close(canonical, about=answer_id.bytes)


def as_shown(
    asked: Asked, found: Kept, outcome: Outcome, verification_id: VerificationId
) -> VerificationOut:
    """The verification as the API shows it; its JSON is what the driver's row carries."""
    return VerificationOut(
        id=verification_id,
        driver_id=asked.driver_id,
        status=outcome,
        verified_at=asked.at,
        document_status=found.document_status,
        document_code=found.document_code,
        issuing_authority=found.issuing_authority,
        expiry_date=found.expiry_date,
        expired=is_expired(found.expiry_date, asked.day),
        categories=msgspec.convert(found.categories, list[CategoryOut]),
        reasons=msgspec.convert(found.reasons, list[ReasonOut]),
        notes=found.notes,
        last_verification_hash=found.hash.hex(),
        license_number=asked.query.number,
    )


def new_verification_id() -> VerificationId:
    """A fresh id."""
    return VerificationId(new_id())
