"""HTTP calls of the second factor."""

from typing import Any

from litestar import Controller, Request, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from prawko import limits
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import Identity
from prawko.accounts.cookies import cookie_name, sign_in_cookies
from prawko.accounts.errors import (
    InvalidSecondFactorError,
    SecondFactorDisabledError,
    SecondFactorEnabledError,
    WrongPasswordError,
)
from prawko.accounts.guards import (
    OWN_SESSION_ERRORS,
    forbids_impersonation,
    requires_verified_email,
)
from prawko.accounts.schemas import (
    AuthenticatorCodeIn,
    LoginOut,
    PasswordIn,
    RecoveryCodesOut,
    SecondFactorCodeIn,
    SecondFactorConsentIn,
    SecondFactorOut,
    SecondFactorSetupOut,
)
from prawko.accounts.second_factor.login import SecondFactorLogin
from prawko.accounts.second_factor.service import SecondFactorService
from prawko.kit.context import AppContext
from prawko.kit.errors import AuthRequiredError, TooManyRequestsError
from prawko.kit.http.error_responses import error_responses
from prawko.kit.http.schemas import OkOut
from prawko.limits import USER_LIMIT

_CONSENT_ERRORS = (
    *OWN_SESSION_ERRORS,
    WrongPasswordError,
    InvalidSecondFactorError,
    SecondFactorDisabledError,
    TooManyRequestsError,
)


class SecondFactorController(Controller):
    """The caller's second factor."""

    path = "/api/user/second-factor"
    tags = ("Account",)
    guards = (requires_verified_email, forbids_impersonation)

    @get(operation_id="getSecondFactor", responses=error_responses(*OWN_SESSION_ERRORS))
    async def get_status(
        self, identity: NamedDependency[Identity], context: NamedDependency[AppContext]
    ) -> SecondFactorOut:
        return await SecondFactorService(context).status(identity)

    @post(
        operation_id="startSecondFactor",
        opt={USER_LIMIT: limits.ACCOUNT_CHANGES},
        status_code=200,
        summary="Begin the set-up with a new secret",
        responses=error_responses(
            *OWN_SESSION_ERRORS, WrongPasswordError, SecondFactorEnabledError, TooManyRequestsError
        ),
    )
    async def start_setup(
        self,
        data: JSONBody[PasswordIn],
        identity: NamedDependency[Identity],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
    ) -> SecondFactorSetupOut:
        return await SecondFactorService(context).start_setup(identity, data.password, client)

    @post(
        "/confirm",
        operation_id="confirmSecondFactor",
        opt={USER_LIMIT: limits.ACCOUNT_CHANGES},
        status_code=200,
        summary="Switch it on with a code of the authenticator app",
        responses=error_responses(
            *OWN_SESSION_ERRORS,
            InvalidSecondFactorError,
            SecondFactorDisabledError,
            TooManyRequestsError,
        ),
    )
    async def confirm_setup(
        self,
        data: JSONBody[AuthenticatorCodeIn],
        identity: NamedDependency[Identity],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
    ) -> Response[RecoveryCodesOut]:
        enabled = await SecondFactorService(context).confirm_setup(identity, data.code, client)
        return Response(
            RecoveryCodesOut(recovery_codes=enabled.recovery_codes),
            cookies=sign_in_cookies(context.settings, enabled.signed_in),
        )

    @delete(
        operation_id="disableSecondFactor",
        opt={USER_LIMIT: limits.ACCOUNT_CHANGES},
        status_code=200,
        summary="Switch it off",
        responses=error_responses(*_CONSENT_ERRORS),
    )
    async def disable(
        self,
        data: JSONBody[SecondFactorConsentIn],
        identity: NamedDependency[Identity],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
    ) -> Response[OkOut]:
        signed_in = await SecondFactorService(context).disable(
            identity, data.password, data.code, client
        )
        cookies = sign_in_cookies(context.settings, signed_in)
        return Response(OkOut(ok=True), cookies=cookies)

    @post(
        "/recovery-codes",
        operation_id="replaceRecoveryCodes",
        opt={USER_LIMIT: limits.ACCOUNT_CHANGES},
        status_code=200,
        summary="Get new recovery codes in place of the earlier ones",
        responses=error_responses(*_CONSENT_ERRORS),
    )
    async def replace_recovery_codes(
        self,
        data: JSONBody[SecondFactorConsentIn],
        identity: NamedDependency[Identity],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
    ) -> RecoveryCodesOut:
        codes = await SecondFactorService(context).replace_recovery_codes(
            identity, data.password, data.code, client
        )
        return RecoveryCodesOut(recovery_codes=codes)


class SecondFactorLoginController(Controller):
    """The second step of a sign-in."""

    path = "/api/login/second-factor"
    tags = ("Account",)

    @post(
        operation_id="loginSecondFactor",
        status_code=200,
        summary="Finish a sign-in that waits for its second factor",
        opt={"malformed": InvalidSecondFactorError},
        responses=error_responses(
            AuthRequiredError, InvalidSecondFactorError, TooManyRequestsError
        ),
    )
    async def complete_login(
        self,
        data: JSONBody[SecondFactorCodeIn],
        request: Request[Any, Any, Any],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
    ) -> Response[LoginOut]:
        token = request.cookies.get(cookie_name(context.settings), "")
        signed_in = await SecondFactorLogin(context).complete(token, data.code, client)
        return Response(
            LoginOut(ok=True, email_verified=signed_in.email_verified),
            cookies=sign_in_cookies(context.settings, signed_in),
        )
