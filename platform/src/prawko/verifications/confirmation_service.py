"""Confirms a company's checks as PDFs, with a rate limit and an audit event."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from datetime import date, timedelta
from uuid import UUID

import msgspec

from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity, ensure_session_active
from prawko.accounts.repository import AccountRepository
from prawko.kit.clock import warsaw_date, warsaw_midnight
from prawko.kit.context import AppContext
from prawko.kit.documents.child_process import PDF_LIMITS, run_in_process
from prawko.kit.errors import BadRequestError
from prawko.kit.text.i18n import Language, translate
from prawko.verifications.company_days import list_past, list_present
from prawko.verifications.confirmation_builder import (
    CheckedPeriod,
    ConfirmationBuilder,
    ConfirmationContext,
    DriverChoice,
)
from prawko.verifications.confirmation_document import Confirmation
from prawko.verifications.repository import RecordedChecks
from prawko_tenants.fair_semaphore import FairSemaphore
from prawko_tenants.ids import DriverId
from prawko_tenants.sessions import TenantSession

EARLIEST_DAY, LATEST_DAY = date(2000, 1, 1), date(2099, 12, 31)
MAX_PERIOD_DAYS = 366
MAX_PERIOD_CHECKS = 2000
MAX_DAY_DRIVERS = 10_000
_Named = tuple[str, Confirmation]  # what the file's name says of it
DRAWING_MODULE = "prawko.verifications.confirmation_pdf"


class ConfirmationFile(msgspec.Struct, frozen=True):
    """A PDF and the name to save it under, of ASCII letters, digits and hyphens."""

    name: str
    content: bytes


class DrawingSlot(FairSemaphore):
    """Limits this process to drawing one confirmation at a time."""

    def __init__(self) -> None:
        super().__init__(1, per_company=1)


class ConfirmationService:
    """Confirms checks of the caller's company. No connection is held while a PDF is drawn."""

    def __init__(
        self, context: AppContext, identity: Identity, client_info: ClientInfo, language: Language
    ) -> None:
        self._context = context
        self._identity = identity
        self._client_info = client_info
        self._language = language

    async def confirm_check(self, driver_id: DriverId, verification_id: UUID) -> ConfirmationFile:
        """Confirm one check. Raises NotFoundError, TooManyRequestsError, UnavailableError."""

        async def load(checks: RecordedChecks, builder: ConfirmationBuilder) -> _Named:
            check = await checks.find(verification_id)
            driver = await checks.load_driver(self._context.clock.now())
            number, at = check.verification.license_number, check.verification.verified_at
            return f"{number}-{warsaw_date(at)}", builder.build_check(check, driver)

        return await self._confirm(driver_id, load)

    async def confirm_period(
        self, driver_id: DriverId, first: date, last: date
    ) -> ConfirmationFile:
        """Confirm all checks from one Warsaw day to another.

        Raises NotFoundError, TooManyRequestsError and UnavailableError, and BadRequestError for
        a period that is too long or whose days are in the wrong order.
        """
        if not (first >= EARLIEST_DAY and last <= LATEST_DAY):
            raise BadRequestError(
                fields={"to": "confirmations.period_errors.range"},
                first=EARLIEST_DAY.year,
                last=LATEST_DAY.year,
            )
        if last < first:
            raise BadRequestError(fields={"to": "confirmations.period_errors.order"})
        if (last - first).days >= MAX_PERIOD_DAYS:
            raise BadRequestError(
                fields={"to": "confirmations.period_errors.too_long"}, days=MAX_PERIOD_DAYS
            )

        async def load(checks: RecordedChecks, builder: ConfirmationBuilder) -> _Named:
            name, number = await checks.load_person()
            listed = await checks.list_between(
                warsaw_midnight(first),
                warsaw_midnight(last + timedelta(days=1)),
                MAX_PERIOD_CHECKS + 1,
            )
            if len(listed) > MAX_PERIOD_CHECKS:
                raise BadRequestError(fields={"to": "confirmations.period_errors.too_many"})
            period = CheckedPeriod(first=first, last=last, name=name, license_number=number)
            return f"{number}-{first}-{last}", builder.build_period(period, listed)

        return await self._confirm(driver_id, load)

    async def confirm_day(
        self, day: date | None, chosen: Collection[DriverId] | None = None
    ) -> ConfirmationFile:
        """Confirm who may drive on a Warsaw day, and who reacted; None means today.

        Without `chosen` ids, all drivers are listed.

        Raises TooManyRequestsError and UnavailableError, and BadRequestError for a day to come and
        for too many drivers.
        """
        now = self._context.clock.now()
        today = warsaw_date(now)
        day = day or today
        if not EARLIEST_DAY <= day <= today:
            raise BadRequestError(
                fields={"day": "confirmations.day.range"}, first=EARLIEST_DAY.year
            )

        async def load(session: TenantSession, builder: ConfirmationBuilder) -> _Named:
            is_past = day < today
            drivers = await (list_past(session, day) if is_past else list_present(session, now))
            if len(drivers) > MAX_DAY_DRIVERS:
                raise BadRequestError(
                    fields={"day": "confirmations.day.too_many"}, most=MAX_DAY_DRIVERS
                )
            if chosen is not None:
                drivers = [one for one in drivers if one.id in chosen]
            whose = DriverChoice.ALL if chosen is None else DriverChoice.CHOSEN
            return str(day), await asyncio.to_thread(builder.build_day, day, drivers, whose)

        return await self._draw(load, about="company")

    async def _confirm(
        self, driver_id: DriverId,
        load: Callable[[RecordedChecks, ConfirmationBuilder], Awaitable[_Named]],
    ) -> ConfirmationFile:  # fmt: skip
        async def load_driver(session: TenantSession, builder: ConfirmationBuilder) -> _Named:
            return await load(RecordedChecks(session, driver_id), builder)

        return await self._draw(load_driver, about="confirmation", driver=driver_id)

    async def _draw(
        self, load: Callable[[TenantSession, ConfirmationBuilder], Awaitable[_Named]],
        **details: UUID | str,
    ) -> ConfirmationFile:  # fmt: skip
        async with self._context.database.tenant(self._identity.tenant_id) as session:
            builder = await self._create_builder(session)
            detail, confirmation = await load(session, builder)
        slot = self._context.components.get(DrawingSlot)
        async with slot.slot(self._identity.tenant_id):
            pdf = await run_in_process(
                DRAWING_MODULE, msgspec.json.encode(confirmation), PDF_LIMITS
            )
        async with self._context.database.tenant(self._identity.tenant_id) as session:
            await ensure_session_active(session, self._identity)
            await record_event(
                session, AuditEvent.EXPORT_MADE, self._identity, self._client_info,
                self._context.clock.now(), **details,
            )  # fmt: skip
        return ConfirmationFile(
            f"{translate('confirmations.file', self._language)}-{detail}.pdf", pdf
        )

    async def _create_builder(self, session: TenantSession) -> ConfirmationBuilder:
        company = await AccountRepository(session).get_company(self._identity.tenant_id)
        return ConfirmationBuilder(
            ConfirmationContext(
                brand=self._context.settings.brand,
                company_name=company.company_name or "",
                tax_id=company.tax_id or "",
                language=self._language,
                made_at=self._context.clock.now(),
            )
        )
