"""The bundles of the messages and notices that were written before revision 0040."""

from prawko_migrations.statements import run_statements

revision = "0041"
down_revision = "0040"

# Company by company, bound to it like any other writer, so that no table is locked. A notice
# without a message that is kept needs no bundle.
BACK_FILL = """
DO $$
DECLARE
    company uuid;
BEGIN
    FOR company IN SELECT DISTINCT tenant_id FROM membership LOOP
        PERFORM set_config('app.tenant_id', company::text, true);
        UPDATE delivery
           SET bundle_id = (
                   lpad(to_hex((extract(epoch FROM batch_at) * 1000000)::bigint), 16, '0')
                   || '0000000000000000')::uuid
         WHERE tenant_id = company AND batch_at IS NOT NULL AND bundle_id IS NULL;
        UPDATE notice n
           SET bundle_id = d.bundle_id
          FROM (SELECT DISTINCT batch_at, bundle_id FROM delivery
                 WHERE tenant_id = company AND batch_at IS NOT NULL) AS d
         WHERE n.tenant_id = company AND n.created_at = d.batch_at AND n.bundle_id IS NULL
           AND n.kind IN
               ('withheld', 'attention', 'not_found', 'category_invalid', 'expiring', 'expired');
    END LOOP;
END
$$
"""


def upgrade() -> None:
    run_statements(BACK_FILL)
