"""The documents of the simulated register, in memory, and the number of calls for each."""

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum

from prawko_demo.register.documents import CompleteDocument, RegisterDocument
from prawko_demo.register.generated_documents import complete_document, generate_document
from prawko_demo.register.search_hash import compute_search_hash


class UnknownSerialMode(StrEnum):
    """The official service's answer for a serial without a stored document."""

    AUTO = "auto"  # a generated document
    NOT_FOUND = "not_found"


class DocumentStore:
    """Stored documents, and how often each serial was looked up."""

    def __init__(self) -> None:
        self.unknown_mode = UnknownSerialMode.AUTO
        self.calls: Counter[str] = Counter()
        self.call_count = 0
        self._documents: dict[str, RegisterDocument] = {}
        self._serials: dict[str, str] = {}  # by the search hash of the public service

    def put(self, serial: str, document: RegisterDocument) -> None:
        """Store or replace the document of a serial."""
        self.delete(serial)
        self._documents[serial] = document
        key = compute_search_hash(document.first_name, document.last_name, serial)
        self._serials[key] = serial

    def get(self, serial: str) -> RegisterDocument | None:
        """Return the stored document of a serial."""
        return self._documents.get(serial)

    @property
    def documents(self) -> Mapping[str, RegisterDocument]:
        """All stored documents, by serial."""
        return self._documents

    def delete(self, serial: str) -> bool:
        """Remove the document of a serial; return whether there was one."""
        document = self._documents.pop(serial, None)
        if document is None:
            return False
        key = compute_search_hash(document.first_name, document.last_name, serial)
        self._serials.pop(key, None)
        return True

    def look_up(self, first_name: str, last_name: str, serial: str) -> CompleteDocument | None:
        """Answer the official service; the names must be those of the stored document."""
        self._count_call(serial)
        document = self._documents.get(serial)
        if document is None:
            is_generated = self.unknown_mode is UnknownSerialMode.AUTO
            return generate_document(serial) if is_generated else None
        if _normalise_names(first_name, last_name) != _normalise_names(
            document.first_name, document.last_name
        ):
            return None
        return complete_document(serial, document)

    def look_up_hash(self, key: str) -> CompleteDocument | None:
        """Answer the public service; only stored documents can be found by their hash."""
        serial = self._serials.get(key)
        self._count_call(serial)
        return None if serial is None else complete_document(serial, self._documents[serial])

    def reset_calls(self) -> None:
        """Set the number of calls to 0."""
        self.call_count = 0
        self.calls.clear()

    def _count_call(self, serial: str | None) -> None:
        self.call_count += 1
        if serial is not None:
            self.calls[serial] += 1


def _normalise_names(first_name: str, last_name: str) -> tuple[str, str]:
    """Return the first given name and the last name in upper case, as the register compares."""
    return first_name.split(maxsplit=1)[0].upper(), " ".join(last_name.split()).upper()
