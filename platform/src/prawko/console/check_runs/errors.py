"""Refused acts on the daily check."""

from prawko.kit.errors import AppError


class CheckPausedError(AppError):
    status = 409
    key = "check_paused"


class CheckNotPausedError(AppError):
    status = 409
    key = "check_not_paused"


class CheckRunSupersededError(AppError):
    """A later run has started, which checks the drivers of this one."""

    status = 409
    key = "check_run_superseded"


class NoPendingReviewError(AppError):
    status = 409
    key = "no_pending_review"
