"""The console's login ends no session (`add_impersonation()` does) and keeps none open."""

from prawko_migrations.statements import current_roles, run_statements

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    operator = current_roles().operator
    run_statements(
        f"REVOKE EXECUTE ON FUNCTION touch_session(text) FROM {operator}",
        # A lock of a row needs the right to change one column: `last_seen_at` stays, and a trigger
        # leaves its value as it was.
        f"REVOKE UPDATE (revoked_at) ON login_session FROM {operator}",
    )
