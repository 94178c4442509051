"""What the payments' calls refuse."""

from prawko.base.errors import AppError

RETRY_AFTER_SECONDS = 60


class PaymentRefusedError(AppError):
    """The payer's fault: a wrong code, a refused card. This try will not be paid."""

    status = 422
    key = "payment_refused"


class PaymentUnavailableError(AppError):
    """Nobody takes payments at this moment; the payer may try again."""

    status = 503
    key = "payment_unavailable"

    def __init__(self) -> None:
        super().__init__(retry_after=RETRY_AFTER_SECONDS)


class InvalidTransferError(AppError):
    status = 422
    key = "invalid_transfer"


class NoTransfersError(AppError):
    """No provider here has payments that a person books."""

    status = 409
    key = "no_transfers"
