"""Partitions are by UTC, whatever time zone the server or the session has."""

from prawko_migrations.statements import run_statements

revision = "0029"
down_revision = "0028"

# `current_date` is that of the session's zone: in Warsaw a year begins an hour early, in America
# hours late. The bounds of the partitions are in UTC, and so are the days that callers name.
ZONES = """
ALTER FUNCTION ensure_month(date) SET timezone = 'UTC'

ALTER FUNCTION ensure_day(date) SET timezone = 'UTC'

ALTER FUNCTION drop_days(date) SET timezone = 'UTC'

ALTER FUNCTION drop_months(date) SET timezone = 'UTC'
"""


def upgrade() -> None:
    run_statements(ZONES)
