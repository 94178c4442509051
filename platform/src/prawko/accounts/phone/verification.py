"""Verifies phone numbers with codes sent by SMS (docs/rules.md P29, R16)."""

from datetime import timedelta
from math import ceil

from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity, ensure_session_active
from prawko.accounts.one_time_codes import CodeKind, OneTimeCodeRepository, check_code
from prawko.accounts.phone import phone_codes
from prawko.accounts.phone.errors import InvalidPhoneCodeError, SmsUnavailableError
from prawko.accounts.phone.rate_limits import PhoneCodeLimits
from prawko.accounts.phone.repository import PhoneRepository
from prawko.accounts.phone.sms import enqueue_phone_code
from prawko.accounts.repository import AccountRepository
from prawko.base.context import AppContext
from prawko.base.errors import TooManyRequestsError
from prawko.base.rate_limit import Throttle
from prawko.deliveries.jobs import deliver_pending
from prawko_tenants.ids import UserId

_RETRY_AFTER_SECONDS = 300


class PhoneVerification:
    """Sends and checks codes. Counted attempts stay counted when the call is refused."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._limits = PhoneCodeLimits(
            context.settings, Throttle(context.database, context.key_ring)
        )

    async def send_code(self, identity: Identity, raw: str, client_info: ClientInfo) -> None:
        """Store the number as the person's and send it a fresh code.

        A changed number is unverified until its code is typed. Raises InvalidPhoneError,
        TooManyRequestsError, or SmsUnavailableError where no SMS channel is configured.
        """
        number = phone_codes.parse_phone(raw)
        if not self._context.settings.sms_channel:
            raise SmsUnavailableError(retry_after=_RETRY_AFTER_SECONDS)
        async with self._context.database.system() as session:
            await self._ensure_resend_allowed(PhoneRepository(session), identity.user_id)
        await self._limits.hit(identity, number, client_info.ip)
        async with self._context.database.tenant(identity.tenant_id) as session:
            phones = PhoneRepository(session)
            await AccountRepository(session).lock_user(identity.user_id)
            await self._ensure_resend_allowed(phones, identity.user_id)
            now = self._context.clock.now()
            code = phone_codes.new_phone_code()
            await phones.set_number(identity.user_id, number, now)
            code_id = await OneTimeCodeRepository(session).add(
                identity.user_id, CodeKind.PHONE, self._digest(identity.user_id, code), now,
                now + phone_codes.CODE_LIFETIME, bound_to=number,
            )  # fmt: skip
            await enqueue_phone_code(
                session, self._context.key_ring, identity, code_id, number, code
            )
            await record_event(session, AuditEvent.PHONE_CODE_SENT, identity, client_info, now)
            await ensure_session_active(session, identity)
            self._context.enqueue_on_commit(session, deliver_pending)

    async def verify_number(self, identity: Identity, raw: str, client_info: ClientInfo) -> str:
        """Mark the number that the newest code was sent to as verified, and return it.

        Raises MalformedPhoneCodeError, or InvalidPhoneCodeError, whose attempt is counted.
        """
        code = phone_codes.parse_phone_code(raw)
        now = self._context.clock.now()
        async with self._context.database.system() as session:
            attempt = await check_code(
                session, CodeKind.PHONE, identity, self._digest(identity.user_id, code),
                max_tries=phone_codes.MAX_CODE_TRIES, refusal=AuditEvent.PHONE_CODE_REFUSED,
                client_info=client_info, now=now,
            )  # fmt: skip
        if attempt is None or attempt.bound_to is None:
            raise InvalidPhoneCodeError
        async with self._context.database.system() as session:
            # The account is locked before its code, as in `send_code`.
            await AccountRepository(session).lock_user(identity.user_id)
            if not await OneTimeCodeRepository(session).consume(attempt.id, now):
                raise InvalidPhoneCodeError
            phones = PhoneRepository(session)
            if not await phones.mark_verified(identity.user_id, attempt.bound_to, now):
                raise InvalidPhoneCodeError
            await record_event(session, AuditEvent.PHONE_VERIFIED, identity, client_info, now)
            await ensure_session_active(session, identity)
        return attempt.bound_to

    async def _ensure_resend_allowed(self, phones: PhoneRepository, user_id: UserId) -> None:
        last_code_at = await phones.last_code_at(user_id)
        wait = phone_codes.resend_wait(last_code_at, self._context.clock.now())
        if wait > timedelta(0):
            raise TooManyRequestsError(retry_after=ceil(wait.total_seconds()))

    def _digest(self, user_id: UserId, code: str) -> bytes:
        return self._context.key_ring.digest("phone_code", f"{user_id}:{code}")
