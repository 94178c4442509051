"""Errors of payments and of bank statements."""

from enum import StrEnum

from prawko.kit.errors import AppError

RETRY_AFTER_SECONDS = 60
# Of a file with statements.
MAX_MEGABYTES = 4
MAX_BYTES = MAX_MEGABYTES * 1024 * 1024
MAX_ENTRIES = 10_000


class PaymentDeclinedError(AppError):
    """The payer's fault: a wrong code, a declined card. This payment has failed."""

    status = 422
    key = "payment_refused"


class PaymentUnavailableError(AppError):
    """No provider accepts payments at present; the payer may try again."""

    status = 503
    key = "payment_unavailable"

    def __init__(self) -> None:
        super().__init__(retry_after=RETRY_AFTER_SECONDS)


class InvalidTransferError(AppError):
    status = 422
    key = "invalid_transfer"


class ManualPaymentsUnavailableError(AppError):
    """No configured provider has payments that operators record."""

    status = 409
    key = "no_transfers"


class StatementProblem(StrEnum):
    """Why a file cannot be read; its sentence is the text `transfers.file.<problem>`."""

    EMPTY = "empty"
    TOO_LARGE = "too_large"
    TOO_MANY_ENTRIES = "too_many_entries"
    NOT_TEXT = "not_text"
    UNKNOWN_FORMAT = "unknown_format"
    INVALID_XML = "invalid_xml"
    NOT_A_STATEMENT = "not_a_statement"
    INVALID_ROW = "invalid_row"
    INVALID_ENTRY = "invalid_entry"
    INVALID_DATE = "invalid_date"
    INVALID_AMOUNT = "invalid_amount"
    INVALID_CURRENCY = "invalid_currency"


class UnreadableStatementError(AppError):
    """The file cannot be read; nothing of it was booked. `line` counts from one, 0 if unknown."""

    status = 422
    key = "unreadable_statement"

    def __init__(self, problem: StatementProblem, *, line: int = 0) -> None:
        super().__init__(
            fields={"contentBase64": f"transfers.file.{problem.value}"},
            line=line,
            megabytes=MAX_MEGABYTES,
            entries=MAX_ENTRIES,
        )
        self.problem = problem
        self.line = line
