"""Tickets and contact messages that are marked as probable spam."""

from prawko_migrations.statements import current_roles, run_statements

revision = "0044"
down_revision = "0043"


def upgrade() -> None:
    run_statements(
        "ALTER TABLE support_ticket ADD COLUMN probable_spam boolean NOT NULL DEFAULT false",
        "ALTER TABLE contact_message ADD COLUMN probable_spam boolean NOT NULL DEFAULT false",
        f"GRANT SELECT (probable_spam) ON contact_message TO {current_roles().operator}",
    )
