"""Refused acts on tickets and contact messages."""

from prawko.kit.errors import AppError


class InvalidAnswerError(AppError):
    status = 422
    key = "invalid_answer"


class SenderUnknownError(AppError):
    """The account that sent the ticket was deleted."""

    status = 409
    key = "sender_unknown"


class SubmissionClosedError(AppError):
    status = 409
    key = "submission_closed"


class SubmissionOpenError(AppError):
    """Only a closed ticket or message can be opened again."""

    status = 409
    key = "submission_open"
