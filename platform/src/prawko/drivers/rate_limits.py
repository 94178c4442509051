"""Rate limits of imports and exports; a test compares them with docs/operations.md."""

from prawko.base.rate_limit import HOUR, RateLimit

IMPORT_PREVIEWS = RateLimit("driver_import_preview", 600, HOUR)
IMPORTS = RateLimit("driver_import", 60, HOUR)
LIST_EXPORTS = RateLimit("driver_list_export", 60, HOUR)
