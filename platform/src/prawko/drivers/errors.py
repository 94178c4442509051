"""Errors of drivers and of their import."""

from enum import StrEnum

from prawko.kit.errors import AppError

# Of an imported file.
MAX_MEGABYTES = 2
MAX_BYTES = MAX_MEGABYTES * 1024 * 1024
MAX_ROWS = 10_000  # the largest limit that can be ordered


class InvalidDriverDataError(AppError):
    status = 422
    key = "invalid_driver_data"


class InvalidAcknowledgementError(AppError):
    status = 422
    key = "invalid_acknowledgement"


class EpisodeEndedError(AppError):
    """The driver's status has changed since the status that was acknowledged."""

    status = 409
    key = "episode_ended"


class LicenceTakenError(AppError):
    """Another driver of the same company has this licence number."""

    status = 409
    key = "license_number_exists"


class DriverLimitError(AppError):
    """The driver limit is reached. Its message contains the word "limit" (docs/rules.md P41)."""

    status = 403
    key = "driver_limit_exceeded"


class ImportProblem(StrEnum):
    """Why a file cannot be read; its sentence is the text `drivers.import_file.<problem>`."""

    EMPTY = "empty"
    TOO_LARGE = "too_large"
    TOO_MANY_ROWS = "too_many_rows"
    NOT_A_TABLE = "not_a_table"
    DAMAGED = "damaged"
    ERRORS = "errors"
    MISSING_COLUMNS = "missing_columns"
    UNKNOWN_ENCODING = "unknown_encoding"
    NOT_READ = "not_read"


class UnreadableImportError(AppError):
    """The file or the text cannot be read; nothing of it was added."""

    status = 422
    key = "unreadable_import"

    def __init__(self, problem: ImportProblem) -> None:
        super().__init__(
            fields={"content": f"drivers.import_file.{problem.value}"},
            megabytes=MAX_MEGABYTES,
            rows=f"{MAX_ROWS:,}".replace(",", "\N{NO-BREAK SPACE}"),
        )
        self.problem = problem


class InvalidImportError(AppError):
    """No rows were chosen, or one that is not in the file or has mistakes."""

    status = 422
    key = "invalid_import"
