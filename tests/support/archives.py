"""Reads the archives that exports answer."""

import io
import json
import zipfile


def open_archive(download) -> zipfile.ZipFile:
    assert download.status_code == 200, download.text
    assert download.headers["content-type"] == "application/zip"
    assert int(download.headers["content-length"]) == len(download.content)
    archive = zipfile.ZipFile(io.BytesIO(download.content))
    assert archive.testzip() is None
    return archive


def json_rows(archive: zipfile.ZipFile, table: str) -> list[dict]:
    return json.loads(archive.read(f"{table}.json"))
