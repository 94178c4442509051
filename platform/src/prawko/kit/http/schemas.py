"""Base classes of request and response bodies: camel case, unknown fields rejected."""

import msgspec
from msgspec import Meta

STORABLE = r"\A[^\x00]*\Z"  # PostgreSQL stores no zero character


class RequestModel(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Body of a request."""


class ResponseModel(msgspec.Struct, rename="camel", kw_only=True):
    """Body of a response; it has no defaults, so that every field is always present."""


class OkOut(ResponseModel):
    """Response without data."""

    ok: bool


def openapi_constraints(**constraints: object) -> Meta:
    """Return constraints for the OpenAPI document alone.

    A service checks them, which names the field's message; the decoder could not.
    """
    return Meta(extra_json_schema={"extra": constraints})
