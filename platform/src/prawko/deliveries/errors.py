"""What the deliveries' calls refuse."""

from prawko.base.errors import AppError


class InvalidSignatureError(AppError):
    """Not the provider's, or too old: nothing of it was kept."""

    status = 401
    key = "invalid_signature"
