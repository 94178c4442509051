"""Documents that the register knows again after every start, for its memory ends with it."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from prawko_demo.keys import write_secret
from prawko_demo.register.documents import Document, Shelf

_FILE = "documents.json"


def remember(documents: Mapping[str, Document], folder: Path) -> None:
    """Keep documents by their serial; those kept before are forgotten."""
    write_secret(folder / _FILE, msgspec.json.encode(documents))


def put_back(shelf: Shelf, folder: Path) -> None:
    """Have the register know the kept ones."""
    try:
        kept = (folder / _FILE).read_bytes()
    except FileNotFoundError:
        return
    for serial, document in msgspec.json.decode(kept, type=dict[str, Document]).items():
        shelf.put(serial, document)
