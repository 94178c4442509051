"""Refused acts on deliveries."""

from prawko.kit.errors import AppError


class DeliveryNotResendableError(AppError):
    """The message waits or was sent, its secret was deleted, or it belongs to no company."""

    status = 409
    key = "delivery_not_resendable"
