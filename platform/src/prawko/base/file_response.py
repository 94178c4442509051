"""The HTTP response that a file is downloaded with."""

from litestar import Response


def file_response(
    content: bytes, name: str, media_type: str, *, inline: bool = False
) -> Response[bytes]:
    """Return the file under its name; `inline`: a browser shows it instead of saving it."""
    disposition = "inline" if inline else "attachment"
    return Response(
        content,
        media_type=media_type,
        headers={"Content-Disposition": f'{disposition}; filename="{name}"'},
    )
