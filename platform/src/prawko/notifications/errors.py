"""Errors of notices, their recipients and push messages."""

from prawko.kit.errors import AppError


class InvalidRecipientError(AppError):
    status = 422
    key = "invalid_recipient"


class RecipientExistsError(AppError):
    """A member or another recipient of the company has this address."""

    status = 409
    key = "recipient_exists"


class RecipientLimitError(AppError):
    """The company has as many recipients as one may have."""

    status = 409
    key = "recipient_limit_exceeded"


class RecipientStoppedError(AppError):
    """The person stopped the alerts, and only the person can switch them on again."""

    status = 409
    key = "recipient_stopped"


class RecipientConfirmedError(AppError):
    """The person agreed already, and mail arrives."""

    status = 409
    key = "recipient_confirmed"


class LastAlertReaderError(AppError):
    """No member would get a notice of a withheld licence outside the panel any more."""

    status = 409
    key = "last_alert_reader"


class InvalidRecipientLinkError(AppError):
    """The link is wrong, replaced or expired, or its recipient deleted; the answer is the same."""

    status = 400
    key = "invalid_recipient_link"


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
