"""Refused acts on payments."""

from prawko.kit.errors import AppError
from prawko.payments.refunds import AMOUNT_CONFLICT, AMOUNT_TOO_HIGH, REFUND_BY_HAND

_TEXTS = {
    REFUND_BY_HAND: "by_hand",
    AMOUNT_TOO_HIGH: "too_high",
    AMOUNT_CONFLICT: "other_amount",
}


class DiscrepancyResolvedError(AppError):
    """The discrepancy is not open any more."""

    status = 409
    key = "discrepancy_resolved"


class RefundPendingError(AppError):
    """A refund of the discrepancy is requested and not made; making it resolves it."""

    status = 409
    key = "refund_pending"


class RefundNotPossibleError(AppError):
    """The provider makes no refunds, or the amount is not one that may be refunded."""

    status = 409
    key = "refund_refused"

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(fields={"amountGrosze": f"console.refund.{_TEXTS.get(reason, 'other')}"})


class InvalidStatementError(AppError):
    """The body is not a file with lines of it."""

    status = 422
    key = "invalid_statement"
