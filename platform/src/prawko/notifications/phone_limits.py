"""How many codes may be sent by SMS: whoever pays for the SMS must not be made to pay much.

Fraudsters who share in the carriers' fees have codes sent to numbers of their own, again and
again. So codes are limited for each person, number and address, and for everybody together.
"""

from datetime import timedelta

from prawko.accounts.identity import Identity
from prawko.accounts.limits import network
from prawko.accounts.throttle import Limit, Throttle
from prawko.base.jobs import Tools, job
from prawko.base.settings import Settings
from prawko.deliveries.incidents import keep_incident
from prawko.deliveries.jobs import deliver_pending

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
EVERYBODY = "everybody"
SMS_CODES_USED_UP = "sms_codes_used_up"


class PhoneLimits:
    """The four limits."""

    def __init__(self, settings: Settings, throttle: Throttle) -> None:
        self._throttle = throttle
        self._person = Limit("phone_code", settings.sms_codes_per_account, HOUR)
        self._number = Limit("phone_code_number", settings.sms_codes_per_number, DAY)
        self._address = Limit("phone_code_address", settings.sms_codes_per_address, HOUR)
        self._everybody = Limit("phone_code_day", settings.sms_codes_per_day, DAY)

    async def count(self, identity: Identity, number: str, ip: str) -> None:
        """Count one code. Raises TooManyRequestsError beyond any of the limits.

        All are looked at before any is counted: who is refused by one uses up no other.
        """
        limits = (
            (self._person, str(identity.user_id)),
            (self._number, number),
            (self._address, network(ip)),
            (self._everybody, EVERYBODY),
        )
        for limit, whose in limits:
            await self._throttle.check(limit, whose)
        for limit, whose in limits:
            await self._throttle.count(limit, whose)

    async def used_up(self) -> bool:
        """Whether nobody gets a code any more today."""
        return await self._throttle.used(self._everybody, EVERYBODY) >= self._everybody.tries


@job(timeout=30)
async def watch_phone_codes(tools: Tools) -> None:
    """Tell the operators when the day's codes are used up; once, until they are not."""
    limits = PhoneLimits(tools.settings, Throttle(tools.database, tools.vault))
    used_up = await limits.used_up()
    async with tools.database.system() as session:
        opened = await keep_incident(
            session,
            kind=SMS_CODES_USED_UP,
            key=EVERYBODY,
            wrong=used_up,
            detail=f"SMS_CODES_PER_DAY={tools.settings.sms_codes_per_day}",
            now=tools.clock.now(),
        )
    if opened:
        await tools.queue.put(deliver_pending)
