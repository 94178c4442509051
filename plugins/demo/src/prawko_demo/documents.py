"""What the register knows again after every start, for its memory ends with it."""

from pathlib import Path

import msgspec

from prawko_demo.keys import write_secret
from prawko_demo.register.documents import Document, Shelf, Unknown

_DOCUMENTS, _UNKNOWN = "documents.json", "unknown.json"


def remember(shelf: Shelf, folder: Path) -> None:
    """Keep what the register knows now; what was kept before is forgotten."""
    write_secret(folder / _DOCUMENTS, msgspec.json.encode(shelf.documents))
    write_secret(folder / _UNKNOWN, msgspec.json.encode(shelf.unknown))


def put_back(shelf: Shelf, folder: Path) -> None:
    """Have the register know what was kept."""
    documents, unknown = folder / _DOCUMENTS, folder / _UNKNOWN
    if documents.exists():
        kept = msgspec.json.decode(documents.read_bytes(), type=dict[str, Document])
        for serial, document in kept.items():
            shelf.put(serial, document)
    if unknown.exists():
        shelf.unknown = msgspec.json.decode(unknown.read_bytes(), type=Unknown)
