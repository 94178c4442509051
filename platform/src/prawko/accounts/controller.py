"""HTTP calls of the account (docs/rules.md P13)."""

from typing import Any

import msgspec
from litestar import Controller, Request, Response, get, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, AuditLog, ClientInfo
from prawko.accounts.authentication import Identity
from prawko.accounts.cookies import (
    cookie_name,
    known_browser_cookie,
    session_cookie,
    sign_in_cookies,
)
from prawko.accounts.email_address import to_email_problem
from prawko.accounts.errors import (
    EmailTakenError,
    InvalidCodeError,
    InvalidCredentialsError,
    InvalidRegistrationError,
)
from prawko.accounts.guards import requires_login
from prawko.accounts.impersonation import find_impersonator
from prawko.accounts.legal_acceptances import list_pending_documents
from prawko.accounts.login import LoginService
from prawko.accounts.registration import EmailVerification, RegistrationService
from prawko.accounts.repository import AccountRepository
from prawko.accounts.roles import list_acts
from prawko.accounts.schemas import (
    CredentialsIn,
    CurrentSubscription,
    EmailCodeIn,
    EmailCodeOut,
    LanguageIn,
    LanguageOut,
    ListView,
    LoginOut,
    MessageOut,
    PendingDocument,
    RegistrationIn,
    SecondFactorRequiredOut,
    UserOut,
)
from prawko.accounts.second_factor.login import SecondFactorLogin
from prawko.kit.clock import Clock
from prawko.kit.context import AppContext
from prawko.kit.errors import AuthRequiredError, TooManyRequestsError
from prawko.kit.http.error_responses import error_responses
from prawko.kit.http.schemas import OkOut
from prawko.kit.text.i18n import Language, translate
from prawko.limits import USER_LIMIT
from prawko_tenants.sessions import TenantSession


class AccountController(Controller):
    """Sign-up, e-mail verification, login, logout and the caller's account."""

    path = "/api"
    tags = ("Account",)

    @get(
        "/user",
        operation_id="getUser",
        guards=[requires_login],
        responses=error_responses(AuthRequiredError),
    )
    async def get_user(
        self,
        identity: NamedDependency[Identity],
        session: NamedDependency[TenantSession],
        clock: NamedDependency[Clock],
        current_subscription: NamedDependency[CurrentSubscription],
    ) -> UserOut:
        accounts = AccountRepository(session)
        profile = await accounts.get(identity.user_id)
        summary = await current_subscription.summary(session)
        return UserOut(
            email=profile.email,
            phone_number=profile.phone_number,
            phone_verified=profile.phone_verified,
            email_notifications_enabled=profile.email_notifications_enabled,
            sms_notifications_enabled=profile.sms_notifications_enabled,
            company_name=await accounts.get_company_name(identity.tenant_id),
            is_admin=profile.is_admin,
            email_verified=profile.email_verified,
            created_at=profile.created_at,
            subscriptions=[summary] if summary else [],
            language=profile.language,
            clock_offset=clock.offset().total_seconds(),
            pending_documents=[
                PendingDocument(document=one.document, version=one.version)
                for one in await list_pending_documents(session, identity)
            ],
            email_problem=to_email_problem(profile.email_state),
            impersonator=await find_impersonator(session, identity),
            list_view=msgspec.convert(
                {"pageSize": profile.list_page_size, "denseRows": profile.list_dense_rows}, ListView
            ),
            planned_drivers=profile.planned_drivers,
            role=identity.role,
            acts=list_acts(identity.role),
        )

    @post(
        "/register",
        operation_id="register",
        opt={"malformed": InvalidRegistrationError},
        responses=error_responses(EmailTakenError, InvalidRegistrationError, TooManyRequestsError),
    )
    async def register(
        self,
        data: JSONBody[RegistrationIn],
        request: Request[Any, Any, Any],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
        language: NamedDependency[Language],
    ) -> Response[MessageOut]:
        chosen = data.language or language
        signed_in = await RegistrationService(context).register(
            data.email, data.password, chosen, client,
            planned_drivers=data.planned_drivers, caller=request.scope.get("user"),
        )  # fmt: skip
        body = MessageOut(ok=True, message=translate("accounts.registered", chosen))
        return Response(
            body, status_code=201, cookies=[session_cookie(context.settings, signed_in.token)]
        )

    @post(
        "/login",
        operation_id="login",
        status_code=200,
        opt={"malformed": InvalidCredentialsError},
        responses=error_responses(InvalidCredentialsError, TooManyRequestsError),
    )
    async def login(
        self,
        data: JSONBody[CredentialsIn],
        request: Request[Any, Any, Any],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
    ) -> Response[LoginOut | SecondFactorRequiredOut]:
        signed_in = await LoginService(context).login(
            data.email, data.password, client, caller=request.scope.get("user")
        )
        body: LoginOut | SecondFactorRequiredOut
        if signed_in.is_pending:
            body = SecondFactorRequiredOut(ok=True, second_factor_required=True)
        else:
            body = LoginOut(ok=True, email_verified=signed_in.email_verified)
        cookies = sign_in_cookies(context.settings, signed_in)
        return Response(body, cookies=cookies)

    @post("/logout", operation_id="logout", status_code=200)
    async def logout(
        self,
        request: Request[Any, Any, Any],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
    ) -> Response[OkOut]:
        identity = request.scope.get("user")
        if identity is not None:
            await LoginService(context).logout(identity, client)
        elif token := request.cookies.get(cookie_name(context.settings)):
            await SecondFactorLogin(context).abandon(token)
        return Response(OkOut(ok=True), cookies=[session_cookie(context.settings, None)])

    @post(
        "/verify-email/send",
        operation_id="sendEmailCode",
        status_code=200,
        guards=[requires_login],
        responses=error_responses(AuthRequiredError, TooManyRequestsError),
    )
    async def send_code(
        self,
        identity: NamedDependency[Identity],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
        language: NamedDependency[Language],
    ) -> EmailCodeOut:
        sent = await EmailVerification(context).send_code(identity, client)
        text_key = "accounts.code_sent" if sent else "accounts.email_already_verified"
        return EmailCodeOut(ok=True, message=translate(text_key, language), email_verified=not sent)

    @post(
        "/verify-email",
        operation_id="verifyEmail",
        status_code=200,
        guards=[requires_login],
        opt={"malformed": InvalidCodeError},
        responses=error_responses(AuthRequiredError, InvalidCodeError, TooManyRequestsError),
    )
    async def verify_email(
        self,
        data: JSONBody[EmailCodeIn],
        identity: NamedDependency[Identity],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
    ) -> Response[OkOut]:
        known_browsers = await EmailVerification(context).verify_email(identity, data.token, client)
        cookies = [known_browser_cookie(context.settings, known_browsers)] if known_browsers else []
        return Response(OkOut(ok=True), cookies=cookies)

    @put(
        "/user/language",
        operation_id="setLanguage",
        opt={USER_LIMIT: limits.ACCOUNT_CHANGES},
        guards=[requires_login],
        responses=error_responses(AuthRequiredError, TooManyRequestsError),
    )
    async def set_language(
        self,
        data: JSONBody[LanguageIn],
        identity: NamedDependency[Identity],
        session: NamedDependency[TenantSession],
        clock: NamedDependency[Clock],
        audit: NamedDependency[AuditLog],
    ) -> LanguageOut:
        accounts = AccountRepository(session)
        if await accounts.set_language(identity.user_id, data.language, clock.now()):
            await audit.record(AuditEvent.LANGUAGE_CHANGED, language=data.language.value)
        return LanguageOut(language=data.language)

    @put(
        "/user/list-view",
        operation_id="setListView",
        opt={USER_LIMIT: limits.ACCOUNT_CHANGES},
        guards=[requires_login],
        responses=error_responses(AuthRequiredError, TooManyRequestsError),
    )
    async def set_list_view(
        self,
        data: JSONBody[ListView],
        identity: NamedDependency[Identity],
        session: NamedDependency[TenantSession],
        clock: NamedDependency[Clock],
    ) -> ListView:
        await AccountRepository(session).set_list_view(
            identity.user_id, data.page_size, clock.now(), dense_rows=data.dense_rows
        )
        return data
