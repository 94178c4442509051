"""HTTP responses that a file is downloaded with, or a PDF shown."""

from typing import Annotated

from litestar import Response
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import QueryParameter

from prawko.kit.text.i18n import Language


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


PDF_MEDIA_TYPE = "application/pdf"

# The screen's language: a link carries no Accept-Language of ours.
ScreenLanguage = Annotated[Language | None, QueryParameter(name="lang")]


def pdf_spec(description: str) -> ResponseSpec:
    """Return the documentation of a call that answers a PDF."""
    return ResponseSpec(
        bytes, media_type=PDF_MEDIA_TYPE, generate_examples=False, description=description
    )


def pdf_response(content: bytes, name: str, *, inline: bool = False) -> Response[bytes]:
    """Return the PDF under a file name; `inline`: a browser shows it instead of saving it."""
    return file_response(content, name, PDF_MEDIA_TYPE, inline=inline)
