"""HTTP calls of phone verification (docs/rules.md P16, P29)."""

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import Identity
from prawko.accounts.errors import (
    InvalidPhoneCodeError,
    InvalidPhoneError,
    MalformedPhoneCodeError,
    SmsUnavailableError,
)
from prawko.accounts.guards import (
    OWN_SESSION_ERRORS,
    forbids_impersonation,
    requires_verified_email,
)
from prawko.accounts.phone_verification import RESEND_DELAY, PhoneVerification
from prawko.accounts.schemas import PhoneCodeIn, PhoneCodeSentOut, PhoneIn, PhoneVerifiedOut
from prawko.kit.context import AppContext
from prawko.kit.errors import TooManyRequestsError
from prawko.kit.http.error_responses import error_responses
from prawko.kit.text.i18n import Language, translate


class PhoneController(Controller):
    """Sends and checks the codes that verify the caller's phone."""

    path = "/api/notifications"
    tags = ("Notifications",)
    guards = (requires_verified_email, forbids_impersonation)

    @post(
        "/send-verification-sms",
        operation_id="sendPhoneCode",
        summary="Send a code to a phone",
        status_code=200,
        opt={"malformed": InvalidPhoneError},
        responses=error_responses(
            *OWN_SESSION_ERRORS, InvalidPhoneError, TooManyRequestsError, SmsUnavailableError
        ),
    )
    async def send_phone_code(
        self,
        data: JSONBody[PhoneIn],
        identity: NamedDependency[Identity],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
        language: NamedDependency[Language],
    ) -> PhoneCodeSentOut:
        """The number becomes the caller's; a changed number is unverified."""
        await PhoneVerification(context).send_code(identity, data.phone_number, client)
        return PhoneCodeSentOut(
            ok=True,
            message=translate("phone.code_sent", language),
            resend_after=int(RESEND_DELAY.total_seconds()),
        )

    @post(
        "/verify-sms",
        operation_id="verifyPhone",
        summary="Verify a phone with the code of the SMS",
        status_code=200,
        opt={"malformed": MalformedPhoneCodeError},
        responses=error_responses(
            *OWN_SESSION_ERRORS, MalformedPhoneCodeError, InvalidPhoneCodeError
        ),
    )
    async def verify_phone(
        self,
        data: JSONBody[PhoneCodeIn],
        identity: NamedDependency[Identity],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
        language: NamedDependency[Language],
    ) -> PhoneVerifiedOut:
        number = await PhoneVerification(context).verify_number(identity, data.code, client)
        return PhoneVerifiedOut(
            ok=True, message=translate("phone.verified", language), phone_number=number
        )
