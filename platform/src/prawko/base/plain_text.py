"""Normalises text for mail headers, SMS and logs."""


def to_single_line(text: str) -> str:
    """Return the text on one line: control characters and runs of blanks become one blank."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
