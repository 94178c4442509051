"""The console's export computes what a period was bought for from the kinds of invoice lines."""

from prawko_migrations.statements import current_roles, run_statements

revision = "0045"
down_revision = "0044"


def upgrade() -> None:
    run_statements(f"GRANT SELECT (kind) ON invoice_line TO {current_roles().operator}")
