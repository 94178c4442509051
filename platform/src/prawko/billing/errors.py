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


class InvalidBillingDetailsError(AppError):
    """A field of the billing details is not fit; `fields` say which, and why."""

    status = 422
    key = "invalid_billing_details"


class BillingDetailsRequiredError(AppError):
    """Nobody has said yet who is to stand on the invoice."""

    status = 422
    key = "billing_details_required"


class InvalidDriverLimitError(AppError):
    """No order has this limit, or this company may not have it."""

    status = 422
    key = "invalid_driver_limit"


class InvalidPaymentMethodError(AppError):
    """A way to pay that is not offered, or not for this sum, or not with this code."""

    status = 422
    key = "invalid_payment_method"


class SubscriptionSuspendedError(AppError):
    """An operator has closed the subscription: nobody but an operator opens it."""

    status = 409
    key = "subscription_suspended"


class NoPaidPeriodError(AppError):
    """The limit changes within a paid period; where none runs, a limit is ordered with one."""

    status = 409
    key = "no_paid_period"


class NothingToCancelError(AppError):
    status = 409
    key = "nothing_to_cancel"


class NothingToResumeError(AppError):
    status = 409
    key = "nothing_to_resume"
