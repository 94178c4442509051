"""The legal documents that a person accepts, and their versions.

Texts of the terms and the privacy policy are in the browser application, the data-processing
agreement is in `prawko.legal`. A new version is a new text and a new date in front here and in
the browser's `versions.json`; a test compares the lists. Old texts stay readable.
"""

from datetime import date
from enum import StrEnum

import msgspec


class LegalDocument(StrEnum):
    """A document, as stored and as the API names it."""

    TERMS = "terms"
    PRIVACY = "privacy"
    DATA_PROCESSING = "data_processing"


# The day from which each version holds, the current one first.
VERSIONS: dict[LegalDocument, tuple[date, ...]] = {
    LegalDocument.TERMS: (date(2026, 11, 22),),
    LegalDocument.PRIVACY: (date(2026, 11, 22),),
    LegalDocument.DATA_PROCESSING: (date(2026, 11, 22),),
}


class DocumentVersion(msgspec.Struct, frozen=True):
    """One version of a document."""

    document: LegalDocument
    version: date


def current_documents() -> tuple[DocumentVersion, ...]:
    """Return the current version of each document."""
    return tuple(DocumentVersion(document, versions[0]) for document, versions in VERSIONS.items())
