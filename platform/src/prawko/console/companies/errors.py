"""Refused acts on companies."""

from prawko.kit.errors import AppError


class CompanySuspendedError(AppError):
    status = 409
    key = "company_suspended"


class CompanyNotSuspendedError(AppError):
    status = 409
    key = "company_not_suspended"


class NoSubscriptionError(AppError):
    """There is nothing to suspend or extend."""

    status = 409
    key = "no_subscription"
