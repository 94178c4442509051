"""Base classes of request and response bodies: camel case, unknown fields rejected."""

import msgspec


class RequestModel(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Body of a request."""


class ResponseModel(msgspec.Struct, rename="camel", kw_only=True):
    """Body of a response; it has no defaults, so that every field is always present."""


class OkOut(ResponseModel):
    """Response without data."""

    ok: bool
