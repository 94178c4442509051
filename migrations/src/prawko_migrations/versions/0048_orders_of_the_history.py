"""A row of a subscription's history names the paid order that caused it."""

from prawko_migrations.statements import run_statements

revision = "0048"
down_revision = "0047"

# Company by company, bound to it like any other writer. Until now a paid order's row and its
# invoice were found by their instant, which one transaction gave to both.
BACK_FILL = """
DO $$
DECLARE
    company uuid;
BEGIN
    FOR company IN SELECT DISTINCT tenant_id FROM membership LOOP
        PERFORM set_config('app.tenant_id', company::text, true);
        UPDATE subscription_history h
           SET order_id = o.id
          FROM invoice i JOIN subscription_order o ON o.tenant_id = company AND o.id = i.order_id
         WHERE h.tenant_id = company AND i.tenant_id = company AND i.issued_at = h.changed_at;
    END LOOP;
END
$$
"""


def upgrade() -> None:
    run_statements(
        """
        ALTER TABLE subscription_history ADD COLUMN order_id uuid

        ALTER TABLE subscription_history ADD CONSTRAINT fk_subscription_history_subscription_order
            FOREIGN KEY (tenant_id, order_id) REFERENCES subscription_order (tenant_id, id)
            ON DELETE SET NULL (order_id) NOT VALID
        """,
        BACK_FILL,
    )
