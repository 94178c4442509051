"""What invoices refuse."""

from prawko.base.errors import AppError


class InvoiceNotReadyError(AppError):
    """Its file is drawn in a moment; the caller may try again."""

    status = 503
    key = "invoice_not_ready"


class NoSellerError(RuntimeError):
    """Something was sold, and the settings name no seller: no invoice can be issued."""

    def __init__(self) -> None:
        super().__init__("SELLER_NAME and the other SELLER_ variables are not set")
