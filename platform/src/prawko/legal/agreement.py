"""The data-processing agreement as it is drawn. Imports little: each drawing is a process."""

from datetime import datetime

import msgspec

Clause = str | list[str]  # a numbered paragraph, or the lettered items below the one before


class AgreementSection(msgspec.Struct, frozen=True):
    """A numbered section."""

    title: str
    clauses: list[Clause]


class AgreementParty(msgspec.Struct, frozen=True):
    """A party: its role, and the lines of its details."""

    role: str
    lines: list[str]


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """A complete agreement, ready to be drawn; it holds no placeholders.

    `conclusion` says when and by whom it was accepted, or that this is a sample.
    """

    language: str
    title: str
    annex: str
    version: str
    parties: list[AgreementParty]
    conclusion: str
    sections: list[AgreementSection]
    page: str
    created_at: datetime
