"""What a line of an invoice is called. Pure.

Written once, when the invoice is issued, in Polish: the document is a Polish one, whatever
language its reader's account speaks.
"""

from datetime import datetime

from prawko.base.clock import warsaw_day
from prawko.base.texts import Language, say
from prawko.invoices.sale import LineKind, Sale, SaleLine


def line_name(brand: str, sale: Sale, line: SaleLine) -> str:
    """The name of one line of a sale."""
    facts: dict[str, object] = {"brand": brand, "limit": line.driver_limit}
    kind = line.kind.value
    if line.kind is LineKind.PERIOD and sale.period_from and sale.period_to:
        kind = "period_dated"
        facts |= {"first": _day(sale.period_from), "last": _day(sale.period_to)}
    elif line.kind is LineKind.UPGRADE and line.days is not None:
        kind = "upgrade_days"
        facts["days"] = line.days
    return say(f"invoices.lines.{kind}", Language.PL, **facts)


def _day(instant: datetime) -> str:
    return warsaw_day(instant).strftime("%d.%m.%Y")
