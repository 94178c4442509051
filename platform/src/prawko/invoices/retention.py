"""The retention period of invoices.

Five years from the end of the year in which their tax was due (Tax Ordinance Act, article 86;
VAT Act, article 112). It is due in the month after, so a December's invoice counts for the year
that follows.
"""

from datetime import date, datetime

from prawko.kit.clock import warsaw_date

RETENTION_YEARS = 5


def retention_cutoff(now: datetime) -> date:
    """The earliest date of issue whose invoices are still retained."""
    return date(warsaw_date(now).year - RETENTION_YEARS - 1, 12, 1)
