"""Rate limits of codes sent by SMS, which cost money.

Fraudsters who get a share of the carriers' fees request codes for numbers of their own, again
and again. So codes are limited per person, number and network, and for all callers together.
"""

from prawko.accounts.authentication import Identity
from prawko.accounts.rate_limits import client_network
from prawko.base.rate_limit import DAY, GLOBAL_SUBJECT, HOUR, RateLimit, Throttle
from prawko.base.settings import Settings


def phone_codes_per_day(settings: Settings) -> RateLimit:
    """Codes of all callers together; its subject is GLOBAL_SUBJECT."""
    return RateLimit("phone_code_day", settings.sms_codes_per_day, DAY)


class PhoneCodeLimits:
    """The four limits on sending a code."""

    def __init__(self, settings: Settings, throttle: Throttle) -> None:
        self._throttle = throttle
        self._per_user = RateLimit("phone_code", settings.sms_codes_per_account, HOUR)
        self._per_number = RateLimit("phone_code_number", settings.sms_codes_per_number, DAY)
        self._per_network = RateLimit("phone_code_address", settings.sms_codes_per_address, HOUR)
        self._global = phone_codes_per_day(settings)

    async def hit(self, identity: Identity, number: str, ip: str) -> None:
        """Count one code. Raises TooManyRequestsError beyond any of the limits.

        All limits are checked before any is counted: a refusal by one uses up no other.
        """
        limits = (
            (self._per_user, str(identity.user_id)),
            (self._per_number, number),
            (self._per_network, client_network(ip)),
            (self._global, GLOBAL_SUBJECT),
        )
        for limit, subject in limits:
            await self._throttle.check(limit, subject)
        for limit, subject in limits:
            await self._throttle.hit(limit, subject)
