"""Runs of the daily check: pausing it, querying drivers again, deciding mass changes."""

from datetime import date, datetime
from uuid import UUID

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from sqlalchemy import exists, func, select
from sqlalchemy.orm import aliased

from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.acts.operator_acts import OperatorActs, ReasonRequiredError
from prawko.console.check_run_progress import CheckRunOut, describe_runs
from prawko.console.list_query import FilterDays
from prawko.console.resource import (
    COMPANY_NAME,
    TODAY,
    Act,
    Resource,
    create_router,
    ids_filter,
    operator_responses,
)
from prawko.console.schemas import ReasonIn
from prawko.drivers.models import Outcome
from prawko.kit.clock import warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.errors import AppError, NotFoundError
from prawko.kit.http.schemas import ResponseModel
from prawko.verifications.daily.operator_requests import (
    pause_checks,
    paused_since,
    request_retry,
    resume_checks,
)
from prawko.verifications.jobs import (
    apply_review_decisions,
    reconcile_runs,
    retry_unanswered_items,
)
from prawko.verifications.mass_change import ReviewDecision
from prawko.verifications.mass_change_review import decide_review
from prawko.verifications.models import CheckItem, CheckRun
from prawko_tenants.models import Tenant

LISTED_DAYS = 90


class PauseOut(ResponseModel):
    """Whether the daily check is paused, and since when."""

    id: str
    paused: bool
    paused_since: datetime | None


class CompanyChangesOut(ResponseModel):
    """A company's quarantined changes of a run, by their new outcome."""

    id: UUID
    company_id: UUID
    company_name: str
    not_found: int
    attention: int
    total: int


class CheckPausedError(AppError):
    """The daily check is paused already."""

    status = 409
    key = "check_paused"


class CheckNotPausedError(AppError):
    """There is no pause to end."""

    status = 409
    key = "check_not_paused"


class CheckRunSupersededError(AppError):
    """A later run has started, which checks the drivers of this one."""

    status = 409
    key = "check_run_superseded"


class NoPendingReviewError(AppError):
    """No mass change of the day awaits a decision."""

    status = 409
    key = "no_pending_review"


def parse_day(context: AppContext, text: str) -> date:
    """Return the day of a path; `today` is today in Warsaw. Raises NotFoundError."""
    if text == "today":
        return warsaw_date(context.clock.now())
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise NotFoundError from None


async def retry_run(acts: OperatorActs, day: date, data: ReasonIn) -> None:
    """Have the unanswered drivers queried again at once.

    Raises NotFoundError, and CheckRunSupersededError if a later run checks them.
    """
    now = acts.context.clock.now()
    later = aliased(CheckRun)
    is_superseded = exists().where(
        later.day > day, later.day <= warsaw_date(now), later.started_at.is_not(None)
    )
    async with acts.open_system() as session:
        superseded = await session.scalar(select(is_superseded).where(CheckRun.day == day))
        if superseded is None:
            raise NotFoundError
        if superseded:
            raise CheckRunSupersededError
        await request_retry(session, day, now)
        await acts.record(
            AdminActionType.CHECK_RETRIED,
            reason=data.reason,
            requires_reason=False,
            day=day.isoformat(),
        )
        acts.context.enqueue_on_commit(session, retry_unanswered_items)


async def approve_review(acts: OperatorActs, day: date, data: ReasonIn) -> None:
    """Let the workers apply a mass change. Raises NoPendingReviewError."""
    await decide_mass_change(acts, day, ReviewDecision.APPROVED, data.reason)


async def reject_review(acts: OperatorActs, day: date, data: ReasonIn) -> None:
    """Let the workers discard a mass change. Raises NoPendingReviewError."""
    await decide_mass_change(acts, day, ReviewDecision.REJECTED, data.reason)


async def decide_mass_change(
    acts: OperatorActs, day: date, decision: ReviewDecision, reason: str | None
) -> None:
    """Decide a mass change; the workers apply the decision. Raises NoPendingReviewError."""
    is_approved = decision is ReviewDecision.APPROVED
    action = AdminActionType.REVIEW_APPROVED if is_approved else AdminActionType.REVIEW_REJECTED
    async with acts.open_system() as session:
        if not await decide_review(session, day, decision, acts.context.clock.now()):
            raise NoPendingReviewError
        await acts.record(action, reason=reason, day=day.isoformat())
        acts.context.enqueue_on_commit(session, apply_review_decisions)


@post(
    "/pause",
    operation_id="pauseDailyCheck",
    summary="Pause the daily check",
    status_code=200,
    responses=operator_responses(CheckPausedError, ReasonRequiredError),
)
async def pause_daily_check(
    data: JSONBody[ReasonIn],
    context: NamedDependency[AppContext],
    acts: NamedDependency[OperatorActs],
) -> PauseOut:
    """Workers stop at their next batch, within seconds."""
    now = context.clock.now()
    async with acts.open_system() as session:
        if not await pause_checks(session, now):
            raise CheckPausedError
        await acts.record(AdminActionType.CHECK_PAUSED, reason=data.reason)
    return PauseOut(id="pause", paused=True, paused_since=now)


@post(
    "/resume",
    operation_id="resumeDailyCheck",
    summary="End the pause of the daily check",
    status_code=200,
    responses=operator_responses(CheckNotPausedError, ReasonRequiredError),
)
async def resume_daily_check(
    data: JSONBody[ReasonIn],
    context: NamedDependency[AppContext],
    acts: NamedDependency[OperatorActs],
) -> PauseOut:
    """The workers go on at once."""
    now = context.clock.now()
    async with acts.open_system() as session:
        since = await paused_since(session)
        if since is None or not await resume_checks(session, now):
            raise CheckNotPausedError
        seconds = int((now - since).total_seconds())
        await acts.record(AdminActionType.CHECK_RESUMED, reason=data.reason, seconds=seconds)
        context.enqueue_on_commit(session, reconcile_runs)
    return PauseOut(id="pause", paused=False, paused_since=None)


@get(
    "/{record_id:str}/changes",
    operation_id="listQuarantinedChanges",
    summary="List the quarantined changes of a run by company",
    responses=operator_responses(NotFoundError),
)
async def list_changes(
    record_id: FromPath[str], context: NamedDependency[AppContext]
) -> list[CompanyChangesOut]:
    """The numbers of changes of each company, the most first."""
    total = func.count().label("total")
    statement = (
        select(
            CheckItem.tenant_id.label("id"),
            CheckItem.tenant_id.label("company_id"),
            COMPANY_NAME,
            func.count().filter(CheckItem.outcome == Outcome.NOT_FOUND).label("not_found"),
            func.count().filter(CheckItem.outcome != Outcome.NOT_FOUND).label("attention"),
            total,
        )
        .outerjoin(Tenant, Tenant.id == CheckItem.tenant_id)
        .where(CheckItem.day == parse_day(context, record_id), CheckItem.state == "quarantined")
        .group_by(CheckItem.tenant_id, Tenant.company_name)
        .order_by(total.desc(), CheckItem.tenant_id)
    )
    async with context.database.operator() as session:
        rows = (await session.execute(statement)).all()
    return msgspec.convert(rows, list[CompanyChangesOut], from_attributes=True)


CHECK_RUNS = Resource(
    name="check-runs",
    tag="Daily check",
    list_id="listCheckRuns",
    read_id="getCheckRun",
    out=CheckRunOut,
    statement=select(*CheckRun.__table__.c),
    ids=lambda _: select(CheckRun.day).where(CheckRun.day > TODAY - LISTED_DAYS),
    describe=describe_runs,
    id_column=CheckRun.day,
    parse_id=parse_day,
    columns={"day": CheckRun.day, "id": CheckRun.day},
    filters={"id": ids_filter(CheckRun.day, FilterDays)},
    acts=(
        Act(
            "retry",
            "retryCheckRun",
            retry_run,
            (CheckRunSupersededError,),
            "Query the unanswered drivers again at once",
        ),
        Act(
            "approve",
            "approveChanges",
            approve_review,
            (NoPendingReviewError, ReasonRequiredError),
            "Let the quarantined changes take effect",
        ),
        Act(
            "reject",
            "rejectChanges",
            reject_review,
            (NoPendingReviewError, ReasonRequiredError),
            "Discard the quarantined changes",
        ),
    ),
)
ROUTES = (create_router(CHECK_RUNS, pause_daily_check, resume_daily_check, list_changes),)
