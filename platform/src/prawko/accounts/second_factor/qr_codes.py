"""QR codes as a path of an SVG, which the page draws without loading an image."""

import msgspec
import segno


class QrCode(msgspec.Struct, frozen=True):
    """A square of `size` modules; `path` has the dark ones, for `<path d>`."""

    size: int
    path: str


def draw_qr_code(text: str) -> QrCode:
    """Return the QR code of a text, without its quiet zone."""
    rows = [bytes(row) for row in segno.make_qr(text, error="m").matrix]
    return QrCode(len(rows), "".join(_runs(y, row) for y, row in enumerate(rows)))


def _runs(y: int, row: bytes) -> str:
    """Return the dark runs of a row: one line of the path each."""
    parts, start = [], None
    for x, is_dark in enumerate([*row, 0]):
        if is_dark and start is None:
            start = x
        elif not is_dark and start is not None:
            parts.append(f"M{start} {y}h{x - start}v1h-{x - start}z")
            start = None
    return "".join(parts)
