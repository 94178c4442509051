"""The operators' calls about the daily check."""

import msgspec
from litestar import Controller, Response, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from prawko.accounts.guards import OPERATOR_ERRORS
from prawko.base.context import AppContext
from prawko.base.error_responses import error_responses
from prawko.base.errors import NotFoundError
from prawko.console.action_log import ActionLog, ReasonIn
from prawko.console.check_runs.errors import (
    CheckNotPausedError,
    CheckPausedError,
    CheckRunSupersededError,
    NoPendingReviewError,
)
from prawko.console.check_runs.schemas import CheckRunOut, CompanyChangesOut, PauseOut
from prawko.console.check_runs.service import CheckRunService
from prawko.console.errors import InvalidListQueryError, ReasonRequiredError
from prawko.console.list_page import page_response
from prawko.console.list_query import ListParameters
from prawko.verifications.mass_change.repository import ReviewDecision


def provide_check_runs(context: NamedDependency[AppContext]) -> CheckRunService:
    """Return the service of the daily check."""
    return CheckRunService(context)


class CheckRunController(Controller):
    """Runs of the daily check; a run's id is its day."""

    path = "/check-runs"
    tags = ("Daily check",)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "check_runs": Provide(provide_check_runs, sync_to_thread=False)
    }

    @get(
        operation_id="listCheckRuns",
        summary="List the runs of the last 90 days",
        responses=error_responses(*OPERATOR_ERRORS, InvalidListQueryError),
    )
    async def list_check_runs(
        self,
        check_runs: NamedDependency[CheckRunService],
        list_parameters: NamedDependency[ListParameters],
    ) -> Response[list[CheckRunOut]]:
        query, page = await check_runs.list_runs(list_parameters)
        return page_response("check-runs", query, page, CheckRunOut)

    @get(
        "/{day:str}",
        operation_id="getCheckRun",
        summary="Show a run; the day may be `today`",
        responses=error_responses(*OPERATOR_ERRORS, NotFoundError),
    )
    async def get_check_run(
        self, day: FromPath[str], check_runs: NamedDependency[CheckRunService]
    ) -> CheckRunOut:
        return await check_runs.get_run(check_runs.parse_day(day))

    @post(
        "/pause",
        operation_id="pauseDailyCheck",
        summary="Pause the daily check",
        status_code=200,
        responses=error_responses(*OPERATOR_ERRORS, CheckPausedError, ReasonRequiredError),
    )
    async def pause(
        self,
        data: JSONBody[ReasonIn],
        check_runs: NamedDependency[CheckRunService],
        actions: NamedDependency[ActionLog],
    ) -> PauseOut:
        """Workers stop at their next batch, within seconds."""
        return await check_runs.pause(actions, data.reason)

    @post(
        "/resume",
        operation_id="resumeDailyCheck",
        summary="End the pause of the daily check",
        status_code=200,
        responses=error_responses(*OPERATOR_ERRORS, CheckNotPausedError, ReasonRequiredError),
    )
    async def resume(
        self,
        data: JSONBody[ReasonIn],
        check_runs: NamedDependency[CheckRunService],
        actions: NamedDependency[ActionLog],
    ) -> PauseOut:
        return await check_runs.resume(actions, data.reason)

    @post(
        "/{day:str}/retry",
        operation_id="retryCheckRun",
        summary="Query the unanswered drivers again at once",
        status_code=200,
        responses=error_responses(*OPERATOR_ERRORS, NotFoundError, CheckRunSupersededError),
    )
    async def retry(
        self,
        day: FromPath[str],
        data: JSONBody[ReasonIn],
        check_runs: NamedDependency[CheckRunService],
        actions: NamedDependency[ActionLog],
    ) -> CheckRunOut:
        parsed = check_runs.parse_day(day)
        await check_runs.retry(actions, parsed, data.reason)
        return await check_runs.get_run(parsed)

    @get(
        "/{day:str}/changes",
        operation_id="listQuarantinedChanges",
        summary="List the quarantined changes of a run by company",
        responses=error_responses(*OPERATOR_ERRORS, NotFoundError),
    )
    async def list_changes(
        self, day: FromPath[str], check_runs: NamedDependency[CheckRunService]
    ) -> list[CompanyChangesOut]:
        rows = await check_runs.list_changes(check_runs.parse_day(day))
        return msgspec.convert(rows, list[CompanyChangesOut], from_attributes=True)

    @post(
        "/{day:str}/approve",
        operation_id="approveChanges",
        summary="Let the quarantined changes take effect",
        status_code=200,
        responses=error_responses(*OPERATOR_ERRORS, NoPendingReviewError, ReasonRequiredError),
    )
    async def approve(
        self,
        day: FromPath[str],
        data: JSONBody[ReasonIn],
        check_runs: NamedDependency[CheckRunService],
        actions: NamedDependency[ActionLog],
    ) -> CheckRunOut:
        """The workers apply them and send the notices."""
        parsed = check_runs.parse_day(day)
        await check_runs.decide(actions, parsed, ReviewDecision.APPROVED, data.reason)
        return await check_runs.get_run(parsed)

    @post(
        "/{day:str}/reject",
        operation_id="rejectChanges",
        summary="Discard the quarantined changes",
        status_code=200,
        responses=error_responses(*OPERATOR_ERRORS, NoPendingReviewError, ReasonRequiredError),
    )
    async def reject(
        self,
        day: FromPath[str],
        data: JSONBody[ReasonIn],
        check_runs: NamedDependency[CheckRunService],
        actions: NamedDependency[ActionLog],
    ) -> CheckRunOut:
        parsed = check_runs.parse_day(day)
        await check_runs.decide(actions, parsed, ReviewDecision.REJECTED, data.reason)
        return await check_runs.get_run(parsed)
