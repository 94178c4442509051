"""Keep the time of the sign-in through an operator's impersonations."""

from prawko_migrations.statements import run_statements

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    # Null where the session began with a sign-in: the rights of the table cover the column.
    run_statements("ALTER TABLE login_session ADD COLUMN signed_in_at timestamptz")
