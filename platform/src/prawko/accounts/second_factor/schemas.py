"""Request and response models of the second factor."""

from datetime import datetime

from prawko.accounts.schemas import Text
from prawko.accounts.second_factor.qr_codes import QrCode
from prawko.kit.http.schemas import RequestModel, ResponseModel


class SecondFactorCodeIn(RequestModel):
    """A code of the authenticator app or a recovery code, as typed."""

    code: Text


class AuthenticatorCodeIn(RequestModel):
    """A code of the authenticator app that is being set up, as typed."""

    code: Text


class SecondFactorConsentIn(RequestModel):
    """The current password and a code: what a change of the second factor takes."""

    password: Text
    code: Text


class SecondFactorRequiredOut(ResponseModel):
    """The password was right; the sign-in now waits ten minutes for a code."""

    ok: bool
    second_factor_required: bool


class SecondFactorOut(ResponseModel):
    """The state of the caller's second factor; `required` where an operator must have one."""

    enabled: bool
    enabled_at: datetime | None
    recovery_codes_left: int
    required: bool


class SecondFactorSetupOut(ResponseModel):
    """The secret of an authenticator app, to type, as an address, and as a QR code."""

    secret: str
    uri: str
    qr_code: QrCode


class RecoveryCodesOut(ResponseModel):
    """Ten recovery codes. They are shown once."""

    recovery_codes: list[str]
