"""When a question that got no answer is asked again. Nothing about the driver changes (R10)."""

from datetime import timedelta

from prawko.hooks.licence_register import RegisterTrouble

FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(minutes=30)
# The register found this one question malformed: a person has to mend it, hurry is no use.
WAIT_AFTER_REFUSAL = timedelta(hours=1)
# A missing document is looked for again before it counts (reading R11).
LOOK_AGAIN_AFTER = timedelta(hours=1)


def wait_after(
    trouble: RegisterTrouble | None, attempts: int, *, asked_for: float | None = None
) -> timedelta:
    """The wait after that many attempts without an answer; None stands for a refused account.

    `asked_for` is what the register asked us to wait, in seconds.
    """
    if trouble is RegisterTrouble.REFUSED:
        return WAIT_AFTER_REFUSAL
    wait = min(FIRST_WAIT * 2 ** min(max(attempts, 1) - 1, 20), LONGEST_WAIT)
    return wait if asked_for is None else max(timedelta(seconds=min(asked_for, 3600)), FIRST_WAIT)
