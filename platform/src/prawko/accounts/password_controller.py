"""The calls about passwords: forgotten, replaced, changed, and looked at while typed."""

from litestar import Controller, Response, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from prawko.accounts import passwords
from prawko.accounts.activity import Origin
from prawko.accounts.cookies import session_cookie
from prawko.accounts.errors import (
    InvalidEmailError,
    InvalidPasswordError,
    InvalidResetLinkError,
    WrongPasswordError,
)
from prawko.accounts.guards import in_person, verified_email
from prawko.accounts.identity import Identity
from prawko.accounts.own_password import OwnPassword
from prawko.accounts.recovery import Recovery
from prawko.accounts.schemas import (
    Announced,
    EmailIn,
    NewPasswordIn,
    PasswordChangeIn,
    PasswordFaultsOut,
    PasswordIn,
)
from prawko.base.errors import (
    AuthForbiddenError,
    AuthRequiredError,
    EmailUnverifiedError,
    TooManyRequestsError,
)
from prawko.base.jobs import Tools
from prawko.base.refusals import refusals
from prawko.base.texts import Language, say


class PasswordController(Controller):
    """Replacing a forgotten password, and changing a known one."""

    path = "/api"
    tags = ("Account",)

    @post(
        "/request-password-reset",
        operation_id="requestPasswordReset",
        status_code=200,
        opt={"malformed": InvalidEmailError},
        responses=refusals(InvalidEmailError, TooManyRequestsError),
    )
    async def request_reset(
        self,
        data: JSONBody[EmailIn],
        tools: NamedDependency[Tools],
        origin: NamedDependency[Origin],
        spoken: NamedDependency[Language],
    ) -> Announced:
        await Recovery(tools).request(data.email, origin)
        return Announced(ok=True, message=say("accounts.reset_requested", spoken))

    @post(
        "/reset-password",
        operation_id="resetPassword",
        status_code=200,
        opt={"malformed": InvalidPasswordError},
        responses=refusals(InvalidPasswordError, InvalidResetLinkError, TooManyRequestsError),
    )
    async def reset(
        self,
        data: JSONBody[NewPasswordIn],
        tools: NamedDependency[Tools],
        origin: NamedDependency[Origin],
        spoken: NamedDependency[Language],
    ) -> Announced:
        await Recovery(tools).reset(data.token, data.new_password, data.confirm_password, origin)
        return Announced(ok=True, message=say("accounts.password_replaced", spoken))

    @post(
        "/user/change-password",
        operation_id="changePassword",
        status_code=200,
        guards=[verified_email, in_person],
        opt={"malformed": InvalidPasswordError},
        responses=refusals(
            AuthRequiredError,
            EmailUnverifiedError,
            AuthForbiddenError,
            InvalidPasswordError,
            WrongPasswordError,
            TooManyRequestsError,
        ),
    )
    async def change(
        self,
        data: JSONBody[PasswordChangeIn],
        identity: NamedDependency[Identity],
        tools: NamedDependency[Tools],
        origin: NamedDependency[Origin],
        spoken: NamedDependency[Language],
    ) -> Response[Announced]:
        token = await OwnPassword(tools).change(
            identity, data.current_password, data.new_password, data.confirm_password, origin
        )
        answer = Announced(ok=True, message=say("accounts.password_changed", spoken))
        return Response(answer, cookies=[session_cookie(tools.settings, token)])

    @post(
        "/check-password",
        operation_id="checkPassword",
        status_code=200,
        sync_to_thread=False,
        summary="Say what a password lacks, for the live checklist; nothing is kept of it",
    )
    def look_at(
        self, data: JSONBody[PasswordIn], tools: NamedDependency[Tools]
    ) -> PasswordFaultsOut:
        refuse = tools.settings.refuse_common_passwords
        return PasswordFaultsOut(
            faults=passwords.faults(data.password, refuse_common=True),
            refused=bool(passwords.faults(data.password, refuse_common=refuse)),
        )
