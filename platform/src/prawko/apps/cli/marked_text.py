"""Replaces generated text in pages that people write."""

from pathlib import Path


def replace_marked_text(file: Path, begin: str, end: str, text: str) -> bool:
    """Write a text between two marks of a file; False if the file does not have both."""
    page = file.read_text(encoding="utf-8")
    before, _, rest = page.partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        return False
    file.write_text(f"{before}{begin}\n{text}\n\n{end}{after}", encoding="utf-8")
    return True
