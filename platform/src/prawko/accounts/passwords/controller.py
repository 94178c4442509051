"""HTTP calls about passwords: request a reset, reset, change, and check while typing."""

from litestar import Controller, Response, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from prawko import limits
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import Identity
from prawko.accounts.cookies import known_browser_cookie, sign_in_cookies
from prawko.accounts.errors import (
    InvalidEmailError,
    InvalidPasswordError,
    InvalidResetLinkError,
    WrongPasswordError,
)
from prawko.accounts.guards import (
    OWN_SESSION_ERRORS,
    forbids_impersonation,
    requires_verified_email,
)
from prawko.accounts.passwords.change import PasswordChange
from prawko.accounts.passwords.policy import password_issues
from prawko.accounts.passwords.reset import PasswordReset
from prawko.accounts.schemas import (
    EmailIn,
    MessageOut,
    NewPasswordIn,
    PasswordChangeIn,
    PasswordIn,
    PasswordIssuesOut,
    ResetTokenIn,
)
from prawko.kit.context import AppContext
from prawko.kit.errors import TooManyRequestsError
from prawko.kit.http.error_responses import error_responses
from prawko.kit.http.schemas import OkOut
from prawko.kit.text.i18n import Language, translate
from prawko.limits import USER_LIMIT


class PasswordController(Controller):
    """Resetting a forgotten password, and changing a known one."""

    path = "/api"
    tags = ("Account",)

    @post(
        "/request-password-reset",
        operation_id="requestPasswordReset",
        status_code=200,
        opt={"malformed": InvalidEmailError},
        responses=error_responses(InvalidEmailError, TooManyRequestsError),
    )
    async def request_reset(
        self,
        data: JSONBody[EmailIn],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
        language: NamedDependency[Language],
    ) -> MessageOut:
        await PasswordReset(context).request_link(data.email, client)
        return MessageOut(ok=True, message=translate("accounts.reset_requested", language))

    @post(
        "/reset-password",
        operation_id="resetPassword",
        status_code=200,
        opt={"malformed": InvalidPasswordError},
        responses=error_responses(
            InvalidPasswordError, InvalidResetLinkError, TooManyRequestsError
        ),
    )
    async def reset_password(
        self,
        data: JSONBody[NewPasswordIn],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
        language: NamedDependency[Language],
    ) -> Response[MessageOut]:
        known_browsers = await PasswordReset(context).reset_password(
            data.token, data.new_password, data.confirm_password, client
        )
        body = MessageOut(ok=True, message=translate("accounts.password_replaced", language))
        return Response(body, cookies=[known_browser_cookie(context.settings, known_browsers)])

    @post(
        "/reset-password/check",
        operation_id="checkResetLink",
        status_code=200,
        summary="Check a reset link before the new password is typed; the link stays valid",
        opt={"malformed": InvalidResetLinkError},
        responses=error_responses(InvalidResetLinkError, TooManyRequestsError),
    )
    async def check_reset_link(
        self,
        data: JSONBody[ResetTokenIn],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
    ) -> OkOut:
        await PasswordReset(context).check_link(data.token, client)
        return OkOut(ok=True)

    @post(
        "/user/change-password",
        operation_id="changePassword",
        status_code=200,
        guards=[requires_verified_email, forbids_impersonation],
        opt={USER_LIMIT: limits.ACCOUNT_CHANGES, "malformed": InvalidPasswordError},
        responses=error_responses(
            *OWN_SESSION_ERRORS, InvalidPasswordError, WrongPasswordError, TooManyRequestsError
        ),
    )
    async def change_password(
        self,
        data: JSONBody[PasswordChangeIn],
        identity: NamedDependency[Identity],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
        language: NamedDependency[Language],
    ) -> Response[MessageOut]:
        signed_in = await PasswordChange(context).change_password(
            identity, data.current_password, data.new_password, data.confirm_password, client
        )
        body = MessageOut(ok=True, message=translate("accounts.password_changed", language))
        cookies = sign_in_cookies(context.settings, signed_in)
        return Response(body, cookies=cookies)

    @post(
        "/check-password",
        operation_id="checkPassword",
        status_code=200,
        sync_to_thread=False,
        summary="List the rules that a password breaks, for the live checklist; it is not stored",
    )
    def check_strength(
        self, data: JSONBody[PasswordIn], context: NamedDependency[AppContext]
    ) -> PasswordIssuesOut:
        refuse = context.settings.refuse_common_passwords
        return PasswordIssuesOut(
            faults=password_issues(data.password, refuse_common=True),
            refused=bool(password_issues(data.password, refuse_common=refuse)),
        )
