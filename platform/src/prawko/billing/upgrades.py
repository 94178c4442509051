"""A higher limit in the middle of a period (readings, "Time and money"). Pure."""

from datetime import datetime

import msgspec

from prawko.billing.periods import days_left
from prawko.billing.price import Price, upgrade_price


class Upgrade(msgspec.Struct, frozen=True):
    """What was ordered: the step from one limit to another, until the end it was priced for."""

    from_limit: int
    to_limit: int
    end_date: datetime
    price: Price

    def holds(self, limit: int, end_date: datetime, now: datetime) -> bool:
        """Whether it may take effect when it is paid, on what the subscription says by then.

        Void once the period is another or over, and when the limit is not the one it was priced
        from: the difference that was paid would be another one. A void one changes nothing; its
        money is the operator's to give back (reading R23).
        """
        return now < end_date == self.end_date and limit == self.from_limit


def upgrade(from_limit: int, to_limit: int, end_date: datetime, now: datetime) -> Upgrade:
    """The order of a higher limit at `now`. Raises ValueError as `upgrade_price` does."""
    price = upgrade_price(from_limit, to_limit, days_left(end_date, now))
    return Upgrade(from_limit=from_limit, to_limit=to_limit, end_date=end_date, price=price)
