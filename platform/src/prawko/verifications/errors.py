"""What verifications refuse."""

from prawko.base.errors import AppError


class VerificationFailedError(AppError):
    """The register answered something that cannot be believed, or refused us (reading R19)."""

    status = 502
    key = "verification_failed"


class RegisterAwayError(VerificationFailedError):
    """The register did not answer, or may not be asked just now."""

    status = 503
