"""Verifies phone numbers with codes sent by SMS (docs/rules.md P6, P7, P29, R16).

No other SMS goes to an unverified number.
"""

import re
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from math import ceil

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity, ensure_session_active
from prawko.accounts.errors import (
    InvalidPhoneCodeError,
    InvalidPhoneError,
    MalformedPhoneCodeError,
    SmsUnavailableError,
)
from prawko.accounts.models import CodeKind
from prawko.accounts.one_time_codes import (
    CodePurpose,
    OneTimeCodeRepository,
    OneTimeCodes,
    ValidCode,
    render_one_time_messages,
)
from prawko.accounts.repository import AccountRepository
from prawko.hooks.channels import Medium, Recipient
from prawko.kit.context import AppContext
from prawko.kit.documents.email_template import render_email
from prawko.kit.errors import TooManyRequestsError
from prawko.kit.outbox.rendering import DueMessage, RenderedMessage
from prawko.kit.rate_limit import GLOBAL_SUBJECT, RateLimit, client_network
from prawko.kit.text.gsm7 import fit_one_segment
from prawko.kit.text.i18n import Language, translate
from prawko.kit.text.letters import normalise_typed, strip_separators
from prawko_tenants.ids import DeliveryId, UserId

PHONE_CODE = "phone_code"
CODE_DIGITS = 6
RESEND_DELAY = timedelta(seconds=30)

_RETRY_AFTER_SECONDS = 300
_PURPOSE = CodePurpose(
    kind=CodeKind.PHONE,
    message_kind=PHONE_CODE,
    medium=Medium.SMS,
    lifetime=timedelta(minutes=10),
    max_tries=5,
    refusal=AuditEvent.PHONE_CODE_REFUSED,
)
_PHONE = re.compile(r"\+48[0-9]{9}")
_CODE = re.compile(r"[0-9]{6}")


def phone_codes_per_day(context: AppContext) -> RateLimit:
    """Return the limit on the codes of all callers together; its subject is GLOBAL_SUBJECT."""
    return msgspec.structs.replace(
        limits.PHONE_CODES_PER_DAY, max_tries=context.settings.sms_codes_per_day
    )


class PhoneVerification:
    """Sends and checks codes. Counted attempts stay counted when the call is refused."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._codes = OneTimeCodes(context, _PURPOSE)

    async def send_code(self, identity: Identity, raw: str, client_info: ClientInfo) -> None:
        """Store the number as the person's and send it a fresh code.

        A changed number is unverified until its code is typed. Raises InvalidPhoneError,
        TooManyRequestsError, or SmsUnavailableError where no SMS channel is configured.
        """
        number = parse_phone(raw)
        if not self._context.settings.sms_channel:
            raise SmsUnavailableError(retry_after=_RETRY_AFTER_SECONDS)
        async with self._context.database.system() as session:
            await self._ensure_resend_allowed(session, identity.user_id)
        await self._context.throttle.hit_all(
            (
                (limits.PHONE_CODES, str(identity.user_id)),
                (limits.PHONE_CODES_PER_NUMBER, number),
                (limits.PHONE_CODES_PER_NETWORK, client_network(client_info.ip)),
                (phone_codes_per_day(self._context), GLOBAL_SUBJECT),
            )
        )
        async with self._context.database.tenant(identity.tenant_id) as session:
            accounts = AccountRepository(session)
            await accounts.lock_user(identity.user_id)
            await self._ensure_resend_allowed(session, identity.user_id)
            now = self._context.clock.now()
            await accounts.set_phone(identity.user_id, number, now)
            code = new_phone_code()
            await self._codes.send(session, identity, code, bound_to=number)
            await record_event(session, AuditEvent.PHONE_CODE_SENT, identity, client_info, now)
            await ensure_session_active(session, identity)

    async def verify_number(self, identity: Identity, raw: str, client_info: ClientInfo) -> str:
        """Mark the number that the newest code was sent to as verified, and return it.

        Raises MalformedPhoneCodeError, or InvalidPhoneCodeError, whose attempt is counted.
        """
        typed = parse_phone_code(raw)
        async with self._codes.redeem(identity, typed, client_info, InvalidPhoneCodeError) as (
            session,
            code,
        ):
            number, now = code.bound_to or "", self._context.clock.now()
            if not await AccountRepository(session).mark_phone_verified(
                identity.user_id, number, now
            ):
                raise InvalidPhoneCodeError
            await record_event(session, AuditEvent.PHONE_VERIFIED, identity, client_info, now)
            await ensure_session_active(session, identity)
        return number

    async def _ensure_resend_allowed(self, session: AsyncSession, user_id: UserId) -> None:
        last_code_at = await OneTimeCodeRepository(session).last_created_at(user_id, CodeKind.PHONE)
        wait = resend_wait(last_code_at, self._context.clock.now())
        if wait > timedelta(0):
            raise TooManyRequestsError(retry_after=ceil(wait.total_seconds()))


async def render_phone_codes(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render the SMS of valid codes whose number is still the person's."""

    def render(valid: ValidCode, secret: str) -> RenderedMessage | None:
        number, _, code = secret.partition(" ")
        if valid.phone_number != number:
            return None
        return render_sms(context.settings.brand, valid.language, number, code)

    return await render_one_time_messages(context, due, render)


def render_sms(brand: str, language: Language, number: str, code: str) -> RenderedMessage:
    """Render the SMS of a code, which fits one segment."""
    message = render_email(
        language,
        brand,
        translate("phone.sms.title", language),
        [translate("phone.sms.text", language, brand=brand)],
        sms_text=fit_one_segment(
            lambda words: translate("phone.sms.line", language, code=code, **words),
            {"brand": brand},
        ),
        code=code,
    )
    return RenderedMessage(message, Recipient(email=None, phone=number))


def parse_phone(raw: str) -> str:
    """Return a Polish number, `+48` and nine digits. Raises InvalidPhoneError."""
    number = normalise_typed(raw).strip()
    if not number:
        raise InvalidPhoneError(fields={"phoneNumber": "phone.number.missing"})
    if not _PHONE.fullmatch(number):
        raise InvalidPhoneError(fields={"phoneNumber": "phone.number.malformed"})
    return number


def parse_phone_code(raw: str) -> str:
    """Return the six digits without blanks and hyphens. Raises MalformedPhoneCodeError."""
    code = strip_separators(raw)
    if not code:
        raise MalformedPhoneCodeError(fields={"code": "phone.code.missing"})
    if not _CODE.fullmatch(code):
        raise MalformedPhoneCodeError(fields={"code": "phone.code.malformed"})
    return code


def new_phone_code() -> str:
    """Return six random digits."""
    return "".join(secrets.choice("0123456789") for _ in range(CODE_DIGITS))


def resend_wait(last_code_at: datetime | None, now: datetime) -> timedelta:
    """Return how long to wait before the next code; zero when it may be sent now.

    A `last_code_at` far in the future is ignored: the demo's clock was set back.
    """
    if last_code_at is None or abs(now - last_code_at) >= RESEND_DELAY:
        return timedelta(0)
    return min(last_code_at + RESEND_DELAY - now, RESEND_DELAY)
