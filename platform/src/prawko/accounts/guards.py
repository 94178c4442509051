"""Route guards: signed in, verified address, role, no impersonation, operator.

Coroutines, because Litestar would run plain functions in a thread, at each request.
"""

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from prawko.accounts.authentication import Identity
from prawko.accounts.errors import RoleForbiddenError, SecondFactorSetupRequiredError
from prawko.accounts.roles import ACT, may_do
from prawko.kit.errors import AuthForbiddenError, AuthRequiredError, EmailUnverifiedError

# What the guards of most routes raise, for `error_responses`.
VERIFIED_EMAIL_ERRORS = (AuthRequiredError, EmailUnverifiedError)
OWN_SESSION_ERRORS = (*VERIFIED_EMAIL_ERRORS, AuthForbiddenError)
# Of calls about the company's data, whose act the caller's role may not allow.
RIGHT_ERRORS = (*VERIFIED_EMAIL_ERRORS, RoleForbiddenError)
OWN_RIGHT_ERRORS = (*OWN_SESSION_ERRORS, RoleForbiddenError)
OPERATOR_ERRORS = (AuthRequiredError, AuthForbiddenError, SecondFactorSetupRequiredError)

Connection = ASGIConnection[BaseRouteHandler, Identity | None, None, None]  # type: ignore[type-var]


async def requires_login(connection: Connection, _: BaseRouteHandler) -> None:
    """Require a session; the address may be unverified. Raises AuthRequiredError."""
    if connection.scope.get("user") is None:
        raise AuthRequiredError


async def requires_verified_email(connection: Connection, handler: BaseRouteHandler) -> None:
    """Require a session and a verified address. Raises EmailUnverifiedError."""
    await requires_login(connection, handler)
    if not connection.scope["user"].email_verified:
        raise EmailUnverifiedError


async def requires_right(connection: Connection, handler: BaseRouteHandler) -> None:
    """Require a verified address and a role that may do the route's act (`ACT` of its `opt`).

    Raises RoleForbiddenError.
    """
    await requires_verified_email(connection, handler)
    act = handler.opt[ACT]
    if not may_do(connection.scope["user"].role, act):
        raise RoleForbiddenError(act)


async def forbids_impersonation(connection: Connection, handler: BaseRouteHandler) -> None:
    """Require a session that is no impersonation (docs/rules.md R21)."""
    await requires_login(connection, handler)
    if connection.scope["user"].impersonator_id is not None:
        raise AuthForbiddenError


async def requires_operator(connection: Connection, _: BaseRouteHandler) -> None:
    """Require an operator's own session; raises like `require_operator`."""
    require_operator(connection.scope.get("user"))


def require_operator(identity: Identity | None) -> None:
    """Raise AuthRequiredError for a visitor, AuthForbiddenError for a user who is no operator.

    Refuses impersonators, too. Raises SecondFactorSetupRequiredError for an
    operator without a second factor, unless the settings waive it.
    """
    if identity is None:
        raise AuthRequiredError
    if not identity.is_admin or identity.impersonator_id is not None:
        raise AuthForbiddenError
    if identity.needs_second_factor:
        raise SecondFactorSetupRequiredError
