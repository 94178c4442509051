"""The orders of the history are checked, in a transaction of its own: it blocks no writer."""

from prawko_migrations.statements import run_statements

revision = "0050"
down_revision = "0049"


def upgrade() -> None:
    run_statements(
        "ALTER TABLE subscription_history"
        " VALIDATE CONSTRAINT fk_subscription_history_subscription_order"
    )
