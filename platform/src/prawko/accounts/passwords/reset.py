"""Resets a forgotten password through a link sent by mail (docs/rules.md R16).

Neither the answers nor their times tell whether an account exists (R27).
"""

import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Mapping, Sequence
from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts import rate_limits
from prawko.accounts.audit_log import AuditActor, AuditEvent, ClientInfo, record_event
from prawko.accounts.email_address import normalise_email, parse_email
from prawko.accounts.errors import InvalidEmailError, InvalidResetLinkError
from prawko.accounts.one_time_codes import (
    CodeKind,
    OneTimeCodeRepository,
    ResetCode,
    ValidCode,
)
from prawko.accounts.one_time_mail import enqueue_one_time_mail, render_one_time_mails
from prawko.accounts.passwords import hashing
from prawko.accounts.passwords.policy import validate_new_password
from prawko.accounts.repository import AccountRepository, LoginAccount
from prawko.base.clock import utc_now
from prawko.base.constant_time import padded_response
from prawko.base.context import AppContext
from prawko.base.i18n import translate
from prawko.base.rate_limit import Throttle
from prawko.deliveries.jobs import deliver_pending
from prawko.hooks.channels import Message
from prawko.mail.email_template import render_email
from prawko.outbox.rendering import DueMessage, RenderedMessage
from prawko_tenants.ids import DeliveryId, new_id

RESET_MAIL = "password_reset"
RESET_PAGE = "/auth/reset-password"
RESET_LINK_LIFETIME = timedelta(minutes=60)
# Of one link: the rate limit of a network alone would let the audit log grow too fast.
MAX_RECORDED_REFUSALS = 10

_ID_BYTES = 16
_SECRET_BYTES = 32
_MAX_TOKEN_LENGTH = 100


def new_reset_token(code_id: UUID) -> str:
    """Return a fresh token for the code: 64 URL-safe characters."""
    return urlsafe_b64encode(code_id.bytes + secrets.token_bytes(_SECRET_BYTES)).decode()


def parse_reset_token(token: str) -> UUID | None:
    """Return the id of the token's code; None for a malformed token."""
    if len(token) > _MAX_TOKEN_LENGTH or not token.isascii():
        return None
    try:
        decoded = urlsafe_b64decode(token)
    except (Error, ValueError):
        return None
    if len(decoded) != _ID_BYTES + _SECRET_BYTES:
        return None
    return UUID(bytes=decoded[:_ID_BYTES])


def reset_url(base_url: str, token: str) -> str:
    """Return the link of the mail. It uses our base URL, whatever Host a request named."""
    return f"{base_url.rstrip('/')}{RESET_PAGE}?token={token}"


async def render_reset_mails(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render the mails of links that are still valid."""

    def render(reader: ValidCode, token: str) -> Message:
        language, brand = reader.language, context.settings.brand
        return render_email(
            language,
            brand,
            translate("mails.password_reset.title", language, brand=brand),
            [translate("mails.password_reset.text", language, brand=brand)],
            link=reset_url(context.settings.base_url, token),
            link_label=translate("mails.password_reset.link", language),
        )

    return await render_one_time_mails(context, due, render)


class PasswordReset:
    """Sends reset links and replaces the passwords of those who use them."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._throttle = Throttle(context.database, context.key_ring)
        self._per_network = rate_limits.resets_per_network(context.settings)
        self._per_email = rate_limits.resets_per_email(context.settings)
        self._per_account = rate_limits.login_per_account(context.settings)

    async def request_link(self, email: str, client_info: ClientInfo) -> None:
        """Send a link if the address belongs to an account; it replaces an older one.

        Raises InvalidEmailError for a malformed address, and TooManyRequestsError; both alike
        whether or not there is an account.
        """
        address = parse_email(email)
        if address is None:
            raise InvalidEmailError(fields={"email": "accounts.email.invalid"})
        key = normalise_email(address)
        await self._throttle.hit(self._per_network, rate_limits.client_network(client_info.ip))
        await self._throttle.hit(self._per_email, key)
        async with padded_response():
            async with self._context.database.system() as session:
                account = await AccountRepository(session).find_by_email(key)
            if account is not None:
                await self._send_link(account, client_info)

    async def _send_link(self, account: LoginAccount, client_info: ClientInfo) -> None:
        code_id = new_id()
        token = new_reset_token(code_id)
        now = self._context.clock.now()
        async with self._context.database.tenant(account.tenant_id) as session:
            await OneTimeCodeRepository(session).add(
                account.id,
                CodeKind.RESET,
                self._digest(token),
                now,
                now + RESET_LINK_LIFETIME,
                code_id=code_id,
            )
            await enqueue_one_time_mail(
                self._context, session, RESET_MAIL, account.id, account.tenant_id, code_id, token
            )
            await record_event(
                session, AuditEvent.PASSWORD_RESET_REQUESTED, account.actor, client_info, now
            )
            self._context.enqueue_on_commit(session, deliver_pending)

    async def reset_password(
        self, token: str, new_password: str, confirmation: str, client_info: ClientInfo
    ) -> None:
        """Store the new password, consume the link and end every session of the person.

        Raises InvalidPasswordError (the link stays valid), InvalidResetLinkError and
        TooManyRequestsError.
        """
        await self._throttle.hit(self._per_network, rate_limits.client_network(client_info.ip))
        validate_new_password(
            new_password, confirmation, refuse_common=self._context.settings.refuse_common_passwords
        )
        code_id = parse_reset_token(token)
        if code_id is None:
            raise InvalidResetLinkError
        new_hash = await hashing.hash_password(new_password)
        async with self._context.database.system() as session:
            email_key = await self._consume_link(session, code_id, token, new_hash, client_info)
        if email_key is None:
            raise InvalidResetLinkError
        # Who locked the account by guessing must not lock out its owner, who reads its mail.
        await self._throttle.reset(self._per_account, email_key)

    async def _consume_link(
        self,
        session: AsyncSession,
        code_id: UUID,
        token: str,
        new_hash: str,
        client_info: ClientInfo,
    ) -> str | None:
        """Replace the password and return the account's `email_key`; None for an invalid link."""
        accounts, codes = AccountRepository(session), OneTimeCodeRepository(session)
        now = self._context.clock.now()
        code = await codes.lock_reset_code(code_id)
        if code is None:
            return None
        actor = AuditActor(code.user_id, code.tenant_id)
        if not self._is_valid(code, token):
            attempt = await codes.register_attempt(code.user_id, CodeKind.RESET)
            if attempt is not None and attempt.tries <= MAX_RECORDED_REFUSALS:
                await record_event(session, AuditEvent.RESET_LINK_REFUSED, actor, client_info, now)
            return None
        await codes.consume_all(code.user_id, CodeKind.RESET, now)
        email_key = await accounts.reset_password(code.user_id, new_hash, now, utc_now())
        await accounts.revoke_all_sessions(code.user_id, utc_now())
        await record_event(session, AuditEvent.PASSWORD_RESET, actor, client_info, now)
        return email_key

    def _is_valid(self, code: ResetCode, token: str) -> bool:
        is_match = hmac.compare_digest(self._digest(token), code.code_hash)
        return is_match and code.expires_at > self._context.clock.now()

    def _digest(self, token: str) -> bytes:
        return self._context.key_ring.digest("password_reset", token)
