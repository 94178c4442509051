"""Record how a person shows lists, how many drivers were planned, and who wants month's mails."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import grant_rights

revision = "0052"
down_revision = "0051"

# The defaults are what lists showed before; of a past sign-up no number is known.
PERSONS = """
ALTER TABLE user_account
    ADD COLUMN list_page_size integer DEFAULT 10 NOT NULL,
    ADD COLUMN list_dense_rows boolean DEFAULT false NOT NULL,
    ADD COLUMN planned_drivers integer
"""
MEMBERS = "ALTER TABLE membership ADD COLUMN monthly_summary boolean DEFAULT true NOT NULL"
CHOICES = "list_page_size, list_dense_rows, planned_drivers"


def upgrade() -> None:
    to = current_roles()
    run_statements(
        PERSONS,
        MEMBERS,
        grant_rights(
            "user_account",
            to,
            app=f"INSERT (planned_drivers), UPDATE ({CHOICES})",
            worker=f"SELECT ({CHOICES})",
        ),
        grant_rights("membership", to, app="UPDATE (monthly_summary)"),
        # The month's mail says how soon alarms were acknowledged.
        grant_rights(
            "acknowledgement",
            to,
            worker="SELECT (driver_id, since, entry, kind, created_at)",
        ),
    )
