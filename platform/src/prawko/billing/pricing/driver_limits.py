"""The driver limits that may be ordered (docs/rules.md P5, R18)."""

from enum import StrEnum

MIN_LIMIT = 5
MAX_LIMIT = 10_000
LIMIT_STEP = 5


class LimitProblem(StrEnum):
    """Why a limit cannot be ordered."""

    TOO_LOW = "too_low"
    TOO_HIGH = "too_high"
    NOT_A_STEP = "not_a_step"
    BELOW_DRIVERS = "below_drivers"


def limit_problem(limit: int, drivers: int) -> LimitProblem | None:
    """Why a company with `drivers` drivers cannot order `limit`; None if it can.

    The same for a first order, an upgrade and a downgrade: to order a limit below its number of
    drivers, a company removes some first.
    """
    if limit < MIN_LIMIT:
        return LimitProblem.TOO_LOW
    if limit > MAX_LIMIT:
        return LimitProblem.TOO_HIGH
    if limit % LIMIT_STEP:
        return LimitProblem.NOT_A_STEP
    return LimitProblem.BELOW_DRIVERS if limit < drivers else None
