"""What a paid order does, by what was ordered and where the company stands by then. Pure."""

from enum import StrEnum

from prawko.billing.orders import OrderKind
from prawko.billing.standing import Position
from prawko.payments.buyers import Verdict


class Deed(StrEnum):
    """What is given for the money."""

    BEGIN = "begin"  # a new subscription
    PROLONG = "prolong"  # the running one lasts longer
    REVIVE = "revive"  # the one that is over runs again, from now
    RAISE = "raise"  # the running one has a higher limit


_RULES: dict[tuple[OrderKind, Position], Deed | Verdict] = {
    (OrderKind.PERIOD, Position.NEW): Deed.BEGIN,
    (OrderKind.PERIOD, Position.RUNNING): Deed.PROLONG,
    (OrderKind.PERIOD, Position.OVER): Deed.REVIVE,
    (OrderKind.RENEWAL, Position.NEW): Verdict.VOID,
    (OrderKind.RENEWAL, Position.RUNNING): Deed.PROLONG,
    (OrderKind.RENEWAL, Position.OVER): Deed.REVIVE,
    (OrderKind.UPGRADE, Position.NEW): Verdict.VOID,
    (OrderKind.UPGRADE, Position.RUNNING): Deed.RAISE,
    (OrderKind.UPGRADE, Position.OVER): Verdict.VOID,
    **{(kind, Position.SUSPENDED): Verdict.SUSPENDED for kind in OrderKind},
}


def ruling(
    kind: OrderKind,
    position: Position,
    *,
    bought_instead: bool,
    cancelled: bool,
    upgrade_holds: bool,
) -> Deed | Verdict:
    """What is given, or why nothing is: such money is the operators' to give back (R23).

    `bought_instead`: another order took this one's place and was paid. What the customer has
    cancelled is not renewed, even if the charge was on its way. An upgrade is void once the
    period that it was priced for has changed.
    """
    rule = _RULES[kind, position]
    if rule is Verdict.SUSPENDED:
        return rule
    if bought_instead and kind is not OrderKind.UPGRADE:
        return Verdict.PAID_TWICE
    if kind is OrderKind.RENEWAL and cancelled:
        return Verdict.VOID
    if rule is Deed.RAISE and not upgrade_holds:
        return Verdict.VOID
    return rule
