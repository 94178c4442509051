"""The carrier that a message was given to: several of a medium stand in for each other."""

from prawko_migrations.statements import current_roles, run_statements

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    # The operators' rights are by column; those of the worker cover the table.
    run_statements(
        "ALTER TABLE delivery ADD COLUMN carrier text",
        f"GRANT SELECT (carrier) ON delivery TO {current_roles().operator}",
    )
