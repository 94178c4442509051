"""Refused acts on payments."""

from prawko.base.errors import AppError


class DiscrepancyResolvedError(AppError):
    """The discrepancy is not open any more."""

    status = 409
    key = "discrepancy_resolved"


class RefundNotPossibleError(AppError):
    """The provider makes no refunds, or the amount is not one that may be refunded."""

    status = 409
    key = "refund_refused"


class InvalidStatementError(AppError):
    """The body is not a file with lines of it."""

    status = 422
    key = "invalid_statement"
