"""Errors of push messages in browsers."""

from prawko.kit.errors import AppError


class PushUnavailableError(AppError):
    """No channel of push messages is configured."""

    status = 503
    key = "push_unavailable"


class InvalidPushSubscriptionError(AppError):
    """The browser's push service is not among the configured ones, or its keys are malformed."""

    status = 422
    key = "invalid_push_subscription"


class PushLimitError(AppError):
    """The person gets push messages in ten browsers already."""

    status = 409
    key = "push_limit_exceeded"
