"""Refusals of an import."""

from enum import StrEnum

from prawko.kit.errors import AppError

MAX_MEGABYTES = 2
MAX_ROWS = 10_000  # the largest limit that can be ordered


class ImportProblem(StrEnum):
    """Why a file cannot be read; its sentence is the text `drivers.import_file.<problem>`."""

    EMPTY = "empty"
    TOO_LARGE = "too_large"
    TOO_MANY_ROWS = "too_many_rows"
    NOT_A_TABLE = "not_a_table"
    DAMAGED = "damaged"
    MISSING_COLUMNS = "missing_columns"


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
