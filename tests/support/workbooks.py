"""XLSX files as spreadsheets, and others, write them."""

import io
import zipfile
from typing import Any

from python_calamine import CalamineWorkbook

NAMES = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def xlsx(sheet: str, *, texts: str = "", **parts: bytes) -> bytes:
    """Return a workbook whose first sheet has these rows."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "_rels/.rels",
            f'<Relationships><Relationship Id="a" Type="{RELATIONS}/officeDocument"'
            ' Target="xl/workbook.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{NAMES}" xmlns:r="{RELATIONS}"><sheets><sheet name="A" sheetId="1"'
            ' r:id="rId7"/></sheets></workbook>',
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships><Relationship Id="rId7" Type="{RELATIONS}/worksheet"'
            ' Target="/xl/worksheets/first.xml"/><Relationship Id="rId9"'
            f' Type="{RELATIONS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/worksheets/first.xml",
            f'<worksheet xmlns="{NAMES}"><sheetData>{sheet}</sheetData></worksheet>',
        )
        archive.writestr("xl/sharedStrings.xml", f'<sst xmlns="{NAMES}">{texts}</sst>')
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return file.getvalue()


def change_parts(content: bytes, replaced: dict[str, str]) -> bytes:
    """Return the workbook with these texts replaced in its parts."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(file, "w") as archive:
        for name in old.namelist():
            part = old.read(name)
            for text, other in replaced.items():
                part = part.replace(text.encode(), other.encode())
            archive.writestr(name, part)
    return file.getvalue()


def read_cells(content: bytes) -> list[list[Any]]:
    """Return the rows of the first sheet."""
    workbook = CalamineWorkbook.from_filelike(io.BytesIO(content))
    return workbook.get_sheet_by_index(0).to_python()
