"""The drivers whose queries failed since the register's last answer."""

from prawko_migrations.statements import run_statements

revision = "0026"
down_revision = "0025"

EVIDENCE = """
ALTER TABLE register_limiter
    ADD COLUMN refused jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN failed jsonb NOT NULL DEFAULT '{}'
"""


def upgrade() -> None:
    run_statements(EVIDENCE)
