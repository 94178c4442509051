"""When a result is too old to be believed (reading R12b)."""

from datetime import datetime

from prawko.drivers.reading import STALE_AFTER


def is_stale(verified_at: datetime | None, now: datetime, *, checked: bool) -> bool:
    """Whether a result must not be shown as today's.

    `checked` is whether the company's drivers are being checked at all: a result that nobody
    renews is stale at once. Without a result nothing can be stale.
    """
    if verified_at is None:
        return False
    return not checked or now - verified_at > STALE_AFTER
