"""Verifies e-mail addresses with codes sent by mail (docs/rules.md R16)."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import timedelta

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Actor, Identity, ensure_session_active
from prawko.accounts.errors import InvalidCodeError
from prawko.accounts.known_browsers import remember_browser
from prawko.accounts.models import CodeKind
from prawko.accounts.one_time_codes import (
    CodePurpose,
    OneTimeCodes,
    ValidCode,
    count_mail,
    render_one_time_messages,
)
from prawko.accounts.repository import AccountRepository
from prawko.hooks.channels import Medium, Recipient
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.documents.email_template import render_email
from prawko.kit.outbox.rendering import DueMessage, RenderedMessage
from prawko.kit.text.i18n import translate
from prawko_tenants.ids import DeliveryId
from prawko_tenants.sessions import TenantSession

EMAIL_CODE = "email_code"
# 32 letters and digits that cannot be confused: no 0 and O, no 1 and I.
CODE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
EMAIL_CODE_LENGTH = 6
_PURPOSE = CodePurpose(
    kind=CodeKind.EMAIL,
    message_kind=EMAIL_CODE,
    medium=Medium.EMAIL,
    lifetime=timedelta(minutes=15),
    max_tries=10,
    refusal=AuditEvent.CODE_REFUSED,
)


def new_email_code() -> str:
    """Return six random characters, 30 bits."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(EMAIL_CODE_LENGTH))


def normalise_code(code: str) -> str:
    """Return a typed code in the form in which it was sent: no blanks, capital letters."""
    return "".join(code.split()).upper()


async def send_email_code(context: AppContext, session: TenantSession, actor: Actor) -> None:
    """Create a code, the only valid one from now on, and add its mail to the outbox."""
    await OneTimeCodes(context, _PURPOSE).send(session, actor, new_email_code())


async def render_email_code_mails(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render the mails of codes that are still valid."""

    def render(reader: ValidCode, code: str) -> RenderedMessage:
        language, brand = reader.language, context.settings.brand
        message = render_email(
            language,
            brand,
            translate("mails.email_code.title", language, brand=brand),
            [translate("mails.email_code.text", language, brand=brand)],
            code=code,
        )
        return RenderedMessage(message, Recipient(email=reader.email, phone=None))

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
