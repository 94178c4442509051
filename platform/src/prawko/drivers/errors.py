"""Errors of the driver endpoints."""

from prawko.kit.errors import AppError


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
