"""Errors of phone verification."""

from prawko.kit.errors import AppError


class InvalidPhoneError(AppError):
    status = 422
    key = "invalid_phone"


class MalformedPhoneCodeError(AppError):
    """The typed text is no code; no attempt is counted."""

    status = 422
    key = "malformed_phone_code"


class InvalidPhoneCodeError(AppError):
    """The code is wrong, expired, used, had too many attempts or is another number's."""

    status = 400
    key = "invalid_phone_code"


class PhoneUnverifiedError(AppError):
    """SMS were switched on without a verified phone."""

    status = 422
    key = "phone_unverified"


class SmsUnavailableError(AppError):
    """No SMS channel is configured."""

    status = 503
    key = "sms_unavailable"
