"""A confirmation as it is drawn. Imports little: each drawing is a process."""

from datetime import datetime

import msgspec


class ConfirmationTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table with a heading; `widths` are the shares of its columns."""

    heading: str
    columns: list[str]
    widths: list[int]
    rows: list[list[str]]


class Confirmation(msgspec.Struct, frozen=True, kw_only=True):
    """A complete confirmation, ready to be drawn.

    `verdict` is the state in large letters, empty where there is no single one. `facts` are
    labels with values. `page` is the footer.
    """

    language: str
    title: str
    lead: str
    verdict: str
    facts: list[tuple[str, str]]
    tables: list[ConfirmationTable]
    notes: list[str]
    page: str
    created_at: datetime
