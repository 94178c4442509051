"""Errors of support."""

from prawko.kit.errors import AppError


class InvalidTicketError(AppError):
    status = 422
    key = "invalid_ticket"


class InvalidContactMessageError(AppError):
    status = 422
    key = "invalid_contact_message"
