"""What billing refuses."""

from prawko.base.errors import AppError


class SubscriptionRequiredError(AppError):
    status = 403
    key = "subscription_required"


class TrialUsedError(AppError):
    """The business has had its trial: this company, its tax id, or this e-mail address."""

    status = 409
    key = "trial_used"


class AlreadySubscribedError(AppError):
    """A trial beside a running subscription would take drivers away, not add them."""

    status = 409
    key = "already_subscribed"


class InvalidTaxIdError(AppError):
    status = 422
    key = "invalid_tax_id"
