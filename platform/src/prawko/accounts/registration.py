"""Creates accounts, each with a company of its own, and verifies their addresses by codes (R16)."""

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Actor, Identity, ensure_session_active
from prawko.accounts.email_address import normalise_email, parse_email
from prawko.accounts.errors import EmailTakenError, InvalidCodeError, InvalidRegistrationError
from prawko.accounts.known_browsers import remember_browser
from prawko.accounts.legal_acceptances import LegalAcceptanceRepository
from prawko.accounts.legal_documents import current_documents
from prawko.accounts.login import NewSession, create_session
from prawko.accounts.login_sessions import LoginSessionRepository
from prawko.accounts.models import CodeKind
from prawko.accounts.one_time_codes import (
    CODE_ALPHABET,
    CodePurpose,
    OneTimeCodes,
    ValidCode,
    count_mail,
    render_one_time_messages,
)
from prawko.accounts.passwords import hashing
from prawko.accounts.passwords.policy import ISSUE_TEXT_KEYS, password_issues
from prawko.accounts.repository import AccountRepository, LoginAccount, SignUp
from prawko.hooks.channels import Medium, Recipient
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.documents.email_template import render_email
from prawko.kit.outbox.rendering import DueMessage, RenderedMessage
from prawko.kit.rate_limit import client_network
from prawko.kit.text.i18n import Language, translate
from prawko.kit.text.letters import strip_separators
from prawko_tenants import lifecycle
from prawko_tenants.ids import DeliveryId, TenantId, new_id
from prawko_tenants.sessions import TenantSession

_MAX_TRIES = 3  # while others sign up with the same address
EMAIL_CODE = "email_code"
EMAIL_CODE_LENGTH = 6
_PURPOSE = CodePurpose(
    kind=CodeKind.EMAIL,
    message_kind=EMAIL_CODE,
    medium=Medium.EMAIL,
    lifetime=timedelta(minutes=15),
    max_tries=10,
    refusal=AuditEvent.CODE_REFUSED,
)


class _ConcurrentSignupError(Exception):
    """The address was taken or released since it was looked up."""


class RegistrationService:
    """Signs people up."""

    def __init__(self, context: AppContext) -> None:
        self._context = context

    async def register(
        self, email: str, password: str, language: Language, client_info: ClientInfo,
        *, planned_drivers: int | None = None, caller: Identity | None = None,
    ) -> NewSession:  # fmt: skip
        """Create a company and its owner, sign the owner in and send the e-mail code.

        Signing up accepts the current legal documents (R34). `planned_drivers` is the number that
        the person has chosen among the prices.

        Raises InvalidRegistrationError, TooManyRequestsError, and EmailTakenError where a
        verified account has the address (docs/rules.md R27). An unverified account does not
        reserve it (R16).
        """
        refuse_common = self._context.settings.refuse_common_passwords
        address = _validate_registration(email, password, refuse_common=refuse_common)
        key = normalise_email(address)
        network = client_network(client_info.ip)
        await self._context.throttle.hit(limits.REGISTRATIONS_PER_NETWORK, network)
        await count_mail(self._context, address, client_info, limit=limits.REGISTRATIONS_PER_EMAIL)
        async with hashing.queue.take_turn(network):
            password_hash = await hashing.hash_password(password)
        for _ in range(_MAX_TRIES):
            async with self._context.database.system() as session:
                account = await AccountRepository(session).find_by_email(key)
            sign_up = SignUp(
                email=address,
                password_hash=password_hash,
                language=language,
                planned_drivers=planned_drivers,
                now=self._context.clock.now(),
            )
            tenant_id = account.tenant_id if account else TenantId(new_id())
            with suppress(_ConcurrentSignupError):
                async with self._context.database.tenant(tenant_id) as session:
                    return await self._create_account(
                        session, account, sign_up, client_info, caller
                    )
        raise EmailTakenError

    async def _create_account(
        self, session: TenantSession, account: LoginAccount | None, sign_up: SignUp,
        client_info: ClientInfo, caller: Identity | None,
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
            email_verified=False, caller=caller,
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


def new_email_code() -> str:
    """Return six random characters, 30 bits."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(EMAIL_CODE_LENGTH))


def normalise_code(code: str) -> str:
    """Return a typed code in the form in which it was sent: no separators, capital letters."""
    return strip_separators(code).upper()


async def send_email_code(context: AppContext, session: TenantSession, actor: Actor) -> None:
    """Create a code, the only valid one from now on, and add its mail to the outbox."""
    await OneTimeCodes(context, _PURPOSE).send(session, actor, new_email_code())


async def render_email_code_mails(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render the mails of codes that are still valid."""

    def render(valid: ValidCode, code: str) -> RenderedMessage:
        language, brand = valid.language, context.settings.brand
        message = render_email(
            language,
            brand,
            translate("mails.email_code.title", language, brand=brand),
            [translate("mails.email_code.text", language, brand=brand)],
            code=code,
            contact=context.settings.operator_contact_email,
        )
        return RenderedMessage(message, Recipient(email=valid.email, phone=None))

    return await render_one_time_messages(context, due, render)


class EmailVerification:
    """Sends and checks the codes of signed-in people."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._codes = OneTimeCodes(context, _PURPOSE)

    async def send_code(self, identity: Identity, client_info: ClientInfo) -> bool:
        """Send a fresh code; older ones become invalid.

        Returns False, without a code, for a verified address. Raises TooManyRequestsError.
        """
        if identity.email_verified:
            return False
        await self._context.throttle.hit(limits.EMAIL_CODES, str(identity.user_id))
        async with self._context.database.system() as session:
            profile = await AccountRepository(session).get(identity.user_id)
        await count_mail(self._context, profile.email, client_info)
        async with self._context.database.tenant(identity.tenant_id) as session:
            await send_email_code(self._context, session, identity)
            await record_event(
                session, AuditEvent.CODE_SENT, identity, client_info, self._context.clock.now()
            )
            await ensure_session_active(session, identity)
        return True

    async def verify_email(
        self, identity: Identity, raw: str, client_info: ClientInfo
    ) -> str | None:
        """Mark the address as verified if the code matches.

        Returns the cookie by which the account knows this browser, in which the password was
        chosen or typed; None where nothing was done. Raises InvalidCodeError, whose attempt is
        counted, and TooManyRequestsError.
        """
        if identity.email_verified:
            return None
        await self._context.throttle.hit(limits.EMAIL_CODE_TRIES, str(identity.user_id))
        async with self._codes.redeem(
            identity, normalise_code(raw), client_info, InvalidCodeError
        ) as (session, _):
            now = self._context.clock.now()
            await AccountRepository(session).mark_email_verified(identity.user_id, now, utc_now())
            await record_event(session, AuditEvent.EMAIL_VERIFIED, identity, client_info, now)
            await ensure_session_active(session, identity)
            if identity.impersonator_id is not None:
                return None
            return await remember_browser(
                session, self._context.key_ring, client_info.known_browsers, identity.user_id
            )
