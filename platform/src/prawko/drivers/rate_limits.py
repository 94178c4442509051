"""Rate limits of a company's drivers; a test compares them with docs/operations.md."""

from prawko.base.rate_limit import DAY, HOUR, RateLimit

IMPORT_PREVIEWS = RateLimit("driver_import_preview", 600, HOUR)
IMPORTS = RateLimit("driver_import", 60, HOUR)
# Withdrawals and refused entries count as well.
ACKNOWLEDGEMENTS = RateLimit("driver_acknowledgement", 1000, DAY)
LIST_EXPORTS = RateLimit("driver_list_export", 60, HOUR)


def new_documents(driver_limit: int) -> RateLimit:
    """Return how many drivers a company may add, import or edit that may have so many."""
    return RateLimit("driver_document", 3 * driver_limit + 200, DAY)
