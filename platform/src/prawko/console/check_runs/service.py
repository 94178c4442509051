"""Shows runs with their progress, and lets operators pause, retry and decide."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from prawko.accounts.acts.action_log import ActionLog
from prawko.accounts.acts.models import AdminActionType
from prawko.console.check_runs.errors import (
    CheckNotPausedError,
    CheckPausedError,
    CheckRunSupersededError,
    NoPendingReviewError,
)
from prawko.console.check_runs.forecast import (
    RunActivity,
    expected_end,
    is_stalled,
    rate_per_minute,
)
from prawko.console.check_runs.queries import DIALECT, CheckRunQueries, ItemCount, PauseTimes
from prawko.console.check_runs.schemas import CheckRunOut, ErrorCountOut, PauseOut
from prawko.console.list_page import AnyRow, ListPage
from prawko.console.list_query import ListParameters, ListQuery
from prawko.kit.clock import utc_now, warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.errors import NotFoundError
from prawko.verifications.daily.operator_requests import (
    pause_checks,
    paused_since,
    request_retry,
    resume_checks,
)
from prawko.verifications.daily.planning import RETENTION_DAYS
from prawko.verifications.daily.schedule import CheckSchedule
from prawko.verifications.jobs import (
    apply_review_decisions,
    reconcile_runs,
    retry_unanswered_items,
)
from prawko.verifications.mass_change import ReviewDecision
from prawko.verifications.mass_change_review import decide_review
from prawko.verifications.models import CheckRun

_ACTIONS = {
    ReviewDecision.APPROVED: AdminActionType.REVIEW_APPROVED,
    ReviewDecision.REJECTED: AdminActionType.REVIEW_REJECTED,
}


class CheckRunService:
    """Reads with the operators' wide session; every act is a transaction of the action log."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._now = context.clock.now()
        self._today = warsaw_date(self._now)

    def parse_day(self, text: str) -> date:
        """Return the day of a path; `today` is today in Warsaw. Raises NotFoundError."""
        if text == "today":
            return self._today
        try:
            return date.fromisoformat(text)
        except ValueError:
            raise NotFoundError from None

    async def list_runs(self, parameters: ListParameters) -> tuple[ListQuery, ListPage]:
        """Return a page of runs, newest first."""
        query = DIALECT.parse(parameters)
        async with self._context.database.operator() as session:
            queries = CheckRunQueries(session)
            page = await queries.list_runs(query, self._today)
            return query, ListPage(await self._describe(queries, page.rows), page.total)

    async def get_run(self, day: date) -> CheckRunOut:
        """Return a day's run. Raises NotFoundError."""
        async with self._context.database.operator() as session:
            queries = CheckRunQueries(session)
            run = await queries.get_run(day)
            if run is None:
                raise NotFoundError
            [described] = await self._describe(queries, [run])
        return described

    async def list_changes(self, day: date) -> Sequence[AnyRow]:
        """Return the numbers of quarantined changes of each company."""
        async with self._context.database.operator() as session:
            return await CheckRunQueries(session).list_changes(day)

    async def pause(self, actions: ActionLog, reason: str | None) -> PauseOut:
        """Pause the daily check. Raises CheckPausedError."""
        async with actions.open_system() as session:
            if not await pause_checks(session, self._now):
                raise CheckPausedError
            await actions.record(AdminActionType.CHECK_PAUSED, reason=reason)
        return PauseOut(id="pause", paused=True, paused_since=self._now)

    async def resume(self, actions: ActionLog, reason: str | None) -> PauseOut:
        """End the pause. Raises CheckNotPausedError."""
        async with actions.open_system() as session:
            since = await paused_since(session)
            if since is None or not await resume_checks(session, self._now):
                raise CheckNotPausedError
            seconds = int((self._now - since).total_seconds())
            await actions.record(AdminActionType.CHECK_RESUMED, reason=reason, seconds=seconds)
            self._context.enqueue_on_commit(session, reconcile_runs)
        return PauseOut(id="pause", paused=False, paused_since=None)

    async def retry(self, actions: ActionLog, day: date, reason: str | None) -> None:
        """Have the unanswered drivers queried again at once.

        Raises NotFoundError, and CheckRunSupersededError if a later run checks them.
        """
        async with actions.open_system() as session:
            is_superseded = await CheckRunQueries(session).is_superseded(day, self._today)
            if is_superseded is None:
                raise NotFoundError
            if is_superseded:
                raise CheckRunSupersededError
            await request_retry(session, day, self._now)
            await actions.record(
                AdminActionType.CHECK_RETRIED, reason=reason, requires_reason=False,
                day=day.isoformat(),
            )  # fmt: skip
            self._context.enqueue_on_commit(session, retry_unanswered_items)

    async def decide(
        self, actions: ActionLog, day: date, decision: ReviewDecision, reason: str | None
    ) -> None:
        """Decide a mass change; the workers apply it. Raises NoPendingReviewError."""
        async with actions.open_system() as session:
            if not await decide_review(session, day, decision, self._now):
                raise NoPendingReviewError
            await actions.record(_ACTIONS[decision], reason=reason, day=day.isoformat())
            self._context.enqueue_on_commit(session, apply_review_decisions)

    async def _describe(
        self, queries: CheckRunQueries, runs: Sequence[CheckRun]
    ) -> list[CheckRunOut]:
        """Add errors, rate and forecast to runs: at most four statements, however many."""
        kept_since = self._today - timedelta(days=RETENTION_DAYS)
        counts = await queries.count_unresolved([run.day for run in runs if run.day >= kept_since])
        pause = await queries.load_pause()
        activity = RunActivity()
        if any(run.day == self._today for run in runs):
            registers = self._context.settings.register_names
            activity = await queries.load_activity(self._today, self._now, registers)
        return [
            self._describe_run(
                run,
                [count for count in counts if count.day == run.day],
                pause,
                activity if run.day == self._today else RunActivity(),
                has_items=run.day >= kept_since,
            )
            for run in runs
        ]

    def _describe_run(
        self,
        run: CheckRun,
        counts: Sequence[ItemCount],
        pause: PauseTimes,
        activity: RunActivity,
        *,
        has_items: bool,
    ) -> CheckRunOut:
        is_today = run.day == self._today
        is_paused = is_today and pause.paused_since is not None
        unresolved = sum(count.count for count in counts)
        if not has_items:
            unresolved = max(0, run.planned - run.done - run.quarantined)
        rate = rate_per_minute(run.done, run.started_at, run.finished_at, self._now)
        allowed = CheckSchedule.from_settings(self._context.settings).drivers_per_second
        stalled = is_stalled(
            activity,
            is_paused=is_paused,
            resumed_at=self._system_time(run.started_at or run.planned_at, pause.ended_at),
            system_now=utc_now(),
        )
        is_going_on = is_today and run.finished_at is None and not (is_paused or stalled)
        return CheckRunOut(
            id=run.day,
            day=run.day,
            state=run.state,
            started_at=run.started_at,
            finished_at=run.finished_at,
            planned=run.planned,
            done=run.done,
            valid=run.valid,
            invalid=run.invalid,
            attention=run.attention,
            not_found=run.not_found,
            unresolved=unresolved,
            quarantined=run.quarantined if run.review_state in {None, "pending"} else 0,
            review_state=run.review_state,
            errors=[
                ErrorCountOut(kind=count.error_kind, count=count.count)
                for count in sorted(counts, key=lambda count: -count.count)
                if count.error_kind is not None
            ],
            rate_per_minute=rate,
            expected_end_at=(
                expected_end(unresolved, rate, allowed, self._now) if is_going_on else None
            ),
            paused=is_paused,
            paused_since=pause.paused_since if is_paused else None,
            leased=activity.leased,
            active_workers=0 if stalled else activity.recent_batches,
            last_progress_at=activity.last_progress_at,
            stalled=stalled,
        )

    def _system_time(self, *times: datetime | None) -> datetime:
        """Return the latest of some product times, by the system clock."""
        latest = max(time for time in times if time is not None)
        return latest - self._context.clock.offset()
