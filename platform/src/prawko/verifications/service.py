"""A check by hand: read, ask, write, with no transaction open while the register is asked."""

import asyncio
import math
from datetime import timedelta

from prawko.accounts.identity import Identity, refuse_revoked
from prawko.accounts.throttle import Limit, Throttle
from prawko.base import logs
from prawko.base.after_commit import AfterCommit
from prawko.base.clock import machine_now
from prawko.base.errors import NotFoundError
from prawko.base.jobs import Tools
from prawko.billing.allowance import require_subscription
from prawko.deliveries.jobs import deliver_pending
from prawko.drivers.errors import DriverLimitError
from prawko.drivers.schemas import VerificationOut
from prawko.hooks.failures import AccountError
from prawko.hooks.licence_register import (
    LicenceAnswer,
    LicenceQuery,
    RegisterError,
    RegisterTrouble,
)
from prawko.verifications.answers import as_shown, kept
from prawko.verifications.asking import Asker
from prawko.verifications.attempts import LOOK_AGAIN_AFTER
from prawko.verifications.bucket import MANUAL, Bucket
from prawko.verifications.effects import Found, apply, keep_answers
from prawko.verifications.errors import RegisterAwayError, VerificationFailedError
from prawko.verifications.manual import DriverToCheck, ManualRepository
from prawko.verifications.outcome import UNKNOWN, Outcome, outcome_of
from prawko.verifications.questions import Asked
from prawko_tenants.ids import AnswerId, DriverId, TenantId, new_id
from prawko_tenants.partitions import ensure_month

log = logs.logger(__name__)

PATIENCE_SECONDS = 5.0
HOUR = timedelta(hours=1)
TRY_AGAIN_SECONDS = 30
LONGEST_WAIT_SECONDS = 3600


class ManualCheck:
    """Checks one driver because a person asked."""

    def __init__(self, tools: Tools) -> None:
        settings = tools.settings
        self._tools = tools
        self._register = tools.plugins.register(settings.register)
        self._bucket = Bucket(tools.database, self._register.name, settings.register_rate)
        self._throttle = Throttle(tools.database, tools.vault)
        self._per_driver = Limit("check_driver", settings.manual_checks_per_driver, HOUR)
        self._per_company = Limit("check_company", settings.manual_checks_per_company, HOUR)

    async def check(self, identity: Identity, driver_id: DriverId) -> VerificationOut:
        """Ask now and return the verification.

        Raises SubscriptionRequiredError, NotFoundError, DriverLimitError for a driver beyond
        the limit, TooManyRequestsError, VerificationFailedError when there was no answer, and
        AuthRequiredError when the session ended while the register was asked.
        """
        tenant_id = identity.tenant_id
        driver = await self._read(tenant_id, driver_id)
        await self._throttle.count(self._per_driver, str(driver_id))
        await self._throttle.count(self._per_company, str(tenant_id))
        await self._wait_for_a_slot()
        asked = Asked(
            tenant_id=tenant_id,
            driver_id=driver_id,
            document_no=driver.document_no,
            query=driver.query,
            at=self._tools.clock.now(),
        )
        answer = await self._ask(asked.query)
        return await self._write(identity, asked, answer)

    async def _read(self, tenant_id: TenantId, driver_id: DriverId) -> DriverToCheck:
        async with self._tools.database.tenant(tenant_id) as session:
            limit = await require_subscription(session, self._tools.clock.now())
            driver = await ManualRepository(session).driver(driver_id)
        if driver is None:
            raise NotFoundError
        if driver.place > limit:
            raise DriverLimitError
        return driver

    async def _wait_for_a_slot(self) -> None:
        slots = await self._bucket.take(MANUAL, wanted=1, ahead=PATIENCE_SECONDS)
        if slots is None:
            raise RegisterAwayError(retry_after=TRY_AGAIN_SECONDS)
        wait = (slots.at(0) - machine_now()).total_seconds()
        await asyncio.sleep(max(0.0, wait))

    async def _ask(self, query: LicenceQuery) -> LicenceAnswer | None:
        settings = self._tools.settings
        asker = Asker(
            self._register, self._tools.clock, deadline=settings.register_deadline, parallel=1
        )
        try:
            answer = await asker.ask_one(query)
        except (AccountError, RegisterError) as error:
            await self._bucket.hear(answered=False, errors=[error])
            raise _refusal(error) from None
        except Exception:  # a bug of the adapter is no answer either
            log.exception("register_adapter_broke", register=self._register.name)
            raise VerificationFailedError from None
        await self._bucket.hear(answered=True)
        return answer

    async def _write(
        self, identity: Identity, asked: Asked, answer: LicenceAnswer | None
    ) -> VerificationOut:
        async with self._tools.database.system() as system:
            await ensure_month(system, asked.at.date())
        later = AfterCommit()
        async with self._tools.database.tenant(asked.tenant_id) as session:
            await refuse_revoked(session, identity)
            manual = ManualRepository(session)
            driver = await manual.hold(asked, keeps := kept(answer))
            if driver is None:
                raise NotFoundError
            if driver.document_no != asked.document_no:
                # Edited meanwhile: the answer is about a document that is no longer there.
                raise RegisterAwayError(retry_after=1)
            outcome = outcome_of(answer, asked.day)
            overtaken = driver.asked_at is not None and driver.asked_at > asked.began
            missing = outcome is Outcome.NOT_FOUND and driver.status not in {UNKNOWN, outcome}
            seen_before = missing and await manual.was_missing(asked, LOOK_AGAIN_AFTER)
            found = Found(
                asked=asked,
                previous=driver.status,
                outcome=outcome,
                kept=keeps,
                answer_id=AnswerId(driver.answer_id or new_id()),
                counts=not overtaken and (not missing or seen_before),
            )
            if driver.answer_id is None:
                known = await keep_answers(session, self._tools, asked.tenant_id, [found])
                found = found.kept_as(known)
            if await apply(session, self._tools, asked.tenant_id, [found]):
                later.put(deliver_pending)
        await later.ring(self._tools.queue)
        return as_shown(asked, keeps, outcome, found.verification_id)


def _refusal(error: AccountError | RegisterError) -> VerificationFailedError:
    """What the person is told: to wait, where waiting may help."""
    if isinstance(error, AccountError):
        return VerificationFailedError()
    log.warning("manual_check_failed", trouble=error.trouble.value)
    if error.trouble is RegisterTrouble.UNAVAILABLE:
        return RegisterAwayError(retry_after=TRY_AGAIN_SECONDS)
    if error.trouble is RegisterTrouble.THROTTLED:
        after = error.retry_after
        wait = TRY_AGAIN_SECONDS if after is None else math.ceil(after)
        return RegisterAwayError(retry_after=min(max(wait, 1), LONGEST_WAIT_SECONDS))
    return VerificationFailedError()
