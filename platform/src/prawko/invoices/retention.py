"""How long invoices are kept. Pure.

Five years from the end of the year in which their tax was due (Tax Ordinance Act, article 86;
VAT Act, article 112): the month after, so a December's invoice belongs to the year that follows.
"""

from datetime import date, datetime

from prawko.base.clock import warsaw_day

YEARS = 5


def invoices_kept_from(now: datetime) -> date:
    """The first day of issue whose invoices are kept still."""
    return date(warsaw_day(now).year - YEARS - 1, 12, 1)
