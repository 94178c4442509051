"""The system clock, which Stripe compares with its own; plugins get no clock of the product."""

from datetime import UTC, datetime


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)
