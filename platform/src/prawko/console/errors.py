"""Errors of the console."""

from prawko.kit.errors import AppError


class InvalidListQueryError(AppError):
    """The sort, range or filter of a list is malformed or not offered."""

    status = 400
    key = "invalid_list_query"


class InvalidUserChangeError(AppError):
    status = 422
    key = "invalid_user_change"


class ImpersonationRefusedError(AppError):
    """The person is an operator, the caller, or belongs to no company (docs/rules.md R21)."""

    status = 409
    key = "impersonation_refused"
