"""A row of a subscription's history names the paid order that caused it."""

from prawko_migrations.statements import run_statements

revision = "0048"
down_revision = "0047"


def upgrade() -> None:
    run_statements(
        """
        ALTER TABLE subscription_history ADD COLUMN order_id uuid

        ALTER TABLE subscription_history ADD CONSTRAINT fk_subscription_history_subscription_order
            FOREIGN KEY (tenant_id, order_id) REFERENCES subscription_order (tenant_id, id)
            ON DELETE SET NULL (order_id) NOT VALID
        """
    )
