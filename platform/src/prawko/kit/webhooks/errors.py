"""Errors of webhook calls."""

from prawko.kit.errors import AppError


class InvalidWebhookSignatureError(AppError):
    """The signature is invalid or too old; nothing was stored."""

    status = 401
    key = "invalid_signature"
