"""The console's login ends no session: `add_impersonation()` does."""

from prawko_migrations.statements import current_roles, run_statements

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    # A lock of a row needs the right to change one column: `last_seen_at` stays, and a trigger
    # leaves its value as it was.
    run_statements(f"REVOKE UPDATE (revoked_at) ON login_session FROM {current_roles().operator}")
