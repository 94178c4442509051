"""Proving a phone with the code of an SMS (spec, section 4; reading R16)."""

import hmac
from datetime import datetime, timedelta
from math import ceil

from prawko.accounts.activity import Act, Origin, note
from prawko.accounts.identity import Identity, refuse_revoked
from prawko.accounts.repository import AccountRepository, TriedCode
from prawko.accounts.throttle import Throttle
from prawko.base.after_commit import AfterCommit
from prawko.base.errors import TooManyRequestsError
from prawko.base.jobs import Tools
from prawko.deliveries.jobs import deliver_pending
from prawko.notifications import phone
from prawko.notifications.errors import InvalidPhoneCodeError, SmsUnavailableError
from prawko.notifications.phone_limits import PhoneLimits
from prawko.notifications.phone_repository import PhoneRepository
from prawko.notifications.phone_sms import order_code
from prawko_tenants.ids import UserId

_KIND = "phone"
_TRY_AGAIN_SECONDS = 300


class PhoneVerification:
    """The two calls. What they count stands although they refuse."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._limits = PhoneLimits(tools.settings, Throttle(tools.database, tools.vault))

    async def send_code(self, identity: Identity, typed: str, origin: Origin) -> None:
        """Send a fresh code to a number, which is the person's from now on.

        Another number than before is unverified until its code is typed. Raises
        InvalidPhoneError, TooManyRequestsError, or SmsUnavailableError where no channel carries
        SMS.
        """
        number = phone.parse_phone(typed)
        if not self._tools.settings.sms_channel:
            raise SmsUnavailableError(retry_after=_TRY_AGAIN_SECONDS)
        async with self._tools.database.system() as session:
            await self._refuse_too_soon(PhoneRepository(session), identity.user_id)
        await self._limits.count(identity, number, origin.ip)
        later = AfterCommit()
        async with self._tools.database.tenant(identity.tenant_id) as session:
            accounts, phones = AccountRepository(session), PhoneRepository(session)
            await accounts.hold_user(identity.user_id)
            await self._refuse_too_soon(phones, identity.user_id)
            now = self._tools.clock.now()
            code = phone.new_code()
            await phones.set_number(identity.user_id, number, now)
            code_id = await accounts.add_code(
                identity.user_id, _KIND, self._digest(identity.user_id, code), now,
                now + phone.CODE_LIFE, bound_to=number,
            )  # fmt: skip
            await order_code(session, self._tools.vault, identity, code_id, number, code)
            await note(session, Act.PHONE_CODE_SENT, identity, origin, now)
            await refuse_revoked(session, identity)
            later.put(deliver_pending)
        await later.ring(self._tools.queue)

    async def verify(self, identity: Identity, typed: str, origin: Origin) -> str:
        """Prove the number that the newest code went to, and return it.

        Raises MalformedPhoneCodeError, or InvalidPhoneCodeError, whose try is counted.
        """
        code = phone.parse_code(typed)
        now = self._tools.clock.now()
        async with self._tools.database.system() as session:
            tried = await AccountRepository(session).try_code(identity.user_id, _KIND)
            counts = tried is not None and tried.tries <= phone.CODE_TRIES
            fits = tried is not None and self._fits(identity.user_id, code, tried, now)
            if counts and not fits:
                await note(session, Act.PHONE_CODE_REFUSED, identity, origin, now)
        if tried is None or tried.bound_to is None or not (counts and fits):
            raise InvalidPhoneCodeError
        async with self._tools.database.system() as session:
            accounts, phones = AccountRepository(session), PhoneRepository(session)
            await accounts.hold_user(identity.user_id)  # before the code, as who sends one does
            if not await accounts.spend_code(tried.id, now):
                raise InvalidPhoneCodeError
            if not await phones.mark_verified(identity.user_id, tried.bound_to, now):
                raise InvalidPhoneCodeError
            await note(session, Act.PHONE_VERIFIED, identity, origin, now)
            await refuse_revoked(session, identity)
        return tried.bound_to

    async def _refuse_too_soon(self, phones: PhoneRepository, user_id: UserId) -> None:
        made_at = await phones.code_made_at(user_id)
        wait = phone.wait_before_next(made_at, self._tools.clock.now())
        if wait > timedelta(0):
            raise TooManyRequestsError(retry_after=ceil(wait.total_seconds()))

    def _fits(self, user_id: UserId, code: str, tried: TriedCode, now: datetime) -> bool:
        same = hmac.compare_digest(self._digest(user_id, code), tried.code_hash)
        return same and tried.expires_at > now

    def _digest(self, user_id: UserId, code: str) -> bytes:
        return self._tools.vault.digest("phone_code", f"{user_id}:{code}")
