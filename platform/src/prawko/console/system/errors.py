"""Refused acts on incidents."""

from prawko.kit.errors import AppError


class IncidentClosedError(AppError):
    status = 409
    key = "incident_closed"
