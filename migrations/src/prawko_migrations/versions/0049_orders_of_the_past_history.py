"""The history until now names its paid orders, in a transaction for each company."""

from alembic import op

revision = "0049"
down_revision = "0048"

# Bound to the company like any other writer. Until now a paid order's row and its invoice were
# found by their instant, which one transaction gave to both. A second try skips what the first did.
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
         WHERE h.tenant_id = company AND i.tenant_id = company AND i.issued_at = h.changed_at
           AND h.order_id IS NULL;
        COMMIT;
    END LOOP;
END
$$
"""


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute(BACK_FILL)
