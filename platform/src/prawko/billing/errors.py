"""Errors of billing."""

from prawko.kit.errors import AppError


class SubscriptionRequiredError(AppError):
    status = 403
    key = "subscription_required"


class TrialUsedError(AppError):
    """The trial was used before, by this company, tax id or e-mail address."""

    status = 409
    key = "trial_used"


class AlreadySubscribedError(AppError):
    """An active subscription: a trial would lower its driver limit."""

    status = 409
    key = "already_subscribed"


class InvalidTaxIdError(AppError):
    status = 422
    key = "invalid_tax_id"


class InvalidBillingDetailsError(AppError):
    """A field of the billing details is invalid; `fields` has the reason for each."""

    status = 422
    key = "invalid_billing_details"


class BillingDetailsRequiredError(AppError):
    """A field of the billing details is neither stored nor given."""

    status = 422
    key = "billing_details_required"


class InvalidDriverLimitError(AppError):
    """A limit that cannot be ordered, or not by this company."""

    status = 422
    key = "invalid_driver_limit"


class InvalidPaymentMethodError(AppError):
    """A method that is not offered, not for this amount, or not with this BLIK code."""

    status = 422
    key = "invalid_payment_method"


class SubscriptionSuspendedError(AppError):
    """An operator has closed the subscription; only an operator reopens it."""

    status = 409
    key = "subscription_suspended"


class NoPaidPeriodError(AppError):
    """A limit changes only within a paid period, and none is active."""

    status = 409
    key = "no_paid_period"


class NothingToCancelError(AppError):
    status = 409
    key = "nothing_to_cancel"


class NothingToResumeError(AppError):
    status = 409
    key = "nothing_to_resume"
