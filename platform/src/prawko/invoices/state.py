"""States of an invoice and kinds of its files."""

from enum import StrEnum


class InvoiceState(StrEnum):
    """The stored states; those from `queued` on are for sending to KSeF."""

    NUMBERED = "numbered"
    XML_BUILT = "xml_built"  # stored, and never rendered again
    XSD_OK = "xsd_ok"
    QUEUED = "queued"
    SESSION_SENT = "session_sent"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class InvoiceFileKind(StrEnum):
    """The kinds of files of an invoice."""

    PDF = "pdf"
    XML = "xml"
    UPO = "upo"  # the receipt of KSeF
