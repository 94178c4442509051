"""Refused acts on tickets."""

from prawko.base.errors import AppError


class SenderUnknownError(AppError):
    """The account that sent the ticket is gone."""

    status = 409
    key = "sender_unknown"
