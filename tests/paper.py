"""Reads the words of a PDF that fpdf2 wrote, line by line, as a reader's program would."""

import re
import zlib

_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
_FONT_OR_WORDS = re.compile(rb"/F(\d) [\d.]+ Tf|\(((?:\\.|[^\\)])*)\) Tj", re.DOTALL)
_CHARACTER = re.compile(rb"<([0-9A-F]{4})> <([0-9A-F]{4})>")
_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)
_NAMED = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}


def pages(pdf: bytes) -> list[list[str]]:
    """The pieces of text on each page, in the order in which they were put there."""
    streams = [_inflated(stream) for stream in _STREAM.findall(pdf)]
    fonts = [
        {int(code, 16): chr(int(letter, 16)) for code, letter in _CHARACTER.findall(stream)}
        for stream in streams
        if b"begincmap" in stream
    ]
    return [_pieces(stream, fonts) for stream in streams if b" Tf ET" in stream]


def text(pdf: bytes) -> str:
    """Everything that is printed, one piece to a line."""
    return "\n".join(piece for page in pages(pdf) for piece in page)


def _inflated(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return stream


def _pieces(stream: bytes, fonts: list[dict[int, str]]) -> list[str]:
    found, font = [], fonts[0]
    for number, shown in _FONT_OR_WORDS.findall(stream):
        if number:
            font = fonts[int(number) - 1]
            continue
        plain = _ESCAPED.sub(lambda match: _NAMED.get(match[1], match[1]), shown)
        codes = [int.from_bytes(plain[n : n + 2]) for n in range(0, len(plain), 2)]
        found.append("".join(font[code] for code in codes))
    return found
