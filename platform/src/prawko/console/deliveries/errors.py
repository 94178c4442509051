"""Refused acts on deliveries."""

from prawko.base.errors import AppError


class DeliveryNotResendableError(AppError):
    """It waits or was sent, its secret is gone, or it belongs to no company."""

    status = 409
    key = "delivery_not_resendable"
