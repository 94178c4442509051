"""How far an invoice is on its way to the state's system."""

from enum import StrEnum


class State(StrEnum):
    """Stored for ever. The words from `queued` on belong to sending."""

    NUMBERED = "numbered"
    XML_BUILT = "xml_built"  # its bytes are stored and never written anew
    XSD_OK = "xsd_ok"
    QUEUED = "queued"
    SESSION_SENT = "session_sent"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class FileKind(StrEnum):
    """What is kept beside the facts of an invoice, to the byte."""

    PDF = "pdf"
    XML = "xml"
    UPO = "upo"  # the state's receipt
