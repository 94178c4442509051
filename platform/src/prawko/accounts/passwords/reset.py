"""Resets a forgotten password through a link sent by mail (docs/rules.md R16).

Neither the answers nor their times show whether an account exists (R27).
"""

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Mapping, Sequence
from datetime import timedelta
from uuid import UUID

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Actor
from prawko.accounts.email_address import normalise_email, parse_email
from prawko.accounts.errors import InvalidEmailError, InvalidResetLinkError
from prawko.accounts.known_browsers import find_known_browser, remember_browser
from prawko.accounts.login_sessions import LoginSessionRepository
from prawko.accounts.models import CodeKind
from prawko.accounts.one_time_codes import (
    CodePurpose,
    OneTimeCodeRepository,
    OneTimeCodes,
    ValidCode,
    count_mail,
    render_one_time_messages,
)
from prawko.accounts.passwords import hashing
from prawko.accounts.passwords.policy import validate_new_password
from prawko.accounts.repository import AccountRepository, LoginAccount
from prawko.hooks.channels import Medium, Recipient
from prawko.kit.clock import utc_now
from prawko.kit.constant_time import padded_response
from prawko.kit.context import AppContext
from prawko.kit.documents.email_template import render_email
from prawko.kit.outbox.rendering import DueMessage, RenderedMessage
from prawko.kit.rate_limit import client_network
from prawko.kit.text.i18n import translate
from prawko_tenants.ids import DeliveryId, new_id

RESET_MAIL = "password_reset"
RESET_PAGE = "/auth/reset-password"
_PURPOSE = CodePurpose(
    kind=CodeKind.RESET,
    message_kind=RESET_MAIL,
    medium=Medium.EMAIL,
    lifetime=timedelta(minutes=60),
    max_tries=10,
    refusal=AuditEvent.RESET_LINK_REFUSED,
)

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
    """Return the link of the mail, with our base URL and not the Host of a request.

    The token is in the fragment, which a browser does not send to servers.
    """
    return f"{base_url.rstrip('/')}{RESET_PAGE}#token={token}"


async def render_reset_mails(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render the mails of links that are still valid."""

    def render(valid: ValidCode, token: str) -> RenderedMessage:
        language, brand = valid.language, context.settings.brand
        message = render_email(
            language,
            brand,
            translate("mails.password_reset.title", language, brand=brand),
            [translate("mails.password_reset.text", language, brand=brand)],
            link=reset_url(context.settings.base_url, token),
            link_label=translate("mails.password_reset.link", language),
            contact=context.settings.operator_contact_email,
        )
        return RenderedMessage(message, Recipient(email=valid.email, phone=None))

    return await render_one_time_messages(context, due, render)


class PasswordReset:
    """Sends reset links and replaces the passwords of those who use them."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._codes = OneTimeCodes(context, _PURPOSE)
        self._throttle = context.throttle

    async def request_link(self, email: str, client_info: ClientInfo) -> None:
        """Send a link if the address belongs to an account; it replaces an older one.

        Raises InvalidEmailError for a malformed address, and TooManyRequestsError; both alike
        whether or not there is an account.
        """
        address = parse_email(email)
        if address is None:
            raise InvalidEmailError(fields={"email": "accounts.email.invalid"})
        key = normalise_email(address)
        await self._throttle.hit(limits.RESETS_PER_NETWORK, client_network(client_info.ip))
        async with padded_response():
            async with self._context.database.system() as session:
                account = await AccountRepository(session).find_by_email(key)
            browser = None
            if account is not None:
                browser = find_known_browser(
                    client_info.known_browsers, account.id, account.browser_generation
                )
            await count_mail(
                self._context, address, client_info,
                limit=limits.RESETS_PER_EMAIL, browser=browser,
            )  # fmt: skip
            # An operator's password is set by the command alone: the panel's login cannot.
            if account is not None and not account.is_operator:
                await self._send_link(account, client_info)

    async def _send_link(self, account: LoginAccount, client_info: ClientInfo) -> None:
        code_id = new_id()
        async with self._context.database.tenant(account.tenant_id) as session:
            token = new_reset_token(code_id)
            await self._codes.send(session, account.actor, token, code_id=code_id)
            await record_event(
                session, AuditEvent.PASSWORD_RESET_REQUESTED, account.actor, client_info,
                self._context.clock.now(),
            )  # fmt: skip

    async def check_link(self, token: str, client_info: ClientInfo) -> None:
        """Raise InvalidResetLinkError if `reset_password` would refuse the link; it stays unused.

        Refused links count as a reset's do. Raises TooManyRequestsError.
        """
        actor = await self._find_actor(token)
        if actor is not None:
            async with self._context.database.system() as session:
                if await self._codes.is_valid(session, actor.user_id, token):
                    return
        await self._count_refused_link(client_info)
        raise InvalidResetLinkError

    async def reset_password(
        self, token: str, new_password: str, confirmation: str, client_info: ClientInfo
    ) -> str:
        """Store the new password, consume the link and end every session of the person.

        Returns the cookie by which the account knows this browser, so that guessing cannot lock the
        person out of it. Raises InvalidPasswordError (the link stays valid),
        InvalidResetLinkError and TooManyRequestsError.
        """
        actor = await self._find_actor(token)
        if actor is None:
            await self._count_refused_link(client_info)
        validate_new_password(
            new_password, confirmation, refuse_common=self._context.settings.refuse_common_passwords
        )
        if actor is None:
            raise InvalidResetLinkError
        user_id = actor.user_id
        # Of uses of one link at once, those that come after the first one take no slot.
        async with hashing.queue.take_turn(client_network(client_info.ip), user_id):
            async with self._context.database.system() as session:
                code = await self._codes.try_code(session, actor, token, client_info)
            if code is None:
                await self._count_refused_link(client_info)
                raise InvalidResetLinkError
            new_hash = await hashing.hash_password(new_password, caller=user_id)
            async with self._codes.consume(code, InvalidResetLinkError) as session:
                accounts, now = AccountRepository(session), self._context.clock.now()
                email_key = await accounts.reset_password(user_id, new_hash, now, utc_now())
                await LoginSessionRepository(session).revoke_all(user_id, utc_now())
                await record_event(session, AuditEvent.PASSWORD_RESET, actor, client_info, now)
                known_browsers = await remember_browser(
                    session, self._context.key_ring, client_info.known_browsers, user_id
                )
        # The owner may sign in from yet another browser.
        await self._throttle.reset(limits.WRONG_SIGN_INS, email_key)
        return known_browsers

    async def _count_refused_link(self, client_info: ClientInfo) -> None:
        await self._throttle.hit(limits.RESETS_PER_NETWORK, client_network(client_info.ip))

    async def _find_actor(self, token: str) -> Actor | None:
        """Return whose unused link a token names; None for a malformed or unknown one."""
        code_id = parse_reset_token(token)
        if code_id is None:
            return None
        async with self._context.database.system() as session:
            user_id = await OneTimeCodeRepository(session).find_owner(code_id, CodeKind.RESET)
            accounts = AccountRepository(session)
            # The person may have become an operator since the link was sent.
            if user_id is None or await accounts.is_operator(user_id):
                return None
            return Actor(user_id=user_id, tenant_id=await accounts.first_company(user_id))
