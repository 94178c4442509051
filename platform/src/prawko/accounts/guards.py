"""Who may pass: signed in, with a verified address, in person, or as an operator."""

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from prawko.accounts.identity import Identity
from prawko.base.errors import AuthForbiddenError, AuthRequiredError, EmailUnverifiedError

Connection = ASGIConnection[BaseRouteHandler, Identity | None, None, None]  # type: ignore[type-var]


def signed_in(connection: Connection, _: BaseRouteHandler) -> None:
    """Let a signed-in person pass, its address verified or not."""
    if connection.scope.get("user") is None:
        raise AuthRequiredError


def verified_email(connection: Connection, handler: BaseRouteHandler) -> None:
    """Let a signed-in person with a verified address pass."""
    signed_in(connection, handler)
    if not connection.scope["user"].email_verified:
        raise EmailUnverifiedError


def in_person(connection: Connection, handler: BaseRouteHandler) -> None:
    """Let a signed-in person pass, but no operator who works in that person's name (R21)."""
    signed_in(connection, handler)
    if connection.scope["user"].impersonator_id is not None:
        raise AuthForbiddenError


def operator(connection: Connection, handler: BaseRouteHandler) -> None:
    """Let an operator pass, and nobody else."""
    in_person(connection, handler)
    if not connection.scope["user"].is_admin:
        raise AuthForbiddenError
