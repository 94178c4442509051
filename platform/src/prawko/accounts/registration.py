"""Creates accounts, each with a company of its own."""

from contextlib import suppress

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Actor, Identity
from prawko.accounts.email_address import normalise_email, parse_email
from prawko.accounts.email_verification import send_email_code
from prawko.accounts.errors import EmailTakenError, InvalidRegistrationError
from prawko.accounts.legal_acceptances import LegalAcceptanceRepository
from prawko.accounts.legal_documents import current_documents
from prawko.accounts.login import NewSession, create_session
from prawko.accounts.login_sessions import LoginSessionRepository
from prawko.accounts.one_time_codes import count_mail
from prawko.accounts.passwords import hashing
from prawko.accounts.passwords.policy import ISSUE_TEXT_KEYS, password_issues
from prawko.accounts.repository import AccountRepository, LoginAccount, SignUp
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.rate_limit import client_network
from prawko.kit.text.i18n import Language
from prawko_tenants import lifecycle
from prawko_tenants.ids import TenantId, new_id
from prawko_tenants.sessions import TenantSession

_MAX_TRIES = 3  # while others sign up with the same address


class _ConcurrentSignupError(Exception):
    """The address was taken or released since it was looked up."""


class RegistrationService:
    """Signs people up."""

    def __init__(self, context: AppContext) -> None:
        self._context = context

    async def register(
        self, email: str, password: str, language: Language, client_info: ClientInfo,
        *, previous_session: Identity | None = None,
    ) -> NewSession:  # fmt: skip
        """Create a company and its owner, sign the owner in and send the e-mail code.

        Signing up accepts the current legal documents (R34).

        Raises InvalidRegistrationError, TooManyRequestsError, and EmailTakenError where a
        verified account has the address (docs/rules.md R27). An unverified account does not
        reserve it (R16).
        """
        refuse_common = self._context.settings.refuse_common_passwords
        address = _validate_registration(email, password, refuse_common=refuse_common)
        key = normalise_email(address)
        await self._context.throttle.hit(
            limits.REGISTRATIONS_PER_NETWORK, client_network(client_info.ip)
        )
        await count_mail(self._context, address, client_info, limit=limits.REGISTRATIONS_PER_EMAIL)
        password_hash = await hashing.hash_password(password)
        for _ in range(_MAX_TRIES):
            async with self._context.database.system() as session:
                account = await AccountRepository(session).find_by_email(key)
            sign_up = SignUp(
                email=address,
                password_hash=password_hash,
                language=language,
                now=self._context.clock.now(),
            )
            tenant_id = account.tenant_id if account else TenantId(new_id())
            with suppress(_ConcurrentSignupError):
                async with self._context.database.tenant(tenant_id) as session:
                    return await self._create_account(
                        session, account, sign_up, client_info, previous_session
                    )
        raise EmailTakenError

    async def _create_account(
        self, session: TenantSession, account: LoginAccount | None, sign_up: SignUp,
        client_info: ClientInfo, previous_session: Identity | None,
    ) -> NewSession:  # fmt: skip
        accounts = AccountRepository(session)
        if account is None:
            user_id = await accounts.add_user(sign_up)
            if user_id is None:
                raise _ConcurrentSignupError
            await lifecycle.create_tenant(session, at=sign_up.now)
            await accounts.add_membership(session.tenant_id, user_id, sign_up.now)
        else:
            key = normalise_email(sign_up.email)
            await accounts.lock_by_email(key)
            current = await accounts.find_by_email(key)
            if current is None or current.id != account.id:
                raise _ConcurrentSignupError
            if current.email_verified:
                raise EmailTakenError
            user_id = current.id
            await accounts.reclaim_unverified(user_id, sign_up)
            await LoginSessionRepository(session).revoke_all(user_id, utc_now())
        await LegalAcceptanceRepository(session).add_all(
            user_id, current_documents(), client_info.ip, sign_up.now
        )
        actor = Actor(user_id=user_id, tenant_id=session.tenant_id)
        await record_event(session, AuditEvent.REGISTERED, actor, client_info, sign_up.now)
        await send_email_code(self._context, session, actor)
        return await create_session(
            session, user_id, session.tenant_id, client_info,
            email_verified=False, previous_session=previous_session,
        )  # fmt: skip


def _validate_registration(email: str, password: str, *, refuse_common: bool) -> str:
    address = parse_email(email)
    fields: dict[str, str] = {}
    if address is None:
        fields["email"] = "accounts.email.invalid"
    for issue in password_issues(password, refuse_common=refuse_common)[:1]:
        fields["password"] = ISSUE_TEXT_KEYS[issue]
    if address is None or fields:
        raise InvalidRegistrationError(fields=fields)
    return address
