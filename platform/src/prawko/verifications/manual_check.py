"""Manual check of one driver; no transaction is open while the register is queried."""

import asyncio
import math
from datetime import timedelta

from prawko import limits
from prawko.accounts.authentication import Identity, ensure_session_active
from prawko.drivers.models import Driver
from prawko.drivers.schemas import VerificationOut
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import (
    LicenceAnswer,
    LicenceQuery,
    RegisterError,
    RegisterErrorKind,
)
from prawko.kit.backoff import bounded_delay
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.errors import NotFoundError
from prawko.kit.observability import logs
from prawko.kit.providers.evidence import FailedCall
from prawko.verifications.answers import normalise_answer
from prawko.verifications.decision import CheckResult, decide_result, went_missing
from prawko.verifications.errors import (
    DriverOverLimitError,
    RegisterUnavailableError,
    VerificationFailedError,
)
from prawko.verifications.outcome import outcome_of
from prawko.verifications.register.access import RegisterAccess, RegisterAccesses
from prawko.verifications.register.check_tasks import SentQuery
from prawko.verifications.register.rate_limiter import INTERACTIVE
from prawko.verifications.repository import ManualCheckRepository
from prawko.verifications.results_writer import save_answers, save_results
from prawko_tenants.ids import DriverId, TenantId
from prawko_tenants.partitions import ensure_month
from prawko_tenants.sessions import TenantSession

log = logs.get_logger(__name__)

MAX_SLOT_WAIT_SECONDS = 5.0
RETRY_AFTER_SECONDS = 30
MAX_RETRY_AFTER = timedelta(hours=1)


class ManualCheck:
    """Checks one driver at a person's request."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._accesses = RegisterAccesses(context, max_concurrency=1)

    async def check(
        self, identity: Identity, driver_id: DriverId, driver_limit: int
    ) -> VerificationOut:
        """Query the register now and return the verification.

        Raises NotFoundError, DriverOverLimitError, TooManyRequestsError, VerificationFailedError if
        there was no answer, and AuthRequiredError if the session was revoked while the register was
        queried.
        """
        tenant_id = identity.tenant_id
        driver = await self._load_driver(tenant_id, driver_id, driver_limit)
        throttle = self._context.throttle
        await throttle.hit(limits.MANUAL_CHECKS_PER_DRIVER, str(driver_id))
        await throttle.hit(limits.MANUAL_CHECKS_PER_COMPANY, str(tenant_id))
        access = await self._await_slot()
        sent_query = SentQuery(
            tenant_id=tenant_id,
            driver_id=driver_id,
            document_version=driver.document_version,
            query=LicenceQuery(driver.first_name, driver.last_name, driver.license_number),
            is_known=driver.verified_at is not None,
            asked_at=self._context.clock.now(),
        )
        answer = await self._query_register(access, sent_query)
        return await self._save_answer(identity, sent_query, answer)

    async def _load_driver(
        self, tenant_id: TenantId, driver_id: DriverId, driver_limit: int
    ) -> Driver:
        async with self._context.database.tenant(tenant_id) as session:
            found = await ManualCheckRepository(session).get_ranked_driver(driver_id)
        if found is None:
            raise NotFoundError
        driver, rank = found
        if rank > driver_limit:
            raise DriverOverLimitError
        return driver

    async def _await_slot(self) -> RegisterAccess:
        """Wait for a slot: of an access that is free now, else of the next one that will be."""
        horizons = [MAX_SLOT_WAIT_SECONDS]
        if self._accesses.count > 1:
            horizons.insert(0, 0.0)
        for horizon in horizons:
            reserved = await self._accesses.reserve(INTERACTIVE, max_slots=1, horizon=horizon)
            if reserved is not None:
                access, reservation = reserved
                delay = (reservation.slot_time(0) - utc_now()).total_seconds()
                await asyncio.sleep(max(0.0, delay))
                return access
        raise RegisterUnavailableError(retry_after=RETRY_AFTER_SECONDS)

    async def _query_register(
        self, access: RegisterAccess, sent: SentQuery
    ) -> LicenceAnswer | None:
        try:
            answer = await access.client.query(sent.query)
        except (ProviderAccountError, RegisterError) as error:
            failed = FailedCall(
                error=error,
                tenant_id=sent.tenant_id,
                subject_id=sent.driver_id,
                is_known=sent.is_known,
            )
            await access.limiter.record(any_success=False, failed=[failed])
            raise _to_app_error(error) from None
        except Exception:  # a bug of the adapter is a failure like any other
            log.exception("register_adapter_failed", register=access.limiter.register)
            raise VerificationFailedError from None
        await access.limiter.record(any_success=True)
        return answer

    async def _save_answer(
        self, identity: Identity, sent_query: SentQuery, answer: LicenceAnswer | None
    ) -> VerificationOut:
        async with self._context.database.system() as system:
            await ensure_month(system, sent_query.asked_at.date())
        tenant_id = sent_query.tenant_id
        async with self._context.database.tenant(tenant_id) as session:
            await ensure_session_active(session, identity)
            decided = await self._decide(session, sent_query, answer)
            [result] = await save_answers(session, self._context, [decided])
            await save_results(session, self._context, tenant_id, [result])
        return result.to_verification_out()

    async def _decide(
        self, session: TenantSession, sent_query: SentQuery, answer: LicenceAnswer | None
    ) -> CheckResult:
        """Lock the driver and decide about the answer."""
        repository = ManualCheckRepository(session)
        received = normalise_answer(answer)
        driver = await repository.lock_driver(sent_query.driver_id, received.hash)
        if driver is None:
            raise NotFoundError
        if driver.document_version != sent_query.document_version:
            # Edited meanwhile: the answer is about the previous document.
            raise RegisterUnavailableError(retry_after=1)
        outcome = outcome_of(answer, sent_query.day)
        missing_since = (
            await repository.get_missing_since(sent_query)
            if went_missing(driver.status, outcome)
            else None
        )
        return decide_result(
            sent_query, outcome, received, driver, missing_since=missing_since, quarantines=False
        )


def _to_app_error(error: ProviderAccountError | RegisterError) -> VerificationFailedError:
    """The error for the caller, with Retry-After if a retry may succeed."""
    if isinstance(error, ProviderAccountError):
        return VerificationFailedError()
    log.warning("manual_check_failed", error_kind=error.kind.value)
    if error.kind is RegisterErrorKind.UNAVAILABLE:
        return RegisterUnavailableError(retry_after=RETRY_AFTER_SECONDS)
    if error.kind is RegisterErrorKind.RATE_LIMITED:
        delay = bounded_delay(
            error.retry_after, longest=MAX_RETRY_AFTER, shortest=timedelta(seconds=1)
        )
        seconds = RETRY_AFTER_SECONDS if delay is None else math.ceil(delay.total_seconds())
        return RegisterUnavailableError(retry_after=seconds)
    return VerificationFailedError()
