"""A zip file under construction: one table after the other, each as JSON and as CSV.

It grows on disk, so memory stays flat however long a company's history is. CSV follows RFC
4180 (commas, CRLF) in UTF-8 with a byte order mark, without which Excel reads Polish letters
wrongly. JSON is an array with one row to a line.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from tempfile import SpooledTemporaryFile, TemporaryFile
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec

from prawko.base.clock import WARSAW
from prawko.personal_data.cells import cell

CHUNK_BYTES = 256 * 1024
BYTES_IN_MEMORY = 1024 * 1024
BYTE_ORDER_MARK = "\ufeff"

_encoder = msgspec.json.Encoder(decimal_format="string")


class Archive:
    """Takes tables and files, then gives its bytes. Everything here blocks: call it in a thread."""

    def __init__(self, at: datetime) -> None:
        self._at = at.astimezone(WARSAW).timetuple()[:6]
        self._file = TemporaryFile()  # noqa: SIM115 (closed by `close`)
        self._zip = ZipFile(self._file, "w", ZIP_DEFLATED)
        self._entry: IO[bytes] | None = None
        self.size = 0

    def add_text(self, name: str, text: str) -> None:
        """Add a file with these words."""
        self._zip.writestr(self._described(name), text.encode())

    def add_file(self, name: str, content: bytes) -> None:
        """Add a file as it is."""
        self._zip.writestr(self._described(name), content)

    def table(self, name: str, columns: Sequence[str]) -> "TableWriter":
        """Begin a table; the one before it has been ended."""
        return TableWriter(self, name, columns)

    def finish(self) -> None:
        """Write the end of the file; `size` is its number of bytes then."""
        self._zip.close()
        self.size = self._file.seek(0, io.SEEK_END)
        self._file.seek(0)

    def chunks(self) -> Iterator[bytes]:
        """The bytes of the finished file; it is closed after the last."""
        while chunk := self._file.read(CHUNK_BYTES):
            yield chunk
        self.close()

    def close(self) -> None:
        """Throw the file away. May be called again, and before it is finished."""
        if not self._file.closed:
            if self._entry is not None:
                self._entry.close()
            self._zip.close()
            self._file.close()

    def open_entry(self, name: str) -> IO[bytes]:
        """A file in the archive, to be written and closed before the next."""
        self._entry = self._zip.open(self._described(name), "w", force_zip64=True)
        return self._entry

    def _described(self, name: str) -> ZipInfo:
        entry = ZipInfo(name, self._at)
        entry.compress_type = ZIP_DEFLATED
        entry.external_attr = 0o600 << 16
        return entry


class TableWriter:
    """Writes one table's rows, twice in one pass: JSON goes straight in, CSV waits its turn."""

    def __init__(self, archive: Archive, name: str, columns: Sequence[str]) -> None:
        self._archive = archive
        self._name = name
        self._columns = columns
        self._spool = SpooledTemporaryFile(BYTES_IN_MEMORY)  # noqa: SIM115 (closed by `end`)
        self._cells = io.TextIOWrapper(self._spool, "utf-8", newline="")
        self._csv = csv.writer(self._cells)
        self._cells.write(BYTE_ORDER_MARK)
        self._csv.writerow(columns)
        self._json = archive.open_entry(f"{name}.json")
        self._json.write(b"[")
        self._begun = False

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Write some rows; each has a value for every column."""
        some = list(rows)
        if some:
            self._json.write(b",\n" if self._begun else b"\n")
            self._json.write(b",\n".join(map(_encoder.encode, some)))
            self._csv.writerows([cell(row[name]) for name in self._columns] for row in some)
            self._begun = True

    def end(self) -> None:
        """Write what waited."""
        self._json.write(b"\n]\n")
        self._json.close()
        self._cells.flush()
        self._spool.seek(0)
        with self._archive.open_entry(f"{self._name}.csv") as entry:
            while chunk := self._spool.read(CHUNK_BYTES):
                entry.write(chunk)
        self._cells.close()
