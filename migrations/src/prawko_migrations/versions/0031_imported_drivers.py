"""The time of a driver's import; the results of its first check are one message."""

from prawko_migrations.statements import run_statements

revision = "0031"
down_revision = "0030"

COLUMN = """
ALTER TABLE driver ADD COLUMN imported_at timestamptz
"""


def upgrade() -> None:
    run_statements(COLUMN)
