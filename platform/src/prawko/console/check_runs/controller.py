"""The operators' calls about the daily check."""

import msgspec
from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from prawko.accounts.acts.action_log import ActionLog, ReasonRequiredError
from prawko.accounts.guards import OPERATOR_ERRORS
from prawko.console.check_runs.errors import (
    CheckNotPausedError,
    CheckPausedError,
    CheckRunSupersededError,
    NoPendingReviewError,
)
from prawko.console.check_runs.schemas import CheckRunOut, CompanyChangesOut, PauseOut
from prawko.console.check_runs.service import CheckRunService
from prawko.console.resource_handlers import list_handler, service_dependency
from prawko.console.schemas import ReasonIn
from prawko.kit.errors import NotFoundError
from prawko.kit.http.error_responses import error_responses
from prawko.verifications.mass_change import ReviewDecision


def decision_handler(
    word: str, decision: ReviewDecision, *, operation_id: str, summary: str
) -> HTTPRouteHandler:
    """Return the handler of a decision about a mass change, which the workers carry out."""

    @post(
        f"/{{day:str}}/{word}",
        operation_id=operation_id,
        summary=summary,
        status_code=200,
        responses=error_responses(*OPERATOR_ERRORS, NoPendingReviewError, ReasonRequiredError),
    )
    async def decide(
        _: Controller,
        day: FromPath[str],
        data: JSONBody[ReasonIn],
        service: NamedDependency[CheckRunService],
        actions: NamedDependency[ActionLog],
    ) -> CheckRunOut:
        parsed = service.parse_day(day)
        await service.decide(actions, parsed, decision, data.reason)
        return await service.get_run(parsed)

    return decide


class CheckRunController(Controller):
    """Runs of the daily check; a run's id is its day."""

    path = "/check-runs"
    tags = ("Daily check",)
    dependencies = service_dependency(CheckRunService)

    list_check_runs = list_handler(
        "check-runs",
        CheckRunService.list_runs,
        CheckRunOut,
        operation_id="listCheckRuns",
        summary="List the runs of the last 90 days",
    )
    approve = decision_handler(
        "approve",
        ReviewDecision.APPROVED,
        operation_id="approveChanges",
        summary="Let the quarantined changes take effect",
    )
    reject = decision_handler(
        "reject",
        ReviewDecision.REJECTED,
        operation_id="rejectChanges",
        summary="Discard the quarantined changes",
    )

    @get(
        "/{day:str}",
        operation_id="getCheckRun",
        summary="Show a run; the day may be `today`",
        responses=error_responses(*OPERATOR_ERRORS, NotFoundError),
    )
    async def get_check_run(
        self, day: FromPath[str], service: NamedDependency[CheckRunService]
    ) -> CheckRunOut:
        return await service.get_run(service.parse_day(day))

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
        service: NamedDependency[CheckRunService],
        actions: NamedDependency[ActionLog],
    ) -> PauseOut:
        """Workers stop at their next batch, within seconds."""
        return await service.pause(actions, data.reason)

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
        service: NamedDependency[CheckRunService],
        actions: NamedDependency[ActionLog],
    ) -> PauseOut:
        return await service.resume(actions, data.reason)

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
        service: NamedDependency[CheckRunService],
        actions: NamedDependency[ActionLog],
    ) -> CheckRunOut:
        parsed = service.parse_day(day)
        await service.retry(actions, parsed, data.reason)
        return await service.get_run(parsed)

    @get(
        "/{day:str}/changes",
        operation_id="listQuarantinedChanges",
        summary="List the quarantined changes of a run by company",
        responses=error_responses(*OPERATOR_ERRORS, NotFoundError),
    )
    async def list_changes(
        self, day: FromPath[str], service: NamedDependency[CheckRunService]
    ) -> list[CompanyChangesOut]:
        rows = await service.list_changes(service.parse_day(day))
        return msgspec.convert(rows, list[CompanyChangesOut], from_attributes=True)
