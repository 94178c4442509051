"""The names of invoice lines.

Stored when the invoice is issued, in Polish whatever the language of the account.
"""

from datetime import datetime

from prawko.base.clock import warsaw_date
from prawko.base.i18n import Language, translate
from prawko.invoices.sale import LineKind, Sale, SaleLine


def line_name(brand: str, sale: Sale, line: SaleLine) -> str:
    """The name of one line of a sale."""
    params: dict[str, object] = {"brand": brand, "limit": line.driver_limit}
    kind = line.kind.value
    if line.kind is LineKind.PERIOD and sale.period_from and sale.period_to:
        kind = "period_dated"
        params |= {"first": _format_date(sale.period_from), "last": _format_date(sale.period_to)}
    elif line.kind is LineKind.UPGRADE and line.days is not None:
        kind = "upgrade_days"
        params["days"] = line.days
    return translate(f"invoices.lines.{kind}", Language.PL, **params)


def _format_date(instant: datetime) -> str:
    return warsaw_date(instant).strftime("%d.%m.%Y")
