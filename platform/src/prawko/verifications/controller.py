"""HTTP endpoints of verifications (docs/rules.md P14)."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.enums import MediaType
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, QueryParameter

from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity
from prawko.accounts.guards import RIGHT_ERRORS, requires_right
from prawko.accounts.roles import ACT, CompanyAct
from prawko.billing.errors import SubscriptionRequiredError
from prawko.billing.state import monitored_limit
from prawko.drivers.queries import DriverQueries
from prawko.drivers.schemas import VerificationOut
from prawko.kit.clock import Clock
from prawko.kit.context import AppContext
from prawko.kit.database import Pagination
from prawko.kit.errors import (
    BadRequestError,
    NotFoundError,
    TooManyRequestsError,
)
from prawko.kit.http.error_responses import error_responses
from prawko.verifications.errors import (
    DriverOverLimitError,
    RegisterUnavailableError,
    VerificationFailedError,
)
from prawko.verifications.history import (
    TimeSpan,
    list_changes,
    list_checked_days,
    list_history,
    load_summary,
)
from prawko.verifications.manual_check import ManualCheck
from prawko.verifications.schemas import (
    CheckedDayOut,
    CheckSummaryOut,
    CheckVersionOut,
    HistoryEntryOut,
    StateChangeOut,
)
from prawko_tenants.ids import DriverId
from prawko_tenants.sessions import TenantSession

Instant = Annotated[datetime | None, QueryParameter()]


class VerificationController(Controller):
    """Manual checks, the verification history and the freshness of results."""

    path = "/api"
    tags = ("Verifications",)
    guards = (requires_right,)
    opt = {ACT: CompanyAct.READ_DRIVERS}  # noqa: RUF012  # Litestar's own declaration

    # Waits for an external server, so it takes the context and opens its own transactions.
    @post(
        "/drivers/{driver_id:uuid}/verify",
        operation_id="checkDriver",
        status_code=200,
        opt={ACT: CompanyAct.CHECK, "calls_provider": True},
        responses=error_responses(
            *RIGHT_ERRORS,
            SubscriptionRequiredError,
            DriverOverLimitError,
            NotFoundError,
            TooManyRequestsError,
            VerificationFailedError,
            RegisterUnavailableError,
        ),
    )
    async def check(
        self,
        driver_id: FromPath[UUID],
        identity: NamedDependency[Identity],
        allowed_drivers: NamedDependency[int],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
    ) -> VerificationOut:
        check = ManualCheck(context)
        verification = await check.check(identity, DriverId(driver_id), allowed_drivers)
        async with context.database.system() as session:
            now = context.clock.now()
            await record_event(
                session, AuditEvent.DRIVER_CHECKED, identity, client, now, driver=driver_id
            )
        return verification

    @get(
        "/drivers/{driver_id:uuid}/verifications",
        operation_id="listVerifications",
        responses=error_responses(*RIGHT_ERRORS, NotFoundError, BadRequestError),
    )
    async def history(
        self,
        driver_id: FromPath[UUID],
        session: NamedDependency[TenantSession],
        context: NamedDependency[AppContext],
        pagination: NamedDependency[Pagination],
        since: Instant = None,
        until: Instant = None,
    ) -> Response[list[HistoryEntryOut]]:
        """Returns all verifications, or those between two times, both included."""
        entries, total = await list_history(
            session, context.key_ring, DriverId(driver_id), pagination, TimeSpan(since, until)
        )
        header = pagination.content_range("verifications", len(entries), total)
        return Response(entries, headers={"Content-Range": header})

    @get(
        "/drivers/{driver_id:uuid}/changes",
        operation_id="listChanges",
        responses=error_responses(*RIGHT_ERRORS, NotFoundError),
    )
    async def changes(
        self,
        driver_id: FromPath[UUID],
        session: NamedDependency[TenantSession],
        pagination: NamedDependency[Pagination],
    ) -> Response[list[StateChangeOut]]:
        """Returns the changes, newest first; consecutive checks with one answer are one entry."""
        entries, total = await list_changes(session, DriverId(driver_id), pagination)
        header = pagination.content_range("changes", len(entries), total)
        return Response(entries, headers={"Content-Range": header})

    @get(
        "/drivers/{driver_id:uuid}/days",
        operation_id="listCheckedDays",
        responses=error_responses(*RIGHT_ERRORS, NotFoundError),
    )
    async def days(
        self,
        driver_id: FromPath[UUID],
        session: NamedDependency[TenantSession],
        clock: NamedDependency[Clock],
    ) -> list[CheckedDayOut]:
        """Returns the days with a check among the last 365, oldest first."""
        return await list_checked_days(session, DriverId(driver_id), clock.now())

    @get(
        "/checks/version",
        operation_id="getCheckVersion",
        responses={
            200: ResponseSpec(CheckVersionOut, generate_examples=False),
            **error_responses(*RIGHT_ERRORS),
        },
    )
    async def show_version(self, driver_queries: NamedDependency[DriverQueries]) -> Response[bytes]:
        return Response(await driver_queries.fetch_version(), media_type=MediaType.JSON)

    @get(
        "/checks/summary",
        operation_id="getCheckSummary",
        responses=error_responses(*RIGHT_ERRORS),
    )
    async def show_summary(
        self, session: NamedDependency[TenantSession], clock: NamedDependency[Clock]
    ) -> CheckSummaryOut:
        now = clock.now()
        return await load_summary(session, now, await monitored_limit(session, now))
