"""The calls about verifications (spec, section 7)."""

from uuid import UUID

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from prawko.accounts.activity import Act, Origin, note
from prawko.accounts.guards import verified_email
from prawko.accounts.identity import Identity
from prawko.base.clock import Clock
from prawko.base.errors import (
    AuthRequiredError,
    EmailUnverifiedError,
    NotFoundError,
    TooManyRequestsError,
)
from prawko.base.jobs import Tools
from prawko.base.pages import Page
from prawko.base.refusals import refusals
from prawko.billing.allowance import checked_limit
from prawko.billing.errors import SubscriptionRequiredError
from prawko.drivers.errors import DriverLimitError
from prawko.drivers.schemas import VerificationOut
from prawko.verifications.errors import RegisterAwayError, VerificationFailedError
from prawko.verifications.history import page_of_history, summary
from prawko.verifications.schemas import CheckSummaryOut, HistoryEntryOut
from prawko.verifications.service import ManualCheck
from prawko_tenants.ids import DriverId
from prawko_tenants.sessions import TenantSession


class VerificationController(Controller):
    """Checks by hand, the history, and how fresh the results are."""

    path = "/api"
    tags = ("Verifications",)
    guards = (verified_email,)

    # One of the calls that wait for somebody else's server: it holds no transaction meanwhile.
    @post(
        "/drivers/{driver_id:uuid}/verify",
        operation_id="checkDriver",
        status_code=200,
        responses=refusals(
            AuthRequiredError,
            EmailUnverifiedError,
            SubscriptionRequiredError,
            DriverLimitError,
            NotFoundError,
            TooManyRequestsError,
            VerificationFailedError,
            RegisterAwayError,
        ),
    )
    async def check(
        self,
        driver_id: FromPath[UUID],
        identity: NamedDependency[Identity],
        tools: NamedDependency[Tools],
        origin: NamedDependency[Origin],
    ) -> VerificationOut:
        verification = await ManualCheck(tools).check(identity, DriverId(driver_id))
        async with tools.database.system() as session:
            now = tools.clock.now()
            await note(session, Act.DRIVER_CHECKED, identity, origin, now, driver=driver_id)
        return verification

    @get(
        "/drivers/{driver_id:uuid}/verifications",
        operation_id="listVerifications",
        responses=refusals(AuthRequiredError, EmailUnverifiedError, NotFoundError),
    )
    async def history(
        self,
        driver_id: FromPath[UUID],
        session: NamedDependency[TenantSession],
        tools: NamedDependency[Tools],
        window: NamedDependency[Page],
    ) -> Response[list[HistoryEntryOut]]:
        found = await page_of_history(session, tools.vault, DriverId(driver_id), window)
        if found is None:
            raise NotFoundError
        entries, total = found
        header = window.content_range("verifications", len(entries), total)
        return Response(entries, headers={"Content-Range": header})

    @get(
        "/checks/summary",
        operation_id="getCheckSummary",
        responses=refusals(AuthRequiredError, EmailUnverifiedError),
    )
    async def show_summary(
        self, session: NamedDependency[TenantSession], clock: NamedDependency[Clock]
    ) -> CheckSummaryOut:
        now = clock.now()
        return await summary(session, now, await checked_limit(session, now))
