"""The calls that hand out a company's own data (readings, names of our own calls)."""

from litestar import Controller, get
from litestar.background_tasks import BackgroundTask
from litestar.di import NamedDependency, Provide
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath
from litestar.response import Stream

from prawko.accounts.activity import Origin
from prawko.accounts.guards import verified_email
from prawko.accounts.identity import Identity
from prawko.base.clock import Clock, warsaw_day
from prawko.base.errors import (
    AuthRequiredError,
    EmailUnverifiedError,
    NotFoundError,
    TooManyRequestsError,
)
from prawko.base.jobs import Tools
from prawko.base.refusals import refusals
from prawko.base.texts import Language
from prawko.personal_data.archive import Archive
from prawko.personal_data.service import Exports
from prawko_tenants.ids import DriverId
from prawko_tenants.sessions import TenantSession

ZIP = "application/zip"
_THE_FILE = ResponseSpec(
    bytes, media_type=ZIP, generate_examples=False, description="JSON and CSV of each table"
)


def provide_exports(
    tools: NamedDependency[Tools],
    session: NamedDependency[TenantSession],
    identity: NamedDependency[Identity],
    origin: NamedDependency[Origin],
    spoken: NamedDependency[Language],
) -> Exports:
    """The company's exports, in the request's transaction."""
    return Exports(tools, session, identity, origin, spoken)


class PersonalDataController(Controller):
    """Archives of what is kept."""

    path = "/api"
    tags = ("Personal data",)
    guards = (verified_email,)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "exports": Provide(provide_exports, sync_to_thread=False)
    }

    @get(
        "/company/export",
        operation_id="exportCompany",
        responses={
            200: _THE_FILE,
            **refusals(AuthRequiredError, EmailUnverifiedError, TooManyRequestsError),
        },
    )
    async def company(
        self, exports: NamedDependency[Exports], clock: NamedDependency[Clock]
    ) -> Stream:
        return _download(await exports.company(), "company", clock)

    @get(
        "/drivers/{driver_id:uuid}/export",
        operation_id="exportDriver",
        responses={
            200: _THE_FILE,
            **refusals(
                AuthRequiredError, EmailUnverifiedError, NotFoundError, TooManyRequestsError
            ),
        },
    )
    async def driver(
        self,
        driver_id: FromPath[DriverId],
        exports: NamedDependency[Exports],
        clock: NamedDependency[Clock],
    ) -> Stream:
        return _download(await exports.driver(driver_id), "driver", clock)


def _download(archive: Archive, about: str, clock: Clock) -> Stream:
    name = f"prawko-{about}-{warsaw_day(clock.now()).isoformat()}.zip"
    return Stream(
        archive.chunks(),
        media_type=ZIP,
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Content-Length": str(archive.size),
        },
        background=BackgroundTask(archive.close),
    )
