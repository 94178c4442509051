"""Extracts the text of a PDF written by fpdf2."""

import re
import zlib

# Compressed bytes may end with a carriage return, so only fpdf2's own line ends count.
_STREAM = re.compile(rb"stream\n(.*?)\nendstream", re.DOTALL)
_FONT_OR_WORDS = re.compile(rb"/F(\d) [\d.]+ Tf|\(((?:\\.|[^\\)])*)\) Tj", re.DOTALL)
_CHARACTER = re.compile(rb"<([0-9A-F]{4})> <([0-9A-F]{4})>")
_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)
_NAMED = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}


def read_pages(pdf: bytes) -> list[list[str]]:
    """The pieces of text of each page, in drawing order."""
    return [[text for _, text in page] for page in read_pieces(pdf)]


def read_pieces(pdf: bytes) -> list[list[tuple[int, str]]]:
    """The pieces of text of each page, each with the number of its font, from 1."""
    streams = [_decompress(stream) for stream in _STREAM.findall(pdf)]
    fonts = [
        {int(code, 16): chr(int(character, 16)) for code, character in _CHARACTER.findall(stream)}
        for stream in streams
        if b"begincmap" in stream
    ]
    return [_text_pieces(stream, fonts) for stream in streams if b" Tf ET" in stream]


def read_text(pdf: bytes) -> str:
    """All text of the PDF, one piece per line."""
    return "\n".join(text for page in read_pages(pdf) for text in page)


def printed_text(pdf: bytes) -> str:
    """The text of a PDF as one line, regardless of wrapping."""
    return " ".join(read_text(pdf).split())


def _decompress(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return stream


def _text_pieces(stream: bytes, fonts: list[dict[int, str]]) -> list[tuple[int, str]]:
    texts, font = [], 1
    for number, encoded in _FONT_OR_WORDS.findall(stream):
        if number:
            font = int(number)
            continue
        plain = _ESCAPED.sub(lambda match: _NAMED.get(match[1], match[1]), encoded)
        codes = [
            int.from_bytes(plain[position : position + 2]) for position in range(0, len(plain), 2)
        ]
        texts.append((font, "".join(fonts[font - 1][code] for code in codes)))
    return texts
