"""Saves the simulated register's documents, which it holds in memory only, between starts."""

from pathlib import Path

import msgspec

from prawko_demo.register.document_store import DocumentStore, UnknownSerialMode
from prawko_demo.register.documents import RegisterDocument
from prawko_embedded.secret_file import write_secret_file

_DOCUMENTS_FILE, _UNKNOWN_MODE_FILE = "documents.json", "unknown.json"


def save_register_state(store: DocumentStore, folder: Path) -> None:
    """Write the documents and the mode for unknown serials to `folder`."""
    write_secret_file(folder / _DOCUMENTS_FILE, msgspec.json.encode(store.documents))
    write_secret_file(folder / _UNKNOWN_MODE_FILE, msgspec.json.encode(store.unknown_mode))


def restore_register_state(store: DocumentStore, folder: Path) -> None:
    """Add the saved documents to the store and set the saved mode; both may be missing."""
    documents_file, mode_file = folder / _DOCUMENTS_FILE, folder / _UNKNOWN_MODE_FILE
    if documents_file.exists():
        documents = msgspec.json.decode(
            documents_file.read_bytes(), type=dict[str, RegisterDocument]
        )
        for serial, document in documents.items():
            store.put(serial, document)
    if mode_file.exists():
        store.unknown_mode = msgspec.json.decode(mode_file.read_bytes(), type=UnknownSerialMode)
