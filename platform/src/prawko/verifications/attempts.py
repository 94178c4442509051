"""When a question that got no answer is asked again. Nothing about the driver changes (R10)."""

from datetime import timedelta

from prawko.hooks.licence_register import RegisterTrouble

FIRST_WAIT = timedelta(seconds=30)
LONGEST_BACKOFF = timedelta(minutes=30)
# The register found this one question malformed: a person has to mend it, hurry is no use.
WAIT_AFTER_REFUSAL = timedelta(hours=1)
# A missing document is looked for again before it counts (reading R11).
LOOK_AGAIN_AFTER = timedelta(hours=1)
# A longer pause that the register asks for is kept by the bucket, not by the item.
LONGEST_WAIT = timedelta(hours=1)


def wait_after(
    trouble: RegisterTrouble | None, attempts: int, *, asked_for: float | None = None
) -> timedelta:
    """The wait after that many attempts without an answer; None stands for a refused account.

    `asked_for` is what the register asked us to wait, in seconds.
    """
    if trouble is RegisterTrouble.REFUSED:
        return WAIT_AFTER_REFUSAL
    wait: timedelta = min(FIRST_WAIT * 2 ** min(max(attempts, 1) - 1, 20), LONGEST_BACKOFF)
    if asked_for is None:
        return wait
    return max(min(timedelta(seconds=asked_for), LONGEST_WAIT), FIRST_WAIT)
