"""Errors of a manual check."""

from prawko.kit.errors import AppError


class VerificationFailedError(AppError):
    """The register sent an invalid answer or rejected the query (docs/rules.md R19)."""

    status = 502
    key = "verification_failed"


class RegisterUnavailableError(VerificationFailedError):
    """The register did not answer, or the rate limiter has no free slot."""

    status = 503
