"""The machine's time, which Stripe compares with its own: plugins are handed no clock."""

from datetime import UTC, datetime


def machine_now() -> datetime:
    """The real moment, in UTC."""
    return datetime.now(UTC)
