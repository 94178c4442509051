"""The names of invoice lines.

Stored when the invoice is issued, in Polish for accounts of every language.
"""

from prawko.invoices.sale import LineKind, Sale, SaleLine
from prawko.kit.clock import warsaw_date
from prawko.kit.dates import format_date
from prawko.kit.text.i18n import Language, translate


def line_name(brand: str, sale: Sale, line: SaleLine) -> str:
    """The name of one line of a sale."""
    params: dict[str, object] = {"brand": brand, "limit": line.driver_limit}
    kind = line.kind.value
    if line.kind is LineKind.PERIOD and sale.period_from and sale.period_to:
        kind = "period_dated"
        first, last = warsaw_date(sale.period_from), warsaw_date(sale.period_to)
        params["first"] = format_date(first)
        params["last"] = format_date(last)
    elif line.kind is LineKind.UPGRADE and line.days is not None:
        kind = "upgrade_days"
        params["days"] = line.days
    return translate(f"invoices.lines.{kind}", Language.PL, **params)
