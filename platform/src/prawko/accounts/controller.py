"""The calls of the account (spec, section 7)."""

from typing import Any

from litestar import Controller, Request, Response, get, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody

from prawko.accounts.activity import Act, Journal, Origin
from prawko.accounts.cookies import session_cookie
from prawko.accounts.email_problems import email_problem
from prawko.accounts.errors import (
    EmailTakenError,
    InvalidCodeError,
    InvalidCredentialsError,
    InvalidRegistrationError,
)
from prawko.accounts.guards import signed_in
from prawko.accounts.identity import Identity
from prawko.accounts.repository import AccountRepository
from prawko.accounts.schemas import (
    Announced,
    CodeIn,
    CredentialsIn,
    LanguageIn,
    LanguageOut,
    RegistrationIn,
    SignedIn,
    UserOut,
)
from prawko.accounts.service import Accounts, CurrentSubscription
from prawko.accounts.signing_in import SigningIn
from prawko.base.clock import Clock
from prawko.base.errors import AuthRequiredError, TooManyRequestsError
from prawko.base.jobs import Tools
from prawko.base.refusals import refusals
from prawko.base.schemas import Done
from prawko.base.texts import Language, say
from prawko_tenants.sessions import TenantSession


class AccountController(Controller):
    """Signing up, proving the address, signing in and out, and the own account."""

    path = "/api"
    tags = ("Account",)

    @get(
        "/user",
        operation_id="getUser",
        guards=[signed_in],
        responses=refusals(AuthRequiredError),
    )
    async def show(
        self,
        identity: NamedDependency[Identity],
        session: NamedDependency[TenantSession],
        clock: NamedDependency[Clock],
        current_subscription: NamedDependency[CurrentSubscription],
    ) -> UserOut:
        accounts = AccountRepository(session)
        profile = await accounts.profile(identity.user_id)
        summary = await current_subscription.summary(session)
        return UserOut(
            email=profile.email,
            phone_number=profile.phone_number,
            phone_verified=profile.phone_verified,
            email_notifications_enabled=profile.email_notifications_enabled,
            sms_notifications_enabled=profile.sms_notifications_enabled,
            company_name=await accounts.company_name(identity.tenant_id),
            is_admin=profile.is_admin,
            email_verified=profile.email_verified,
            created_at=profile.created_at,
            subscriptions=[summary] if summary else [],
            language=profile.language,
            clock_offset=clock.offset().total_seconds(),
            terms_version=profile.terms_version,
            email_problem=email_problem(profile.email_state),
        )

    @post(
        "/register",
        operation_id="register",
        opt={"malformed": InvalidRegistrationError},
        responses=refusals(EmailTakenError, InvalidRegistrationError, TooManyRequestsError),
    )
    async def register(
        self,
        data: JSONBody[RegistrationIn],
        request: Request[Any, Any, Any],
        tools: NamedDependency[Tools],
        origin: NamedDependency[Origin],
        spoken: NamedDependency[Language],
    ) -> Response[Announced]:
        language = data.language or spoken
        signed_up = await Accounts(tools).register(
            data.email, data.password, language, origin, leaving=request.scope.get("user")
        )
        answer = Announced(ok=True, message=say("accounts.registered", language))
        return Response(
            answer, status_code=201, cookies=[session_cookie(tools.settings, signed_up.token)]
        )

    @post(
        "/login",
        operation_id="login",
        status_code=200,
        opt={"malformed": InvalidCredentialsError},
        responses=refusals(InvalidCredentialsError, TooManyRequestsError),
    )
    async def login(
        self,
        data: JSONBody[CredentialsIn],
        request: Request[Any, Any, Any],
        tools: NamedDependency[Tools],
        origin: NamedDependency[Origin],
    ) -> Response[SignedIn]:
        session = await SigningIn(tools).login(
            data.email, data.password, origin, leaving=request.scope.get("user")
        )
        return Response(
            SignedIn(ok=True, email_verified=session.email_verified),
            cookies=[session_cookie(tools.settings, session.token)],
        )

    @post("/logout", operation_id="logout", status_code=200)
    async def logout(
        self,
        request: Request[Any, Any, Any],
        tools: NamedDependency[Tools],
        origin: NamedDependency[Origin],
    ) -> Response[Done]:
        identity = request.scope.get("user")
        if identity is not None:
            await SigningIn(tools).logout(identity, origin)
        return Response(Done(ok=True), cookies=[session_cookie(tools.settings, None)])

    @post(
        "/verify-email/send",
        operation_id="sendEmailCode",
        status_code=200,
        guards=[signed_in],
        responses=refusals(AuthRequiredError, TooManyRequestsError),
    )
    async def send_code(
        self,
        identity: NamedDependency[Identity],
        tools: NamedDependency[Tools],
        origin: NamedDependency[Origin],
        spoken: NamedDependency[Language],
    ) -> Announced:
        await Accounts(tools).send_code(identity, origin)
        return Announced(ok=True, message=say("accounts.code_sent", spoken))

    @post(
        "/verify-email",
        operation_id="verifyEmail",
        status_code=200,
        guards=[signed_in],
        opt={"malformed": InvalidCodeError},
        responses=refusals(AuthRequiredError, InvalidCodeError, TooManyRequestsError),
    )
    async def verify_email(
        self,
        data: JSONBody[CodeIn],
        identity: NamedDependency[Identity],
        tools: NamedDependency[Tools],
        origin: NamedDependency[Origin],
    ) -> Done:
        await Accounts(tools).verify_email(identity, data.token, origin)
        return Done(ok=True)

    @put(
        "/user/language",
        operation_id="setLanguage",
        guards=[signed_in],
        responses=refusals(AuthRequiredError),
    )
    async def set_language(
        self,
        data: JSONBody[LanguageIn],
        identity: NamedDependency[Identity],
        session: NamedDependency[TenantSession],
        clock: NamedDependency[Clock],
        journal: NamedDependency[Journal],
    ) -> LanguageOut:
        await AccountRepository(session).set_language(identity.user_id, data.language, clock.now())
        await journal.note(Act.LANGUAGE_CHANGED, language=data.language.value)
        return LanguageOut(language=data.language)
