"""Errors of invoices."""

from prawko.kit.errors import AppError


class InvoiceNotReadyError(AppError):
    """The PDF is not rendered yet; the caller may retry."""

    status = 503
    key = "invoice_not_ready"


class SellerNotConfiguredError(RuntimeError):
    """The settings name no seller, so that no invoice can be issued."""

    def __init__(self) -> None:
        super().__init__("SELLER_NAME and the other SELLER_ variables are not set")
