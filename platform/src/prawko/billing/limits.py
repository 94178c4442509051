"""How many drivers may be ordered (spec, sections 5 and 9; reading R18). Pure."""

from enum import StrEnum

LEAST = 5
MOST = 10_000
STEP = 5
MOST_STORED = 2**31 - 1  # what the column holds


class LimitProblem(StrEnum):
    """Why an order's limit is refused."""

    TOO_LOW = "too_low"
    TOO_HIGH = "too_high"
    NOT_A_STEP = "not_a_step"
    BELOW_DRIVERS = "below_drivers"


def limit_problem(limit: int, drivers: int) -> LimitProblem | None:
    """What is wrong with a limit that a company with so many drivers orders; None if nothing.

    The same for a first order, an upgrade and a downgrade: who wants a lower limit than there
    are drivers removes some first.
    """
    if limit < LEAST:
        return LimitProblem.TOO_LOW
    if limit > MOST:
        return LimitProblem.TOO_HIGH
    if limit % STEP:
        return LimitProblem.NOT_A_STEP
    return LimitProblem.BELOW_DRIVERS if limit < drivers else None


def least_order(drivers: int) -> int:
    """The lowest limit that a company with so many drivers may order; above MOST: none."""
    return max(LEAST, -(-drivers // STEP) * STEP)


def operator_may_set(limit: int) -> bool:
    """Whether an operator may give a company this limit: any from 0, outside every step."""
    return 0 <= limit <= MOST_STORED
