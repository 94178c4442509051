"""Writes a zip file of tables, each as JSON and as CSV.

The file is on disk, so memory use does not grow with a company's history. CSV follows RFC 4180
(commas, CRLF) in UTF-8 with a byte order mark, without which Excel misreads Polish letters.
JSON is an array with one row per line.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from tempfile import SpooledTemporaryFile, TemporaryFile
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec
from litestar.background_tasks import BackgroundTask
from litestar.openapi.datastructures import ResponseSpec
from litestar.response import Stream

from prawko.kit.clock import WARSAW, Clock, warsaw_date
from prawko.kit.text.csv_cells import BYTE_ORDER_MARK, format_cell

CHUNK_BYTES = 256 * 1024
MAX_MEMORY_BYTES = 1024 * 1024

_encoder = msgspec.json.Encoder(decimal_format="string")

ZIP_MEDIA_TYPE = "application/zip"
ZIP_RESPONSE = ResponseSpec(
    bytes,
    media_type=ZIP_MEDIA_TYPE,
    generate_examples=False,
    description="JSON and CSV of each table",
)


class Archive:
    """A zip file under construction. All methods block: call them in a thread."""

    def __init__(self, created_at: datetime) -> None:
        self._created_at = created_at.astimezone(WARSAW).timetuple()[:6]
        self._file = TemporaryFile()  # noqa: SIM115 (closed by `close`)
        self._zip = ZipFile(self._file, "w", ZIP_DEFLATED)
        self._entry: IO[bytes] | None = None
        self.size = 0

    def add_text(self, name: str, text: str) -> None:
        """Add a text file in UTF-8."""
        self._zip.writestr(self._zip_info(name), text.encode())

    def add_file(self, name: str, content: bytes) -> None:
        """Add a file."""
        self._zip.writestr(self._zip_info(name), content)

    def open_table(self, name: str, columns: Sequence[str]) -> "TableWriter":
        """Return the writer of a new table; the previous one must be finished."""
        return TableWriter(self, name, columns)

    def finish(self) -> None:
        """Complete the file and set `size`, in bytes."""
        self._zip.close()
        self.size = self._file.seek(0, io.SEEK_END)
        self._file.seek(0)

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes of the finished file, and close it after the last."""
        while chunk := self._file.read(CHUNK_BYTES):
            yield chunk
        self.close()

    def close(self) -> None:
        """Discard the file, finished or not. Idempotent."""
        if not self._file.closed:
            for part in (self._entry, self._zip, self._file):
                if part is not None:
                    with suppress(OSError):  # of a full disk: what is discarded need not be written
                        part.close()

    def open_entry(self, name: str) -> IO[bytes]:
        """Open a file in the archive for writing; close it before the next."""
        self._entry = self._zip.open(self._zip_info(name), "w", force_zip64=True)
        return self._entry

    def _zip_info(self, name: str) -> ZipInfo:
        entry = ZipInfo(name, self._created_at)
        entry.compress_type = ZIP_DEFLATED
        entry.external_attr = 0o600 << 16
        return entry


class TableWriter:
    """Writes one table in one pass: JSON into the archive, CSV into a spool until `finish`."""

    def __init__(self, archive: Archive, name: str, columns: Sequence[str]) -> None:
        self._archive = archive
        self._name = name
        self._columns = columns
        self._spool = SpooledTemporaryFile(MAX_MEMORY_BYTES)  # noqa: SIM115 (closed by `finish`)
        self._cells = io.TextIOWrapper(self._spool, "utf-8", newline="")
        self._csv = csv.writer(self._cells)
        self._cells.write(BYTE_ORDER_MARK)
        self._csv.writerow(columns)
        self._json = archive.open_entry(f"{name}.json")
        self._json.write(b"[")
        self._has_rows = False

    def add_rows(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Write rows; each has a value for every column."""
        batch = list(rows)
        if batch:
            self._json.write(b",\n" if self._has_rows else b"\n")
            self._json.write(b",\n".join(map(_encoder.encode, batch)))
            self._csv.writerows([format_cell(row[name]) for name in self._columns] for row in batch)
            self._has_rows = True

    def finish(self) -> None:
        """Complete the JSON file and copy the CSV into the archive."""
        self._json.write(b"\n]\n")
        self._json.close()
        self._cells.flush()
        self._spool.seek(0)
        with self._archive.open_entry(f"{self._name}.csv") as entry:
            while chunk := self._spool.read(CHUNK_BYTES):
                entry.write(chunk)
        self._cells.close()


def stream_archive(archive: Archive, scope: str, clock: Clock) -> Stream:
    """Return the archive as an attachment named after scope and day; the response closes it."""
    name = f"prawko-{scope}-{warsaw_date(clock.now()).isoformat()}.zip"
    return Stream(
        archive.chunks(),
        media_type=ZIP_MEDIA_TYPE,
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Content-Length": str(archive.size),
        },
        background=BackgroundTask(archive.close),
    )
