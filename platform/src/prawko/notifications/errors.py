"""What notifications refuse."""

from prawko.base.errors import AppError


class InvalidPhoneError(AppError):
    status = 422
    key = "invalid_phone"


class MalformedPhoneCodeError(AppError):
    """What was typed cannot be a code: it is not tried."""

    status = 422
    key = "malformed_phone_code"


class InvalidPhoneCodeError(AppError):
    """One answer for a wrong, an old, a used and a worn-out code, and for another number's."""

    status = 400
    key = "invalid_phone_code"


class PhoneUnverifiedError(AppError):
    """SMS are for phones whose owner has typed a code."""

    status = 422
    key = "phone_unverified"


class SmsUnavailableError(AppError):
    """No channel carries SMS here."""

    status = 503
    key = "sms_unavailable"
