"""XLSX files as spreadsheets, and others, write them."""

import io
import zipfile

NAMES = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def xlsx(sheet: str, *, texts: str = "", **parts: bytes) -> bytes:
    """Return a workbook whose first sheet has these rows."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{NAMES}" xmlns:r="{RELATIONS}"><sheets><sheet name="A" sheetId="1"'
            ' r:id="rId7"/><sheet name="B" sheetId="2" r:id="rId8"/></sheets></workbook>',
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
