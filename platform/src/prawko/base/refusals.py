"""Tells the OpenAPI document which refusals a call may answer with."""

from typing import Annotated

import msgspec
from litestar.openapi.datastructures import ResponseSpec
from msgspec import Meta

from prawko.base.errors import AppError


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A refusal: `error` is the stable key, `message` a sentence fit for a toast."""

    error: Annotated[str, Meta(examples=["auth_required"])]
    message: str
    fields: dict[str, str] = {}


def refusals(*errors: type[AppError]) -> dict[int, ResponseSpec]:
    """The responses of a route, one for each status among `errors`."""
    by_status: dict[int, list[str]] = {}
    for error in errors:
        by_status.setdefault(error.status, []).append(error.key)
    return {
        status: ResponseSpec(
            data_container=Problem, description=", ".join(keys), generate_examples=False
        )
        for status, keys in by_status.items()
    }
