"""Errors of a manual check."""

from prawko.kit.errors import AppError


class DriverOverLimitError(AppError):
    """The driver is beyond the subscription's limit and not checked (docs/rules.md R6)."""

    status = 403
    key = "driver_over_limit"


class VerificationFailedError(AppError):
    """The register sent an invalid answer or rejected the query (docs/rules.md R19)."""

    status = 502
    key = "verification_failed"


class RegisterUnavailableError(VerificationFailedError):
    """The register did not answer, or the rate limiter has no free slot."""

    status = 503
