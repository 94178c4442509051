"""The words of an order. Stored for ever. Pure."""

from enum import StrEnum


class OrderKind(StrEnum):
    """What was ordered, and by whom."""

    PERIOD = "period"  # by a person
    UPGRADE = "upgrade"  # a higher limit for the rest of the period
    RENEWAL = "renewal"  # by our own timetable


class OrderState(StrEnum):
    """How far an order is."""

    OPEN = "open"
    PAID = "paid"
    FAILED = "failed"
    EXPIRED = "expired"
    VOID = "void"  # paid when it could bring nothing any more: its money is to be given back
