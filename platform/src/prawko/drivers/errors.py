"""What drivers refuse."""

from prawko.base.errors import AppError


class InvalidDriverDataError(AppError):
    status = 422
    key = "invalid_driver_data"


class LicenceTakenError(AppError):
    """Another driver of the same company bears the number; other companies do not count."""

    status = 409
    key = "license_number_exists"


class DriverLimitError(AppError):
    """The subscription carries no further driver. The sentence holds the word "limit" (spec, 8)."""

    status = 403
    key = "driver_limit_exceeded"
