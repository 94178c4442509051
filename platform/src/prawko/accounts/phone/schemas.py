"""Request and response models of phone verification."""

from typing import Annotated

from prawko.accounts.phone import phone_codes
from prawko.kit.http.schemas import RequestModel, ResponseModel, openapi_constraints

PhoneText = Annotated[str, openapi_constraints(pattern=phone_codes.PHONE_PATTERN)]
CodeText = Annotated[str, openapi_constraints(pattern=phone_codes.CODE_PATTERN)]


class PhoneIn(RequestModel):
    """The number to verify."""

    phone_number: PhoneText = ""


class PhoneCodeIn(RequestModel):
    """The code of the SMS, as typed."""

    code: CodeText = ""


class PhoneCodeSentOut(ResponseModel):
    """A code was sent; the next may be requested after `resend_after` seconds."""

    ok: bool
    message: str
    resend_after: int


class PhoneVerifiedOut(ResponseModel):
    """The number is verified."""

    ok: bool
    message: str
    phone_number: str
