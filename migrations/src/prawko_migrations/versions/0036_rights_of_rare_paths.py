"""Rights that 0035 took although a rare path needs them."""

from prawko_migrations.statements import current_roles, run_statements

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    to = current_roles()
    run_statements(
        # A new order cancels the older payment, which the provider may report as paid by then.
        f"GRANT INSERT ON payment_mandate TO {to.app}",
        # `prawko doctor` with the console's variables shows waiting work and heartbeats.
        f"GRANT SELECT ON heartbeat TO {to.operator}",
        f"GRANT SELECT (error, not_before) ON delivery TO {to.operator}",
    )
