"""The time of the tests: the system's, and a clock of the product that a test can set."""

from datetime import UTC, datetime, timedelta


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


class MovableClock:
    """A clock of the product that a test can set; it continues from there."""

    def __init__(self) -> None:
        self._offset = timedelta(0)

    def now(self) -> datetime:
        return utc_now() + self._offset

    def offset(self) -> timedelta:
        return self._offset

    def set(self, instant: datetime) -> None:
        """Set the clock to an aware instant."""
        self._offset = instant - utc_now()

    def forward(self, **amount: float) -> None:
        """Advance the clock by `timedelta(**amount)`."""
        self._offset += timedelta(**amount)
