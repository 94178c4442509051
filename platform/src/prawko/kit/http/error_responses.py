"""Error responses of routes in the OpenAPI document."""

from typing import Annotated

import msgspec
from litestar.openapi.datastructures import ResponseSpec
from msgspec import Meta

from prawko.kit.errors import AppError


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An error response: a stable key in `error`, a translated sentence in `message`.

    `fields` maps fields of the request to sentences of their own.
    """

    error: Annotated[str, Meta(examples=["auth_required"])]
    message: str
    fields: dict[str, str] = {}


def error_responses(*errors: type[AppError]) -> dict[int, ResponseSpec]:
    """Return the `responses` of a route: one for each status among `errors`."""
    by_status: dict[int, list[str]] = {}
    for error in errors:
        by_status.setdefault(error.status, []).append(error.key)
    return {
        status: ResponseSpec(
            data_container=Problem, description=", ".join(keys), generate_examples=False
        )
        for status, keys in by_status.items()
    }
