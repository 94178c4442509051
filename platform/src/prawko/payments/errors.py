"""Errors of the API of payments."""

from prawko.kit.errors import AppError

RETRY_AFTER_SECONDS = 60


class PaymentDeclinedError(AppError):
    """The payer's fault: a wrong code, a declined card. This payment has failed."""

    status = 422
    key = "payment_refused"


class PaymentUnavailableError(AppError):
    """No provider accepts payments at present; the payer may try again."""

    status = 503
    key = "payment_unavailable"

    def __init__(self) -> None:
        super().__init__(retry_after=RETRY_AFTER_SECONDS)


class InvalidTransferError(AppError):
    status = 422
    key = "invalid_transfer"


class ManualPaymentsUnavailableError(AppError):
    """No configured provider has payments that operators record."""

    status = 409
    key = "no_transfers"
