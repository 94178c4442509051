"""Errors of support."""

from prawko.base.errors import AppError


class InvalidTicketError(AppError):
    status = 422
    key = "invalid_ticket"


class InvalidContactMessageError(AppError):
    status = 422
    key = "invalid_contact_message"


class InvalidAnswerError(AppError):
    status = 422
    key = "invalid_answer"


class SubmissionClosedError(AppError):
    status = 409
    key = "submission_closed"


class SubmissionOpenError(AppError):
    """Only what is closed can be opened again."""

    status = 409
    key = "submission_open"
