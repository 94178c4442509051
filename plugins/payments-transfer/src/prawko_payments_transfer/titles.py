"""Formats references as transfer titles, and extracts them from titles in bank statements.

Payers retype titles; banks break them into lines, change their case and add words. A reference
has 12 characters of Crockford's base 32, which has no I, L, O or U.
"""

import re

REFERENCE_LENGTH = 12
_GROUP_SIZE = 4
_ALPHABET = "0-9A-HJKMNP-TV-Z"
_REFERENCE = re.compile(f"[{_ALPHABET}]{{{REFERENCE_LENGTH}}}", re.ASCII)
_DIGIT = re.compile("[0-9]", re.ASCII)
_SEPARATORS = re.compile("[^0-9A-Z]+", re.ASCII)
_MISREAD_DIGITS = str.maketrans("OIL", "011")
_GAP = "[^0-9A-Z]*"
_GROUPS = _GAP.join([f"[{_ALPHABET}]{{{_GROUP_SIZE}}}"] * (REFERENCE_LENGTH // _GROUP_SIZE))
_WORD_START, _WORD_END = "(?<![0-9A-Z])", "(?![0-9A-Z])"


def format_title(prefix: str, reference: str) -> str:
    """Return a title such as `PRAWKO 7F3K 9QX2 ABCD`. Raises ValueError for another reference."""
    if not _REFERENCE.fullmatch(reference):
        raise ValueError(
            f"a reference in a title has {REFERENCE_LENGTH} characters of Crockford's base 32"
        )
    groups = [
        reference[start : start + _GROUP_SIZE] for start in range(0, REFERENCE_LENGTH, _GROUP_SIZE)
    ]
    return " ".join([prefix, *groups])


def extract_reference(prefix: str, text: str) -> str | None:
    """Return the reference that a title names; None if there is none, or more than one.

    The most reliable pattern that matches decides: groups of four after our prefix; any twelve
    characters after it; groups of four with a digit among them, without a prefix.
    """
    title = text.upper().translate(_MISREAD_DIGITS)
    prefix = prefix.translate(_MISREAD_DIGITS)
    compact_title = _SEPARATORS.sub("", title)
    candidates = (
        _find_references(f"{prefix}{_GAP}({_GROUPS}){_WORD_END}", title),
        _find_references(f"(?={prefix}([{_ALPHABET}]{{{REFERENCE_LENGTH}}}))", compact_title),
        {
            reference
            for reference in _find_references(f"{_WORD_START}({_GROUPS}){_WORD_END}", title)
            if _DIGIT.search(reference)
        },
    )
    references = next((found for found in candidates if found), set())
    return references.pop() if len(references) == 1 else None


def _find_references(pattern: str, text: str) -> set[str]:
    return {_SEPARATORS.sub("", match) for match in re.findall(pattern, text, re.ASCII)}
