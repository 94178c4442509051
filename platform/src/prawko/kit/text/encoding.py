"""Decodes text files of Polish programs: UTF-8, Windows-1250 or code page 852. Pure."""

_POLISH = frozenset("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ")
_BINARY_STARTS = (b"PK\x03\x04", b"%PDF", b"\xd0\xcf\x11\xe0")  # xlsx, pdf, xls


def decode_text(content: bytes) -> str | None:
    """Return the text of a file; if two encodings fit, the one with more Polish letters counts.

    None for an empty file, another encoding, or a file that is not text.
    """
    if content.startswith(_BINARY_STARTS):
        return None
    texts = [text for name in ("cp1250", "cp852") if (text := _try_decoding(content, name))]
    text = _try_decoding(content, "utf-8-sig") or max(texts, key=_polish_letters, default="")
    return None if not text or "\0" in text else text


def _try_decoding(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return None


def _polish_letters(text: str) -> int:
    return sum(letter in _POLISH for letter in text)
