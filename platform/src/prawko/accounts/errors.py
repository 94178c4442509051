"""What accounts refuse."""

from prawko.base.errors import AppError


class EmailTakenError(AppError):
    status = 409
    key = "email_taken"


class InvalidRegistrationError(AppError):
    status = 422
    key = "invalid_registration"


class InvalidCredentialsError(AppError):
    status = 401
    key = "invalid_credentials"


class InvalidCodeError(AppError):
    """One answer for a wrong, an old, a used and a worn-out code."""

    status = 400
    key = "invalid_code"
