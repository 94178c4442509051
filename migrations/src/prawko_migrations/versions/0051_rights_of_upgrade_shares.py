"""The console's export divides an upgrade by the days and the end of its order."""

from prawko_migrations.statements import current_roles, run_statements

revision = "0051"
down_revision = "0050"


def upgrade() -> None:
    operator = current_roles().operator
    run_statements(
        f"GRANT SELECT (days) ON invoice_line TO {operator}",
        f"GRANT SELECT (end_date) ON subscription_order TO {operator}",
    )
