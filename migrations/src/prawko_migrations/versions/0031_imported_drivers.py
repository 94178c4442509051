"""When a driver was imported: the first check of an import is told of in one message."""

from prawko_migrations.statements import run_statements

revision = "0031"
down_revision = "0030"

COLUMN = """
ALTER TABLE driver ADD COLUMN imported_at timestamptz
"""


def upgrade() -> None:
    run_statements(COLUMN)
