"""HTTP endpoints of drivers (docs/rules.md P14)."""

from typing import Annotated, Literal

import msgspec
from litestar import Controller, Response, delete, get, post, put
from litestar.di import NamedDependency, Provide
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import UNSET, UnsetType

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, AuditLog
from prawko.accounts.authentication import Identity
from prawko.accounts.guards import (
    OWN_RIGHT_ERRORS,
    RIGHT_ERRORS,
    forbids_impersonation,
    requires_right,
)
from prawko.accounts.roles import ACT, CompanyAct
from prawko.billing.errors import SubscriptionRequiredError
from prawko.drivers import queries
from prawko.drivers.errors import DriverLimitError, InvalidDriverDataError, LicenceTakenError
from prawko.drivers.models import MayDrive
from prawko.drivers.needed_categories import normalise_categories
from prawko.drivers.notice_history import list_driver_notices
from prawko.drivers.queries import DriverQueries
from prawko.drivers.schemas import (
    DriverCountsOut,
    DriverIn,
    DriverNoticeOut,
    DriverOut,
    DriverPatch,
    DriverRemovalIn,
    DriverRemovalOut,
    DriverSummaryOut,
    NeededCategoriesIn,
    NeededCategoriesOut,
    RemovedDriver,
)
from prawko.drivers.service import DriverService, request_first_check, throttle_documents
from prawko.kit.context import AppContext
from prawko.kit.database import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, Pagination
from prawko.kit.errors import NotFoundError, TooManyRequestsError
from prawko.kit.http.error_responses import error_responses
from prawko.kit.text.i18n import Language
from prawko.limits import COMPANY_LIMIT
from prawko.notifications.fanout import ChannelPolicy
from prawko_tenants.ids import DriverId
from prawko_tenants.sessions import TenantSession

ListView = Annotated[Literal["full", "summary"], QueryParameter()]
MayDriveFilter = Annotated[MayDrive | None, QueryParameter(name="mayDrive")]
VerificationCount = Annotated[int, QueryParameter(ge=0, le=queries.MAX_VERIFICATIONS)]
PageNumber = Annotated[int | None, QueryParameter(name="page", ge=1, le=1_000_000)]
PageSize = Annotated[int | None, QueryParameter(name="pageSize", ge=1, le=MAX_PAGE_SIZE)]


def provide_driver_service(
    session: NamedDependency[TenantSession], context: NamedDependency[AppContext]
) -> DriverService:
    """The driver service in the request's transaction."""
    return DriverService(session, context.clock, ChannelPolicy.from_settings(context.settings))


class DriverController(Controller):
    """Drivers of the caller's company."""

    path = "/api/drivers"
    tags = ("Drivers",)
    guards = (requires_right,)
    opt = {ACT: CompanyAct.READ_DRIVERS}  # noqa: RUF012  # Litestar's own declaration
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "drivers": Provide(provide_driver_service, sync_to_thread=False)
    }

    @get(
        operation_id="listDrivers",
        responses={
            200: ResponseSpec(list[DriverOut | DriverSummaryOut], generate_examples=False),
            **error_responses(*RIGHT_ERRORS),
        },
    )
    async def index(
        self,
        driver_queries: NamedDependency[DriverQueries],
        verifications: VerificationCount = queries.DEFAULT_VERIFICATIONS,
        page: PageNumber = None,
        page_size: PageSize = None,
        view: ListView = "full",
        may_drive: MayDriveFilter = None,
    ) -> Response[bytes]:
        if page is None and page_size is None:
            body = await driver_queries.list_drivers(verifications, may_drive=may_drive)
            return _json_response(queries.to_summaries(body) if view == "summary" else body)
        pagination = Pagination(page or 1, page_size or DEFAULT_PAGE_SIZE)
        total = await driver_queries.count_drivers(may_drive)
        body = await driver_queries.list_drivers(verifications, pagination, may_drive)
        body = queries.to_summaries(body) if view == "summary" else body
        count = min(pagination.size, max(0, total - pagination.offset))
        return _json_response(body, content_range=pagination.content_range("drivers", count, total))

    @get(
        "/summary",
        operation_id="getDriverSummary",
        responses={
            200: ResponseSpec(DriverCountsOut, generate_examples=False),
            **error_responses(*RIGHT_ERRORS),
        },
    )
    async def summary(self, driver_queries: NamedDependency[DriverQueries]) -> Response[bytes]:
        """Returns how many drivers may drive today, and how many need an act."""
        return _json_response(await driver_queries.count_answers())

    @post(
        operation_id="addDriver",
        opt={ACT: CompanyAct.WRITE_DRIVERS, "malformed": InvalidDriverDataError},
        responses={
            201: ResponseSpec(DriverOut, generate_examples=False),
            **error_responses(
                *RIGHT_ERRORS,
                SubscriptionRequiredError,
                DriverLimitError,
                LicenceTakenError,
                InvalidDriverDataError,
                TooManyRequestsError,
            ),
        },
    )
    async def add(
        self,
        data: JSONBody[DriverIn],
        drivers: NamedDependency[DriverService],
        allowed_drivers: NamedDependency[int],
        identity: NamedDependency[Identity],
        session: NamedDependency[TenantSession],
        context: NamedDependency[AppContext],
        audit: NamedDependency[AuditLog],
    ) -> Response[bytes]:
        await throttle_documents(context, identity.tenant_id, allowed_drivers)
        driver_id = await drivers.add(
            msgspec.structs.asdict(data), identity.user_id, allowed_drivers
        )
        request_first_check(context, session)
        await audit.record(
            AuditEvent.DRIVER_ADDED,
            driver=driver_id,
            **_category_details(data.needed_categories or UNSET),
        )
        return _json_response(
            await queries.get_driver_json(session, driver_id, context.clock.now()), status=201
        )

    @get(
        "/{driver_id:uuid}",
        operation_id="getDriver",
        responses={
            200: ResponseSpec(DriverOut, generate_examples=False),
            **error_responses(*RIGHT_ERRORS, NotFoundError),
        },
    )
    async def show(
        self, driver_id: FromPath[DriverId], driver_queries: NamedDependency[DriverQueries]
    ) -> Response[bytes]:
        """Returns the driver with only the newest verification."""
        body = await driver_queries.find_driver(driver_id)
        if body is None:
            raise NotFoundError
        return _json_response(body)

    @get(
        "/{driver_id:uuid}/notices",
        operation_id="listDriverNotices",
        responses=error_responses(*RIGHT_ERRORS, NotFoundError),
    )
    async def notices(
        self,
        driver_id: FromPath[DriverId],
        session: NamedDependency[TenantSession],
        language: NamedDependency[Language],
        pagination: NamedDependency[Pagination],
    ) -> Response[list[DriverNoticeOut]]:
        """Returns the notices, newest first, with the states of their mails and SMS."""
        notices, total = await list_driver_notices(session, driver_id, language, pagination)
        header = pagination.content_range("notices", len(notices), total)
        return Response(notices, headers={"Content-Range": header})

    @put(
        "/needed-categories",
        operation_id="setNeededCategories",
        summary="Replace the needed categories of several drivers, in one transaction",
        opt={
            ACT: CompanyAct.WRITE_DRIVERS,
            "malformed": InvalidDriverDataError,
            COMPANY_LIMIT: limits.DRIVER_CHANGES,
        },
        responses=error_responses(
            *RIGHT_ERRORS,
            SubscriptionRequiredError,
            InvalidDriverDataError,
            TooManyRequestsError,
        ),
    )
    async def update_needed(
        self,
        data: JSONBody[NeededCategoriesIn],
        drivers: NamedDependency[DriverService],
        allowed_drivers: NamedDependency[int],  # noqa: ARG002 (needs a subscription)
        session: NamedDependency[TenantSession],
        context: NamedDependency[AppContext],
        audit: NamedDependency[AuditLog],
    ) -> NeededCategoriesOut:
        """Drivers that another member has removed meanwhile are skipped."""
        company = str(session.tenant_id)
        await context.throttle.hit_others(limits.DRIVER_CHANGES, company, len(data.driver_ids))
        changed = await drivers.update_needed(data.driver_ids, data.needed_categories)
        details = _category_details(data.needed_categories)
        for driver_id in changed:
            await audit.record(AuditEvent.DRIVER_CHANGED, driver=driver_id, **details)
        return NeededCategoriesOut(changed=len(changed))

    @put(
        "/{driver_id:uuid}",
        operation_id="updateDriver",
        opt={
            ACT: CompanyAct.WRITE_DRIVERS,
            "malformed": InvalidDriverDataError,
            COMPANY_LIMIT: limits.DRIVER_CHANGES,
        },
        responses={
            200: ResponseSpec(DriverOut, generate_examples=False),
            **error_responses(
                *RIGHT_ERRORS,
                SubscriptionRequiredError,
                NotFoundError,
                LicenceTakenError,
                InvalidDriverDataError,
                TooManyRequestsError,
            ),
        },
    )
    async def update(
        self,
        driver_id: FromPath[DriverId],
        data: JSONBody[DriverPatch],
        drivers: NamedDependency[DriverService],
        allowed_drivers: NamedDependency[int],
        session: NamedDependency[TenantSession],
        context: NamedDependency[AppContext],
        audit: NamedDependency[AuditLog],
    ) -> Response[bytes]:
        fields = data.provided_fields()
        if fields.keys() - {"needed_categories"}:
            await throttle_documents(context, session.tenant_id, allowed_drivers)
        if await drivers.update(driver_id, fields):
            details = _category_details(data.needed_categories)
            await audit.record(AuditEvent.DRIVER_CHANGED, driver=driver_id, **details)
        if drivers.has_new_document:
            request_first_check(context, session)
        now = context.clock.now()
        return _json_response(await queries.get_driver_json(session, driver_id, now))

    @delete(
        "/{driver_id:uuid}",
        operation_id="removeDriver",
        opt={ACT: CompanyAct.REMOVE_DRIVERS},
        guards=[forbids_impersonation],
        status_code=200,
        responses=error_responses(*OWN_RIGHT_ERRORS, NotFoundError),
    )
    async def remove(
        self,
        driver_id: FromPath[DriverId],
        drivers: NamedDependency[DriverService],
        audit: NamedDependency[AuditLog],
    ) -> RemovedDriver:
        await drivers.remove(driver_id)
        await audit.record(AuditEvent.DRIVER_REMOVED, driver=driver_id)
        return RemovedDriver(id=driver_id)

    @post(
        "/remove",
        operation_id="removeDrivers",
        opt={ACT: CompanyAct.REMOVE_DRIVERS},
        summary="Remove several drivers, in one transaction",
        guards=[forbids_impersonation],
        status_code=200,
        responses=error_responses(*OWN_RIGHT_ERRORS),
    )
    async def remove_many(
        self,
        data: JSONBody[DriverRemovalIn],
        drivers: NamedDependency[DriverService],
        audit: NamedDependency[AuditLog],
    ) -> DriverRemovalOut:
        """Drivers that another member has removed meanwhile are skipped."""
        removed = await drivers.remove_many(data.ids)
        for driver_id in removed:
            await audit.record(AuditEvent.DRIVER_REMOVED, driver=driver_id)
        return DriverRemovalOut(removed=len(removed))


def _category_details(codes: list[str] | UnsetType) -> dict[str, str]:
    """The needed categories as a detail of an audit event; nothing if none were given."""
    return (
        {} if codes is UNSET else {"neededCategories": " ".join(normalise_categories(codes) or ())}
    )


def _json_response(
    body: bytes, *, status: int = 200, content_range: str | None = None
) -> Response[bytes]:
    headers = {"Content-Range": content_range} if content_range else {}
    return Response(body, status_code=status, headers=headers, media_type="application/json")
