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


class InvalidEmailError(AppError):
    status = 422
    key = "invalid_email"


class InvalidPasswordError(AppError):
    status = 422
    key = "invalid_password"


class WrongPasswordError(AppError):
    """The present password, asked for beside a new one, is not the account's."""

    status = 400
    key = "wrong_password"


class InvalidResetLinkError(AppError):
    """One answer for a wrong, an old and a used link."""

    status = 400
    key = "invalid_reset_link"
