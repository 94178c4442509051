"""Commands and the ends of impersonations in the log of operators' acts."""

from prawko_migrations.statements import current_roles, run_statements

revision = "0042"
down_revision = "0041"


def upgrade() -> None:
    to = current_roles()
    run_statements(
        # Commands act with the worker's login, which also records how an impersonation ended. The
        # triggers of the table number and chain its rows as the console's.
        f"GRANT INSERT ON admin_action TO {to.worker}",
        # Whether the operator left the impersonation: ids and numbers, of no company's secrets.
        f"GRANT SELECT (activity_type, details) ON user_activity TO {to.worker}",
    )
