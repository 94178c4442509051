"""The calls of the drivers (spec, section 7)."""

from typing import Annotated

import msgspec
from litestar import Controller, Response, delete, get, post, put
from litestar.di import NamedDependency, Provide
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter

from prawko.accounts.activity import Act, Journal
from prawko.accounts.guards import verified_email
from prawko.accounts.identity import Identity
from prawko.base.clock import Clock
from prawko.base.errors import AuthRequiredError, EmailUnverifiedError, NotFoundError
from prawko.base.pages import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, Page
from prawko.base.refusals import refusals
from prawko.billing.errors import SubscriptionRequiredError
from prawko.drivers import reading
from prawko.drivers.errors import DriverLimitError, InvalidDriverDataError, LicenceTakenError
from prawko.drivers.schemas import DriverIn, DriverOut, DriverPatch, RemovedDriver
from prawko.drivers.service import DriverService
from prawko_tenants.engine import Database
from prawko_tenants.ids import DriverId
from prawko_tenants.sessions import TenantSession

HowMany = Annotated[int, QueryParameter(ge=0, le=reading.MOST_VERIFICATIONS)]
PageNumber = Annotated[int | None, QueryParameter(name="page", ge=1, le=1_000_000)]
PageSize = Annotated[int | None, QueryParameter(name="pageSize", ge=1, le=MAX_PAGE_SIZE)]


def provide_drivers(
    session: NamedDependency[TenantSession], clock: NamedDependency[Clock]
) -> DriverService:
    """The company's drivers, in the request's transaction."""
    return DriverService(session, clock)


class DriverController(Controller):
    """The drivers of the caller's company."""

    path = "/api/drivers"
    tags = ("Drivers",)
    guards = (verified_email,)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "drivers": Provide(provide_drivers, sync_to_thread=False)
    }

    @get(
        operation_id="listDrivers",
        responses={
            200: ResponseSpec(list[DriverOut], generate_examples=False),
            **refusals(AuthRequiredError, EmailUnverifiedError),
        },
    )
    async def index(
        self,
        identity: NamedDependency[Identity],
        database: NamedDependency[Database],
        clock: NamedDependency[Clock],
        verifications: HowMany = reading.DEFAULT_VERIFICATIONS,
        page: PageNumber = None,
        page_size: PageSize = None,
    ) -> Response[bytes]:
        reader = database.read(identity.tenant_id)
        if page is None and page_size is None:
            return _json(await reading.list_drivers(reader, clock.now(), verifications))
        window = Page(page or 1, page_size or DEFAULT_PAGE_SIZE)
        total = await reading.count_drivers(reader)
        body = await reading.list_drivers(reader, clock.now(), verifications, window)
        shown = min(window.size, max(0, total - window.offset))
        return _json(body, content_range=window.content_range("drivers", shown, total))

    @post(
        operation_id="addDriver",
        opt={"malformed": InvalidDriverDataError},
        responses={
            201: ResponseSpec(DriverOut, generate_examples=False),
            **refusals(
                AuthRequiredError,
                EmailUnverifiedError,
                SubscriptionRequiredError,
                DriverLimitError,
                LicenceTakenError,
                InvalidDriverDataError,
            ),
        },
    )
    async def add(
        self,
        data: JSONBody[DriverIn],
        drivers: NamedDependency[DriverService],
        identity: NamedDependency[Identity],
        session: NamedDependency[TenantSession],
        clock: NamedDependency[Clock],
        journal: NamedDependency[Journal],
    ) -> Response[bytes]:
        driver_id = await drivers.add(msgspec.structs.asdict(data), identity.user_id)
        await journal.note(Act.DRIVER_ADDED, driver=driver_id)
        return _json(await reading.show_driver(session, driver_id, clock.now()), status=201)

    @put(
        "/{driver_id:uuid}",
        operation_id="updateDriver",
        opt={"malformed": InvalidDriverDataError},
        responses={
            200: ResponseSpec(DriverOut, generate_examples=False),
            **refusals(
                AuthRequiredError,
                EmailUnverifiedError,
                SubscriptionRequiredError,
                NotFoundError,
                LicenceTakenError,
                InvalidDriverDataError,
            ),
        },
    )
    async def update(
        self,
        driver_id: FromPath[DriverId],
        data: JSONBody[DriverPatch],
        drivers: NamedDependency[DriverService],
        session: NamedDependency[TenantSession],
        clock: NamedDependency[Clock],
        journal: NamedDependency[Journal],
    ) -> Response[bytes]:
        if await drivers.edit(driver_id, data.given()):
            await journal.note(Act.DRIVER_CHANGED, driver=driver_id)
        return _json(await reading.show_driver(session, driver_id, clock.now()))

    @delete(
        "/{driver_id:uuid}",
        operation_id="removeDriver",
        status_code=200,
        responses=refusals(AuthRequiredError, EmailUnverifiedError, NotFoundError),
    )
    async def remove(
        self,
        driver_id: FromPath[DriverId],
        drivers: NamedDependency[DriverService],
        journal: NamedDependency[Journal],
    ) -> RemovedDriver:
        await drivers.remove(driver_id)
        await journal.note(Act.DRIVER_REMOVED, driver=driver_id)
        return RemovedDriver(id=driver_id)


def _json(body: bytes, *, status: int = 200, content_range: str | None = None) -> Response[bytes]:
    headers = {"Content-Range": content_range} if content_range else {}
    return Response(body, status_code=status, headers=headers, media_type="application/json")
